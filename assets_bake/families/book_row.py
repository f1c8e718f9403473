"""A row of books that nobody takes out: part of how a shelf looks."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import plain
from assistcore.house.stage import Entity

PALETTE = (
    (0.55, 0.16, 0.15),
    (0.16, 0.28, 0.42),
    (0.80, 0.74, 0.60),
    (0.24, 0.36, 0.28),
    (0.72, 0.52, 0.22),
    (0.34, 0.24, 0.34),
    (0.86, 0.84, 0.80),
    (0.30, 0.30, 0.32),
)


def build(textures: Textures, *, asset: str, length_m: float = 0.4, seed: int = 1) -> Entity:
    """Standing books from x = 0 to `length_m`, spines towards -y."""
    rng = np.random.default_rng(seed)
    m = AssetMaker(asset, "book_row", "structure", textures, nouns=("books",))
    x, tallest = 0.0, 0.0
    while x < length_m - 0.02:
        t = float(min(0.018 + 0.026 * rng.random(), length_m - x))
        h, w = 0.19 + 0.07 * float(rng.random()), 0.14 + 0.03 * float(rng.random())
        rgb = PALETTE[int(rng.integers(len(PALETTE)))]
        m.body.mesh(meshes.box((t - 0.001, w, h), (x + t / 2, w / 2, h / 2)), plain(rgb, 0.7))
        band = (min(1.0, rgb[0] + 0.25), min(1.0, rgb[1] + 0.22), min(1.0, rgb[2] + 0.15))
        m.body.mesh(meshes.quad((x + t / 2, -0.0004, h * 0.78), (1, 0, 0), (0, 0, 1), (t * 0.72, 0.03)), plain(band, 0.7))
        m.body.mesh(meshes.quad((x + t / 2, -0.0004, h * 0.2), (1, 0, 0), (0, 0, 1), (t * 0.72, 0.008)), plain(band, 0.7))
        x, tallest = x + t, max(tallest, h)
    m.body.solid((0.0, 0.0, 0.0), (x, 0.17, tallest), "books")
    return m.entity()
