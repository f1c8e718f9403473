"""A dining or desk chair with a back rest."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import legs
from assets_bake.looks import OAK, Look
from assets_bake.pieces import box_piece
from assistcore.house.stage import Entity


def build(
    textures: Textures,
    *,
    asset: str = "chair_oak",
    category: str = "chair",
    nouns: tuple[str, ...] = (),
    adjectives: tuple[str, ...] = ("wooden",),
    look: Look = OAK,
    seat: Look | None = None,
    width_m: float = 0.42,
    depth_m: float = 0.42,
    seat_m: float = 0.45,
    back_m: float = 0.86,
) -> Entity:
    """The sitter looks along -y; the back rest is at +y."""
    m = AssetMaker(asset, category, "fixture", textures, 6.0, ("seat", "surface"), adjectives, nouns)
    w, d = width_m / 2, depth_m / 2
    b = m.body
    legs(b, [(sx * (w - 0.025), sy * (d - 0.025)) for sx in (-1, 1) for sy in (-1, 1)], seat_m - 0.03, 0.036, look, 0.7)
    b.box((-w, -d, seat_m - 0.03), (w, d, seat_m), seat or look, 0.012, name="seat")
    tilt = meshes.rotation("x", -0.12)
    for x in (-w + 0.02, w - 0.02):
        post = meshes.soft_box((0.034, 0.028, back_m - seat_m), (0, 0, (back_m - seat_m) / 2), 0.008, look.tile_m).turned(tilt)
        b.mesh(post.moved((x, d - 0.025, seat_m)), look)
    for z0, z1 in ((0.16, 0.24), (0.30, back_m - seat_m)):
        slat = meshes.soft_box((2 * w - 0.04, 0.018, z1 - z0), (0, 0, (z0 + z1) / 2), 0.008, look.tile_m).turned(tilt)
        b.mesh(slat.moved((0.0, d - 0.025, seat_m)), look)
    h = back_m - seat_m
    b.add([box_piece("back", (2 * w, 0.035, h), tilt @ np.array([0, 0, h / 2]) + [0, d - 0.025, seat_m], tilt)])
    m.surface("seat", (-w, -d, seat_m), (w, d - 0.05, seat_m + 0.4))
    return m.entity()
