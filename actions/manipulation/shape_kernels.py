"""Compiled loop of `Shape.distance`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels

F64 = NDArray[np.float64]

KERNELS = Kernels(globals())


@KERNELS.add
def trilinear(grid: F64, origin: F64, voxel: float, outside: float, points: F64, out: F64) -> None:
    """Values of a grid (nx, ny, nz) at points (n, 3), whose index is (point - origin) / voxel; `outside` where that is off the grid."""
    at = np.empty(3)
    cell = np.empty(3, np.int64)
    for n in range(len(points)):
        inside = True
        for c in range(3):
            top = grid.shape[c] - 1
            at[c] = (points[n, c] - origin[c]) / voxel
            inside = inside and 0.0 <= at[c] <= top
            at[c] = min(max(at[c], 0.0), top - 1e-9)
            cell[c] = int(at[c])
        if not inside:
            out[n] = outside
            continue
        i, j, k = cell[0], cell[1], cell[2]
        x, y, z = at[0] - i, at[1] - j, at[2] - k
        total = 0.0
        for dx in range(2):
            for dy in range(2):
                for dz in range(2):
                    total += abs(1 - dx - x) * abs(1 - dy - y) * abs(1 - dz - z) * grid[i + dx, j + dy, k + dz]
        out[n] = total
