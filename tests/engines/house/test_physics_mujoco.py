"""The embedded physics: settling, rest without creep, kinematic bodies and driven links, exact repetition, save and restore, no leak."""

from __future__ import annotations

import gc
import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from assistcore.house.stage import StageModel
from assistcore.world.errors import InfrastructureError, VersionError
from assistcore.world.poses import Pose, transform_points
from assistworld.engines.house.physics_mujoco import MujocoPhysics, settle
from tests.house import stages

pytest.importorskip("mujoco")


def scene() -> StageModel:
    """A table with a dropped mug, a box with a ball in it, a stack of books; a drawer; a loose ball on the floor."""
    books = [stages.block(f"book_{i}", (0.1, 0.07, 0.015), (-0.35, 0.0, 0.785 + i * 0.035)) for i in range(5)]
    return stages.stage(
        stages.floor(),
        stages.table(),
        stages.block("mug_1", at=(0.0, 0.0, 0.9)),
        stages.open_box("box_1", at=(0.3, 0.0, 0.84)),
        stages.ball("ball_1", at=(0.3, 0.0, 0.95)),
        stages.ball("ball_2", at=(0.0, 1.5, 0.3)),
        stages.drawer("drawer_1", (2.0, 0.0, 0.5)),
        *books,
    )


def loaded(model: StageModel, **poses: Pose) -> MujocoPhysics:
    physics = MujocoPhysics()
    physics.load(model, poses, {}, frozenset())
    return physics


def lowest_m(pose: Pose, points: NDArray[np.float64]) -> float:
    return float(transform_points(pose.matrix(), points)[:, 2].min())


def test_dropped_things_settle_on_what_is_below() -> None:
    physics = loaded(scene())
    assert not physics.at_rest()
    assert settle(physics)
    poses = physics.poses()
    assert poses["mug_1"].position_m[2] - 0.05 == pytest.approx(0.75, abs=2e-3)
    assert lowest_m(poses["ball_2"], stages.sphere_points(0.04)) == pytest.approx(0.0, abs=2e-3)
    for i in range(5):
        x, y, z = poses[f"book_{i}"].position_m
        assert (x, y) == pytest.approx((-0.35, 0.0), abs=3e-3)
        assert z == pytest.approx(0.765 + 0.03 * i, abs=2e-3)


def test_a_ball_stays_in_its_open_box() -> None:
    physics = loaded(scene())
    settle(physics)
    box, ball = physics.poses()["box_1"], physics.poses()["ball_1"]
    local = np.array(ball.position_m) - np.array(box.position_m)
    assert np.all(np.abs(local[:2]) < (0.15, 0.12))
    assert lowest_m(ball, stages.sphere_points(0.04)) == pytest.approx(box.position_m[2] - 0.07, abs=2e-3)


def test_rest_is_exact_and_a_new_disturbance_moves_only_what_it_moves() -> None:
    physics = loaded(scene())
    settle(physics)
    before = physics.poses()
    physics.step(600)
    assert physics.poses() == before
    physics.set_pose("mug_1", Pose((0.0, 0.2, 0.81)))
    assert settle(physics)
    after = physics.poses()
    assert {k for k in before if before[k] != after[k]} == {"mug_1"}


def test_rest_survives_repeated_waking_without_creep() -> None:
    physics = loaded(scene())
    settle(physics)
    before = physics.poses()
    for k in range(20):
        physics.set_joint("drawer_1_slide", 0.02 * (k % 2) + 0.1)
        physics.set_pose("mug_1", before["mug_1"])
        physics.set_pose("book_0", before["book_0"])
        assert settle(physics)
    assert physics.poses() == before


def test_what_stood_on_a_thing_falls_when_it_is_taken_away_even_across_a_hair_of_air() -> None:
    books = [stages.block(f"book_{i}", (0.1, 0.07, 0.015), (0.0, 0.0, 0.015 + 0.0302 * i)) for i in range(3)]
    physics = loaded(stages.stage(stages.floor(), *books))
    settle(physics)
    before = physics.poses()  # 0.2 mm apart: nothing really moved
    assert before == {f"book_{i}": Pose((0.0, 0.0, 0.015 + 0.0302 * i)) for i in range(3)}
    physics.set_kinematic("book_0", True)
    physics.set_pose("book_0", Pose((1.0, 0.0, 0.5)))
    assert settle(physics)
    assert physics.poses()["book_2"].position_m[2] == pytest.approx(0.015 + 0.03, abs=2e-3)


