"""Lamps: floor lamp, table lamp, and ceiling lamps with a wall switch."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import BRASS, CHROME, hung, plain
from assistcore.house.stage import Control, Entity

SHADE = plain((0.98, 0.93, 0.80), 0.9, emissive=0.55)


def build(
    textures: Textures,
    *,
    asset: str = "floor_lamp",
    kind: str = "floor",
    category: str = "floor_lamp",
    nouns: tuple[str, ...] = ("lamp", "light"),
    switch: tuple[float, float, float] = (0.0, 0.0, 0.0),
    switch_normal: tuple[float, float, float] = (0.0, -1.0, 0.0),
    ceiling_m: float = 2.6,
) -> Entity:
    """`kind`: floor, table or ceiling. A ceiling lamp's origin is on the floor below it; `switch` is the plate's middle on the wall."""
    roles = ("device", "lamp")
    m = AssetMaker(asset, category, "fixture", textures, 3.0, roles, (), nouns)
    m.attributes = {"running": False}
    if kind == "floor":
        _stand(m, 1.55, 0.20, 0.14)
    elif kind == "table":
        _stand(m, 0.40, 0.13, 0.07)
    elif kind == "ceiling":
        _ceiling(m, ceiling_m, switch, switch_normal)
    else:
        raise ValueError(f"lamp kind {kind!r} is none of floor, table, ceiling")
    return m.entity()


def _stand(m: AssetMaker, height: float, shade: float, foot: float) -> None:
    b = m.body
    low = height - (0.30 if height > 1 else 0.20)
    b.mesh(meshes.lathe([(0.0001, 0.0), (foot, 0.0), (foot, 0.012), (foot * 0.3, 0.025), (0.012, 0.03)], 28), BRASS)
    b.mesh(meshes.tube(np.array([(0, 0, 0.02), (0, 0, low + 0.05)]), 0.011, 10), BRASS)
    b.mesh(meshes.lathe([(0.0001, low + 0.02), (0.018, low + 0.02), (0.018, low + 0.06), (0.0001, low + 0.065)], 14), BRASS)
    _holder(m, low, height, shade)
    b.mesh(meshes.both_sides(meshes.lathe([(shade, low), (shade * 0.72, height)], 32)), SHADE)
    b.mesh(meshes.ball((0.045, 0.045, 0.06), (0, 0, low + 0.1), 14), plain((1.0, 0.96, 0.86), 0.9, emissive=0.9))
    b.solid((-foot * 0.8, -foot * 0.8, 0.0), (foot * 0.8, foot * 0.8, 0.025), "foot")
    b.solid((-0.012, -0.012, 0.025), (0.012, 0.012, low), "pole")
    s = shade * 0.85
    b.solid((-s, -s, low), (s, s, height), "shade")
    z = 1.12 if height > 1 else 0.12
    b.box((-0.016, -0.026, z - 0.022), (0.016, -0.010, z + 0.022), plain((0.16, 0.16, 0.17)), 0.004, name="switch")
    m.control = Control("body", (0.0, -0.026, z), (0.0, -1.0, 0.0))


def _holder(m: AssetMaker, low: float, height: float, shade: float) -> None:
    """The bow round the bulb, the spokes under the shade's upper edge, its two rings and the knob on top."""
    b, top = m.body, height - 0.015
    a = np.linspace(0, np.pi, 15)
    bow = np.stack([0.06 * np.cos(a), 0 * a, low + 0.03 + (top - low - 0.03) * np.sin(a) ** 0.6], 1)
    b.mesh(meshes.tube(bow, 0.003, 6), hung(BRASS))
    inner = shade * (1 - 0.28 * (top - low) / (height - low)) - 0.003
    for k in range(3):
        c, s = np.cos(k * 2 * np.pi / 3 + 0.5), np.sin(k * 2 * np.pi / 3 + 0.5)
        b.mesh(meshes.tube(np.array([(0, 0, top), (inner * c, inner * s, top)]), 0.0025, 5), hung(BRASS))
    ring = np.linspace(0, 2 * np.pi, 33)[:-1]
    for r, z in ((shade, low), (shade * 0.72, height)):
        b.mesh(meshes.tube(np.stack([r * np.cos(ring), r * np.sin(ring), np.full(32, z)], 1), 0.003, 5, closed=True), SHADE)
    b.mesh(meshes.ball((0.009, 0.009, 0.012), (0, 0, top + 0.01), 10), hung(BRASS))


def _ceiling(m: AssetMaker, ceiling: float, switch: tuple[float, float, float], normal: tuple[float, float, float]) -> None:
    b = m.body
    z = ceiling
    b.mesh(meshes.lathe([(0.05, -0.03), (0.05, 0.0)], 20).moved((0, 0, z)), CHROME)
    b.mesh(meshes.lathe([(0.0001, -0.03), (0.05, -0.03)], 20).moved((0, 0, z)), CHROME)
    b.mesh(meshes.tube(np.array([(0, 0, z - 0.03), (0, 0, z - 0.22)]), 0.004, 6), plain((0.15, 0.15, 0.16)))
    b.mesh(
        meshes.both_sides(meshes.lathe([(0.21, -0.40), (0.17, -0.30), (0.06, -0.22)], 32).moved((0, 0, z))),
        plain((0.95, 0.93, 0.88), 0.8, emissive=0.35),
    )
    b.mesh(meshes.ball((0.06, 0.06, 0.06), (0, 0, z - 0.345), 16), plain((1.0, 0.97, 0.9), 0.9, emissive=0.95))
    b.solid((-0.17, -0.17, z - 0.40), (0.17, 0.17, z - 0.22), "shade")
    plate = m.link("switch")
    n = np.asarray(normal)
    half = np.where(np.abs(n) > 0.5, 0.005, 0.041)
    half[2] = 0.041
    c = np.asarray(switch) + n * 0.005
    plate.box(tuple(c - half), tuple(c + half), hung(plain((0.95, 0.95, 0.94), 0.4)), 0.003, name="plate")
    rocker = np.where(np.abs(n) > 0.5, 0.004, 0.022)
    rocker[2] = 0.026
    c2 = np.asarray(switch) + n * 0.012
    plate.box(tuple(c2 - rocker), tuple(c2 + rocker), hung(plain((0.99, 0.99, 0.98), 0.3)), 0.003, name="rocker")
    tip = np.asarray(switch) + n * 0.016
    m.control = Control("switch", (float(tip[0]), float(tip[1]), float(tip[2])), normal)
