"""Tables and desks: a top on four legs."""

from __future__ import annotations

from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import legs
from assets_bake.looks import OAK, Look
from assistcore.house.stage import Entity


def build(
    textures: Textures,
    *,
    asset: str = "dining_table",
    category: str = "dining_table",
    nouns: tuple[str, ...] = ("table",),
    adjectives: tuple[str, ...] = ("wooden",),
    size_m: tuple[float, float, float] = (1.2, 0.8, 0.74),
    look: Look = OAK,
    leg_look: Look | None = None,
    leg_m: float = 0.06,
    taper: float = 0.6,
    shelf_m: float = 0.0,
) -> Entity:
    """Origin on the floor. `shelf_m`: height of an extra shelf between the legs (0: none)."""
    m = AssetMaker(asset, category, "fixture", textures, 25.0, ("surface",), adjectives, nouns)
    w, d, h = size_m[0] / 2, size_m[1] / 2, size_m[2]
    t = 0.03
    m.body.box((-w, -d, h - t), (w, d, h), look, 0.006, name="top")
    inset = leg_m / 2 + 0.03
    legs(m.body, [(sx * (w - inset), sy * (d - inset)) for sx in (-1, 1) for sy in (-1, 1)], h - t, leg_m, leg_look or look, taper)
    apron, z = 0.02, h - t - 0.07
    for y in (-d + inset, d - inset):
        m.body.box((-w + inset, y - apron / 2, z), (w - inset, y + apron / 2, h - t), leg_look or look, solid=False)
    for x in (-w + inset, w - inset):
        m.body.box((x - apron / 2, -d + inset, z), (x + apron / 2, d - inset, h - t), leg_look or look, solid=False)
    m.body.solid((-w + inset, -d + inset, z), (w - inset, d - inset, h - t), "apron")
    if shelf_m:
        m.body.box((-w + 0.04, -d + 0.04, shelf_m - 0.02), (w - 0.04, d - 0.04, shelf_m), leg_look or look, name="shelf")
    m.surface("top", (-w, -d, h), (w, d, h + 0.6))
    return m.entity()
