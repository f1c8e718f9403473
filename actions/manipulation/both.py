"""Taking a broad thing between both palms: the reach of both arms, the lift, the carry posture before the body (issue 3, Hands)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.grab import Failure, Want, collision, lift, wanted
from actions.manipulation.holds import section_at
from actions.manipulation.keys import Key, both, key_at, look_from, pose_of_key
from actions.manipulation.palms import SIDES, Between, Palm, between, pressed
from actions.manipulation.posture import Rung, at_stance, rungs
from actions.manipulation.reach import (
    OTHER_SWIVELS_RAD,
    RESIDUAL_M,
    RUNG_COST,
    STRAIN_RAD,
    Blocked,
    Choice,
    Standing,
    after,
    all_arms,
    budget_of,
    open_fingers,
    paired,
    plain,
    screen_key,
    standing,
    way,
    works,
    worse,
)
from actions.manipulation.segments import hold_effect
from actions.manipulation.surroundings import enclosure
from actions.motions import Segment
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.state import Hand
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import inverse, transform_points
from humans.kinematics import joint_transforms
from humans.model import JOINT

F64 = NDArray[np.float64]

ASIDE_RAD = np.radians(40.0)
"""How far the person may face past the middle of the thing."""
APART_M, APART_COST = 0.34, 2.0
"""Hands are easiest so far apart; for each metre off it."""
PITCH_COST = 0.01
ASIDE_COST = 0.5
OFF_COST = 8.0
RUNGS_EACH = 2
TRIED, LOOKED_AT, CLOSINGS = 5, 24, 14
PRES = ((0.06, 0.0), (0.05, 0.06), (0.09, 0.10), (0.03, 0.12))
"""Where the hands wait before they close in: out from the sides, and up."""


def wants_both(world: ActionWorld, key: str) -> bool:
    """Whether a thing is broad, by its section, and stands where both arms come to it from outside."""
    place = enclosure(world, key)
    if place is not None and place.opening[2] < 0.7:
        return False
    return section_at(wanted(world, key).target).kind == "two_hand"


@dataclass(frozen=True, eq=False)
class _Option:
    """A hold with a posture that reaches it."""

    hold: Between
    rung: Rung
    score: float


def plan_both(world: ActionWorld, key: str) -> list[Segment] | Failure:
    """Reach, hold between both palms, lift and carry from where the person stands. Changes nothing."""
    want = wanted(world, key)
    here = paired(standing(world, "right"))
    holds = between(want.target, world.caches)
    if not holds:
        return Failure(0, Refusal(Code.GRASP_FAILED, f"{key}: no two sides of it take both palms"))
    budget = budget_of(world)
    best = Failure(
        1, Refusal(Code.OUT_OF_REACH, f"{key} is out of reach of both hands from here", "stand elsewhere or clear the way to it")
    )
    tried, laid = 0, list[Between]()
    for option in _ranked(here, want, holds)[:LOOKED_AT]:
        if tried >= TRIED or budget.keys <= 0 or budget.motions <= 0:
            break
        if option.hold not in laid and len(laid) >= CLOSINGS:
            continue
        laid.append(option.hold)
        palms = {side: pressed(here.figure.body, want.target, option.hold, side, world.caches) for side in SIDES}
        firm = {side: palm for side, palm in palms.items() if palm is not None and palm.firm}
        if len(firm) < 2:
            continue
        budget.keys -= 1
        outcome = _attempt(here, want, option, firm)
        if not isinstance(outcome, Failure):
            return outcome
        tried += outcome.stage > 2
        best = outcome if outcome.stage > best.stage else best
    return best


def _ranked(here: Standing, want: Want, holds: tuple[Between, ...]) -> list[_Option]:
    """Holds that both arms reach in one posture, the easiest first."""
    target = want.target
    turns = [float(np.arccos(np.clip(target.T_object[:3, :3] @ h.ahead @ target.toward, -1.0, 1.0))) for h in holds]
    kept = [(h, t) for h, t in zip(holds, turns, strict=True) if t <= ASIDE_RAD]
    if not kept:
        return []
    back = inverse(here.T_stance) @ target.T_object
    local = {side: back @ np.stack([h.wrists[side] for h, _ in kept]) for side in SIDES}
    count = np.zeros(len(kept), np.int64)
    found: list[_Option] = []
    left = replace(here, figure=here.figure.opposite)
    for step, rung in enumerate(rungs(here.figure.body, "right", local["right"][:, :3, 3], inside=False, turned=False)):
        if rung.touching:
            continue
        arms = worse(all_arms(here, rung, local["right"]), all_arms(left, rung, local["left"]))
        for i, (hold, turn) in enumerate(kept):
            if count[i] >= RUNGS_EACH or arms.residual_m[i] >= RESIDUAL_M or arms.strain_rad[i] > STRAIN_RAD:
                continue
            count[i] += 1
            ease = APART_COST * abs(hold.apart_m - APART_M) + PITCH_COST * abs(hold.pitch_deg - 20.0) + ASIDE_COST * turn
            ease += OFF_COST * abs(hold.off_m)
            found.append(_Option(hold, rung, float(arms.effort[i]) + RUNG_COST * step + ease))
    return sorted(found, key=lambda o: o.score)


def _pair_key(
    here: Standing, rung: Rung, wrists: Mapping[Hand, F64], fingers: Mapping[Hand, F64], head: F64, swivel_rad: float | None = None
) -> Key:
    """Both hands at their wrist frames (4, 4), world, in a posture at the stance; the elbows the easiest way, or as said."""
    posture = at_stance(rung.posture, (here.home.x_m, here.home.y_m), here.home.heading_rad)
    trunk = here.T_stance @ rung.trunk
    own, other = (
        key_at(figure, posture, trunk, wrists[figure.side], fingers[figure.side], head, swivel_rad)
        for figure in (replace(here.figure, link=None), here.figure.opposite)
    )
    return both(own, other)


def _attempt(here: Standing, want: Want, option: _Option, palms: dict[Hand, Palm]) -> list[Segment] | Failure:
    """One hold in one posture."""
    key, T, hold = want.key, want.target.T_object, option.hold
    wrists = {side: T @ palms[side].T_object_wrist for side in SIDES}
    points = {side: transform_points(T, hold.points_m[side][None])[0] for side in SIDES}
    posture = at_stance(option.rung.posture, (here.home.x_m, here.home.y_m), here.home.heading_rad)
    head = look_from(here.figure, posture, 0.5 * (points["left"] + points["right"]))
    flat = {side: open_fingers(replace(here, figure=replace(here.figure, side=side))) for side in SIDES}
    shut = {side: palms[side].fingers_rad.reshape(15, 3) for side in SIDES}
    touch = Allowed(target=key, point_m=_point(points["right"]), hands=SIDES, other_m=_point(points["left"]))
    contact = _pair_key(here, option.rung, wrists, flat, head)
    if not works(contact):
        return Failure(2, Refusal(Code.OUT_OF_REACH, f"{key} is out of reach of both hands from here"))
    swivel: float | None = None
    if (hit := screen_key(here, contact, touch)) is not None:
        for swivel in OTHER_SWIVELS_RAD.tolist() if "arm" in hit.mine else ():
            contact = _pair_key(here, option.rung, wrists, flat, head, swivel)
            if works(contact) and screen_key(here, contact, touch) is None:
                break
        else:
            return Failure(2, collision(f"reaching for {key}", hit))
    closed = _with_fingers(contact, shut)
    real = joint_transforms(here.figure.body, *pose_of_key(here.figure, closed))
    right, left = (real[JOINT[f"{side}_wrist"]] for side in SIDES)
    effect = hold_effect(here.world, key, "right", right, want.riders, left)
    best: Failure | None = None
    for out, up in PRES:
        before = {side: _moved(wrists[side], -out * -wrists[side][:3, 1] + np.array([0.0, 0.0, up])) for side in SIDES}
        pre = _pair_key(here, option.rung, before, flat, head, swivel)
        if not works(pre, residual_m=0.01, strain_rad=0.25):
            continue
        if (hit := screen_key(here, pre, touch)) is not None:
            best = best or Failure(3, collision(f"reaching for {key}", hit))
            continue
        reached = way(
            here,
            [here.start, pre, contact, closed],
            lambda frames: plain(here, "reach", touch, effects=((len(frames) - 1, effect),))(frames),
        )
        if isinstance(reached, Blocked):
            best = Failure(4, collision(f"reaching for {key}", reached))
            continue
        lifted = lift(after(here, reached), want, Choice(0, option.rung, closed.swivel_rad, option.score), closed)
        if not isinstance(lifted, Failure):
            return [reached, lifted]
        best = lifted
    return best or Failure(3, Refusal(Code.OUT_OF_REACH, f"{key}: there is no room to bring both hands to its sides"))


def _with_fingers(key: Key, fingers: Mapping[Hand, F64]) -> Key:
    if key.second is None:
        raise ValueError("a key of one arm")
    return replace(key, fingers=fingers["right"], second=replace(key.second, fingers=fingers["left"]))


def _point(point_m: F64) -> tuple[float, float, float]:
    return float(point_m[0]), float(point_m[1]), float(point_m[2])


def _moved(T: F64, by_m: F64) -> F64:
    out = T.copy()
    out[:3, 3] += by_m
    return out
