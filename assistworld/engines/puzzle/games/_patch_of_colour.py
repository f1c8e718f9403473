"""Discs of a picture whose colour can be guessed from what surrounds them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assistworld.engines.puzzle.canvas import disc
from assistworld.engines.puzzle.games._hues import hsv_of

SIDE_PX = 288
DISC_PX, RING_PX = 30, 42
"""Radius of a disc, and of what around it counts as surrounding."""
STRIDE_PX = 12
LEAST_SATURATION = 70.0
DARKEST, BRIGHTEST = 25.0, 235.0
LEAST_UNITY = 0.92
"""Length of the mean of unit vectors of hue: 1 is a single hue."""
MOST_HUE_APART_DEG, MOST_SATURATION_APART = 12.0, 35.0


@dataclass(frozen=True)
class Spot:
    """Middle of a disc in the picture, and its own mean colour: hue in degrees, 0 to 359, saturation 0 to 255."""

    row: int
    column: int
    hue_deg: int
    saturation: int


@lru_cache(maxsize=256)
def spots(pixels: bytes) -> tuple[Spot, ...]:
    """Discs of one colour that goes on around them, of a picture of SIDE_PX squared (its bytes)."""
    hsv = hsv_of(np.frombuffer(pixels, np.uint8).reshape(SIDE_PX, SIDE_PX, 3)[::2, ::2])
    size = RING_PX + 1  # at half resolution
    inside = disc(size, DISC_PX / 2)
    around = disc(size, RING_PX / 2) & ~disc(size, DISC_PX / 2 + 1)
    found = []
    for row in range(RING_PX + 2, SIDE_PX - RING_PX - 2, STRIDE_PX):
        for column in range(RING_PX + 2, SIDE_PX - RING_PX - 2, STRIDE_PX):
            top, left = row // 2 - size // 2, column // 2 - size // 2
            window = hsv[top : top + size, left : left + size]
            spot = _spot(row, column, window[inside], window[around])
            if spot is not None:
                found.append(spot)
    return tuple(found)


def _spot(row: int, column: int, own: NDArray[np.float64], other: NDArray[np.float64]) -> Spot | None:
    saturation, value = float(own[:, 1].mean()), float(own[:, 2].mean())
    if saturation < LEAST_SATURATION or not DARKEST <= value <= BRIGHTEST:
        return None
    hue, unity = _mean_hue(own[:, 0])
    hue_around, unity_around = _mean_hue(other[:, 0])
    apart = abs((hue - hue_around + 180.0) % 360.0 - 180.0)
    if min(unity, unity_around) < LEAST_UNITY or apart > MOST_HUE_APART_DEG:
        return None
    if abs(saturation - float(other[:, 1].mean())) > MOST_SATURATION_APART:
        return None
    return Spot(row, column, round(hue) % 360, round(saturation))


def _mean_hue(hues_deg: NDArray[np.float64]) -> tuple[float, float]:
    """Mean direction in degrees, and the length of the mean vector."""
    angles = np.radians(hues_deg)
    x, y = float(np.cos(angles).mean()), float(np.sin(angles).mean())
    return math.degrees(math.atan2(y, x)) % 360.0, math.hypot(x, y)
