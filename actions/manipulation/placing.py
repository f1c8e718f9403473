"""Free spots on a surface or in an interior region, and whether a thing fits at all (seed B.3.1 place_spot, B.1.2 placement)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.surroundings import Place
from actions.screening import collision_world
from actions.world import ActionWorld
from assistcore.world.commands import PlaceSpot
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import inverse
from humans.rotations import rotation_z

F64 = NDArray[np.float64]

DROP_M = 0.003
"""Gap to the support at which the hand lets go."""
SEPARATION_M = 0.02
"""To other things (seed B.1.2); halved, then dropped, where a region is too crowded."""
EDGE_M = 0.015
OVER_M = 0.03
GRID = 9
SPOTS = 14
YAWS = 12


@dataclass(frozen=True, eq=False)
class Spot:
    """A resting place: root transform (4, 4) of the thing; cost orders them (nearer and freer first)."""

    T_object: F64
    cost: float


def fits(world: ActionWorld, key: str, place: Place) -> Refusal | None:
    """DOES_NOT_FIT naming the sizes, or None. The thing stands upright and may turn about the vertical."""
    low, high = world.stage.entity(key).box_m
    size = high - low
    room = np.subtract(place.region.high_m, place.region.low_m)
    if place.region.kind == "interior" and size[2] > room[2]:
        return Refusal(
            Code.DOES_NOT_FIT, f"{key} does not fit in {place.entity}: needs {size[2]:.2f}, has {room[2]:.2f} (z)", "use another place"
        )
    floor_size, floor_room = np.sort(size[:2]), np.sort(room[:2])
    slack = 0.0 if place.region.kind == "interior" else 0.4
    for name, need, have in (("width", floor_size[0], floor_room[0]), ("length", floor_size[1], floor_room[1])):
        if need * (1.0 - slack) > have:
            return Refusal(
                Code.DOES_NOT_FIT, f"{key} does not fit on {place.entity}: needs {need:.2f}, has {have:.2f} ({name})", "use another place"
            )
    return None


def facing_axes(place: Place, viewer_xy: tuple[float, float]) -> tuple[F64, F64]:
    """Region axes most aligned with the viewer's right and ahead, as unit vectors (2,) of the region's x-y plane."""
    centre = 0.5 * (np.asarray(place.region.low_m) + np.asarray(place.region.high_m))
    world_centre = place.T_region[:3, :3] @ centre + place.T_region[:3, 3]
    ahead = world_centre[:2] - np.asarray(viewer_xy)
    local = place.T_region[:2, :2].T @ ahead
    axis = int(np.argmax(np.abs(local)))
    front = np.zeros(2)
    front[axis] = np.sign(local[axis]) or 1.0
    return np.array([front[1], -front[0]]), front


def chosen_point(place: Place, spot: PlaceSpot, viewer_xy: tuple[float, float], margin: F64) -> F64:
    """The point (2,) of the region's plane that a place spot names: u left to right, v front to back as the person faces it."""
    right, front = facing_axes(place, viewer_xy)
    low = np.asarray(place.region.low_m)[:2] + margin
    high = np.asarray(place.region.high_m)[:2] - margin
    centre, half = 0.5 * (low + high), np.maximum(0.5 * (high - low), 0.0)
    u, v = float(np.clip(spot.u, -1.0, 1.0)), float(np.clip(spot.v, 0.0, 1.0))
    out: F64 = centre + right * np.abs(right @ half) * u + front * np.abs(front @ half) * (2.0 * v - 1.0)
    return out


def spots(
    world: ActionWorld,
    key: str,
    place: Place,
    spot: PlaceSpot | None,
    turn_rad: float = 0.0,
    viewer_xy: tuple[float, float] | None = None,
) -> list[Spot] | Refusal:
    """Free resting places for the held thing, best first; NO_FREE_SPACE naming what is in the way.

    `turn_rad`: the object's yaw to prefer. `viewer_xy`: from where a place spot's left and right are meant.
    """
    low, high = world.stage.entity(key).box_m
    region = place.region
    viewer = viewer_xy or world.state.body.xy_m
    person = world.state.body.xy_m
    yaws = turn_rad + np.arange(YAWS) * 2.0 * np.pi / YAWS
    blocked: dict[str, int] = {}
    known = _known(world, key)
    for separation in (SEPARATION_M, 0.5 * SEPARATION_M, 0.003):
        found: list[Spot] = []
        for yaw in yaws:
            R = rotation_z(float(yaw))
            reach = np.abs(R[:2, :2]) @ (0.5 * (high - low)[:2])
            margin = np.minimum(reach + EDGE_M, 0.5 * (np.asarray(region.high_m) - np.asarray(region.low_m))[:2])
            centre = R @ (0.5 * (low + high))
            for point in _points(place, spot, viewer, margin):
                T = np.eye(4)
                T[:3, :3] = _upright(place.T_region) @ R
                local = np.array([point[0] - centre[0], point[1] - centre[1], region.low_m[2] - low[2] + DROP_M])
                T[:3, 3] = place.T_region[:3, :3] @ local + place.T_region[:3, 3]
                owner = _in_the_way(world, key, T, separation, known) or _covered(world, key, T, place, known)
                if owner:
                    blocked[owner] = blocked.get(owner, 0) + 1
                    continue
                found.append(Spot(T, _cost(place, T, person, spot)))
        if found:
            found.sort(key=lambda s: s.cost)
            return _spread(found)
    names = ", ".join(name for name, _ in sorted(blocked.items(), key=lambda pair: (-pair[1], pair[0]))[:3]) or "nothing fits"
    size = " x ".join(f"{v:.2f}" for v in (high - low))
    what = "the named spot of " if spot is not None else ""
    return Refusal(Code.NO_FREE_SPACE, f"no free place of {size} m for {key} on {what}{place.entity}: taken by {names}", "clear it first")


