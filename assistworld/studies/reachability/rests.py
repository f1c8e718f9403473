"""Where the held thing could come to rest: its real shape over the whole region at a fine grid, in all attitudes and turns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.attitudes import attitudes, turned_box
from actions.manipulation.placing import chosen_point
from actions.manipulation.surroundings import Place
from actions.world import ActionWorld
from assistcore.house.relations import NEAR_M
from assistcore.world.commands import PlaceSpot
from assistworld.studies.reachability.contacts import Flags, House, Thing, thing_in
from humans.rotations import rotation_z

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

STEP_M = 0.05
TURNS = 24
GAP_M = 0.003
"""Left below the thing when the hand opens."""
DROPS_M = (0.0, 0.04, 0.08, 0.11)
"""How far it may fall into what is open at the top."""
EDGE_M = 0.005
TIGHT_M = 0.02
OVERHANG = 0.4
"""A thing that is wider than a support may stick out by this share of its size in all, its middle on the support's middle line."""
APART_M = 0.003
"""From other movable things."""
NAMED_M = 0.045
"""How far from a named spot the thing's middle may be."""
BESIDE_M = (0.02, 0.43)
"""How far from the outline of what it is put down beside."""
OUT_RAD = tuple(np.radians((0.0, 30.0, -30.0)).tolist())
OUT_STEP_M = 0.02
BEYOND_M = 0.20
"""Farther out than this behind an opening no door of its own is met."""
UP_M, OVER_M = 0.12, 0.02
"""How far above the rim of what is open at the top a thing is led straight up; how far above it at least."""


@dataclass(frozen=True, eq=False)
class Rests:
    """Resting places: roots (n, 4, 4), and how the thing is led away: lifted a little, then straight along unit vectors (n, 3) that far."""

    roots: F64
    away: F64
    lift_m: F64
    length_m: F64

    def __len__(self) -> int:
        return len(self.roots)

    def some(self, rows: I64 | Flags) -> Rests:
        """Some of them."""
        return Rests(self.roots[rows], self.away[rows], self.lift_m[rows], self.length_m[rows])


def sideways(place: Place) -> bool:
    """Whether a region is entered from the side."""
    return place.region.kind == "interior" and bool(place.opening[2] < 0.7)


def fits_in(world: ActionWorld, key: str, place: Place) -> bool:
    """Whether the thing has an attitude and a turn in which it fits into the region, by sizes alone."""
    return len(candidates(world, key, place, None)) > 0


def candidates(world: ActionWorld, key: str, place: Place, spot: PlaceSpot | None) -> F64:
    """Root transforms (n, 4, 4) of the thing in its attitudes over a region, whatever else is there.

    In something that is open at the top its middle must be below the rim, as `inside` wants it; on a shelf and in a drawer it must fit.
    """
    found = [_standing(world, place, spot, A, *turned_box(*world.stage.entity(key).box_m, A)) for A in attitudes(world, key)]
    return np.concatenate(found)


def _standing(world: ActionWorld, place: Place, spot: PlaceSpot | None, attitude: F64, low: F64, high: F64) -> F64:
    """Those in one attitude, in which the box is low to high."""
    region, middle, half = place.region, 0.5 * (low + high), 0.5 * (high - low)
    bottom, top = np.asarray(region.low_m), np.asarray(region.high_m)
    room, centre = 0.5 * (top - bottom), 0.5 * (top + bottom)
    size = 2.0 * float(half[2])
    if place.T_region[2, 2] < 0.98 or (region.kind == "interior" and size > 2.0 * room[2] * _height_share(place)):
        return np.zeros((0, 4, 4))
    yaw0 = float(np.arctan2(place.T_region[1, 0], place.T_region[0, 0]))
    out = []
    for turn in 2.0 * np.pi * np.arange(TURNS) / TURNS:
        c, s = float(np.cos(turn)), float(np.sin(turn))
        wide = np.abs(np.array([[c, -s], [s, c]])) @ half[:2]
        if region.kind == "interior" and (wide > room[:2] + TIGHT_M).any():
            continue
        if region.kind == "surface" and (wide * (1.0 - OVERHANG) > room[:2]).any():
            continue
        margin = np.minimum(wide + EDGE_M, room[:2])
        points = _grid(bottom[:2] + margin, top[:2] - margin, centre[:2])
        if spot is not None:
            named = chosen_point(place, spot, world.state.body.xy_m, margin)
            points = named + _grid(np.full(2, -0.03), np.full(2, 0.03), np.zeros(2), 0.03)
        offset = np.array([c * middle[0] - s * middle[1], s * middle[0] + c * middle[1]])
        out.append(_over(place, yaw0 + turn, attitude, points - offset, bottom[2] - low[2] + GAP_M))
    return np.concatenate(out) if out else np.zeros((0, 4, 4))


def _height_share(place: Place) -> float:
    """How tall a thing in a region may be, of the region's height: half of it may stick out where nothing closes and the top is open."""
    return 1.0 if sideways(place) or place.region.doors else 1.9


