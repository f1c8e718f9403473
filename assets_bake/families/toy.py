"""Toys: ball, building block, toy car, teddy bear, robot."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import COLOURS, RUBBER, plain, textured
from assets_bake.pieces import box_piece, round_piece, standing
from assistcore.house.stage import Entity


def build(textures: Textures, *, asset: str, kind: str, colour: str, category: str = "", nouns: tuple[str, ...] = ("toy",)) -> Entity:
    """`kind`: block, car, teddy, duck. Raises KeyError for another."""
    make = {"block": _block, "car": _car, "teddy": _teddy, "duck": _duck}[kind]
    m = AssetMaker(
        asset,
        category or kind,
        "movable",
        textures,
        {"block": 0.08, "car": 0.2, "teddy": 0.25, "duck": 0.06}[kind],
        ("toy",),
        (colour,),
        nouns,
        "wrap",
    )
    make(m, colour)
    return m.entity()


def _block(m: AssetMaker, colour: str) -> None:
    m.body.mesh(meshes.soft_box((0.05, 0.05, 0.05), (0, 0, 0.025), 0.004), plain(COLOURS[colour], 0.5))
    m.body.add([box_piece("body", (0.05, 0.05, 0.05), (0, 0, 0.025))])


def _car(m: AssetMaker, colour: str) -> None:
    paint = plain(COLOURS[colour], 0.3)
    m.body.mesh(meshes.soft_box((0.14, 0.06, 0.032), (0, 0, 0.032), 0.01, rings=2), paint)
    m.body.mesh(meshes.soft_box((0.075, 0.052, 0.03), (-0.006, 0, 0.06), 0.012, rings=2), plain((0.62, 0.76, 0.84), 0.2))
    m.body.mesh(meshes.soft_box((0.06, 0.054, 0.008), (-0.006, 0, 0.073), 0.004), paint)
    wheel = meshes.lathe([(0.0001, -0.006), (0.014, -0.006), (0.016, -0.004), (0.016, 0.004), (0.014, 0.006), (0.0001, 0.006)], 16).turned(
        meshes.rotation("x", np.pi / 2)
    )
    for x in (-0.042, 0.042):
        for y in (-0.029, 0.029):
            m.body.mesh(wheel.moved((x, y, 0.016)), RUBBER)
    m.body.add([box_piece("body", (0.14, 0.066, 0.048), (0, 0, 0.024)), box_piece("cabin", (0.075, 0.052, 0.029), (-0.006, 0, 0.0625))])


def _teddy(m: AssetMaker, colour: str) -> None:
    fur = textured("terry", 0.08, (0.66, 0.46, 0.30) if colour == "brown" else COLOURS[colour], 1.0)
    pale = textured("terry", 0.08, (0.86, 0.70, 0.52), 1.0)
    b = m.body
    b.mesh(meshes.ball((0.062, 0.052, 0.07), (0, 0, 0.072)), fur)
    b.mesh(meshes.ball((0.04, 0.014, 0.045), (0, -0.044, 0.072)), pale)
    b.mesh(meshes.ball((0.05, 0.046, 0.046), (0, -0.004, 0.175)), fur)
    b.mesh(meshes.ball((0.022, 0.016, 0.018), (0, -0.046, 0.163), 12), pale)
    b.mesh(meshes.ball((0.007, 0.005, 0.006), (0, -0.062, 0.17), 8), RUBBER)
    for s in (-1, 1):
        b.mesh(meshes.ball((0.017, 0.01, 0.017), (s * 0.04, 0, 0.214), 12), fur)
        b.mesh(meshes.ball((0.005, 0.004, 0.006), (s * 0.018, -0.044, 0.187), 8), RUBBER)
        b.mesh(meshes.ball((0.022, 0.022, 0.046), (s * 0.068, -0.014, 0.098), 12), fur)
        b.mesh(meshes.ball((0.026, 0.055, 0.026), (s * 0.042, -0.062, 0.026), 12), fur)
    m.body.add(
        [
            *standing("body", [(0.035, 0.0), (0.062, 0.05), (0.058, 0.12), (0.03, 0.14)]),
            round_piece("head", [(0.03, 0.135), (0.05, 0.17), (0.04, 0.225)]),
            box_piece("feet", (0.13, 0.06, 0.05), (0, -0.085, 0.025)),
            box_piece("arms", (0.175, 0.04, 0.06), (0, -0.014, 0.098)),
        ]
    )


def _duck(m: AssetMaker, colour: str) -> None:
    skin = plain(COLOURS[colour], 0.35)
    m.body.mesh(meshes.ball((0.034, 0.045, 0.03), (0, 0, 0.03)), skin)
    m.body.mesh(meshes.ball((0.023, 0.023, 0.023), (0, -0.024, 0.068), 14), skin)
    m.body.mesh(meshes.ball((0.012, 0.014, 0.005), (0, -0.05, 0.066), 10), plain(COLOURS["orange"], 0.4))
    for s in (-1, 1):
        m.body.mesh(meshes.ball((0.004, 0.004, 0.004), (s * 0.011, -0.043, 0.075), 8), RUBBER)
    m.body.add(
        [*standing("body", [(0.022, 0.0), (0.036, 0.025), (0.028, 0.055)]), box_piece("head", (0.042, 0.06, 0.042), (0, -0.032, 0.07))]
    )
