"""Compiled loops of `reach`: hands brought into the trunk's frame with the collars they need, and the easiest of several swivels."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from actions.manipulation import ik_kernels as ik
from assistcore.house.compiled import Kernels
from humans import _rig_kernels as rig

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

KERNELS = Kernels(globals(), needs=(ik.KERNELS,))


@KERNELS.add
def _distance(bones: F64, collar: F64, target: F64) -> float:
    """From the shoulder of a collar (3, 3) to a target (3,), trunk frame."""
    total = 0.0
    for i in range(3):
        at = bones[0, i] + collar[i, 0] * bones[1, 0] + collar[i, 1] * bones[1, 1] + collar[i, 2] * bones[1, 2]
        total += (target[i] - at) ** 2
    return sqrt(total)


@KERNELS.add
def in_trunk(
    bones: F64, span: F64, most: float, comfort: float, girdle: float, limit: int, rest: F64, trunk: F64, local: F64, target: F64,
    turn: F64, collar: F64, residual: F64,
) -> None:  # fmt: skip
    """Hand frames (n, 4, 4) as places target (n, 3) and rotations turn (n, 3, 3) in the frame of a trunk (4, 4), with collars (n, 3, 3).

    A collar stays at `rest` (3, 3) unless the hand is farther than the share `comfort` of the stretched arm and nearer than `girdle`
    metres beyond it; then it descends (`ik_kernels.descend`). residual (n,): metres that are out of reach.
    """
    left, steps = np.empty(1), np.zeros(1, np.int64)
    for n in range(local.shape[0]):
        for i in range(3):
            target[n, i] = 0.0
            for k in range(3):
                target[n, i] += trunk[k, i] * (local[n, k, 3] - trunk[k, 3])
            for j in range(3):
                turn[n, i, j] = trunk[0, i] * local[n, 0, j] + trunk[1, i] * local[n, 1, j] + trunk[2, i] * local[n, 2, j]
        collar[n] = rest
        distance = _distance(bones, collar[n], target[n])
        if comfort * span[1] < distance < span[1] + girdle:
            ik.descend(bones, span, most, comfort, limit, target[n : n + 1], collar[n : n + 1], left, steps)
            distance = _distance(bones, collar[n], target[n])
        residual[n] = max(max(distance - span[1], span[0] - distance), 0.0)


@KERNELS.add
def easiest(bones: F64, strain: F64, effort: F64, local: F64, best: I64, elbow: F64) -> None:
    """Of k arms for each hand, strain and effort (n, k), local (n, k, 4, 3, 3): the least strained (to 0.001 rad), then the one with the
    least effort: best (n,); and its elbow (n, 3), trunk frame."""
    turn = np.empty((3, 3))
    for n in range(strain.shape[0]):
        pick, least = 0, np.rint(strain[n, 0] * 1000.0)
        for k in range(1, strain.shape[1]):
            rounded = np.rint(strain[n, k] * 1000.0)
            if rounded < least or (rounded == least and effort[n, k] < effort[n, pick]):
                pick, least = k, rounded
        best[n] = pick
        collar = local[n, pick, 0]
        rig.mul(collar, local[n, pick, 1], turn)
        for i in range(3):
            elbow[n, i] = bones[0, i]
            for k in range(3):
                elbow[n, i] += collar[i, k] * bones[1, k] + turn[i, k] * bones[2, k]
