"""Pictures of triangles without a graphics library: spans of all triangles at once in numpy, a depth buffer, flat shading.

The same input gives the same bytes wherever numpy does. View frame: x right, y up, z towards the eye. Lengths are metres or what the
mesh is in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assistworld.engines.puzzle.games._solids import Solid
from assistworld.engines.puzzle.puzzle import Picture

F64: TypeAlias = NDArray[np.float64]
I64: TypeAlias = NDArray[np.int64]

FINE = 2
"""Samples of a pixel along each axis."""
_FACE_BITS = 22
_FACE_MASK = (1 << _FACE_BITS) - 1
_DEPTH_STEPS = float(1 << 40)


@dataclass(frozen=True, eq=False)
class Lens:
    """A pinhole camera. eye: (3,), world. R_world_view: (3, 3), columns are right, up and backwards. Nothing nearer than `near` is drawn.

    light: (3,), direction to the light, view frame; dark: brightness of a face that is turned away from it.
    """

    eye: F64
    R_world_view: F64
    hfov_rad: float
    height: int
    width: int
    near: float = 0.05
    light: tuple[float, float, float] = (-0.36, 0.62, 0.70)
    dark: float = 0.36

    @staticmethod
    def look_at(eye: ArrayLike, target: ArrayLike, *, hfov_rad: float, height: int, width: int, up: ArrayLike = (0, 0, 1)) -> Lens:
        """From a point towards another; `up` must not be parallel to the view."""
        at = np.asarray(eye, np.float64)
        back = at - np.asarray(target, np.float64)
        back /= np.linalg.norm(back)
        right = np.cross(np.asarray(up, np.float64), back)
        right /= np.linalg.norm(right)
        return Lens(at, np.stack([right, np.cross(back, right), back], 1), hfov_rad, height, width)

    @property
    def focal_samples(self) -> float:
        """Focal length in samples."""
        return FINE * self.width / 2 / math.tan(self.hfov_rad / 2)

    def seen(self, points: F64) -> F64:
        """World points (n, 3) in the view frame."""
        return (points - self.eye) @ self.R_world_view

    def project(self, points: ArrayLike) -> F64:
        """Pixels (n, 2), as x to the right and y down, of world points (n, 3)."""
        view = self.seen(np.atleast_2d(np.asarray(points, np.float64)))
        samples = view[:, :2] / -view[:, 2:] * (self.focal_samples / FINE)
        return np.asarray(samples * (1, -1) + (self.width / 2, self.height / 2), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Plate:
    """A picture in the making. rgb: (FINE h, FINE w, 3) uint8. keys: (FINE h * FINE w,) nearness of what is there, 0 where nothing is.

    picture: (h, w, 3) uint8, the samples averaged. Plates are not changed: `exposed` makes another one.
    """

    rgb: Picture
    keys: I64
    picture: Picture

    @staticmethod
    def blank(lens: Lens, top: tuple[int, int, int], bottom: tuple[int, int, int]) -> Plate:
        """Nothing but a backdrop that goes from one colour to another."""
        share = np.linspace(0, 1, FINE * lens.height)[:, None, None]
        column = (np.array(top) * (1 - share) + np.array(bottom) * share).round().astype(np.uint8)
        rgb = np.repeat(column, FINE * lens.width, 1)
        return Plate(rgb, np.zeros(rgb.shape[0] * rgb.shape[1], np.int64), _averaged(rgb))


def exposed(plate: Plate, lens: Lens, solid: Solid) -> Plate:
    """The plate with a solid in front of or behind what it shows; its faces are flat, and dark where they turn from the light."""
    view = lens.seen(solid.points)
    shown = _toward_eye(view, solid.faces) & (view[solid.faces, 2].max(1) < -lens.near)
    faces = solid.faces[shown]
    if not len(faces):
        return plate
    height, width = plate.rgb.shape[:2]
    at, face, nearness = _fragments(view, faces, lens, height, width)
    keys = plate.keys.copy()
    np.maximum.at(keys, at, ((nearness * (lens.near * _DEPTH_STEPS)).astype(np.int64) << _FACE_BITS) | (face + 1))
    won = (keys[at] & _FACE_MASK) == face + 1
    at, face = at[won], face[won]
    rgb = plate.rgb.copy()
    rgb.reshape(-1, 3)[at] = _lit(view, faces, solid.rgb[shown], lens)[face]
    keys[at] &= ~_FACE_MASK
    return Plate(rgb, keys, _redone(plate.picture, rgb, at))


def _toward_eye(view: F64, faces: I64) -> NDArray[np.bool_]:
    """Faces that are seen from their front, anticlockwise."""
    a, b, c = (view[faces[:, k]] for k in range(3))
    return np.asarray(np.einsum("ij,ij->i", np.cross(b - a, c - a), a) < 0)


def _lit(view: F64, faces: I64, rgb: NDArray[np.float32], lens: Lens) -> Picture:
    a, b, c = (view[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
    light = np.array(lens.light) / np.linalg.norm(lens.light)
    bright = lens.dark + (1 - lens.dark) * np.clip(normal @ light, 0, 1)
    return np.asarray((rgb * bright[:, None] * 255).clip(0, 255).round(), dtype=np.uint8)


def _fragments(view: F64, faces: I64, lens: Lens, height: int, width: int) -> tuple[I64, I64, F64]:
    """Every sample that a face covers: index into the plate, index of the face, and 1 / depth, which is linear in the picture."""
    nearness = -1 / view[:, 2]
    x = width / 2 + view[:, 0] * nearness * lens.focal_samples
    y = height / 2 - view[:, 1] * nearness * lens.focal_samples
    fx, fy = x[faces], y[faces]
    first, end = _within(fy.min(1), height), _within(fy.max(1), height)
    count = end - first
    face = np.repeat(np.arange(len(faces)), count)
    row = np.arange(len(face)) + np.repeat(first - np.cumsum(count) + count, count)
    left, right = _span(fx[face], fy[face], row + 0.5)
    begin = _within(left, width)
    count = np.maximum(_within(right, width) - begin, 0)
    start = np.cumsum(count) - count
    per_x, per_y, at_zero = (part[face] for part in _plane(fx, fy, nearness[faces]))
    number = np.arange(int(count.sum()))
    at = np.repeat(row * width + begin - start, count) + number
    near_at_start = at_zero + per_x * (begin - start + 0.5) + per_y * (row + 0.5)
    return at, np.repeat(face, count), np.repeat(near_at_start, count) + np.repeat(per_x, count) * number


def _within(edge: F64, size: int) -> I64:
    """The first sample centre at or after an edge, kept on the plate."""
    return np.clip(np.ceil(edge - 0.5), 0, size).astype(np.int64)


def _span(fx: F64, fy: F64, at_y: F64) -> tuple[F64, F64]:
    """Where a row at `at_y` enters and leaves triangles with corners (n, 3)."""
    left, right = np.full(len(at_y), np.inf), np.full(len(at_y), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        ya, yb = fy[:, a], fy[:, b]
        crosses = (ya <= at_y) != (yb <= at_y)
        share = (at_y - ya) / np.where(crosses, yb - ya, 1)
        x = fx[:, a] + share * (fx[:, b] - fx[:, a])
        left = np.where(crosses, np.minimum(left, x), left)
        right = np.where(crosses, np.maximum(right, x), right)
    empty = left > right
    return np.where(empty, 0, left), np.where(empty, 0, right)


def _plane(fx: F64, fy: F64, value: F64) -> tuple[F64, F64, F64]:
    """Slopes along x and y, and the value at (0, 0), of the plane through three corners each."""
    dx, dy, dv = (np.diff(corner, axis=1) for corner in (fx, fy, value))
    area = dx[:, 0] * dy[:, 1] - dx[:, 1] * dy[:, 0]
    safe = np.where(np.abs(area) < 1e-12, np.inf, area)
    per_x = (dv[:, 0] * dy[:, 1] - dv[:, 1] * dy[:, 0]) / safe
    per_y = (dx[:, 0] * dv[:, 1] - dx[:, 1] * dv[:, 0]) / safe
    return per_x, per_y, value[:, 0] - per_x * fx[:, 0] - per_y * fy[:, 0]


def _averaged(rgb: Picture) -> Picture:
    height, width = rgb.shape[0] // FINE, rgb.shape[1] // FINE
    total = np.zeros((height, width, 3), np.uint16)
    for row in range(FINE):
        for column in range(FINE):
            total += rgb[row::FINE, column::FINE]
    return np.asarray((total + FINE * FINE // 2) // (FINE * FINE), dtype=np.uint8)


def _redone(picture: Picture, rgb: Picture, at: I64) -> Picture:
    """The averaged picture, made anew where samples have changed."""
    again = picture.copy()
    if len(at):
        rows, columns = at // rgb.shape[1] // FINE, at % rgb.shape[1] // FINE
        top, bottom, left, right = int(rows.min()), int(rows.max()) + 1, int(columns.min()), int(columns.max()) + 1
        again[top:bottom, left:right] = _averaged(rgb[FINE * top : FINE * bottom, FINE * left : FINE * right])
    return again
