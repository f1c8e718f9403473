"""A bed with mattress, duvet, pillows and headboard."""

from __future__ import annotations

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import legs
from assets_bake.families.textile import _pillow
from assets_bake.looks import LINEN, OAK, textured
from assistcore.house.stage import Entity


def build(textures: Textures, *, asset: str = "bed_double", width_m: float = 1.44, length_m: float = 2.06) -> Entity:
    """Head at +y, foot at -y; the top is 0.5 m high."""
    m = AssetMaker(asset, "bed", "fixture", textures, 60.0, ("seat", "surface"), ("double",), ())
    w, d, b = width_m / 2, length_m / 2, m.body
    legs(b, [(sx * (w - 0.05), sy * (d - 0.06)) for sx in (-1, 1) for sy in (-1, 1)], 0.2, 0.06, OAK)
    b.box((-w, -d, 0.18), (w, d - 0.04, 0.30), OAK, 0.008, name="frame")
    b.box((-w, d - 0.04, 0.18), (w, d, 0.95), OAK, 0.012, name="headboard")
    b.box((-w + 0.02, -d + 0.04, 0.30), (w - 0.02, d - 0.045, 0.46), LINEN, 0.04, name="mattress")
    duvet = textured("weave", 0.16, (0.52, 0.62, 0.70), 0.95)
    fold = textured("weave", 0.16, (0.90, 0.90, 0.88), 0.95)
    top = 0.50
    b.mesh(meshes.soft_box((width_m + 0.03, 1.455, 0.24), (0, -d + 0.7125, top - 0.12), 0.05, 0.16, rings=3), duvet)
    b.mesh(meshes.soft_box((width_m + 0.046, 0.22, 0.256), (0, -d + 1.40, top - 0.12), 0.05, 0.16, rings=3), fold)
    b.solid((-w, -d + 0.02, 0.46), (w, -d + 1.51, top), "duvet")
    for s in (-1, 1):
        b.mesh(_pillow(0.60, 0.40, 0.15).turned(meshes.rotation("x", 0.18)).moved((s * 0.34, d - 0.27, 0.455)), LINEN)
    b.solid((-w + 0.06, d - 0.46, 0.46), (w - 0.06, d - 0.05, 0.585), "pillows")
    m.surface("top", (-w, -d + 0.02, top), (w, -d + 1.50, top + 0.6))
    return m.entity()
