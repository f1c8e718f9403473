"""Cabinets with one hinged door: base and wall cabinets, wardrobes, sideboards, nightstands; and open shelves."""

from __future__ import annotations

from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import GAP_M, carcass, hinged_leaf, legs
from assets_bake.looks import BIRCH, CABINET, Look
from assistcore.house.stage import Entity


def build(
    textures: Textures,
    *,
    asset: str = "base_cabinet",
    category: str = "cabinet",
    nouns: tuple[str, ...] = ("cupboard",),
    adjectives: tuple[str, ...] = (),
    size_m: tuple[float, float, float] = (0.6, 0.58, 0.86),
    bottom_m: float = 0.0,
    plinth_m: float = 0.0,
    feet_m: float = 0.0,
    shelves_m: tuple[float, ...] = (0.45,),
    look: Look = CABINET,
    inside: Look = BIRCH,
    front: Look | None = None,
    hinge: str = "left",
    open_rad: float = 1.65,
    handle_z_m: float | None = None,
    door: bool = True,
    surface: bool = False,
    top: bool = False,
    door_width_m: float = 0.0,
    fascia_m: float = 0.0,
    mass_kg: float = 30.0,
) -> Entity:
    """`size_m` is the outer size including the door; `shelves_m` are heights of shelf tops. Without `door` it is an open shelf.

    `surface`: things may stand on its top. `feet_m`: legs instead of a plinth. `door_width_m`: a narrower leaf, the rest a fixed front.
    `fascia_m`: height up to which a fixed board closes the front above the leaf (0: none).
    """
    roles = ["container", *(["openable"] if door else ["surface"]), *(["surface"] if surface and door else [])]
    m = AssetMaker(asset, category, "fixture", textures, mass_kg, roles, adjectives, nouns)
    w, d, h = size_m[0] / 2, size_m[1] / 2, size_m[2]
    thick = 0.02 if door else 0.0
    low_z = max(plinth_m, feet_m)
    face = -d + (thick + GAP_M if door else 0.0)
    if plinth_m:
        m.body.box((-w, face + 0.05, 0.0), (w, d, plinth_m), look, name="plinth")
    if feet_m:
        legs(m.body, [(sx * (w - 0.04), sy * (d - 0.05)) for sx in (-1, 1) for sy in (-1, 1)], feet_m, 0.035, inside, 0.6)
    doors = ("door",) if door else ()
    carcass(m, (-w, face, bottom_m + low_z), (w, d, bottom_m + h), look, shelves_m, inside=inside, doors=doors)
    if door:
        wide = door_width_m or 2 * w
        g = 0.0015
        z0 = bottom_m + low_z + g
        x0, x1 = (-w + g, -w + wide - g) if hinge == "left" else (w - wide + g, w - g)
        hinged_leaf(m, (x0, -d, z0), (x1, -d + thick, bottom_m + h - g), front or look, hinge, open_rad=open_rad, handle_z_m=handle_z_m)
        if door_width_m:
            a, b = (x1 + 2 * g, w - g) if hinge == "left" else (-w + g, x0 - 2 * g)
            m.body.box((a, -d, bottom_m + low_z + g), (b, -d + thick, bottom_m + h - g), front or look, 0.004, name="front")
    if fascia_m:
        m.body.box((-w + 0.0015, -d, bottom_m + h + 0.0015), (w - 0.0015, -d + thick, fascia_m), front or look, 0.004, name="fascia")
    if surface or top:
        m.surface("top", (-w, -d + thick, bottom_m + h), (w, d, bottom_m + h + 0.5))
    return m.entity()
