"""An electric kettle with lid, spout, handle and a switch."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import COLOURS, RUBBER, STEEL, plain
from assets_bake.pieces import box_piece, standing
from assistcore.house.stage import Control, Entity, Tip


def build(textures: Textures, *, asset: str = "kettle") -> Entity:
    """Movable; the switch is on top of the handle's foot at the front."""
    m = AssetMaker(asset, "kettle", "movable", textures, 1.1, ("device", "heat"), ("metal",), (), "wrap")
    m.attributes = {"running": False, "contents": "water", "volume_ml": 800}
    m.tips = [Tip("rim", (-0.091, 0.0, 0.193), (0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.014, 0.010))]
    b = m.body
    b.mesh(meshes.lathe([(0.0001, 0.0), (0.08, 0.0), (0.082, 0.004), (0.082, 0.018), (0.078, 0.02)], 24), RUBBER)
    b.mesh(meshes.lathe([(0.078, 0.02), (0.076, 0.06), (0.062, 0.17), (0.056, 0.185)], 28), STEEL)
    b.mesh(meshes.lathe([(0.056, 0.185), (0.05, 0.195), (0.012, 0.203), (0.012, 0.215), (0.0001, 0.217)], 24), RUBBER)
    spout = np.array([(-0.058, 0, 0.145), (-0.082, 0, 0.165), (-0.098, 0, 0.19)])
    b.mesh(meshes.tube(spout, [0.024, 0.016, 0.010], 12), STEEL)
    a = np.linspace(-1.2, 1.2, 12)
    b.mesh(meshes.tube(np.stack([0.055 + 0.062 * np.cos(a), 0 * a, 0.105 + 0.082 * np.sin(a)], 1), 0.010, 10), RUBBER)
    b.mesh(meshes.soft_box((0.03, 0.008, 0.016), (0.0, -0.0815, 0.011), 0.003), plain(COLOURS["red"], 0.4), "display")
    b.add(
        [
            *standing("body", [(0.082, 0.0), (0.082, 0.02), (0.076, 0.06), (0.056, 0.19), (0.03, 0.203)]),
            box_piece("handle", (0.022, 0.02, 0.13), (0.112, 0.0, 0.105)),
            box_piece("handle_top", (0.05, 0.02, 0.02), (0.083, 0.0, 0.178)),
            box_piece("spout", (0.03, 0.026, 0.045), (-0.083, 0.0, 0.172)),
        ]
    )
    m.control = Control("body", (0.0, -0.0855, 0.011), (0.0, -1.0, 0.0))
    return m.entity()
