"""Crouching and sweeping the floor with the eyes: what the frames show, under the independent checker."""

from __future__ import annotations

import numpy as np
import pytest

from actions.verb import load_verb
from actions.world import ActionWorld
from assistcore.world.outcomes import Code, Refusal
from humans.camera import head_camera
from humans.kinematics import joint_transforms
from tests.actions.manipulation import scenes
from tests.actions.manipulation.checks import held_steadily, same_state
from tests.actions.postures.watching import Watched, command, does, plan_of, watched


def holding(*more: object, thing: object = None, key: str = "mug_1") -> ActionWorld:
    """A person who has taken a thing from a table in front."""
    world = scenes.world(scenes.table(), thing or scenes.mug(key, 0.6, -0.15), *more)  # type: ignore[arg-type]
    return watched(world, load_verb("pick").plan(world, command("pick", key))).world


SITUATIONS = {
    "free": lambda: scenes.world(),
    "elsewhere": lambda: scenes.world(xy=(1.3, -2.1), heading=2.2),
    "before a table": lambda: scenes.world(scenes.table(x=0.8)),
    "close to a chest": lambda: scenes.world(scenes.carcass(x=0.48, y=0.0)),
    "with a mug": holding,
    "with a packet": lambda: holding(thing=scenes.packet("packet_1", 0.6, -0.15), key="packet_1"),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_crouch_lowers_the_eyes_and_comes_back(name: str) -> None:
    world = SITUATIONS[name]()
    seen = does(world, "squat")
    eyes, hips = seen.eyes_m()[:, 2], seen.joints_m("left_hip")[:, 2]
    assert eyes.min() < eyes[-1] - 0.30 and hips.min() < 0.72 * hips[-1]
    assert seen.worst_slide_m < 0.015
    start, end = world.state.body, seen.world.state.body
    stood = np.array([s.body.xy_m for s in seen.states])
    assert float(np.linalg.norm(stood[-1] - start.xy_m)) <= 0.41
    assert end.posture == "standing" and end.heading_rad == start.heading_rad
    assert seen.world.state.held == world.state.held and seen.world.state.joints == world.state.joints


def test_the_knees_bend_forward_over_planted_feet() -> None:
    seen = does(scenes.world(), "squat")
    low = int(np.argmin(seen.eyes_m()[:, 2]))
    ankle, knee, hip = (seen.joints_m(f"left_{name}")[low] for name in ("ankle", "knee", "hip"))
    assert knee[0] > ankle[0] > hip[0] and abs(knee[1] - hip[1]) < 0.2
    assert float(np.ptp(seen.joints_m("left_ankle"), axis=0).max()) < 0.002


def test_what_is_held_keeps_level_enough_not_to_spill() -> None:
    world = holding()
    plan = plan_of(world, "squat")
    assert not isinstance(plan, Refusal) and held_steadily(world, plan.segments) < 1e-9
    seen = watched(world, plan)
    up = np.array([s.poses["mug_1"].matrix()[2, 2] for s in seen.states])
    assert float(np.arccos(np.clip(up.min(), -1.0, 1.0))) < np.radians(20.0)


def walled(gap_m: float) -> ActionWorld:
    """A person between two walls."""
    wall = scenes.box("wall", (0.05, 1.0, 1.2), (0, 0, 1.2))
    walls = [scenes.fixed(f"wall_{k}", "wall", scenes.at(s * (gap_m + 0.05), 0.0, 0.0), (wall,)) for k, s in ((1, 1), (2, -1))]
    return scenes.world(*walls)


def test_without_room_a_crouch_is_refused_and_names_what_is_in_the_way() -> None:
    world = walled(0.21)
    before = world.state
    refusal = plan_of(world, "squat")
    assert isinstance(refusal, Refusal) and refusal.code == Code.TRAJECTORY_COLLISION and "wall_" in refusal.fact
    assert same_state(world.state, before)


def framed(seen: Watched, key: str) -> bool:
    """Whether a thing's place is well within the picture (640 x 480, 90 degrees) in some frame."""
    world = seen.world
    for state in seen.states:
        eye, rotation = head_camera(world.body, joint_transforms(world.body, state.body.pose_rad, state.body.translation_m))
        x, y, z = rotation.T @ (np.array(state.poses[key].position_m) - eye)
        if z < 0.0 and abs(x / z) < 0.7 and abs(y / z) < 0.5:
            return True
    return False


LOW = {"ahead": (0.9, 0.0), "behind": (-0.8, 0.1), "left": (0.1, 0.9), "right": (0.0, -1.0), "under a table": (0.9, 0.2)}


@pytest.mark.parametrize("where", LOW)
def test_a_sweep_shows_what_lies_on_the_floor_all_round(where: str) -> None:
    x, y = LOW[where]
    things = [scenes.mug("mug_1", x, y, 0.0)] + ([scenes.table(x=1.3, y=0.6)] if where == "under a table" else [])
    world = scenes.world(*things)
    level = does(world, "look_around")
    seen = does(world, "look_scan")
    assert framed(seen, "mug_1") and not framed(level, "mug_1")
    assert np.allclose(seen.world.state.body.xy_m, world.state.body.xy_m)
    assert seen.world.state.body.posture == "standing"


def test_a_sweep_with_something_in_the_hand_and_one_where_nobody_can_turn() -> None:
    world = holding()
    assert does(world, "look_scan").world.state.held == world.state.held
    narrow = walled(0.21)
    seen = does(narrow, "look_scan")
    turned = np.ptp([s.body.heading_rad for s in seen.states])
    assert turned == 0.0 and np.array_equal(seen.world.state.body.pose_rad, narrow.state.body.pose_rad)
