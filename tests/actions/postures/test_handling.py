"""A phone at the ear, and turning over what is held: what the frames show, under the independent checker."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from actions.planning import plan_command
from actions.postures.phoning import ear_m
from actions.world import ActionWorld
from assistcore.house.stage import Entity
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose
from humans.kinematics import joint_transforms
from humans.model import JOINT
from tests.actions.manipulation import scenes
from tests.actions.manipulation.checks import held_steadily, planned, same_state
from tests.actions.postures import furniture
from tests.actions.postures.watching import command, does, plan_of, watched


def phone(x: float, y: float, yaw: float = 0.0, *, ringing: bool = True) -> Entity:
    """A flat phone on the table."""
    body = scenes.box("body", (0.035, 0.075, 0.005), (0, 0, 0.005))
    return scenes.thing(
        "phone_1", "phone", scenes.at(x, y, 0.75, yaw), (body,), 0.2, roles=frozenset({"phone"}), attributes={"ringing": ringing}
    )


def taken(thing: Entity, *more: Entity) -> ActionWorld:
    """A person who has taken a thing from a table in front."""
    return does(scenes.world(scenes.table(), thing, *more), "pick", thing.key).world


PHONES = {
    "to the right": (0.62, -0.2, 0.0),
    "lying across": (0.62, -0.2, np.pi / 2),
    "to the left": (0.62, 0.35, 0.0),
    "far": (0.70, 0.0, 0.8),
    "the other way round": (0.62, -0.1, np.pi),
    "for the left hand": (0.62, 0.2, 2.2),
}


@pytest.mark.parametrize("name", PHONES)
def test_the_phone_goes_to_the_ear_and_stays_there(name: str) -> None:
    world = taken(phone(*PHONES[name]))
    plan = planned(plan_of(world, "answer_phone", "phone_1"))
    assert held_steadily(world, plan.segments) < 1e-9
    seen = does(world, "answer_phone", "phone_1")
    here = seen.world
    assert seen.graph.value("phone_1", "ringing") is False and seen.graph.has("held", "phone_1")
    held, body = here.state.held, here.state.body
    assert held is not None
    head = joint_transforms(here.body, body.pose_rad, body.translation_m)[JOINT["head"]]
    ear = head[:3, :3] @ ear_m(here.body, held.hand) + head[:3, 3]
    root = here.state.poses["phone_1"].matrix()
    assert float(np.linalg.norm(root[:3, 3] - ear)) < 0.14
    assert abs(float(root[:3, 2] @ head[:3, 0])) > np.cos(np.radians(35.0))  # its flat side to the head
    waited = does(here, "wait", 3.0)
    assert same_state(waited.world.state, here.state)
    again = plan_of(here, "answer_phone", "phone_1")
    assert isinstance(again, Refusal) and again.code == Code.ALREADY
    back = watched(here, plan_command(here, command("place", "phone_1", "table_1")))
    assert not back.faults and back.world.state.held is None


def test_a_phone_that_is_dropped_is_lowered_from_the_ear_first() -> None:
    """From the ear it would fall through the own shoulder."""
    calling = does(taken(phone(0.62, -0.2)), "answer_phone", "phone_1").world
    plan = planned(plan_command(calling, command("release", "phone_1")))
    assert plan.segments[0].phase == "lower_arm" and not plan.segments[0].effects
    lowered = calling.fork()
    lowered.advance(plan.segments[0])
    x, y, z = lowered.state.poses["phone_1"].position_m
    assert float(np.hypot(x - lowered.state.body.xy_m[0], y - lowered.state.body.xy_m[1])) > 0.25 and z < 1.45
    assert not watched(calling, replace(plan, segments=plan.segments[:1])).faults


def test_a_call_is_taken_on_a_seat_and_kept_on_the_way_to_it() -> None:
    world = taken(phone(0.62, -0.2), furniture.chair(x=-1.4))
    seated = does(does(world, "sit", "chair_1").world, "answer_phone", "phone_1")
    assert seated.graph.has("sitting", "human_1", "chair_1") and seated.graph.value("phone_1", "ringing") is False
    calling = does(world, "answer_phone", "phone_1").world
    then = does(calling, "sit", "chair_1")
    assert then.graph.has("held", "phone_1") and then.graph.has("sitting", "human_1", "chair_1")


def test_who_may_answer_what() -> None:
    world = scenes.world(scenes.table(), phone(0.62, -0.2), scenes.mug("mug_1", 0.6, 0.2))
    not_held = plan_of(world, "answer_phone", "phone_1")
    assert isinstance(not_held, Refusal) and not_held.code == Code.NOT_HELD
    mug = plan_of(taken(scenes.mug("mug_1", 0.6, 0.2)), "answer_phone", "mug_1")
    assert isinstance(mug, Refusal) and mug.code == Code.NOT_AFFORDED and "no phone" in mug.fact
    nothing = plan_of(world, "answer_phone", "radio_1")
    assert isinstance(nothing, Refusal) and nothing.code == Code.UNKNOWN_ENTITY


def cylinder(key: str, radius: float, height: float) -> Entity:
    return scenes.thing(key, key[:-2], scenes.at(0.62, -0.1, 0.75), (scenes.cylinder("body", radius, height),))


THINGS = {
    "mug": scenes.mug("mug_1", 0.6, -0.15),
    "packet": scenes.packet("packet_1", 0.6, -0.15),
    "tin": cylinder("tin_1", 0.04, 0.07),
    "plate": cylinder("plate_1", 0.10, 0.015),
    "pen": scenes.thing("pen_1", "pen", scenes.at(0.62, -0.1, 0.75), (scenes.box("body", (0.07, 0.006, 0.006), (0, 0, 0.006)),)),
    "phone": phone(0.62, 0.2, 2.2),
}


@pytest.mark.parametrize("name", THINGS)
def test_what_is_held_is_turned_by_half_a_turn(name: str) -> None:
    key = THINGS[name].key
    world = taken(THINGS[name])
    plan = planned(plan_of(world, "flip", key))
    assert held_steadily(world, plan.segments) < 1e-9
    seen = does(world, "flip", key)
    before, after = (w.state.poses[key].matrix()[:3, :3] for w in (world, seen.world))
    turn = after @ before.T
    assert np.trace(turn) == pytest.approx(-1.0, abs=1e-6)  # by 180 degrees
    axis = np.linalg.eigh(0.5 * (turn + turn.T))[1][:, -1]
    assert abs(float(axis[2])) < 0.01  # about a level axis
    assert seen.world.state.held == world.state.held
    assert float(np.linalg.norm(seen.world.state.body.translation_m - world.state.body.translation_m)) < 1e-6
    back = does(seen.world, "flip", key)
    up = (back.world.state.poses[key].matrix()[:3, :3] @ before.T)[2, 2]
    assert up == pytest.approx(1.0, abs=1e-6)


def test_turning_over_on_a_seat_and_what_is_not_held() -> None:
    world = taken(scenes.mug("mug_1", 0.6, -0.15), furniture.chair(x=-1.4), scenes.mug("mug_2", 0.6, 0.3))
    seated = does(does(world, "sit", "chair_1").world, "flip", "mug_1")
    assert seated.graph.has("sitting", "human_1", "chair_1") and seated.world.state.poses["mug_1"].matrix()[2, 2] < -0.9
    other = plan_of(world, "flip", "mug_2")
    assert isinstance(other, Refusal) and other.code == Code.NOT_HELD
    nothing = plan_of(world, "flip", "mug_9")
    assert isinstance(nothing, Refusal) and nothing.code == Code.UNKNOWN_ENTITY


def enclosed(world: ActionWorld, key: str) -> ActionWorld:
    """The same person with what is held between boards on every side but the wrist's."""
    x, y, z = world.state.poses[key].position_m
    sides = ((0.14, 0.0, 0.05), (0.0, 0.14, 0.05), (0.0, -0.17, 0.05), (0.0, 0.0, 0.24), (0.0, 0.0, -0.11))
    boards = [
        scenes.fixed(f"board_{n}", "board", scenes.at(x + dx, y + dy, z + dz), (scenes.box("board", _half(dx, dy)),))
        for n, (dx, dy, dz) in enumerate(sides, 1)
    ]
    behind = furniture.wall("wall_1", world.state.body.xy_m[0] - 0.28, world.state.body.xy_m[1], (0.05, 0.6))
    shut = scenes.world(scenes.table(), *(e for e in world.stage.entities if e.key == key), *boards, behind)
    shut.state = shut.state.with_(body=world.state.body, held=world.state.held, poses=world.state.poses)
    return shut


