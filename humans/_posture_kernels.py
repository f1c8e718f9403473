"""Many postures in one compiled loop (see `_rig_kernels.posture`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels
from humans import _rig_kernels as rig

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

KERNELS = Kernels(globals(), needs=(rig.KERNELS,))


@KERNELS.add
def _same(a: F64, b: F64) -> bool:
    """Whether two arrays (n,) hold the same numbers."""
    for i in range(a.shape[0]):
        if a[i] != b[i]:
            return False
    return True


@KERNELS.add
def postures(
    p: F64, rest: F64, fingers: F64, rows: I64, heights: F64, arm_angles: F64, spine: I64, shares: F64, pose: F64, pelvis: F64
) -> None:
    """Poses (n, 52, 3) and pelvis places (n, 3) of postures p (n, 13), on the floor; the rest as in `_rig_kernels.posture`."""
    local = np.empty((pose.shape[1], 3, 3))
    for n in range(p.shape[0]):
        if n > 0 and _same(p[n], p[n - 1]):
            pose[n] = pose[n - 1]
            pelvis[n] = pelvis[n - 1]
            continue
        rig.posture(p[n], rest, fingers, rows, heights, arm_angles, spine, shares, 0.0, local, pelvis[n])
        rig.rotvecs(local, pose[n])
