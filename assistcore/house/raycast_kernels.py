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
U8 = NDArray[np.uint8]

KERNELS = Kernels(globals())
NARROW = 8
"""Columns from which on a row of a triangle is narrowed to what is inside its edges before it is cast ray by ray."""


@KERNELS.add
def _bounds(v: F64, a: int, b: int, c: int, near: float) -> tuple[float, float, float, float]:
    """Least and greatest slope in x and in y of the part of a triangle that is beyond the near plane (a little widened)."""
    if v[a, 2] < -near and v[b, 2] < -near and v[c, 2] < -near:
        ax, bx, cx = v[a, 0] / -v[a, 2], v[b, 0] / -v[b, 2], v[c, 0] / -v[c, 2]
        ay, by, cy = v[a, 1] / -v[a, 2], v[b, 1] / -v[b, 2], v[c, 1] / -v[c, 2]
        return min(ax, bx, cx), max(ax, bx, cx), min(ay, by, cy), max(ay, by, cy)
    plane = 0.999 * near
    low_x, high_x, low_y, high_y = np.inf, -np.inf, np.inf, -np.inf
    for p, q in ((a, b), (b, c), (c, a)):
        if v[p, 2] <= -plane:
            x, y = v[p, 0] / -v[p, 2], v[p, 1] / -v[p, 2]
            low_x, high_x, low_y, high_y = min(low_x, x), max(high_x, x), min(low_y, y), max(high_y, y)
        if (v[p, 2] <= -plane) != (v[q, 2] <= -plane):
            t = (-plane - v[p, 2]) / (v[q, 2] - v[p, 2])
            x, y = (v[p, 0] + t * (v[q, 0] - v[p, 0])) / plane, (v[p, 1] + t * (v[q, 1] - v[p, 1])) / plane
            low_x, high_x, low_y, high_y = min(low_x, x), max(high_x, x), min(low_y, y), max(high_y, y)
    return low_x, high_x, low_y, high_y


@KERNELS.add
def _side(nx: float, ny: float, nz: float, sign: float, x: float, y: float) -> float:
    """On which side of the plane through the eye and an edge, normal (nx, ny, nz), the ray (x, y, -1) is: not negative inside."""
    return sign * (nx * x + ny * y - nz)


@KERNELS.add
def _most(nx: float, ny: float, nz: float, sign: float, low_x: float, high_x: float, low_y: float, high_y: float) -> float:
    """The greatest `_side` in a box of slopes: rounded, it rises or falls with x and with y, so that one corner has it."""
    x = high_x if sign * nx > 0.0 else low_x
    y = high_y if sign * ny > 0.0 else low_y
    return _side(nx, ny, nz, sign, x, y)


@KERNELS.add
def _narrowed(nx: float, ny: float, nz: float, sign: float, share: float, y: float, xs: F64, first: int, last: int) -> tuple[int, int]:
    """The columns of first..last in row y that are inside one edge: a run at one end, for `_side` rises or falls with x.

    The end of the run is guessed with `share`, 1 / (nx * step between columns), and found from there by the test itself. Empty
    (last < first) where there are none.
    """
    if last < first:
        return first, last
    i = min(last, max(first, first + int((nz - ny * y - nx * xs[first]) * share)))
    inside = _side(nx, ny, nz, sign, xs[i], y) >= 0.0
    if nx == 0.0:
        return (first, last) if inside else (first, first - 1)
    if sign * nx > 0.0:
        if inside:
            while i > first and _side(nx, ny, nz, sign, xs[i - 1], y) >= 0.0:
                i -= 1
            return i, last
        i += 1
        while i <= last and _side(nx, ny, nz, sign, xs[i], y) < 0.0:
            i += 1
        return i, last
    if inside:
        while i < last and _side(nx, ny, nz, sign, xs[i + 1], y) >= 0.0:
            i += 1
        return first, i
    i -= 1
    while i >= first and _side(nx, ny, nz, sign, xs[i], y) < 0.0:
        i -= 1
    return first, i


@KERNELS.add
def _share(nx: float, step: float) -> float:
    """1 / (nx * step), or 0 where that is too great to guess with."""
    if abs(nx * step) < 1e-12:
        return 0.0
    return 1.0 / (nx * step)


