"""A basin let into a worktop, with a tap whose lever is its control."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import CHROME, STEEL, Look
from assistcore.house.stage import Control, Entity, Tip


def build(
    textures: Textures,
    *,
    asset: str = "kitchen_sink",
    category: str = "kitchen_sink",
    nouns: tuple[str, ...] = ("sink", "tap", "faucet"),
    size_m: tuple[float, float] = (0.5, 0.4),
    depth_m: float = 0.16,
    look: Look = STEEL,
    tap_y_m: float | None = None,
    rim_m: float = 0.015,
) -> Entity:
    """Origin at the rim's height in the middle of the basin (the worktop's top); the basin hangs below."""
    m = AssetMaker(asset, category, "fixture", textures, 6.0, ("sink", "tap", "device", "container"), (), nouns)
    m.attributes = {"running": False}
    w, d, t = size_m[0] / 2, size_m[1] / 2, 0.006
    b = m.body
    b.box((-w, -d, -depth_m), (w, d, -depth_m + t), look, name="bottom")
    b.box((-w, -d, -depth_m + t), (-w + t, d, 0.002), look, name="left")
    b.box((w - t, -d, -depth_m + t), (w, d, 0.002), look, name="right")
    b.box((-w + t, -d, -depth_m + t), (w - t, -d + t, 0.002), look, name="front")
    b.box((-w + t, d - t, -depth_m + t), (w - t, d, 0.002), look, name="back")
    rim = [(-w - rim_m, -d - rim_m, 2 * (w + rim_m), rim_m + t), (-w - rim_m, d - t, 2 * (w + rim_m), rim_m + t)]
    rim += [(-w - rim_m, -d + t, rim_m + t, 2 * (d - t)), (w - t, -d + t, rim_m + t, 2 * (d - t))]
    for x, y, lx, ly in rim:
        b.box((x, y, 0.0005), (x + lx, y + ly, 0.003), look, solid=False)
    b.mesh(meshes.lathe([(0.0001, 0.0), (0.028, 0.0), (0.028, 0.002), (0.0001, 0.002)], 16).moved((0, 0, -depth_m + t)), CHROME)
    y = d + 0.05 if tap_y_m is None else tap_y_m
    arc = [(0.0, y, 0.0), (0.0, y, 0.18)]
    arc += [(0.0, y - 0.075 * (1 - np.cos(a)), 0.18 + 0.075 * np.sin(a)) for a in np.linspace(0.3, np.pi, 8)]
    arc += [(0.0, y - 0.15, 0.15)]
    b.mesh(meshes.tube(np.array(arc), 0.012, 12), CHROME)
    b.mesh(meshes.lathe([(0.028, 0.0), (0.028, 0.012), (0.016, 0.05), (0.012, 0.05)], 16).moved((0, y, 0)), CHROME)
    b.solid((-0.02, y - 0.02, 0.0), (0.02, y + 0.02, 0.255), "tap")
    b.solid((-0.013, y - 0.165, 0.145), (0.013, y - 0.02, 0.268), "spout")
    b.box((0.015, y - 0.012, 0.06), (0.09, y + 0.012, 0.078), CHROME, 0.006, name="lever")
    m.tips = [Tip("spout", (0.0, y - 0.15, 0.15), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.016, 0.016))]
    m.control = Control("body", (0.08, y - 0.012, 0.069), (0.0, -1.0, 0.0))
    m.interior("basin", (-w + t, -d + t, -depth_m + t), (w - t, d - t, 0.1), (0.0, 0.0, 1.0))
    return m.entity()
