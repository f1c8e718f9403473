"""Sofas and armchairs: base, arms, back and seat cushions."""

from __future__ import annotations

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import legs
from assets_bake.looks import OAK, Look, lightened, textured
from assistcore.house.stage import Entity


def build(
    textures: Textures,
    *,
    asset: str = "sofa",
    category: str = "sofa",
    nouns: tuple[str, ...] = ("couch",),
    colour: tuple[float, float, float] = (0.36, 0.45, 0.52),
    adjectives: tuple[str, ...] = ("blue",),
    width_m: float = 1.9,
    depth_m: float = 0.86,
    seats: int = 2,
) -> Entity:
    """The sitter looks along -y; seat at 0.43 m."""
    m = AssetMaker(asset, category, "fixture", textures, 40.0, ("seat", "surface"), adjectives, nouns)
    fabric = textured("weave", 0.16, colour, 0.95)
    pad: Look = fabric.coloured(lightened(colour, 1.12))
    w, d, b = width_m / 2, depth_m / 2, m.body
    arm, back, seat = 0.15, 0.2, 0.43
    legs(b, [(sx * (w - 0.07), sy * (d - 0.07)) for sx in (-1, 1) for sy in (-1, 1)], 0.12, 0.045, OAK, 0.7)
    b.box((-w + 0.02, -d + 0.03, 0.11), (w - 0.02, d - 0.02, 0.28), fabric, 0.02, name="base")
    for s in (-1, 1):
        x0, x1 = sorted((s * w, s * (w - arm)))
        b.box((x0, -d, 0.12), (x1, d, 0.60), fabric, 0.05, name="arm")
    b.box((-w + 0.05, d - back, 0.12), (w - 0.05, d, 0.80), fabric, 0.06, name="back")
    inner = 2 * (w - arm) / seats
    for k in range(seats):
        x0 = -w + arm + k * inner
        size, centre = (inner - 0.006, depth_m - back - 0.01, 0.16), (x0 + inner / 2, -back / 2 - 0.005, seat - 0.08)
        b.mesh(meshes.soft_box(size, centre, 0.045, 0.16, rings=3), pad)
        pillow = meshes.soft_box((inner - 0.01, 0.17, 0.40), (0, 0, 0.20), 0.07, 0.16, rings=3).turned(meshes.rotation("x", -0.16))
        b.mesh(pillow.moved((x0 + inner / 2, d - back - 0.055, seat - 0.01)), pad)
    b.solid((-w + arm, -d, 0.27), (w - arm, d - back, seat), "seat")
    b.solid((-w + arm, d - back - 0.14, seat), (w - arm, d - back, seat + 0.39), "pillows")
    m.surface("seat", (-w + arm, -d, seat), (w - arm, d - back - 0.14, seat + 0.5))
    return m.entity()
