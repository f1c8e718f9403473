"""Physics and graph together: what is dropped lies on a support, what is held is not pushed, a saved grasp comes back (cases.md G)."""

from __future__ import annotations

import gc
import weakref

import pytest

from assistcore.house.constraints import follow, held_pose, hold, riders_of
from assistcore.house.read_graph import read_graph
from assistcore.house.stage import StageModel
from assistcore.house.state import HouseState
from assistcore.house.visibility import see
from assistcore.world.poses import Pose
from assistworld.engines.house.physics_mujoco import MujocoPhysics, settle
from tests.house import stages
from tests.house.test_constraints import wrist
from tests.house.test_visibility import looking

pytest.importorskip("mujoco")


def scene() -> StageModel:
    bowl = stages.open_box("bowl_1", (0.1, 0.1, 0.04), (0.0, 0.0, 0.79))
    egg = stages.ball("egg_1", 0.025, (0.0, 0.0, 0.786))
    return stages.stage(stages.floor(), stages.table(), bowl, egg, stages.drawer("drawer_1", (2.0, 0.0, 0.5)))


def settled(model: StageModel, physics: MujocoPhysics, state: HouseState) -> HouseState:
    assert settle(physics)
    return state.with_(poses=physics.poses(), joints=physics.joints())


@pytest.mark.parametrize(("at", "support"), [((0.3, 0.2, 1.05), "table_1"), ((1.2, 0.0, 1.05), "floor_1")])
def test_a_drop_ends_on_a_support(at: tuple[float, float, float], support: str) -> None:
    model = scene()
    physics = MujocoPhysics()
    physics.load(model, {}, {}, frozenset())
    state = settled(model, physics, stages.state_of(model))
    assert read_graph(model, state).value("bowl_1", "on") == ("table_1",)
    riders = riders_of(model, state, "bowl_1")
    held = hold("bowl_1", "right", wrist(0.0, 0.3, 0.0), state.poses["bowl_1"])
    physics.set_kinematic("bowl_1", True)
    lifted = Pose(at)
    physics.set_pose("bowl_1", lifted)
    for key, pose in follow(model, state, riders, {"bowl_1": lifted}, {}).items():
        physics.set_pose(key, pose)
    state = settled(model, physics, state.with_(held=held))
    assert state.poses["bowl_1"] == lifted
    graph = read_graph(model, state)
    assert graph.value("bowl_1", "on") == () and graph.has("inside", "egg_1", "bowl_1")
    physics.set_kinematic("bowl_1", False)
    graph = read_graph(model, settled(model, physics, state.with_(held=None)))
    assert graph.value("bowl_1", "on") == (support,)
    assert graph.has("inside", "egg_1", "bowl_1")


def test_a_grasp_survives_save_and_restore() -> None:
    model = scene()
    physics = MujocoPhysics()
    physics.load(model, {}, {}, frozenset())
    state = settled(model, physics, stages.state_of(model))
    held = hold("bowl_1", "left", wrist(0.0, 0.0, 0.0), state.poses["bowl_1"])
    physics.set_kinematic("bowl_1", True)
    saved = physics.save()
    other = MujocoPhysics()
    other.load(model, {}, {}, frozenset())
    other.restore(saved)
    for k in range(1, 200):
        pose = held_pose(held, wrist(0.01 * k, 0.02 * k, 0.0))
        other.set_pose("bowl_1", pose)
        other.step(5)
        assert other.poses()["bowl_1"] == pose


def test_a_dropped_world_is_freed() -> None:
    """cases.md A: memory must not grow with every scene that was opened."""
    model = scene()
    state = stages.state_of(model)
    read_graph(model, state)
    see(model, state, *looking((0.0, 0.0, 0.8), (-1.5, 0.0, 1.5)))
    physics = MujocoPhysics()
    physics.load(model, {}, {}, frozenset())
    physics.close()
    gone = weakref.ref(model)
    del model, state
    gc.collect()
    assert gone() is None
