"""Where `[Walk]` goes for a thing, a piece of furniture, a door or a room."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from actions.navigation.kernels import polygon_distance
from actions.stance import CROWDED_COST_M, LEAST_CLEARANCE_M, TURN_CLEARANCE_M, Candidates, Stance, candidates_of, stances
from actions.world import ActionWorld
from assistcore.house.stage import Entity, Room
from assistcore.world.ids import EntityRef

F64 = NDArray[np.float64]

RINGS_M = (0.38, 0.50, 0.65)
SPACING_M = 0.20
BACK_COST_M = 3.0
"""Extra cost of standing at a side other than the one a thing is used from."""
ROOMY_M = 0.40
FAR_RINGS_M = (0.80, 1.10, 1.60)
FAR_SPACING_M = 0.05
"""Rings out of reach are looked at so finely that their places are no more than `SPACING_M` apart."""


def room_of(world: ActionWorld, ref: EntityRef) -> Room | None:
    """The room that a reference names (`<kitchen>` or `<kitchen> (1)`), or None."""
    return next((r for r in world.stage.rooms if r.key in (ref.name, ref.key)), None)


def inside(room: Room, xy: tuple[float, float]) -> bool:
    """Whether a ground point lies in the room's polygon (even-odd rule)."""
    odd = False
    points = room.polygon_m
    for (x0, y0), (x1, y1) in zip(points, (*points[1:], points[0]), strict=True):
        if (y0 > xy[1]) != (y1 > xy[1]) and xy[0] < x0 + (xy[1] - y0) / (y1 - y0) * (x1 - x0):
            odd = not odd
    return odd


def room_stances(world: ActionWorld, room: Room) -> list[Stance]:
    """Free places in a room, the best first: near its middle, with space round them, not far away. They keep the heading of arrival."""
    check = candidates_of(world)
    grid = check.grid
    low, high = np.min(room.polygon_m, axis=0), np.max(room.polygon_m, axis=0)
    middle = np.mean(room.polygon_m, axis=0)
    i0, j0 = grid.cell(*low)
    i1, j1 = grid.cell(*high)
    found: list[tuple[float, int, int]] = []
    for i in range(i0, i1 + 1, 2):
        for j in range(j0, j1 + 1, 2):
            x, y = grid.centre(i, j)
            clearance = float(grid.clearance_m[i, j])
            if clearance < 0.30 or not inside(room, (x, y)):
                continue
            cost = float(check.costs[i, j])
            if np.isfinite(cost):
                rank = cost + 1.5 * float(np.hypot(x - middle[0], y - middle[1])) + 5.0 * max(0.0, ROOMY_M - clearance)
                found.append((rank, i, j))
    return [Stance(grid.centre(i, j), 0.0, rank, float(grid.clearance_m[i, j]), 0.0) for rank, i, j in sorted(found)[:6]]


def entity_stances(world: ActionWorld, key: str) -> list[Stance]:
    """Places to stand at an entity, the best first. Empty when there is none that can be reached, doors on the way included."""
    entity = world.stage.entity(key)
    check = candidates_of(world)
    if entity.kind == "movable":
        return _at_point(world, key, check)
    point, facing = _used_from(world, entity)
    if point is not None and facing is not None and entity.kind != "door":
        found = stances(
            world, point.tolist(), near_m=0.40, far_m=0.80, target=key, facing=facing, spread_rad=np.radians(50.0), candidates=check
        )
        if found:
            return found
    return _round(world, entity, facing, check) or _at_point(world, key, check)


def _at_point(world: ActionWorld, key: str, check: Candidates) -> list[Stance]:
    """Places from which the middle of a thing is in reach, else the nearest from which one comes as close as possible."""
    box = check.scene.box_m(key)
    root = world.state.root(world.stage, key)[:3, 3]
    point = root if box is None else 0.5 * (box[0] + box[1])
    found = stances(world, point.tolist(), near_m=0.40, far_m=0.80, target=key, candidates=check)
    for far in FAR_RINGS_M:
        if found:
            break
        found = stances(world, point.tolist(), near_m=far, far_m=far + 0.4, target=key, candidates=check, rings_m=FAR_SPACING_M)
    return found


