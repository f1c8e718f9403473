"""A bathtub with mixer tap and panels."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import CERAMIC, CHROME
from assistcore.house.stage import Control, Entity, Tip


def build(textures: Textures, *, asset: str = "bathtub", length_m: float = 1.7, width_m: float = 0.75, height_m: float = 0.56) -> Entity:
    """Long side along x, front (the side one steps in from) at -y; tap at the -x end."""
    m = AssetMaker(asset, "bathtub", "fixture", textures, 60.0, ("container", "tap", "device"), ("white",), ("bath", "tub", "bath tub"))
    m.attributes = {"running": False}
    w, d, h, t = length_m / 2, width_m / 2, height_m, 0.06
    b = m.body
    b.box((-w, -d, 0.0), (w, d, 0.14), CERAMIC, name="bottom")
    b.box((-w, -d, 0.14), (-w + t + 0.02, d, h), CERAMIC, name="left")
    b.box((w - t, -d, 0.14), (w, d, h), CERAMIC, name="right")
    b.box((-w + t + 0.02, d - t, 0.14), (w - t, d, h), CERAMIC, name="back")
    b.box((-w + t + 0.02, -d, 0.14), (w - t, -d + t, h), CERAMIC, name="front")
    for low, high in (
        ((-w - 0.0, -d - 0.0, h - 0.03), (w, -d + t + 0.012, h + 0.004)),
        ((-w, d - t - 0.012, h - 0.03), (w, d, h + 0.004)),
        ((-w, -d, h - 0.03), (-w + t + 0.032, d, h + 0.004)),
        ((w - t - 0.012, -d, h - 0.03), (w, d, h + 0.004)),
    ):
        b.box(low, high, CERAMIC, 0.012, solid=False)
    for sx, sy in ((-1, 0), (1, 0), (0, -1), (0, 1)):  # slopes that soften the square inside
        size = (0.09, 2 * (d - t) - 0.002, 0.30) if sx else (2 * (w - t) - 0.03, 0.09, 0.30)
        lean = meshes.rotation("y", sx * 0.22) if sx else meshes.rotation("x", -sy * 0.22)
        at = (sx * (w - t - 0.03), sy * (d - t - 0.025), 0.31)
        b.mesh(meshes.soft_box(size, (0, 0, 0), 0.03, rings=2).turned(lean).moved(at), CERAMIC)
    b.mesh(meshes.lathe([(0.035, 0.0), (0.035, 0.004), (0.0001, 0.005)], 18).moved((-w + 0.3, 0, 0.14)), CHROME)
    x = -w + 0.045
    b.mesh(meshes.tube(np.array([(x, 0.06, h), (x, 0.06, h + 0.1), (x, -0.06, h + 0.1), (x, -0.06, h)]), 0.014, 10), CHROME)
    b.mesh(meshes.tube(np.array([(x, 0, h + 0.1), (x + 0.13, 0, h + 0.1), (x + 0.15, 0, h + 0.07)]), 0.015, 10), CHROME)
    b.solid((x - 0.03, -0.08, h), (x + 0.03, 0.08, h + 0.115), "tap")
    b.box((x - 0.012, -0.11, h + 0.09), (x + 0.012, -0.06, h + 0.11), CHROME, 0.006, name="lever")
    m.tips = [Tip("spout", (x + 0.15, 0.0, h + 0.07), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.02, 0.02))]
    m.control = Control("body", (x, -0.11, h + 0.1), (0.0, -1.0, 0.0))
    m.interior("inside", (-w + t + 0.02, -d + t, 0.14), (w - t, d - t, h), (0.0, 0.0, 1.0))
    return m.entity()
