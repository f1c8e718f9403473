"""Where a held thing may stand in a region: its real shape against everything near it, and for a shelf the way in through the opening."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.attitudes import attitudes, turned_box
from actions.manipulation.surroundings import Place
from actions.screening import collision_world
from actions.world import ActionWorld
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import inverse
from humans.rotations import rotation_z

F64 = NDArray[np.float64]
Points = Callable[[F64], list[F64]]
"""Candidate points (2,) in a region's plane for a margin (2,) that the thing at its turn needs to the region's edges."""

DROP_M = 0.003
"""Gap to the support at which the hand lets go."""
SEPARATIONS_M = (0.02, 0.01, 0.003)
"""To other things (seed B.1.2); halved, then dropped, where a region is too crowded."""
EDGE_M = 0.015
OVER_M = 0.03
LIFTED_M = 0.02
"""How far above its resting height a thing is carried in through a side opening (less where the next shelf is near)."""
STEP_M = 0.08
TIGHT_M = 0.02
"""A thing may be so much larger than a region's box, half on each side, before its turn is given up unseen (the real shapes decide)."""
YAWS = 12
GRID, MOST_GRID = 9, 30
"""Points along each side of a region: at least, at most."""
COARSE_M, FINE_M = 1.0, 0.04
"""Spacing of the points, and of those that are looked at where nothing was found."""
KEPT = 48
"""Searches that are remembered for one placement of the obstacles."""


@dataclass(eq=False)
class _Known:
    """What has been found among one placement of the obstacles: what is in the way of single places, and whole searches."""

    obstacles: tuple[str, frozenset[str], int]
    in_the_way: dict[tuple[bytes, float], str] = field(default_factory=dict)
    searches: dict[tuple[object, ...], F64 | Refusal] = field(default_factory=dict)


def sideways(place: Place) -> bool:
    """Whether a region is entered from the side (a shelf, an oven), not from above."""
    return place.region.kind == "interior" and bool(place.opening[2] < 0.7)


def free_places(world: ActionWorld, key: str, place: Place, points: Points | None = None, named: tuple[float, ...] = ()) -> F64 | Refusal:
    """Free resting places (n, 4, 4) of the thing in a region at its turns, or NO_FREE_SPACE naming what is in the way.

    `points`: where to look (a grid over the region unless given), and `named`: the numbers that tell these points from others. The answer
    depends on the obstacles only, not on where the person stands.
    """
    known = _known(world, key)
    asked = (place.entity, place.region, place.T_region.tobytes(), named)
    if asked not in known.searches:
        if len(known.searches) >= KEPT:
            known.searches.clear()
        known.searches[asked] = _search(world, key, place, points, known)
    return known.searches[asked]


def _known(world: ActionWorld, key: str) -> _Known:
    along = frozenset({key, *(r.entity for r in world.state.riding)})
    now = (key, along, collision_world(world).obstacle_key(along))
    kept = cast("_Known | None", world.caches.get("free space"))
    if kept is None or kept.obstacles != now:
        kept = _Known(now)
        world.caches["free space"] = kept
    return kept


def _search(world: ActionWorld, key: str, place: Place, points: Points | None, known: _Known) -> F64 | Refusal:
    low, high = world.stage.entity(key).box_m
    blocked: dict[str, int] = {}
    rounds = [(separation, COARSE_M) for separation in SEPARATIONS_M] + ([(SEPARATIONS_M[-1], FINE_M)] if points is None else [])
    for separation, step in rounds:
        found: list[F64] = []
        for T in (T for A in attitudes(world, key) for T in _candidates(place, A, *turned_box(low, high, A), points, step)):
            owner = _in_the_way(world, key, T, separation, known) or _covered(world, key, T, place, known)
            owner = owner or _barred(world, key, T, place, known)
            if owner:
                blocked[owner] = blocked.get(owner, 0) + 1
            else:
                found.append(T)
        if found:
            return np.stack(found)
    names = ", ".join(name for name, _ in sorted(blocked.items(), key=lambda pair: (-pair[1], pair[0]))[:3]) or "nothing fits"
    size = " x ".join(f"{v:.2f}" for v in (high - low))
    what = f"{'the named spot of ' if points is not None else ''}{place.entity}"
    return Refusal(Code.NO_FREE_SPACE, f"no free place of {size} m for {key} on {what}: taken by {names}", "clear it first")


