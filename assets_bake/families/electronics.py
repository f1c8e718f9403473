"""Fixed electronics: television, microwave, radio, laptop, desk fan."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes, prints
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import GAP_M, bar_handle
from assets_bake.looks import BLACK_GLASS, CHROME, COLOURS, DARK_STEEL, RUBBER, STEEL, WALNUT, plain, textured
from assistcore.house.stage import Control, Entity, Joint


def build(textures: Textures, *, asset: str, kind: str, category: str = "", nouns: tuple[str, ...] = ()) -> Entity:
    """`kind`: tv, microwave, radio or laptop. Raises KeyError for another."""
    make, roles, adjectives = {
        "tv": (_tv, ("device",), ("black",)),
        "microwave": (_microwave, ("device", "openable", "container", "heat"), ("metal",)),
        "radio": (_radio, ("device",), ("wooden",)),
        "laptop": (_laptop, ("device", "computer"), ("grey",)),
    }[kind]
    m = AssetMaker(asset, category or kind, "fixture", textures, 8.0, roles, adjectives, nouns)
    m.attributes = {"running": False}
    make(m)
    return m.entity()


def _tv(m: AssetMaker) -> None:
    b = m.body
    b.box((-0.56, -0.03, 0.06), (0.56, 0.03, 0.72), RUBBER, 0.008, name="panel")
    b.mesh(meshes.quad((0, -0.0305, 0.39), (1, 0, 0), (0, 0, 1), (1.09, 0.63)), BLACK_GLASS, "programme")
    for s in (-1, 1):
        b.box((s * 0.36 - 0.02, -0.11, 0.0), (s * 0.36 + 0.02, 0.11, 0.02), RUBBER, 0.006, name="foot")
        b.box((s * 0.36 - 0.015, -0.015, 0.02), (s * 0.36 + 0.015, 0.015, 0.07), RUBBER, name="stand")
    b.box((0.49, -0.038, 0.075), (0.53, -0.03, 0.095), plain((0.80, 0.2, 0.16)), 0.003, name="button")
    m.control = Control("body", (0.51, -0.038, 0.085), (0.0, -1.0, 0.0))


def _microwave(m: AssetMaker) -> None:
    w, d, h, t, b = 0.24, 0.17, 0.28, 0.02, m.body
    front, side = -d + 0.025, w - 0.11
    inside = plain((0.84, 0.85, 0.86), 0.5)
    b.box((-w, front, 0.01), (-w + t, d, h), STEEL, name="left")
    b.box((side, front, 0.01), (w, d, h), STEEL, name="right")
    b.box((-w + t, d - t, 0.01), (side, d, h), inside, name="back")
    b.box((-w + t, front, 0.01), (side, d - t, 0.01 + t), inside, name="bottom")
    b.box((-w + t, front, h - t), (side, d - t, h), STEEL, name="top")
    b.box((side + 0.002, -d, 0.01), (w, front, h), DARK_STEEL, 0.004, name="panel")
    shown = textured(m.picture("display", prints.screen("clock", (192, 96))), 0.0, roughness=0.2)
    x = (side + w) / 2
    b.mesh(meshes.quad((x, -d - 0.0005, h - 0.05), (1, 0, 0), (0, 0, 1), (0.08, 0.035)), shown, "display")
    for row in range(3):
        for col in (-1, 0, 1):
            b.mesh(
                meshes.soft_box((0.02, 0.004, 0.014), (x + 0.026 * col, -d - 0.001, h - 0.10 - 0.024 * row), 0.002),
                plain((0.72, 0.73, 0.75)),
            )
    b.box((x - 0.022, -d - 0.010, 0.045), (x + 0.022, -d, 0.075), plain((0.26, 0.62, 0.36)), 0.003, name="button")
    m.control = Control("body", (x, -d - 0.010, 0.06), (0.0, -1.0, 0.0))
    m.interior("inside", (-w + t, front, 0.01 + t), (side, d - t, h - t), (0.0, -1.0, 0.0), ("door",))
    leaf = m.link("door", Joint("door", "hinge", (0.0, 0.0, 1.0), (-w, -d, 0.0), 0.0, -1.6))
    leaf.box((-w, -d, 0.012), (side, front - GAP_M, h - 0.002), DARK_STEEL, 0.004)
    leaf.mesh(meshes.quad((-0.07, -d - 0.0006, h / 2), (1, 0, 0), (0, 0, 1), (0.24, 0.17)), BLACK_GLASS, "lit")
    leaf.handle = bar_handle(leaf, (side - 0.03, -d, h / 2), 0.18, True, 0.042)
    for fx in (-w + 0.04, w - 0.04):
        b.box((fx - 0.015, -0.1, 0.0), (fx + 0.015, 0.1, 0.01), RUBBER, name="foot")


def _radio(m: AssetMaker) -> None:
    b = m.body
    b.box((-0.14, -0.055, 0.0), (0.14, 0.055, 0.16), WALNUT, 0.012)
    b.mesh(meshes.quad((-0.05, -0.0556, 0.08), (1, 0, 0), (0, 0, 1), (0.14, 0.12)), textured("weave", 0.05, (0.62, 0.54, 0.40), 1.0))
    shown = textured(m.picture("dial", prints.screen("dial", (256, 128))), 0.0, roughness=0.3)
    b.mesh(meshes.quad((0.08, -0.0556, 0.115), (1, 0, 0), (0, 0, 1), (0.085, 0.045)), shown, "display")
    knob = meshes.lathe([(0.018, 0.0), (0.016, 0.016), (0.0001, 0.016)], 18).turned(meshes.rotation("x", np.pi / 2))
    b.mesh(knob.moved((0.055, -0.055, 0.05)), CHROME)
    b.box((0.09, -0.066, 0.035), (0.12, -0.055, 0.065), plain(COLOURS["red"], 0.4), 0.004, name="button")
    m.control = Control("body", (0.105, -0.066, 0.05), (0.0, -1.0, 0.0))
    b.mesh(meshes.tube(np.array([(-0.12, 0.03, 0.158), (-0.02, 0.035, 0.36)]), 0.0025, 6), CHROME)


def _laptop(m: AssetMaker) -> None:
    b = m.body
    grey = plain((0.66, 0.67, 0.69), 0.35)
    b.box((-0.165, -0.115, 0.0), (0.165, 0.115, 0.018), grey, 0.006, name="base")
    for row in range(5):
        b.mesh(meshes.box((0.28, 0.014, 0.002), (0, 0.075 - 0.019 * row, 0.0185)), RUBBER)
    b.mesh(meshes.box((0.10, 0.06, 0.0015), (0, -0.065, 0.0185)), plain((0.58, 0.59, 0.61), 0.3))
    R = meshes.rotation("x", -0.28)
    lid = meshes.soft_box((0.33, 0.008, 0.225), (0, 0.004, 0.1125), 0.003).turned(R).moved((0, 0.112, 0.014))
    b.mesh(lid, grey)
    shown = textured(m.picture("screen", prints.screen("laptop", (512, 340))), 0.0, roughness=0.2)
    b.mesh(meshes.quad((0, -0.0005, 0.1125), (1, 0, 0), (0, 0, 1), (0.305, 0.2)).turned(R).moved((0, 0.112, 0.014)), shown, "screen")
    b.solid((-0.165, 0.105, 0.018), (0.165, 0.19, 0.225), "lid")
    b.box((0.12, 0.085, 0.018), (0.148, 0.1, 0.022), CHROME, 0.002, name="button")
    m.control = Control("body", (0.134, 0.0925, 0.022), (0.0, 0.0, 1.0))
