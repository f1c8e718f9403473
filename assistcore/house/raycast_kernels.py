"""Compiled loops of `raycast`: rays with a common origin against triangles, nearest hit kept. No fast-math, fixed order."""

from __future__ import annotations

from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

KERNELS = Kernels(globals())


@KERNELS.add
def _bounds(a: F64, b: F64, c: F64, near: float) -> tuple[float, float, float, float]:
    """Least and greatest slope in x and in y of the part of a triangle that is beyond the near plane (a little widened)."""
    if a[2] < -near and b[2] < -near and c[2] < -near:
        ax, bx, cx = a[0] / -a[2], b[0] / -b[2], c[0] / -c[2]
        ay, by, cy = a[1] / -a[2], b[1] / -b[2], c[1] / -c[2]
        return min(ax, bx, cx), max(ax, bx, cx), min(ay, by, cy), max(ay, by, cy)
    plane = 0.999 * near
    low_x, high_x, low_y, high_y = np.inf, -np.inf, np.inf, -np.inf
    for p, q in ((a, b), (b, c), (c, a)):
        if p[2] <= -plane:
            x, y = p[0] / -p[2], p[1] / -p[2]
            low_x, high_x, low_y, high_y = min(low_x, x), max(high_x, x), min(low_y, y), max(high_y, y)
        if (p[2] <= -plane) != (q[2] <= -plane):
            t = (-plane - p[2]) / (q[2] - p[2])
            x, y = (p[0] + t * (q[0] - p[0])) / plane, (p[1] + t * (q[1] - p[1])) / plane
            low_x, high_x, low_y, high_y = min(low_x, x), max(high_x, x), min(low_y, y), max(high_y, y)
    return low_x, high_x, low_y, high_y


@KERNELS.add
def _cast_triangle(a: F64, b: F64, c: F64, mine: int, xs: F64, ys: F64, near: float, owner: I32, depth: F64) -> None:
    """One triangle, corners in the camera frame (x right, y up, z backward), against the rays (x, y, -1) of its bounds."""
    if a[2] > -near and b[2] > -near and c[2] > -near:
        return
    width, height = len(xs), len(ys)
    step_x, step_y = (xs[-1] - xs[0]) / max(1, width - 1), (ys[-1] - ys[0]) / max(1, height - 1)
    first_x, last_x, first_y, last_y = 0, width - 1, 0, height - 1
    low_x, high_x, low_y, high_y = _bounds(a, b, c, near)
    if high_x < xs[0] or low_x > xs[-1] or high_y < ys[-1] or low_y > ys[0]:
        return
    if step_x > 0.0:
        first_x = max(0, ceil((max(low_x, xs[0]) - xs[0]) / step_x - 1e-6))
        last_x = min(width - 1, floor((min(high_x, xs[-1]) - xs[0]) / step_x + 1e-6))
    if step_y < 0.0:
        first_y = max(0, ceil((min(high_y, ys[0]) - ys[0]) / step_y - 1e-6))
        last_y = min(height - 1, floor((max(low_y, ys[-1]) - ys[0]) / step_y + 1e-6))
    if first_x > last_x or first_y > last_y:
        return
    px, py, pz = b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]
    qx, qy, qz = c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2], c[0] * a[1] - c[1] * a[0]
    rx, ry, rz = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    det = a[0] * px + a[1] * py + a[2] * pz
    if det == 0.0:
        return
    sign = 1.0 if det > 0.0 else -1.0
    for j in range(first_y, last_y + 1):
        y = ys[j]
        for i in range(first_x, last_x + 1):
            x = xs[i]
            u = sign * (px * x + py * y - pz)
            v = sign * (qx * x + qy * y - qz)
            w = sign * (rx * x + ry * y - rz)
            if u < 0.0 or v < 0.0 or w < 0.0:
                continue
            total = u + v + w
            if total <= 0.0:
                continue
            t = sign * det / total
            if near < t < depth[j, i]:
                depth[j, i] = t
                owner[j, i] = mine


@KERNELS.add
def cast_mesh(
    vertices: F64, faces: I32, first: int, last: int, base: int, mine: int, xs: F64, ys: F64, near: float, owner: I32, depth: F64
) -> None:
    """Faces first..last of a mesh whose vertices are in the camera frame, numbered from `base`."""
    for f in range(first, last):
        _cast_triangle(
            vertices[faces[f, 0] - base], vertices[faces[f, 1] - base], vertices[faces[f, 2] - base], mine, xs, ys, near, owner, depth
        )


