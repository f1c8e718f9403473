"""Clip matrices (4, 4) of the maps that lights and height tiles are rendered with; clip Y is up, nothing is mirrored."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from assistcore.pictures.camera import F64

_LAMP_HALF_ANGLE = math.radians(74.0)
_LAMP_NEAR_M = 0.10
_HEIGHT_CUT_M = 2.15
"""Nothing higher than this above the floor darkens what is below (lamps, curtain rails, ceilings)."""


def unit(vector: Sequence[float] | F64) -> F64:
    """The vector divided by its length; a zero vector becomes +Z."""
    v = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(v))
    return np.asarray(v / length) if length > 0 else np.array([0.0, 0.0, 1.0])


def orthographic(right: F64, up: F64, backward: F64, centre: F64, half: F64) -> F64:
    """Clip matrix of a box: axes in world frame, half sizes along right, up and backward (metres)."""
    M = np.eye(4)
    for row, (axis, size) in enumerate(((right, half[0]), (up, half[1]), (-backward, half[2]))):
        M[row, :3] = axis / size
        M[row, 3] = -float(axis @ centre) / size
    return M


def lamp_clip(position_m: F64, depth_m: float) -> F64:
    """Downward wide perspective of a lamp that reaches depth_m below it."""
    t, n, f = 1.0 / math.tan(_LAMP_HALF_ANGLE), _LAMP_NEAR_M, max(depth_m, 0.3)
    P = np.array([[t, 0, 0, 0], [0, t, 0, 0], [0, 0, (f + n) / (n - f), 2 * f * n / (n - f)], [0, 0, -1, 0]])
    V = np.eye(4)
    V[:3, 3] = -position_m
    return np.asarray(P @ V)


def sun_clip(centre: F64, u: F64, v: F64, sun: F64, reach_m: float) -> F64:
    """Box along the sun's rays that holds everything behind a window with half edges u and v."""
    right = unit(np.cross((0.0, 0.0, 1.0), sun)) if abs(sun[2]) < 0.999 else np.array([1.0, 0.0, 0.0])
    up = np.cross(sun, right)
    half = np.array([abs(float(right @ u)) + abs(float(right @ v)), abs(float(up @ u)) + abs(float(up @ v)), reach_m / 2.0])
    half[:2] += 0.05
    return orthographic(right, up, sun, centre - sun * (reach_m / 2.0 - 0.4), half)


def height_clip(low: F64, high: F64) -> F64:
    """View straight down on a room's box, cut above head height."""
    top = min(float(high[2]) - 0.05, float(low[2]) + _HEIGHT_CUT_M)
    centre = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (top + low[2] - 0.5) / 2])
    half = np.array([(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (top - low[2] + 0.5) / 2])
    return orthographic(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), np.array([0, 0, 1.0]), centre, half)
