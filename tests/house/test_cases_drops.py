"""What is dropped comes to rest (a toy car trembled for ever: it had fallen half through a table top, held from above and below)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from assistcore.house.physics import STEP_SECONDS
from assistcore.house.stage import Entity, StageModel
from assistcore.world.poses import Pose

pytest.importorskip("mujoco")

from assistworld.engines.house.engine import SETTLE_LIMIT_TICKS, HouseEngine
from assistworld.engines.house.physics_mujoco import MujocoPhysics, settle
from tests.house import stages

LIMIT_STEPS = 360
TABLES = ("dining_table_1", "coffee_table_1", "desk_1", "kitchen_counter_1", "side_table_1", "bed_1")
KITCHEN_FLOOR_M = (8.7, 6.1, 0.0)


def fixed(key: str, half: stages.Vec3, at: stages.Vec3) -> Entity:
    """A fixture that is one box."""
    return stages.entity(key, "fixture", [stages.boxes_link("base", [((0.0, 0.0, 0.0), half)], (0.5, 0.5, 0.5))], at)


@pytest.fixture(scope="module")
def flat() -> Iterator[tuple[StageModel, MujocoPhysics, bytes]]:
    from assistcore.world.engine import Scenario

    house = HouseEngine()
    house.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    physics = MujocoPhysics()
    physics.load(house.stage, house.state.poses, house.state.joints, house.state.removed)
    assert settle(physics)
    yield house.stage, physics, physics.save()
    physics.close()
    house.close()


def test_the_limit_is_what_the_engine_waits() -> None:
    assert float(SETTLE_LIMIT_TICKS * HouseEngine.tick_seconds) == LIMIT_STEPS * STEP_SECONDS == 6.0


@pytest.mark.parametrize("where", ["floor", "tables"])
def test_every_thing_of_the_flat_that_is_dropped_comes_to_rest(flat: tuple[StageModel, MujocoPhysics, bytes], where: str) -> None:
    stage, physics, start = flat
    random = np.random.default_rng(3)
    slow, dropped = [], 0
    for number, key in enumerate(sorted(physics.poses())):
        table = stage.entity(TABLES[number % len(TABLES)])
        low, high = np.asarray(table.box_m)
        on_it = table.pose.matrix() @ np.append(random.uniform(0.8 * low, 0.8 * high)[:2], [high[2], 1.0])
        at = np.array(KITCHEN_FLOOR_M) if where == "floor" else on_it[:3]
        at[2] += random.uniform(0.3, 1.0)
        quat = random.normal(size=4)
        physics.restore(start)
        physics.set_pose(key, Pose.from_array(np.concatenate([at, quat / np.linalg.norm(quat)])))
        if _overlaps(physics, key):
            continue
        dropped += 1
        if not settle(physics, LIMIT_STEPS):
            slow.append(f"{key} from {np.round(at, 2).tolist()}")
    assert dropped > 60 and slow == []


def _overlaps(physics: MujocoPhysics, key: str) -> bool:
    """Whether a thing was put into another: then it is not dropped, it is pressed out."""
    import mujoco

    compiled, data = physics._model, physics._data
    mujoco.mj_forward(compiled.model, data)
    return bool(np.isin(data.contact.geom, compiled.movables[key].free_geoms).any())


def test_a_fall_of_a_metre_does_not_go_half_through_a_table_top() -> None:
    top = fixed("shelf_1", (0.3, 0.3, 0.011), (2.0, 1.0, 0.5))
    model = stages.stage(stages.floor(), top, stages.block("bottle_1", (0.03, 0.03, 0.1), (2.0, 1.0, 1.6)))
    physics = MujocoPhysics()
    physics.load(model, {}, {}, frozenset())
    deepest = 0.0
    while not physics.at_rest():
        physics.step(1)
        deepest = min(deepest, float(physics._data.contact.dist.min(initial=0.0)))
    assert -0.011 < deepest < 0.0, "half of the shelf is 11 mm; it does touch it"
    assert physics.poses()["bottle_1"].position_m[2] > 0.5
    physics.close()


def test_what_leans_stays() -> None:
    """Friction does not creep. With 0.8 at wall and floor a book holds at every slope whose tangent is above (1 - 0.8**2) / 1.6 = 0.225."""
    wall = fixed("wall_1", (0.05, 0.5, 0.5), (2.5, 1.0, 0.5))
    slope = np.radians(25.0)
    up = np.array([np.cos(slope), 0.0, np.sin(slope)])
    foot = np.array([2.45 - 0.24 * np.cos(slope) - 0.02 * np.sin(slope), 1.0, 0.0])
    centre = foot + 0.12 * up + 0.01 * np.array([np.sin(slope), 0.0, np.cos(slope)])
    half_turn = (np.pi / 2 - slope) / 2
    start = Pose.from_array(np.array([*centre, np.cos(half_turn), 0.0, np.sin(half_turn), 0.0]))
    physics = MujocoPhysics()
    model = stages.stage(stages.floor(), wall, stages.block("book_1", (0.01, 0.08, 0.12), (1.0, 1.0, 0.5)))
    physics.load(model, {"book_1": start}, {}, frozenset())
    assert settle(physics, LIMIT_STEPS)
    assert np.linalg.norm(np.array(physics.poses()["book_1"].position_m) - centre) < 1e-3
    physics.close()


def test_a_contact_that_flickers_is_no_motion() -> None:
    """A box on a box: MuJoCo's box contacts drop to one edge now and then, and tip the upper one for a step."""
    model = stages.stage(
        stages.floor(),
        fixed("table_1", (0.3, 0.3, 0.2), (2.0, 1.0, 0.2)),
        stages.block("book_1", (0.11, 0.08, 0.01), (2.0, 1.0, 0.7)),
    )
    for angle in np.radians(np.arange(0, 180, 7)):
        physics = MujocoPhysics()
        half = angle / 2
        start = Pose((2.2, 1.25, 0.7), (float(np.cos(half)), 0.0, 0.0, float(np.sin(half))))
        physics.load(model, {"book_1": start}, {}, frozenset())
        physics.step(1)
        assert settle(physics, 120), f"{np.degrees(angle):.0f} degrees: {physics._slow} slow steps after 2 s"
        physics.close()


