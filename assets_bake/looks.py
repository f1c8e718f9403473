"""Named materials: a surface and the edge length of its texture tile."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistcore.house.stage import Surface


@dataclass(frozen=True)
class Look:
    """A surface; `tile_m` is the edge of one texture tile (0: the texture covers the part once)."""

    surface: Surface
    tile_m: float = 0.0

    def coloured(self, rgb: tuple[float, float, float]) -> Look:
        """The same material in another colour."""
        return Look(replace(self.surface, rgb=rgb), self.tile_m)


def plain(rgb: tuple[float, float, float], roughness: float = 0.6, opacity: float = 1.0, emissive: float = 0.0) -> Look:
    """A colour without texture."""
    return Look(Surface(rgb, "", roughness, emissive, opacity))


def textured(texture: str, tile_m: float, rgb: tuple[float, float, float] = (1.0, 1.0, 1.0), roughness: float = 0.7) -> Look:
    """A texture, repeated every `tile_m` metres (0: once)."""
    return Look(Surface(rgb, texture, roughness), tile_m)


def hung(look: Look) -> Look:
    """The same for a flat thing high on a wall: too faint a glow to be seen, but what glows throws no shadow on the floor below."""
    return Look(replace(look.surface, emissive=max(look.surface.emissive, 0.001)), look.tile_m)


COLOURS: dict[str, tuple[float, float, float]] = {
    "red": (0.75, 0.17, 0.15),
    "blue": (0.19, 0.34, 0.66),
    "white": (0.93, 0.93, 0.91),
    "black": (0.11, 0.11, 0.12),
    "green": (0.30, 0.54, 0.32),
    "yellow": (0.93, 0.78, 0.28),
    "orange": (0.92, 0.50, 0.13),
    "brown": (0.42, 0.27, 0.17),
    "grey": (0.52, 0.53, 0.55),
    "pink": (0.90, 0.58, 0.64),
    "purple": (0.45, 0.28, 0.56),
    "beige": (0.86, 0.79, 0.67),
    "turquoise": (0.22, 0.62, 0.62),
}


def lightened(rgb: tuple[float, float, float], factor: float, lift: float = 0.0) -> tuple[float, float, float]:
    """Each channel times `factor` plus `lift`, at most 1."""
    r, g, b = (min(1.0, factor * c + lift) for c in rgb)
    return (r, g, b)


OAK = textured("oak", 0.8, roughness=0.55)
WALNUT = textured("walnut", 0.8, roughness=0.5)
BIRCH = textured("birch", 0.8, roughness=0.6)
WHITE_PAINT = plain((0.93, 0.93, 0.91), 0.45)
CABINET = plain((0.80, 0.84, 0.80), 0.5)
SAGE = plain((0.56, 0.64, 0.57), 0.55)
COUNTER = textured("counter", 0.9, roughness=0.35)
STEEL = textured("brushed", 0.6, (0.80, 0.81, 0.83), 0.3)
DARK_STEEL = textured("brushed", 0.6, (0.30, 0.31, 0.33), 0.35)
CHROME = plain((0.82, 0.84, 0.86), 0.15)
BRASS = plain((0.76, 0.62, 0.34), 0.3)
CERAMIC = plain((0.95, 0.95, 0.94), 0.2)
BLACK_GLASS = plain((0.05, 0.05, 0.06), 0.1)
GLASS = plain((0.85, 0.93, 0.95), 0.05, opacity=0.25)
RUBBER = plain((0.13, 0.13, 0.14), 0.8)
LINEN = textured("weave", 0.16, (0.93, 0.91, 0.86), 0.95)
FABRIC = textured("weave", 0.16, roughness=0.95)
CARPET = textured("carpet", 0.4, roughness=1.0)
TERRY = textured("terry", 0.1, roughness=1.0)
WICKER = textured("wicker", 0.16, roughness=0.8)
LEAF = textured("leaf", 0.0, roughness=0.7)
PAPER = plain((0.96, 0.95, 0.91), 0.9)
CARDBOARD = plain((0.72, 0.56, 0.38), 0.9)
