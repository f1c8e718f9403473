"""Books and notebooks: cover, pages, a printed front and spine. Lying flat or standing."""

from __future__ import annotations

from collections.abc import Sequence

from assets_bake import meshes, prints
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families.jar import PX_PER_M, shrink
from assets_bake.looks import COLOURS, plain, textured
from assets_bake.pieces import box_piece
from assistcore.house.stage import Entity, Label


def build(
    textures: Textures,
    *,
    asset: str,
    colour: str,
    lines: Sequence[str],
    category: str = "book",
    nouns: tuple[str, ...] = (),
    size_m: tuple[float, float, float] = (0.14, 0.20, 0.025),
    standing: bool = False,
    ink: tuple[int, int, int] = (250, 246, 236),
    mass_kg: float = 0.35,
) -> Entity:
    """`size_m`: cover width, height, thickness. Lying: cover up, its top to +y. Standing: spine to -y, thickness along x."""
    m = AssetMaker(asset, category, "movable", textures, mass_kg, ("label", "book"), (colour,), nouns, "wrap" if standing else "edge")
    w, h, t = size_m
    rgb = COLOURS[colour]
    paper = tuple(int(255 * c) for c in rgb)
    cover = plain(rgb, 0.6)
    image = prints.print_label(lines, (int(w * PX_PER_M), int(h * PX_PER_M)), paper, ink, serif=True)  # type: ignore[arg-type]
    title = textured(m.picture("cover", shrink(image, 512)), 0.0, roughness=0.6)
    pages, board = plain((0.95, 0.93, 0.86), 0.9), 0.002
    if not standing:
        m.body.mesh(meshes.box((w, h, board), (0, 0, board / 2)), cover)
        m.body.mesh(meshes.box((w, h, board), (0, 0, t - board / 2), skip=("top",)), cover)
        m.body.mesh(meshes.box((board, h, t - 2 * board), (-w / 2 + board / 2, 0, t / 2)), cover)
        m.body.mesh(meshes.box((w - 0.006, h - 0.006, t - 2 * board), (0.001, 0, t / 2), skip=("top", "bottom", "left")), pages)
        m.body.mesh(meshes.quad((0, 0, t), (1, 0, 0), (0, 1, 0), (w, h)), title)
        m.labels.append(Label("body", (0.0, 0.0, t), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (w, h), tuple(lines)))
        m.body.add([box_piece("body", (w, h, t), (0, 0, t / 2))])
        return m.entity()
    for s in (-1, 1):
        m.body.mesh(meshes.box((board, w, h), (s * (t - board) / 2, 0, h / 2)), cover)
    m.body.mesh(meshes.box((t - 2 * board, board, h), (0, -w / 2 + board / 2, h / 2), skip=("front",)), cover)
    m.body.mesh(meshes.box((t - 2 * board, w - 0.006, h - 0.006), (0, 0.001, h / 2), skip=("front", "left", "right")), pages)
    spine = prints.print_label([" ".join(lines)], (int(h * PX_PER_M), max(24, int(t * PX_PER_M))), paper, ink, serif=True, border=False)  # type: ignore[arg-type]
    look = textured(m.picture("spine", shrink(spine.swapaxes(0, 1)[:, ::-1], 512)), 0.0, roughness=0.6)
    m.body.mesh(meshes.quad((0, -w / 2, h / 2), (1, 0, 0), (0, 0, 1), (t, h)), look)
    m.body.mesh(meshes.quad((t / 2 + 0.0004, 0, h / 2), (0, 1, 0), (0, 0, 1), (w, h)), title)
    m.labels.append(Label("body", (0.0, -w / 2, h / 2), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (h, t), (" ".join(lines),)))
    m.labels.append(Label("body", (t / 2, 0.0, h / 2), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (w, h), tuple(lines)))
    m.body.add([box_piece("body", (t, w, h), (0, 0, h / 2))])
    return m.entity()