def test_solver_steps_make_up_the_step_of_the_protocol() -> None:
    model = stages.stage(stages.floor(), stages.block("cup_1", (0.03, 0.03, 0.04), (2.0, 1.0, 2.0)))
    physics = MujocoPhysics()
    physics.load(model, {}, {}, frozenset())
    physics.step(12)
    substeps = physics._model.substeps
    assert physics._model.model.opt.timestep * substeps == pytest.approx(STEP_SECONDS)
    steps = 12 * substeps
    fallen = 9.81 * (STEP_SECONDS / substeps) ** 2 * steps * (steps + 1) / 2
    assert 2.0 - physics.poses()["cup_1"].position_m[2] == pytest.approx(fallen, rel=1e-6)
    physics.close()


def test_what_is_put_into_another_thing_is_pressed_out_and_not_thrown_away() -> None:
    """A lemon that a scenario put 5 mm into the kettle rolled off the counter."""
    model = stages.stage(stages.floor(), fixed("wall_1", (0.05, 0.5, 0.5), (2.5, 1.0, 0.5)), stages.ball("lemon_1", 0.03))
    physics = MujocoPhysics()
    start = Pose((2.45 - 0.025, 1.0, 0.03), (1.0, 0.0, 0.0, 0.0))
    physics.load(model, {"lemon_1": start}, {}, frozenset())
    assert settle(physics, LIMIT_STEPS)
    moved = np.array(physics.poses()["lemon_1"].position_m) - start.position_m
    assert 0.004 < np.linalg.norm(moved) < 0.03, "it stays within its own radius"
    physics.close()
