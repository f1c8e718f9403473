"""Findings about floor plans: polygons that are no rooms, rooms in rooms, doors that do not fit their walls (procthor#52)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import Entity, Room, StageModel
from assistcore.world.errors import Problem

F64 = NDArray[np.float64]
TINY_M = 1e-4


def check_rooms(stage: StageModel) -> list[Problem]:
    """Every finding about the stage's rooms and doors, in order of rooms, then doors."""
    out: list[Problem] = []
    sound: list[Room] = []
    for room in stage.rooms:
        found = _polygon(stage.name, room)
        out += found
        if not found:
            sound.append(room)
    keys = [r.key for r in stage.rooms]
    out += [
        Problem(f"{stage.name}#/rooms/{k}", f"room key {k!r} is used {keys.count(k)} times") for k in sorted(set(keys)) if keys.count(k) > 1
    ]
    out += _pairs(stage.name, sound)
    for entity in stage.entities:
        if entity.kind == "door":
            out += _door(stage, entity, sound)
    return out


def _polygon(scene: str, room: Room) -> list[Problem]:
    where = f"{scene}#/rooms/{room.key}/polygon_m"
    p = np.asarray(room.polygon_m, dtype=np.float64)
    if p.ndim != 2 or len(p) < 3:
        return [Problem(where, f"has {len(p)} corners", "a room needs at least 3")]
    repeated = [k for k in range(len(p)) if np.linalg.norm(p[k] - p[(k + 1) % len(p)]) < TINY_M]
    if repeated:
        return [
            Problem(
                where,
                f"repeated vertex: corners {repeated[0]} and {(repeated[0] + 1) % len(p)} are both {p[repeated[0]].tolist()}",
                "remove one",
            )
        ]
    if _crosses(p):
        return [Problem(where, "crosses itself (bow-tie)", "list the corners in order around the room")]
    out = []
    for k in range(len(p)):
        a, b, c = p[k - 1], p[k], p[(k + 1) % len(p)]
        if abs(_cross(b - a, c - b)) < TINY_M * max(1.0, float(np.linalg.norm(c - a))):
            out.append(
                Problem(
                    where, f"corners {(k - 1) % len(p)}, {k} and {(k + 1) % len(p)} are collinear: {b.tolist()} is no corner", "remove it"
                )
            )
    area = _area(p)
    if not out and area < 0:
        out.append(Problem(where, f"runs clockwise (area {area:.2f} m2)", "list the corners counter-clockwise"))
    return out


def _cross(a: F64, b: F64) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _area(p: F64) -> float:
    q = np.roll(p, -1, axis=0)
    return float((p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]).sum() / 2)


def _crosses(p: F64) -> bool:
    n = len(p)
    for i in range(n):
        for j in range(i + 2, n):
            if (j + 1) % n == i:
                continue
            a, b, c, d = p[i], p[(i + 1) % n], p[j], p[(j + 1) % n]
            if _cross(b - a, c - a) * _cross(b - a, d - a) < 0 and _cross(d - c, a - c) * _cross(d - c, b - c) < 0:
                return True
    return False


def inside(point: F64, polygon: F64) -> bool:
    """Whether a point is inside a polygon, shape (k, 2)."""
    x, y = float(point[0]), float(point[1])
    hit = False
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if (a[1] > y) != (b[1] > y) and x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]:
            hit = not hit
    return hit


def _pairs(scene: str, rooms: Sequence[Room]) -> list[Problem]:
    out = []
    for i, one in enumerate(rooms):
        for two in rooms[i + 1 :]:
            p, q = np.asarray(one.polygon_m, dtype=np.float64), np.asarray(two.polygon_m, dtype=np.float64)
            where = f"{scene}#/rooms/{two.key}"
            if _same(p, q):
                out.append(Problem(where, f"is identical to room {one.key!r}", "remove one of them"))
            elif all(inside(v, p) for v in q):
                out.append(Problem(where, f"lies inside room {one.key!r}", "cut it out of the outer room"))
            elif all(inside(v, q) for v in p):
                out.append(Problem(f"{scene}#/rooms/{one.key}", f"lies inside room {two.key!r}", "cut it out of the outer room"))
            elif _overlap(p, q):
                out.append(Problem(where, f"overlaps room {one.key!r}", "rooms may only touch"))
    return out


def _same(p: F64, q: F64) -> bool:
    return len(p) == len(q) and all(min(np.linalg.norm(q - v, axis=1)) < TINY_M for v in p)


def _overlap(p: F64, q: F64) -> bool:
    def shrunk(r: F64) -> F64:
        return np.asarray(r.mean(axis=0) + (r - r.mean(axis=0)) * 0.999)

    return any(inside(v, q) for v in shrunk(p)) or any(inside(v, p) for v in shrunk(q))


def _door(stage: StageModel, door: Entity, rooms: Sequence[Room]) -> list[Problem]:
    """A door must stand in a wall: both rooms that it joins have a parallel edge near it that is at least as wide as its leaf."""
    where = f"{stage.name}#/entities/{door.key}"
    by_key = {r.key: r for r in rooms}
    out = [
        Problem(where, f"joins unknown room {key!r}", f"rooms: {', '.join(r.key for r in stage.rooms)}")
        for key in door.connects
        if key not in {r.key for r in stage.rooms}
    ]
    T = door.pose.matrix()
    low, high = door.box_m
    along, centre, width = T[:2, 0], T[:2, 3], float(high[0] - low[0])
    for key in door.connects:
        if key not in by_key:
            continue
        edge = _nearest_edge(np.asarray(by_key[key].polygon_m, dtype=np.float64), centre, along)
        if edge is None:
            out.append(Problem(where, f"is on no wall of room {key!r}", "place it within 0.25 m of a wall and parallel to it"))
        elif width > edge:
            out.append(
                Problem(where, f"is {width:.2f} m wide, its wall in room {key!r} only {edge:.2f} m", "use a wider wall or a narrower door")
            )
    return out


def _nearest_edge(polygon: F64, centre: F64, along: F64) -> float | None:
    """Length of the edge that a door at `centre` stands on, or None."""
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        length = float(np.linalg.norm(b - a))
        direction = (b - a) / length
        s = float((centre - a) @ direction)
        if abs(_cross(direction, along)) < 0.05 and abs(_cross(direction, centre - a)) < 0.25 and 0.0 <= s <= length:
            return length
    return None