def _over(place: Place, yaw: float, attitude: F64, points: F64, height: float) -> F64:
    T = np.tile(np.eye(4), (len(points), 1, 1))
    T[:, :3, :3] = rotation_z(yaw) @ attitude
    local = np.column_stack([points, np.full(len(points), height)])
    T[:, :3, 3] = local @ place.T_region[:3, :3].T + place.T_region[:3, 3]
    return T


def dropped(place: Place | None, roots: F64) -> F64:
    """Where the hand may let go of what comes to rest at roots (n, 4, 4): there, and higher in what is open at the top."""
    if place is None or place.region.kind == "surface" or sideways(place):
        return roots
    out = np.concatenate([roots] * len(DROPS_M))
    out[:, 2, 3] += np.repeat(DROPS_M, len(roots))
    return out


def _grid(low: F64, high: F64, centre: F64, step: float = STEP_M) -> F64:
    axes = [
        np.linspace(low[k], high[k], int(np.ceil((high[k] - low[k]) / step)) + 1) if high[k] > low[k] + 1e-9 else centre[k : k + 1]
        for k in (0, 1)
    ]
    X, Y = np.meshgrid(*axes, indexing="ij")
    return np.column_stack([X.ravel(), Y.ravel()])


def floor_candidates(world: ActionWorld, house: House, key: str, anchor: str) -> F64:
    """Root transforms (n, 4, 4) of the thing in its attitudes on the floor beside something, near enough for `near`."""
    box = house.scene.box_m(anchor)
    if box is None:
        return np.zeros((0, 4, 4))
    found = [_beside(house, box, A, *turned_box(*world.stage.entity(key).box_m, A)) for A in attitudes(world, key)]
    return np.concatenate(found)


def _beside(house: House, box: tuple[F64, F64], attitude: F64, low: F64, high: F64) -> F64:
    """Those in one attitude, in which the box is low to high, beside the box of what is named."""
    middle = 0.5 * (low + high)
    half = float(np.linalg.norm(0.5 * (high - low)[:2]))
    points = _grid(box[0][:2] - BESIDE_M[1] - half, box[1][:2] + BESIDE_M[1] + half, 0.5 * (box[0] + box[1])[:2])
    levels = [house.scene.support_m(float(x), float(y), float(box[0][2]) + 0.05) for x, y in points]
    kept = [(x, y, z) for (x, y), z in zip(points, levels, strict=True) if z is not None and z < 0.06 and box[0][2] - z < NEAR_M - 0.07]
    out = []
    for turn in 2.0 * np.pi * np.arange(TURNS) / TURNS if kept else ():
        c, s = float(np.cos(turn)), float(np.sin(turn))
        wide = np.abs(np.array([[c, -s], [s, c]])) @ (0.5 * (high - low)[:2])
        T = np.tile(np.eye(4), (len(kept), 1, 1))
        T[:, :3, :3] = rotation_z(turn) @ attitude
        at = np.array(kept)
        gap = np.maximum(0.0, np.maximum(box[0][:2] - at[:, :2] - wide, at[:, :2] - wide - box[1][:2]))
        away = np.hypot(*gap.T)
        T[:, :2, 3] = at[:, :2] - [c * middle[0] - s * middle[1], s * middle[0] + c * middle[1]]
        T[:, 2, 3] = at[:, 2] - low[2] + GAP_M
        out.append(T[(away >= BESIDE_M[0]) & (np.hypot(away, np.maximum(0.0, box[0][2] - at[:, 2])) <= BESIDE_M[1])])
    return np.concatenate(out) if out else np.zeros((0, 4, 4))


def free(house: House, thing: Thing, roots: F64, deeper_m: float, apart_m: float) -> Flags:
    """Whether the thing at rest (n, 4, 4) is clear of everything by a bound, and apart from other movables beside it."""
    out = np.ones(len(roots), np.bool_)
    for first in range(0, len(roots), 2000):
        part = roots[first : first + 2000]
        solids = thing.at(part)
        base = solids.low_m[:, 2].reshape(len(part), -1).min(axis=1)
        hits = house.bodies(solids, len(part), max(apart_m, -deeper_m))
        beside = house.movable[hits.piece] & (hits.point_m[:, 2] > base[hits.pose] - 0.001) & (hits.distance_m < apart_m)
        out[first + hits.pose[beside | (hits.distance_m < -deeper_m)]] = False
    return out


