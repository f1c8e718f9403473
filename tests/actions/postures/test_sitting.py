"""Sitting down on live seats and getting up: contact, feet, hands and what is held, under the independent checker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from actions.motions import Plan
from actions.planning import plan_command
from actions.screening import collision_world
from actions.world import ActionWorld
from assistcore.house.clearance import SEAT_M
from assistcore.house.contacts import SEATED
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose
from humans.kinematics import joint_transforms
from humans.model import JOINT
from humans.proxies import capsules
from tests.actions.manipulation import scenes
from tests.actions.manipulation.checks import held_steadily, same_state
from tests.actions.postures import furniture
from tests.actions.postures.watching import command, does, plan_of, watched


def holding(*more: object) -> ActionWorld:
    """A person who has taken a mug from a table behind, and these things."""
    world = scenes.world(scenes.table(x=-0.85), scenes.mug("mug_1", -0.6, 0.1), *more, heading=np.pi)  # type: ignore[arg-type]
    return does(world, "pick", "mug_1").world


Scene = Callable[[], ActionWorld]
SEATS: dict[str, tuple[str, Scene]] = {
    "chair before": ("chair_1", lambda: scenes.world(furniture.chair())),
    "chair turned": ("chair_1", lambda: scenes.world(furniture.chair(yaw=2.4, x=0.3, y=1.4), xy=(-1.0, 0.3), heading=1.0)),
    "low sofa": ("sofa_1", lambda: scenes.world(furniture.sofa(top=0.40))),
    "sofa behind": ("sofa_1", lambda: scenes.world(furniture.sofa(x=-1.5, yaw=np.pi))),
    "high stool": ("stool_1", lambda: scenes.world(furniture.stool(top=0.55))),
    "bed": ("bed_1", lambda: scenes.world(furniture.bed())),
    "bed with its foot end blocked": ("bed_1", lambda: scenes.world(furniture.bed(), furniture.wall("wall_1", 0.75, 0.0, (0.05, 0.4)))),
    "chair with a mug in the hand": ("chair_1", lambda: holding(furniture.chair(x=1.3))),
    "sofa with a mug in the hand": ("sofa_1", lambda: holding(furniture.sofa(x=1.3))),
}  # fmt: skip


def seat_gap_m(world: ActionWorld, key: str) -> float:
    """Least distance from thighs, pelvis and trunk to a seat."""
    body = world.state.body
    shapes = capsules(world.body, joint_transforms(world.body, body.pose_rad, body.translation_m))
    hits = collision_world(world).capsules(shapes.names, shapes.a_m, shapes.b_m, shapes.radius_m, margin_m=0.2)
    return min((h.distance_m for h in hits if h.owner == key and h.mine in SEATED), default=0.2)


@pytest.mark.parametrize("name", SEATS)
def test_sitting_down_and_getting_up(name: str) -> None:
    key, scene = SEATS[name]
    world = scene()
    sat = does(world, "sit", key)
    here, graph = sat.world, sat.graph
    assert graph.has("sitting", "human_1", key) and graph.value("human_1", "posture") == "sitting"
    assert -SEAT_M <= seat_gap_m(here, key) < 0.0
    T = joint_transforms(here.body, here.state.body.pose_rad, here.state.body.translation_m)
    for side in ("left", "right"):
        hip, knee, ankle = (T[JOINT[f"{side}_{part}"], :3, 3] for part in ("hip", "knee", "ankle"))
        ahead = np.array([np.cos(here.state.body.heading_rad), np.sin(here.state.body.heading_rad), 0.0])
        assert (knee - hip) @ ahead > 0.3 and abs(ankle[2] - 0.076) < 0.02
        bend = np.arccos((hip - knee) @ (ankle - knee) / np.linalg.norm(hip - knee) / np.linalg.norm(ankle - knee))
        assert np.radians(60) < bend < np.radians(130)
    assert sat.worst_slide_m < 0.015 and here.state.held == world.state.held
    up = does(here, "standup")
    assert not up.graph.value("human_1", "sitting") and up.graph.value("human_1", "posture") == "standing"
    assert up.worst_slide_m < 0.015 and up.world.state.held == world.state.held
    assert not same_state(up.world.state, here.state) and seat_gap_m(up.world, key) > 0.0


def test_what_is_held_stays_in_the_hand_and_level() -> None:
    world = holding(furniture.chair(x=1.3))
    plan = plan_of(world, "sit", "chair_1")
    assert isinstance(plan, Plan) and held_steadily(world, plan.segments) < 1e-9
    seen = watched(world, plan)
    assert seen.states[-1].poses["mug_1"].matrix()[2, 2] > np.cos(np.radians(20.0))


Box = tuple[int, float, float, tuple[float, float]]
ROUND: tuple[Box, ...] = (
    (1, -0.5, 0.0, (0.05, 0.6)),
    (2, 0.5, 0.0, (0.05, 0.6)),
    (3, 0.0, 0.55, (0.6, 0.05)),
    (4, 0.0, -0.55, (0.6, 0.05)),
)


@pytest.mark.parametrize(
    ("code", "key", "scene", "word"),
    [
        (Code.NOT_AFFORDED, "table_1", lambda: scenes.world(scenes.table()), "no seat"),
        (Code.NOT_AFFORDED, "stool_1", lambda: scenes.world(furniture.stool(top=0.2)), "no level top"),
        (Code.NOT_AFFORDED, "stool_1", lambda: scenes.world(furniture.stool(top=0.9)), "no level top"),
        (Code.NOT_AFFORDED, "stool_1", lambda: scenes.world(furniture.stool(half=0.1)), "no level top"),
        (Code.UNKNOWN_ENTITY, "throne_1", lambda: scenes.world(), "throne_1"),
        (Code.NO_FREE_SPACE, "stool_1", lambda: scenes.world(furniture.stool(), scenes.mug("mug_1", 1.2, 0.0, 0.47)), "mug_1"),
        (
            Code.PATH_BLOCKED,
            "chair_1",
            lambda: scenes.world(furniture.chair(), *(furniture.wall(f"wall_{k}", 1.2 + dx, dy, h) for k, dx, dy, h in ROUND)),
            "chair_1",
        ),
    ],
)
def test_what_cannot_be_sat_on_says_why(code: str, key: str, scene: Scene, word: str) -> None:
    world = scene()
    before = world.state
    refusal = plan_of(world, "sit", key)
    assert isinstance(refusal, Refusal) and refusal.code == code and word in refusal.fact, refusal
    assert same_state(world.state, before)


def test_twice_is_already() -> None:
    world = does(scenes.world(furniture.chair()), "sit", "chair_1").world
    again = plan_of(world, "sit", "chair_1")
    assert isinstance(again, Refusal) and again.code == Code.ALREADY
    standing = plan_of(scenes.world(), "standup")
    assert isinstance(standing, Refusal) and standing.code == Code.ALREADY


def test_a_seat_whose_top_is_littered_is_sat_on_where_it_is_free() -> None:
    world = scenes.world(furniture.sofa(), scenes.packet("packet_1", 1.1, 0.0, 0.42))
    sat = does(world, "sit", "sofa_1")
    assert sat.world.state.poses == world.state.poses and abs(sat.world.state.body.xy_m[1]) > 0.15


def test_getting_up_is_refused_while_the_way_up_is_blocked() -> None:
    world = does(scenes.world(furniture.chair(), furniture.wall("wall_1", 4.0, 0.0, (0.05, 0.3))), "sit", "chair_1").world
    x, y = world.state.body.xy_m
    shut = scenes.world(furniture.chair(), furniture.wall("wall_1", x - 0.25, y, (0.05, 0.3)))
    shut.state = shut.state.with_(body=world.state.body)
    refusal = plan_of(shut, "standup")
    assert isinstance(refusal, Refusal) and refusal.code == Code.TRAJECTORY_COLLISION and "wall_1" in refusal.fact


def test_a_command_that_needs_the_feet_gets_up_first() -> None:
    world = does(scenes.world(furniture.chair(), scenes.table(x=-1.5), scenes.mug("mug_1", -1.2, 0.0)), "sit", "chair_1").world
    for verb, args in (("pick", ("mug_1",)), ("forward", (0.3,)), ("navigate_to", ("table_1",)), ("squat", ())):
        seen = watched(world, plan_command(world, command(verb, *args)))
        assert not seen.faults, (verb, seen.faults[:4])
        assert seen.states[0].body.posture == "sitting:chair_1" and not seen.graph.value("human_1", "sitting")
    for verb, args in (("wait", (3.0,)), ("confirm", ()), ("look_scan", ())):
        seen = watched(world, plan_command(world, command(verb, *args)))
        assert not seen.faults and seen.graph.has("sitting", "human_1", "chair_1"), verb


def test_from_one_seat_to_another() -> None:
    world = does(scenes.world(furniture.chair(), furniture.stool(x=-1.2)), "sit", "chair_1").world
    moved = does(world, "sit", "stool_1")
    assert moved.graph.value("human_1", "sitting") == ("stool_1",)


def test_what_is_carried_is_not_what_takes_the_seat() -> None:
    """A box before the face keeps its bearer from sitting, and the refusal does not say that it lies on the seat."""
    held = holding(furniture.chair(x=1.3))
    box = scenes.thing("box_1", "box", scenes.at(-0.55, 0.0, 0.75), (scenes.box("body", (0.1, 0.1, 0.1), (0, 0, 0.1)),), 0.5)
    world = scenes.world(scenes.table(x=-0.85), box, furniture.chair(x=1.3), heading=np.pi)
    grip = held.state.held
    assert grip is not None
    high = replace(grip, entity="box_1", wrist_object=Pose((0.0, -0.5, 0.0), grip.wrist_object.quat_wxyz))
    world.state = world.state.with_(body=held.state.body, held=high)
    refusal = plan_of(world, "sit", "chair_1")
    assert isinstance(refusal, Refusal) and refusal.code == Code.TRAJECTORY_COLLISION and "box_1" in refusal.fact, refusal
