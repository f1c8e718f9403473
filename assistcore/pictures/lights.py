"""Which lamps, windows and sun beams light a picture, their shadow matrices, and the records that the shader reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.camera import F64
from assistcore.pictures.culling import room_boxes
from assistcore.pictures.projections import height_clip, lamp_clip, sun_clip, unit
from assistcore.pictures.scene import Lamp, PictureScene
from assistcore.pictures.shaders import LIGHT_STEPS, MAX_ROOMS

SMALL_LAMP = 0.5
"""Lamps of this intensity or less cast no shadows; each shadow costs a picture about as much as four such lamps."""
HEIGHT_TILES = 4
"""Height tiles along one side of their atlas."""
_LAMP_LIGHT = 2.9
_LAMP_UNSHADOWED = 0.14
"""Share of a lamp's light that comes round corners."""
_SUN_LIGHT = 5.2
_SKY_LIGHT = 1.15
_LAMP_AMBIENT = 0.34
_SKY_AMBIENT = 0.055
_NIGHT_AMBIENT = np.array([0.020, 0.021, 0.024])
_NO_ROOMS_AMBIENT = 0.62

ROOM = np.dtype([("height_tile", "<4f4"), ("span", "<4f4")])
LAMP = np.dtype([("clip", "<16f4"), ("place", "<4f4"), ("rgb", "<4f4"), ("more", "<4f4")])
WINDOW = np.dtype([("centre", "<4f4"), ("into", "<4f4"), ("colour", "<4f4")])
BEAM = np.dtype([("clip", "<16f4"), ("centre", "<4f4"), ("u", "<4f4"), ("v", "<4f4"), ("into", "<4f4")])
"""std140 records; a lamp's more.yz: what reaches a place beyond its map, and one in shadow."""

LightKey = tuple[str, int]


@dataclass(frozen=True, eq=False)
class MapTask:
    """A map that a view needs: what it belongs to, the room whose drawables it shows, and its clip matrix (4, 4)."""

    key: LightKey
    room: int
    clip: F64


@dataclass(frozen=True, eq=False)
class Light:
    """One light as one room receives it: its record and, for lamps and beams, the shadow map to sample."""

    room: int
    record: tuple[object, ...]
    map_key: LightKey | None = None


@dataclass(frozen=True, eq=False)
class LightSet:
    """All lights of a view, nearest room first, and the maps to refresh. rooms: (MAX_ROOMS,) records."""

    rooms: NDArray[np.void]
    lamps: tuple[Light, ...]
    windows: tuple[Light, ...]
    beams: tuple[Light, ...]
    shadow_tasks: tuple[MapTask, ...]
    height_tasks: tuple[MapTask, ...]


@dataclass(frozen=True, eq=False)
class Batch:
    """The lights of one room, padded to a compiled number. *_maps: keys of the shadow maps, None for padding."""

    room: int
    size: tuple[int, int, int]
    lamps: NDArray[np.void]
    windows: NDArray[np.void]
    beams: NDArray[np.void]
    lamp_maps: tuple[LightKey | None, ...]
    beam_maps: tuple[LightKey | None, ...]


def padded(count: int) -> int:
    """The compiled number of lights that holds `count`; more than the largest are cut."""
    return next((step for step in LIGHT_STEPS if step >= count), LIGHT_STEPS[-1])


def make_batch(lights: LightSet, room: int) -> Batch:
    """The lights of one room; none for room -1."""
    chosen = [[light for light in kind if light.room == room] for kind in (lights.lamps, lights.windows, lights.beams)]
    size = (padded(len(chosen[0])), padded(len(chosen[1])), padded(len(chosen[2])))
    blocks = []
    for kind, n, layout in zip(chosen, size, (LAMP, WINDOW, BEAM), strict=True):
        block = np.zeros(n, layout)
        if layout is BEAM:
            block["into"] = (0.0, 0.0, 1.0, 0.0)
        for k, light in enumerate(kind[:n]):
            block[k] = light.record
        blocks.append(block)
    maps = [[light.map_key for light in kind[:n]] + [None] * (n - len(kind)) for kind, n in ((chosen[0], size[0]), (chosen[2], size[2]))]
    return Batch(room, size, blocks[0], blocks[1], blocks[2], tuple(maps[0]), tuple(maps[1]))


def _columns(M: F64) -> NDArray[np.float32]:
    return M.T.astype(np.float32).ravel()


