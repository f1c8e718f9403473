"""A drawer: a box on a slide in a housing of its own, so that each drawer is an entity with exactly one joint."""

from __future__ import annotations

from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import GAP_M, bar_handle
from assets_bake.looks import BIRCH, CABINET, Look
from assistcore.house.stage import Entity, Joint


def build(
    textures: Textures,
    *,
    asset: str = "drawer_kitchen",
    category: str = "drawer",
    adjectives: tuple[str, ...] = (),
    nouns: tuple[str, ...] = (),
    size_m: tuple[float, float, float] = (0.5, 0.58, 0.2),
    travel_m: float = 0.36,
    look: Look = CABINET,
    inside: Look = BIRCH,
    housing: Look | None = None,
    wall_m: float = 0.016,
    shell: bool = True,
) -> Entity:
    """Outer size including the front; origin on the housing's bottom. `shell`: the housing (both sides, back, bottom, top) is part of it."""
    m = AssetMaker(asset, category, "fixture", textures, 8.0, ("openable", "container"), adjectives, nouns)
    w, d, h, t = size_m[0] / 2, size_m[1] / 2, size_m[2], wall_m
    face = 0.02
    y0 = -d + face + GAP_M
    if shell:
        b, body = m.body, housing or look
        b.box((-w, y0, 0.0), (-w + t, d, h), body, name="left")
        b.box((w - t, y0, 0.0), (w, d, h), body, name="right")
        b.box((-w + t, d - 0.012, 0.0), (w - t, d, h), body, name="back")
        b.box((-w + t, y0, 0.0), (w - t, d - 0.012, 0.01), body, name="bottom")
        b.box((-w + t, y0, h - 0.01), (w - t, d - 0.012, h), body, name="top")
    slide = m.link("box", Joint("slide", "slide", (0.0, -1.0, 0.0), (0.0, 0.0, 0.0), 0.0, travel_m))
    g = 0.004
    slide.box((-w + 0.0015, -d, 0.0015), (w - 0.0015, -d + face, h - 0.0015), look, 0.004, name="front")
    x, back, z0, z1 = w - t - g, d - 0.012 - 0.02, 0.01 + g, h - 0.01 - 0.025
    slide.box((-x, y0, z0), (x, back, z0 + 0.01), inside, name="bottom")
    slide.box((-x, y0, z0 + 0.01), (-x + 0.012, back, z1), inside, name="left")
    slide.box((x - 0.012, y0, z0 + 0.01), (x, back, z1), inside, name="right")
    slide.box((-x + 0.012, back - 0.012, z0 + 0.01), (x - 0.012, back, z1), inside, name="back")
    slide.handle = bar_handle(slide, (0.0, -d, h / 2 + 0.01), 0.14, False)
    low = (-x + 0.012, y0, z0 + 0.01)
    m.interior("inside", low, (x - 0.012, back - 0.012, h - 0.01), (0.0, 0.0, 1.0), ("slide",), "box")
    return m.entity()
