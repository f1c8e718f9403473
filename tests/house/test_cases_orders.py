"""One uneven orientation through every door of the house: USD file, physics, graph (cases.md B, IsaacLab#2197)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from assets_bake.scene_maker import SceneMaker
from assets_bake.usd_write import write_scene
from assistcore.house.read_graph import read_graph
from assistcore.house.stage import Room, StageModel
from assistcore.house.usd import read_stage
from assistcore.world.poses import Pose
from tests.house import stages

UNEVEN_XYZW = np.array([0.1, 0.2, 0.3, 0.9273618])
TURNED = Rotation.from_quat(UNEVEN_XYZW)
X, Y, Z, W = (float(v) for v in UNEVEN_XYZW / np.linalg.norm(UNEVEN_XYZW))
POSE = Pose((2.0, 1.0, 0.5), (W, X, Y, Z))


def test_a_usd_file_and_whoever_else_reads_it_see_the_same_orientation(tmp_path: Path) -> None:
    """Written by us, composed by USD itself (as Isaac Sim does), and read back."""
    pytest.importorskip("pxr")
    from pxr import Usd, UsdGeom

    scene = SceneMaker("small")
    scene.rooms.append(Room("kitchen", "kitchen", ((0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0))))
    scene.put("red_mug_1", "vessel", "mug_red", (2.0, 1.0, 0.0), 0.3, room="kitchen", shape="mug", colour="red", category="red_mug")
    made = scene.stage()
    turned = StageModel(
        made.name, made.rooms, tuple(replace(e, pose=POSE) for e in made.entities), made.textures, made.lamps, made.windows, made.spots
    )
    write_scene(turned, tmp_path)
    composed = Usd.Stage.Open(str(tmp_path / "small.usda"))
    local = UsdGeom.Xformable(composed.GetPrimAtPath("/World/red_mug_1")).ComputeLocalToWorldTransform(Usd.TimeCode.Default())
    np.testing.assert_allclose(np.array(local)[:3, :3].T, TURNED.as_matrix(), atol=1e-6)  # USD multiplies rows from the left
    np.testing.assert_allclose(np.array(local)[3, :3], POSE.position_m)
    assert read_stage(tmp_path / "small.usda").entity("red_mug_1").pose.quat_wxyz == pytest.approx((W, X, Y, Z), abs=1e-7)


def test_physics_and_graph_keep_the_order() -> None:
    pytest.importorskip("mujoco")
    from assistworld.engines.house.physics_mujoco import MujocoPhysics

    model = stages.stage(stages.floor(), stages.block("cup_1", (0.05, 0.06, 0.07), (2.0, 1.0, 0.5)))
    physics = MujocoPhysics()
    physics.load(model, {"cup_1": POSE}, {}, frozenset())
    found = physics.poses()["cup_1"]
    physics.close()
    assert found.array() == pytest.approx(POSE.array())
    place = read_graph(model, stages.state_of(model, poses={"cup_1": POSE})).value("cup_1", "place")
    assert place == (2000, 1000, 500, *(round(v * 1e6) for v in (W, X, Y, Z)))
