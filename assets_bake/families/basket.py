"""Open containers that can be carried: wicker baskets, boxes, trays, laundry baskets."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import CARDBOARD, OAK, WICKER, Look, plain
from assets_bake.pieces import open_box
from assistcore.house.stage import Entity

LOOKS: dict[str, Look] = {
    "wicker": WICKER,
    "cardboard": CARDBOARD,
    "wooden": OAK,
    "white": plain((0.93, 0.93, 0.91), 0.5),
    "blue": plain((0.24, 0.40, 0.66), 0.5),
}


def build(
    textures: Textures,
    *,
    asset: str,
    category: str = "basket",
    material: str = "wicker",
    nouns: tuple[str, ...] = (),
    size_m: tuple[float, float, float] = (0.34, 0.24, 0.16),
    wall_m: float = 0.012,
    handles: bool = False,
    mass_kg: float = 0.5,
    kind: str = "movable",
) -> Entity:
    """An open box with `material` walls; `handles`: loops at both short ends (with a piece each)."""
    look = LOOKS[material]
    m = AssetMaker(
        asset, category, "movable" if kind == "movable" else "fixture", textures, mass_kg, ("container",), (material,), nouns, "edge"
    )
    w, d, h = size_m[0] / 2, size_m[1] / 2, size_m[2]
    t = wall_m
    b = m.body
    for low, high in (
        ((-w, -d, 0.0), (-w + t, d, h)),
        ((w - t, -d, 0.0), (w, d, h)),
        ((-w + t, d - t, 0.0), (w - t, d, h)),
        ((-w + t, -d, 0.0), (w - t, -d + t, h)),
        ((-w + t, -d + t, 0.0), (w - t, d - t, t)),
    ):
        b.box(low, high, look, solid=False)
    b.add(open_box("wall", (-w, -d, 0.0), (w, d, h), t))
    if material == "wicker":
        for x0, x1, y0, y1 in ((-w, w, -d, -d + t), (-w, w, d - t, d), (-w, -w + t, -d, d), (w - t, w, -d, d)):
            rim = meshes.soft_box((x1 - x0 + 0.006, y1 - y0 + 0.006, 0.02), ((x0 + x1) / 2, (y0 + y1) / 2, h - 0.009), 0.008, look.tile_m)
            b.mesh(rim, look.coloured((0.82, 0.82, 0.82)))
    if handles:
        for s in (-1, 1):
            a = np.linspace(0, np.pi, 9)
            x0, x1 = sorted((s * (w - t), s * w))
            b.solid((x0, -0.05, h), (x1, 0.05, h + 0.038), "handle")
            b.mesh(meshes.tube(np.stack([np.full(9, s * (w - t / 2)), 0.05 * np.cos(a), h - 0.005 + 0.04 * np.sin(a)], 1), 0.006, 8), look)
    m.interior("inside", (-w + t, -d + t, t), (w - t, d - t, h), (0.0, 0.0, 1.0))
    return m.entity()
