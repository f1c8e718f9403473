"""Things that only make a place lived in: rugs, pictures, plants, mirrors, hooks, shower, extractor hood, clock, front door."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import BRASS, CHROME, LEAF, OAK, STEEL, WALNUT, Look, plain, textured
from assets_bake.pieces import box_piece, round_piece
from assistcore.house.stage import Entity


def build(
    textures: Textures,
    *,
    asset: str,
    kind: str,
    category: str = "",
    size_m: tuple[float, float] = (1.0, 1.0),
    look: Look = OAK,
    art: str = "art_hills",
) -> Entity:
    """`kind` is one of the makers below. Raises KeyError for another."""
    make = _KINDS[kind]
    role = "fixture" if kind in ("plant", "hooks", "mirror", "front_door", "umbrella_stand") else "structure"
    m = AssetMaker(asset, category or kind, role, textures, 4.0)  # type: ignore[arg-type]
    make(m, size_m, look, art)
    return m.entity()


def _rug(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    w, d = size
    m.body.mesh(meshes.box((w, d, 0.006), (0, 0, 0.003), look.tile_m, skip=("bottom",)), look)
    edge = plain((0.36, 0.34, 0.32), 1.0)
    for x in (-w / 2, w / 2):
        m.body.mesh(meshes.box((0.03, d, 0.0065), (x, 0, 0.00325), skip=("bottom",)), edge)


def _picture(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    w, h = size[0] / 2, size[1] / 2
    t = 0.025
    for low, high in (
        ((-w, -0.025, -h), (w, 0, -h + t)),
        ((-w, -0.025, h - t), (w, 0, h)),
        ((-w, -0.025, -h + t), (-w + t, 0, h - t)),
        ((w - t, -0.025, -h + t), (w, 0, h - t)),
    ):
        m.body.box(low, high, look, solid=False)
    m.body.mesh(meshes.quad((0, -0.008, 0), (1, 0, 0), (0, 0, 1), (2 * w - 2 * t, 2 * h - 2 * t)), plain((0.97, 0.96, 0.94), 0.9))
    m.body.mesh(meshes.quad((0, -0.010, 0), (1, 0, 0), (0, 0, 1), (2 * w - 0.13, 2 * h - 0.13)), textured(art, 0.0, roughness=0.9))


def _mirror(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    w, h = size[0] / 2, size[1] / 2
    m.body.box((-w, -0.02, -h), (w, 0.0, h), look, 0.006)
    m.body.mesh(meshes.quad((0, -0.021, 0), (1, 0, 0), (0, 0, 1), (2 * w - 0.05, 2 * h - 0.05)), plain((0.74, 0.80, 0.83), 0.05))
    for k, x in enumerate((-0.12, 0.02)):
        streak = [
            (x * w * 2 - 0.05, -h * 0.55),
            (x * w * 2 + 0.01 + 0.02 * k, -h * 0.55),
            (x * w * 2 + 0.18 + 0.02 * k, h * 0.6),
            (x * w * 2 + 0.12, h * 0.6),
        ]
        m.body.mesh(meshes.prism(streak, 0.0212, 0.0214, "y"), plain((0.84, 0.89, 0.91), 0.05))


def _plant(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    height, spread = size[1], size[0]
    rng = np.random.default_rng(round(height * 1000))
    pot, b = 0.11 + 0.06 * height, m.body
    top = pot * 1.5
    b.mesh(
        meshes.lathe(
            [(0.0001, 0.0), (pot * 0.72, 0.0), (pot * 0.95, top), (pot * 0.85, top), (pot * 0.80, top - 0.03), (0.0001, top - 0.03)], 26
        ),
        plain((0.88, 0.84, 0.78), 0.7) if height > 0.6 else plain((0.76, 0.46, 0.32), 0.8),
    )
    b.mesh(meshes.lathe([(pot * 0.82, top - 0.029), (0.0001, top - 0.02)], 20), plain((0.22, 0.16, 0.11), 1.0))
    n = 26 if height > 0.6 else 15
    for k in range(n):
        a = k * 2.399 + rng.normal(0, 0.1)
        tall = height * (0.55 + 0.45 * (1 - k / n)) * (0.9 + 0.2 * rng.random())
        reach = spread / 2 * (0.35 + 0.65 * k / n)
        stem_end = np.array([np.cos(a) * reach * 0.55, np.sin(a) * reach * 0.55, top + (tall - top) * 0.8])
        mid = np.array([np.cos(a) * reach * 0.18, np.sin(a) * reach * 0.18, top + (tall - top) * 0.42])
        b.mesh(meshes.tube(np.array([(0, 0, top - 0.03), mid, stem_end]), [0.006, 0.005, 0.003], 5), plain((0.34, 0.44, 0.22), 0.8))
        b.mesh(_leaf(stem_end, a, 0.16 + 0.14 * height, 0.055 + 0.05 * height, rng), LEAF)
    b.add([round_piece("pot", [(pot * 0.72, 0.0), (pot * 0.95, top)])])
    b.add([round_piece("leaves", [(spread * 0.18, top), (spread * 0.42, top + (height - top) * 0.6), (spread * 0.2, height)], 8)])


def _leaf(base, a: float, length: float, width: float, rng: np.random.Generator):  # type: ignore[no-untyped-def]
    t = np.linspace(0, 1, 6)
    w = width * np.sin(np.pi * np.clip(t * 0.96 + 0.02, 0, 1)) ** 0.8 / 2
    droop = 0.35 + 0.25 * rng.random()
    x, z = length * t, length * (0.45 * t - droop * t * t)
    rows = np.stack([np.stack([x, s * w, z + abs(s) * 0.18 * w], -1) for s in (-1.0, 0.0, 1.0)], 0)
    mesh = meshes.both_sides(meshes.sheet(rows.transpose(1, 0, 2)))
    return mesh.turned(meshes.rotation("z", a)).moved(base)


def _hooks(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    w = size[0] / 2
    m.body.box((-w, -0.02, -0.05), (w, 0.0, 0.05), look, 0.004)
    for k, x in enumerate(np.linspace(-w + 0.08, w - 0.08, 5)):
        m.body.mesh(meshes.tube(np.array([(x, -0.02, 0.0), (x, -0.06, -0.01), (x, -0.07, 0.02)]), 0.006, 8), BRASS)
        if k in (1, 3):
            _coat(m, float(x), (0.30, 0.36, 0.30) if k == 1 else (0.54, 0.38, 0.26))


def _coat(m: AssetMaker, x: float, rgb: tuple[float, float, float]) -> None:
    fabric = textured("weave", 0.16, rgb, 1.0)
    u = np.linspace(0, 2 * np.pi, 29)
    rows = []
    for z, rx, ry in (
        (-1.0, 0.20, 0.075),
        (-0.62, 0.175, 0.07),
        (-0.30, 0.165, 0.07),
        (-0.15, 0.155, 0.06),
        (-0.08, 0.11, 0.05),
        (-0.02, 0.05, 0.035),
    ):
        fold = 1 + 0.07 * np.sin(6 * u) * min(1.0, max(0.0, -z - 0.2) * 1.6)
        rows.append(np.stack([x + rx * np.cos(u) * fold, -0.10 + ry * np.sin(u) * fold, np.full_like(u, z)], 1))
    m.body.mesh(meshes.sheet(np.array(rows), 0.16), fabric)
    dark = textured("weave", 0.16, (rgb[0] * 0.72, rgb[1] * 0.72, rgb[2] * 0.72), 1.0)
    for s in (-1, 1):
        arm = [(x + s * 0.13, -0.10, -0.11), (x + s * 0.185, -0.105, -0.2), (x + s * 0.205, -0.115, -0.42), (x + s * 0.20, -0.125, -0.66)]
        m.body.mesh(meshes.tube(np.array(arm), [0.04, 0.052, 0.048, 0.042], 12), fabric)
        m.body.mesh(meshes.soft_box((0.05, 0.012, 0.18), (x + s * 0.035, -0.163, -0.13), 0.005).turned(meshes.rotation("y", 0.0)), dark)
    m.body.mesh(meshes.box((0.008, 0.004, 0.8), (x, -0.178, -0.6)), dark)
    for z in (-0.3, -0.45, -0.6, -0.75):
        m.body.mesh(meshes.ball((0.011, 0.006, 0.011), (x + 0.025, -0.176, z), 10), BRASS)
    m.body.add([box_piece(f"coat_{round(x * 100)}", (0.40, 0.15, 0.98), (x, -0.10, -0.53))])


def _hood(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    w, d = size[0] / 2, size[1] / 2
    m.body.box((-w, -d, 0.0), (w, d, 0.05), STEEL, 0.004)
    m.body.box((-0.13, d - 0.24, 0.05), (0.13, d, 0.9), STEEL, 0.003)
    m.body.mesh(meshes.quad((0, 0, -0.0005), (1, 0, 0), (0, -1, 0), (2 * w - 0.08, 2 * d - 0.08)), plain((0.3, 0.3, 0.31), 0.6))


def _splash(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    m.body.mesh(meshes.quad((0, -0.004, size[1] / 2), (1, 0, 0), (0, 0, 1), size, look.tile_m), look)


def _clock(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    R = meshes.rotation("x", np.pi / 2)
    r = size[0] / 2
    m.body.mesh(meshes.lathe([(r * 0.9, 0.0), (r, 0.005), (r, 0.03), (r * 0.93, 0.035), (r * 0.91, 0.02)], 32).turned(R), look)
    m.body.mesh(meshes.lathe([(r * 0.93, 0.02), (0.0001, 0.02)], 32).turned(R), plain((0.97, 0.96, 0.93), 0.6))
    dark = plain((0.12, 0.12, 0.13), 0.6)
    for k in range(12):
        tick = meshes.box((0.006, 0.002, 0.022), (0, -0.021, r * 0.78)).turned(meshes.rotation("y", k * np.pi / 6))
        m.body.mesh(tick, dark)
    for angle, length in ((0.9, 0.5), (5.4, 0.72)):
        m.body.mesh(meshes.box((0.008, 0.002, r * length), (0, -0.023, r * length / 2)).turned(meshes.rotation("y", angle)), dark)


def _shower(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    m.body.mesh(meshes.tube(np.array([(0, -0.04, 0.0), (0, -0.04, 0.75), (0, -0.06, 0.8), (0, -0.30, 0.8)]), 0.010, 8), CHROME)
    m.body.mesh(meshes.lathe([(0.0001, -0.02), (0.09, -0.02), (0.09, -0.008), (0.012, 0.0)], 24).moved((0, -0.30, 0.8)), CHROME)
    for z in (0.1, 0.7):
        m.body.mesh(meshes.tube(np.array([(0, 0.0, z), (0, -0.04, z)]), 0.008, 6), CHROME)
    m.body.mesh(meshes.soft_box((0.16, 0.05, 0.05), (0, -0.035, 0.0), 0.018, rings=2), CHROME)


def _front_door(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    w, h = size[0] / 2, size[1]
    m.nouns = ("entrance door", "entrance")
    trim = plain((0.90, 0.90, 0.88), 0.5)
    for low, high in (
        ((-w - 0.07, -0.03, 0.0), (-w, 0.0, h + 0.07)),
        ((w, -0.03, 0.0), (w + 0.07, 0.0, h + 0.07)),
        ((-w, -0.03, h), (w, 0.0, h + 0.07)),
    ):
        m.body.box(low, high, trim, 0.004)
    m.body.box((-w, -0.02, 0.005), (w, 0.0, h), look, 0.003)
    for z0, z1 in ((0.15, 0.85), (1.15, 1.9)):
        for s in (-1, 1):
            m.body.mesh(
                meshes.soft_box((w * 0.7, 0.014, z1 - z0), (s * w * 0.45, -0.022, (z0 + z1) / 2), 0.006, look.tile_m),
                look.coloured((0.82, 0.82, 0.82)),
            )
    m.body.mesh(meshes.tube(np.array([(w - 0.07, -0.02, 1.0), (w - 0.07, -0.07, 1.0), (w - 0.19, -0.07, 1.0)]), 0.010, 8), BRASS)
    m.body.mesh(meshes.soft_box((0.04, 0.008, 0.16), (w - 0.07, -0.023, 0.97), 0.003), BRASS)
    m.body.mesh(meshes.ball((0.014, 0.008, 0.014), (0, -0.024, 1.5), 12), BRASS)


def _umbrella_stand(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    m.body.mesh(
        meshes.lathe([(0.0001, 0.0), (0.10, 0.0), (0.11, 0.5), (0.105, 0.5), (0.095, 0.02), (0.0001, 0.02)], 24),
        plain((0.30, 0.36, 0.40), 0.5),
    )
    m.body.mesh(
        meshes.tube(np.array([(0.03, 0, 0.03), (0.06, 0.01, 0.5), (0.07, 0.012, 0.72)]), [0.012, 0.034, 0.008], 10),
        textured("weave", 0.1, (0.55, 0.16, 0.18), 0.9),
    )
    m.body.mesh(
        meshes.tube(np.array([(0.07, 0.012, 0.70), (0.075, 0.012, 0.86), (0.05, 0.012, 0.90), (0.03, 0.012, 0.86)]), 0.008, 8), WALNUT
    )
    m.body.add([round_piece("stand", [(0.11, 0.0), (0.11, 0.5)]), box_piece("umbrella", (0.09, 0.07, 0.42), (0.055, 0.012, 0.7))])


def _passage(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    w, h, t = size[0] / 2, size[1], 0.06
    trim = plain((0.93, 0.92, 0.89), 0.5)
    for s in (-1, 1):
        x0, x1 = sorted((s * w, s * (w - 0.015)))
        m.body.box((x0, -t - 0.012, 0.0), (x1, t + 0.012, h), trim, solid=False)
        for y in (-t - 0.012, t):
            a0, a1 = sorted((s * (w - 0.015), s * (w + 0.06)))
            m.body.box((a0, y, 0.0), (a1, y + 0.012, h + 0.06), trim, solid=False)
    m.body.box((-w, -t - 0.012, h - 0.015), (w, t + 0.012, h), trim, solid=False)
    for y in (-t - 0.012, t):
        m.body.box((-w, y, h - 0.015), (w, y + 0.012, h + 0.06), trim, solid=False)


def _towel_rail(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    w = size[0] / 2
    m.body.mesh(meshes.tube(np.array([(-w, 0, 0), (-w, -0.07, 0), (w, -0.07, 0), (w, 0, 0)]), 0.008, 8), CHROME)
    u = np.linspace(-w * 0.7, w * 0.7, 12)
    rows = [
        np.stack([u, np.full_like(u, y) + 0.004 * np.sin(u * 60), np.full_like(u, z)], 1)
        for y, z in ((-0.084, -size[1]), (-0.084, -0.02), (-0.07, 0.010), (-0.056, -0.02), (-0.056, -size[1] * 0.8))
    ]
    m.body.mesh(meshes.both_sides(meshes.sheet(np.array(rows), 0.1)), look)


_KINDS = {
    "rug": _rug,
    "picture": _picture,
    "mirror": _mirror,
    "plant": _plant,
    "hooks": _hooks,
    "hood": _hood,
    "splash": _splash,
    "wall_clock": _clock,
    "shower": _shower,
    "front_door": _front_door,
    "umbrella_stand": _umbrella_stand,
    "passage": _passage,
    "towel_rail": _towel_rail,
}
