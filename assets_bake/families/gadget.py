"""Small everyday things: remote, phone, keys, glasses case, alarm clock, toothbrush, comb, wallet, torch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assets_bake import meshes, prints
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import BLACK_GLASS, BRASS, CHROME, COLOURS, plain, textured
from assets_bake.pieces import box_piece, standing
from assistcore.house.stage import Entity, Tip


def build(textures: Textures, *, asset: str, kind: str, colour: str = "black", category: str = "", nouns: tuple[str, ...] = ()) -> Entity:
    """`kind` is one of the makers below. Raises KeyError for another."""
    make, mass, roles, grasp = _KINDS[kind]
    m = AssetMaker(asset, category or kind, "movable", textures, mass, roles, (colour,), nouns, grasp)  # type: ignore[arg-type]
    make(m, colour)
    return m.entity()


def _slab(m: AssetMaker, size: tuple[float, float, float], colour: str, radius: float) -> None:
    centre = (0.0, 0.0, size[2] / 2)
    m.body.mesh(meshes.soft_box(size, centre, radius, rings=2), plain(COLOURS[colour], 0.5))
    m.body.add([box_piece("body", size, centre)])


def _remote(m: AssetMaker, colour: str) -> None:
    _slab(m, (0.045, 0.165, 0.022), colour, 0.008)
    for row in range(5):
        for col in (-1, 0, 1):
            rgb = (0.82, 0.20, 0.18) if row == 0 and col == 1 else (0.68, 0.69, 0.71)
            m.body.mesh(meshes.soft_box((0.008, 0.008, 0.003), (col * 0.012, 0.05 - row * 0.02, 0.0225), 0.001), plain(rgb))
    m.body.mesh(meshes.lathe([(0.014, 0.0), (0.014, 0.003), (0.0001, 0.003)], 20).moved((0, -0.058, 0.0215)), plain((0.55, 0.56, 0.58)))


def _phone(m: AssetMaker, colour: str) -> None:
    _slab(m, (0.074, 0.155, 0.010), colour, 0.004)
    look = textured(m.picture("screen", prints.screen("phone", (256, 512))), 0.0, roughness=0.15)
    m.body.mesh(meshes.quad((0, 0, 0.0102), (1, 0, 0), (0, 1, 0), (0.066, 0.142)), look, "display")
    m.attributes = {"ringing": False}


def _keys(m: AssetMaker, colour: str) -> None:
    ring = np.stack(
        [
            0.016 * np.cos(np.linspace(0, 2 * np.pi, 16, endpoint=False)),
            0.016 * np.sin(np.linspace(0, 2 * np.pi, 16, endpoint=False)),
            np.full(16, 0.004),
        ],
        1,
    )
    m.body.mesh(meshes.tube(ring, 0.0015, 6, closed=True), CHROME)
    for k, angle in enumerate((-0.5, 0.1)):
        R = meshes.rotation("z", angle)
        z = 0.0015 + 0.003 * k
        look = BRASS if k else CHROME
        m.body.mesh(meshes.lathe([(0.0001, 0), (0.011, 0), (0.011, 0.0025), (0.0001, 0.0025)], 14).moved((0, -0.027, z)).turned(R), look)
        m.body.mesh(meshes.box((0.006, 0.035, 0.0025), (0, -0.052, z + 0.00125)).turned(R), look)
        m.body.mesh(meshes.box((0.005, 0.004, 0.0025), (0.004, -0.06, z + 0.00125)).turned(R), look)
        m.body.mesh(meshes.box((0.005, 0.003, 0.0025), (0.004, -0.067, z + 0.00125)).turned(R), look)
    m.body.mesh(meshes.soft_box((0.026, 0.05, 0.010), (0.0, 0.04, 0.005), 0.004, rings=2), plain(COLOURS[colour], 0.5))
    m.body.add([box_piece("body", (0.06, 0.135, 0.011), (0.0, -0.004, 0.0055))])


def _glasses_case(m: AssetMaker, colour: str) -> None:
    _slab(m, (0.16, 0.06, 0.042), colour, 0.018)
    m.body.mesh(meshes.box((0.150, 0.0605, 0.0016), (0.0, 0.0, 0.024)), plain((0.55, 0.42, 0.28), 0.5))
    m.body.mesh(meshes.soft_box((0.02, 0.004, 0.014), (0.0, -0.031, 0.024), 0.0015), BRASS)


def _alarm_clock(m: AssetMaker, colour: str) -> None:
    m.body.mesh(meshes.soft_box((0.13, 0.05, 0.075), (0, 0, 0.0375), 0.012, rings=2), plain(COLOURS[colour], 0.5))
    look = textured(m.picture("clock", prints.screen("clock", (256, 128))), 0.0, roughness=0.2)
    m.body.mesh(meshes.quad((0, -0.0253, 0.038), (1, 0, 0), (0, 0, 1), (0.10, 0.046)), look)
    m.body.mesh(meshes.soft_box((0.05, 0.02, 0.006), (0, 0, 0.077), 0.003), CHROME)
    m.body.add([box_piece("body", (0.13, 0.05, 0.079), (0, 0, 0.0395))])


def _toothbrush(m: AssetMaker, colour: str) -> None:
    path = np.array([(-0.09, 0, 0.006), (-0.02, 0, 0.006), (0.05, 0, 0.006), (0.09, 0, 0.007)])
    m.body.mesh(meshes.tube(path, [0.006, 0.006, 0.004, 0.005], 8), plain(COLOURS[colour], 0.3))
    m.body.mesh(meshes.soft_box((0.026, 0.011, 0.012), (0.078, 0, 0.017), 0.002), plain((0.95, 0.96, 0.97), 0.8))
    m.body.add([box_piece("body", (0.185, 0.012, 0.012), (0, 0, 0.006)), box_piece("head", (0.026, 0.011, 0.012), (0.078, 0, 0.017))])


def _wallet(m: AssetMaker, colour: str) -> None:
    _slab(m, (0.11, 0.09, 0.022), colour, 0.006)
    m.body.mesh(meshes.box((0.1005, 0.088, 0.0015), (0.0055, 0.0, 0.0115)), plain((0.86, 0.82, 0.70)))


def _torch(m: AssetMaker, colour: str) -> None:
    R = meshes.rotation("y", np.pi / 2)
    body = meshes.lathe([(0.0001, 0.0), (0.014, 0.0), (0.015, 0.004), (0.015, 0.10), (0.022, 0.12), (0.022, 0.15), (0.018, 0.15)], 18)
    m.body.mesh(body.turned(R).moved((-0.075, 0, 0.022)), plain(COLOURS[colour], 0.4))
    m.body.mesh(meshes.lathe([(0.018, 0.15), (0.0001, 0.146)], 18).turned(R).moved((-0.075, 0, 0.022)), plain((0.98, 0.97, 0.85), 0.2))
    m.body.add([box_piece("body", (0.12, 0.03, 0.037), (-0.015, 0, 0.0185)), box_piece("head", (0.03, 0.044, 0.044), (0.06, 0, 0.022))])


def _soap(m: AssetMaker, colour: str) -> None:
    _slab(m, (0.085, 0.055, 0.028), colour, 0.012)


def _sponge(m: AssetMaker, colour: str) -> None:
    m.body.mesh(meshes.soft_box((0.10, 0.065, 0.028), (0, 0, 0.014), 0.005), textured("terry", 0.06, COLOURS[colour], 1.0))
    m.body.mesh(meshes.soft_box((0.10, 0.065, 0.010), (0, 0, 0.032), 0.004), textured("carpet", 0.06, COLOURS["green"], 1.0))
    m.body.add([box_piece("body", (0.10, 0.065, 0.037), (0, 0, 0.0185))])
    m.tips = [Tip("face", (0.0, 0.0, 0.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.10, 0.065))]
    m.attributes = {"wet": False}


def _candle(m: AssetMaker, colour: str) -> None:
    m.body.mesh(
        meshes.lathe([(0.0001, 0.0), (0.033, 0.0), (0.035, 0.003), (0.035, 0.09), (0.030, 0.093), (0.0001, 0.088)], 22),
        plain(COLOURS[colour], 0.5),
    )
    m.body.mesh(meshes.tube(np.array([(0, 0, 0.087), (0.001, 0, 0.103)]), 0.0012, 6), BLACK_GLASS)
    m.body.add(standing("body", [(0.035, 0.0), (0.035, 0.092)]))


def _tape(m: AssetMaker, colour: str) -> None:
    m.body.mesh(meshes.lathe([(0.030, 0.0), (0.045, 0.0), (0.045, 0.024), (0.030, 0.024), (0.030, 0.0)], 26), plain(COLOURS[colour], 0.4))
    m.body.add(standing("body", [(0.045, 0.0), (0.045, 0.024)]))


_Maker = Callable[[AssetMaker, str], None]
_KINDS: dict[str, tuple[_Maker, float, tuple[str, ...], str]] = {
    "remote": (_remote, 0.12, (), "edge"),
    "phone": (_phone, 0.18, ("phone",), "edge"),
    "keys": (_keys, 0.08, (), "pinch"),
    "glasses_case": (_glasses_case, 0.10, (), "wrap"),
    "alarm_clock": (_alarm_clock, 0.25, (), "wrap"),
    "toothbrush": (_toothbrush, 0.02, ("tool",), "pinch"),
    "wallet": (_wallet, 0.12, (), "edge"),
    "torch": (_torch, 0.15, (), "wrap"),
    "soap": (_soap, 0.10, ("tool",), "wrap"),
    "sponge": (_sponge, 0.03, ("tool", "wipe"), "wrap"),
    "candle": (_candle, 0.22, (), "wrap"),
    "tape": (_tape, 0.10, ("tool",), "wrap"),
}
