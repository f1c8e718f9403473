"""Compiled loop of `paths`: how fast hands and joints go from frame to frame."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels
from humans import _rig_kernels as rig

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

KERNELS = Kernels(globals(), needs=(rig.KERNELS,))


@KERNELS.add
def largest_steps(rest: F64, parents: I64, pose: F64, translation: F64, wrists: I64, out: F64) -> None:
    """How far any wrist (metres) and any joint (radians) goes at most from one frame to the next: out (2,).

    pose (n, 52, 3), translation (n, 3), wrists: joints, whose highest number is the last joint placed.
    """
    count = pose.shape[1]
    local, before, turn, angle = np.empty((count, 3, 3)), np.empty((count, 3, 3)), np.empty((count, 3, 3)), np.empty((count, 3))
    T, at = np.empty((wrists.max() + 1, 4, 4)), np.empty((len(wrists), 3))
    out[:] = 0.0
    for n in range(pose.shape[0]):
        rig.matrices(pose[n], local)
        rig.transforms(rest, parents, local, translation[n], T)
        for k in range(len(wrists)):
            x, y, z = T[wrists[k], 0, 3], T[wrists[k], 1, 3], T[wrists[k], 2, 3]
            if n > 0:
                out[0] = max(out[0], sqrt((x - at[k, 0]) ** 2 + (y - at[k, 1]) ** 2 + (z - at[k, 2]) ** 2))
            at[k, 0], at[k, 1], at[k, 2] = x, y, z
        if n > 0:
            for j in range(count):
                rig.mul_at(before[j], local[j], turn[j])
            rig.rotvecs(turn, angle)
            for j in range(count):
                out[1] = max(out[1], sqrt(angle[j, 0] ** 2 + angle[j, 1] ** 2 + angle[j, 2] ** 2))
        before[:] = local