def _candidates(place: Place, attitude: F64, low: F64, high: F64, points: Points | None, step_m: float) -> list[F64]:
    """Root transforms (4, 4) over turns and points, a thing whose box is low to high in its attitude just above the region's floor."""
    region, out = place.region, []
    upright = rotation_z(float(np.arctan2(place.T_region[1, 0], place.T_region[0, 0])))
    yaws = YAWS if points is None else 2 * YAWS
    for yaw in np.arange(yaws) * 2.0 * np.pi / yaws:
        R = rotation_z(float(yaw))
        half = np.abs(R[:2, :2]) @ (0.5 * (high - low)[:2])
        room = 0.5 * np.subtract(region.high_m, region.low_m)[:2]
        if region.kind == "interior" and (half > room + TIGHT_M).any():
            continue
        centre = R @ (0.5 * (low + high))
        margin = np.minimum(half + EDGE_M, room)
        for point in _grid(place, margin, step_m) if points is None else points(margin):
            T = np.eye(4)
            T[:3, :3] = upright @ R @ attitude
            local = np.array([point[0] - centre[0], point[1] - centre[1], region.low_m[2] - low[2] + DROP_M])
            T[:3, 3] = place.T_region[:3, :3] @ local + place.T_region[:3, 3]
            out.append(T)
    return out


def _grid(place: Place, margin: F64, step_m: float) -> list[F64]:
    low, high = np.asarray(place.region.low_m)[:2] + margin, np.asarray(place.region.high_m)[:2] - margin
    count = [int(np.clip(np.ceil((high[k] - low[k]) / step_m) + 1, GRID, MOST_GRID)) for k in range(2)]
    xs, ys = (np.linspace(low[k], high[k], count[k]) if high[k] > low[k] + 1e-6 else np.array([0.5 * (low[k] + high[k])]) for k in range(2))
    return [np.array([x, y]) for x in xs for y in ys]


def _in_the_way(world: ActionWorld, key: str, T: F64, separation: float, known: _Known) -> str:
    """What is nearer than `separation` to the thing at T (its support below may touch), or nothing."""
    asked = (T.tobytes(), separation)
    if asked not in known.in_the_way:
        known.in_the_way[asked] = _nearest(world, key, T, separation, known)
    return known.in_the_way[asked]


def _nearest(world: ActionWorld, key: str, T: F64, separation: float, known: _Known) -> str:
    scene = collision_world(world)
    hits = scene.entity(key, T, ignore=known.obstacles[1], margin_m=separation)
    if not hits:
        return ""
    base = T[2, 3] + turned_box(*world.stage.entity(key).box_m, T[:3, :3])[0][2]
    for hit in sorted(hits):
        movable = world.stage.entity(hit.owner).kind == "movable"
        if hit.distance_m < -0.0015 or (movable and hit.point_m[2] > base - 0.001):
            return hit.owner
        if not movable and hit.distance_m < min(separation, 0.006) and hit.point_m[2] > base + 0.004:
            return hit.owner
    return ""


def _covered(world: ActionWorld, key: str, T: F64, place: Place, known: _Known) -> str:
    """What hangs over a place in an open-topped region (a counter over the back of a drawer), or nothing."""
    if place.region.kind != "interior" or sideways(place):
        return ""
    above = T.copy()
    above[2, 3] = float((place.T_region @ np.array([*place.region.high_m, 1.0]))[2]) + OVER_M
    return _in_the_way(world, key, above, 0.0, known)


def _barred(world: ActionWorld, key: str, T: F64, place: Place, known: _Known) -> str:
    """What stands between a place on a shelf and its opening (a panel, a thing in front), or nothing."""
    if not sideways(place):
        return ""
    low, high = turned_box(*world.stage.entity(key).box_m, T[:3, :3])
    local = (inverse(place.T_region) @ T)[:3, 3]
    opening = np.asarray(place.region.opening, np.float64) / float(np.linalg.norm(place.region.opening))
    edge = float(np.maximum(np.asarray(place.region.low_m) * opening, np.asarray(place.region.high_m) * opening).sum())
    way = edge - float(local @ opening) + 0.5 * float(np.linalg.norm((high - low)[:2]))
    room = place.region.high_m[2] - place.region.low_m[2] - float(high[2] - low[2]) - DROP_M
    moved, outward = T.copy(), place.opening[:2]
    moved[2, 3] += float(np.clip(room - 0.004, 0.0, LIFTED_M))
    for k in range(1, int(np.ceil(max(way, 0.0) / STEP_M)) + 1):
        moved[:2, 3] = T[:2, 3] + min(k * STEP_M, way) * outward
        if owner := _in_the_way(world, key, moved, 0.0, known):
            return owner
    return ""
