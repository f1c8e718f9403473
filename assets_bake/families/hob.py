"""A glass hob with four plates and touch keys at the front."""

from __future__ import annotations

from assets_bake import meshes, prints
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import BLACK_GLASS, plain, textured
from assistcore.house.stage import Control, Entity


def build(textures: Textures, *, asset: str = "hob", size_m: tuple[float, float] = (0.56, 0.5)) -> Entity:
    """Origin on the worktop; 12 mm high."""
    m = AssetMaker(asset, "hob", "fixture", textures, 8.0, ("surface", "device", "heat"), ("black",), ("stove", "cooktop", "burner"))
    m.attributes = {"running": False}
    w, d, h = size_m[0] / 2, size_m[1] / 2, 0.012
    m.body.box((-w, -d, 0.0), (w, d, h), BLACK_GLASS, 0.004)
    ring = plain((0.36, 0.36, 0.38), 0.5)
    for x, y, r in ((-0.14, 0.09, 0.1), (0.14, 0.09, 0.08), (-0.14, -0.12, 0.08), (0.14, -0.12, 0.1)):
        for k in (1.0, 0.55):
            band = [(r * k - 0.004, 0.0), (r * k, 0.0), (r * k, 0.0006), (r * k - 0.004, 0.0006), (r * k - 0.004, 0.0)]
            m.body.mesh(meshes.lathe(band, 32).moved((x, y, h)), ring, "hot")
    touch = textured(m.picture("touch", prints.screen("touch", (512, 64))), 0.0, roughness=0.15)
    m.body.mesh(meshes.quad((0.0, -d + 0.022, h + 0.0012), (1, 0, 0), (0, 1, 0), (0.24, 0.03)), touch)
    m.body.solid((-0.03, -d + 0.01, h), (0.03, -d + 0.035, h + 0.0012), "switch")
    m.control = Control("body", (0.0, -d + 0.022, h + 0.0012), (0.0, 0.0, 1.0))
    m.surface("plates", (-w, -d + 0.04, h), (w, d, h + 0.4))
    return m.entity()
