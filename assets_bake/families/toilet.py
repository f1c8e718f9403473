"""A toilet with cistern; its seat is closed."""

from __future__ import annotations

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import CERAMIC, CHROME, WHITE_PAINT
from assets_bake.pieces import hull_piece
from assistcore.house.stage import Entity


def build(textures: Textures, *, asset: str = "toilet") -> Entity:
    """Cistern at +y, 0.66 m deep, seat at 0.42 m."""
    m = AssetMaker(asset, "toilet", "fixture", textures, 35.0, ("seat",), ("white",), ())
    b = m.body
    bowl = meshes.lathe([(0.0001, 0.0), (0.11, 0.0), (0.10, 0.12), (0.15, 0.26), (0.185, 0.36), (0.185, 0.39)], 28)
    b.mesh(bowl.scaled((1.0, 1.28, 1.0)).moved((0, -0.06, 0)), CERAMIC)
    lid = meshes.lathe([(0.0001, 0.0), (0.18, 0.0), (0.19, 0.008), (0.19, 0.022), (0.18, 0.03), (0.0001, 0.034)], 32)
    b.mesh(lid.scaled((1.0, 1.28, 1.0)).moved((0, -0.06, 0.39)), WHITE_PAINT)
    b.mesh(meshes.soft_box((0.22, 0.2, 0.38), (0, 0.16, 0.19), 0.03, rings=2), CERAMIC)
    b.mesh(meshes.soft_box((0.38, 0.17, 0.36), (0, 0.245, 0.60), 0.025, rings=2), CERAMIC)
    b.mesh(meshes.soft_box((0.40, 0.185, 0.03), (0, 0.2425, 0.79), 0.012, rings=2), CERAMIC)
    b.mesh(meshes.lathe([(0.022, 0.0), (0.022, 0.006), (0.0001, 0.008)], 16).moved((0, 0.24, 0.805)), CHROME)
    import numpy as np

    a = np.arange(12) * 2 * np.pi / 12
    rows = [
        np.stack([r * np.cos(a), 1.28 * r * np.sin(a) - 0.06, np.full(12, z)], 1)
        for r, z in ((0.11, 0.0), (0.10, 0.12), (0.19, 0.38), (0.19, 0.42))
    ]
    b.add([hull_piece("bowl", np.concatenate(rows))])
    b.solid((-0.11, 0.06, 0.0), (0.11, 0.26, 0.38), "foot")
    b.solid((-0.20, 0.15, 0.42), (0.20, 0.335, 0.805), "cistern")
    return m.entity()
