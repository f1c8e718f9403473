"""Lidded jars, bottles and cans with a printed wrapping."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assets_bake import meshes, prints
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import CHROME, COLOURS, Look, plain, textured
from assets_bake.pieces import round_piece, standing
from assistcore.house.stage import Entity, Label, Tip

PX_PER_M = 2500
"""Texture pixels a metre of print: two to three for each pixel of a camera half a metre away."""


def build(
    textures: Textures,
    *,
    asset: str,
    category: str,
    lines: Sequence[str],
    weights: Sequence[float] = (),
    radius_m: float = 0.042,
    height_m: float = 0.13,
    body: str = "beige",
    lid: str = "red",
    neck: str = "jar",
    paper: tuple[int, int, int] = (250, 246, 234),
    ink: tuple[int, int, int] = (30, 26, 24),
    band: tuple[int, int, int] | None = None,
    mass_kg: float = 0.5,
    adjectives: tuple[str, ...] = (),
    nouns: tuple[str, ...] = (),
    roles: tuple[str, ...] = ("label", "food"),
    contents: str = "",
    volume_ml: int = 0,
) -> Entity:
    """`neck`: jar (wide lid), bottle (long neck), can (metal rims) or tube (plain cylinder). `contents` is what is poured out of it."""
    m = AssetMaker(asset, category, "movable", textures, mass_kg, roles, adjectives, nouns, "wrap")
    r, h = radius_m, height_m
    profile, z0, z1 = _profile(neck, r, h)
    rgb = COLOURS[body]
    skin = plain(rgb, 0.3)
    share = 0.36 if neck == "bottle" else 0.42  # of the circumference: a slim bottle shows less of its label at once
    band_look = _wrapping(m, lines, weights, r, z1 - z0, rgb, paper, ink, band, share)
    m.body.mesh(meshes.lathe([(0.0001, 0.0), (r * 0.93, 0.0), (r, r * 0.08), (r, z0)], 24), skin if neck != "can" else CHROME)
    m.body.mesh(meshes.lathe([(r, z0), (r, z1)], 32), band_look)
    m.body.mesh(meshes.lathe([(r, z1), *profile], 24), skin if neck != "can" else CHROME)
    _lid(m, neck, profile, h, plain(COLOURS[lid], 0.4))
    if neck == "bottle":
        m.body.add(standing("body", [(r, 0.0), (r, z1), (profile[-1][0], profile[-1][1])]))
        m.body.add([round_piece("neck", [(profile[-1][0], profile[-1][1] - 0.03), (profile[-1][0], h)], 8)])
    else:
        m.body.add(standing("body", [(r, 0.0), (r, h)]))
    if contents:
        mouth = 2.0 * profile[-1][0]
        m.tips = [Tip("rim", (0.0, 0.0, h), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (mouth, mouth))]
        m.attributes = {"contents": contents, "volume_ml": volume_ml}
    arc = min(1.9, 2 * np.pi * share)
    m.labels.append(
        Label(
            "body",
            (0.0, -r, (z0 + z1) / 2),
            (0.0, -1.0, 0.0),
            (0.0, 0.0, 1.0),
            (2 * r * float(np.sin(arc / 2)), (z1 - z0) * 0.92),
            tuple(lines),
        )
    )
    return m.entity()


def _profile(neck: str, r: float, h: float) -> tuple[list[tuple[float, float]], float, float]:
    if neck == "jar":
        return [(r, h - 0.026), (r * 0.95, h - 0.022)], h * 0.10, h - 0.032
    if neck == "bottle":
        n = max(0.013, r * 0.36)
        return [(r, h * 0.62), (r * 0.8, h * 0.70), (n, h * 0.80), (n, h - 0.02)], h * 0.08, h * 0.60
    if neck in ("can", "tube"):
        return [(r, h - 0.004), (r * 0.93, h), (0.0001, h)], 0.008, h - 0.008
    raise ValueError(f"neck {neck!r} is none of jar, bottle, can, tube")


def _lid(m: AssetMaker, neck: str, profile: list[tuple[float, float]], h: float, look: Look) -> None:
    if neck in ("can", "tube"):
        return
    r, z = profile[-1][0] * (1.06 if neck == "jar" else 1.15), profile[-1][1]
    m.body.mesh(meshes.lathe([(r * 0.9, z - 0.001), (r, z), (r, h - 0.003), (r * 0.94, h), (0.0001, h)], 24), look)


def _wrapping(
    m: AssetMaker,
    lines: Sequence[str],
    weights: Sequence[float],
    r: float,
    height_m: float,
    rgb: tuple[float, float, float],
    paper: tuple[int, int, int],
    ink: tuple[int, int, int],
    band: tuple[int, int, int] | None,
    share: float,
) -> Look:
    around, tall = int(2 * np.pi * r * PX_PER_M), int(height_m * PX_PER_M)
    label = prints.print_label(lines, (int(around * share), int(tall * 0.92)), paper, ink, weights, band=band)
    red, green, blue = (int(255 * c) for c in rgb)
    image = prints.wrap(label, around, tall, (red, green, blue), 2)
    return textured(m.picture("wrap", shrink(image, 1024)), 0.0, roughness=0.45)


def shrink(image: np.ndarray, longest: int) -> np.ndarray:
    """The image with its longer side at most `longest` pixels."""
    from PIL import Image

    h, w = image.shape[:2]
    k = longest / max(h, w)
    if k >= 1:
        return image
    return np.asarray(Image.fromarray(image).resize((max(1, round(w * k)), max(1, round(h * k))), Image.Resampling.LANCZOS))
