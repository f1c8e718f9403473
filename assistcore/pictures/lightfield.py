"""Device maps of a floor plan: room index, distance to walls, and the soft light of lamps and windows."""

from __future__ import annotations

from typing import Any

import numpy as np

from assistcore.pictures.ambience import FINE_M, Plan, spread
from assistcore.pictures.camera import F64
from assistcore.pictures.programs import FIELD, ROOM_MAP, WALL_MAP
from assistcore.pictures.scene import F32

_KEPT = 8
_STEPS = 4
"""Portals open in this many steps as far as soft light is concerned."""


class LightField:
    """Uploads the maps once and the soft light whenever lamps or portals change."""

    def __init__(self, context: Any, plan: Plan, n_rooms: int) -> None:
        import moderngl

        self.plan, self.n_rooms = plan, n_rooms
        height, width = plan.room.shape
        self.room_map = context.texture((width, height), 1, np.ascontiguousarray(plan.room), dtype="u1", alignment=1)
        self.room_map.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.wall_map = context.texture((width, height), 1, np.ascontiguousarray(plan.wall_m), dtype="f4")
        rows, columns = plan.coarse_room.shape
        self.field = context.texture_array((columns, rows, max(1, n_rooms)), 4, dtype="f4")
        for texture in (self.wall_map, self.field):
            texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
            texture.repeat_x = texture.repeat_y = False
        self._spreads: dict[bytes, F32] = {}
        self._shown: bytes | None = None

    @property
    def grid(self) -> tuple[float, float, float, float]:
        """Origin of the grids and cells a metre."""
        return (*self.plan.origin_m, 1.0 / FINE_M, 0.0)

    @property
    def plan_uv(self) -> tuple[float, float, float, float]:
        """Texture coordinates a metre."""
        height, width = self.plan.room.shape
        return (1.0 / (width * FINE_M), 1.0 / (height * FINE_M), 0.0, 0.0)

    def update(self, sources: F32, open_share: F64) -> None:
        """Bring the soft light up to date with the rooms' sources (rooms, 3) and the portals (p,)."""
        steps = np.ceil(open_share * _STEPS).astype(np.uint8)
        key = steps.tobytes()
        stamp = key + sources.tobytes()
        if stamp == self._shown:
            return
        if key not in self._spreads:
            if len(self._spreads) >= _KEPT:
                self._spreads.pop(next(iter(self._spreads)))
            self._spreads[key] = spread(self.plan, self.n_rooms, steps / _STEPS)
        light = np.einsum("slyx,sc->lyxc", self._spreads[key], sources)
        texels = np.ones((*light.shape[:3], 4), np.float32)
        texels[..., :3] = light
        self.field.write(texels)
        self._shown = stamp

    def bind(self) -> None:
        """Bind the maps to their texture units."""
        self.room_map.use(ROOM_MAP)
        self.wall_map.use(WALL_MAP)
        self.field.use(FIELD)

    def release(self) -> None:
        """Free the device memory."""
        for texture in (self.room_map, self.wall_map, self.field):
            texture.release()