def _used_from(world: ActionWorld, entity: Entity) -> tuple[F64 | None, tuple[float, float] | None]:
    """World point and outward horizontal direction of an entity's handle, control or opening."""
    for link in entity.links:
        if link.handle is not None:
            T = world.state.link(world.stage, entity.key, link.key)
            return _at(T, link.handle.point_m), _flat(T, link.handle.normal)
    if entity.control is not None:
        T = world.state.link(world.stage, entity.key, entity.control.link)
        return _at(T, entity.control.point_m), _flat(T, entity.control.normal)
    for region in entity.regions:
        T = world.state.link(world.stage, entity.key, region.link)
        facing = _flat(T, region.opening)
        if facing is not None:
            return None, facing
    return None, None


def _at(T: F64, point: tuple[float, float, float]) -> F64:
    out: F64 = T[:3, :3] @ np.asarray(point) + T[:3, 3]
    return out


def _flat(T: F64, normal: tuple[float, float, float]) -> tuple[float, float] | None:
    n = T[:3, :3] @ np.asarray(normal, np.float64)
    size = float(np.hypot(n[0], n[1]))
    return None if size < 0.5 else (float(n[0] / size), float(n[1] / size))


def _outline(world: ActionWorld, entity: Entity) -> tuple[F64, float]:
    """Corners (4, 2), counter-clockwise, of the box round an entity's pieces in its own frame, world metres, and a height to look at."""
    T = world.state.root(world.stage, entity.key)
    low, high = entity.box_m
    corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    flat = corners @ T[:2, :2].T + T[:2, 3]
    return flat, float(min(1.0, max(0.3, T[2, 3] + high[2] - 0.02)))


def _sides(outline: F64) -> Iterator[tuple[F64, F64]]:
    """Points along each side with the outward direction."""
    for k in range(4):
        a, b = outline[k], outline[(k + 1) % 4]
        length = float(np.linalg.norm(b - a))
        if length < 1e-6:
            continue
        out = np.array([b[1] - a[1], a[0] - b[0]]) / length
        n = max(1, round(length / SPACING_M))
        for i in range(n):
            yield a + (i + 0.5) / n * (b - a), out


def _round(world: ActionWorld, entity: Entity, facing: tuple[float, float] | None, check: Candidates) -> list[Stance]:
    """Places along the sides of a piece of furniture or a door, looking at it."""
    outline, height = _outline(world, entity)
    rough: list[tuple[float, float, float, float, float, float]] = []
    for side, out in _sides(outline):
        for away in RINGS_M:
            x, y = (float(v) for v in side + away * out)
            clearance = check.grid.at(x, y)
            if clearance < LEAST_CLEARANCE_M or polygon_distance(x, y, outline) < 0.2:
                continue
            cost = check.route_cost_m((x, y))
            if not np.isfinite(cost):
                continue
            cost += CROWDED_COST_M * float(np.clip((TURN_CLEARANCE_M - clearance) / 0.2, 0.0, 1.0)) + 2.0 * abs(away - 0.5)
            if facing is not None and float(out @ np.array(facing)) < 0.7:
                cost += BACK_COST_M
            rough.append((cost, x, y, float(np.arctan2(-out[1], -out[0])), float(side[0]), float(side[1])))
    found: list[Stance] = []
    for cost, x, y, heading, px, py in sorted(rough):
        if check.idle_hits((x, y), heading) or not check.sees((x, y), (px, py, height), entity.key):
            continue
        found.append(Stance((x, y), heading, cost, check.grid.at(x, y), float(np.hypot(px - x, py - y))))
        if len(found) >= 12:
            break
    return found