def _half(dx: float, dy: float) -> tuple[float, float, float]:
    return (0.01, 0.15, 0.15) if dx else (0.15, 0.01, 0.15) if dy else (0.15, 0.15, 0.01)


@pytest.mark.parametrize(("verb", "thing"), [("flip", scenes.packet("packet_1", 0.6, -0.15)), ("answer_phone", phone(0.62, -0.2))])
def test_an_arm_that_is_hemmed_in_or_cannot_reach_says_so(verb: str, thing: Entity) -> None:
    world = taken(thing)
    hemmed = plan_of(enclosed(world, thing.key), verb, thing.key)
    assert isinstance(hemmed, Refusal) and hemmed.code == Code.TRAJECTORY_COLLISION and "board_" in hemmed.fact, hemmed
    held, body = world.state.held, world.state.body
    assert held is not None
    wrist = joint_transforms(world.body, body.pose_rad, body.translation_m)[JOINT[f"{held.hand}_wrist"]]
    over = tuple((wrist[:3, :3].T @ [0.0, 0.0, 1.5]).tolist())  # as if the thing were held far overhead
    far = world.fork()
    root = Pose((float(wrist[0, 3]), float(wrist[1, 3]), float(wrist[2, 3]) + 1.5))
    far.state = world.state.with_(
        poses={**world.state.poses, thing.key: root}, held=replace(held, wrist_object=Pose(over, held.wrist_object.quat_wxyz))
    )
    refusal = plan_of(far, verb, thing.key)
    assert isinstance(refusal, Refusal) and refusal.code == Code.OUT_OF_REACH, refusal
