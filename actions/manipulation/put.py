"""Setting the held thing down at a spot: approach, release, retreat, idle stance (seed B.1.2, B.2.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.crowding import clear_elbow, free_hands, free_postures
from actions.manipulation.free_space import sideways
from actions.manipulation.grab import Failure, collision, unreached
from actions.manipulation.grasp import sign_of
from actions.manipulation.keys import Key
from actions.manipulation.placing import Spot, spots
from actions.manipulation.reach import (
    Blocked,
    Choice,
    Standing,
    after,
    budget_of,
    home_key,
    key_for,
    moved_key,
    open_fingers,
    plain,
    rank,
    standing,
    way,
    works,
)
from actions.manipulation.surroundings import Place, enclosure, support_of
from actions.motions import LetGo, Segment
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.world.commands import PlaceSpot
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose, inverse

F64 = NDArray[np.float64]

ABOVE_M = (0.12, 0.07, 0.035)
"""Pre-contact heights over the resting place."""
OUT_M = (0.24, 0.17, 0.11)
"""How far in front of an opening the hand starts."""
BACK_M = (0.21, 0.14)
"""How far the hand first draws back out of an opening."""
TRIED = 8
MOST = 240
LOOKS_EACH, WAYS_EACH = 5, 2
"""Resting keys that are looked at, and ways that are planned, for places within CELL_M of each other."""
CELL_M = 0.06
BACK_DROP_M = 0.0015
DROPS_M = (0.0, 0.06, 0.11)
"""How far a thing may fall into an open-topped drawer or basket whose sides keep the hand from the bottom."""
LEAST_INWARD = 0.35
"""Least share of the finger direction that points into an enclosure."""


def plan_put(
    world: ActionWorld, key: str, place: Place, spot: PlaceSpot | None, viewer_xy: tuple[float, float] | None = None
) -> list[Segment] | Failure:
    """Set the held `key` down in a region from where the person stands. Changes nothing.

    `viewer_xy`: from where a place spot's left and right are meant (the person's place unless given).
    """
    held = world.state.held
    if held is None or held.entity != key:
        return Failure(0, Refusal(Code.NOT_HELD, f"{key} is not in the hand", f"take {key} first"))
    here = standing(world, held.hand)
    found = spots(world, key, place, spot, viewer_xy)
    if isinstance(found, Refusal):
        return Failure(0, found)
    inside = sideways(place)
    if place.region.kind == "interior" and not inside:
        found = [Spot(_higher(s.T_object, drop), s.cost + 3.0 * drop) for drop in DROPS_M for s in found]
    return put_at(here, key, place.entity, found, place.opening if inside else None)


def _higher(T: F64, by_m: float) -> F64:
    out = T.copy()
    out[2, 3] += by_m
    return out


def put_back(world: ActionWorld, key: str, T_object: F64) -> list[Segment] | Failure:
    """Set the held thing down exactly where it was taken from, from where the person stands. Changes nothing."""
    held = world.state.held
    if held is None or held.entity != key:
        return Failure(0, Refusal(Code.NOT_HELD, f"{key} is not in the hand", f"take {key} first"))
    T = T_object.copy()
    T[2, 3] += BACK_DROP_M
    there = world.fork()
    there.state = world.state.with_(poses={**world.state.poses, key: Pose.from_matrix(T)}, held=None)
    place = enclosure(there, key)
    opening = place.opening if place is not None and place.opening[2] < 0.7 else None
    support = support_of(there, key) or (place.entity if place is not None else "")
    return put_at(standing(world, held.hand), key, support, [Spot(T, 0.0)], opening)


def put_at(here: Standing, key: str, support: str, found: list[Spot], opening: F64 | None) -> list[Segment] | Failure:
    """The first of these resting places that the whole put reaches."""
    held = here.world.state.held
    if held is None:
        raise ValueError(f"{key} is not held")
    wrists = np.stack([s.T_object @ inverse(held.wrist_object.matrix()) for s in found])
    costs = np.array([2.0 * s.cost for s in found])
    if opening is not None:
        # the hand goes in fingers first, so that it can come out again
        inward = wrists[:, :3, 0] @ (-sign_of(held.hand) * opening)
        keep = np.flatnonzero(inward > LEAST_INWARD)
        if not len(keep):
            fact = f"{key} is held so that it cannot be set into {support}"
            return Failure(1, Refusal(Code.OUT_OF_REACH, fact, "put it down and take it again"))
        found, wrists, costs = [found[i] for i in keep], wrists[keep], costs[keep] + 1.5 * (1.0 - inward[keep])
    rules = Allowed(held=key, support=support, target=support)
    free, crowded = free_hands(here, wrists, rules)
    if crowded is not None and not free.any():
        return Failure(2, collision(f"setting down {key}", crowded))
    found, wrists, costs = [s for s, ok in zip(found, free, strict=True) if ok], wrists[free], costs[free]
    choices, nearest = rank(here, wrists, costs, inside=opening is not None, most=MOST)
    if not choices:
        return Failure(1, unreached(support, nearest))
    upright, bent = free_postures(here, list(dict.fromkeys(c.rung for c in choices)), rules)
    choices = [c for c in choices if c.rung in upright]
    if bent is not None and not choices:
        return Failure(2, collision(f"setting down {key}", bent))
    return _first_of(here, key, support, choices, found, wrists, opening)


@dataclass
class _Cell:
    """Resting places close to each other: how often one was looked at, and how many ways to one were planned."""

    at_m: F64
    looks: int = 0
    ways: int = 0


def _cell(seen: list[_Cell], at_m: F64) -> _Cell:
    for cell in seen:
        if float(np.linalg.norm(cell.at_m - at_m)) < CELL_M:
            return cell
    seen.append(_Cell(at_m))
    return seen[-1]


def _first_of(
    here: Standing, key: str, support: str, choices: list[Choice], found: list[Spot], wrists: F64, opening: F64 | None
) -> list[Segment] | Failure:
    """The first choice whose whole way works: few ways are planned, many resting keys looked at, a few for each place."""
    best = Failure(1, Refusal(Code.OUT_OF_REACH, f"{support} is out of reach from here"))
    rules = Allowed(held=key, support=support, target=support)
    budget, seen, tried = budget_of(here.world), list[_Cell](), 0
    for choice in choices:
        if tried >= TRIED or budget.keys <= 0:
            break
        point = found[choice.index].T_object[:3, 3]
        cell = _cell(seen, point[:2])
        if cell.looks >= LOOKS_EACH or cell.ways >= WAYS_EACH:
            continue
        cell.looks += 1
        budget.keys -= 1
        rest = clear_elbow(here, key_for(here, choice, wrists[choice.index], here.start.fingers, point), rules)
        if isinstance(rest, Blocked):
            best = best if best.stage >= 2 else Failure(2, collision(f"setting down {key}", rest))
            continue
        cell.ways += 1
        tried += 1
        outcome = _attempt(here, key, support, rest, choice, opening)
        if not isinstance(outcome, Failure):
            return outcome
        best = outcome if outcome.stage > best.stage else best
    return best


def _attempt(here: Standing, key: str, support: str, rest: Key, choice: Choice, opening: F64 | None) -> list[Segment] | Failure:
    """The way to a resting key, the release and the way back."""
    rules = Allowed(held=key, support=support, target=support)
    best: Failure | None = None
    for height, out in zip(ABOVE_M, OUT_M, strict=True):
        ahead = _entry(here, rest, choice, height, opening, out)
        if not all(works(k, residual_m=0.02, strain_rad=0.25) for k in ahead):
            continue
        cleared = [clear_elbow(here, k, rules, strain_rad=0.25) for k in ahead]
        through = [k for k in cleared if isinstance(k, Key)]
        if (hit := next((k for k in cleared if isinstance(k, Blocked)), None)) is not None:
            best = best or Failure(3, collision(f"setting down {key}", hit))
            continue
        lowered = way(here, [here.start, *through, rest], plain(here, "lower", rules), level=True)
        if isinstance(lowered, Blocked):
            best = best or Failure(3, collision(f"setting down {key}", lowered))
            continue
        outcome = _release(here, key, rest, choice, lowered, opening)
        if not isinstance(outcome, Failure):
            return outcome
        best = outcome
    return best or Failure(2, Refusal(Code.OUT_OF_REACH, f"{support}: there is no room to bring {key} over the place"))


def _entry(here: Standing, rest: Key, choice: Choice, height_m: float, opening: F64 | None, out_m: float) -> list[Key]:
    """Keys before the resting one: above it, and out of the opening for an enclosure."""
    up = rest.T_wrist.copy()
    up[2, 3] += height_m if opening is None else min(height_m, 0.03)
    over = moved_key(here, rest, choice.rung, up)
    if opening is None:
        return [over]
    out = up.copy()
    out[:3, 3] += out_m * np.array([opening[0], opening[1], 0.0])
    return [moved_key(here, rest, choice.rung, out), over]


def _release(here: Standing, key: str, rest: Key, choice: Choice, lowered: Segment, opening: F64 | None) -> list[Segment] | Failure:
    """The hand opens, moves off the thing and goes home while that settles."""
    last = len(lowered) - 1
    put = replace(lowered, effects=(*lowered.effects, (last, LetGo(key))))
    there = after(here, put)
    touch = Allowed(target=key, point_m=_heart(there, key), hands=(here.figure.side,))
    opened = replace(rest, fingers=open_fingers(here))
    worst: Blocked | None = None
    for away in _retreats(rest, sign_of(here.figure.side), opening):
        moved = moved_key(there, opened, choice.rung, away)
        if not works(moved, residual_m=0.03, strain_rad=0.4):
            continue
        off = clear_elbow(there, moved, touch, strain_rad=0.4)
        if isinstance(off, Blocked):
            worst = worst or off
            continue
        back = way(there, [rest, opened, off, home_key(there)], plain(there, "retreat", touch, settle=True, canonical_end=True), via_at=2)
        if not isinstance(back, Blocked):
            return [put, back]
        worst = back
    if worst is None:
        return Failure(3, Refusal(Code.OUT_OF_REACH, f"the hand cannot come away from {key}"))
    return Failure(4, collision(f"letting go of {key}", worst))


def _heart(here: Standing, key: str) -> tuple[float, float, float]:
    low, high = here.world.stage.entity(key).box_m
    T = here.world.state.root(here.world.stage, key)
    x, y, z = (T[:3, :3] @ (0.5 * (low + high)) + T[:3, 3]).tolist()
    return float(x), float(y), float(z)


def _retreats(rest: Key, sign: float, opening: F64 | None) -> list[F64]:
    """Wrist frames away from a released thing: back along the fingers and palm, up, out of the opening."""
    R = rest.T_wrist[:3, :3]
    palm, fingers = -R[:, 1], sign * R[:, 0]
    ways = []
    for distance in (0.13,) if opening is None else BACK_M:
        for direction in _directions(fingers, palm, opening):
            T = rest.T_wrist.copy()
            T[:3, 3] += distance * direction / np.linalg.norm(direction)
            ways.append(T)
    return ways


def _directions(fingers: F64, palm: F64, opening: F64 | None) -> list[F64]:
    up = np.array([0.0, 0.0, 1.0])
    flat = np.array([palm[0], palm[1], 0.0])
    if opening is not None:
        out = np.array([opening[0], opening[1], 0.0])
        return [1.2 * out - 0.6 * palm, 2.0 * out - 0.4 * palm, 2.0 * out + 0.3 * up]
    if palm[2] < -0.6:
        return [up - 0.3 * flat, up]
    return [-0.85 * fingers - 0.45 * palm, -palm + 0.3 * up, up]
