"""Pressing a control with the index finger: buttons, switches, taps (seed Table 5, turn_on and turn_off)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.commands import describe
from actions.manipulation.grab import Failure, collision, unreached
from actions.manipulation.grasp import hand_rotation
from actions.manipulation.keys import Key
from actions.manipulation.reach import (
    Blocked,
    Choice,
    Standing,
    home_key,
    key_for,
    moved_key,
    plain,
    rank,
    screen_key,
    standing,
    way,
    works,
)
from actions.motions import Segment, SetAttribute
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.state import Hand
from assistcore.world.outcomes import Code, Refusal
from humans.hands import hand_pose, set_hand
from humans.kinematics import joint_transforms
from humans.model import JOINT, BodyModel

F64 = NDArray[np.float64]

GAP_M = 0.002
PRE_M = (0.09, 0.05)
TRIED = 6
TILTS_DEG = (0.0, 30.0, 55.0)


@lru_cache(maxsize=8)
def pointing_tip_m(body: BodyModel, side: Hand) -> F64:
    """The index finger tip (3,) in the wrist joint's frame for a pointing hand."""
    pose = set_hand(np.zeros(156), side, hand_pose(body, "point", side))
    T = joint_transforms(body, pose)
    tip = JOINT[f"{side}_index3"]
    world = T[tip, :3, :3] @ (body.tips_m[tip] - body.rest_joints_m[tip]) + T[tip, :3, 3]
    wrist = T[JOINT[f"{side}_wrist"]]
    out: F64 = wrist[:3, :3].T @ (world - wrist[:3, 3])
    return out


def control_at(world: ActionWorld, key: str) -> tuple[F64, F64] | None:
    """Point and outward normal (3,) of an entity's control now, or None."""
    entity = world.stage.entity(key)
    if entity.control is None:
        return None
    T = world.state.link(world.stage, key, entity.control.link)
    normal = T[:3, :3] @ np.asarray(entity.control.normal, np.float64)
    return T[:3, :3] @ np.asarray(entity.control.point_m) + T[:3, 3], normal / np.linalg.norm(normal)


def plan_switch(world: ActionWorld, key: str, on: bool) -> list[Segment] | Refusal:
    """Walk up, press, draw back. Changes nothing."""
    entity = world.stage.entity(key)
    place = control_at(world, key)
    if place is None:
        return Refusal(Code.NOT_AFFORDED, f"{key} is {describe(entity)} without a switch", "name a device")
    word = "on" if on else "off"
    if bool(world.state.attributes.get(key, {}).get("running", False)) == on:
        return Refusal(Code.ALREADY, f"{key} is {word} already")
    held = world.state.held
    if held is not None and held.entity == key:
        return Refusal(Code.HAND_FULL, f"{key} is in the hand that would press its switch", f"put {key} down first")
    point, normal = place
    flat = float(np.linalg.norm(normal[:2]))
    facing = (float(normal[0] / flat), float(normal[1] / flat)) if flat > 0.5 else None
    goal = Goal(key, point, facing, np.radians(65.0))
    return with_stance(world, goal, lambda there: press_here(there, key, on))


def press_here(world: ActionWorld, key: str, on: bool) -> list[Segment] | Failure:
    """Press from where the person stands. Changes nothing."""
    place = control_at(world, key)
    if place is None:
        return Failure(0, Refusal(Code.NOT_AFFORDED, f"{key} has no switch"))
    body = world.state.body
    point, normal = place
    left = -np.sin(body.heading_rad) * (point[0] - body.xy_m[0]) + np.cos(body.heading_rad) * (point[1] - body.xy_m[1])
    sides: tuple[Hand, ...] = ("left", "right") if left > 0.12 else ("right", "left")
    held = world.state.held
    best: Failure | None = None
    for side in sides:
        if held is not None and held.hand == side:
            continue
        outcome = _with_hand(standing(world, side), key, point, normal, on)
        if not isinstance(outcome, Failure):
            return outcome
        best = outcome if best is None or outcome.stage > best.stage else best
    return best or Failure(0, Refusal(Code.HAND_FULL, "no hand is free"))


