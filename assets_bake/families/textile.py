"""Soft things as firm bodies: cushions, folded towels and blankets."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import COLOURS, textured
from assets_bake.pieces import box_piece, hull_piece
from assistcore.house.stage import Entity, Tip


def build(
    textures: Textures,
    *,
    asset: str,
    kind: str,
    colour: str,
    category: str = "",
    nouns: tuple[str, ...] = (),
    size_m: tuple[float, float, float] | None = None,
) -> Entity:
    """`kind`: cushion (lying), towel or blanket (folded). Raises ValueError for another."""
    if kind not in ("cushion", "towel", "blanket"):
        raise ValueError(f"textile {kind!r} is none of cushion, towel, blanket")
    size = size_m or {"cushion": (0.38, 0.38, 0.13), "towel": (0.26, 0.18, 0.06), "blanket": (0.40, 0.30, 0.08)}[kind]
    roles = ("tool", "wipe") if kind == "towel" else ()
    m = AssetMaker(
        asset, category or kind, "movable", textures, {"cushion": 0.5, "towel": 0.3, "blanket": 0.9}[kind], roles, (colour,), nouns, "edge"
    )
    m.attributes = {"wet": False} if kind == "towel" else {}
    w, d, h = size
    if kind == "cushion":
        m.body.mesh(_pillow(w, d, h), textured("weave", 0.16, COLOURS[colour], 0.95))
        x, y, c = w / 2, d / 2, 0.30 * h
        flat = [(sx * x * 0.72, sy * y * 0.72, z) for sx in (-1, 1) for sy in (-1, 1) for z in (0.0, h)]
        edge = [(sx * x * 0.97, sy * y * 0.97, h / 2 + s * c / 2) for sx in (-1, 1) for sy in (-1, 1) for s in (-1, 1)]
        m.body.add([hull_piece("body", np.array(flat + edge))])
        return m.entity()
    layers, look = 4, textured("terry" if kind == "towel" else "weave", 0.1, COLOURS[colour], 1.0)
    t = h / layers
    for k in range(layers):
        s = 0.004 * (k % 2)
        m.body.mesh(meshes.soft_box((w - 2 * s, d - 2 * s, t * 1.04), (0, s, t * (k + 0.5)), t * 0.48, look.tile_m, rings=2), look)
    m.body.add([box_piece("body", (w, d, h), (0, 0, h / 2))])
    if kind == "towel":
        m.tips = [Tip("face", (0.0, 0.0, 0.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (w, d))]
    return m.entity()


def _pillow(w: float, d: float, h: float) -> meshes.Mesh:
    u = np.linspace(-1, 1, 13)
    a, b = np.meshgrid(u, u)
    puff = ((1 - np.abs(a) ** 2.6) * (1 - np.abs(b) ** 2.6)).clip(0) ** 0.42
    pinch = 1 - 0.05 * (1 - np.abs(a * b))
    x, y = a * w / 2 * pinch, b * d / 2 * pinch
    top = meshes.sheet(np.stack([x, y, h / 2 + puff * h / 2], -1), 0.16)
    bottom = meshes.sheet(np.stack([x[:, ::-1], y, h / 2 - puff[:, ::-1] * h / 2], -1), 0.16)
    return meshes.join([top, bottom])
