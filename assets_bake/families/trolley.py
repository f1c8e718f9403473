"""Fixtures on wheels that a person pushes and pulls: a cart with two trays, a tall rack with shelves."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import BIRCH, CHROME, RUBBER, STEEL, Look
from assistcore.house.stage import Entity, Handle

WHEEL_M = 0.10
BAR_OUT_M = 0.12
"""How far the push bar overhangs: the walking feet stay clear of the wheels."""
BAR_Z_M = 0.98


def build(
    textures: Textures,
    *,
    asset: str,
    kind: str = "cart",
    nouns: tuple[str, ...] = (),
    adjectives: tuple[str, ...] = (),
    size_m: tuple[float, float, float] = (0.46, 0.72, 0.66),
    shelves_m: tuple[float, ...] = (0.20,),
    look: Look = BIRCH,
    mass_kg: float = 14.0,
) -> Entity:
    """Origin on the floor; the push bar is at the end that looks to -y. Height is the top board's; `shelves_m` the boards below it."""
    m = AssetMaker(asset, kind, "movable", textures, mass_kg, ("surface", "wheeled"), adjectives, nouns)
    w, d, h = size_m[0] / 2, size_m[1] / 2, size_m[2]
    b = m.body
    post = 0.024
    corners = [(sx * (w - post / 2), sy * (d - post / 2)) for sx in (-1, 1) for sy in (-1, 1)]
    for x, y in corners:
        r = post / 2
        b.box((x - r, y - r, WHEEL_M), (x + r, y + r, h), STEEL, name="post")
        b.mesh(
            meshes.lathe([(0.0001, -0.012), (0.045, -0.012), (0.045, 0.012), (0.0001, 0.012)], 18)
            .turned(meshes.rotation("y", np.pi / 2))
            .moved((x, y, 0.046)),
            RUBBER,
        )
        b.mesh(meshes.box((0.012, 0.04, 0.05), (x, y, 0.08)), STEEL)
        b.solid((x - 0.02, y - 0.02, 0.0), (x + 0.02, y + 0.02, WHEEL_M), "wheel")
    levels = [*shelves_m, h]
    for k, z in enumerate(levels):
        b.box((-w, -d, z - 0.02), (w, d, z), look, 0.003, name="board")
        if k < len(levels) - 1:
            roof = levels[k + 1] - 0.02
            out = (1.0, 0.0, 0.0) if size_m[1] > size_m[0] else (0.0, -1.0, 0.0)
            m.interior(f"shelf_{k + 1}", (-w + post, -d + post, z), (w - post, d - post, roof), out)
    m.surface("top", (-w, -d, h), (w, d, h + 0.5))
    _bar(m, w, d, h)
    return m.entity()


def _bar(m: AssetMaker, w: float, d: float, h: float) -> None:
    """The push bar, on two brackets from the posts."""
    b = m.body
    half = min(w, 0.22)
    y = -d - BAR_OUT_M
    z0 = min(h - 0.03, BAR_Z_M)
    for s in (-1, 1):
        x = s * (half - 0.01)
        path = np.array([(x, -d + 0.01, z0), (x, y, BAR_Z_M)])
        b.mesh(meshes.tube(path, 0.008, 8), CHROME)
        low, high = path.min(axis=0) - 0.006, path.max(axis=0) + 0.006
        if h < BAR_Z_M:  # an upright arm: its box would fill the room before the tray
            for t in np.linspace(0.0, 0.8, 5):
                a, c = path[0] + t * (path[1] - path[0]), path[0] + (t + 0.2) * (path[1] - path[0])
                b.solid(tuple(np.minimum(a, c) - 0.006), tuple(np.maximum(a, c) + 0.006), "arm")
        else:
            b.solid(tuple(low), tuple(high), "arm")
    b.mesh(meshes.tube(np.array([(-half, y, BAR_Z_M), (half, y, BAR_Z_M)]), 0.011, 10), CHROME)
    b.solid((-half, y - 0.010, BAR_Z_M - 0.010), (half, y + 0.010, BAR_Z_M + 0.010), "handle")
    b.handle = Handle((0.0, y, BAR_Z_M), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0))
