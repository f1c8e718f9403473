"""A chest's frame: top and legs around drawers, which are entities of their own."""

from __future__ import annotations

from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import legs
from assets_bake.looks import OAK, Look
from assistcore.house.stage import Entity


def build(
    textures: Textures,
    *,
    asset: str = "dresser",
    size_m: tuple[float, float, float] = (0.92, 0.46, 0.8),
    lift_m: float = 0.14,
    look: Look = OAK,
) -> Entity:
    """Room for drawers from `lift_m` to 30 mm below the top."""
    m = AssetMaker(asset, "dresser", "fixture", textures, 20.0, ("surface",), ("wooden",), ("chest of drawers", "chest"))
    w, d, h = size_m[0] / 2, size_m[1] / 2, size_m[2]
    m.body.box((-w, -d, h - 0.028), (w, d, h), look, 0.005, name="top")
    m.body.box((-w + 0.02, -d + 0.04, lift_m - 0.03), (w - 0.02, d, lift_m - 0.002), look, name="base")
    legs(m.body, [(sx * (w - 0.05), sy * (d - 0.06)) for sx in (-1, 1) for sy in (-1, 1)], lift_m - 0.03, 0.04, look, 0.6)
    m.surface("top", (-w, -d, h), (w, d, h + 0.5))
    return m.entity()
