"""Boxes with a printed front: cartons, packets, medicine, gift boxes; gabled milk cartons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assets_bake import meshes, prints
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families.jar import PX_PER_M, shrink
from assets_bake.looks import plain, textured
from assets_bake.pieces import box_piece, hull_piece
from assistcore.house.stage import Entity, Label, Tip


def build(
    textures: Textures,
    *,
    asset: str,
    category: str,
    lines: Sequence[str],
    size_m: tuple[float, float, float],
    weights: Sequence[float] = (),
    paper: tuple[int, int, int] = (240, 240, 236),
    ink: tuple[int, int, int] = (24, 24, 28),
    band: tuple[int, int, int] | None = None,
    side: tuple[float, float, float] | None = None,
    gable: bool = False,
    printed: str = "front",
    mass_kg: float = 0.4,
    adjectives: tuple[str, ...] = (),
    nouns: tuple[str, ...] = (),
    roles: tuple[str, ...] = ("label", "food"),
    serif: bool = False,
    contents: str = "",
    volume_ml: int = 0,
) -> Entity:
    """Origin under the middle. `printed`: front (also the back) or top. `gable`: a roof as on a milk carton, inside the given height.

    `contents` is what is poured out of it."""
    m = AssetMaker(asset, category, "movable", textures, mass_kg, roles, adjectives, nouns, "wrap" if printed == "front" else "edge")
    w, d, h = size_m[0] / 2, size_m[1] / 2, size_m[2]
    body_h = h - 0.045 if gable else h
    rgb = side or tuple(c / 255 for c in paper)
    look = plain(rgb, 0.55)  # type: ignore[arg-type]
    face = (size_m[0], body_h) if printed == "front" else (size_m[0], size_m[1])
    image = prints.print_label(lines, (int(face[0] * PX_PER_M), int(face[1] * PX_PER_M)), paper, ink, weights, band=band, serif=serif)
    paint = textured(m.picture("print", shrink(image, 512)), 0.0, roughness=0.55)
    skip = ("front", "back") if printed == "front" else ("top",)
    m.body.mesh(meshes.box((2 * w, 2 * d, body_h), (0.0, 0.0, body_h / 2), 0.0, (*skip, *(("top",) if gable else ()))), look)
    if printed == "front":
        m.body.mesh(meshes.quad((0.0, -d, body_h / 2), (1, 0, 0), (0, 0, 1), face), paint)
        m.body.mesh(meshes.quad((0.0, d, body_h / 2), (-1, 0, 0), (0, 0, 1), face), paint)
        m.labels.append(Label("body", (0.0, -d, body_h / 2), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), face, tuple(lines)))
        m.labels.append(Label("body", (0.0, d, body_h / 2), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), face, tuple(lines)))
    else:
        m.body.mesh(meshes.quad((0.0, 0.0, h), (1, 0, 0), (0, 1, 0), face), paint)
        m.labels.append(Label("body", (0.0, 0.0, h), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), face, tuple(lines)))
    m.body.add([box_piece("body", (2 * w, 2 * d, body_h), (0.0, 0.0, body_h / 2))])
    if gable:
        roof = [(-d, body_h), (d, body_h), (0.004, h - 0.014), (-0.004, h - 0.014)]
        mesh = meshes.prism(roof, -w, w, "y")
        R = meshes.rotation("z", np.pi / 2)
        m.body.mesh(mesh.turned(R), look)
        m.body.mesh(meshes.box((2 * w, 0.005, 0.016), (0.0, 0.0, h - 0.008)), look)
        low = np.array([(sx * w, sy * d, body_h) for sx in (-1, 1) for sy in (-1, 1)])
        high = np.array([(sx * w, sy * 0.004, h) for sx in (-1, 1) for sy in (-1, 1)])
        m.body.add([hull_piece("roof", np.concatenate([low, high]))])
    if contents:
        m.tips = [Tip("rim", (0.0, 0.0, h), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.02, 0.02))]
        m.attributes = {"contents": contents, "volume_ml": volume_ml}
    return m.entity()