def pointing_frames(here: Standing, point: F64, normal: F64) -> tuple[F64, F64]:
    """Wrist frames (n, 4, 4) whose index tip is at the point, and their costs (n,)."""
    tip = pointing_tip_m(here.figure.body, here.figure.side)
    toward = point - here.world_point(0.0, 0.0, float(point[2]))
    toward[2] = 0.0
    toward = toward / max(float(np.linalg.norm(toward)), 1e-9)
    inner = np.cross(np.array([0.0, 0.0, 1.0]), toward) * (1.0 if here.figure.side == "right" else -1.0)
    frames, costs = [], []
    for tilt in TILTS_DEG:
        for turn in (0.0,) if tilt == 0.0 else np.radians(np.arange(0.0, 360.0, 45.0)):
            side = np.cross(normal, [0.0, 0.0, 1.0])
            side = side if float(np.linalg.norm(side)) > 0.3 else np.cross(normal, toward)
            side = side / np.linalg.norm(side)
            off = np.cos(turn) * side + np.sin(turn) * np.cross(side, normal)
            f = -np.cos(np.radians(tilt)) * normal + np.sin(np.radians(tilt)) * off
            for p in (np.array([0.0, 0.0, -1.0]), inner, inner + np.array([0.0, 0.0, -1.0]), -toward):
                if abs(float(p @ f)) > 0.9 * float(np.linalg.norm(p)):
                    continue
                T = np.eye(4)
                T[:3, :3] = hand_rotation(here.figure.side, f, p / np.linalg.norm(p))
                T[:3, 3] = point + GAP_M * normal - T[:3, :3] @ tip
                frames.append(T)
                costs.append(0.01 * tilt)
    return np.stack(frames), np.array(costs)


def _with_hand(here: Standing, key: str, point: F64, normal: F64, on: bool) -> list[Segment] | Failure:
    frames, costs = pointing_frames(here, point, normal)
    choices, nearest = rank(here, frames, costs, inside=False, most=24)
    if not choices:
        return Failure(1, unreached(f"the switch of {key}", nearest))
    best: Failure | None = None
    for choice in choices[:TRIED]:
        outcome = _attempt(here, key, point, normal, choice, frames[choice.index], on)
        if not isinstance(outcome, Failure):
            return outcome
        best = outcome if best is None or outcome.stage > best.stage else best
    return best or Failure(1, unreached(f"the switch of {key}", nearest))


def _attempt(here: Standing, key: str, point: F64, normal: F64, choice: Choice, T_wrist: F64, on: bool) -> list[Segment] | Failure:
    held = here.world.state.held
    spot = (float(point[0]), float(point[1]), float(point[2]))
    rules = Allowed(target=key, point_m=spot, hands=(here.figure.side,), held="" if held is None else held.entity)
    fingers = hand_pose(here.figure.body, "point", here.figure.side).reshape(15, 3)
    touch = key_for(here, choice, T_wrist, fingers, point)
    if (hit := screen_key(here, touch, rules)) is not None:
        return Failure(2, collision(f"pressing the switch of {key}", hit))
    best: Failure | None = None
    for offset in PRE_M:
        T = T_wrist.copy()
        T[:3, 3] += offset * normal
        pre: Key = moved_key(here, touch, choice.rung, T)
        if not works(pre, strain_rad=0.2):
            continue
        there = way(here, [here.start, pre, touch], plain(here, "reach", rules))
        if isinstance(there, Blocked):
            best = Failure(3, collision(f"reaching for the switch of {key}", there))
            continue
        press = _switching(there, key, on)
        world = here.world.fork()
        world.advance(press)
        after = standing(world, here.figure.side)
        back = way(after, [touch, pre, home_key(after)], plain(after, "retreat", rules, canonical_end=True), via_at=1)
        if not isinstance(back, Blocked):
            return [press, back]
        best = Failure(4, collision(f"drawing back from {key}", back))
    return best or Failure(2, Refusal(Code.OUT_OF_REACH, f"there is no room in front of the switch of {key}"))


def _switching(reach: Segment, key: str, on: bool) -> Segment:
    from dataclasses import replace

    return replace(reach, effects=((len(reach) - 1, SetAttribute(key, "running", on)),))
