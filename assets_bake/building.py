"""A shell from a plan: rectangular rooms, straight walls with openings, floors, ceilings, paint, skirting, windows, doors and passages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assets_bake import meshes
from assets_bake.builder import AssetMaker
from assets_bake.flat.windows import window
from assets_bake.looks import Look, plain
from assets_bake.scene_maker import SceneMaker
from assistcore.house.stage import Room, Surface
from assistcore.house.usd_spec import instantiate
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose

F64 = NDArray[np.float64]
CEILING_M = 2.6
DOOR_M = (0.94, 2.04)
WALL_CORE = plain((0.62, 0.60, 0.57), 0.95)
SKIRTING = plain((0.94, 0.93, 0.90), 0.5)
WHITE = plain((0.96, 0.96, 0.95), 0.95)
Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1, metres."""


class Opening(NamedTuple):
    """A hole in a wall: centre along it, width, lower and upper edge, and what fills it (door, window, passage)."""

    at_m: float
    width_m: float
    low_m: float
    high_m: float
    kind: str


class Wall(NamedTuple):
    """A straight wall: axis it runs along, its two faces on the other axis, its span, openings."""

    name: str
    axis: str
    faces_m: tuple[float, float]
    span_m: tuple[float, float]
    openings: tuple[Opening, ...] = ()


class RoomPlan(NamedTuple):
    """A rectangular room with its wall paint and floor."""

    title: str
    rectangle_m: Rectangle
    paint: Look
    floor: Look


@dataclass(frozen=True)
class Plan:
    """A building. `views` are rooms with windows: room, axis and level of the backdrop, its span, and the way it looks."""

    rooms: Mapping[str, RoomPlan]
    walls: tuple[Wall, ...]
    views: tuple[tuple[str, str, float, float, float, float], ...]
    inward: Mapping[str, tuple[float, float]]
    """For each wall with windows, the direction into the building."""


def door(at_m: float) -> Opening:
    """A doorway for the `door` family."""
    return Opening(at_m, DOOR_M[0], 0.0, DOOR_M[1], "door")


def put_shell(scene: SceneMaker, plan: Plan) -> None:
    """Add rooms, walls, floors, ceilings, paint, windows and what is outside. Doors and passages are put by the scene."""
    for key, room in plan.rooms.items():
        x0, y0, x1, y1 = room.rectangle_m
        scene.rooms.append(Room(key, room.title, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), 0.0, CEILING_M))
    for number, wall in enumerate(plan.walls, 1):
        _wall(scene, wall, number)
    for key, room in plan.rooms.items():
        _floor(scene, key, room)
        _paint(scene, plan, key, room)
    number = 0
    for wall in plan.walls:
        for o in wall.openings:
            if o.kind == "window":
                number += 1
                inward = plan.inward[wall.name]
                window(scene, number, wall.axis, wall.faces_m, o, _room_at(plan, wall, o.at_m, inward), inward)
    for number, view in enumerate(plan.views, 1):
        _backdrop(scene, number, *view)


def _structure(scene: SceneMaker, m: AssetMaker, key: str, room: str) -> None:
    scene.add(instantiate(m.entity(), EntityRef.from_key(key), room, Pose()))


def _wall(scene: SceneMaker, wall: Wall, number: int) -> None:
    m = AssetMaker(f"{scene.name}_wall_{wall.name}", "wall", "structure", scene.textures)
    e = 0.0015
    f0, f1 = wall.faces_m
    for a, b, z0, z1 in _spans(wall):
        x = wall.axis == "x"
        m.body.solid(*(((a, f0, z0), (b, f1, z1)) if x else ((f0, a, z0), (f1, b, z1))))
        a, b = (a + e if a == wall.span_m[0] else a), (b - e if b == wall.span_m[1] else b)
        low, high = ((a, f0 + e, z0), (b, f1 - e, z1)) if x else ((f0 + e, a, z0), (f1 - e, b, z1))
        m.body.box(low, high, WALL_CORE, solid=False)
    _structure(scene, m, f"wall_{number}", "")


def _spans(wall: Wall) -> list[Rectangle]:
    """Solid rectangles of a wall: along from, z from, as (along from, along to, z from, z to)."""
    out, at = [], wall.span_m[0]
    for o in sorted(wall.openings):
        a, b = o.at_m - o.width_m / 2, o.at_m + o.width_m / 2
        out.append((at, a, 0.0, CEILING_M))
        if o.low_m > 0:
            out.append((a, b, 0.0, o.low_m))
        out.append((a, b, o.high_m, CEILING_M))
        at = b
    return [*out, (at, wall.span_m[1], 0.0, CEILING_M)]