def outward(house: House, thing: Thing, place: Place | None, roots: F64, deeper_m: float) -> Rests:
    """The resting places from which the thing can be led straight away: up, or out of the opening of a shelf, sampled at 2 cm.

    On a support with something close above it, up a little and then to one of eight sides.
    """
    n = len(roots)
    if place is not None and sideways(place):
        return _through(house, thing, place, roots, deeper_m)
    ways = np.concatenate([[[0.0, 0.0, 1.0]], *([[np.cos(a), np.sin(a), 0.0]] for a in np.radians(np.arange(0.0, 360.0, 45.0)))])
    lift, length, way = np.zeros(n), np.zeros(n), np.full(n, -1, np.int64)
    inside = place is not None and place.region.kind == "interior"
    tall = _openings(place, roots, thing)[1] if place is not None and inside else np.full(n, UP_M)
    for k in range(1 if inside else len(ways)):
        todo = np.flatnonzero(way < 0)
        if not len(todo):
            break
        up, far = (0.0, tall[todo]) if k == 0 else (0.025, np.full(len(todo), 0.30))
        clear = _swept(house, thing, roots[todo], ways[k], up, far, deeper_m)
        way[todo[clear]], length[todo[clear]], lift[todo[clear]] = k, far[clear], up
    good = np.flatnonzero(way >= 0)
    return Rests(roots[good], ways[way[good]], lift[good], length[good])


def not_shut_in(house: House, thing: Thing, place: Place | None, roots: F64) -> Rests:
    """The resting places from whose middle a ball of 2 cm gets straight away, up or out of the opening, as a thing does that gets out."""
    n = len(roots)
    low, high = thing.size_m
    middle = roots[:, :3, :3] @ (0.5 * (low + high)) + roots[:, :3, 3]
    far, ways = np.full(n, UP_M), np.array([[0.0, 0.0, 1.0]])
    if place is not None and place.region.kind == "interior":
        ways, far = _openings(place, roots, thing)
        # out of what is open at the top and never closed the thing may go aside as soon as it is over the rim
        far = far + (BEYOND_M if sideways(place) or place.region.doors else OVER_M - UP_M)
    good = np.zeros(n, np.bool_)
    for way in ways if place is not None and place.region.kind == "interior" else ():
        clear = np.ones(n, np.bool_)
        ends = middle + far[:, None] * way
        clear[house.capsules(middle[:, None], ends[:, None], np.array([0.01]), -0.005).pose] = False
        good |= clear
    if place is None or place.region.kind == "surface":
        good[:] = True
    rows = np.flatnonzero(good)
    return Rests(roots[rows], np.tile([0.0, 0.0, 1.0], (len(rows), 1)), np.zeros(len(rows)), far[rows])


def _openings(place: Place, roots: F64, thing: Thing) -> tuple[F64, F64]:
    """Unit directions (m, 3) out of an interior region, and how far (n,) the thing has to go that way."""
    low, high = thing.size_m
    if not sideways(place):
        rim = float((place.T_region @ np.array([*place.region.high_m, 1.0]))[2])
        return np.array([[0.0, 0.0, 1.0]]), np.maximum(0.0, rim - roots[:, 2, 3]) + UP_M
    opening = np.asarray(place.opening)
    base = float(np.arctan2(opening[1], opening[0]))
    inverse = np.linalg.inv(place.T_region)
    out = np.asarray(place.region.opening, np.float64)
    edge = float(np.maximum(np.asarray(place.region.low_m) * out, np.asarray(place.region.high_m) * out).sum())
    deep = edge - (roots[:, :3, 3] @ inverse[:3, :3].T + inverse[:3, 3]) @ out + 0.5 * float(np.linalg.norm((high - low)[:2]))
    return np.array([[np.cos(base + a), np.sin(base + a), 0.0] for a in OUT_RAD]), np.maximum(deep, 0.0)


def _through(house: House, thing: Thing, place: Place, roots: F64, deeper_m: float) -> Rests:
    ways, deep = _openings(place, roots, thing)
    lift, length, way = np.zeros(len(roots)), np.zeros(len(roots)), np.full(len(roots), -1, np.int64)
    for k, turn in enumerate(OUT_RAD):
        for up in (0.012, 0.003, 0.025):
            todo = np.flatnonzero(way < 0)
            if not len(todo):
                break
            far = deep[todo] / np.cos(turn) + 0.02
            clear = _swept(house, thing, roots[todo], ways[k], up, far, deeper_m)
            way[todo[clear]], length[todo[clear]], lift[todo[clear]] = k, far[clear], up
    good = np.flatnonzero(way >= 0)
    return Rests(roots[good], ways[way[good]], lift[good], length[good])


def _swept(house: House, thing: Thing, roots: F64, way: F64, lift_m: float, far_m: F64, deeper_m: float) -> Flags:
    """Whether the lifted thing can be led straight along a way by distances (n,)."""
    clear = np.ones(len(roots), np.bool_)
    for step in reversed(range(1, int(np.ceil(float(far_m.max(initial=0.0)) / OUT_STEP_M)) + 1)):  # what shuts it in is far out
        todo = np.flatnonzero(clear & ((step - 1) * OUT_STEP_M < far_m))
        moved = roots[todo].copy()
        moved[:, :3, 3] += np.minimum(step * OUT_STEP_M, far_m[todo])[:, None] * way
        moved[:, 2, 3] += lift_m
        clear[todo[thing_in(house, thing, moved, deeper_m)]] = False
    return clear
