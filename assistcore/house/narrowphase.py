"""Compiled distance between convex bodies: GJK when apart, separating axes when they overlap (both exact for polytopes).

A body is a range of rows in flat world arrays: corner points (m, 3), face directions and edge directions (unique up to sign). A capsule is
a body of two corners and one edge, plus a radius. GJK follows Gilbert, Johnson and Keerthi (1988) with the closest-point tests of Ericson,
*Real-Time Collision Detection* (2005), section 5.1; for overlapping polytopes the least overlap over face and edge-pair directions is the
penetration depth. Fixed order of summation, no fast-math: the same input gives the same bytes. Without Numba the same code runs slowly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

KERNELS = Kernels(globals())
ROUND_M = 1e-9
"""More than rounding can do to a sum of lengths in a house."""


@KERNELS.add
def _on_segment(W: F64, i: int, j: int) -> float:
    """Share of corner j in the point of segment i-j nearest to the origin."""
    t = 0.0
    length2 = 0.0
    for c in range(3):
        d = W[j, c] - W[i, c]
        t -= W[i, c] * d
        length2 += d * d
    if length2 <= 0.0:
        return 0.0
    return min(1.0, max(0.0, t / length2))


@KERNELS.add
def _on_triangle(W: F64, i: int, j: int, k: int) -> tuple[float, float, float]:
    """Barycentric weights of the point of a triangle nearest to the origin (Ericson 5.1.5)."""
    d1 = 0.0
    d2 = 0.0
    d3 = 0.0
    d4 = 0.0
    d5 = 0.0
    d6 = 0.0
    for c in range(3):
        ab = W[j, c] - W[i, c]
        ac = W[k, c] - W[i, c]
        d1 -= ab * W[i, c]
        d2 -= ac * W[i, c]
        d3 -= ab * W[j, c]
        d4 -= ac * W[j, c]
        d5 -= ab * W[k, c]
        d6 -= ac * W[k, c]
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        t = d1 / (d1 - d3) if d1 - d3 > 0.0 else 0.0
        return 1.0 - t, t, 0.0
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6) if d2 - d6 > 0.0 else 0.0
        return 1.0 - t, 0.0, t
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6)) if (d4 - d3) + (d5 - d6) > 0.0 else 0.0
        return 0.0, 1.0 - t, t
    total = va + vb + vc
    if total <= 0.0:
        return 1.0, 0.0, 0.0
    return va / total, vb / total, vc / total


@KERNELS.add
def _outside(W: F64, i: int, j: int, k: int, opposite: int) -> bool:
    """Whether the origin and the opposite corner are on different sides of a face (a flat tetrahedron counts as outside)."""
    ux, uy, uz = W[j, 0] - W[i, 0], W[j, 1] - W[i, 1], W[j, 2] - W[i, 2]
    vx, vy, vz = W[k, 0] - W[i, 0], W[k, 1] - W[i, 1], W[k, 2] - W[i, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    origin = -(nx * W[i, 0] + ny * W[i, 1] + nz * W[i, 2])
    other = nx * (W[opposite, 0] - W[i, 0]) + ny * (W[opposite, 1] - W[i, 1]) + nz * (W[opposite, 2] - W[i, 2])
    scale = np.sqrt(nx * nx + ny * ny + nz * nz)
    if abs(other) <= 1e-12 * scale:
        return True
    return bool(origin * other < 0.0)


@KERNELS.add
def _keep(W: F64, Q: F64, weight: F64, n: int) -> int:
    """Drop simplex corners of weight zero, in place; returns how many are left."""
    m = 0
    for i in range(n):
        if weight[i] > 0.0:
            if m != i:
                for c in range(3):
                    W[m, c] = W[i, c]
                    Q[m, c] = Q[i, c]
                weight[m] = weight[i]
            m += 1
    return m


@KERNELS.add
def _nearest(W: F64, Q: F64, n: int, weight: F64, v: F64) -> int:
    """Nearest point of the simplex to the origin into v (3 coordinates, 3 of the witness); returns corners kept, 0 when it is inside."""
    for i in range(4):
        weight[i] = 0.0
    if n == 1:
        weight[0] = 1.0
    elif n == 2:
        weight[1] = _on_segment(W, 0, 1)
        weight[0] = 1.0 - weight[1]
    elif n == 3:
        weight[0], weight[1], weight[2] = _on_triangle(W, 0, 1, 2)
    else:
        best = np.inf
        for face in range(4):
            i = 0 if face < 3 else 1
            j = 1 if face < 2 else 2
            k = 2 if face == 0 else 3
            opposite = 6 - i - j - k
            if not _outside(W, i, j, k, opposite):
                continue
            a, b, c = _on_triangle(W, i, j, k)
            size2 = 0.0
            for x in range(3):
                p = a * W[i, x] + b * W[j, x] + c * W[k, x]
                size2 += p * p
            if size2 < best:
                best = size2
                for x in range(4):
                    weight[x] = 0.0
                weight[i], weight[j], weight[k] = a, b, c
        if best == np.inf:
            return 0
    kept = _keep(W, Q, weight, n)
    for c in range(6):
        v[c] = 0.0
    for i in range(kept):
        for c in range(3):
            v[c] += weight[i] * W[i, c]
            v[3 + c] += weight[i] * Q[i, c]
    return kept


@KERNELS.add
def gjk(VA: F64, a0: int, a1: int, VB: F64, b0: int, b1: int, stop_m: float, work: F64, v: F64) -> float:
    """Distance between two convex hulls, or 0 when they touch or overlap, or some value above `stop_m` once that is certain.

    `work` (9, 4) is scratch; v (6,) receives the vector from B to A and the nearest point on B.
    """
    W = work[0:4]
    Q = work[4:8]
    weight = work[8]
    for c in range(3):
        W[0, c] = VA[a0, c] - VB[b0, c]
        Q[0, c] = VB[b0, c]
    n = _nearest(W, Q, 1, weight, v)
    vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
    for _ in range(96):
        if vv < 1e-18:
            return 0.0
        p = a0
        low = np.inf
        for i in range(a0, a1):
            d = VA[i, 0] * v[0] + VA[i, 1] * v[1] + VA[i, 2] * v[2]
            if d < low:
                low = d
                p = i
        q = b0
        high = -np.inf
        for i in range(b0, b1):
            d = VB[i, 0] * v[0] + VB[i, 1] * v[1] + VB[i, 2] * v[2]
            if d > high:
                high = d
                q = i
        vw = low - high
        if vw > 0.0 and vw * vw > stop_m * stop_m * vv:
            return float(vw / np.sqrt(vv))
        if vv - vw <= 1e-11 * vv:
            break
        seen = False
        for i in range(n):
            seen = seen or (W[i, 0] == VA[p, 0] - VB[q, 0] and W[i, 1] == VA[p, 1] - VB[q, 1] and W[i, 2] == VA[p, 2] - VB[q, 2])
        if seen:
            break
        for c in range(3):
            W[n, c] = VA[p, c] - VB[q, c]
            Q[n, c] = VB[q, c]
        n = _nearest(W, Q, n + 1, weight, v)
        if n == 0:
            return 0.0
        before = vv
        vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
        if vv >= before * (1.0 - 1e-14):
            break
    return float(np.sqrt(vv))


@KERNELS.add
def _gap(VA: F64, a0: int, a1: int, VB: F64, b0: int, b1: int, x: float, y: float, z: float) -> tuple[float, float]:
    """Signed gap along a unit direction (negative: overlap) and the side (+1: A lies above B)."""
    amin = np.inf
    amax = -np.inf
    bmin = np.inf
    bmax = -np.inf
    for i in range(a0, a1):
        d = VA[i, 0] * x + VA[i, 1] * y + VA[i, 2] * z
        amin = min(amin, d)
        amax = max(amax, d)
    for i in range(b0, b1):
        d = VB[i, 0] * x + VB[i, 1] * y + VB[i, 2] * z
        bmin = min(bmin, d)
        bmax = max(bmax, d)
    if amin - bmax >= bmin - amax:
        return amin - bmax, 1.0
    return bmin - amax, -1.0


@KERNELS.add
def overlap(
    VA: F64, a0: int, a1: int, NA: F64, na0: int, na1: int, EA: F64, ea0: int, ea1: int,
    VB: F64, b0: int, b1: int, NB: F64, nb0: int, nb1: int, EB: F64, eb0: int, eb1: int, v: F64,
) -> float:  # fmt: skip
    """Largest gap over all separating-axis candidates: minus the penetration depth of two overlapping polytopes.

    v (6,) receives the unit direction from B to A and the point of A deepest in B.
    """
    best = -np.inf
    for i in range(na0, na1):
        gap, side = _gap(VA, a0, a1, VB, b0, b1, NA[i, 0], NA[i, 1], NA[i, 2])
        if gap > best:
            best = gap
            for c in range(3):
                v[c] = side * NA[i, c]
    for i in range(nb0, nb1):
        gap, side = _gap(VA, a0, a1, VB, b0, b1, NB[i, 0], NB[i, 1], NB[i, 2])
        if gap > best:
            best = gap
            for c in range(3):
                v[c] = side * NB[i, c]
    for i in range(ea0, ea1):
        for j in range(eb0, eb1):
            x = EA[i, 1] * EB[j, 2] - EA[i, 2] * EB[j, 1]
            y = EA[i, 2] * EB[j, 0] - EA[i, 0] * EB[j, 2]
            z = EA[i, 0] * EB[j, 1] - EA[i, 1] * EB[j, 0]
            length = np.sqrt(x * x + y * y + z * z)
            if length < 1e-9:
                continue
            gap, side = _gap(VA, a0, a1, VB, b0, b1, x / length, y / length, z / length)
            if gap > best:
                best = gap
                v[0], v[1], v[2] = side * x / length, side * y / length, side * z / length
    low = np.inf
    for i in range(a0, a1):
        low = min(low, VA[i, 0] * v[0] + VA[i, 1] * v[1] + VA[i, 2] * v[2])
    count = 0
    v[3], v[4], v[5] = 0.0, 0.0, 0.0
    for i in range(a0, a1):
        if VA[i, 0] * v[0] + VA[i, 1] * v[1] + VA[i, 2] * v[2] <= low + 1e-9:
            count += 1
            for c in range(3):
                v[3 + c] += VA[i, c]
    for c in range(3):
        v[3 + c] /= count
    return best


@KERNELS.add
def _near_all(lowA: F64, highA: F64, radius: F64, lowB: F64, highB: F64, skip: NDArray[np.bool_], margin: float) -> I64:
    """Bodies of B, ascending, that come near the box round all of A: the others are near none of it."""
    low = np.full(3, np.inf)
    high = np.full(3, -np.inf)
    for i in range(len(radius)):
        for c in range(3):
            low[c] = min(low[c], lowA[i, c] - (radius[i] + margin))
            high[c] = max(high[c], highA[i, c] + (radius[i] + margin))
    found = np.empty(len(lowB), np.int64)
    count = 0
    for j in range(len(lowB)):
        if skip[j] or lowB[j, 0] > high[0] + ROUND_M or highB[j, 0] < low[0] - ROUND_M:
            continue
        if lowB[j, 1] > high[1] + ROUND_M or highB[j, 1] < low[1] - ROUND_M:
            continue
        if lowB[j, 2] > high[2] + ROUND_M or highB[j, 2] < low[2] - ROUND_M:
            continue
        found[count] = j
        count += 1
    return found[:count]


@KERNELS.add
def close_pairs(
    VA: F64, vA: I64, NA: F64, nA: I64, EA: F64, eA: I64, lowA: F64, highA: F64, radius: F64,
    VB: F64, vB: I64, NB: F64, nB: I64, EB: F64, eB: I64, lowB: F64, highB: F64, skip: NDArray[np.bool_], margin: float,
) -> tuple[I64, F64]:  # fmt: skip
    """Every pair of a body of A (with radius) and a body of B nearer than `margin`.

    vA, nA, eA and vB, nB, eB are row offsets (one more than bodies). lowA, highA are boxes round the cores without radius. Returns index
    pairs (k, 2) and rows (k, 4): signed distance, contact point.
    """
    pairs = np.empty((16, 2), np.int64)
    rows = np.empty((16, 4), np.float64)
    work = np.empty((9, 4), np.float64)
    v = np.empty(6, np.float64)
    count = 0
    near = _near_all(lowA, highA, radius, lowB, highB, skip, margin)
    for i in range(len(radius)):
        reach = radius[i] + margin
        for j in near:
            if lowA[i, 0] > highB[j, 0] + reach or highA[i, 0] < lowB[j, 0] - reach:
                continue
            if lowA[i, 1] > highB[j, 1] + reach or highA[i, 1] < lowB[j, 1] - reach:
                continue
            if lowA[i, 2] > highB[j, 2] + reach or highA[i, 2] < lowB[j, 2] - reach:
                continue
            distance = gjk(VA, vA[i], vA[i + 1], VB, vB[j], vB[j + 1], max(reach, 0.0), work, v)
            if distance <= 0.0:
                distance = overlap(
                    VA, vA[i], vA[i + 1], NA, nA[i], nA[i + 1], EA, eA[i], eA[i + 1],
                    VB, vB[j], vB[j + 1], NB, nB[j], nB[j + 1], EB, eB[j], eB[j + 1], v,
                )  # fmt: skip
            if distance >= reach:
                continue
            if count == len(pairs):
                pairs = np.concatenate((pairs, np.empty_like(pairs)))
                rows = np.concatenate((rows, np.empty_like(rows)))
            pairs[count, 0], pairs[count, 1] = i, j
            rows[count, 0] = distance - radius[i]
            for c in range(3):
                rows[count, 1 + c] = v[3 + c]
            count += 1
    return pairs[:count], rows[:count]


@KERNELS.add
def close_capsules(
    a: F64, b: F64, radius: F64, VB: F64, vB: I64, NB: F64, nB: I64, EB: F64, eB: I64, lowB: F64, highB: F64, skip: NDArray[np.bool_],
    margin: float,
) -> tuple[I64, F64]:  # fmt: skip
    """`close_pairs` of capsules from a to b (k, 3)."""
    k = len(radius)
    corners = np.empty((2 * k, 3))
    edges = np.empty((k, 3))
    low = np.empty((k, 3))
    high = np.empty((k, 3))
    for i in range(k):
        length = 0.0
        for c in range(3):
            corners[2 * i, c], corners[2 * i + 1, c] = a[i, c], b[i, c]
            low[i, c], high[i, c] = min(a[i, c], b[i, c]), max(a[i, c], b[i, c])
            edges[i, c] = b[i, c] - a[i, c]
            length += edges[i, c] * edges[i, c]
        length = max(np.sqrt(length), 1e-12)
        for c in range(3):
            edges[i, c] /= length
    one = np.arange(k + 1)
    none = np.zeros(k + 1, np.int64)
    return close_pairs(
        corners, 2 * one, np.empty((0, 3)), none, edges, one, low, high, radius, VB, vB, NB, nB, EB, eB, lowB, highB, skip, margin
    )


@KERNELS.add
def least_distances(
    points: F64, VB: F64, vB: I64, NB: F64, nB: I64, EB: F64, eB: I64, lowB: F64, highB: F64, reach: float, out: F64
) -> None:
    """Signed distance (n,) of points (n, 3) to the nearest of some bodies, at most `reach`."""
    work = np.empty((9, 4), np.float64)
    v = np.empty(6, np.float64)
    none = np.empty((0, 3))
    for i in range(len(points)):
        best = reach
        for j in range(len(lowB)):
            far = max(best, 0.0) + ROUND_M
            if points[i, 0] > highB[j, 0] + far or points[i, 0] < lowB[j, 0] - far:
                continue
            if points[i, 1] > highB[j, 1] + far or points[i, 1] < lowB[j, 1] - far:
                continue
            if points[i, 2] > highB[j, 2] + far or points[i, 2] < lowB[j, 2] - far:
                continue
            distance = gjk(points, i, i + 1, VB, vB[j], vB[j + 1], far, work, v)
            if distance <= 0.0:
                distance = overlap(
                    points, i, i + 1, none, 0, 0, none, 0, 0, VB, vB[j], vB[j + 1], NB, nB[j], nB[j + 1], EB, eB[j], eB[j + 1], v
                )
            best = min(best, distance)
        out[i] = best


@KERNELS.add
def top_below(x: float, y: float, below: float, V: F64, v0: I64, N: F64, n0: I64, low: F64, high: F64, skip: NDArray[np.bool_]) -> float:
    """Highest top of a body on the vertical line through (x, y) that is not above `below`; -inf where there is none."""
    best = -np.inf
    for j in range(len(low)):
        if skip[j] or x < low[j, 0] or x > high[j, 0] or y < low[j, 1] or y > high[j, 1]:
            continue
        t0 = low[j, 2]
        t1 = high[j, 2]
        for i in range(n0[j], n0[j + 1]):
            smallest = np.inf
            largest = -np.inf
            for k in range(v0[j], v0[j + 1]):
                d = V[k, 0] * N[i, 0] + V[k, 1] * N[i, 1] + V[k, 2] * N[i, 2]
                smallest = min(smallest, d)
                largest = max(largest, d)
            here = x * N[i, 0] + y * N[i, 1]
            slope = N[i, 2]
            if abs(slope) < 1e-12:
                if here < smallest - 1e-9 or here > largest + 1e-9:
                    t1 = -np.inf
                    break
                continue
            first, second = (smallest - here) / slope, (largest - here) / slope
            t0 = max(t0, min(first, second))
            t1 = min(t1, max(first, second))
        if t1 >= t0 - 1e-9 and t1 <= below + 1e-6 and t1 > best:
            best = t1
    return best


@KERNELS.add
def own_gaps(a: F64, b: F64, radius: F64, pairs: I64, margin: float, out: I64, rows: F64) -> int:
    """The pairs (m, 2) of capsules a, b (c, 3) nearer than `margin`: their places in out (m,), gap and middle point in rows (m, 4).

    Returns how many there are (Ericson 5.1.9 with a clamped re-solve).
    """
    count = 0
    tiny = 1e-18
    for k in range(len(pairs)):
        i, j = pairs[k, 0], pairs[k, 1]
        aa, ee, f, bb, c = 0.0, 0.0, 0.0, 0.0, 0.0
        for x in range(3):
            d1, d2, r = b[i, x] - a[i, x], b[j, x] - a[j, x], a[i, x] - a[j, x]
            aa += d1 * d1
            ee += d2 * d2
            f += d2 * r
            bb += d1 * d2
            c += d1 * r
        denominator = aa * ee - bb * bb
        s = min(1.0, max(0.0, (bb * f - c * ee) / max(denominator, tiny))) if denominator > 1e-12 * aa * ee + tiny else 0.0
        t = min(1.0, max(0.0, (bb * s + f) / ee)) if ee > tiny else 0.0
        s = min(1.0, max(0.0, (bb * t - c) / aa)) if aa > tiny else 0.0
        t = min(1.0, max(0.0, (bb * s + f) / ee)) if ee > tiny else 0.0
        square = 0.0
        for x in range(3):
            p, q = a[i, x] + s * (b[i, x] - a[i, x]), a[j, x] + t * (b[j, x] - a[j, x])
            square += (p - q) * (p - q)
            rows[count, 1 + x] = 0.5 * (p + q)
        gap = np.sqrt(square) - radius[i] - radius[j]
        if gap < margin:
            out[count] = k
            rows[count, 0] = gap
            count += 1
    return count


@KERNELS.add
def least_gaps(a: F64, b: F64, radius: F64, pairs: NDArray[np.int64], out: F64) -> None:
    """The least gap (n,) between capsules a, b (n, c, 3) of each frame, over pairs (m, 2) (Ericson 5.1.9 with a clamped re-solve)."""
    for n in range(a.shape[0]):
        least = np.inf
        for k in range(pairs.shape[0]):
            i, j = pairs[k, 0], pairs[k, 1]
            aa, ee, f, bb, c = 0.0, 0.0, 0.0, 0.0, 0.0
            for x in range(3):
                d1, d2, r = b[n, i, x] - a[n, i, x], b[n, j, x] - a[n, j, x], a[n, i, x] - a[n, j, x]
                aa += d1 * d1
                ee += d2 * d2
                f += d2 * r
                bb += d1 * d2
                c += d1 * r
            denominator = aa * ee - bb * bb
            s = min(1.0, max(0.0, (bb * f - c * ee) / denominator)) if denominator > 1e-12 * aa * ee + 1e-18 else 0.0
            t = min(1.0, max(0.0, (bb * s + f) / ee)) if ee > 1e-18 else 0.0
            s = min(1.0, max(0.0, (bb * t - c) / aa)) if aa > 1e-18 else 0.0
            t = min(1.0, max(0.0, (bb * s + f) / ee)) if ee > 1e-18 else 0.0
            square = 0.0
            for x in range(3):
                p = a[n, i, x] + s * (b[n, i, x] - a[n, i, x])
                q = a[n, j, x] + t * (b[n, j, x] - a[n, j, x])
                square += (p - q) ** 2
            least = min(least, np.sqrt(square) - radius[i] - radius[j])
        out[n] = least
