"""Which lamps and windows light a picture, their shadow matrices, and the uniform blocks that the shader reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.camera import F64
from assistcore.pictures.culling import room_boxes
from assistcore.pictures.scene import PictureScene
from assistcore.pictures.shaders import MAX_LIGHTS, MAX_ROOMS

TILES = 4
"""Shadow tiles along one side of the atlas, and height tiles along one side of theirs."""
_LAMP_HALF_ANGLE = math.radians(74.0)
_LAMP_NEAR_M = 0.10
_HEIGHT_CUT_M = 2.15
"""Nothing higher than this above the floor darkens what is below (lamps, curtain rails, ceilings)."""
_LAMP_LIGHT = 2.9
_SUN_LIGHT = 5.2
_SKY_LIGHT = 1.15
_LAMP_AMBIENT = 0.34
_SKY_AMBIENT = 0.055
_NIGHT_AMBIENT = np.array([0.020, 0.021, 0.024])

ROOM_BLOCK = np.dtype([("height_tile", "<4f4"), ("span", "<4f4")])
LAMP_BLOCK = np.dtype([("clip", "<16f4"), ("tile", "<4f4"), ("body", "<4f4"), ("place", "<4f4"), ("rgb", "<4f4"), ("more", "<4f4")])
OPENING_BLOCK = np.dtype(
    [("clip", "<16f4"), ("tile", "<4f4"), ("body", "<4f4"), ("centre", "<4f4"), ("u", "<4f4"), ("v", "<4f4"), ("into", "<4f4"), ("more", "<4f4")]
)
Vec4 = tuple[float, float, float, float]
_NO_BODY: Vec4 = (0.0, 0.0, -9.0, -9.0)


@dataclass(frozen=True, eq=False)
class Tile:
    """One shadow to render: atlas slot, clip matrix (4, 4) and the room whose drawables cast it. key says what light it belongs to."""

    slot: int
    key: tuple[str, int]
    room: int
    clip: F64


@dataclass(frozen=True, eq=False)
class LightSet:
    """Uniform blocks of one view and the shadow and height tiles that they refer to.

    ranges: shape (rooms, 4), first and end of each room's lamps and windows in the blocks; all zero for rooms out of sight.
    """

    rooms: NDArray[np.void]
    lamps: NDArray[np.void]
    openings: NDArray[np.void]
    ranges: NDArray[np.int64]
    shadow_tiles: tuple[Tile, ...]
    height_tiles: tuple[Tile, ...]


def unit(vector: Sequence[float] | F64) -> F64:
    """The vector divided by its length."""
    v = np.asarray(vector, dtype=np.float64)
    return np.asarray(v / np.linalg.norm(v))


def _orthographic(right: F64, up: F64, backward: F64, centre: F64, half: F64) -> F64:
    """Clip matrix of a box: axes in world frame, half sizes along right, up and backward (metres)."""
    M = np.eye(4)
    for row, (axis, size) in enumerate(((right, half[0]), (up, half[1]), (-backward, half[2]))):
        M[row, :3] = axis / size
        M[row, 3] = -float(axis @ centre) / size
    return M


def lamp_clip(position_m: F64, depth_m: float) -> F64:
    """Downward wide perspective of a lamp that reaches depth_m below it."""
    t, n, f = 1.0 / math.tan(_LAMP_HALF_ANGLE), _LAMP_NEAR_M, max(depth_m, 0.3)
    P = np.array([[t, 0, 0, 0], [0, t, 0, 0], [0, 0, (f + n) / (n - f), 2 * f * n / (n - f)], [0, 0, -1, 0]])
    V = np.eye(4)
    V[:3, 3] = -position_m
    return P @ V


def sun_clip(centre: F64, u: F64, v: F64, sun: F64, reach_m: float) -> F64:
    """Box along the sun's rays that holds everything behind a window with half edges u and v."""
    right = unit(np.cross((0.0, 0.0, 1.0), sun)) if abs(sun[2]) < 0.999 else np.array([1.0, 0.0, 0.0])
    up = np.cross(sun, right)
    half = np.array([abs(float(right @ u)) + abs(float(right @ v)), abs(float(up @ u)) + abs(float(up @ v)), reach_m / 2.0])
    half[:2] += 0.05
    return _orthographic(right, up, sun, centre - sun * (reach_m / 2.0 - 0.4), half)


def height_clip(low: F64, high: F64) -> F64:
    """View straight down on a room's box, cut above head height."""
    top = min(float(high[2]) - 0.05, float(low[2]) + _HEIGHT_CUT_M)
    centre = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (top + low[2] - 0.5) / 2])
    half = np.array([(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (top - low[2] + 0.5) / 2])
    return _orthographic(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), np.array([0, 0, 1.0]), centre, half)