def test_a_kinematic_body_stays_and_pushes_but_is_not_pushed() -> None:
    model = stages.stage(
        stages.floor(), stages.block("held_1", at=(0, 0, 0.5)), stages.block("free_1", (0.03, 0.03, 0.03), (0.0, 0.0, 0.6))
    )
    physics = loaded(model)
    physics.set_kinematic("held_1", True)
    assert settle(physics)
    poses = physics.poses()
    assert poses["held_1"] == Pose((0.0, 0.0, 0.5))
    assert poses["free_1"].position_m[2] == pytest.approx(0.58, abs=2e-3)
    for k in range(40):
        physics.set_pose("held_1", Pose((0.0005 * k, 0.0, 0.5 + 0.001 * k)))
        physics.step(5)
    assert physics.poses()["held_1"] == Pose((0.0195, 0.0, 0.539))
    assert physics.poses()["free_1"].position_m[2] == pytest.approx(0.619, abs=5e-3)
    physics.set_kinematic("held_1", False)
    assert settle(physics)
    assert physics.poses()["held_1"].position_m[2] == pytest.approx(0.05, abs=2e-3)


def test_a_kinematic_body_far_from_everything_does_not_wake_the_world() -> None:
    physics = loaded(scene())
    settle(physics)
    physics.set_kinematic("ball_2", True)
    settle(physics)
    physics.set_pose("ball_2", Pose((-2.0, 1.5, 1.0)))
    assert physics.at_rest()
    physics.set_pose("ball_2", Pose((0.0, 0.0, 0.88)))
    assert not physics.at_rest()  # the mug is near


def test_a_driven_drawer_is_a_support_and_moves_its_kinematic_rider() -> None:
    model = stages.stage(stages.floor(), stages.drawer(), stages.ball("apple_1", at=(0.0, 0.0, 0.49)))
    physics = loaded(model)
    assert settle(physics)
    start = physics.poses()["apple_1"].position_m
    assert start[2] == pytest.approx(0.43 + 0.04, abs=2e-3)
    physics.set_kinematic("apple_1", True)
    for k in range(1, 25):
        physics.set_joint("drawer_1_slide", 0.4 * (k / 24))
        physics.set_pose("apple_1", Pose((start[0] + 0.4 * (k / 24), start[1], start[2])))
        physics.step(5)
    physics.set_kinematic("apple_1", False)
    assert settle(physics)
    assert physics.poses()["apple_1"].position_m == pytest.approx((start[0] + 0.4, start[1], start[2]), abs=1e-3)
    assert physics.joints() == {"drawer_1_slide": 0.4}


def test_removed_movables_are_absent_and_given_poses_are_used() -> None:
    physics = MujocoPhysics()
    physics.load(scene(), {"mug_1": Pose((0.2, 0.2, 0.80))}, {"drawer_1_slide": 0.3}, frozenset({"ball_1"}))
    assert "ball_1" not in physics.poses()
    assert physics.poses()["mug_1"] == Pose((0.2, 0.2, 0.80))
    assert physics.joints() == {"drawer_1_slide": 0.3}


def run_bytes() -> str:
    """SHA-256 of the saved state after a fixed history."""
    physics = loaded(scene())
    physics.step(30)
    physics.set_joint("drawer_1_slide", 0.25)
    physics.set_pose("book_4", Pose((0.1, 0.1, 1.2), (0.9, 0.1, 0.3, 0.3)))
    physics.step(37)
    return hashlib.sha256(physics.save()).hexdigest()


def test_two_processes_give_the_same_bytes() -> None:
    code = "from tests.engines.house.test_physics_mujoco import run_bytes; print(run_bytes())"
    root = Path(__file__).resolve().parents[3]
    other = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == run_bytes()