@KERNELS.add
def _cast_triangle(v: F64, a: int, b: int, c: int, mine: int, xs: F64, ys: F64, near: float, owner: I32, depth: F64) -> None:
    """One triangle, corners in the camera frame (x right, y up, z backward), against the rays (x, y, -1) of its bounds."""
    width, height = len(xs), len(ys)
    step_x, step_y = (xs[-1] - xs[0]) / max(1, width - 1), (ys[-1] - ys[0]) / max(1, height - 1)
    first_x, last_x, first_y, last_y = 0, width - 1, 0, height - 1
    low_x, high_x, low_y, high_y = _bounds(v, a, b, c, near)
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
    ax, ay, az, bx, by, bz, cx, cy, cz = v[a, 0], v[a, 1], v[a, 2], v[b, 0], v[b, 1], v[b, 2], v[c, 0], v[c, 1], v[c, 2]
    px, py, pz = by * cz - bz * cy, bz * cx - bx * cz, bx * cy - by * cx
    qx, qy, qz = cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax
    rx, ry, rz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    det = ax * px + ay * py + az * pz
    if det == 0.0:
        return
    sign = 1.0 if det > 0.0 else -1.0
    left, right, low, high = xs[first_x], xs[last_x], ys[last_y], ys[first_y]
    for nx, ny, nz in ((px, py, pz), (qx, qy, qz), (rx, ry, rz)):
        if _most(nx, ny, nz, sign, left, right, low, high) < 0.0:
            return
    p_cuts = _most(-px, -py, -pz, sign, left, right, low, high) > 0.0
    q_cuts = _most(-qx, -qy, -qz, sign, left, right, low, high) > 0.0
    r_cuts = _most(-rx, -ry, -rz, sign, left, right, low, high) > 0.0
    size = sign * det
    p_share, q_share, r_share = _share(px, step_x), _share(qx, step_x), _share(rx, step_x)
    for j in range(first_y, last_y + 1):
        y = ys[j]
        first, last = first_x, last_x
        if last - first > NARROW:
            if p_cuts:
                first, last = _narrowed(px, py, pz, sign, p_share, y, xs, first, last)
            if q_cuts:
                first, last = _narrowed(qx, qy, qz, sign, q_share, y, xs, first, last)
            if r_cuts:
                first, last = _narrowed(rx, ry, rz, sign, r_share, y, xs, first, last)
            for i in range(first, last + 1):
                x = xs[i]
                total = _side(px, py, pz, sign, x, y) + _side(qx, qy, qz, sign, x, y) + _side(rx, ry, rz, sign, x, y)
                t = size / total if total > 0.0 else np.inf
                nearer = near < t < depth[j, i]
                depth[j, i] = t if nearer else depth[j, i]
                owner[j, i] = mine if nearer else owner[j, i]
            continue
        for i in range(first, last + 1):
            x = xs[i]
            u, v_, w = _side(px, py, pz, sign, x, y), _side(qx, qy, qz, sign, x, y), _side(rx, ry, rz, sign, x, y)
            if u < 0.0 or v_ < 0.0 or w < 0.0:
                continue
            total = u + v_ + w
            if total <= 0.0:
                continue
            t = sign * det / total
            if near < t < depth[j, i]:
                depth[j, i] = t
                owner[j, i] = mine


@KERNELS.add
def _codes(v: F64, xs: F64, ys: F64, near: float) -> U8:
    """For each vertex, camera frame, a bit for each reason why a triangle with three such corners meets no ray."""
    out = np.zeros(len(v), np.uint8)
    for i in range(len(v)):
        z = v[i, 2]
        if z > -near:
            out[i] = 1
        elif z < -near:
            x, y = v[i, 0] / -z, v[i, 1] / -z
            if x < xs[0]:
                out[i] = 2
            elif x > xs[-1]:
                out[i] = 4
            if y < ys[-1]:
                out[i] |= 8
            elif y > ys[0]:
                out[i] |= 16
    return out


@KERNELS.add
def cast_mesh(vertices: F64, faces: I32, first: int, last: int, mine: int, xs: F64, ys: F64, near: float, owner: I32, depth: F64) -> None:
    """Faces first..last of a mesh whose vertices are in the camera frame."""
    codes = _codes(vertices, xs, ys, near)
    for f in range(first, last):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        if codes[a] & codes[b] & codes[c] == 0:
            _cast_triangle(vertices, a, b, c, mine, xs, ys, near, owner, depth)


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
        cast_mesh(local, faces, face_start[p], face_start[p + 1], owners[p], xs, ys, near, owner, depth)


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
