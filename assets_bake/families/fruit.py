"""Fruit, vegetables and bread."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import COLOURS, plain
from assets_bake.pieces import hull_piece
from assistcore.house.stage import Entity

FOOD = ("cookable", "cuttable", "food")
_STEM = plain((0.30, 0.22, 0.12), 0.8)


def build(textures: Textures, *, asset: str, kind: str, colour: str = "red", category: str = "", nouns: tuple[str, ...] = ()) -> Entity:
    """`kind`: apple, orange, lemon, pear, banana, tomato, carrot, bread, egg. Raises KeyError for another."""
    maker = {"banana": _banana, "bread": _bread, "carrot": _carrot}.get(kind)
    mass = {
        "apple": 0.18,
        "orange": 0.2,
        "lemon": 0.12,
        "pear": 0.18,
        "banana": 0.15,
        "tomato": 0.12,
        "carrot": 0.1,
        "bread": 0.6,
        "egg": 0.06,
        "ball": 0.06,
    }[kind]
    m = AssetMaker(asset, category or kind, "movable", textures, mass, ("toy",) if kind == "ball" else FOOD, (colour,), nouns, "wrap")
    m.attributes = {"clean": True}
    if maker is not None:
        maker(m, colour)
        return m.entity()
    profile = {
        "apple": [
            (0.0001, 0.006),
            (0.016, 0.0),
            (0.032, 0.012),
            (0.039, 0.036),
            (0.036, 0.058),
            (0.022, 0.072),
            (0.010, 0.071),
            (0.0001, 0.064),
        ],
        "pear": [
            (0.0001, 0.0),
            (0.018, 0.0),
            (0.034, 0.018),
            (0.036, 0.038),
            (0.024, 0.066),
            (0.016, 0.086),
            (0.008, 0.094),
            (0.0001, 0.095),
        ],
        "egg": [(0.0001, 0.0), (0.010, 0.001), (0.020, 0.014), (0.022, 0.026), (0.017, 0.045), (0.008, 0.055), (0.0001, 0.057)],
    }.get(kind) or [
        (0.0001, 0.0),
        (0.010, 0.001),
        *((0.037 * float(np.sin(a)), 0.037 - 0.037 * float(np.cos(a))) for a in np.linspace(0.4, 2.8, 8)),
        (0.0001, 0.074),
    ]
    rgb = {"red": (0.72, 0.10, 0.10), "green": (0.47, 0.66, 0.20)}.get(colour, COLOURS[colour])
    m.body.mesh(meshes.lathe(profile, 20), plain(rgb, 0.35))
    if kind in ("apple", "pear"):
        top = profile[-1][1]
        m.body.mesh(meshes.tube(np.array([(0, 0, top - 0.004), (0.002, 0, top + 0.012)]), 0.0015, 6), _STEM)
    a = np.arange(10) * 2 * np.pi / 10
    points = np.concatenate([np.stack([r * np.cos(a), r * np.sin(a), np.full(10, z)], 1) for r, z in profile if r > 0.009])
    foot = 0.014
    points = np.concatenate([points, np.stack([foot * np.cos(a), foot * np.sin(a), np.zeros(10)], 1)])
    m.body.add([hull_piece("body", points)])
    return m.entity()


def _banana(m: AssetMaker, colour: str) -> None:
    a = np.linspace(-0.75, 0.75, 12)
    path = np.stack([0.12 * np.sin(a), 0.12 - 0.12 * np.cos(a) - 0.02, np.full(12, 0.017)], 1)
    radius = [0.006, 0.012, 0.016, 0.017, 0.017, 0.017, 0.017, 0.017, 0.016, 0.013, 0.008, 0.005]
    m.body.mesh(meshes.tube(path, radius, 10), plain(COLOURS[colour], 0.5))
    m.body.mesh(meshes.tube(np.array([path[-1], path[-1] + [0.01, 0.008, 0.002]]), 0.0045, 6), _STEM)
    ring = np.array([(0, -1, 0), (0, 1, 0), (0, -0.6, -1), (0, 0.6, -1), (0, -0.6, 1), (0, 0.6, 1)], dtype=np.float64)
    for k, (i, j) in enumerate(((0, 4), (4, 7), (7, 11))):
        m.body.add(
            [
                hull_piece(
                    f"part{k}",
                    np.concatenate(
                        [path[e] + ring * max(radius[e], 0.008) for e in (i, j)]
                        + [np.array([(path[e][0], path[e][1] + s, 0.0) for e in (i, j) for s in (-0.006, 0.006)])]
                    ),
                )
            ]
        )


def _carrot(m: AssetMaker, colour: str) -> None:
    path = np.array([(-0.08, 0, 0.007), (-0.04, 0, 0.011), (0.02, 0, 0.014), (0.07, 0, 0.016), (0.085, 0, 0.015)])
    m.body.mesh(meshes.tube(path, [0.003, 0.009, 0.013, 0.016, 0.009], 10), plain(COLOURS[colour], 0.6))
    m.body.mesh(meshes.tube(np.array([(0.08, 0, 0.015), (0.105, 0.004, 0.02)]), [0.006, 0.003], 6), plain(COLOURS["green"], 0.7))
    m.body.add(
        [
            hull_piece(
                "body",
                np.array(
                    [
                        (-0.08, -0.004, 0),
                        (-0.08, 0.004, 0),
                        (-0.08, 0, 0.011),
                        (0.08, -0.011, 0),
                        (0.08, 0.011, 0),
                        (0.08, -0.012, 0.026),
                        (0.08, 0.012, 0.026),
                    ]
                ),
            )
        ]
    )


def _bread(m: AssetMaker, colour: str) -> None:
    m.body.mesh(meshes.soft_box((0.22, 0.11, 0.10), (0, 0, 0.05), 0.035, rings=3), plain((0.72, 0.47, 0.24), 0.8))
    for x in (-0.06, 0.0, 0.06):
        m.body.mesh(
            meshes.soft_box((0.012, 0.07, 0.006), (x, 0, 0.1), 0.003).turned(meshes.rotation("z", 0.35)).moved((x * 0.06, 0, 0)),
            plain((0.86, 0.68, 0.44), 0.9),
        )
    pts = [
        (sx * x, sy * y, z)
        for sx in (-1, 1)
        for sy in (-1, 1)
        for x, y, z in ((0.09, 0.045, 0.0), (0.11, 0.055, 0.03), (0.11, 0.055, 0.07), (0.09, 0.04, 0.1))
    ]
    m.body.add([hull_piece("body", np.array(pts))])