def test_save_and_restore_are_exact_in_the_middle_of_a_fall() -> None:
    physics = loaded(scene())
    physics.set_kinematic("mug_1", True)
    physics.step(20)
    saved = physics.save()
    physics.step(50)
    expected = physics.save()
    again = loaded(scene())
    again.restore(saved)
    assert again.save() == saved
    again.step(50)
    assert again.save() == expected
    assert again.poses() == physics.poses()


def test_a_foreign_state_is_refused() -> None:
    physics = loaded(scene())
    other = loaded(stages.stage(stages.floor(), stages.block("mug_1", at=(0, 0, 0.2))))
    with pytest.raises(InfrastructureError, match="1 movables, loaded are"):
        physics.restore(other.save())
    with pytest.raises(VersionError):
        physics.restore(physics.save().replace(b"mujoco-physics/2", b"mujoco-physics/9"))


def test_faults_name_what_was_asked() -> None:
    physics = loaded(scene())
    with pytest.raises(InfrastructureError, match="did you mean 'mug_1'"):
        physics.set_pose("mug_2", Pose())
    with pytest.raises(InfrastructureError, match="nan"):
        physics.set_pose("mug_1", Pose((float("nan"), 0.0, 0.0)))
    with pytest.raises(InfrastructureError, match="no joint"):
        physics.set_joint("drawer_slide", 0.0)
    physics.close()
    physics.close()
    with pytest.raises(InfrastructureError, match="before load"):
        physics.poses()


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_loading_again_and_again_does_not_leak() -> None:
    """cases.md A, IsaacSim#812: memory grew with every start."""
    model = scene()
    physics = MujocoPhysics()
    for k in range(80):
        physics.load(model, {}, {}, frozenset())
        physics.step(2)
        if k == 19:
            gc.collect()
            early = resident_bytes()
    gc.collect()
    assert resident_bytes() - early < 10_000_000


def test_boxes_of_twins_are_those_of_mujoco_wherever_they_are_put_and_after_a_restore() -> None:
    """Boxes that are kept up to date one twin at a time, against MuJoCo's own kinematics of the whole model."""
    import mujoco

    physics = loaded(scene())
    settle(physics)
    saved = physics.save()
    physics.set_kinematic("mug_1", True)
    physics.set_pose("mug_1", Pose((0.3, -0.2, 1.1), (0.5, 0.5, -0.5, 0.5)))
    physics.set_pose("book_0", Pose((0.1, 0.3, 1.2), (0.8, 0.0, 0.6, 0.0)))
    for again in (False, True):
        if again:
            physics.restore(saved)
        compiled, data = physics._model, physics._data
        mujoco.mj_kinematics(compiled.model, data)
        for row, key in enumerate(physics._order):
            geoms = list(compiled.movables[key].twin_geoms)
            R = data.geom_xmat.reshape(-1, 3, 3)[geoms]
            local = compiled.model.geom_aabb[geoms]
            centre = data.geom_xpos[geoms] + np.einsum("gij,gj->gi", R, local[:, :3])
            half = np.einsum("gij,gj->gi", np.abs(R), local[:, 3:])
            low, high = physics._boxes.of(row)
            assert np.allclose(low, (centre - half).min(axis=0), atol=1e-12), key
            assert np.allclose(high, (centre + half).max(axis=0), atol=1e-12), key
            near = physics._boxes.touching(low + 1e-3, high - 1e-3)
            assert row in near and near == sorted(near)


def test_a_model_that_is_kept_goes_as_a_new_one_does() -> None:
    model = scene()
    (joint,) = (j.key for j in model.entity("drawer_1").joints)
    again, new = loaded(model), MujocoPhysics()
    again.set_joint(joint, 0.1)
    again.step(60)
    for physics in (again, new):
        physics.load(model, {"ball_2": Pose((2.0, 0.0, 0.9))}, {joint: 0.2}, frozenset({"book_4"}))
        physics.load(model, {"ball_2": Pose((2.0, 0.0, 0.9))}, {joint: 0.25}, frozenset())
    for _ in range(90):
        again.step(1)
        new.step(1)
        assert again.save() == new.save()
