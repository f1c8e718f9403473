"""Rooms, walls with door and window openings, floors, ceilings, skirting, windows, doors and what is outside."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assets_bake import meshes
from assets_bake.builder import AssetMaker
from assets_bake.flat.windows import window
from assets_bake.looks import Look, plain, textured
from assets_bake.scene_maker import SceneMaker
from assistcore.house.stage import Room, Surface
from assistcore.house.usd_spec import instantiate
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose

F64 = NDArray[np.float64]
Span = tuple[float, float, float, float, str]
"""Part of an edge or wall: from, to, lower and upper height, what fills it."""
CEILING_M = 2.6
OUTER_M = 0.14
DOOR_W, DOOR_H = 0.94, 2.04

ROOMS = {
    "living_room": ("living room", ((0.0, 4.5), (6.4, 4.5), (6.4, 8.0), (0.0, 8.0))),
    "kitchen": ("kitchen", ((6.52, 4.5), (11.0, 4.5), (11.0, 8.0), (6.52, 8.0))),
    "bedroom": ("bedroom", ((0.0, 0.0), (5.0, 0.0), (5.0, 4.38), (0.0, 4.38))),
    "bathroom": ("bathroom", ((5.12, 0.0), (8.4, 0.0), (8.4, 2.78), (5.12, 2.78))),
    "hall": ("hall", ((8.52, 0.0), (11.0, 0.0), (11.0, 4.38), (5.12, 4.38), (5.12, 2.9), (8.52, 2.9))),
}


class Opening(NamedTuple):
    """A hole in a wall: centre along it, width, lower and upper edge, and what fills it."""

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


def _door(at: float) -> Opening:
    return Opening(at, DOOR_W, 0.0, DOOR_H, "door")


def _window(at: float, width: float, low: float = 0.9, high: float = 2.15) -> Opening:
    return Opening(at, width, low, high, "window")


WALLS = (
    Wall(
        "north",
        "x",
        (8.0, 8.0 + OUTER_M),
        (-OUTER_M, 11 + OUTER_M),
        (_window(1.9, 1.4, 0.85), _window(4.5, 1.4, 0.85), _window(8.7, 0.8, 1.2)),
    ),
    Wall("south", "x", (-OUTER_M, 0.0), (-OUTER_M, 11 + OUTER_M), (_window(1.7, 1.4), _window(3.85, 1.2, 1.0), _window(7.25, 0.6, 1.35))),
    Wall("west", "y", (-OUTER_M, 0.0), (0.0, 8.0)),
    Wall("east", "y", (11.0, 11.0 + OUTER_M), (0.0, 8.0), (_window(6.4, 1.0, 1.0),)),
    Wall("middle", "x", (4.38, 4.5), (0.0, 11.0), (_door(5.8), _door(8.9))),
    Wall("kitchen", "y", (6.4, 6.52), (4.5, 8.0), (Opening(5.45, 1.1, 0.0, 2.1, "passage"),)),
    Wall("bedroom", "y", (5.0, 5.12), (0.0, 4.38), (_door(3.64),)),
    Wall("bathroom", "x", (2.78, 2.9), (5.12, 8.52), (_door(6.8),)),
    Wall("hall", "y", (8.4, 8.52), (0.0, 2.78)),
)

PAINT = {
    "living_room": plain((0.90, 0.87, 0.80), 0.9),
    "kitchen": plain((0.92, 0.90, 0.84), 0.9),
    "bedroom": plain((0.78, 0.83, 0.87), 0.9),
    "bathroom": plain((0.93, 0.94, 0.94), 0.6),
    "hall": plain((0.88, 0.84, 0.78), 0.9),
}
FLOOR = {
    "living_room": textured("oak_floor", 1.6, roughness=0.5),
    "kitchen": textured("tiles_terracotta", 0.9, roughness=0.45),
    "bedroom": textured("oak_floor", 1.6, roughness=0.5),
    "bathroom": textured("tiles_floor", 0.6, roughness=0.35),
    "hall": textured("oak_floor", 1.6, roughness=0.5),
}
WALL_CORE = plain((0.62, 0.60, 0.57), 0.95)


def furnish(scene: SceneMaker) -> None:
    """Add the shell to the scene."""
    for key, (title, polygon) in ROOMS.items():
        scene.rooms.append(Room(key, title, polygon, 0.0, CEILING_M))
    for number, wall in enumerate(WALLS, 1):
        _wall(scene, wall, number)
    for room in ROOMS:
        _floor(scene, room)
        _ceiling(scene, room)
        _paint(scene, room)
    for k, (wall, opening, room, inward) in enumerate(_windows(), 1):
        window(scene, k, wall.axis, wall.faces_m, opening, room, inward)
    _outside(scene)
    _doors(scene)
    scene.put(
        "passage_1",
        "decor",
        "passage",
        (6.46, 5.45, 0.0),
        "W",
        kind="passage",
        size_m=(1.1, 2.1),
        room="living_room",
        connects=("kitchen", "living_room"),
    )


def _structure(scene: SceneMaker, m: AssetMaker, key: str, room: str) -> None:
    scene.add(instantiate(m.entity(), EntityRef.from_key(key), room, Pose()))


def _spans(wall: Wall) -> list[tuple[float, float, float, float]]:
    """Solid rectangles of a wall: along from, along to, z from, z to."""
    out, at = [], wall.span_m[0]
    for o in sorted(wall.openings):
        a, b = o.at_m - o.width_m / 2, o.at_m + o.width_m / 2
        out.append((at, a, 0.0, CEILING_M))
        if o.low_m > 0:
            out.append((a, b, 0.0, o.low_m))
        out.append((a, b, o.high_m, CEILING_M))
        at = b
    out.append((at, wall.span_m[1], 0.0, CEILING_M))
    return out


def _wall(scene: SceneMaker, wall: Wall, number: int) -> None:
    m = AssetMaker(f"flat_wall_{wall.name}", "wall", "structure", scene.textures)
    e = 0.0015
    f0, f1 = wall.faces_m
    for a, b, z0, z1 in _spans(wall):
        x = wall.axis == "x"
        low, high = ((a, f0, z0), (b, f1, z1)) if x else ((f0, a, z0), (f1, b, z1))
        m.body.solid(low, high)
        a, b = (a + e if a == wall.span_m[0] else a), (b - e if b == wall.span_m[1] else b)  # behind the paint of a wall across
        low, high = ((a, f0 + e, z0), (b, f1 - e, z1)) if x else ((f0 + e, a, z0), (f1 - e, b, z1))
        m.body.box(low, high, WALL_CORE, solid=False)
    _structure(scene, m, f"wall_{number}", "")


def _rectangles(room: str) -> list[tuple[float, float, float, float]]:
    """The room's floor as rectangles, grown half a wall so that floors meet under doors."""
    g = 0.06
    if room == "hall":
        return [(8.52 - g, -g, 11 + g, 4.38 + g), (5.12 - g, 2.9 - g, 8.52 - g, 4.38 + g)]
    (x0, y0), _, (x1, y1), _ = ROOMS[room][1]
    return [(x0 - g, y0 - g, x1 + g, y1 + g)]


