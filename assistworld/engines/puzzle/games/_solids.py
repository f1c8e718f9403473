"""Coloured solids of flat triangles, and the few shapes from which they are put together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

F64: TypeAlias = NDArray[np.float64]
Rgb: TypeAlias = tuple[float, float, float]
"""Display colour, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Solid:
    """points: (n, 3). faces: (m, 3), anticlockwise from outside. rgb: (m, 3) float32, display colours 0 to 1."""

    points: F64
    faces: NDArray[np.int64]
    rgb: NDArray[np.float32]

    @staticmethod
    def of(points: ArrayLike, faces: ArrayLike, rgb: ArrayLike) -> Solid:
        """From array-likes; one colour, or one for each face."""
        corners = np.asarray(faces, np.int64).reshape(-1, 3)
        colours = np.broadcast_to(np.asarray(rgb, np.float32), (len(corners), 3))
        return Solid(np.asarray(points, np.float64).reshape(-1, 3), corners, colours)

    def placed(self, rotation: ArrayLike | None = None, offset: ArrayLike = (0, 0, 0), scale: ArrayLike = 1.0) -> Solid:
        """Scaled (uniformly or along each axis), then rotated by a matrix (3, 3), then moved."""
        points = self.points * np.asarray(scale, np.float64)
        turned = points if rotation is None else points @ np.asarray(rotation, np.float64).T
        return Solid(turned + np.asarray(offset, np.float64), self.faces, self.rgb)


def together(solids: Sequence[Solid]) -> Solid:
    """One solid of many."""
    starts = np.cumsum([0] + [len(solid.points) for solid in solids[:-1]])
    return Solid(
        np.concatenate([solid.points for solid in solids]),
        np.concatenate([solid.faces + start for solid, start in zip(solids, starts, strict=True)]),
        np.concatenate([solid.rgb for solid in solids]),
    )


_CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
_BOX = np.array(
    ((0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3))
)


def box(size: ArrayLike, rgb: Rgb, centre: ArrayLike = (0, 0, 0)) -> Solid:
    """A box with edges along the axes. size: (3,)."""
    return Solid.of(_CORNERS * np.asarray(size, np.float64) + np.asarray(centre, np.float64), _BOX, rgb)


@lru_cache(maxsize=64)
def _turned(profile: tuple[tuple[float, float], ...], sides: int) -> tuple[F64, NDArray[np.int64]]:
    angles = np.arange(sides) * (2 * math.pi / sides)
    rings = [[(r * math.cos(a), r * math.sin(a), z) for a in angles.tolist()] for r, z in profile]
    points = np.array([*(point for ring in rings for point in ring), (0.0, 0.0, profile[0][1]), (0.0, 0.0, profile[-1][1])])
    after = (np.arange(sides) + 1) % sides
    here = np.arange(sides)
    faces = []
    for level in range(len(profile) - 1):
        low, high = level * sides, (level + 1) * sides
        faces += [np.stack([low + here, low + after, high + after], 1), np.stack([low + here, high + after, high + here], 1)]
    bottom, top, last = len(profile) * sides, len(profile) * sides + 1, (len(profile) - 1) * sides
    faces += [np.stack([np.full(sides, bottom), after, here], 1), np.stack([np.full(sides, top), last + here, last + after], 1)]
    return points, np.concatenate(faces)


def lathe(profile: Sequence[tuple[float, float]], rgb: Rgb, centre: ArrayLike = (0, 0, 0), sides: int = 24) -> Solid:
    """Turned about z from (radius, height) pairs, heights rising; closed at both ends."""
    points, faces = _turned(tuple(profile), sides)
    return Solid.of(points + np.asarray(centre, np.float64), faces, rgb)


def cylinder(radius: float, length: float, rgb: Rgb, centre: ArrayLike = (0, 0, 0), sides: int = 24) -> Solid:
    """Along z, around its centre."""
    return lathe(((radius, -length / 2), (radius, length / 2)), rgb, centre, sides)


def cone(radius: float, length: float, rgb: Rgb, centre: ArrayLike = (0, 0, 0), sides: int = 24) -> Solid:
    """Along z, its point up, around the middle of its height."""
    return lathe(((radius, -length / 2), (radius * 1e-3, length / 2)), rgb, centre, sides)


def ball(radius: float, rgb: Rgb, centre: ArrayLike = (0, 0, 0), sides: int = 20) -> Solid:
    """A sphere of facets."""
    steps = [-math.pi / 2 + (k + 0.25) * math.pi / (sides // 2 - 0.5) for k in range(sides // 2)]
    return lathe([(radius * math.cos(a), radius * math.sin(a)) for a in steps], rgb, centre, sides)


def ring(radius: float, thickness: float, rgb: Rgb, sides: int = 20) -> Solid:
    """A torus about z. radius: to the middle of the tube, whose radius is `thickness`."""
    around, tube = np.arange(sides) * (2 * math.pi / sides), np.arange(8) * (math.pi / 4)
    u, v = (grid.ravel() for grid in np.meshgrid(around, tube, indexing="ij"))
    reach = radius + thickness * np.cos(v)
    points = np.stack([reach * np.cos(u), reach * np.sin(u), thickness * np.sin(v)], 1)
    i, j = (grid.ravel() for grid in np.meshgrid(np.arange(sides), np.arange(8), indexing="ij"))
    a, b, c, d = i * 8 + j, (i + 1) % sides * 8 + j, (i + 1) % sides * 8 + (j + 1) % 8, i * 8 + (j + 1) % 8
    return Solid.of(points, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]), rgb)


def rod(start: ArrayLike, end: ArrayLike, radius: float, rgb: Rgb, sides: int = 16, end_radius: float | None = None) -> Solid:
    """A straight rod from a point to another, perhaps tapering."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    length = float(np.linalg.norm(b - a))
    last = radius if end_radius is None else end_radius
    return lathe(((radius, 0.0), (last, length)), rgb, sides=sides).placed(frame_along((b - a) / length), a)


def frame_along(direction: ArrayLike) -> F64:
    """A rotation matrix (3, 3) that turns z into a direction."""
    z = np.asarray(direction, np.float64)
    z = z / np.linalg.norm(z)
    helper = np.array((1.0, 0.0, 0.0)) if abs(z[0]) < 0.9 else np.array((0.0, 1.0, 0.0))
    x = np.cross(helper, z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], 1)
