"""The PhysX back end's own logic on a real USD stage, with the traps of Isaac Sim 6.2 in the fake that steps it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from assistcore.house.stage import StageModel, link_matrix
from assistcore.house.state import Attachment
from assistcore.world.errors import InfrastructureError, InputError, VersionError
from assistcore.world.poses import Pose
from extension.conversions import matrix_from_gf, pose_from_tensor_row
from extension.errors import PhysicsSceneError
from extension.physics_stage import SCENE_PATH, applies, write_wrapper
from extension.rest import apart
from tests.extension.fake_simulation import FakeSimulation
from tests.extension.houses import closing as closing
from tests.extension.houses import physics_of, settle, small_house

pytest.importorskip("pxr")
pytestmark = pytest.mark.usefixtures("closing")
TILTED = Pose((0.4, -0.1, 1.3), (0.9273618, 0.1, 0.2, 0.3))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> tuple[StageModel, Path]:
    return small_house(tmp_path_factory.mktemp("scene"))


def loaded(house: tuple[StageModel, Path], poses: dict[str, Pose] | None = None, *, noise_m: float = 0.0):
    physics, simulation = physics_of(*house, FakeSimulation(house[0], noise_m=noise_m))
    physics.load(house[0], poses or {}, {}, frozenset())
    return physics, simulation


def test_what_rests_stays_exactly_where_the_scene_has_it(house: tuple[StageModel, Path]) -> None:
    physics, _ = loaded(house)
    settle(physics)
    assert physics.poses() == {e.key: e.pose for e in house[0].entities if e.kind == "movable"}


def test_a_perturbation_below_a_millimetre_moves_nothing_and_above_it_does(house: tuple[StageModel, Path]) -> None:
    for noise, same in ((0.0004, True), (0.004, False)):
        physics, _ = loaded(house, noise_m=noise)
        settle(physics)
        assert (physics.poses()["mug_1"] == house[0].entity("mug_1").pose) is same


def test_what_is_let_go_falls_and_comes_to_rest_on_the_table(house: tuple[StageModel, Path]) -> None:
    physics, _ = loaded(house)
    settle(physics)
    physics.set_kinematic("mug_1", True)
    physics.set_pose("mug_1", Pose((0.1, 0.2, 1.3)))
    physics.step(60)
    assert physics.poses()["mug_1"].position_m[2] == 1.3, "what is held does not fall"
    physics.set_kinematic("mug_1", False)
    assert not physics.at_rest()
    settle(physics)
    assert physics.poses()["mug_1"].position_m == pytest.approx((0.1, 0.2, 0.80), abs=1e-6)


def test_the_two_steps_at_the_start_move_nothing(house: tuple[StageModel, Path]) -> None:
    """`initialize_physics` simulates twice before anybody asks: a thing in the air is still where the scenario put it."""
    physics, simulation = loaded(house, {"mug_1": Pose((0.0, 0.0, 2.0))})
    assert simulation.starts == 1 and physics.poses()["mug_1"].position_m[2] == 2.0
    assert simulation._pose("mug_1").position_m[2] == 2.0
    physics.step(1)
    assert physics.poses()["mug_1"].position_m[2] == pytest.approx(2.0 - 9.81 / 3600, abs=1e-6)


def test_a_start_that_moves_things_is_an_error_that_names_them(house: tuple[StageModel, Path]) -> None:
    class Pushy(FakeSimulation):
        def start(self, scene_path: str, step_seconds: float) -> None:
            super().start(scene_path, step_seconds)
            self.usd.GetPrimAtPath("/World/mug_1").GetAttribute("xformOp:translate").Set((0.0, 0.0, 0.7))

    physics, _ = physics_of(*house, Pushy(house[0]))
    with pytest.raises(InfrastructureError, match="moved while it started: mug_1"):
        physics.load(house[0], {}, {}, frozenset())


def test_a_scene_without_physx_scene_api_gets_one_before_the_start(house: tuple[StageModel, Path], tmp_path: Path) -> None:
    model, file = house
    bare = file.with_name("bare.usda")
    bare.write_text(file.read_text().replace('prepend apiSchemas = ["PhysxSceneAPI"]', "").replace("uint physxScene", "uint other"))
    try:
        assert "PhysxSceneAPI" not in bare.read_text()
        physics, simulation = physics_of(model, bare)
        physics.load(model, {}, {}, frozenset())
        scene = simulation.usd.GetPrimAtPath(SCENE_PATH)
        assert applies(scene, "PhysxSceneAPI")
        assert scene.GetAttribute("physxScene:timeStepsPerSecond").Get() == 60
        assert scene.GetAttribute("physics:gravityMagnitude").Get() == pytest.approx(9.81)
    finally:
        bare.unlink()


def test_a_second_scene_or_another_step_is_refused(house: tuple[StageModel, Path]) -> None:
    from pxr import UsdPhysics

    class TwoScenes(FakeSimulation):
        def start(self, scene_path: str, step_seconds: float) -> None:
            UsdPhysics.Scene.Define(self.usd, "/PhysicsScene")
            super().start(scene_path, step_seconds)

    class Faster(FakeSimulation):
        def start(self, scene_path: str, step_seconds: float) -> None:
            super().start(scene_path, step_seconds)
            self.usd.GetPrimAtPath(scene_path).GetAttribute("physxScene:timeStepsPerSecond").Set(120)

    for kind, said in ((TwoScenes, "/PhysicsScene"), (Faster, "120.0 times a second, expected 60")):
        physics, _ = physics_of(*house, kind(house[0]))
        with pytest.raises(PhysicsSceneError, match=said):
            physics.load(house[0], {}, {}, frozenset())


def test_the_scene_file_is_never_written_and_other_units_are_refused(house: tuple[StageModel, Path], tmp_path: Path) -> None:
    from pxr import Sdf

    before = house[1].read_bytes()
    physics, _ = loaded(house)
    physics.set_pose("mug_1", TILTED)
    physics.step(5)
    layer = Sdf.Layer.Find(str(house[1]))
    assert not layer.dirty and house[1].read_bytes() == before
    centimetres = tmp_path / "cm.usda"
    centimetres.write_text(house[1].read_text().replace("metersPerUnit = 1", "metersPerUnit = 0.01"))
    with pytest.raises(InputError, match="metersPerUnit 0.01"):
        write_wrapper(centimetres, tmp_path)


def test_something_carried_far_pushes_nothing_when_it_arrives(house: tuple[StageModel, Path]) -> None:
    """A pose written to a kinematic body is a target to reach in one step: without a step of its own, 2 m in 1/60 s would be 120 m/s."""
    physics, simulation = loaded(house)
    settle(physics)
    physics.set_kinematic("box_1", True)
    physics.set_pose("box_1", Pose((3.0, 3.0, 0.05)))
    physics.set_kinematic("mug_1", False)
    physics.set_pose("box_1", Pose((0.081, 0.0, 0.80)))
    physics.set_pose("mug_1", Pose((0.0, 0.0, 0.81)))
    settle(physics)
    assert simulation.pushes == []
    settle(physics)


def test_bodies_are_switched_by_the_usd_attribute_and_no_tensor_view_is_read(house: tuple[StageModel, Path]) -> None:
    physics, simulation = loaded(house)
    physics.step(1)
    assert not simulation.view_valid, "the fake drops its view at a switch, as PhysX may"
    with pytest.raises(RuntimeError, match="invalidated"):
        simulation.tensor_rows(["/World/mug_1"])
    settle(physics)
    assert all(simulation._kinematic(key) for key in ("mug_1", "box_1", "lid_1")), "what rests is kinematic again"
    physics.set_kinematic("mug_1", True)
    physics.set_kinematic("mug_1", False)
    physics.step(1)
    assert not simulation._kinematic("mug_1") and physics.poses()["mug_1"] == house[0].entity("mug_1").pose


def test_poses_cross_usd_without_a_turn(house: tuple[StageModel, Path]) -> None:
    physics, simulation = loaded(house)
    simulation.view_valid = True
    physics.set_kinematic("mug_1", True)
    physics.set_pose("mug_1", TILTED)
    read = physics._loaded.read_pose("mug_1")
    assert read.position_m == pytest.approx(TILTED.position_m) and read.quat_wxyz == pytest.approx(TILTED.quat_wxyz, abs=1e-6)
    row = simulation.tensor_rows(["/World/mug_1"])[0]
    assert row[3:] == pytest.approx((0.1, 0.2, 0.3, 0.9273618), abs=1e-6), "PhysX's own rows are xyzw"
    assert pose_from_tensor_row(row).quat_wxyz == pytest.approx(TILTED.quat_wxyz, abs=1e-6)


def test_the_angle_between_poses_needs_no_exact_unit_quaternion() -> None:
    rounded = Pose(TILTED.position_m, (0.92736, 0.1, 0.2, 0.3))
    assert apart(rounded, TILTED)[1] == pytest.approx(0.0, abs=1e-5)
    assert apart(rounded, rounded)[1] == pytest.approx(0.0, abs=1e-7)


def test_velocities_cross_usd_in_degrees(house: tuple[StageModel, Path]) -> None:
    physics, simulation = loaded(house)
    physics._loaded.write_velocity("mug_1", (1.0, 2.0, 3.0), (math.pi, 0.0, -math.pi / 2))
    assert tuple(simulation.usd.GetPrimAtPath("/World/mug_1").GetAttribute("physics:angularVelocity").Get()) == (180.0, 0.0, -90.0)
    assert physics._loaded.read_velocity("mug_1") == ((1.0, 2.0, 3.0), pytest.approx((math.pi, 0.0, -math.pi / 2)))


@pytest.mark.parametrize(
    ("joint", "link", "value"),
    [("drawer_1.drawer_1_slide", "tray", 0.31), ("cabinet_1.cabinet_1_hinge", "door", -1.1), ("cabinet_1.cabinet_1_hinge", "door", 0.0)],
)
def test_driven_links_stand_where_the_stage_model_has_them(house: tuple[StageModel, Path], joint: str, link: str, value: float) -> None:
    from pxr import Usd, UsdGeom, UsdPhysics

    model, _ = house
    physics, simulation = loaded(house)
    physics.set_joint(joint, value)
    owner = model.entity(model.joint_owner[joint][0])
    prim = simulation.usd.GetPrimAtPath(f"/World/{owner.key}/{link}")
    seen = matrix_from_gf(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(Usd.TimeCode.Default()))
    np.testing.assert_allclose(seen, link_matrix(owner, owner.link(link), owner.pose.matrix(), {joint: value}), atol=1e-9)
    assert UsdPhysics.RigidBodyAPI(prim).GetKinematicEnabledAttr().Get() is True
    joints = [UsdPhysics.Joint(p) for p in simulation.usd.Traverse() if p.IsA(UsdPhysics.Joint)]
    assert len(joints) == 2 and not any(j.GetJointEnabledAttr().Get() for j in joints)


def test_an_attached_part_goes_with_its_parent_held_or_falling(house: tuple[StageModel, Path]) -> None:
    physics, simulation = loaded(house)
    row = Attachment("lid_1", "rim", "mug_1", "mouth", Pose((0.0, 0.0, 0.06)))
    physics.set_kinematic("mug_1", True)
    physics.set_attached((row,))
    physics.set_pose("mug_1", Pose((0.0, 0.2, 1.5)))
    assert physics.poses()["lid_1"].position_m == pytest.approx((0.0, 0.2, 1.56))
    assert simulation._pose("lid_1").position_m == pytest.approx((0.0, 0.2, 1.56)) and simulation._kinematic("lid_1")
    assert not simulation.usd.GetPrimAtPath("/World/Attachments/lid_1"), "two kinematic bodies cannot be joined"
    physics.set_pose("lid_1", Pose((9.0, 9.0, 9.0)))
    assert physics.poses()["lid_1"].position_m == pytest.approx((0.0, 0.2, 1.56)), "a part has no motion of its own"
    physics.set_kinematic("mug_1", False)
    physics.step(1)
    joint = simulation.usd.GetPrimAtPath("/World/Attachments/lid_1")
    assert joint.GetTypeName() == "PhysicsFixedJoint" and tuple(joint.GetAttribute("physics:localPos0").Get()) == pytest.approx(
        (0, 0, 0.06)
    )
    assert not simulation._kinematic("lid_1")
    settle(physics)
    physics.set_attached(())
    assert not simulation.usd.GetPrimAtPath("/World/Attachments/lid_1") and set(physics.poses()) == {"mug_1", "box_1", "lid_1"}


def test_the_same_scene_is_reset_in_place_and_other_absences_restart_it(house: tuple[StageModel, Path]) -> None:
    physics, simulation = loaded(house)
    physics.set_pose("mug_1", Pose((1.0, 1.0, 1.0)))
    physics.step(3)
    for _ in range(3):
        physics.load(house[0], {}, {}, frozenset())
    assert (simulation.opened, simulation.starts) == (1, 1)
    settle(physics)
    assert physics.poses()["mug_1"] == house[0].entity("mug_1").pose
    physics.load(house[0], {}, {}, frozenset({"box_1"}))
    assert (simulation.opened, simulation.starts) == (1, 2)
    assert set(physics.poses()) == {"mug_1", "lid_1"} and not simulation.usd.GetPrimAtPath("/World/box_1").IsActive()
    physics.load(house[0], {}, {}, frozenset())
    assert set(physics.poses()) == {"mug_1", "box_1", "lid_1"}
    physics.close()
    physics.close()


def test_a_simulation_that_somebody_else_stops_is_named_and_a_reset_mends_it(house: tuple[StageModel, Path]) -> None:
    physics, simulation = loaded(house)
    simulation.stop()
    with pytest.raises(InfrastructureError, match="stopped or its stage replaced from outside"):
        physics.step(1)
    physics.load(house[0], {}, {}, frozenset())
    settle(physics)
    assert simulation.starts == 2


def test_a_state_that_is_not_finite_is_an_error(house: tuple[StageModel, Path]) -> None:
    physics, simulation = loaded(house)
    step = simulation._step

    def broken() -> None:
        step()
        simulation.usd.GetPrimAtPath("/World/mug_1").GetAttribute("xformOp:translate").Set((math.nan, 0.0, 0.0))

    physics.step(1)
    simulation._step = broken  # type: ignore[method-assign]
    with pytest.raises(InfrastructureError, match="state of mug_1 is not finite"):
        physics.step(1)
    with pytest.raises(InfrastructureError, match="pose of mug_1 set to"):
        physics.set_pose("mug_1", Pose((math.nan, 0.0, 0.0)))


def test_save_and_restore_at_rest(house: tuple[StageModel, Path]) -> None:
    physics, _ = loaded(house)
    settle(physics)
    physics.set_kinematic("mug_1", True)
    physics.set_pose("mug_1", TILTED)
    physics.set_joint("cabinet_1.cabinet_1_hinge", -0.7)
    saved, poses, joints = physics.save(), physics.poses(), physics.joints()
    other, _ = loaded(house, {"box_1": Pose((0.3, 0.2, 0.9))})
    other.restore(saved)
    assert other.poses() == poses and other.joints() == joints and other.at_rest() and other.save() == saved
    other.step(30)
    assert other.poses() == poses
    with pytest.raises(VersionError, match="physx-physics/0"):
        other.restore(saved.replace(b"physx-physics/1", b"physx-physics/0"))


@pytest.mark.parametrize("call", [lambda p: p.set_pose("mug_2", Pose()), lambda p: p.set_joint("cabinet_1.cabinet_1_hing", 0.1)])
def test_unknown_names_get_the_nearest(house: tuple[StageModel, Path], call) -> None:
    physics, _ = loaded(house)
    with pytest.raises(InfrastructureError, match=r"did you mean '(mug_1|cabinet_1.cabinet_1_hinge)'"):
        call(physics)
