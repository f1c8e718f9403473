"""Open round things that hold something: mugs, bowls, plates, glasses, cups, pots, vases, plant pots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import COLOURS, GLASS, STEEL, Look, lightened, plain
from assets_bake.pieces import box_piece, standing, wall_ring
from assistcore.house.stage import ConvexPiece, Entity, GraspHint, Tip

Profile = Sequence[tuple[float, float]]


class Shape(NamedTuple):
    """Outer profile from the foot up, inner profile from the bottom up (radius, height), mass, grasp."""

    outer: Profile
    inner: Profile
    mass_kg: float
    grasp: GraspHint


SHAPES: dict[str, Shape] = {
    "mug": Shape([(0.036, 0.0), (0.041, 0.004), (0.041, 0.095)], [(0.033, 0.008), (0.0365, 0.095)], 0.30, "wrap"),
    "cup": Shape([(0.030, 0.0), (0.036, 0.006), (0.038, 0.10)], [(0.030, 0.008), (0.0345, 0.10)], 0.18, "wrap"),
    "glass": Shape([(0.028, 0.0), (0.034, 0.12)], [(0.025, 0.01), (0.0315, 0.12)], 0.20, "wrap"),
    "bowl": Shape(
        [(0.036, 0.0), (0.05, 0.008), (0.07, 0.034), (0.08, 0.066)], [(0.04, 0.010), (0.063, 0.034), (0.075, 0.066)], 0.35, "edge"
    ),
    "plate": Shape([(0.07, 0.0), (0.085, 0.004), (0.12, 0.022)], [(0.078, 0.006), (0.114, 0.022)], 0.45, "edge"),
    "saucer": Shape([(0.045, 0.0), (0.055, 0.003), (0.075, 0.016)], [(0.05, 0.005), (0.070, 0.016)], 0.2, "edge"),
    "pot": Shape([(0.095, 0.0), (0.1, 0.006), (0.1, 0.13)], [(0.096, 0.006), (0.096, 0.13)], 1.1, "auto"),
    "vase": Shape(
        [(0.04, 0.0), (0.058, 0.06), (0.05, 0.14), (0.032, 0.19), (0.038, 0.22)],
        [(0.03, 0.012), (0.05, 0.06), (0.044, 0.14), (0.026, 0.19), (0.032, 0.22)],
        0.7,
        "wrap",
    ),
    "planter": Shape([(0.055, 0.0), (0.075, 0.12)], [(0.05, 0.012), (0.069, 0.12)], 0.8, "wrap"),
}


def build(
    textures: Textures,
    *,
    asset: str,
    shape: str = "mug",
    colour: str = "white",
    category: str = "",
    nouns: tuple[str, ...] = (),
    look: Look | None = None,
) -> Entity:
    """A vessel of a shape in SHAPES. Raises KeyError for another."""
    s = SHAPES[shape]
    roles = (
        ("surface",) if shape in ("plate", "saucer") else ("container", "drinkable") if shape in ("mug", "cup", "glass") else ("container",)
    )
    if shape == "pot":
        roles = ("container", "tool")
    m = AssetMaker(asset, category or shape, "movable", textures, s.mass_kg, roles, (colour,), nouns or (shape,), s.grasp)
    m.attributes = {"clean": True}
    skin = look or (GLASS.coloured((0.80, 0.92, 0.95)) if shape == "glass" else STEEL if shape == "pot" else plain(COLOURS[colour], 0.25))
    lining = (
        skin if shape in ("glass", "pot", "plate", "saucer") or colour == "white" else plain(lightened(COLOURS[colour], 0.55, 0.42), 0.25)
    )
    segments = 28 if shape in ("plate", "bowl", "pot") else 24
    rim = (s.inner[-1][0], s.inner[-1][1])
    m.body.mesh(meshes.lathe([(0.0001, 0.0), *s.outer, rim], segments), skin)
    m.body.mesh(meshes.lathe([*reversed(s.inner), (0.0001, s.inner[0][1])], segments), lining)
    floor_z = s.inner[0][1]
    base = [(r, z) for r, z in s.outer if z < floor_z] + [
        (float(np.interp(floor_z, [p[1] for p in s.outer], [p[0] for p in s.outer])), floor_z)
    ]
    m.body.add(standing("bottom", base if len(base) > 1 else [(s.outer[0][0], 0.0), base[-1]]))
    for k in range(len(s.inner) - 1):
        m.body.add(_wall(s, k))
    top, r = s.inner[-1][1], s.inner[0][0] * 0.7071
    if "container" in roles:
        m.interior("inside", (-r, -r, floor_z), (r, r, top), (0.0, 0.0, 1.0))
        mouth = 2.0 * s.inner[-1][0]
        m.tips = [Tip("rim", (0.0, 0.0, s.outer[-1][1]), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (mouth, mouth))]
    else:
        m.surface("top", (-r, -r, floor_z), (r, r, floor_z + 0.2))
    if shape == "mug":
        _handle(m, skin)
    if shape == "pot":
        for sx in (-1, 1):
            m.body.box((min(sx * 0.1, sx * 0.14), -0.03, 0.095), (max(sx * 0.1, sx * 0.14), 0.03, 0.11), plain(COLOURS["black"]), 0.006)
    return m.entity()


def _wall(s: Shape, k: int) -> list[ConvexPiece]:
    z0, z1 = s.inner[k][1], s.inner[k + 1][1]
    heights, radii = [p[1] for p in s.outer], [p[0] for p in s.outer]
    outer = [(float(np.interp(z, heights, radii)), z) for z in (z0, z1)]
    inner = [(min(r, outer[i][0] - 0.002), z) for i, (r, z) in enumerate((s.inner[k], s.inner[k + 1]))]
    return wall_ring(f"wall{k}", inner, outer, 10)


def _handle(m: AssetMaker, skin: Look) -> None:
    a = np.linspace(-1.25, 1.25, 10)
    path = np.stack([0.036 + 0.030 * np.cos(a), 0 * a, 0.05 + 0.030 * np.sin(a)], 1)
    m.body.mesh(meshes.tube(path, 0.0055, 8), skin)
    for k, (z, dx, h) in enumerate(((0.074, 0.0, 0.011), (0.05, 0.018, 0.052), (0.026, 0.0, 0.011))):
        low, wide = (0.041 + dx, 0.012) if dx else (0.041, 0.022)
        m.body.add([box_piece(f"handle{k}", (wide, 0.011, h), (low + wide / 2, 0.0, z))])