def _tile_vector(slot: int | None) -> Vec4:
    if slot is None:
        return (0.0, 0.0, 0.0, 0.0)
    size = 1.0 / TILES
    return ((slot % TILES + 0.5) * size, (slot // TILES + 0.5) * size, size / 2.0, 1.0)


def _columns(M: F64) -> NDArray[np.float32]:
    return M.T.astype(np.float32).ravel()


def _block(entries: list[tuple[object, ...]], layout: np.dtype[np.void]) -> NDArray[np.void]:
    block = np.zeros(MAX_LIGHTS, layout)
    for k, entry in enumerate(entries):
        block[k] = entry
    return block


def _box_in_clip(clip: F64, low: F64, high: F64) -> Vec4:
    """Centre and half size of a world box as a clip matrix sees it; everything when the box reaches behind the light."""
    corners = np.array([[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2], 1.0] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    c = corners @ clip.T
    if (c[:, 3] < 0.05).any():
        return (0.0, 0.0, 2.0, 2.0)
    ndc = c[:, :2] / c[:, 3:]
    (x0, y0), (x1, y1) = (ndc.min(axis=0) - 0.02).tolist(), (ndc.max(axis=0) + 0.02).tolist()
    return ((x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0) / 2, (y1 - y0) / 2)


class _Claims:
    """Hands out atlas slots in the order of asking; one light keeps one slot within a view."""

    def __init__(self, body_box: tuple[F64, F64] | None) -> None:
        self.tiles: list[Tile] = []
        self.body_box = body_box

    def claim(self, key: tuple[str, int], room: int, clip: F64) -> tuple[Vec4, Vec4]:
        """Place in the atlas and box of the body as the light sees it; zeros when the atlas is full."""
        slot = next((tile.slot for tile in self.tiles if tile.key == key), None)
        if slot is None and len(self.tiles) < TILES * TILES:
            slot = len(self.tiles)
            self.tiles.append(Tile(slot, key, room, clip))
        return _tile_vector(slot), _NO_BODY if self.body_box is None else _box_in_clip(clip, *self.body_box)


class LightPlan:
    """Light of a scene, prepared once; `select` picks what one view needs."""

    def __init__(self, scene: PictureScene, shadow_side_px: int) -> None:
        self.scene = scene
        self.low, self.high = room_boxes(scene.rooms)
        self.sun = unit(scene.daylight.sun_direction)
        self.texel = 1.0 / (TILES * shadow_side_px)
        self.windows = [self._window(k) for k in range(len(scene.windows))]

    def _window(self, k: int) -> tuple[F64, F64, F64, F64, F64]:
        window = self.scene.windows[k]
        centre, u, v = (np.array(x, dtype=np.float64) for x in (window.centre_m, window.half_u_m, window.half_v_m))
        into = unit(np.cross(u, v))
        middle = np.append(self.scene.rooms[window.room].polygon_m.mean(axis=0), centre[2])
        if float(into @ (middle - centre)) < 0:
            into = -into
        reach = 1.0 + 2.0 * float(np.linalg.norm(self.high[window.room] - self.low[window.room]))
        return centre, u, v, into, sun_clip(centre, u, v, self.sun, reach)

    def sources(self, levels: F64) -> NDArray[np.float32]:
        """Soft light given off in each room, shape (rooms, 3), for lamp levels (l,)."""
        day = self.scene.daylight
        out = np.tile(_NIGHT_AMBIENT, (max(1, len(self.scene.rooms)), 1))
        if not self.scene.rooms:
            return np.full((1, 3), 0.62, np.float32)
        for lamp, level in zip(self.scene.lamps, levels, strict=True):
            out[lamp.room] += _LAMP_AMBIENT * lamp.intensity * level * np.array(lamp.rgb) * (14.0 / (6.0 + self._area(lamp.room)))
        for window, (_, u, v, into, _) in zip(self.scene.windows, self.windows, strict=True):
            glass = 4.0 * float(np.linalg.norm(u) * np.linalg.norm(v))
            share = glass * 14.0 / (6.0 + self._area(window.room))
            bounce = 0.5 * day.sun_strength * max(0.0, -float(self.sun @ into)) * np.array(day.sun_rgb)
            out[window.room] += _SKY_AMBIENT * share * (day.sky_strength * np.array(day.sky_rgb) + bounce * 1.6)
        return out.astype(np.float32)

    def _area(self, room: int) -> float:
        size = self.high[room] - self.low[room]
        return float(size[0] * size[1])

    def select(self, visible: Sequence[int], levels: F64, open_share: F64, body_box: tuple[F64, F64] | None) -> LightSet:
        """Blocks and tiles for the visible rooms, nearest first; lights beyond MAX_LIGHTS of a kind are left out.

        A room whose own lamps are off gets the lamps next door through its open portals.
        """
        rooms = np.zeros(MAX_ROOMS, ROOM_BLOCK)
        lamps: list[tuple[object, ...]] = []
        openings: list[tuple[object, ...]] = []
        ranges = np.zeros((len(self.scene.rooms), 4), np.int64)
        claims = _Claims(body_box)
        heights: list[Tile] = []
        for room in visible[:MAX_ROOMS]:
            first = (len(lamps), len(openings))
            lit = self._lit(room, levels)
            spill = [] if lit else [k for other in self._open_neighbours(room, open_share) for k in self._lit(other, levels)]
            lamps += [self._lamp_block(k, room, float(levels[k]), claims) for k in lit + spill]
            openings += [self._opening_block(k, claims) for k, window in enumerate(self.scene.windows) if window.room == room]
            del lamps[MAX_LIGHTS:], openings[MAX_LIGHTS:]
            self._room_block(rooms, room, heights)
            ranges[room] = (first[0], len(lamps), first[1], len(openings))
        return LightSet(rooms, _block(lamps, LAMP_BLOCK), _block(openings, OPENING_BLOCK), ranges, tuple(claims.tiles), tuple(heights))

    def _lit(self, room: int, levels: F64) -> list[int]:
        return [k for k, lamp in enumerate(self.scene.lamps) if lamp.room == room and levels[k] > 0]

    def _open_neighbours(self, room: int, open_share: F64) -> list[int]:
        pairs = [(p.room_a, p.room_b) for p, share in zip(self.scene.portals, open_share, strict=True) if share > 0]
        return sorted({b if a == room else a for a, b in pairs if room in (a, b)})

    def _room_block(self, rooms: NDArray[np.void], room: int, heights: list[Tile]) -> None:
        low, high = self.low[room], self.high[room]
        if len(heights) < TILES * TILES:
            clip = height_clip(low, high)
            x, y, half, _ = _tile_vector(len(heights))
            scale = (clip[0, 0] * half, clip[1, 1] * half)
            rooms[room]["height_tile"] = (clip[0, 3] * half + x, clip[1, 3] * half + y, *scale)
            heights.append(Tile(len(heights), ("height", room), room, clip))
            rooms[room]["span"][2] = 1.0
        rooms[room]["span"][:2] = (low[2], high[2])

    def _lamp_block(self, k: int, room: int, level: float, claims: _Claims) -> tuple[object, ...]:
        lamp = self.scene.lamps[k]
        position = np.array(lamp.position_m, dtype=np.float64)
        clip = lamp_clip(position, float(position[2] - self.low[lamp.room][2]) + 0.2)
        tile, body = claims.claim(("lamp", k), lamp.room, clip)
        if room != lamp.room:
            tile = (*tile[:3], 2.0 * tile[3])
            level = level if tile[3] > 0 else 0.0
        place = (*lamp.position_m, _LAMP_LIGHT * lamp.intensity * level)
        return (_columns(clip), tile, body, place, (*lamp.rgb, 1.3 * self.texel), (room, 0, 0, 0))

    def _opening_block(self, k: int, claims: _Claims) -> tuple[object, ...]:
        window = self.scene.windows[k]
        centre, u, v, into, clip = self.windows[k]
        sunny = self.scene.daylight.sun_strength > 0 and float(self.sun @ into) < -0.02
        tile, body = claims.claim(("window", k), window.room, clip) if sunny else (_tile_vector(None), _NO_BODY)
        lu, lv = float(np.linalg.norm(u)), float(np.linalg.norm(v))
        edges = ((*u / lu, lu), (*v / lv, lv), (*into, 4.0 * lu * lv))
        return (_columns(clip), tile, body, (*centre, 1.0 * self.texel), *edges, (window.room, 0, 0, 0))

    def sun_light(self) -> tuple[float, float, float]:
        """Colour of direct sun."""
        day = self.scene.daylight
        r, g, b = (_SUN_LIGHT * day.sun_strength * c for c in day.sun_rgb)
        return (r, g, b)

    def sky_light(self) -> tuple[float, float, float]:
        """Colour of the light that a window gives off."""
        day = self.scene.daylight
        r, g, b = (_SKY_LIGHT * day.sky_strength * c for c in day.sky_rgb)
        return (r, g, b)
