"""Which state a frame shows, read from the frame itself.

A rendered frame of Kit carries no number of the state it was rendered from, and may be one or several updates old. So the picture is
rendered with a band above and below that is cut off afterwards; in the upper band stand nine small squares before the camera, one always
there and eight that are there or not, the bits of a number. The instance ids of the same frame tell which are seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

BITS = 8
NUMBERS = 1 << BITS
BAND_PX = 16
"""Rows rendered above and below the picture; the same on both sides, so that the optical axis stays in the middle."""
SQUARE_PX = 12
NARROWEST_PX = 4 * (BITS + 1)
DISTANCE_M = 0.12


def columns(width: int) -> list[int]:
    """Pixel column of each square's centre, the one that is always there first."""
    return [int((k + 0.5) * width / (BITS + 1)) for k in range(BITS + 1)]


def shown(number: int) -> list[bool]:
    """Which squares are there for a number."""
    return [True, *(bool(number >> k & 1) for k in range(BITS))]


def square(index: int, width: int, height: int, focal_px: float) -> NDArray[np.float32]:
    """Corners (4, 3), metres, camera frame, of a square; `height` is that of the picture without its bands."""
    side = min(SQUARE_PX, width / (BITS + 1) - 2.0) / focal_px * DISTANCE_M
    x = (columns(width)[index] + 0.5 - width / 2.0) / focal_px * DISTANCE_M
    y = ((height + 2 * BAND_PX) / 2.0 - BAND_PX / 2.0 - 0.5) / focal_px * DISTANCE_M
    across, up = np.array([side / 2, 0.0, 0.0]), np.array([0.0, side / 2, 0.0])
    centre = np.array([x, y, -DISTANCE_M])
    return np.array([centre - across - up, centre + across - up, centre + across + up, centre - across + up], dtype=np.float32)


def number_of(ids: NDArray[Any], labels: Mapping[Any, Any], prefix: str) -> int | None:
    """The number that a frame shows; None where not even the square that is always there is seen.

    ids: (h, w), the bands included. labels: what each id stands for, a prim path below `prefix` plus the square's index for the squares.
    """
    names = {int(key): str(value) for key, value in labels.items() if str(key).lstrip("-").isdigit()}
    row = ids[BAND_PX // 2]
    seen = [names.get(int(row[column]), "").startswith(f"{prefix}{k}") for k, column in enumerate(columns(ids.shape[1]))]
    return sum(1 << k for k, on in enumerate(seen[1:]) if on) if seen[0] else None


def cut(image: NDArray[Any]) -> NDArray[Any]:
    """The picture without its bands."""
    return image[BAND_PX:-BAND_PX]
