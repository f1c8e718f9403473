"""A room door: frame, hinged leaf and a lever on both sides."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, LinkMaker, Textures
from assets_bake.families._parts import architrave
from assets_bake.looks import CHROME, OAK, WHITE_PAINT, Look, hung, plain
from assistcore.house.stage import Entity, Handle, Joint

LEAF_M = 0.874
OPENING_M = (0.94, 2.04)


def build(
    textures: Textures,
    *,
    asset: str = "door_left",
    hinge: str = "left",
    wall_m: float = 0.12,
    look: Look = WHITE_PAINT,
    open_rad: float = 1.57,
) -> Entity:
    """Origin on the floor in the middle of the opening; the wall runs along x; the leaf swings to -y."""
    m = AssetMaker(asset, "door", "door", textures, 25.0, ("door", "openable"), ("white",), ("room door",))
    w, h, t = OPENING_M[0] / 2, OPENING_M[1], wall_m / 2
    trim = plain((0.90, 0.90, 0.88), 0.5)
    b = m.body
    jamb = 0.03
    for s in (-1, 1):
        x0, x1 = sorted((s * (w - jamb), s * w))
        b.box((x0, -t, 0.0), (x1, t, h), trim, name="jamb")
    b.box((-w, -t, h - jamb), (w, t, h), trim, name="head")
    architrave(b, 2 * w, h, t, hung(trim))
    _stops(b, w - jamb, h - jamb, -t + 0.041, trim)
    b.box((-w + jamb, -t - 0.004, 0.0), (w - jamb, t + 0.004, 0.0075), OAK.coloured((0.92, 0.88, 0.82)), solid=False)
    left = hinge == "left"
    x0, x1 = -LEAF_M / 2, LEAF_M / 2
    y0, y1 = -t, -t + 0.04
    joint = Joint("leaf", "hinge", (0.0, 0.0, 1.0), (x0 if left else x1, y0, 0.0), 0.0, -open_rad if left else open_rad)
    leaf = m.link("leaf", joint)
    leaf.box((x0, y0, 0.008), (x1, y1, h - jamb - 0.004), look, 0.003)
    for z0, z1 in ((0.16, 0.86), (1.12, 1.88)):
        for y, side in ((y0, -1.0), (y1, 1.0)):
            leaf.mesh(meshes.soft_box((LEAF_M - 0.24, 0.012, z1 - z0), (0.0, y - side * 0.002, (z0 + z1) / 2), 0.006), trim)
    hand = 1.0 if left else -1.0
    x = (x1 if left else -x1) - hand * 0.06
    for y, side in ((y0, -1.0), (y1, 1.0)):
        _lever(leaf, x, y, side, -hand)
    leaf.handle = Handle((x - hand * 0.06, y0 - 0.045, 1.0), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0))
    return m.entity()


def _stops(b: LinkMaker, w: float, h: float, y: float, look: Look) -> None:
    """Strips behind the closed leaf that hide the gap round it."""
    for s in (-1, 1):
        x0, x1 = sorted((s * w, s * (w - 0.012)))
        b.box((x0, y, 0.0), (x1, y + 0.014, h), look, solid=False)
    b.box((-w + 0.012, y, h - 0.012), (w - 0.012, y + 0.014, h), look, solid=False)


def _lever(leaf: LinkMaker, x: float, y: float, side: float, toward: float) -> None:
    out = y + side * 0.045
    path = np.array([(x, y, 1.0), (x, out, 1.0), (x + toward * 0.02, out, 1.0), (x + toward * 0.12, out, 1.0)])
    leaf.mesh(meshes.tube(path, 0.009, 8), hung(CHROME))
    leaf.mesh(meshes.soft_box((0.035, 0.006, 0.13), (x, y + side * 0.003, 0.98), 0.003), hung(CHROME))
    a, b = sorted((x + toward * 0.125, x - toward * 0.01))
    c, d = sorted((out - 0.01, out + 0.01))
    leaf.solid((a, c, 0.99), (b, d, 1.01), "handle")