def _floor(scene: SceneMaker, room: str) -> None:
    m = AssetMaker(f"flat_floor_{room}", "floor", "structure", scene.textures, nouns=("floor",))
    for x0, y0, x1, y1 in _rectangles(room):
        m.body.box((x0, y0, -0.1), (x1, y1, 0.0), FLOOR[room])
    _structure(scene, m, f"{room}_floor_1", room)


def _ceiling(scene: SceneMaker, room: str) -> None:
    m = AssetMaker(f"flat_ceiling_{room}", "ceiling", "structure", scene.textures, nouns=("ceiling",))
    for x0, y0, x1, y1 in _rectangles(room):
        m.body.mesh(
            meshes.quad(((x0 + x1) / 2, (y0 + y1) / 2, CEILING_M), (1, 0, 0), (0, -1, 0), (x1 - x0, y1 - y0)),
            plain((0.96, 0.96, 0.95), 0.95),
        )
        m.body.solid((x0, y0, CEILING_M + 0.001), (x1, y1, CEILING_M + 0.1))
    _structure(scene, m, f"{room}_ceiling_1", room)


def _edges(room: str) -> list[tuple[F64, F64]]:
    points = [np.array(p) for p in ROOMS[room][1]]
    return list(zip(points, [*points[1:], points[0]], strict=True))


def _openings_on(a: F64, b: F64) -> list[Span]:
    """Openings of the wall on whose face the edge a-b lies: distance along the edge from, to; z from, to; kind."""
    along = "x" if abs(b[0] - a[0]) > abs(b[1] - a[1]) else "y"
    i = 0 if along == "x" else 1
    out = []
    for wall in WALLS:
        if wall.axis != along or min(abs(a[1 - i] - f) for f in wall.faces_m) > 1e-6:
            continue
        for o in wall.openings:
            lo, hi = sorted((a[i], b[i]))
            if lo < o.at_m < hi:
                s = abs(o.at_m - a[i])
                out.append((s - o.width_m / 2, s + o.width_m / 2, o.low_m, o.high_m, o.kind))
    return sorted(out)


def _paint(scene: SceneMaker, room: str) -> None:
    """The inner faces of a room's walls and its skirting boards; the bathroom is tiled to 1.5 m."""
    m = AssetMaker(f"flat_paint_{room}", "wall", "structure", scene.textures, nouns=("wall",))
    skirting = plain((0.94, 0.93, 0.90), 0.5)
    tile = textured("tiles_blue", 0.8, roughness=0.3)
    for a, b in _edges(room):
        length = float(np.linalg.norm(b - a))
        direction = (b - a) / length
        inward = np.array([-direction[1], direction[0]])
        openings = _openings_on(a, b)
        strips: list[tuple[float, float, float, float]] = []
        at = 0.0
        for s0, s1, z0, z1, _ in openings:
            strips += [(at, s0, 0.0, CEILING_M), (s0, s1, z1, CEILING_M), *([(s0, s1, 0.0, z0)] if z0 > 0 else [])]
            at = s1
        strips.append((at, length, 0.0, CEILING_M))
        for s0, s1, z0, z1 in strips:
            for low, high, look in _bands(room, z0, z1, tile):
                c = a + direction * (s0 + s1) / 2
                # Seen from inside, the polygon runs counter-clockwise: the viewer's right is along the edge's reverse.
                m.body.mesh(
                    meshes.quad(
                        (c[0], c[1], (low + high) / 2), (-direction[0], -direction[1], 0), (0, 0, 1), (s1 - s0, high - low), look.tile_m
                    ),
                    look,
                )
        _skirting(m, a, direction, inward, length, openings, skirting if room != "bathroom" else plain((0.80, 0.84, 0.85), 0.4))
    _structure(scene, m, f"{room}_walls_1", room)


