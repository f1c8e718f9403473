"""Flat patches on surfaces that show only at times: puddles of what was spilt, stains. They have no body."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import Look, plain
from assistcore.house.stage import Entity

LOOKS: dict[str, Look] = {"spill": plain((0.72, 0.82, 0.88), 0.08), "stain": plain((0.34, 0.22, 0.10), 0.9)}
LOBES = ((0.0, 0.0, 1.0), (0.55, 0.25, 0.55), (-0.5, 0.4, 0.5), (0.1, -0.62, 0.5), (-0.6, -0.35, 0.4))
"""Discs that make up a patch: x, y and radius as shares of its radius."""


def build(textures: Textures, *, asset: str, kind: str, radius_m: float = 0.07) -> Entity:
    """`kind`: spill or stain. Raises KeyError for another. Absent until something makes it present."""
    look = LOOKS[kind]
    nouns = ("puddle", "spill") if kind == "spill" else ("stain", "dirt", "dirty spot")
    m = AssetMaker(asset, kind, "fixture", textures, 0.0, ("patch", kind), (), nouns)
    for k, (x, y, r) in enumerate(LOBES):
        height = 0.0012 + 0.0002 * k
        disc = meshes.lathe([(0.0001, height), (0.8 * r * radius_m, height), (r * radius_m, 0.0004)], 20)
        m.body.mesh(disc.moved((x * radius_m, y * radius_m, 0.0)), look)
    m.attributes = {"present": False}
    return m.entity()


def reach_m(radius_m: float) -> float:
    """How far a patch goes from its middle, metres."""
    return radius_m * max(float(np.hypot(x, y)) + r for x, y, r in LOBES)
