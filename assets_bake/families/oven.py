"""A built-in oven: drop-down door with a window, a rack, a switch on the panel."""

from __future__ import annotations

from assets_bake import meshes, prints
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import GAP_M, bar_handle
from assets_bake.looks import BLACK_GLASS, CHROME, DARK_STEEL, STEEL, plain, textured
from assistcore.house.stage import Control, Entity, Joint


def build(
    textures: Textures,
    *,
    asset: str = "oven",
    category: str = "oven",
    width_m: float = 0.6,
    depth_m: float = 0.58,
    height_m: float = 0.86,
    bottom_m: float = 0.22,
) -> Entity:
    """Stands under a worktop; a fixed drawer front below, the door hinged at its lower edge."""
    m = AssetMaker(asset, category, "fixture", textures, 40.0, ("openable", "container", "device", "heat"), (), ("stove",))
    m.attributes = {"running": False}
    w, d, t, panel = width_m / 2, depth_m / 2, 0.04, 0.11
    front = -d + 0.03 + GAP_M
    z0, z1 = bottom_m, height_m - panel
    inside = plain((0.16, 0.16, 0.17), 0.5)
    b = m.body
    b.box((-w, front + 0.05, 0.0), (w, d, 0.08), DARK_STEEL, name="plinth")
    b.box((-w, front, 0.08), (-w + t, d, height_m), DARK_STEEL, name="left")
    b.box((w - t, front, 0.08), (w, d, height_m), DARK_STEEL, name="right")
    b.box((-w + t, d - t, 0.08), (w - t, d, height_m), inside, name="back")
    b.box((-w + t, front, z0 - 0.02), (w - t, d - t, z0 + t - 0.02), inside, name="bottom")
    b.box((-w + t, front, z1 - 0.02), (w - t, d - t, z1), inside, name="top")
    b.box((-w, -d, z1 + 0.004), (w, front, height_m), STEEL, 0.004, name="panel")
    b.box((-w, -d, 0.08), (w, front, z0 - 0.006), STEEL, 0.004, name="plinth_front")
    shown = textured(m.picture("display", prints.screen("clock", (256, 96))), 0.0)
    b.mesh(meshes.quad((0.0, -d - 0.0006, height_m - 0.055), (1, 0, 0), (0, 0, 1), (0.13, 0.05)), shown, "display")
    for x in (-0.22, -0.14, 0.22):
        knob = meshes.lathe([(0.02, 0.0), (0.018, 0.022), (0.0001, 0.022)], 16).turned(meshes.rotation("x", 3.14159265 / 2))
        b.mesh(knob.moved((x, -d, height_m - 0.055)), CHROME)
    b.box((0.125, -d - 0.012, height_m - 0.072), (0.159, -d, height_m - 0.038), plain((0.75, 0.2, 0.16)), 0.004, name="switch")
    m.control = Control("body", (0.142, -d - 0.012, height_m - 0.055), (0.0, -1.0, 0.0))
    rack = z0 + 0.16
    b.box((-w + t, front + 0.03, rack - 0.008), (w - t, d - t, rack), plain((0.55, 0.56, 0.58), 0.4), name="rack")
    x, y1 = w - t, d - t
    m.interior("rack", (-x, front + 0.03, rack), (x, y1, z1 - 0.02), (0.0, -1.0, 0.0), ("door",))
    leaf = m.link("door", Joint("door", "hinge", (1.0, 0.0, 0.0), (0.0, -d + 0.03, z0), 0.0, 1.5))
    leaf.box((-w + 0.002, -d, z0), (w - 0.002, -d + 0.03, z1), DARK_STEEL, 0.005)
    pane = ((2 * w - 0.14, 0.005, z1 - z0 - 0.2), (0.0, -d + 0.0015, 0.5 * (z0 + z1) - 0.02))
    leaf.mesh(meshes.box(*pane), BLACK_GLASS, "lit")
    leaf.handle = bar_handle(leaf, (0.0, -d, z1 - 0.05), 0.44, False, 0.045)
    return m.entity()
