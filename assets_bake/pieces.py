"""Convex collision pieces: boxes, hulls of round things, and rings of hulls that leave the inside of a vessel free."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assistcore.house.stage import ConvexPiece

F64 = NDArray[np.float64]
_CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def box_piece(name: str, size_m: ArrayLike, centre_m: ArrayLike, R: F64 | None = None) -> ConvexPiece:
    """A box; `R` (3, 3) turns it about its centre. Raises ValueError for an edge that is not positive."""
    half = np.asarray(size_m, dtype=np.float64) / 2
    if (half <= 0).any():
        raise ValueError(f"piece {name!r}: box edges {(2 * half).tolist()} must be positive")
    T = np.eye(4)
    T[:3, 3] = np.asarray(centre_m, dtype=np.float64)
    if R is not None:
        T[:3, :3] = R
    return ConvexPiece(name, half * _CORNERS, T, (float(half[0]), float(half[1]), float(half[2])))


def hull_piece(name: str, points_m: ArrayLike) -> ConvexPiece:
    """The convex hull of points, shape (n, 3), reduced to its corners. Raises ValueError when they span no volume."""
    from scipy.spatial import ConvexHull, QhullError

    points = np.asarray(points_m).astype(np.float32).astype(np.float64)  # a USD mesh keeps single precision
    try:
        hull = ConvexHull(points)
    except QhullError as error:
        raise ValueError(f"piece {name!r}: {len(points)} points span no volume") from error
    return ConvexPiece(name, points[np.sort(hull.vertices)], np.eye(4))


def round_piece(name: str, profile: Sequence[tuple[float, float]], segments: int = 12) -> ConvexPiece:
    """The hull of a solid of revolution about z with (radius, height) points. The polygon is circumscribed halfway (equal area)."""
    grow = np.sqrt((np.pi / segments) / (np.sin(np.pi / segments) * np.cos(np.pi / segments)))
    a = (np.arange(segments) + 0.5) * 2 * np.pi / segments
    rows = [np.stack([r * grow * np.cos(a), r * grow * np.sin(a), np.full(segments, z)], 1) for r, z in profile]
    return hull_piece(name, np.concatenate(rows))


FOOT_M = 0.0012


def standing(name: str, profile: Sequence[tuple[float, float]], segments: int = 12) -> list[ConvexPiece]:
    """A round body that stands on a square foot: box contacts come to rest, where a polygon's corners tremble on and on."""
    (r, z0), rest = profile[0], profile[1:]
    foot = box_piece(f"{name}_foot", (1.4 * r, 1.4 * r, 0.006), (0.0, 0.0, z0 + 0.003))
    return [foot, round_piece(name, [(r, z0 + FOOT_M), *rest], segments)]


def wall_ring(
    name: str, inner: Sequence[tuple[float, float]], outer: Sequence[tuple[float, float]], segments: int = 10
) -> list[ConvexPiece]:
    """The wall of a round vessel as `segments` hulls between an inner and an outer profile of (radius, height) points."""
    out = []
    for k in range(segments):
        a = np.array([k, k + 1]) * 2 * np.pi / segments
        rows = [
            np.stack([r * grow * np.cos(a), r * grow * np.sin(a), np.full(2, z)], 1)
            for profile, grow in ((inner, 1.0), (outer, 1.0))
            for r, z in profile
        ]
        out.append(hull_piece(f"{name}_{k}", np.concatenate(rows)))
    return out


def open_box(
    name: str, low_m: Sequence[float], high_m: Sequence[float], wall_m: float, open_side: str = "top", floor_m: float | None = None
) -> list[ConvexPiece]:
    """Five box pieces around a free inside: outer corners `low_m`, `high_m`; the side named `open_side` (top or front) is left out."""
    low, high = np.asarray(low_m, dtype=np.float64), np.asarray(high_m, dtype=np.float64)
    base = wall_m if floor_m is None else floor_m
    t = wall_m
    spans = {
        "left": ((low[0], low[1], low[2]), (low[0] + t, high[1], high[2])),
        "right": ((high[0] - t, low[1], low[2]), (high[0], high[1], high[2])),
        "back": ((low[0] + t, high[1] - t, low[2]), (high[0] - t, high[1], high[2])),
        "front": ((low[0] + t, low[1], low[2]), (high[0] - t, low[1] + t, high[2])),
        "bottom": ((low[0] + t, low[1] + (0 if open_side == "front" else t), low[2]), (high[0] - t, high[1] - t, low[2] + base)),
        "top": ((low[0] + t, low[1] + (0 if open_side == "front" else t), high[2] - t), (high[0] - t, high[1] - t, high[2])),
    }
    return [box_piece(f"{name}_{side}", np.subtract(b, a), (np.add(a, b)) / 2) for side, (a, b) in spans.items() if side != open_side]