def _floor(scene: SceneMaker, key: str, room: RoomPlan) -> None:
    """Floor and ceiling, grown half a wall so that floors meet under doors."""
    g = 0.06
    x0, y0, x1, y1 = room.rectangle_m
    x0, y0, x1, y1 = x0 - g, y0 - g, x1 + g, y1 + g
    m = AssetMaker(f"{scene.name}_floor_{key}", "floor", "structure", scene.textures, nouns=("floor",))
    m.body.box((x0, y0, -0.1), (x1, y1, 0.0), room.floor)
    _structure(scene, m, f"{key}_floor_1", key)
    m = AssetMaker(f"{scene.name}_ceiling_{key}", "ceiling", "structure", scene.textures, nouns=("ceiling",))
    m.body.mesh(meshes.quad(((x0 + x1) / 2, (y0 + y1) / 2, CEILING_M), (1, 0, 0), (0, -1, 0), (x1 - x0, y1 - y0)), WHITE)
    m.body.solid((x0, y0, CEILING_M + 0.001), (x1, y1, CEILING_M + 0.1))
    _structure(scene, m, f"{key}_ceiling_1", key)


def _paint(scene: SceneMaker, plan: Plan, key: str, room: RoomPlan) -> None:
    """The inner faces of a room's walls and its skirting boards."""
    m = AssetMaker(f"{scene.name}_paint_{key}", "wall", "structure", scene.textures, nouns=("wall",))
    x0, y0, x1, y1 = room.rectangle_m
    corners = [np.array(p) for p in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        length = float(np.linalg.norm(b - a))
        direction = (b - a) / length
        openings = _openings_on(plan, a, b)
        at, strips = 0.0, []
        for s0, s1, o in openings:
            strips += [(at, s0, 0.0, CEILING_M), (s0, s1, o.high_m, CEILING_M), *([(s0, s1, 0.0, o.low_m)] if o.low_m > 0 else [])]
            at = s1
        for s0, s1, z0, z1 in [*strips, (at, length, 0.0, CEILING_M)]:
            c = a + direction * (s0 + s1) / 2
            right, size = (-direction[0], -direction[1], 0), (s1 - s0, z1 - z0)
            m.body.mesh(meshes.quad((c[0], c[1], (z0 + z1) / 2), right, (0, 0, 1), size, room.paint.tile_m), room.paint)
        _skirting(m, a, direction, length, openings)
    _structure(scene, m, f"{key}_walls_1", key)


def _openings_on(plan: Plan, a: F64, b: F64) -> list[tuple[float, float, Opening]]:
    """Openings of the wall on whose face the edge a-b lies: distance along the edge from, to, and the opening."""
    along = "x" if abs(b[0] - a[0]) > abs(b[1] - a[1]) else "y"
    i = 0 if along == "x" else 1
    out = []
    for wall in plan.walls:
        if wall.axis != along or min(abs(a[1 - i] - f) for f in wall.faces_m) > 1e-6:
            continue
        for o in wall.openings:
            if min(a[i], b[i]) < o.at_m < max(a[i], b[i]):
                s = abs(o.at_m - a[i])
                out.append((s - o.width_m / 2, s + o.width_m / 2, o))
    return sorted(out, key=lambda row: row[0])


def _skirting(m: AssetMaker, a: F64, direction: F64, length: float, openings: list[tuple[float, float, Opening]]) -> None:
    inward = np.array([-direction[1], direction[0]])
    stops = [(s0 - 0.06, s1 + 0.06) if o.kind == "door" else (s0, s1) for s0, s1, o in openings if o.kind != "window"]
    at = 0.0
    for s0, s1 in [*stops, (length, length)]:
        if s0 - at > 0.02:
            p, q = a + direction * at, a + direction * s0 + inward * 0.012
            low, high = np.minimum(p, q), np.maximum(p, q)
            m.body.box((low[0], low[1], 0.0), (high[0], high[1], 0.075), SKIRTING, solid=False)
        at = s1


def _room_at(plan: Plan, wall: Wall, along: float, inward: tuple[float, float]) -> str:
    f = wall.faces_m[0] if sum(inward) < 0 else wall.faces_m[1]
    x, y = (along, f) if wall.axis == "x" else (f, along)
    x, y = x + inward[0] * 0.3, y + inward[1] * 0.3
    for key, room in plan.rooms.items():
        x0, y0, x1, y1 = room.rectangle_m
        if x0 < x < x1 and y0 < y < y1:
            return key
    raise ValueError(f"wall {wall.name!r}: the window at {along} looks into no room")


def _backdrop(scene: SceneMaker, number: int, room: str, axis: str, level: float, a: float, b: float, flip: float) -> None:
    """What is seen through the windows of a side, some metres away."""
    glow = Look(Surface((1.0, 1.0, 1.0), "sky", 1.0, 0.9), 0.0)
    low, high, tile = -4.2, 7.8, 15.0
    m = AssetMaker(f"{scene.name}_outside_{number}", "sky", "structure", scene.textures)
    centre = ((a + b) / 2, level, (low + high) / 2) if axis == "x" else (level, (a + b) / 2, (low + high) / 2)
    panel = meshes.quad(centre, (flip, 0.0, 0.0) if axis == "x" else (0.0, flip, 0.0), (0, 0, 1), (b - a, high - low))
    along = panel.vertices_m[:, 0 if axis == "x" else 1] * flip / tile
    m.body.mesh(meshes.Mesh(panel.vertices_m, panel.faces, panel.normals, np.stack([along, panel.uvs[:, 1]], 1)), glow)
    _structure(scene, m, f"outside_{number}", room)