def _upright(T: F64) -> F64:
    """The part of a frame's rotation about the vertical."""
    return rotation_z(float(np.arctan2(T[1, 0], T[0, 0])))


def _points(place: Place, spot: PlaceSpot | None, viewer: tuple[float, float], margin: F64) -> list[F64]:
    if spot is not None:
        point = chosen_point(place, spot, viewer, margin)
        ring = [0.03 * np.array([np.cos(a), np.sin(a)]) for a in np.linspace(0.0, 2.0 * np.pi, 6, endpoint=False)]
        return [point, *(point + r for r in ring)]
    low, high = np.asarray(place.region.low_m)[:2] + margin, np.asarray(place.region.high_m)[:2] - margin
    xs, ys = (np.linspace(low[k], high[k], GRID) if high[k] > low[k] + 1e-6 else np.array([0.5 * (low[k] + high[k])]) for k in range(2))
    return [np.array([x, y]) for x in xs for y in ys]


Answers = dict[tuple[bytes, float], str]


def _known(world: ActionWorld, key: str) -> Answers:
    """What is in the way where, as found so far among these obstacles: the same places are asked about from every stance."""
    now = (key, collision_world(world).obstacle_key(frozenset({key})))
    kept = cast("tuple[tuple[str, int], Answers] | None", world.caches.get("in the way"))
    if kept is None or kept[0] != now:
        kept = (now, {})
        world.caches["in the way"] = kept
    return kept[1]


def _in_the_way(world: ActionWorld, key: str, T: F64, separation: float, known: Answers) -> str:
    """What is nearer than `separation` to the thing at T (its support below may touch), or nothing."""
    asked = (T.tobytes(), separation)
    if asked not in known:
        known[asked] = _nearest(world, key, T, separation)
    return known[asked]


def _nearest(world: ActionWorld, key: str, T: F64, separation: float) -> str:
    scene = collision_world(world)
    low, _ = world.stage.entity(key).box_m
    base = T[2, 3] + low[2]
    for hit in sorted(scene.entity(key, T, margin_m=separation)):
        movable = world.stage.entity(hit.owner).kind == "movable"
        if hit.distance_m < -0.0015 or (movable and hit.point_m[2] > base - 0.001):
            return hit.owner
        if not movable and hit.distance_m < min(separation, 0.006) and hit.point_m[2] > base + 0.004:
            return hit.owner
    return ""


def _covered(world: ActionWorld, key: str, T: F64, place: Place, known: Answers) -> str:
    """What hangs over a place in an open-topped region (a counter over the back of a drawer), or nothing."""
    if place.region.kind != "interior" or place.opening[2] < 0.7:
        return ""
    above = T.copy()
    above[2, 3] = float((place.T_region @ np.array([*place.region.high_m, 1.0]))[2]) + OVER_M
    return _in_the_way(world, key, above, 0.0, known)


def _cost(place: Place, T: F64, viewer: tuple[float, float], spot: PlaceSpot | None) -> float:
    """Distance from the person, and from the middle of the region's width; a named spot has its order already."""
    away = float(np.linalg.norm(T[:2, 3] - np.asarray(viewer)))
    local = inverse(place.T_region) @ T[:, 3]
    half = 0.5 * (np.asarray(place.region.high_m) - np.asarray(place.region.low_m))[:2]
    middle = 0.5 * (np.asarray(place.region.high_m) + np.asarray(place.region.low_m))[:2]
    off = np.abs((local[:2] - middle) / np.maximum(half, 1e-6))
    if spot is not None:
        return 0.0
    if place.region.kind == "interior" and place.opening[2] > 0.7:
        return 0.5 * float(np.linalg.norm(off))  # the hand needs room between the sides of a drawer or basket
    return away + 0.10 * float(off.max()) ** 2


def _spread(found: list[Spot]) -> list[Spot]:
    """The best spots, at most a few turns at one point, so that alternatives differ in place too."""
    out: list[Spot] = []
    count: dict[tuple[int, int], int] = {}
    for s in found:
        cell = (int(np.floor(s.T_object[0, 3] / 0.05)), int(np.floor(s.T_object[1, 3] / 0.05)))
        if count.get(cell, 0) < YAWS:
            count[cell] = count.get(cell, 0) + 1
            out.append(s)
        if len(out) >= SPOTS * YAWS:
            break
    return out
