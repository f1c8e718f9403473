"""The colour pass: drawables grouped by the lights that can reach them and by texture size, one multi-draw a group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.batches import Geometry, Textures
from assistcore.pictures.camera import F64, Camera
from assistcore.pictures.lightfield import LightField
from assistcore.pictures.lights import Batch, LightPlan, LightSet, make_batch
from assistcore.pictures.maps import HeightMaps, ShadowMaps
from assistcore.pictures.programs import ALBEDO, FIRST_SHADOW, HEIGHTS, Programs
from assistcore.pictures.shaders import MAX_ROOMS

Bools = NDArray[np.bool_]
_ALIGN = 256
"""Offsets into uniform buffers are multiples of this on every driver."""


class Shading:
    """Light batches of the current view, uploaded once a view."""

    def __init__(self, context: Any, programs: Programs, geometry: Geometry, textures: Textures, plan: LightPlan) -> None:
        self.context, self.programs, self.geometry, self.textures, self.plan = context, programs, geometry, textures, plan
        self.rooms = context.buffer(reserve=MAX_ROOMS * 32, dynamic=True)
        self.records = context.buffer(reserve=1 << 16, dynamic=True)
        self.nothing = context.depth_texture((1, 1))
        self.nothing.compare_func = "<="
        self.arrays: dict[tuple[tuple[int, int, int], bool], Any] = {}
        self.batches: list[Batch] = []
        self.places: list[tuple[int, int, int]] = []
        self.batch_of = np.zeros(geometry.n + 1, np.int64)
        self.body_drawn = False
        self.common: dict[str, object] = {}

    def prepare(
        self,
        lights: LightSet,
        reached: Bools,
        used: NDArray[np.int64],
        visible: list[int],
        camera: Camera,
        field: LightField,
        lod_bias: float,
    ) -> None:
        """Group what is drawn by the visible rooms whose light reaches it.

        reached: shape (n + 1, rooms), the body last. used: indices of what is drawn, n for the body.
        """
        seen = np.zeros((len(used), reached.shape[1]), bool)
        seen[:, visible] = reached[used][:, visible]
        seen[~seen.any(axis=1)] = True
        weights = 1 << np.arange(reached.shape[1], dtype=np.int64)
        _, first, batch = np.unique(seen @ weights, return_index=True, return_inverse=True)
        self.batch_of = np.zeros(len(reached), np.int64)
        self.batch_of[used] = batch.reshape(-1)
        self.batches = [make_batch(lights, frozenset(int(r) for r in np.flatnonzero(seen[k]))) for k in first]
        self.body_drawn = bool(len(used)) and int(used[-1]) == len(reached) - 1
        self.rooms.write(lights.rooms)
        self._upload()
        self.common = {
            "grid": field.grid,
            "plan_uv": field.plan_uv,
            "eye": tuple(float(c) for c in camera.position_m),
            "sun": tuple(float(c) for c in self.plan.sun),
            "sun_rgb": self.plan.sun_light(),
            "lod_bias": lod_bias,
        }

    def _upload(self) -> None:
        data = bytearray()
        self.places = []
        for batch in self.batches:
            place = []
            for block in (batch.lamps, batch.windows, batch.beams):
                place.append(len(data))
                data += block.tobytes()
                data += bytes(-len(data) % _ALIGN)
            self.places.append((place[0], place[1], place[2]))
        if len(data) > self.records.size:
            self.records.orphan(1 << (len(data) - 1).bit_length())
        if data:
            self.records.write(data)

    def bind(self, heights: HeightMaps, field: LightField, clip: F64) -> None:
        """Bind what all batches share and set the uniforms of the programs in use."""
        heights.texture.use(HEIGHTS)
        field.bind()
        self.rooms.bind_to_uniform_block(1)
        sizes = [(self.batches[k].size, False) for k in np.unique(self.batch_of)] if self.batches else []
        if self.body_drawn:
            sizes.append((self.batches[int(self.batch_of[-1])].size, True))
        for size, tinted in dict.fromkeys(sizes):
            program = self.programs.shading(size, tinted=tinted)
            self.programs.set_clip(program, clip)
            for name, value in self.common.items():
                if name in program:
                    program[name] = value

    def _bind_batch(self, k: int, shadows: ShadowMaps) -> None:
        batch = self.batches[k]
        for binding, offset, block in zip((2, 3, 4), self.places[k], (batch.lamps, batch.windows, batch.beams), strict=True):
            if len(block):
                self.records.bind_to_uniform_block(binding, offset=offset, size=block.nbytes)
        for unit, key in enumerate((*batch.lamp_maps, *batch.beam_maps), start=FIRST_SHADOW):
            (self.nothing if key is None else shadows.texture(key)).use(unit)

    def _array(self, k: int, tinted: bool) -> Any:
        key = (self.batches[k].size, tinted)
        if key not in self.arrays:
            self.arrays[key] = self.programs.shading_array(self.geometry, key[0], tinted=tinted)
        return self.arrays[key]

    def draw(
        self, chosen: NDArray[np.int64], groups: NDArray[np.int64], shadows: ShadowMaps, submit: Callable[[Any, NDArray[np.int64]], None]
    ) -> None:
        """Draw drawables (indices) whose texture groups are given for all (n + 1,)."""
        keys = self.batch_of[chosen] * len(self.textures.arrays) + groups[chosen]
        bound = -1
        for key in np.unique(keys):
            k, group = divmod(int(key), len(self.textures.arrays))
            if k != bound:
                self._bind_batch(k, shadows)
                bound = k
            self.textures.arrays[group].use(ALBEDO)
            submit(self._array(k, False), chosen[keys == key])

    def draw_body(self, group: int, n_indices: int, shadows: ShadowMaps) -> None:
        """Draw the first indices of the body."""
        k = int(self.batch_of[-1])
        self._bind_batch(k, shadows)
        self.textures.arrays[group].use(ALBEDO)
        self._array(k, True).render(vertices=n_indices)

    def release(self) -> None:
        """Free the device memory."""
        for part in (self.rooms, self.records, self.nothing, *self.arrays.values()):
            part.release()
