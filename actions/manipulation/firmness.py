"""Whether a closed hand holds a thing, by all of its skin against the thing's distance grid (seed B.2.2, hand adaptation)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.sections import HoldClass
from assistcore.house.state import Hand
from humans.hands import hand_skin, least_by_part
from humans.model import FINGERS, BodyModel

F64 = NDArray[np.float64]
Distance = Callable[[F64], F64]

BAND_M, DEEPEST_M = 0.005, 0.003
"""A millimetre inside of the 6 mm and 4 mm of the seed: the grid is not the thing."""
PRESSED_M = 0.0015
FACING = -0.65
"""Skin that is hardly farther than the nearest of its digit takes part in a touch; two touches oppose each other where the surface's
normals differ by 130 degrees or more."""
_STEP_M = 0.002
_THUMB, _PALM = FINGERS.index("thumb"), 5


@dataclass(frozen=True)
class Firmness:
    """Digits that touch, whether enough of them oppose each other, how deep the deepest skin is, and a score (greater is better)."""

    digits: tuple[str, ...]
    opposed: bool
    deepest_m: float
    firm: bool
    score: float


def firmness(body: BodyModel, side: Hand, T_wrist: F64, pose_rad: F64, distance: Distance, kind: HoldClass) -> Firmness:
    """Judge finger rotations (45,) at a wrist frame (4, 4) for a class of hold; a hand of a two-hand hold is judged as a pinch."""
    points, part = hand_skin(body, side, T_wrist, pose_rad)
    gaps = distance(points)
    least = least_by_part(gaps, part)
    deepest = -float(min(0.0, least.min()))
    touching = (least <= BAND_M) & (least >= -DEEPEST_M)
    pressed = np.flatnonzero((gaps <= np.minimum(BAND_M, least + PRESSED_M)[part]) & touching[part])
    normals = _normals(points[pressed], distance)
    facing = normals @ normals.T <= FACING
    member = part[pressed] == np.arange(6)[:, None]
    against = member @ facing @ member.T
    digits = tuple(name for name, ok in zip(FINGERS, touching[:5], strict=True) if ok)
    opposite = [k for k in range(5) if k != _THUMB and touching[k] and touching[_THUMB] and against[_THUMB, k]]
    if kind == "wrap":
        opposed = bool(np.tril(against, -1).any())
        enough = len(digits) >= 4
    else:
        opposed = len(opposite) >= 2
        enough = opposed
    score = len(digits) + 2.0 * opposed + 0.5 * len(opposite) - 400.0 * max(0.0, deepest - DEEPEST_M)
    return Firmness(digits, opposed, deepest, enough and opposed and deepest <= DEEPEST_M, score)


def _normals(points: F64, distance: Distance) -> F64:
    """Unit gradients (n, 3) of the distance at points (n, 3)."""
    if not len(points):
        return np.zeros((0, 3))
    steps = _STEP_M * np.concatenate([np.eye(3), -np.eye(3)])
    values = distance((points[:, None] + steps[None]).reshape(-1, 3)).reshape(-1, 6)
    slope = values[:, :3] - values[:, 3:]
    return np.asarray(slope / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-12))
