"""Soft light of a whole floor plan on coarse grids: which room a place belongs to, how far the next wall is, how light spreads.

The spread is a screened diffusion: each room is a source, walls stop it, open portals let it through, and it fades
with a reach of about a metre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.camera import F64
from assistcore.pictures.culling import points_in_polygon, room_boxes
from assistcore.pictures.scene import F32, PictureRoom, Portal, TriMesh

FINE_M = 0.05
COARSE_M = 0.2
_MARGIN_M = 0.6
_REACH_M = 1.3
_ITERATIONS = 160
_FAR_M = 2.0
LOOKUP_M = 0.12
"""The shader looks a surface point's room up this far in front of it."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Grids over the floor plan; row index grows with y, column index with x, cell (0, 0) starts at origin_m.

    room: (h, w) uint8 of FINE_M cells, the nearest room. wall_m: (h, w) float32, distance to the nearest wall (openings are no walls).
    coarse_room: (H, W) of COARSE_M cells. opening: per portal, boolean masks of the coarse links along x (H, W-1) and y (H-1, W).
    """

    origin_m: tuple[float, float]
    room: NDArray[np.uint8]
    wall_m: F32
    coarse_room: NDArray[np.uint8]
    opening: tuple[tuple[NDArray[np.bool_], NDArray[np.bool_]], ...]


def make_plan(rooms: Sequence[PictureRoom], portals: Sequence[Portal]) -> Plan:
    """Rasterise a floor plan; without rooms a single cell of room 0."""
    if not rooms:
        return Plan((0.0, 0.0), np.zeros((1, 1), np.uint8), np.full((1, 1), _FAR_M, np.float32), np.zeros((1, 1), np.uint8), ())
    low, high = room_boxes(rooms)
    origin = low[:, :2].min(axis=0) - _MARGIN_M
    size = high[:, :2].max(axis=0) + _MARGIN_M - origin
    coarse_shape = np.ceil(size / COARSE_M).astype(int)
    fine_shape = coarse_shape * round(COARSE_M / FINE_M)
    fine = _centres(origin, fine_shape, FINE_M)
    coarse = _centres(origin, coarse_shape, COARSE_M)
    walls = _wall_points(rooms, portals)
    wall = np.minimum(_distance(fine, walls), _FAR_M).astype(np.float32)
    room = _nearest_room(fine, rooms).reshape(fine_shape[1], fine_shape[0])
    coarse_room = _nearest_room(coarse, rooms).reshape(coarse_shape[1], coarse_shape[0])
    middle = coarse.reshape(coarse_shape[1], coarse_shape[0], 2)
    opening = tuple(_links(middle, portal) for portal in portals)
    return Plan((float(origin[0]), float(origin[1])), room, wall.reshape(room.shape), coarse_room, opening)


def rooms_of_box(plan: Plan, low: F64, high: F64, margin_m: float = LOOKUP_M + 0.01) -> list[int]:
    """Rooms that the surface of a box (metres) can count as; a negative margin leaves its rim out."""
    size = np.array(plan.room.shape[::-1])
    rim = margin_m if margin_m >= 0 else -np.minimum(-margin_m, (high[:2] - low[:2]) / 2)
    first = np.clip(np.floor((low[:2] - rim - plan.origin_m) / FINE_M).astype(int), 0, size - 1)
    last = np.clip(np.floor((high[:2] + rim - plan.origin_m) / FINE_M).astype(int), 0, size - 1)
    counts = np.bincount(plan.room[first[1] : last[1] + 1, first[0] : last[0] + 1].ravel())
    return [int(room) for room in np.flatnonzero(counts)]


def rooms_of_mesh(plan: Plan, mesh: TriMesh) -> list[int]:
    """Rooms that the front sides of a mesh in the world frame count as; what lies inside walls, a cell wide, is left out."""
    normals = mesh.normals[mesh.faces].astype(np.float64).mean(axis=1)
    corners = mesh.vertices_m[mesh.faces].astype(np.float64) + LOOKUP_M * normals[:, None]
    boxes = zip(corners.min(axis=1), corners.max(axis=1), strict=True)
    return sorted({room for low, high in boxes for room in rooms_of_box(plan, low, high, -0.8 * FINE_M)})


def _centres(origin: F64, shape: NDArray[np.int_], cell: float) -> F64:
    x, y = np.meshgrid(origin[0] + (np.arange(shape[0]) + 0.5) * cell, origin[1] + (np.arange(shape[1]) + 0.5) * cell)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _edge_points(polygon: F64, step: float) -> F64:
    parts = []
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        n = max(1, int(np.ceil(np.linalg.norm(b - a) / step)))
        parts.append(a + (b - a) * (np.arange(n) / n)[:, None])
    return np.concatenate(parts)


def _wall_points(rooms: Sequence[PictureRoom], portals: Sequence[Portal]) -> F64:
    points = np.concatenate([_edge_points(np.asarray(room.polygon_m, dtype=np.float64), 0.1) for room in rooms])
    for portal in portals:
        low, high = np.array(portal.low_m[:2]) - 0.05, np.array(portal.high_m[:2]) + 0.05
        points = points[~((points >= low).all(axis=1) & (points <= high).all(axis=1))]
    return points


def _distance(points: F64, targets: F64) -> F64:
    if not len(targets):
        return np.full(len(points), _FAR_M)
    out = np.empty(len(points))
    square = (targets**2).sum(axis=1)
    for k in range(0, len(points), 4096):
        part = points[k : k + 4096]
        out[k : k + 4096] = (square - 2.0 * part @ targets.T).min(axis=1) + (part**2).sum(axis=1)
    return np.asarray(np.sqrt(np.maximum(out, 0.0)))


def _nearest_room(points: F64, rooms: Sequence[PictureRoom]) -> NDArray[np.uint8]:
    best = np.full(len(points), np.inf)
    owner = np.zeros(len(points), np.uint8)
    for k, room in enumerate(rooms):
        polygon = np.asarray(room.polygon_m, dtype=np.float64)
        outside = np.where(points_in_polygon(points, polygon), 0.0, _distance(points, _edge_points(polygon, 0.1)))
        closer = outside < best
        best[closer], owner[closer] = outside[closer], k
    return owner


def _links(middle: F64, portal: Portal) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    low, high = np.array(portal.low_m[:2]) - 0.02, np.array(portal.high_m[:2]) + 0.02
    out = []
    for a, b, axis in ((middle[:, :-1], middle[:, 1:], 0), (middle[:-1], middle[1:], 1)):
        other = 1 - axis
        beside = ((a + b)[..., other] / 2 >= low[other]) & ((a + b)[..., other] / 2 <= high[other])
        across = (a[..., axis] <= high[axis] + COARSE_M) & (b[..., axis] >= low[axis] - COARSE_M)
        out.append(beside & across)
    return out[0], out[1]


def spread(plan: Plan, n_rooms: int, open_share: F64) -> F32:
    """Share of each room's soft light at each place, shape (rooms as source, rooms as layer, H, W) float32.

    In the layer of room r, cells outside r repeat r's own values so that interpolation never reaches through a wall.
    """
    n = max(1, n_rooms)
    own = plan.coarse_room
    source = (own[None] == np.arange(n)[:, None, None]).astype(np.float32)
    east = (own[:, :-1] == own[:, 1:]).astype(np.float32)
    north = (own[:-1] == own[1:]).astype(np.float32)
    for (along_x, along_y), share in zip(plan.opening, open_share, strict=True):
        east[along_x] = np.maximum(east[along_x], share)
        north[along_y] = np.maximum(north[along_y], share)
    light = _diffuse(source, east, north)
    return np.stack([_fill(light, own == k) for k in range(n)], axis=1)


def _sum_neighbours(u: F32, east: F32, north: F32) -> F32:
    total = np.zeros_like(u)
    total[:, :, 1:] += east * u[:, :, :-1]
    total[:, :, :-1] += east * u[:, :, 1:]
    total[:, 1:] += north * u[:, :-1]
    total[:, :-1] += north * u[:, 1:]
    return total


def _diffuse(source: F32, east: F32, north: F32) -> F32:
    keep = np.float32((COARSE_M / _REACH_M) ** 2)
    weight = keep + _sum_neighbours(np.ones_like(source[:1]), east, north)
    u = source.copy()
    for _ in range(_ITERATIONS):
        u = (keep * source + _sum_neighbours(u, east, north)) / weight
    return u


def _fill(light: F32, known: NDArray[np.bool_]) -> F32:
    one = np.ones((known.shape[0], known.shape[1] - 1), np.float32), np.ones((known.shape[0] - 1, known.shape[1]), np.float32)
    value, have = np.where(known, light, np.float32(0.0)), known.astype(np.float32)[None]
    for _ in range(4):
        count = _sum_neighbours(have, *one)
        mean = _sum_neighbours(value * have, *one) / np.maximum(count, 1.0)
        value = np.where(have > 0, value, mean)
        have = np.maximum(have, (count > 0).astype(np.float32))
    return np.asarray(value, dtype=np.float32)
