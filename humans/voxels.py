"""A signed distance on a grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from humans import _hand_kernels as kernels
from humans.rotations import F64


@dataclass(frozen=True, eq=False)
class Voxels:
    """Signed distance in metres, negative inside: grid (nx, ny, nz) at origin_m (3,) + voxel_m * index, outside_m off the grid."""

    grid: F64
    origin_m: F64
    voxel_m: float
    outside_m: float

    def __call__(self, points_m: F64) -> F64:
        """Distance (n,) of points (n, 3), trilinear."""
        kernels.KERNELS.ready()
        points = np.ascontiguousarray(points_m, np.float64)
        out = np.empty(len(points))
        kernels.trilinear(self.grid, self.origin_m, self.voxel_m, self.outside_m, points, out)
        return out
