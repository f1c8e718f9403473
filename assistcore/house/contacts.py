"""The closed list of contacts that are allowed, with their bounds, for planner and checker alike (RULES, Contacts).

| pair | bound |
|---|---|
| adjacent body segments | filtered |
| soles and floor | `SOLE_M` |
| hand capsules of `Allowed.hands` and `Allowed.target`, within 0.22 m of `Allowed.point_m` (or `other_m`: the other hand's) | 8 mm |
| held object and the hands | free |
| held object and the commanded target or support | 8 mm |
| pelvis, thighs, trunk and `Allowed.seat` | 30 mm |
| everything else | 2 mm planned, 5 mm checked |
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assistcore.house import narrowphase
from assistcore.house.clearance import CHECKED_M, PLANNED_M, SEAT_M, TOUCH_M, TOUCH_RADIUS_M, Allowed, Hit
from assistcore.house.stage import Entity, StageModel

F64 = NDArray[np.float64]
Point = tuple[float, float, float]

CLOSE_CALL_M2 = 1e-9
"""Squares of two lengths that differ by less may be in another order than the lengths."""
SOLE_M = 0.045
"""Foot capsules are round and roll over heel and toe; their round front then dips this far (toe-off of the default body: 40 mm)."""
SOLES = frozenset({"left_foot", "right_foot"})
SEATED = frozenset({"pelvis", "spine", "left_thigh", "right_thigh"})
FLOOR_CATEGORIES = frozenset({"floor", "rug", "carpet", "mat"})
EYE = "eye"
"""Name of the sphere round the camera in hits; it has no exempt pair and no tolerance."""
BODY = "body"
"""Owner in hits between two capsules of the person."""
ANYTHING = "*"
"""Stands for every entity that no rule names; no entity's key."""
NOWHERE_M: Point = (float("inf"), float("inf"), float("inf"))

__all__ = ["BODY", "CHECKED_M", "EYE", "PLANNED_M", "body_hits", "bound_m", "floors", "is_floor", "violations"]


def is_floor(entity: Entity) -> bool:
    """Whether a person stands on it: floors and what lies flat on them."""
    return entity.category in FLOOR_CATEGORIES or "floor" in entity.roles


def floors(stage: StageModel) -> frozenset[str]:
    """Keys of every entity on which soles may rest."""
    return frozenset(e.key for e in stage.entities if is_floor(e))


def _is_hand(name: str, hands: tuple[str, ...] = ("left", "right")) -> bool:
    return name.removesuffix("_hand") in hands


def _within(point_m: Point, other_m: Point | None, distance_m: float) -> bool:
    """Whether two points are no farther apart; the exact length is taken only where it is in question (this is asked of every contact)."""
    if other_m is None:
        return False
    x, y, z = point_m[0] - other_m[0], point_m[1] - other_m[1], point_m[2] - other_m[2]
    excess = x * x + y * y + z * z - distance_m * distance_m
    if abs(excess) > CLOSE_CALL_M2:
        return excess < 0.0
    return float(np.linalg.norm(np.subtract(point_m, other_m))) <= distance_m


def bound_m(hit: Hit, allowed: Allowed, tolerance_m: float, floor: frozenset[str]) -> float:
    """How deep this pair may be, metres; infinite where the pair is free."""
    if hit.mine == EYE:
        return 0.0
    if hit.owner in floor and hit.mine in SOLES:
        return max(SOLE_M, tolerance_m)
    if allowed.held and hit.owner == allowed.held and _is_hand(hit.mine):
        return float("inf")
    if allowed.held and hit.mine == allowed.held:
        if hit.owner == BODY and _is_hand(hit.link):
            return float("inf")
        if hit.owner in (allowed.support, allowed.target):
            return max(TOUCH_M, tolerance_m)
    if allowed.target and hit.owner == allowed.target and _is_hand(hit.mine, allowed.hands):
        if _within(hit.point_m, allowed.point_m, TOUCH_RADIUS_M) or _within(hit.point_m, allowed.other_m, TOUCH_RADIUS_M):
            return max(TOUCH_M, tolerance_m)
    if allowed.seat and hit.owner == allowed.seat and hit.mine in SEATED:
        return max(SEAT_M, tolerance_m)
    return tolerance_m


@lru_cache(maxsize=256)
def bounds_m(mine: tuple[str, ...], owner: str, allowed: Allowed, tolerance_m: float, floor: frozenset[str], *, touching: bool) -> F64:
    """`bound_m` (m,) of capsules or things against an entity: where it may be touched, or everywhere else. Shared: read only."""
    points = touched_points(allowed) if touching else ()
    point = points[0] if points else NOWHERE_M
    return np.array([bound_m(Hit(0.0, name, owner, "", point), allowed, tolerance_m, floor) for name in mine])


def touched_points(allowed: Allowed) -> tuple[Point, ...]:
    """Round which the target may be touched."""
    return tuple(point for point in (allowed.point_m, allowed.other_m) if point is not None)


def violations(hits: Iterable[Hit], allowed: Allowed, tolerance_m: float, floor: frozenset[str]) -> list[Hit]:
    """The hits that are deeper than their bound, deepest excess first. `floor` is `floors(stage)`."""
    bad = [(hit.distance_m + bound_m(hit, allowed, tolerance_m, floor), hit) for hit in hits]
    return [hit for excess, hit in sorted(bad, key=lambda pair: (pair[0], pair[1])) if excess < 0.0]


@lru_cache(maxsize=8)
def apart(names: tuple[str, ...], adjacent: frozenset[tuple[str, str]]) -> NDArray[np.int64]:
    """Rows (m, 2), ascending, of the pairs of capsules that are not adjacent. Shared: read only."""
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    found = [(i, j) for i, j in pairs if (min(names[i], names[j]), max(names[i], names[j])) not in adjacent]
    return np.array(found, np.int64).reshape(-1, 2)


def body_hits(
    names: tuple[str, ...], a_m: F64, b_m: F64, radius_m: F64, adjacent: frozenset[tuple[str, str]], *, margin_m: float = 0.0
) -> list[Hit]:
    """Pairs of the person's own capsules nearer than `margin_m`, adjacent ones filtered. `owner` is `body`, `link` the other capsule."""
    narrowphase.KERNELS.ready()
    pairs = apart(names, adjacent)
    which, rows = np.empty(len(pairs), np.int64), np.empty((len(pairs) + 1, 4))
    a, b, radius = (np.ascontiguousarray(v, np.float64) for v in (a_m, b_m, radius_m))
    count = narrowphase.own_gaps(a, b, radius, pairs, float(margin_m), which, rows)
    found = zip(pairs[which[:count]].tolist(), rows[:count].tolist(), strict=True)
    return [Hit(gap, names[i], BODY, names[j], (x, y, z)) for (i, j), (gap, x, y, z) in found]
