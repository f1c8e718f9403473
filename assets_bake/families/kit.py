"""Flat-pack parts with connectors: the base, pole and panel of a standing sign; the frame and top of a side table."""

from __future__ import annotations

from assets_bake import meshes, prints
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families.jar import PX_PER_M, shrink
from assets_bake.looks import BIRCH, COLOURS, DARK_STEEL, plain, textured
from assistcore.house.stage import Connector, Entity, Label

PLATE_M, TUBE_M = 0.03, 0.07
POLE_M, THICK_M = 0.86, 0.022
TOP_M = (0.38, 0.38, 0.022)
FRAME_M = (0.34, 0.34, 0.44)


def build(
    textures: Textures,
    *,
    asset: str,
    part: str,
    category: str = "",
    nouns: tuple[str, ...] = (),
    adjectives: tuple[str, ...] = (),
    lines: tuple[str, ...] = ("PLEASE", "RING"),
    base_m: float = 0.28,
    pole_m: float = POLE_M,
) -> Entity:
    """`part`: base, pole, panel, frame or top. Raises KeyError for another."""
    make, mass, roles, grasp = {
        "base": (_base, 3.2, ("erectable",), "auto"),
        "pole": (_pole, 0.7, ("part",), "auto"),
        "panel": (_panel, 0.5, ("label", "part"), "auto"),
        "frame": (_frame, 2.4, (), "auto"),
        "top": (_top, 1.6, ("surface", "part"), "edge"),
    }[part]
    m = AssetMaker(asset, category or part, "movable", textures, mass, roles, adjectives, nouns, grasp)  # type: ignore[arg-type]
    make(m, lines, base_m / 2, pole_m)
    return m.entity()


def _base(m: AssetMaker, lines: tuple[str, ...], half: float, pole: float) -> None:
    """A square plate with a square tube; the pole stands on the plate inside the tube."""
    b = m.body
    b.box((-half, -half, 0.0), (half, half, PLATE_M), DARK_STEEL, 0.004, name="plate")
    inner, outer, top = THICK_M / 2 + 0.002, THICK_M / 2 + 0.012, PLATE_M + TUBE_M
    for x0, x1, y0, y1 in (
        (-outer, -inner, -outer, outer),
        (inner, outer, -outer, outer),
        (-inner, inner, -outer, -inner),
        (-inner, inner, inner, outer),
    ):
        b.box((x0, y0, PLATE_M), (x1, y1, top), DARK_STEEL, name="tube")
    m.connectors.append(Connector("tube", "socket", "pole 22", "body", (0.0, 0.0, PLATE_M), turns=4))


def _pole(m: AssetMaker, lines: tuple[str, ...], half: float, pole: float) -> None:
    t = THICK_M / 2
    m.body.box((-t, -t, 0.0), (t, t, pole), BIRCH, 0.003, name="pole")
    m.connectors.append(Connector("foot", "plug", "pole 22", "body", turns=4))
    m.connectors.append(Connector("head", "socket", "panel 22", "body", (0.0, 0.0, pole), turns=4))


def _panel(m: AssetMaker, lines: tuple[str, ...], half: float, pole: float) -> None:
    """A printed board whose foot sits on the head of the pole."""
    w, t, low, high = 0.15, 0.009, 0.03, 0.23
    image = prints.print_label(lines, (int(2 * w * PX_PER_M), int((high - low) * PX_PER_M)), (250, 246, 226), (40, 44, 60))
    paint = textured(m.picture("print", shrink(image, 512)), 0.0, roughness=0.55)
    side = plain(COLOURS["yellow"], 0.5)
    m.body.mesh(meshes.box((2 * w, 2 * t, high - low), (0.0, 0.0, (low + high) / 2), 0.0, ("front", "back")), side)
    for s, right in ((-1.0, (1, 0, 0)), (1.0, (-1, 0, 0))):
        centre = (0.0, s * t, (low + high) / 2)
        m.body.mesh(meshes.quad(centre, right, (0, 0, 1), (2 * w, high - low)), paint)
        m.labels.append(Label("body", centre, (0.0, s, 0.0), (0.0, 0.0, 1.0), (2 * w, high - low), lines))
    m.body.solid((-w, -t, low), (w, t, high), "board")
    m.body.box((-0.026, -0.026, 0.0), (0.026, 0.026, low), DARK_STEEL, 0.003, name="shoe")
    m.connectors.append(Connector("shoe", "plug", "panel 22", "body", turns=4))


def _frame(m: AssetMaker, lines: tuple[str, ...], half: float, pole: float) -> None:
    w, d, h = FRAME_M[0] / 2, FRAME_M[1] / 2, FRAME_M[2]
    t = 0.028
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * (w - t / 2), sy * (d - t / 2)
            m.body.box((x - t / 2, y - t / 2, 0.0), (x + t / 2, y + t / 2, h), BIRCH, 0.003, name="leg")
    for y in (-d + t / 2, d - t / 2):
        m.body.box((-w + t, y - t / 2, h - 0.05), (w - t, y + t / 2, h), BIRCH, 0.003, name="rail")
    for x in (-w + t / 2, w - t / 2):
        m.body.box((x - t / 2, -d + t, h - 0.05), (x + t / 2, d - t, h), BIRCH, 0.003, name="rail")
    m.connectors.append(Connector("rails", "socket", "table top 340", "body", (0.0, 0.0, h), turns=4))


def _top(m: AssetMaker, lines: tuple[str, ...], half: float, pole: float) -> None:
    w, d, t = TOP_M[0] / 2, TOP_M[1] / 2, TOP_M[2]
    m.body.box((-w, -d, 0.0), (w, d, t), BIRCH, 0.004, name="plate")
    m.surface("top", (-w, -d, t), (w, d, t + 0.4))
    m.connectors.append(Connector("underside", "plug", "table top 340", "body", turns=4))
