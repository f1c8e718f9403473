"""Atlases of small maps: shadow depths seen from lights and heights seen from above. A tile is rendered again only when what it shows changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from assistcore.pictures.lights import TILES, Tile

SHADOW_SIDE_PX = 512
HEIGHT_SIDE_PX = 128
_SHADOW_OFFSET = (2.6, 3.0)
"""Depth offset of casters: times the slope, and in smallest steps."""
_NO_HEIGHT = -0.3

Drawer = Callable[[str, Tile], None]
"""(pass, tile): draw everything that casts in the tile's room."""


class TileAtlas:
    """TILES x TILES square tiles in one texture. kind: shadow (what stands in the room), body (shadows of the body alone) or height.

    What a tile shows depends on its key and stamp alone, so pictures never depend on the views drawn before.
    """

    def __init__(self, context: Any, kind: str) -> None:
        import moderngl

        self.context, self.kind = context, kind
        self.layer = "height" if kind == "height" else "shadow"
        self.side = SHADOW_SIDE_PX if self.layer == "shadow" else HEIGHT_SIDE_PX
        size = (self.side * TILES, self.side * TILES)
        self.depth = context.depth_texture(size)
        self.colour: Any = None
        if self.layer == "shadow":
            self.depth.compare_func = "<="
            self.depth.filter = (moderngl.LINEAR, moderngl.LINEAR)
            self.depth.repeat_x = self.depth.repeat_y = False
            self.frame = context.framebuffer(depth_attachment=self.depth)
        else:
            self.colour = context.texture(size, 1, dtype="f4")
            self.colour.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
            self.colour.repeat_x = self.colour.repeat_y = False
            self.frame = context.framebuffer([self.colour], self.depth)
        self.stamps: dict[int, tuple[object, ...]] = {}
        self.rendered = 0
        self.frame.clear(_NO_HEIGHT, 0.0, 0.0, 0.0, depth=1.0)

    def refresh(self, tiles: Sequence[Tile], stamps: Sequence[tuple[object, ...]], draw: Drawer) -> None:
        """Render the tiles whose key or stamp differs from what their slot holds."""
        changed = False
        if self.layer == "shadow":
            self.context.polygon_offset = _SHADOW_OFFSET
        for tile, stamp in zip(tiles, stamps, strict=True):
            full = (tile.key, *stamp)
            if self.stamps.get(tile.slot) == full:
                continue
            self.stamps[tile.slot] = full
            changed = True
            self.rendered += 1
            box = (tile.slot % TILES * self.side, tile.slot // TILES * self.side, self.side, self.side)
            self.frame.use()
            self.frame.clear(_NO_HEIGHT, 0.0, 0.0, 0.0, depth=1.0, viewport=box)
            self.frame.viewport = box
            draw(self.layer, tile)
        self.context.polygon_offset = (0.0, 0.0)
        if changed and self.colour is not None:
            self.colour.build_mipmaps(0, 3)

    @property
    def texture(self) -> Any:
        """What the shader samples: depths of a shadow atlas, heights of a height atlas."""
        return self.depth if self.colour is None else self.colour

    def release(self) -> None:
        """Free the device memory."""
        self.frame.release()
        self.depth.release()
        if self.colour is not None:
            self.colour.release()
