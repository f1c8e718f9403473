"""Free spots on a surface or in an interior region, and whether a thing fits at all (seed B.3.1 place_spot, B.1.2 placement)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.attitudes import attitudes, turned_box
from actions.manipulation.free_space import free_places, sideways
from actions.manipulation.surroundings import Place
from actions.manipulation.sweeps import hands_clear
from actions.world import ActionWorld
from assistcore.world.commands import PlaceSpot
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import inverse

F64 = NDArray[np.float64]

SPOTS = 216
RING_M = 0.03
CELL_M = 0.05
CELL_TURNS = 12
OVERHANG = 0.4
"""Share of its size that a thing on a support may stick out in all."""
STICKS_OUT = 1.9
"""Height over a region's own at which still the middle and half of a thing are in it."""
ON_EDGE_COST = 0.5
"""For a slab that is set down on its edge though it could lie."""


@dataclass(frozen=True, eq=False)
class Spot:
    """A resting place: root transform (4, 4) of the thing; cost orders them (nearer and freer first)."""

    T_object: F64
    cost: float


def fits(world: ActionWorld, key: str, place: Place, wider_m: float = 0.0) -> Refusal | None:
    """DOES_NOT_FIT naming the sizes, or None. The thing rests in one of its attitudes and may turn about the vertical.

    `wider_m`: so much wider than an interior's box it may be, half on each side, as the box may lie within the real walls.
    """
    first: Refusal | None = None
    for attitude in reversed(attitudes(world, key)):
        low, high = turned_box(*world.stage.entity(key).box_m, attitude)
        refusal = _misfit(world, key, place, high - low, wider_m)
        if refusal is None:
            return None
        first = first or refusal
    return first


def _misfit(world: ActionWorld, key: str, place: Place, size: F64, wider_m: float) -> Refusal | None:
    """Why a box of this size does not fit in a region, or None. From what is open at the top and cannot be shut it may stick out."""
    room = np.subtract(place.region.high_m, place.region.low_m)
    sticks_out = not (sideways(place) or place.region.doors or world.stage.entity(place.entity).joints)
    if place.region.kind == "interior" and size[2] > room[2] * (STICKS_OUT if sticks_out else 1.0):
        return Refusal(
            Code.DOES_NOT_FIT, f"{key} does not fit in {place.entity}: needs {size[2]:.2f}, has {room[2]:.2f} (z)", "use another place"
        )
    floor_size, floor_room = np.sort(size[:2]), np.sort(room[:2])
    inside = place.region.kind == "interior"
    for name, need, have in (("width", floor_size[0], floor_room[0]), ("length", floor_size[1], floor_room[1])):
        if (need - wider_m if inside else need * (1.0 - OVERHANG)) > have:
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
    world: ActionWorld, key: str, place: Place, spot: PlaceSpot | None, viewer_xy: tuple[float, float] | None = None
) -> list[Spot] | Refusal:
    """Free resting places for the held thing, best first; NO_FREE_SPACE naming what is in the way.

    `viewer_xy`: from where a place spot's left and right are meant.
    """
    if spot is None:
        found = free_places(world, key, place)
    else:
        viewer = viewer_xy or world.state.body.xy_m
        right, front = facing_axes(place, viewer)
        named = (spot.u, spot.v, *right.tolist(), *front.tolist())
        found = free_places(world, key, place, lambda margin: _ring(chosen_point(place, spot, viewer, margin)), named)
    if isinstance(found, Refusal):
        return found
    cost = np.zeros(len(found)) if spot is not None else _costs(place, found, world.state.body.xy_m)
    edge = _on_edge(world, key, found)
    cost = cost + (0.0 if sideways(place) else ON_EDGE_COST) * edge
    order = np.lexsort((cost, ~_hand_clear(world, found)))
    ranked = [Spot(found[i], float(cost[i])) for i in order]
    return _spread(ranked, edge[order].tolist()) if spot is None else ranked[:SPOTS]


def _hand_clear(world: ActionWorld, roots: F64) -> NDArray[np.bool_]:
    """At which of these places (n, 4, 4) the hand that holds the thing meets nothing, shape (n,)."""
    held = world.state.held
    return np.ones(len(roots), np.bool_) if held is None else hands_clear(world, roots @ inverse(held.wrist_object.matrix()))


def _on_edge(world: ActionWorld, key: str, roots: F64) -> NDArray[np.bool_]:
    """Which of these places (n, 4, 4) have the thing on its edge, shape (n,)."""
    if len(attitudes(world, key)) == 1:
        return np.zeros(len(roots), np.bool_)
    low, high = world.stage.entity(key).box_m
    thin = int(np.argmin(high - low))
    return np.asarray(np.abs(roots[:, 2, thin]) < 0.7)


def _ring(point: F64) -> list[F64]:
    """A point (2,) and some close round it."""
    return [point, *(point + RING_M * np.array(step) for step in product((-1.0, 0.0, 1.0), repeat=2) if any(step))]


def front_place(place: Place, found: list[Spot]) -> Spot:
    """The place of a shelf that is nearest to its opening and, among such, to its middle: in front of it one stands best."""

    def cost(spot: Spot) -> float:
        local = (inverse(place.T_region) @ spot.T_object[:, 3])[:3]
        opening = np.asarray(place.region.opening, np.float64) / float(np.linalg.norm(place.region.opening))
        aside = local - 0.5 * np.add(place.region.low_m, place.region.high_m)
        aside = aside - (aside @ opening) * opening
        return float(0.4 * np.linalg.norm(aside[:2]) - local @ opening)

    return min(found, key=cost)


def _costs(place: Place, roots: F64, viewer: tuple[float, float]) -> F64:
    """Costs (n,) of places (n, 4, 4): distance from the person, and from the middle of the region's width."""
    away = np.linalg.norm(roots[:, :2, 3] - np.asarray(viewer), axis=1)
    local = roots[:, :, 3] @ inverse(place.T_region).T
    half = 0.5 * np.subtract(place.region.high_m, place.region.low_m)[:2]
    middle = 0.5 * np.add(place.region.high_m, place.region.low_m)[:2]
    off = np.abs((local[:, :2] - middle) / np.maximum(half, 1e-6))
    if place.region.kind == "interior" and not sideways(place):
        return np.asarray(0.5 * np.linalg.norm(off, axis=1))  # the hand needs room between the sides of a drawer or basket
    return np.asarray(away + 0.10 * off.max(axis=1) ** 2)


def _spread(found: list[Spot], edge: list[bool]) -> list[Spot]:
    """The best spots, at most a few turns at one point (lying, and on edge), so that alternatives differ in place too."""
    out: list[Spot] = []
    count: dict[tuple[int, int, bool], int] = {}
    for s, on_edge in zip(found, edge, strict=True):
        cell = (int(np.floor(s.T_object[0, 3] / CELL_M)), int(np.floor(s.T_object[1, 3] / CELL_M)), on_edge)
        if count.get(cell, 0) < CELL_TURNS:
            count[cell] = count.get(cell, 0) + 1
            out.append(s)
        if len(out) >= SPOTS:
            break
    return out
