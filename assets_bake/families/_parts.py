"""Shared pieces of furniture: carcasses with shelves, hinged leaves, bar handles, legs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, LinkMaker
from assets_bake.looks import CHROME, Look
from assets_bake.meshes import Point3
from assistcore.house.stage import Handle, Joint

GAP_M = 0.003


def bar_handle(link: LinkMaker, centre: Point3, length_m: float, vertical: bool, out_m: float = 0.045, look: Look = CHROME) -> Handle:
    """A bar in front (-y) of a leaf whose face is at `centre`; returns where the hand takes it."""
    x, y, z = centre
    half = length_m / 2
    yb = y - out_m
    along = (0.0, 0.0, 1.0) if vertical else (1.0, 0.0, 0.0)
    ends = [np.array([x, yb, z]) + np.array(along) * s * half for s in (-1, 1)]
    link.mesh(meshes.tube(np.array(ends), 0.006, 8), look)
    for e in ends:
        foot = e - np.array(along) * np.sign((e - np.array([x, yb, z])) @ np.array(along)) * 0.012
        link.mesh(meshes.tube(np.array([foot, foot + [0, out_m, 0]]), 0.005, 6), look)
    r = np.array([0.007, 0.007, 0.007]) + np.abs(np.array(along)) * half
    link.solid(tuple(np.array([x, yb, z]) - r), tuple(np.array([x, yb, z]) + r), "handle")
    return Handle((x, yb, z), (0.0, -1.0, 0.0), along)


def hinged_leaf(
    maker: AssetMaker,
    low: Point3,
    high: Point3,
    look: Look,
    hinge: str,
    *,
    open_rad: float = 1.65,
    handle_z_m: float | None = None,
    handle_m: float = 0.16,
    key: str = "door",
    radius_m: float = 0.004,
    panel: Look | None = None,
) -> LinkMaker:
    """A leaf in front of a carcass, hinged at its `left` or `right` edge, with a vertical bar handle at the other."""
    if hinge not in ("left", "right"):
        raise ValueError(f"{maker.asset}: hinge {hinge!r} is neither left nor right")
    left = hinge == "left"
    anchor = (low[0] if left else high[0], low[1], 0.0)
    joint = Joint(key, "hinge", (0.0, 0.0, 1.0), anchor, 0.0, -open_rad if left else open_rad)
    link = maker.link(key, joint)
    link.box(low, high, look, radius_m)
    if panel is not None:
        m = 0.055
        link.box((low[0] + m, low[1] - 0.004, low[2] + m), (high[0] - m, low[1] + 0.002, high[2] - m), panel, 0.003, solid=False)
    z = (low[2] + high[2]) / 2 if handle_z_m is None else handle_z_m
    x = high[0] - 0.045 if left else low[0] + 0.045
    link.handle = bar_handle(link, (x, low[1], z), handle_m, True)
    return link


def architrave(link: LinkMaker, width_m: float, height_m: float, half_wall_m: float, look: Look, inner_m: float = 0.012) -> None:
    """Mouldings round an opening on both sides of a wall (its middle is y = 0), gently rounded: no edge turns from the light."""
    w, h, r = width_m / 2, height_m, 0.03
    out = r * (1 - 2**-0.5) - 0.001  # what shows is the half of the rounding that looks into the room
    for y0, y1 in ((-half_wall_m - out, -half_wall_m - out + 2.1 * r), (half_wall_m + out - 2.1 * r, half_wall_m + out)):
        for x0, x1, z0, z1 in (
            (-w - 0.06, -w + inner_m, -0.03, h + 0.06),
            (w - inner_m, w + 0.06, -0.03, h + 0.06),
            (-w - 0.06, w + 0.06, h - inner_m, h + 0.06),
        ):
            size, centre = (x1 - x0, y1 - y0, z1 - z0), ((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)
            link.mesh(meshes.soft_box(size, centre, r, look.tile_m, rings=2), look)


def carcass(
    maker: AssetMaker,
    low: Point3,
    high: Point3,
    look: Look,
    shelves_z_m: Sequence[float],
    *,
    wall_m: float = 0.018,
    inside: Look | None = None,
    doors: Sequence[str] = (),
    shelf_look: Look | None = None,
    setback_m: float = 0.02,
    kind: str = "interior",
) -> None:
    """A box open at the front with shelves; each compartment becomes a region `shelf_1` .. counted from the bottom.

    `shelves_z_m` are the tops of the shelves above the bottom board, in the root frame.
    """
    b, t = maker.body, wall_m
    b.box(low, (low[0] + t, high[1], high[2]), look, name="left")
    b.box((high[0] - t, low[1], low[2]), high, look, name="right")
    b.box((low[0] + t, high[1] - 0.012, low[2]), (high[0] - t, high[1], high[2] - t), inside or look, name="back")
    b.box((low[0] + t, low[1], low[2]), (high[0] - t, high[1] - 0.012, low[2] + t), inside or look, name="bottom")
    b.box((low[0] + t, low[1], high[2] - t), (high[0] - t, high[1], high[2]), look, name="top")
    for z in shelves_z_m:
        b.box((low[0] + t, low[1] + setback_m, z - t), (high[0] - t, high[1] - 0.012, z), shelf_look or inside or look, name="shelf")
    floors = [low[2] + t, *shelves_z_m]
    roofs = [*(z - t for z in shelves_z_m), high[2] - t]
    for k, (z0, z1) in enumerate(zip(floors, roofs, strict=True), 1):
        front = low[1] + (setback_m if k > 1 else 0.0)
        maker.interior(f"shelf_{k}", (low[0] + t, front, z0), (high[0] - t, high[1] - 0.012, z1), (0.0, -1.0, 0.0), doors)


def legs(link: LinkMaker, corners: Sequence[tuple[float, float]], top_m: float, thick_m: float, look: Look, taper: float = 1.0) -> None:
    """Square legs from the floor to `top_m` centred at `corners`; thinner at the foot with taper < 1."""
    h = thick_m / 2
    for x, y in corners:
        if taper == 1.0:
            link.box((x - h, y - h, 0.0), (x + h, y + h, top_m), look, name="leg")
            continue
        leg = meshes.box((thick_m, thick_m, top_m), (0.0, 0.0, top_m / 2), look.tile_m)
        v = leg.vertices_m.copy()
        v[v[:, 2] < 1e-9, :2] *= taper
        link.mesh(meshes.Mesh(v, leg.faces, leg.normals, leg.uvs).moved((x, y, 0.0)), look)
        link.solid((x - h, y - h, 0.0), (x + h, y + h, top_m), "leg")
