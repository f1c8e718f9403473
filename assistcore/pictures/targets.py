"""Frame buffers of one picture size and the way their pixels come back."""

from __future__ import annotations

from typing import Any

import numpy as np

from assistcore.pictures.protocol import Picture
from assistcore.pictures.scene import I32


class Targets:
    """Colour at size x supersample, ids and plane depth at size. Row 0 of every buffer is the top of the picture."""

    def __init__(self, context: Any, width: int, height: int, supersample: int) -> None:
        self.size, self.supersample = (width, height), supersample
        fine = (width * supersample, height * supersample)
        self.ids = context.texture((width, height), 1, dtype="i4")
        self.plane_depth = context.texture((width, height), 1, dtype="f4")
        self.depth = context.depth_texture((width, height))
        self.fine_depth = self.depth if supersample == 1 else context.depth_texture(fine)
        self.colour = context.texture(fine, 4)
        self.facts = context.framebuffer([self.ids, self.plane_depth], self.depth)
        self.look = context.framebuffer([self.colour], self.fine_depth)
        self.resolved = context.texture((width, height), 4) if supersample > 1 else None
        self.resolve = context.framebuffer([self.resolved]) if self.resolved is not None else None
        self._rgba = bytearray(width * height * 4)
        self._ids = bytearray(width * height * 4)
        self._depth = bytearray(width * height * 4)

    def read(self) -> Picture:
        """The finished picture as arrays of its own."""
        width, height = self.size
        frame = self.look if self.resolve is None else self.resolve
        frame.read_into(self._rgba, components=4, alignment=1)
        self.facts.read_into(self._ids, components=1, attachment=0, alignment=1, dtype="i4")
        self.facts.read_into(self._depth, components=1, attachment=1, alignment=1, dtype="f4")
        rgba = np.frombuffer(self._rgba, np.uint8).reshape(height, width, 4)
        ids: I32 = np.frombuffer(self._ids, np.int32).reshape(height, width).copy()
        depth = np.frombuffer(self._depth, np.float32).reshape(height, width).copy()
        return Picture(np.ascontiguousarray(rgba[..., :3]), depth, ids)

    def release(self) -> None:
        """Free the device memory."""
        parts = [self.facts, self.look, self.resolve, self.ids, self.plane_depth, self.depth, self.colour, self.resolved]
        if self.supersample > 1:
            parts.append(self.fine_depth)
        for part in parts:
            if part is not None:
                part.release()
