"""Toys of random shape and colours, each with a front, a top and something on one side, so that no rotation hides which way it lies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from assistcore.world.randomness import stream
from assistworld.engines.puzzle.games._solids import Rgb, Solid, ball, box, cone, cylinder, frame_along, lathe, ring, rod, together

_PAINTS: tuple[Rgb, ...] = (
    (0.86, 0.24, 0.20), (0.20, 0.44, 0.82), (0.96, 0.76, 0.18), (0.24, 0.64, 0.34), (0.94, 0.52, 0.16), (0.56, 0.32, 0.72),
    (0.16, 0.66, 0.68), (0.92, 0.48, 0.62),
)  # fmt: skip
WHITE, GREY, BLACK, WOOD = (0.95, 0.95, 0.93), (0.62, 0.64, 0.68), (0.2, 0.2, 0.23), (0.66, 0.46, 0.28)
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)

Draw: TypeAlias = Callable[[float, float], float]
"""A number between two others."""
Toy: TypeAlias = Callable[[Draw, Iterator[Rgb]], list[Solid]]


def _car(draw: Draw, paints: Iterator[Rgb]) -> list[Solid]:
    length, width, body, cabin = draw(2.0, 2.8), draw(1.0, 1.3), next(paints), next(paints)
    wheel, back = draw(0.22, 0.32), draw(0.45, 0.6) * length
    wheels = [
        cylinder(wheel, 0.2, BLACK).placed(frame_along(Y), (side_x * length * 0.3, side_y * width / 2, 0))
        for side_x in (-1, 1)
        for side_y in (-1, 1)
    ]
    lamps = [ball(0.1, WHITE, (length / 2, side * width * 0.32, 0.35), sides=12) for side in (-1, 1)]
    top = box((back, width * 0.86, draw(0.35, 0.5)), cabin, (back / 2 - length / 2 + 0.1, 0, 0.75))
    mast = rod((-length / 2 + 0.15, width * 0.35, 0.9), (-length / 2 - 0.1, width * 0.35, 1.6), 0.04, next(paints))
    return [box((length, width, 0.5), body, (0, 0, 0.3)), top, *wheels, *lamps, mast]


def _plane(draw: Draw, paints: Iterator[Rgb]) -> list[Solid]:
    length, span, wing = draw(2.4, 3.0), draw(2.4, 3.2), next(paints)
    hull = lathe(((0.02, 0), (0.2, 0.25), (0.27, 0.8), (0.24, length * 0.7), (0.08, length)), next(paints)).placed(frame_along((-1, 0, 0)))
    tail = -length * 0.93
    wings = box((0.55, span, 0.07), wing, (-draw(0.9, 1.2), 0, 0))
    tips = [box((0.3, 0.3, 0.09), next(paints), (-1.05, side * span / 2, 0)) for side in (-1, 1)]
    engine = cylinder(0.14, 0.5, GREY).placed(frame_along(X), (-0.9, span * draw(0.2, 0.3), -0.17))
    fin, elevator = box((0.4, 0.06, 0.6), wing, (tail, 0, 0.35)), box((0.3, 1.0, 0.06), wing, (tail, 0, 0.05))
    return [hull, wings, *tips, engine, fin, elevator, ball(0.17, BLACK, (-0.55, 0, 0.2), sides=12)]


def _mug(draw: Draw, paints: Iterator[Rgb]) -> list[Solid]:
    radius, height = draw(0.6, 0.75), draw(1.3, 1.7)
    inside = cylinder(radius * 0.86, 0.02, BLACK, (0, 0, height))
    handle = ring(height * 0.27, 0.11, next(paints)).placed(frame_along(Y), (radius + 0.16, 0, height * 0.5))
    band = cylinder(radius * 1.02, 0.2, next(paints), (0, 0, height * draw(0.15, 0.3)))
    angle = draw(0.9, 1.4)
    badge = ball(0.22, next(paints), (radius * np.cos(angle), radius * np.sin(angle), height * draw(0.55, 0.7)), sides=14)
    spoon = rod((-0.1, -0.2, height - 0.4), (-0.7, -0.5, height + 0.6), 0.06, GREY)
    return [cylinder(radius, height, next(paints), (0, 0, height / 2), sides=32), inside, handle, band, badge, spoon]


def _lamp(draw: Draw, paints: Iterator[Rgb]) -> list[Solid]:
    knee, head = (draw(-0.7, -0.5), 0.0, draw(0.9, 1.2)), (draw(0.5, 0.7), 0.0, draw(1.7, 2.0))
    arm, shade = next(paints), next(paints)
    hood = lathe(((0.5, -0.3), (0.16, 0.3)), shade).placed(frame_along((-0.4, 0, 0.9)), (head[0] + 0.1, 0, head[2] - 0.1))
    button = ball(0.11, next(paints), (0.3, draw(0.2, 0.35), 0.18), sides=12)
    foot = cylinder(draw(0.55, 0.7), 0.16, next(paints), (0, 0, 0.08))
    bulb = ball(0.2, WHITE, (head[0] + 0.2, 0, head[2] - 0.4), sides=14)
    return [foot, rod((0, 0, 0.1), knee, 0.07, arm), ball(0.12, GREY, knee, sides=12), rod(knee, head, 0.07, arm), hood, bulb, button]


def _house(draw: Draw, paints: Iterator[Rgb]) -> list[Solid]:
    width, depth, height, rise = draw(1.5, 2.0), draw(1.0, 1.3), draw(0.9, 1.2), draw(0.6, 0.9)
    w, d = width / 2 + 0.1, depth / 2 + 0.12
    ridge = [(-w, -d, height), (w, -d, height), (w, d, height), (-w, d, height), (-w, 0, height + rise), (w, 0, height + rise)]
    tiles = ((0, 1, 5), (0, 5, 4), (2, 3, 4), (2, 4, 5), (3, 0, 4), (1, 2, 5), (0, 2, 1), (0, 3, 2))
    door = box((0.32, 0.05, 0.62), WOOD, (-width * draw(0.15, 0.3), -depth / 2, 0.31))
    panes = [box((0.32, 0.05, 0.32), WHITE, (width * x, -depth / 2, height * 0.6)) for x in (0.05, 0.3)]
    side = box((0.05, 0.4, 0.4), next(paints), (width / 2, draw(-0.2, 0.2), height * 0.55))
    chimney = box((0.24, 0.24, 0.8), next(paints), (width * 0.28, depth * 0.25, height + rise * 0.75))
    return [
        box((width, depth, height), next(paints), (0, 0, height / 2)),
        Solid.of(ridge, tiles, next(paints)),
        door,
        *panes,
        side,
        chimney,
    ]


def _kettle(draw: Draw, paints: Iterator[Rgb]) -> list[Solid]:
    wide, handle = draw(0.75, 0.9), next(paints)
    body = lathe(((wide * 0.75, 0), (wide, 0.3), (wide * 0.9, 0.75), (wide * 0.45, 1.1)), next(paints), sides=28)
    spout = rod((wide * 0.7, 0, 0.45), (wide + draw(0.5, 0.7), 0, 1.15), 0.17, next(paints), end_radius=0.09)
    grip = ring(0.36, 0.09, handle).placed(frame_along(Y), (-wide - 0.15, 0, 0.6))
    lid = [cylinder(wide * 0.42, 0.12, handle, (0, 0, 1.14)), ball(0.13, BLACK, (0, 0, 1.3), sides=12)]
    label = box((0.36, 0.1, 0.3), next(paints)).placed(offset=(draw(-0.2, 0.2), wide * 0.95, 0.4))
    return [body, spout, grip, *lid, label]


def _duck(draw: Draw, paints: Iterator[Rgb]) -> list[Solid]:
    feathers, wing = next(paints), next(paints)
    body = ball(0.8, feathers).placed(offset=(0, 0, 0.6), scale=(draw(1.1, 1.35), 0.85, 0.75))
    head = draw(0.38, 0.46)
    at = np.array((0.75, 0.0, 1.5))
    beak = cone(0.17, 0.45, next(paints)).placed(frame_along(X), at + (head + 0.15, 0, -0.04), scale=(0.6, 1.4, 1))
    eyes = [ball(0.08, BLACK, at + (head * 0.75, side * head * 0.6, 0.14), sides=10) for side in (-1, 1)]
    tail = cone(0.25, 0.6, wing).placed(frame_along((-1, 0, 0.7)), (-1.05, 0, 0.85))
    flap = ball(0.5, wing).placed(offset=(-0.1, 0.6, 0.7), scale=(1.0, 0.3, 0.6))
    hat = [cylinder(0.34, 0.06, next(paints), at + (-0.05, 0, head * 0.85)), cone(0.2, draw(0.4, 0.6), BLACK, at + (-0.05, 0, head + 0.2))]
    return [body, ball(head, feathers, at), beak, *eyes, tail, flap, *hat]


def _hammer(draw: Draw, paints: Iterator[Rgb]) -> list[Solid]:
    length, head = draw(2.4, 3.0), next(paints)
    shaft = rod((0, 0, 0), (0, 0, length), 0.13, WOOD, end_radius=0.1)
    block = box((0.9, 0.36, 0.36), head, (0.1, 0, length))
    face = cylinder(draw(0.2, 0.26), 0.3, GREY).placed(frame_along(X), (0.68, 0, length))
    claw = rod((-0.35, 0, length), (-0.95, 0, length - draw(0.15, 0.4)), 0.17, next(paints), end_radius=0.04)
    grip = cylinder(0.19, 0.8, next(paints), (0, 0, 0.4))
    return [shaft, block, face, claw, grip, ball(0.16, next(paints), (0.0, 0.24, length), sides=12)]


KINDS: dict[str, Toy] = {
    "car": _car, "plane": _plane, "mug": _mug, "lamp": _lamp, "house": _house, "kettle": _kettle, "duck": _duck, "hammer": _hammer,
}  # fmt: skip


@lru_cache(maxsize=64)
def toy(kind: str, number: int) -> Solid:
    """The toy of a kind and number, around its middle, within a distance of 1; the same in every process. Raises KeyError."""
    rng = stream(number, f"toy/{kind}")
    paints = iter([_PAINTS[n] for n in rng.permutation(len(_PAINTS)).tolist()])
    return in_unit_ball(together(KINDS[kind](lambda low, high: float(rng.uniform(low, high)), paints)))


def in_unit_ball(solid: Solid) -> Solid:
    """The solid around the middle of its box, as large as fits within a distance of 1. Raises ValueError where it has no extent."""
    used = solid.points[np.unique(solid.faces)]
    middle = (used.min(0) + used.max(0)) / 2
    reach = float(np.linalg.norm(used - middle, axis=1).max())
    if not reach > 0:
        raise ValueError("all points are in one place")
    return solid.placed(offset=-middle / reach, scale=1 / reach)