def _bands(room: str, z0: float, z1: float, tile: Look) -> list[tuple[float, float, Look]]:
    if room != "bathroom":
        return [(z0, z1, PAINT[room])]
    edge = 1.6
    return [x for x in ((z0, min(z1, edge), tile), (max(z0, edge), z1, PAINT[room])) if x[1] - x[0] > 1e-6]


def _skirting(m: AssetMaker, a: F64, direction: F64, inward: F64, length: float, openings: list[Span], look: Look) -> None:
    at = 0.0
    stops = [(s0 - 0.06, s1 + 0.06) if kind == "door" else (s0, s1) for s0, s1, _, _, kind in openings if kind != "window"]
    for s0, s1 in [*stops, (length, length)]:
        if s0 - at > 0.02:
            p, q = a + direction * at, a + direction * s0 + inward * 0.012
            low, high = np.minimum(p, q), np.maximum(p, q)
            m.body.box((low[0], low[1], 0.0), (high[0], high[1], 0.075), look, solid=False)
        at = s1


def _windows() -> list[tuple[Wall, Opening, str, tuple[float, float]]]:
    out = []
    inward = {"north": (0.0, -1.0), "south": (0.0, 1.0), "west": (1.0, 0.0), "east": (-1.0, 0.0)}
    for wall in WALLS:
        for o in wall.openings:
            if o.kind == "window":
                out.append((wall, o, _room_at(wall, o.at_m, inward[wall.name]), inward[wall.name]))
    return out


def _room_at(wall: Wall, along: float, inward: tuple[float, float]) -> str:
    f = wall.faces_m[0] if sum(inward) < 0 else wall.faces_m[1]
    x, y = (along, f) if wall.axis == "x" else (f, along)
    x, y = x + inward[0] * 0.3, y + inward[1] * 0.3
    for room, (_, polygon) in ROOMS.items():
        xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
        if min(xs) < x < max(xs) and min(ys) < y < max(ys) and not (room == "hall" and x < 8.52 and y < 2.9):
            return room
    raise ValueError(f"wall {wall.name!r}: the window at {along} looks into no room")


def _outside(scene: SceneMaker) -> None:
    """What is seen through the windows: backdrops 5 m away, one for each room and side with windows."""
    glow = Look(Surface((1.0, 1.0, 1.0), "sky", 1.0, 0.9), 0.0)
    low, high, tile = -4.2, 7.8, 15.0
    views = (
        ("living_room", "x", 13.0, -9.5, 20.5, 1.0),
        ("kitchen", "x", 13.05, -9.5, 20.5, 1.0),
        ("bedroom", "x", -5.0, -9.5, 20.5, -1.0),
        ("bathroom", "x", -5.05, -9.5, 20.5, -1.0),
        ("kitchen", "y", 16.0, -9.0, 17.0, -1.0),
    )
    for number, (room, axis, level, a, b, flip) in enumerate(views, 1):
        m = AssetMaker(f"flat_outside_{number}", "sky", "structure", scene.textures)
        centre = ((a + b) / 2, level, (low + high) / 2) if axis == "x" else (level, (a + b) / 2, (low + high) / 2)
        right = (flip, 0.0, 0.0) if axis == "x" else (0.0, flip, 0.0)
        panel = meshes.quad(centre, right, (0, 0, 1), (b - a, high - low))
        along = panel.vertices_m[:, 0 if axis == "x" else 1] * flip / tile
        m.body.mesh(meshes.Mesh(panel.vertices_m, panel.faces, panel.normals, np.stack([along, panel.uvs[:, 1]], 1)), glow)
        _structure(scene, m, f"outside_{number}", room)


def _doors(scene: SceneMaker) -> None:
    for key, at, facing, asset, rooms in (
        ("living_room_door_1", (5.8, 4.44, 0.0), "N", "door_right", ("hall", "living_room")),
        ("kitchen_door_1", (8.9, 4.44, 0.0), "N", "door_left", ("hall", "kitchen")),
        ("bedroom_door_1", (5.06, 3.64, 0.0), "W", "door_left", ("hall", "bedroom")),
        ("bathroom_door_1", (6.8, 2.84, 0.0), "S", "door_left", ("hall", "bathroom")),
    ):
        hinge = asset.removeprefix("door_")
        scene.put(key, "door", asset, at, facing, room="hall", connects=rooms, hinge=hinge)
