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

ROOM_BLOCK = np.dtype([("height_tile", "<4f4"), ("span", "<4f4"), ("lights", "<4i4")])
LAMP_BLOCK = np.dtype([("clip", "<16f4"), ("tile", "<4f4"), ("place", "<4f4"), ("rgb", "<4f4")])
OPENING_BLOCK = np.dtype([("clip", "<16f4"), ("tile", "<4f4"), ("centre", "<4f4"), ("u", "<4f4"), ("v", "<4f4"), ("into", "<4f4")])


@dataclass(frozen=True, eq=False)
class Tile:
    """One shadow to render: atlas slot, clip matrix (4, 4) and the room whose drawables cast it. key says what light it belongs to."""

    slot: int
    key: tuple[str, int]
    room: int
    clip: F64


@dataclass(frozen=True, eq=False)
class LightSet:
    """Uniform blocks of one view and the shadow and height tiles that they refer to."""

    rooms: NDArray[np.void]
    lamps: NDArray[np.void]
    openings: NDArray[np.void]
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


def _tile_vector(slot: int | None) -> tuple[float, float, float, float]:
    if slot is None:
        return (0.0, 0.0, 0.0, 0.0)
    size = 1.0 / TILES
    return ((slot % TILES + 0.5) * size, (slot // TILES + 0.5) * size, size / 2.0, 1.0)


def _columns(M: F64) -> NDArray[np.float32]:
    return M.T.astype(np.float32).ravel()


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

    def select(self, visible: Sequence[int], levels: F64) -> LightSet:
        """Blocks and tiles for the visible rooms, nearest first; lights beyond MAX_LIGHTS of a kind are left out."""
        rooms, lamps, openings = np.zeros(MAX_ROOMS, ROOM_BLOCK), np.zeros(MAX_LIGHTS, LAMP_BLOCK), np.zeros(MAX_LIGHTS, OPENING_BLOCK)
        shadows: list[Tile] = []
        heights: list[Tile] = []
        n_lamps = n_openings = 0
        for room in visible[:MAX_ROOMS]:
            first = (n_lamps, n_openings)
            for k, lamp in enumerate(self.scene.lamps):
                if lamp.room == room and levels[k] > 0 and n_lamps < MAX_LIGHTS:
                    lamps[n_lamps] = self._lamp_block(k, float(levels[k]), shadows)
                    n_lamps += 1
            for k, window in enumerate(self.scene.windows):
                if window.room == room and n_openings < MAX_LIGHTS:
                    openings[n_openings] = self._opening_block(k, shadows)
                    n_openings += 1
            self._room_block(rooms, room, heights)
            rooms[room]["lights"] = (first[0], n_lamps, first[1], n_openings)
        return LightSet(rooms, lamps, openings, tuple(shadows), tuple(heights))

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

    def _lamp_block(self, k: int, level: float, shadows: list[Tile]) -> tuple[object, ...]:
        lamp = self.scene.lamps[k]
        position = np.array(lamp.position_m, dtype=np.float64)
        clip = lamp_clip(position, float(position[2] - self.low[lamp.room][2]) + 0.2)
        slot = self._claim(("lamp", k), lamp.room, clip, shadows)
        return (_columns(clip), _tile_vector(slot), (*lamp.position_m, _LAMP_LIGHT * lamp.intensity * level), (*lamp.rgb, 1.3 * self.texel))

    def _opening_block(self, k: int, shadows: list[Tile]) -> tuple[object, ...]:
        window = self.scene.windows[k]
        centre, u, v, into, clip = self.windows[k]
        sunny = self.scene.daylight.sun_strength > 0 and float(self.sun @ into) < -0.02
        slot = self._claim(("window", k), window.room, clip, shadows) if sunny else None
        lu, lv = float(np.linalg.norm(u)), float(np.linalg.norm(v))
        return (_columns(clip), _tile_vector(slot), (*centre, 1.0 * self.texel), (*u / lu, lu), (*v / lv, lv), (*into, 4.0 * lu * lv))

    def _claim(self, key: tuple[str, int], room: int, clip: F64, shadows: list[Tile]) -> int | None:
        if len(shadows) >= TILES * TILES:
            return None
        shadows.append(Tile(len(shadows), key, room, clip))
        return len(shadows) - 1

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
