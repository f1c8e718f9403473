"""Discs of a picture whose colour can be guessed from what surrounds them: one colour, which goes on around the disc."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assistworld.engines.puzzle.canvas import disc
from assistworld.engines.puzzle.games._hues import hsv_of
from assistworld.engines.puzzle.games._photos import square, tried

SIDE_PX = 336
DISC_PX, AROUND_PX = 12, 16
"""Radius of a disc, and half the side of the square whose rim counts as surrounding."""
STRIDE_PX = 4
LEAST_SATURATION = 75.0
DARKEST, BRIGHTEST = 30.0, 235.0
LEAST_UNITY = 0.95
"""Length of the mean of unit vectors of hue: 1 is a single hue."""
MOST_HUE_APART_DEG, MOST_SATURATION_APART = 20.0, 60.0
PICTURES, HUE_STEP_DEG = 16, 30
"""A hue is drawn first, in steps of so many degrees, from what so many pictures have: else nearly all discs were of wood."""


@dataclass(frozen=True)
class Spot:
    """Middle of a disc in the picture, and its own mean colour: hue in degrees, 0 to 359, saturation 0 to 255."""

    row: int
    column: int
    hue_deg: int
    saturation: int


def drawn_spot(folder: str, rng: np.random.Generator) -> tuple[str, Spot] | None:
    """A picture and a disc of it, hues alike often as far as the pictures have them; None where no picture has a disc."""
    by_hue: dict[int, dict[str, Sequence[tuple[int, int]]]] = {}
    seen = 0
    for name, _ in tried(folder, SIDE_PX, rng):
        found = _places_by_hue(folder, name)
        for step, there in found.items():
            by_hue.setdefault(step, {})[name] = there
        seen += bool(found)
        if seen == PICTURES:
            break
    if not by_hue:
        return None
    pictures = by_hue[_any(sorted(by_hue), rng)]
    name = _any(sorted(pictures), rng)
    return name, spot_at(folder, name, *_any(pictures[name], rng))


T = TypeVar("T")


@lru_cache(maxsize=512)
def _places_by_hue(folder: str, name: str) -> Mapping[int, Sequence[tuple[int, int]]]:
    """Rows and columns of the discs of a picture by the step of their hue; the hues of wood are one step."""
    found: dict[int, list[tuple[int, int]]] = {}
    for row, column, hue in places(folder, name):
        found.setdefault((hue + HUE_STEP_DEG // 3) % 360 // HUE_STEP_DEG, []).append((row, column))
    return found


def _any(things: Sequence[T], rng: np.random.Generator) -> T:
    return things[int(rng.integers(len(things)))]


def spot_at(folder: str, name: str, row: int, column: int) -> Spot:
    """The disc there, with its mean colour."""
    size = 2 * DISC_PX + 1
    window = square(folder, name, SIDE_PX)[row - DISC_PX : row + DISC_PX + 1, column - DISC_PX : column + DISC_PX + 1]
    hsv = hsv_of(window)[disc(size, DISC_PX)]
    angles = np.radians(hsv[:, 0])
    hue = math.degrees(math.atan2(float(np.sin(angles).mean()), float(np.cos(angles).mean())))
    return Spot(row, column, round(hue) % 360, round(float(hsv[:, 1].mean())))


@lru_cache(maxsize=512)
def places(folder: str, name: str) -> tuple[tuple[int, int, int], ...]:
    """Rows and columns of discs of one colour that goes on around them, and their hue in degrees."""
    hsv = hsv_of(square(folder, name, SIDE_PX)[::2, ::2])
    angles = np.radians(hsv[..., 0])
    maps = np.stack([np.cos(angles), np.sin(angles), hsv[..., 1], hsv[..., 2]], -1)
    at = np.arange(AROUND_PX + 2, SIDE_PX - AROUND_PX - 2, STRIDE_PX)
    inner, outer = _sums(maps, at // 2, DISC_PX // 2), _sums(maps, at // 2, AROUND_PX // 2)
    inside, around = (2 * (DISC_PX // 2) + 1) ** 2, (2 * (AROUND_PX // 2) + 1) ** 2
    own, rim = inner / inside, (outer - inner) / (around - inside)
    hue, hue_around = (np.degrees(np.arctan2(part[..., 1], part[..., 0])) for part in (own, rim))
    apart = np.abs((hue - hue_around + 180.0) % 360.0 - 180.0)
    unity = np.minimum(np.hypot(own[..., 0], own[..., 1]), np.hypot(rim[..., 0], rim[..., 1]))
    good = (own[..., 2] >= LEAST_SATURATION) & (own[..., 3] >= DARKEST) & (own[..., 3] <= BRIGHTEST) & (unity >= LEAST_UNITY)
    good &= (apart <= MOST_HUE_APART_DEG) & (np.abs(own[..., 2] - rim[..., 2]) <= MOST_SATURATION_APART)
    rows, columns = np.nonzero(good)
    return tuple((int(at[r]), int(at[c]), round(float(hue[r, c])) % 360) for r, c in zip(rows.tolist(), columns.tolist(), strict=True))


def _sums(maps: NDArray[np.float64], at: NDArray[np.int64], reach: int) -> NDArray[np.float64]:
    """Sums over squares of 2 reach + 1 pixels around places, shape (places, places, channels)."""
    total = np.pad(maps.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0), (0, 0)))
    low, high = at - reach, at + reach + 1
    return np.asarray(total[np.ix_(high, high)] - total[np.ix_(low, high)] - total[np.ix_(high, low)] + total[np.ix_(low, low)])
