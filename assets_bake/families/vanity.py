"""A bathroom vanity: a ceramic basin in a top with a tap, above a closed cabinet body."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import CERAMIC, CHROME, OAK
from assistcore.house.stage import Control, Entity, Tip


def build(textures: Textures, *, asset: str = "bathroom_sink", width_m: float = 0.9, depth_m: float = 0.46, top_m: float = 0.86) -> Entity:
    """Basin in the middle; the strips beside it are a surface."""
    m = AssetMaker(
        asset,
        "bathroom_sink",
        "fixture",
        textures,
        40.0,
        ("sink", "tap", "device", "container", "surface"),
        ("white",),
        ("sink", "washbasin", "basin", "tap"),
    )
    m.attributes = {"running": False}
    w, d, b = width_m / 2, depth_m / 2, m.body
    b.box((-w + 0.02, -d + 0.03, 0.22), (w - 0.02, d, top_m - 0.17), OAK, 0.004, name="cabinet")
    for x in (-w + 0.05, w - 0.05):
        b.box((x - 0.02, d - 0.1, 0.0), (x + 0.02, d - 0.06, 0.22), OAK, name="leg")
        b.box((x - 0.02, -d + 0.06, 0.0), (x + 0.02, -d + 0.1, 0.22), OAK, name="leg")
    b.mesh(meshes.box((0.004, 0.004, top_m - 0.43), (0.0, -d + 0.029, (top_m + 0.05) / 2)), CHROME)
    for s in (-1, 1):
        b.mesh(meshes.tube(np.array([(s * 0.04, -d + 0.012, 0.42), (s * 0.04, -d + 0.012, 0.58)]), 0.005, 8), CHROME)
    x0, y0, y1, z0 = 0.22, -d + 0.05, d - 0.11, top_m - 0.13
    for low, high, name in (
        ((-w, -d, top_m - 0.17), (-x0, d, top_m), "left"),
        ((x0, -d, top_m - 0.17), (w, d, top_m), "right"),
        ((-x0, -d, top_m - 0.17), (x0, y0, top_m), "front"),
        ((-x0, y1, top_m - 0.17), (x0, d, top_m), "back"),
        ((-x0, y0, top_m - 0.17), (x0, y1, z0), "bottom"),
    ):
        b.box(low, high, CERAMIC, name=name)
    b.mesh(meshes.lathe([(0.022, 0.0), (0.022, 0.003), (0.0001, 0.004)], 16).moved((0, (y0 + y1) / 2, z0)), CHROME)
    y = d - 0.06
    path = [
        (0.0, y, top_m),
        (0.0, y, top_m + 0.1),
        (0.0, y - 0.03, top_m + 0.13),
        (0.0, y - 0.12, top_m + 0.12),
        (0.0, y - 0.135, top_m + 0.1),
    ]
    b.mesh(meshes.tube(np.array(path), 0.013, 12), CHROME)
    b.mesh(meshes.lathe([(0.024, 0.0), (0.022, 0.01), (0.013, 0.02)], 16).moved((0, y, top_m)), CHROME)
    b.solid((-0.018, y - 0.02, top_m), (0.018, y + 0.02, top_m + 0.13), "tap")
    b.solid((-0.015, y - 0.145, top_m + 0.09), (0.015, y - 0.02, top_m + 0.135), "spout")
    b.box((0.014, y - 0.011, top_m + 0.05), (0.08, y + 0.011, top_m + 0.068), CHROME, 0.006, name="lever")
    m.tips = [Tip("spout", (0.0, y - 0.135, top_m + 0.1), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.016, 0.016))]
    m.control = Control("body", (0.07, y - 0.011, top_m + 0.059), (0.0, -1.0, 0.0))
    m.interior("basin", (-x0, y0, z0), (x0, y1, top_m + 0.1), (0.0, 0.0, 1.0))
    m.surface("left", (-w, -d, top_m), (-x0, d, top_m + 0.4))
    m.surface("right", (x0, -d, top_m), (w, d, top_m + 0.4))
    return m.entity()
