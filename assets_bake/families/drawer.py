"""A drawer: a box on a slide in a housing of its own, so that each drawer is an entity with exactly one joint."""

from __future__ import annotations

from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import GAP_M, bar_handle, legs
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
    lift_m: float = 0.0,
    surface: bool = False,
    skirt_m: float = 0.0,
) -> Entity:
    """Outer size of the housing including the front. `lift_m`: it stands on legs of this height. `surface`: its top is offered as one.
    `skirt_m`: height of a fixed board that closes the front below it.
    """
    roles = ("openable", "container", *(("surface",) if surface else ()))
    m = AssetMaker(asset, category, "fixture", textures, 8.0, roles, adjectives, nouns)
    w, d, h, t = size_m[0] / 2, size_m[1] / 2, size_m[2], wall_m
    face = 0.02
    y0 = -d + face + GAP_M
    e = lift_m
    b, body = m.body, housing or look
    b.box((-w, y0, e), (-w + t, d, e + h), body, name="left")
    b.box((w - t, y0, e), (w, d, e + h), body, name="right")
    b.box((-w + t, d - 0.012, e), (w - t, d, e + h), body, name="back")
    b.box((-w + t, y0, e), (w - t, d - 0.012, e + 0.01), body, name="bottom")
    b.box((-w + t, y0, e + h - 0.01), (w - t, d - 0.012, e + h), body, name="top")
    if lift_m:
        legs(b, [(sx * (w - 0.03), y) for sx in (-1, 1) for y in (y0 + 0.03, d - 0.03)], e, 0.035, body, 0.6)
    if skirt_m:
        b.box((-w, -d, e - skirt_m), (w, -d + face, e - 0.0015), look, 0.004, name="skirt")
    if surface:
        m.surface("top", (-w, y0, e + h), (w, d, e + h + 0.5))
    slide = m.link("box", Joint("slide", "slide", (0.0, -1.0, 0.0), (0.0, 0.0, 0.0), 0.0, travel_m))
    g = 0.004
    slide.box((-w + 0.0015, -d, e + 0.0015), (w - 0.0015, -d + face, e + h - 0.0015), look, 0.004, name="front")
    x, back, z0, z1 = w - t - g, d - 0.012 - 0.02, e + 0.01 + g, e + h - 0.01 - 0.025
    slide.box((-x, y0, z0), (x, back, z0 + 0.01), inside, name="bottom")
    slide.box((-x, y0, z0 + 0.01), (-x + 0.012, back, z1), inside, name="left")
    slide.box((x - 0.012, y0, z0 + 0.01), (x, back, z1), inside, name="right")
    slide.box((-x + 0.012, back - 0.012, z0 + 0.01), (x - 0.012, back, z1), inside, name="back")
    slide.handle = bar_handle(slide, (0.0, -d, e + h - min(0.07, h / 2)), 0.14, False)
    low = (-x + 0.012, y0, z0 + 0.01)
    m.interior("inside", low, (x - 0.012, back - 0.012, e + h - 0.01), (0.0, 0.0, 1.0), ("slide",), "box")
    return m.entity()
