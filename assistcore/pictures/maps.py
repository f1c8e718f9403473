"""Maps that the shading reads: shadow depths seen from lights, heights seen from above. Each is redrawn only when what it shows changed.

What a map shows depends on its key and stamp alone, so pictures never depend on the views drawn before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assistcore.pictures.lights import HEIGHT_TILES, LightKey, MapTask

SHADOW_SIDE_PX = 512
HEIGHT_SIDE_PX = 128
_SHADOW_OFFSET = (2.6, 3.0)
"""Depth offset of casters: times the slope, and in smallest steps."""
_NO_HEIGHT = -0.3

Stamp = tuple[object, ...]
Drawer = Callable[[MapTask], None]


class _ShadowMap:
    """One light: the depth of what stands in the room, and the same with the body drawn over it."""

    def __init__(self, context: Any) -> None:
        import moderngl

        self.textures = [context.depth_texture((SHADOW_SIDE_PX, SHADOW_SIDE_PX)) for _ in range(2)]
        for texture in self.textures:
            texture.compare_func = "<="
            texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
            texture.repeat_x = texture.repeat_y = False
        # copy_framebuffer copies depth only along with a colour attachment
        self.carriers = [context.renderbuffer((SHADOW_SIDE_PX, SHADOW_SIDE_PX), 1) for _ in self.textures]
        self.frames = [context.framebuffer([carrier], texture) for carrier, texture in zip(self.carriers, self.textures, strict=True)]
        self.stamps: list[Stamp | None] = [None, None]
        self.current = self.textures[0]

    def release(self) -> None:
        for part in (*self.frames, *self.carriers, *self.textures):
            part.release()


class ShadowMaps:
    """Shadow maps by light."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.maps: dict[LightKey, _ShadowMap] = {}
        self.rendered = 0

    def refresh(self, task: MapTask, stamp: Stamp, draw: Drawer, body_stamp: Stamp | None, draw_body: Drawer) -> None:
        """Bring one light up to date; body_stamp None leaves the body out."""
        if task.key not in self.maps:
            self.maps[task.key] = _ShadowMap(self.context)
        item = self.maps[task.key]
        self.context.polygon_offset = _SHADOW_OFFSET
        if item.stamps[0] != stamp:
            item.stamps = [stamp, None]
            item.frames[0].use()
            item.frames[0].clear(depth=1.0)
            draw(task)
            self.rendered += 1
        item.current = item.textures[0]
        if body_stamp is not None:
            if item.stamps[1] != body_stamp:
                item.stamps[1] = body_stamp
                self.context.copy_framebuffer(item.frames[1], item.frames[0])
                item.frames[1].use()
                draw_body(task)
            item.current = item.textures[1]
        self.context.polygon_offset = (0.0, 0.0)

    def texture(self, key: LightKey) -> Any:
        """The depth texture of a light that was refreshed for this view."""
        return self.maps[key].current

    def release(self) -> None:
        """Free the device memory."""
        for item in self.maps.values():
            item.release()
        self.maps = {}


class HeightMaps:
    """Heights of what stands in each room, tiles of one texture with blurred levels."""

    def __init__(self, context: Any) -> None:
        import moderngl

        self.context = context
        size = (HEIGHT_SIDE_PX * HEIGHT_TILES, HEIGHT_SIDE_PX * HEIGHT_TILES)
        self.depth = context.depth_texture(size)
        self.texture = context.texture(size, 1, dtype="f4")
        self.texture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
        self.texture.repeat_x = self.texture.repeat_y = False
        self.frame = context.framebuffer([self.texture], self.depth)
        self.frame.clear(_NO_HEIGHT, 0.0, 0.0, 0.0, depth=1.0)
        self.stamps: dict[LightKey, Stamp] = {}

    def refresh(self, tasks: Sequence[MapTask], stamps: Sequence[Stamp], draw: Drawer) -> None:
        """Render the tiles of rooms in which something changed."""
        stale = [(task, stamp) for task, stamp in zip(tasks, stamps, strict=True) if self.stamps.get(task.key) != stamp]
        for task, stamp in stale:
            self.stamps[task.key] = stamp
            slot, side = task.room, HEIGHT_SIDE_PX
            box = (slot % HEIGHT_TILES * side, slot // HEIGHT_TILES * side, side, side)
            self.frame.use()
            self.frame.clear(_NO_HEIGHT, 0.0, 0.0, 0.0, depth=1.0, viewport=box)
            self.frame.viewport = box
            draw(task)
        if stale:
            self.texture.build_mipmaps(0, 3)

    def release(self) -> None:
        """Free the device memory."""
        for part in (self.frame, self.depth, self.texture):
            part.release()
