"""The colour pass: drawables grouped by the room whose lights reach them and by texture size, one multi-draw a group."""

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
    """Lights of the current view by room, uploaded once a view."""

    def __init__(self, context: Any, programs: Programs, geometry: Geometry, textures: Textures, plan: LightPlan) -> None:
        self.context, self.programs, self.geometry, self.textures, self.plan = context, programs, geometry, textures, plan
        self.rooms = context.buffer(reserve=MAX_ROOMS * 32, dynamic=True)
        self.records = context.buffer(reserve=1 << 16, dynamic=True)
        self.nothing = context.depth_texture((1, 1))
        self.nothing.compare_func = "<="
        self.arrays: dict[tuple[tuple[int, int, int], bool], Any] = {}
        self.batches: list[Batch] = []
        self.places: list[tuple[int, int, int]] = []
        self.reached: Bools = np.zeros((geometry.n + 1, 1), bool)
        self.first: NDArray[np.int64] = np.zeros(geometry.n + 1, np.int64)
        self.clip: F64 = np.eye(4)
        self.ready: set[tuple[tuple[int, int, int], bool]] = set()
        self.common: dict[str, object] = {}

    def prepare(self, lights: LightSet, reached: Bools, visible: list[int], camera: Camera, field: LightField, lod_bias: float) -> None:
        """Take the lights of the visible rooms. reached: shape (n + 1, rooms), whose light reaches each drawable and, last, the body."""
        self.batches = [make_batch(lights, room) for room in (*visible, -1)]
        self.reached = np.zeros((len(reached), len(self.batches)), bool)
        self.reached[:, :-1] = reached[:, visible]
        self.reached[:, -1] = ~self.reached.any(axis=1)
        self.first = self.reached.argmax(axis=1)
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
        """Bind what all rooms share; programs get their uniforms when they are first used for this view."""
        heights.texture.use(HEIGHTS)
        field.bind()
        self.rooms.bind_to_uniform_block(1)
        self.clip = clip
        self.ready = set()

    def _use(self, k: int, shadows: ShadowMaps, *, tinted: bool, only_here: bool) -> Any:
        """Bind the lights of a batch; returns the vertex array to draw with."""
        batch = self.batches[k]
        program = self.programs.shading(batch.size, tinted=tinted)
        key = (batch.size, tinted)
        if key not in self.ready:
            self.ready.add(key)
            self.programs.set_clip(program, self.clip)
            for name, value in self.common.items():
                if name in program:
                    program[name] = value
        program["lit_room"], program["only_here"] = batch.room, int(only_here)
        for binding, offset, block in zip((2, 3, 4), self.places[k], (batch.lamps, batch.windows, batch.beams), strict=True):
            if len(block):
                self.records.bind_to_uniform_block(binding, offset=offset, size=block.nbytes)
        for unit, light in enumerate((*batch.lamp_maps, *batch.beam_maps), start=FIRST_SHADOW):
            (self.nothing if light is None else shadows.texture(light)).use(unit)
        return self._array(k, tinted)

    def _array(self, k: int, tinted: bool) -> Any:
        key = (self.batches[k].size, tinted)
        if key not in self.arrays:
            self.arrays[key] = self.programs.shading_array(self.geometry, key[0], tinted=tinted)
        return self.arrays[key]

    def draw(
        self,
        chosen: NDArray[np.int64],
        groups: NDArray[np.int64],
        shadows: ShadowMaps,
        submit: Callable[[Any, NDArray[np.int64]], None],
        *,
        once: bool = False,
    ) -> None:
        """Draw drawables (indices) whose texture groups are given for all (n + 1,).

        Each is painted with the lights of one room, then again inside every further room that it reaches into; `once` leaves that out.
        """
        for only_here in (False,) if once else (False, True):
            for k in range(len(self.batches)):
                first = self.first[chosen] == k
                batch = chosen[self.reached[chosen, k] & ~first] if only_here else chosen[first]
                if not len(batch):
                    continue
                array = self._use(k, shadows, tinted=False, only_here=only_here)
                for group in np.unique(groups[batch]):
                    self.textures.arrays[group].use(ALBEDO)
                    submit(array, batch[groups[batch] == group])

    def draw_body(self, group: int, n_indices: int, shadows: ShadowMaps) -> None:
        """Draw the first indices of the body, once for every room that it reaches into."""
        first = int(self.first[-1])
        for k in (first, *(k for k in np.flatnonzero(self.reached[-1]).tolist() if k != first)):
            array = self._use(k, shadows, tinted=True, only_here=k != first)
            self.textures.arrays[group].use(ALBEDO)
            array.render(vertices=n_indices)

    def release(self) -> None:
        """Free the device memory."""
        for part in (self.rooms, self.records, self.nothing, *self.arrays.values()):
            part.release()
