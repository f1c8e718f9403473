"""Folded cards that stand like a tent: notes, price cards, lists, recipes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assets_bake import meshes, prints
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families.jar import PX_PER_M, shrink
from assets_bake.looks import PAPER, textured
from assets_bake.pieces import hull_piece
from assistcore.house.stage import Entity, Label


def build(
    textures: Textures,
    *,
    asset: str,
    category: str,
    lines: Sequence[str],
    weights: Sequence[float] = (),
    size_m: tuple[float, float] = (0.16, 0.12),
    foot_m: float = 0.07,
    paper: tuple[int, int, int] = (253, 250, 238),
    ink: tuple[int, int, int] = (24, 28, 40),
    band: tuple[int, int, int] | None = None,
    left: bool = False,
    colour: str = "white",
    nouns: tuple[str, ...] = ("card", "note"),
) -> Entity:
    """`size_m`: width and slant height of a face; `foot_m`: distance between the feet. Printed on both faces; the front looks along -y."""
    m = AssetMaker(asset, category, "movable", textures, 0.03, ("label",), (colour,), nouns, "pinch")
    w, s = size_m
    half = foot_m / 2
    h = float(np.sqrt(s * s - half * half))
    image = prints.print_label(lines, (int(w * PX_PER_M), int(s * PX_PER_M)), paper, ink, weights, left=left, band=band)
    look = textured(m.picture("print", shrink(image, 768)), 0.0, roughness=0.9)
    up = np.array([0.0, half, h]) / s
    for sign in (1.0, -1.0):
        slope = up * (1, sign, 1)
        m.body.mesh(meshes.quad((0, -sign * half / 2, h / 2), (sign, 0, 0), tuple(slope), (w, s)), look)
        m.body.mesh(meshes.quad((0, -sign * (half / 2 - 0.001), h / 2), (-sign, 0, 0), tuple(slope), (w, s - 0.004)), PAPER)
        normal = np.cross((sign, 0, 0), slope)
        m.labels.append(
            Label(
                "body",
                (0.0, -sign * half / 2, h / 2),
                (0.0, float(normal[1]), float(normal[2])),
                (0.0, float(slope[1]), float(slope[2])),
                (w, s),
                tuple(lines),
            )
        )
    m.body.add(
        [
            hull_piece(
                "body", np.array([(x, y, z) for x in (-w / 2, w / 2) for y, z in ((-half, 0.0), (half, 0.0), (-0.001, h), (0.001, h))])
            )
        ]
    )
    return m.entity()