@KERNELS.add
def _outside(centre: F64, radius: float, xs: F64, ys: F64, near: float) -> bool:
    """Whether a sphere, camera frame, misses the pyramid of the rays."""
    if -centre[2] + radius < near:
        return True
    for slope, side in ((xs[0], -1.0), (xs[-1], 1.0)):
        if side * (centre[0] + centre[2] * slope) > radius * np.sqrt(1.0 + slope * slope):
            return True
    for slope, side in ((ys[-1], -1.0), (ys[0], 1.0)):
        if side * (centre[1] + centre[2] * slope) > radius * np.sqrt(1.0 + slope * slope):
            return True
    return False


@KERNELS.add
def _hidden(centre: F64, radius: float, xs: F64, ys: F64, near: float, depth: F64) -> bool:
    """Whether every ray that can meet a sphere, camera frame, has met something nearer than all of it."""
    nearest, farthest = -centre[2] - radius, -centre[2] + radius
    width, height = len(xs), len(ys)
    if nearest <= near or width < 2 or height < 2:
        return False
    step_x, step_y = (xs[-1] - xs[0]) / (width - 1), (ys[-1] - ys[0]) / (height - 1)
    if not (step_x > 0.0 and step_y < 0.0):
        return False
    low, high = centre[0] - radius, centre[0] + radius
    first_x = max(0, ceil((min(low / nearest, low / farthest) - xs[0]) / step_x) - 1)
    last_x = min(width - 1, floor((max(high / nearest, high / farthest) - xs[0]) / step_x) + 1)
    low, high = centre[1] - radius, centre[1] + radius
    first_y = max(0, ceil((max(high / nearest, high / farthest) - ys[0]) / step_y) - 1)
    last_y = min(height - 1, floor((min(low / nearest, low / farthest) - ys[0]) / step_y) + 1)
    for j in range(first_y, last_y + 1):
        for i in range(first_x, last_x + 1):
            if depth[j, i] > nearest - 1e-9:
                return False
    return True


@KERNELS.add
def cast_parts(
    vertices: F32, faces: I32, vertex_start: I64, face_start: I64, spheres: F64, link: I64, owners: I32, parts: I64, T: F64, xs: F64,
    ys: F64, near: float, owner: I32, depth: F64,
) -> None:  # fmt: skip
    """Parts in order; T (links, 4, 4) takes link frames into the camera frame. Face indices count from the part's first vertex."""
    centre = np.empty(3)
    for n in range(len(parts)):
        p = parts[n]
        M = T[link[p]]
        for r in range(3):
            centre[r] = M[r, 0] * spheres[p, 0] + M[r, 1] * spheres[p, 1] + M[r, 2] * spheres[p, 2] + M[r, 3]
        if _outside(centre, spheres[p, 3], xs, ys, near) or _hidden(centre, spheres[p, 3], xs, ys, near, depth):
            continue
        first, last = vertex_start[p], vertex_start[p + 1]
        local = np.empty((last - first, 3))
        for i in range(first, last):
            x, y, z = vertices[i, 0], vertices[i, 1], vertices[i, 2]
            for r in range(3):
                local[i - first, r] = M[r, 0] * x + M[r, 1] * y + M[r, 2] * z + M[r, 3]
        cast_mesh(local, faces, face_start[p], face_start[p + 1], 0, owners[p], xs, ys, near, owner, depth)


@KERNELS.add
def tally(ids: I32, depth: F64, xs: F64, ys: F64, rays: I64, sums: F64) -> None:
    """Adds up, for each entity row in ids (h, w), its rays (rows,) and its sums (3, rows): slopes x and y, distances along the rays."""
    for j in range(ids.shape[0]):
        y = ys[j]
        for i in range(ids.shape[1]):
            row = ids[j, i]
            if row < 0:
                continue
            x = xs[i]
            rays[row] += 1
            sums[0, row] += x
            sums[1, row] += y
            if np.isfinite(depth[j, i]):
                sums[2, row] += depth[j, i] * np.sqrt(1.0 + x * x + y * y)
