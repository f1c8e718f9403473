"""Compiled programs and the vertex layouts that feed them."""

from __future__ import annotations

from typing import Any

import numpy as np

from assistcore.pictures import shaders
from assistcore.pictures.batches import Geometry
from assistcore.pictures.camera import F64, Camera
from assistcore.pictures.scene import Daylight

ALBEDO, HEIGHTS, ROOM_MAP, WALL_MAP, FIELD, FIRST_SHADOW = range(6)
"""Texture units of the shading program."""
_UNITS = {
    "albedo": ALBEDO,
    "heights": HEIGHTS,
    "room_map": ROOM_MAP,
    "wall_map": WALL_MAP,
    "field": FIELD,
}
_POSITION = ("3f 20x i 4x", "p", "item")
_FULL = ("3f 3f 2f i 4x", "p", "n", "uv", "item")
_TINTED = ("3f 3f 2f i 4f1", "p", "n", "uv", "item", "tint")


class Programs:
    """All programs of one context."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.depth = context.program(shaders.DEPTH_VERTEX, shaders.DEPTH_FRAGMENT)
        self.height = context.program(shaders.HEIGHT_VERTEX, shaders.HEIGHT_FRAGMENT)
        self.ids = context.program(shaders.ID_VERTEX, shaders.ID_FRAGMENT)
        self._shading: dict[tuple[int, int, int, bool], Any] = {}
        self.clear_program = context.program(shaders.SCREEN_VERTEX, shaders.CLEAR_FRAGMENT)
        self.sky_program = context.program(shaders.SCREEN_VERTEX, shaders.SKY_FRAGMENT)
        self.resolve_program = context.program(shaders.SCREEN_VERTEX, shaders.RESOLVE_FRAGMENT)
        self.clear = context.vertex_array(self.clear_program, [])
        self.sky = context.vertex_array(self.sky_program, [])
        self.resolve = context.vertex_array(self.resolve_program, [])

    def shading(self, size: tuple[int, int, int], *, tinted: bool) -> Any:
        """The shading program for so many lamps, windows and sun beams, compiled on first use."""
        key = (*size, tinted)
        if key not in self._shading:
            program = self.context.program(*shaders.shading(*size, tinted=tinted))
            for name, unit in _UNITS.items():
                program[name] = unit
            for name, first, count in (("lamp_maps", FIRST_SHADOW, size[0]), ("beam_maps", FIRST_SHADOW + size[0], size[2])):
                if count:
                    program[name] = list(range(first, first + count)) if count > 1 else first
            self._shading[key] = program
        return self._shading[key]

    def arrays(self, geometry: Geometry) -> dict[str, Any]:
        """Vertex arrays of a scene by pass name: shadow, height, ids, and the same with `body_` in front."""
        out = {}
        kinds = (("shadow", self.depth, _POSITION), ("height", self.height, _POSITION), ("ids", self.ids, _POSITION))
        for kind, program, layout in kinds:
            out[kind] = self.context.vertex_array(program, [(geometry.vbo, *layout)], geometry.ibo)
            if geometry.body is not None:
                out[f"body_{kind}"] = self.context.vertex_array(program, [(geometry.body.vbo, *layout)], geometry.body.ibo)
        return out

    def by_pass(self, kind: str) -> Any:
        """The program that draws a pass: shadow, height or ids."""
        return {"shadow": self.depth, "height": self.height, "ids": self.ids}[kind]

    def shading_array(self, geometry: Geometry, size: tuple[int, int, int], *, tinted: bool) -> Any:
        """Vertex array of the drawables, or of the body (tinted), for one shading program."""
        program = self.shading(size, tinted=tinted)
        if tinted and geometry.body is not None:
            return self.context.vertex_array(program, [(geometry.body.vbo, *_TINTED)], geometry.body.ibo)
        return self.context.vertex_array(program, [(geometry.vbo, *_FULL)], geometry.ibo)

    def set_clip(self, program: Any, clip: F64) -> None:
        """Write a clip matrix (4, 4)."""
        program["clip"].write(np.ascontiguousarray(clip.T, dtype=np.float32))

    def set_sky(self, camera: Camera, daylight: Daylight) -> None:
        """Set the view rays and colours of the sky; clip space has Y down."""
        tan_x = camera.width / 2.0 / camera.focal_px
        tan_y = camera.height / 2.0 / camera.focal_px
        ray = camera.R_world_cam @ np.diag([tan_x, -tan_y, -1.0])
        self.sky_program["ray"].write(np.ascontiguousarray(ray.T, dtype=np.float32))
        self.sky_program["sky"] = daylight.sky_rgb
        self.sky_program["day"] = daylight.sky_strength

    def release(self) -> None:
        """Free the programs."""
        for part in (self.clear, self.sky, self.resolve, self.depth, self.height, self.ids, *self._shading.values()):
            part.release()
        for program in (self.clear_program, self.sky_program, self.resolve_program):
            program.release()
