"""Both hands come off what they have set down or let fall: they open, part to the sides and go home (issue 3, Hands)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.dropping import limb_below
from actions.manipulation.grab import Failure, clear_goals, collision
from actions.manipulation.keys import Key, both, key_at, pose_of_key
from actions.manipulation.reach import Blocked, Standing, home_key, open_fingers, paired, plain, screen_key, standing, way, works
from actions.manipulation.segments import segment_of
from actions.manipulation.sweeps import palm
from actions.motions import Hold, Segment
from actions.screening import screen
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.state import Hand
from assistcore.world.outcomes import Code, Refusal
from humans.kinematics import joint_transforms
from humans.model import JOINT
from humans.postures import solve_posture

F64 = NDArray[np.float64]

PARTS = ((0.07, 0.0), (0.05, 0.05), (0.04, 0.10), (0.10, 0.0), (0.02, 0.14))
"""How far the hands go apart, and up, before they go home."""
SPRINGS_M = (0.03, 0.05, 0.08)
"""How far the hands go apart in the tick in which what they held begins to fall."""


def let_go_of_both(there: Standing, key: str, rest: Key, came: Key) -> Segment | Failure:
    """From where both hands are on a thing that lies where it is to lie, back to the stance; `came`: how they carried it before."""
    figure = there.figure
    opened = opened_both(there, rest)
    points = {side: palm(T, side) for side, T in wrists_of(there, rest).items()}
    touch = Allowed(target=key, point_m=points[figure.side], hands=("right", "left"), other_m=points[figure.opposite.side])
    worst: Blocked | None = None
    make = plain(there, "retreat", touch, settle=True, canonical_end=True)
    for out, up in PARTS:
        off = apart(there, opened, out, up)
        if not works(off, residual_m=0.01, strain_rad=0.3):
            continue
        if (hit := screen_key(there, off, touch)) is not None:
            worst = worst or hit
            continue
        home = home_key(there)
        for through in ([rest, opened, off, home], [rest, opened, off, replace_fingers(came, opened), home]):
            back = way(there, through, make, via_at=len(through) - 2)
            if not isinstance(back, Blocked):
                return back
            worst = back
    if worst is None:
        return Failure(3, Refusal(Code.OUT_OF_REACH, f"the hands cannot come away from {key}"))
    return Failure(4, collision(f"letting go of {key}", worst))


def sprung_apart(world: ActionWorld) -> Segment | None:
    """Both hands off to their sides at once, for the tick after letting go, so that what overhangs the held thing falls between them.

    None where no such way is clear. Changes nothing.
    """
    held = world.state.held
    if held is None or held.second is None:
        raise ValueError("no thing is held by both hands")
    after = world.fork()
    after.state = world.state.with_(held=None, riding=())
    here = paired(standing(after, held.hand))
    points = {side: T[:3, 3] for side, T in wrists_of(here, here.start).items()}
    touch = Allowed(
        target=held.entity, point_m=_point(points["right"]), hands=("right", "left"), held=held.entity, other_m=_point(points["left"])
    )
    for out in SPRINGS_M:
        off = apart(here, here.start, out, 0.0)
        if not works(off, residual_m=0.01, strain_rad=0.3):
            continue
        pose, translation = pose_of_key(here.figure, off)
        spring = segment_of(after, "spring_apart", np.stack([pose, pose]), np.stack([translation, translation]), allowed=touch, settle=True)
        parted = world.fork()
        parted.advance(spring)
        parted.state = world.state.with_(body=parted.state.body)
        if screen(after, spring) is None and not limb_below(parted):
            return spring
    return None


def wrists_of(there: Standing, key: Key) -> dict[Hand, F64]:
    """Wrist frames (4, 4) of both hands of a key."""
    if key.second is None:
        raise ValueError("a key of one arm")
    return {there.figure.side: key.T_wrist, there.figure.opposite.side: key.second.T_wrist}


def opened_both(there: Standing, key: Key) -> Key:
    """The key with both hands open."""
    if key.second is None:
        raise ValueError("a key of one arm")
    second = replace(key.second, fingers=open_fingers(replace(there, figure=there.figure.opposite)))
    return replace(key, fingers=open_fingers(there), second=second)


def replace_fingers(key: Key, like: Key) -> Key:
    """The key with the fingers of another."""
    second = None if key.second is None or like.second is None else replace(key.second, fingers=like.second.fingers)
    return replace(key, fingers=like.fingers, second=second)


def apart(there: Standing, key: Key, out_m: float, up_m: float) -> Key:
    """The key with both hands moved off along their backs, and up."""
    if key.second is None:
        raise ValueError("a key of one arm")
    figure = replace(there.figure, link=None)
    trunk = joint_transforms(figure.body, *solve_posture(figure.body, key.posture, figure.other))[JOINT["spine3"]]
    arms = []
    for one, own in ((figure, key), (figure.opposite, key.second)):
        T = own.T_wrist.copy()
        T[:3, 3] += out_m * T[:3, 1] + np.array([0.0, 0.0, up_m])
        arms.append(key_at(one, key.posture, trunk, T, own.fingers, key.head))
    return both(*arms)


def _point(point_m: F64) -> tuple[float, float, float]:
    return float(point_m[0]), float(point_m[1]), float(point_m[2])


def one_hand_off(world: ActionWorld) -> list[list[Segment]] | Blocked:
    """Ways for the hand that rides on what both hold to come off it and hang while the other one goes on holding it: carried to its own
    side in different places, or where it is. Changes nothing."""
    off = _off(world)
    if isinstance(off, Blocked):
        return off
    there = world.fork()
    there.advance(off)
    held = there.state.held
    if held is None:
        return [[off]]
    here = standing(there, held.hand)
    make = plain(here, "carry_aside", Allowed(held=held.entity), canonical_end=True)
    asides = (way(here, [here.start, goal], make, level=True) for goal in clear_goals(here, held.entity))
    return [*([off, aside] for aside in asides if not isinstance(aside, Blocked)), [off]]


def _off(world: ActionWorld) -> Segment | Blocked:
    held = world.state.held
    if held is None or held.second is None:
        raise ValueError("no thing is held by both hands")
    alone = world.fork()
    alone.state = world.state.with_(held=replace(held, second=None))
    here = standing(alone, "left" if held.hand == "right" else "right")
    opened = replace(here.start, fingers=open_fingers(here))
    home, rules = home_key(here), Allowed(held=held.entity)
    hold = Hold(held.entity, held.hand, held.wrist_object, world.state.riding)
    trunk = joint_transforms(world.body, world.state.body.pose_rad, world.state.body.translation_m)[JOINT["spine3"]]
    worst: Blocked | None = None
    for out, up in PARTS:
        T = opened.T_wrist.copy()
        T[:3, 3] += out * T[:3, 1] + np.array([0.0, 0.0, up])
        off = key_at(here.figure, opened.posture, trunk, T, opened.fingers, opened.head)
        if not works(off, residual_m=0.01, strain_rad=0.3):
            continue
        found = way(
            here, [here.start, opened, off, home], plain(here, "one_hand", rules, effects=((0, hold),), canonical_end=True), via_at=2
        )
        if not isinstance(found, Blocked):
            return found
        worst = found
    return worst or Blocked("the other hand cannot come off it", "nothing", -np.inf)
