"""Things that only make a place lived in: rugs, pictures, plants, mirrors, hooks, shower, extractor hood, clock, front door."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._coat import coat
from assets_bake.families._parts import architrave
from assets_bake.looks import BRASS, CHROME, LEAF, OAK, STEEL, WALNUT, Look, hung, plain, textured
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
    for k, x in enumerate(np.linspace(-w + 0.17, w - 0.17, 5)):
        m.body.mesh(meshes.tube(np.array([(x, -0.02, 0.0), (x, -0.06, -0.012), (x, -0.082, -0.004), (x, -0.09, 0.026)]), 0.006, 8), BRASS)
        m.body.mesh(meshes.ball((0.009, 0.009, 0.009), (x, -0.09, 0.03), 10), BRASS)
        if k in (0, 4):
            coat(m, float(x), (0.30, 0.36, 0.30) if k == 0 else (0.54, 0.38, 0.26))


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
    m.body.mesh(meshes.lathe([(r * 0.9, 0.0), (r, 0.005), (r, 0.03), (r * 0.93, 0.035), (r * 0.91, 0.02)], 32).turned(R), hung(look))
    m.body.mesh(meshes.lathe([(r * 0.93, 0.02), (0.0001, 0.02)], 32).turned(R), hung(plain((0.97, 0.96, 0.93), 0.6)))
    dark = hung(plain((0.12, 0.12, 0.13), 0.6))
    for k in range(12):
        tick = meshes.box((0.006, 0.002, 0.022), (0, -0.021, r * 0.78)).turned(meshes.rotation("y", k * np.pi / 6))
        m.body.mesh(tick, dark)
    for angle, length in ((0.9, 0.5), (5.4, 0.72)):
        m.body.mesh(meshes.box((0.008, 0.002, r * length), (0, -0.023, r * length / 2)).turned(meshes.rotation("y", angle)), dark)


def _shower(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    b = m.body
    a = np.linspace(0.0, np.pi / 2, 6)
    bend = [(0.0, -0.04 - 0.06 * (1 - np.cos(t)), 0.74 + 0.06 * np.sin(t)) for t in a]
    b.mesh(meshes.tube(np.array([(0, -0.04, 0.0), *bend, (0, -0.30, 0.8)]), 0.012, 10), CHROME)
    b.mesh(meshes.tube(np.array([(0, -0.30, 0.806), (0, -0.30, 0.77)]), 0.016, 12), CHROME)
    head = [(0.0001, -0.052), (0.096, -0.052), (0.105, -0.046), (0.105, -0.034), (0.09, -0.024), (0.02, -0.016), (0.0001, -0.016)]
    b.mesh(meshes.lathe(head, 28).moved((0, -0.30, 0.8)), CHROME)
    b.mesh(meshes.lathe([(0.088, -0.0525), (0.0001, -0.0525)], 24).moved((0, -0.30, 0.8)), plain((0.42, 0.44, 0.46), 0.6))
    for z in (0.1, 0.7):
        b.mesh(meshes.tube(np.array([(0, 0.0, z), (0, -0.04, z)]), 0.010, 8), CHROME)
    b.mesh(meshes.soft_box((0.20, 0.05, 0.05), (0, -0.035, 0.0), 0.018, rings=2), CHROME)
    for s in (-1, 1):
        b.mesh(meshes.tube(np.array([(s * 0.09, -0.035, 0.0), (s * 0.13, -0.035, 0.0)]), 0.022, 14), CHROME)
    # The hand shower in its holder, and the hose that hangs from the mixer to it.
    b.mesh(meshes.soft_box((0.035, 0.05, 0.035), (0, -0.06, 0.45), 0.012), CHROME)
    b.mesh(meshes.tube(np.array([(0, -0.075, 0.40), (0, -0.085, 0.50), (0, -0.105, 0.56)]), [0.010, 0.012, 0.014], 10), CHROME)
    rose = meshes.lathe([(0.0001, -0.012), (0.04, -0.012), (0.045, -0.004), (0.03, 0.010), (0.0001, 0.014)], 20)
    b.mesh(rose.turned(meshes.rotation("x", -0.9)).moved((0, -0.115, 0.575)), CHROME)
    t = np.linspace(0.0, 1.0, 22)[:, None]
    p0, p1, p2, p3 = (np.array(p) for p in ((0.0, -0.05, -0.02), (0.0, -0.07, -0.42), (0.20, -0.10, -0.42), (0.0, -0.073, 0.40)))
    hose = (1 - t) ** 3 * p0 + 3 * t * (1 - t) ** 2 * p1 + 3 * t**2 * (1 - t) * p2 + t**3 * p3
    b.mesh(meshes.tube(hose, 0.007, 8), CHROME)


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
    a = np.linspace(0.0, 1.15 * np.pi, 12)
    crook = [(0.07 - 0.03 * (1 - np.cos(t)), 0.012, 0.86 + 0.03 * np.sin(t)) for t in a]
    m.body.mesh(meshes.tube(np.array([(0.07, 0.012, 0.70), *crook]), 0.008, 10), WALNUT)
    m.body.add([round_piece("stand", [(0.11, 0.0), (0.11, 0.5)]), box_piece("umbrella", (0.09, 0.07, 0.42), (0.055, 0.012, 0.7))])


def _passage(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    w, h, t = size[0] / 2, size[1], 0.06
    trim = plain((0.93, 0.92, 0.89), 0.5)
    for s in (-1, 1):
        x0, x1 = sorted((s * w, s * (w - 0.015)))
        m.body.box((x0, -t, 0.0), (x1, t, h), trim, solid=False)
    m.body.box((-w, -t, h - 0.015), (w, t, h), trim, solid=False)
    architrave(m.body, size[0], h, t, hung(trim))


def _towel_rail(m: AssetMaker, size: tuple[float, float], look: Look, art: str) -> None:
    w = size[0] / 2
    m.body.mesh(meshes.tube(np.array([(-w, 0, 0), (-w, -0.07, 0), (w, -0.07, 0), (w, 0, 0)]), 0.008, 8), CHROME)
    u = np.linspace(-1.0, 1.0, 49)
    low = size[1] - 0.02

    def row(y: float, z: float, out: float) -> np.ndarray:
        """One line across the towel: hangs in soft folds that grow downwards on the side `out`."""
        deep = 0.011 * min(1.0, max(0.0, -z) * 3.0)
        fold = deep * (np.sin(2.2 * np.pi * u + 0.6) + 0.35 * np.sin(5.3 * np.pi * u))
        narrow = 1.0 - 0.035 * min(1.0, max(0.0, -z) * 2.0)
        return np.stack([w * 0.7 * u * narrow, y + out * 0.006 + fold, np.full_like(u, z) - 0.006 * u**2 * (z < -0.1)], 1)

    front = [(-0.087, z) for z in np.linspace(-low, -0.015, 12)]
    over = [(-0.07 - 0.017 * np.cos(t), 0.017 * np.sin(t)) for t in np.linspace(0.0, np.pi, 7)[1:-1]]
    back = [(-0.053, z) for z in np.linspace(-0.015, -low * 0.86, 12)]
    rows = [row(y, z, -1.0 if y < -0.07 else 1.0) for y, z in (*front, *over, *back)]
    m.body.mesh(meshes.both_sides(meshes.sheet(np.array(rows), 0.1)), look)
    r, g, b = look.surface.rgb
    band = [row(-0.089, z, -1.0) for z in (-low + 0.045, -low + 0.07)]
    m.body.mesh(meshes.sheet(np.array(band), 0.1), look.coloured((r * 0.7, g * 0.7, b * 0.7)))
    m.body.mesh(meshes.tube(row(-0.087, -low, -1.0), 0.004, 6), look)


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