class LightPlan:
    """Light of a scene, prepared once; `select` picks what one view needs."""

    def __init__(self, scene: PictureScene, shadow_side_px: int) -> None:
        self.scene = scene
        self.low, self.high = room_boxes(scene.rooms)
        self.sun = unit(scene.daylight.sun_direction)
        self.texel = 1.0 / shadow_side_px
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
            return np.full((1, 3), _NO_ROOMS_AMBIENT, np.float32)
        for lamp, level in zip(self.scene.lamps, levels, strict=True):
            out[lamp.room] += _LAMP_AMBIENT * lamp.intensity * level * np.array(lamp.rgb) * self._concentration(lamp.room)
        for window, (_, u, v, into, _) in zip(self.scene.windows, self.windows, strict=True):
            glass = 4.0 * float(np.linalg.norm(u) * np.linalg.norm(v))
            bounce = 0.8 * day.sun_strength * max(0.0, -float(self.sun @ into)) * np.array(day.sun_rgb)
            light = day.sky_strength * np.array(day.sky_rgb) + bounce
            out[window.room] += _SKY_AMBIENT * glass * self._concentration(window.room) * light
        return out.astype(np.float32)

    def _concentration(self, room: int) -> float:
        """A small room is brighter under the same lamp; 0.7 at 14 square metres."""
        size = self.high[room] - self.low[room]
        return 14.0 / (6.0 + float(size[0] * size[1]))

    def select(self, visible: Sequence[int], levels: F64, open_share: F64) -> LightSet:
        """Lights and maps of the visible rooms; a room whose own lamps are off gets the lamps next door through its open portals."""
        rooms = np.zeros(MAX_ROOMS, ROOM)
        lamps: list[Light] = []
        windows: list[Light] = []
        beams: list[Light] = []
        tasks: dict[LightKey, MapTask] = {}
        heights: list[MapTask] = []
        for room in visible:
            lit = self._lit(room, levels)
            spill = [] if lit else [k for other in self._open_neighbours(room, open_share) for k in self._lit(other, levels)]
            lamps += [self._lamp(k, room, float(levels[k]), tasks) for k in lit + spill if not self._small(k)]
            windows += [self._small_lamp(k, float(levels[k])) for k in lit if self._small(k)]
            for k, window in enumerate(self.scene.windows):
                if window.room == room:
                    windows.append(self._sky(k))
                    beams += self._beam(k, tasks)
            self._describe_room(rooms, room, heights)
        return LightSet(rooms, tuple(lamps), tuple(windows), tuple(beams), tuple(tasks.values()), tuple(heights))

    def _lit(self, room: int, levels: F64) -> list[int]:
        return [k for k, lamp in enumerate(self.scene.lamps) if lamp.room == room and levels[k] > 0]

    def _open_neighbours(self, room: int, open_share: F64) -> list[int]:
        pairs = [(p.room_a, p.room_b) for p, share in zip(self.scene.portals, open_share, strict=True) if share > 0]
        return sorted({b if a == room else a for a, b in pairs if room in (a, b)})

    def _describe_room(self, rooms: NDArray[np.void], room: int, heights: list[MapTask]) -> None:
        if room >= MAX_ROOMS:
            return
        low, high = self.low[room], self.high[room]
        rooms[room]["span"][:2] = (low[2], high[2])
        if room < HEIGHT_TILES * HEIGHT_TILES:
            clip = height_clip(low, high)
            half = 0.5 / HEIGHT_TILES
            x, y = (room % HEIGHT_TILES + 0.5) / HEIGHT_TILES, (room // HEIGHT_TILES + 0.5) / HEIGHT_TILES
            rooms[room]["height_tile"] = (clip[0, 3] * half + x, clip[1, 3] * half + y, clip[0, 0] * half, clip[1, 1] * half)
            rooms[room]["span"][2] = 1.0
            heights.append(MapTask(("height", room), room, clip))

    def _lamp(self, k: int, room: int, level: float, tasks: dict[LightKey, MapTask]) -> Light:
        lamp: Lamp = self.scene.lamps[k]
        position = np.array(lamp.position_m, dtype=np.float64)
        clip = lamp_clip(position, float(position[2] - self.low[lamp.room][2]) + 0.2)
        tasks.setdefault(("lamp", k), MapTask(("lamp", k), lamp.room, clip))
        own = room == lamp.room
        place = (*lamp.position_m, _LAMP_LIGHT * lamp.intensity * level)
        more = (0.0, 1.0 if own else 0.0, _LAMP_UNSHADOWED if own else 0.0, 0.0)
        return Light(room, (_columns(clip), place, (*lamp.rgb, 1.3 * self.texel), more), ("lamp", k))

    def _small(self, k: int) -> bool:
        return self.scene.lamps[k].intensity <= SMALL_LAMP

    def _small_lamp(self, k: int, level: float) -> Light:
        lamp = self.scene.lamps[k]
        r, g, b = (_LAMP_LIGHT * lamp.intensity * level * c for c in lamp.rgb)
        return Light(lamp.room, ((*lamp.position_m, 1.1), (0.0, 0.0, 0.0, 0.0), (r, g, b, 0.0)))

    def _sky(self, k: int) -> Light:
        centre, u, v, into, _ = self.windows[k]
        room = self.scene.windows[k].room
        area = 4.0 * float(np.linalg.norm(u) * np.linalg.norm(v))
        day = self.scene.daylight
        r, g, b = (_SKY_LIGHT * day.sky_strength * area / math.pi * c for c in day.sky_rgb)
        return Light(room, ((*centre, 0.35 * area), (*into, 1.0), (r, g, b, 0.0)))

    def _beam(self, k: int, tasks: dict[LightKey, MapTask]) -> list[Light]:
        centre, u, v, into, clip = self.windows[k]
        if self.scene.daylight.sun_strength <= 0 or float(self.sun @ into) > -0.02:
            return []
        room = self.scene.windows[k].room
        tasks.setdefault(("window", k), MapTask(("window", k), room, clip))
        lu, lv = float(np.linalg.norm(u)), float(np.linalg.norm(v))
        record = (_columns(clip), (*centre, self.texel), (*u / lu, lu), (*v / lv, lv), (*into, 0.0))
        return [Light(room, record, ("window", k))]

    def sun_light(self) -> tuple[float, float, float]:
        """Colour of direct sun."""
        day = self.scene.daylight
        r, g, b = (_SUN_LIGHT * day.sun_strength * c for c in day.sun_rgb)
        return (r, g, b)
