"""Kitchen tools: spoon, fork, knife, wooden spoon, cutting board, frying pan."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import BIRCH, CHROME, DARK_STEEL, OAK, RUBBER
from assets_bake.pieces import box_piece, standing, wall_ring
from assistcore.house.stage import Entity, Tip


def build(textures: Textures, *, asset: str, kind: str, category: str = "", nouns: tuple[str, ...] = ()) -> Entity:
    """`kind`: spoon, fork, knife, wooden_spoon, board, pan. Raises KeyError for another."""
    make, mass, roles, adjectives = {
        "spoon": (_spoon, 0.04, ("tool", "stir"), ("metal",)),
        "fork": (_fork, 0.04, ("tool",), ("metal",)),
        "knife": (_knife, 0.09, ("tool", "cut"), ("metal",)),
        "wooden_spoon": (_wooden_spoon, 0.05, ("tool", "stir"), ("wooden",)),
        "board": (_board, 0.7, ("surface",), ("wooden",)),
        "pan": (_pan, 1.0, ("container", "tool"), ("black",)),
    }[kind]
    m = AssetMaker(
        asset,
        category or kind,
        "movable",
        textures,
        mass,
        roles,
        adjectives,
        nouns,
        "edge" if kind == "board" else "pinch" if kind != "pan" else "wrap",
    )
    make(m)
    return m.entity()


def _stick(m: AssetMaker, a: float, b: float, r: float, z: float, look) -> None:  # type: ignore[no-untyped-def]
    m.body.mesh(meshes.soft_box((r * 2.2, b - a, r * 1.4), (0, (a + b) / 2, z), r * 0.6), look)


def _spoon(m: AssetMaker) -> None:
    _stick(m, -0.10, 0.035, 0.004, 0.004, CHROME)
    m.body.mesh(meshes.ball((0.020, 0.030, 0.005), (0, 0.062, 0.005), 14), CHROME)
    m.body.add([box_piece("stem", (0.011, 0.14, 0.008), (0, -0.03, 0.004)), box_piece("head", (0.038, 0.056, 0.010), (0, 0.062, 0.005))])
    m.tips = [Tip("tip", (0.0, 0.090, 0.005), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.038, 0.010))]
    m.grip_m = (0.0, -0.075, 0.004)


def _fork(m: AssetMaker) -> None:
    _stick(m, -0.10, 0.04, 0.004, 0.004, CHROME)
    m.body.mesh(meshes.soft_box((0.024, 0.022, 0.004), (0, 0.048, 0.004), 0.0018), CHROME)
    for x in (-0.009, -0.003, 0.003, 0.009):
        m.body.mesh(meshes.box((0.0032, 0.045, 0.003), (x, 0.078, 0.004)), CHROME)
    m.body.add([box_piece("stem", (0.011, 0.14, 0.008), (0, -0.03, 0.004)), box_piece("head", (0.024, 0.062, 0.008), (0, 0.07, 0.004))])
    m.tips = [Tip("tip", (0.0, 0.101, 0.004), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.024, 0.008))]
    m.grip_m = (0.0, -0.075, 0.004)


def _knife(m: AssetMaker) -> None:
    m.body.mesh(meshes.soft_box((0.020, 0.115, 0.016), (0, -0.085, 0.008), 0.006), RUBBER)
    blade = [(-0.012, -0.03), (0.012, -0.03), (0.012, 0.09), (0.004, 0.13), (-0.012, 0.135)]
    m.body.mesh(meshes.prism([(x, y) for x, y in blade], 0.0065, 0.0085), CHROME)
    m.body.add(
        [box_piece("handle", (0.020, 0.115, 0.016), (0, -0.085, 0.008)), box_piece("blade", (0.026, 0.165, 0.009), (0, 0.055, 0.0045))]
    )
    m.tips = [Tip("edge", (0.013, 0.055, 0.0075), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.15, 0.002))]
    m.grip_m = (0.0, -0.105, 0.008)


def _wooden_spoon(m: AssetMaker) -> None:
    m.body.mesh(meshes.tube(np.array([(0, -0.15, 0.007), (0, 0.08, 0.007)]), 0.006, 8), BIRCH)
    m.body.mesh(meshes.ball((0.026, 0.038, 0.008), (0, 0.11, 0.008), 14), BIRCH)
    m.body.add([box_piece("stem", (0.012, 0.23, 0.013), (0, -0.035, 0.0065)), box_piece("head", (0.05, 0.07, 0.016), (0, 0.11, 0.008))])
    m.tips = [Tip("tip", (0.0, 0.145, 0.008), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.05, 0.016))]
    m.grip_m = (0.0, -0.115, 0.007)


def _board(m: AssetMaker) -> None:
    m.body.mesh(meshes.soft_box((0.34, 0.22, 0.018), (0, 0, 0.009), 0.006, OAK.tile_m), OAK)
    m.body.add([box_piece("body", (0.34, 0.22, 0.018), (0, 0, 0.009))])
    m.surface("top", (-0.17, -0.11, 0.018), (0.17, 0.11, 0.3))


def _pan(m: AssetMaker) -> None:
    outer, inner = [(0.10, 0.0), (0.125, 0.045)], [(0.096, 0.005), (0.120, 0.045)]
    m.body.mesh(meshes.lathe([(0.0001, 0.0), *outer, inner[1], inner[0], (0.0001, 0.005)], 28), DARK_STEEL)
    m.body.mesh(meshes.soft_box((0.024, 0.17, 0.016), (0, -0.205, 0.042), 0.007), RUBBER)
    m.body.add(
        [
            *standing("bottom", [(0.10, 0.0), (0.103, 0.005)]),
            *wall_ring("wall", [(0.096, 0.005), (0.120, 0.045)], [(0.103, 0.005), (0.125, 0.045)], 12),
            box_piece("handle", (0.024, 0.17, 0.016), (0, -0.208, 0.042)),
        ]
    )
    m.interior("inside", (-0.068, -0.068, 0.005), (0.068, 0.068, 0.09), (0.0, 0.0, 1.0))
    m.tips = [Tip("rim", (0.0, 0.0, 0.045), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.24, 0.24))]
    m.adjectives = ("black",)
    m.attributes = {"clean": True}
