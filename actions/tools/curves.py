"""Target-relative curves of a tool's tip (seed B.2.2): vertical strokes, a circle, a raster, a turn about a rim. World frames throughout.

A curve is a list of *legs*, each shape (k, 4, 4): the tip rests at the ends of a leg and runs through its samples without stopping. The
last sample of a leg is the first of the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]
Legs = list[F64]


def attitude(yaw_rad: float, pitch_rad: float = 0.0, roll_rad: float = 0.0) -> F64:
    """A tip's rotation (3, 3): turned about the vertical, then its x dipped by `pitch_rad`, then tilted about its x."""
    c, s = np.cos(yaw_rad), np.sin(yaw_rad)
    Rz = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    c, s = np.cos(pitch_rad), np.sin(pitch_rad)
    Ry = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    c, s = np.cos(roll_rad), np.sin(roll_rad)
    Rx = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    out: F64 = Rz @ Ry @ Rx
    return out


def frames(R: F64, points_m: F64) -> F64:
    """Frames (n, 4, 4) of one rotation (3, 3) at points (n, 3)."""
    T = np.tile(np.eye(4), (len(points_m), 1, 1))
    T[:, :3, :3] = R
    T[:, :3, 3] = points_m
    return T


def straight(R: F64, a_m: F64, b_m: F64, step_m: float = 0.03) -> F64:
    """A leg from a to b (3,) with samples at most `step_m` apart."""
    n = max(2, int(np.ceil(float(np.linalg.norm(b_m - a_m)) / step_m)) + 1)
    t = np.linspace(0.0, 1.0, n)[:, None]
    return frames(R, a_m * (1.0 - t) + b_m * t)


def strokes(R: F64, contact_m: F64, lift_m: float, offsets_m: Sequence[F64]) -> Legs:
    """Repeated vertical strokes: down to the contact point shifted by each offset (3,), and up again by `lift_m`."""
    legs: Legs = []
    up = np.array([0.0, 0.0, lift_m])
    over: F64 | None = None
    for offset in offsets_m:
        low = contact_m + offset
        if over is not None and float(np.linalg.norm(low + up - over)) > 1e-6:
            legs.append(straight(R, over, low + up))
        legs += [straight(R, low + up, low), straight(R, low, low + up)]
        over = low + up
    return legs


def circle(R: F64, centre_m: F64, radius_m: float, turns: int, start_rad: float = 0.0, samples: int = 16) -> F64:
    """One leg of full horizontal turns about a point, starting at an angle."""
    a = start_rad + np.linspace(0.0, 2.0 * np.pi * turns, samples * turns + 1)
    ring = np.stack([radius_m * np.cos(a), radius_m * np.sin(a), np.zeros_like(a)], axis=1)
    return frames(R, centre_m + ring)


def raster(R: F64, corners_m: Sequence[F64], lanes: int, step_m: float = 0.05) -> Legs:
    """A sweep in `lanes` lines over a parallelogram given by three corners: the first lane runs from 0 to 1, lanes lie from 0 to 2."""
    a, b, c = corners_m
    legs: Legs = []
    last: F64 | None = None
    for k in range(lanes):
        shift = (c - a) * (k / max(1, lanes - 1))
        ends = (a + shift, b + shift) if k % 2 == 0 else (b + shift, a + shift)
        if last is not None:
            legs.append(straight(R, last, ends[0], step_m))
        legs.append(straight(R, *ends, step_m))
        last = ends[1]
    return legs
