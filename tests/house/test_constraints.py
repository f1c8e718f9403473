"""What is held or rides never drifts and leaves nothing behind (cases.md G: BEHAVIOR-1K PR#17, PR#278; ai2thor#301)."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from assistcore.house.constraints import follow, held_pose, hold, riders_of, riding_pose
from assistcore.house.state import Held
from assistcore.world.errors import AssistWorldError
from assistcore.world.poses import Pose, inverse, quat_multiply_wxyz, yaw_quat_wxyz
from tests.house import stages


def wrist(x: float, yaw: float, tilt: float) -> np.ndarray:
    quat = quat_multiply_wxyz(yaw_quat_wxyz(yaw), np.array([np.cos(tilt / 2), np.sin(tilt / 2), 0.0, 0.0]))
    return Pose((x, 0.3 * x, 1.0 + 0.1 * np.sin(x)), tuple(float(v) for v in quat)).matrix()  # type: ignore[arg-type]


def test_a_held_cup_keeps_its_place_in_the_hand_over_ten_thousand_ticks_and_a_teleport() -> None:
    start = wrist(0.0, 0.4, -0.7)
    cup = Pose.from_matrix(start @ Pose((0.02, 0.0, -0.05)).matrix())
    held = hold("cup_1", "right", start, cup)
    pose = cup
    worst = 0.0
    for tick in range(10_000):
        x = 0.09 * tick + (5.0 if tick > 5000 else 0.0)
        now = wrist(x, 0.013 * tick, 0.2 * np.sin(0.1 * tick))
        pose = held_pose(held, now)
        relative = inverse(now) @ pose.matrix()
        worst = max(worst, float(np.abs(relative[:3, 3] - (0.02, 0.0, -0.05)).max()), float(np.abs(relative[:3, :3] - np.eye(3)).max()))
        if tick % 1000 == 0:  # a saved constraint is the constraint
            held = pickle.loads(pickle.dumps(held))
    assert worst < 1e-6
    assert held_pose(held, start).position_m == pytest.approx(cup.position_m, abs=1e-12)


def tray_scene() -> tuple[stages.StageModel, list[str]]:
    tray = stages.open_box("tray_1", (0.2, 0.15, 0.03), (0.0, 0.0, 0.78))
    cups = [stages.block(f"cup_{i}", (0.03, 0.03, 0.04), (0.08 * (-1) ** i, 0.0, 0.80)) for i in (1, 2)]
    lid = stages.block("lid_1", (0.03, 0.03, 0.005), (0.08, 0.0, 0.845))
    other = stages.block("other_1", (0.03, 0.03, 0.04), (0.4, 0.0, 0.79))
    return stages.stage(stages.floor(), stages.table(), tray, *cups, lid, other), ["cup_1", "cup_2", "lid_1"]


def test_a_tray_takes_along_what_is_in_it_and_on_that() -> None:
    model, expected = tray_scene()
    state = stages.state_of(model)
    riders = riders_of(model, state, "tray_1")
    assert [r.entity for r in riders] == expected
    goal = Pose((1.0, 0.5, 0.9), tuple(float(v) for v in yaw_quat_wxyz(0.7)))  # type: ignore[arg-type]
    moved = follow(model, state, riders, {"tray_1": goal}, {})
    after = state.with_(poses={**state.poses, **moved, "tray_1": goal})
    for key in expected:
        before = inverse(state.root(model, "tray_1")) @ state.root(model, key)
        assert inverse(after.root(model, "tray_1")) @ after.root(model, key) == pytest.approx(before, abs=1e-12)
    assert [r.entity for r in riders_of(model, after, "tray_1")] == expected


def test_what_the_person_holds_does_not_ride() -> None:
    model, _ = tray_scene()
    state = stages.state_of(model, held=Held("cup_1", "left", Pose()))
    assert [r.entity for r in riders_of(model, state, "tray_1")] == ["cup_2", "lid_1"]


def test_a_driven_link_takes_only_its_own_riders() -> None:
    shelf = stages.boxes_link("shell", [((0.0, 0.0, 0.12), (0.25, 0.25, 0.01))])
    base = stages.drawer()
    model = stages.stage(
        stages.floor(),
        replace(base, links=(shelf, *base.links)),
        stages.ball("apple_1", at=(0.0, 0.0, 0.47)),
        stages.block("jar_1", (0.03, 0.03, 0.05), (0.0, 0.0, 0.68)),
    )
    state = stages.state_of(model)
    assert [r.entity for r in riders_of(model, state, "drawer_1")] == ["apple_1", "jar_1"]
    riders = riders_of(model, state, "drawer_1", "tray")
    assert [r.entity for r in riders] == ["apple_1"]
    pulled = follow(model, state, riders, {}, {"drawer_1_slide": 0.35})
    assert pulled["apple_1"].position_m == pytest.approx((0.35, 0.0, 0.47), abs=1e-12)
    assert riding_pose(riders[0], state.link(model, "drawer_1", "tray")) == state.poses["apple_1"]
    with pytest.raises(AssistWorldError, match="no link 'lid'"):
        riders_of(model, state, "drawer_1", "lid")
