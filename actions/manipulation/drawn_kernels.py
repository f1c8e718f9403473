"""Compiled loop of `drawn.drawn_distance`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels

F64 = NDArray[np.float64]

KERNELS = Kernels(globals())

_TIE_M = 1e-7


@KERNELS.add
def foot_on(p: F64, a: F64, b: F64, c: F64, out: F64) -> None:
    """The nearest point of a triangle to a point (Ericson, Real-Time Collision Detection, 5.1.5)."""
    ab, ac, ap = b - a, c - a, p - a
    d1, d2 = ab[0] * ap[0] + ab[1] * ap[1] + ab[2] * ap[2], ac[0] * ap[0] + ac[1] * ap[1] + ac[2] * ap[2]
    if d1 <= 0.0 and d2 <= 0.0:
        out[:] = a
        return
    bp = p - b
    d3, d4 = ab[0] * bp[0] + ab[1] * bp[1] + ab[2] * bp[2], ac[0] * bp[0] + ac[1] * bp[1] + ac[2] * bp[2]
    if d3 >= 0.0 and d4 <= d3:
        out[:] = b
        return
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        out[:] = a + ab * (d1 / (d1 - d3))
        return
    cp = p - c
    d5, d6 = ab[0] * cp[0] + ab[1] * cp[1] + ab[2] * cp[2], ac[0] * cp[0] + ac[1] * cp[1] + ac[2] * cp[2]
    if d6 >= 0.0 and d5 <= d6:
        out[:] = c
        return
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        out[:] = a + ac * (d2 / (d2 - d6))
        return
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        out[:] = b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))
        return
    total = 1.0 / (va + vb + vc)
    out[:] = a + ab * (vb * total) + ac * (vc * total)


@KERNELS.add
def splat(surface: F64, origin: F64, voxel: float, near: float, distance: F64, square: F64) -> None:
    """Distances (nx, ny, nz) of grid points from triangles (m, 3, 3), signed by the side of the nearest one; of equally near ones that
    which faces the point most squarely tells (`square`, same shape). Points farther than `near` from all keep their value."""
    foot, p, normal = np.empty(3), np.empty(3), np.empty(3)
    low, high = np.empty(3, np.int64), np.empty(3, np.int64)
    for m in range(len(surface)):
        a, b, c = surface[m, 0], surface[m, 1], surface[m, 2]
        ab, ac = b - a, c - a
        normal[0] = ab[1] * ac[2] - ab[2] * ac[1]
        normal[1] = ab[2] * ac[0] - ab[0] * ac[2]
        normal[2] = ab[0] * ac[1] - ab[1] * ac[0]
        size = np.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2])
        for k in range(3):
            least, most = min(a[k], b[k], c[k]) - near, max(a[k], b[k], c[k]) + near
            low[k] = max(0, int(np.ceil((least - origin[k]) / voxel)))
            high[k] = min(distance.shape[k] - 1, int(np.floor((most - origin[k]) / voxel)))
        for i in range(low[0], high[0] + 1):
            p[0] = origin[0] + voxel * i
            for j in range(low[1], high[1] + 1):
                p[1] = origin[1] + voxel * j
                for k in range(low[2], high[2] + 1):
                    p[2] = origin[2] + voxel * k
                    flat = (normal[0] * (p[0] - a[0]) + normal[1] * (p[1] - a[1]) + normal[2] * (p[2] - a[2])) / size
                    if abs(flat) > near:
                        continue
                    foot_on(p, a, b, c, foot)
                    apart = np.sqrt((p[0] - foot[0]) ** 2 + (p[1] - foot[1]) ** 2 + (p[2] - foot[2]) ** 2)
                    known = abs(distance[i, j, k])
                    if apart > near or apart > known + _TIE_M:
                        continue
                    facing = abs(flat) / max(apart, 1e-12)
                    if apart < known - _TIE_M or facing > square[i, j, k]:
                        distance[i, j, k] = -apart if flat < 0.0 else apart
                        square[i, j, k] = facing


@KERNELS.add
def enclosed(surface: F64, points: F64, out: NDArray[np.bool_]) -> None:
    """Whether points (n, 3) are inside closed surfaces of triangles (m, 3, 3), shape (n,), by the solid angle that these subtend."""
    u, v, w = np.empty(3), np.empty(3), np.empty(3)
    for n in range(len(points)):
        total = 0.0
        for m in range(len(surface)):
            for k in range(3):
                u[k], v[k], w[k] = surface[m, 0, k] - points[n, k], surface[m, 1, k] - points[n, k], surface[m, 2, k] - points[n, k]
            lu = np.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
            lv = np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
            lw = np.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
            top = u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0])
            uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
            vw = v[0] * w[0] + v[1] * w[1] + v[2] * w[2]
            wu = w[0] * u[0] + w[1] * u[1] + w[2] * u[2]
            total += np.arctan2(top, lu * lv * lw + uv * lw + vw * lu + wu * lv)
        out[n] = total > np.pi
