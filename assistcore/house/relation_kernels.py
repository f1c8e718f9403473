"""Compiled loops behind the relations: vertical gap of two convex pieces, distance of two boxes, share of a thing inside a region."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
B1 = NDArray[np.bool_]

KERNELS = Kernels(globals())
_FLAT = 1e-9


@KERNELS.add
def _span(planes: F64, first: int, last: int, x: float, y: float) -> tuple[float, float]:
    """Lowest and highest z of a convex piece on the vertical line through (x, y); (inf, -inf) where it misses."""
    low = -inf
    high = inf
    for k in range(first, last):
        n = planes[k, 2]
        rest = planes[k, 3] - planes[k, 0] * x - planes[k, 1] * y
        if n > 1e-9:
            high = min(high, rest / n)
        elif n < -1e-9:
            low = max(low, rest / n)
        elif rest < -1e-9:
            return inf, -inf
    if low > high + 1e-9:
        return inf, -inf
    return low, high


@KERNELS.add
def vertical_gap(corners: F64, edges: I64, planes: F64, corner: I64, edge: I64, plane: I64, a: int, b: int) -> tuple[float, float]:
    """Smallest distance, along -z, from piece `a` down to piece `b`, and the height of b there; (inf, 0) where their footprints miss.

    Exact for polytopes: bottom of a minus top of b is a convex, piecewise linear function of (x, y), so that its minimum lies at a corner
    of a, at a corner of b, or where an edge of a crosses one of b, all seen from above.
    """
    best = inf
    height = 0.0
    for i in range(corner[a], corner[a + 1]):
        _, top = _span(planes, plane[b], plane[b + 1], corners[i, 0], corners[i, 1])
        if top > -inf and corners[i, 2] - top < best:
            best, height = corners[i, 2] - top, top
    for i in range(corner[b], corner[b + 1]):
        bottom, _ = _span(planes, plane[a], plane[a + 1], corners[i, 0], corners[i, 1])
        if bottom < inf and bottom - corners[i, 2] < best:
            best, height = bottom - corners[i, 2], corners[i, 2]
    for i in range(edge[a], edge[a + 1]):
        p, q = edges[i, 0], edges[i, 1]
        px, py, ux, uy = corners[p, 0], corners[p, 1], corners[q, 0] - corners[p, 0], corners[q, 1] - corners[p, 1]
        for j in range(edge[b], edge[b + 1]):
            r, s = edges[j, 0], edges[j, 1]
            vx, vy = corners[s, 0] - corners[r, 0], corners[s, 1] - corners[r, 1]
            det = ux * vy - uy * vx
            if abs(det) < 1e-12:
                continue
            wx, wy = corners[r, 0] - px, corners[r, 1] - py
            t = (wx * vy - wy * vx) / det
            u = (wx * uy - wy * ux) / det
            if 0.0 <= t <= 1.0 and 0.0 <= u <= 1.0:
                za = corners[p, 2] + t * (corners[q, 2] - corners[p, 2])
                zb = corners[r, 2] + u * (corners[s, 2] - corners[r, 2])
                if za - zb < best:
                    best, height = za - zb, zb
    return best, height


@KERNELS.add
def rests_on(
    corners: F64, edges: I64, planes: F64, corner: I64, edge: I64, plane: I64, low: F64, high: F64, a: I64, b: I64, middle: float,
    gap: float, sink: float,
) -> bool:  # fmt: skip
    """Whether some piece in range `a` stands on one in range `b`: vertical gap within [-sink, gap] and the support below `middle`."""
    for i in range(a[0], a[1]):
        for j in range(b[0], b[1]):
            if high[j, 2] < low[i, 2] - gap or low[j, 2] > middle or high[i, 2] < low[j, 2]:
                continue
            if high[j, 0] < low[i, 0] or low[j, 0] > high[i, 0] or high[j, 1] < low[i, 1] or low[j, 1] > high[i, 1]:
                continue
            found, height = vertical_gap(corners, edges, planes, corner, edge, plane, i, j)
            if -sink <= found <= gap and height < middle:
                return True
    return False


@KERNELS.add
def _clamp(point: F64, centre: F64, axes: F64, half: F64, out: F64) -> float:
    """The point of a box nearest to a point; returns the squared distance."""
    for c in range(3):
        out[c] = centre[c]
    for k in range(3):
        along = 0.0
        for c in range(3):
            along += (point[c] - centre[c]) * axes[c, k]
        along = min(half[k], max(-half[k], along))
        for c in range(3):
            out[c] += along * axes[c, k]
    gap = 0.0
    for c in range(3):
        gap += (point[c] - out[c]) ** 2
    return gap


@KERNELS.add
def boxes_within(ca: F64, xa: F64, ha: F64, cb: F64, xb: F64, hb: F64, limit: float) -> bool:
    """Whether two oriented boxes come within `limit`: alternating projections, which approach the distance from above (1e-7 m)."""
    p = cb.copy()
    q = np.empty(3)
    last = inf
    for _ in range(60):
        _clamp(p, ca, xa, ha, q)
        gap = _clamp(q, cb, xb, hb, p)
        if gap <= limit * limit:
            return True
        if last - gap < 1e-7 * limit:
            return False
        last = gap
    return False


@KERNELS.add
def pieces_within(centre: F64, axes: F64, half: F64, low: F64, high: F64, a: I64, b: I64, limit: float) -> bool:
    """Whether some box in range `a` comes within `limit` of one in range `b`."""
    for i in range(a[0], a[1]):
        for j in range(b[0], b[1]):
            apart = 0.0
            for c in range(3):
                d = max(0.0, max(low[i, c] - high[j, c], low[j, c] - high[i, c]))
                apart += d * d
            if apart <= limit * limit and boxes_within(centre[i], axes[i], half[i], centre[j], axes[j], half[j], limit):
                return True
    return False


@KERNELS.add
def share_inside(samples: F64, T: F64, low: F64, high: F64) -> float:
    """Share of points (s, 3) inside a box of a frame: T (4, 4) takes world points into it."""
    count = 0
    for i in range(samples.shape[0]):
        inside = True
        for k in range(3):
            v = T[k, 3]
            for c in range(3):
                v += T[k, c] * samples[i, c]
            inside = inside and low[k] <= v <= high[k]
        count += inside
    return count / len(samples)


@KERNELS.add
def on_pairs(
    corners: F64, edges: I64, planes: F64, corner: I64, edge: I64, plane: I64, low: F64, high: F64, e_low: F64, e_high: F64, start: I64,
    subjects: I64, objects: I64, middle: F64, gap: float, sink: float,
) -> B1:  # fmt: skip
    """`rests_on` of entity rows, shape (s, o)."""
    out = np.zeros((len(subjects), len(objects)), dtype=np.bool_)
    a = np.empty(2, np.int64)
    b = np.empty(2, np.int64)
    for i in range(len(subjects)):
        s = subjects[i]
        a[0], a[1] = start[s], start[s + 1]
        for j in range(len(objects)):
            o = objects[j]
            if s == o or e_high[o, 2] < e_low[s, 2] - gap or e_low[o, 2] > middle[s, 2] or e_high[s, 2] < e_low[o, 2]:
                continue
            if e_high[o, 0] < e_low[s, 0] or e_low[o, 0] > e_high[s, 0] or e_high[o, 1] < e_low[s, 1] or e_low[o, 1] > e_high[s, 1]:
                continue
            b[0], b[1] = start[o], start[o + 1]
            out[i, j] = rests_on(corners, edges, planes, corner, edge, plane, low, high, a, b, middle[s, 2], gap, sink)
    return out


@KERNELS.add
def near_pairs(
    centre: F64, axes: F64, half: F64, low: F64, high: F64, e_low: F64, e_high: F64, start: I64, subjects: I64, objects: I64, limit: float
) -> B1:
    """`pieces_within` of entity rows, shape (s, o)."""
    out = np.zeros((len(subjects), len(objects)), dtype=np.bool_)
    a = np.empty(2, np.int64)
    b = np.empty(2, np.int64)
    for i in range(len(subjects)):
        s = subjects[i]
        a[0], a[1] = start[s], start[s + 1]
        for j in range(len(objects)):
            o = objects[j]
            if s == o:
                continue
            apart = 0.0
            for c in range(3):
                d = max(0.0, max(e_low[s, c] - e_high[o, c], e_low[o, c] - e_high[s, c]))
                apart += d * d
            if apart <= limit * limit:
                b[0], b[1] = start[o], start[o + 1]
                out[i, j] = pieces_within(centre, axes, half, low, high, a, b, limit)
    return out


@KERNELS.add
def near_box(
    box_centre: F64, box_axes: F64, box_half: F64, centre: F64, axes: F64, half: F64, start: I64, objects: I64, limit: float
) -> B1:
    """Whether some box of each entity row comes within `limit` of one given box, shape (o,)."""
    out = np.zeros(len(objects), dtype=np.bool_)
    reach = limit + np.sqrt(box_half[0] ** 2 + box_half[1] ** 2 + box_half[2] ** 2)
    for j in range(len(objects)):
        for i in range(start[objects[j]], start[objects[j] + 1]):
            dx, dy, dz = centre[i, 0] - box_centre[0], centre[i, 1] - box_centre[1], centre[i, 2] - box_centre[2]
            own = np.sqrt(half[i, 0] ** 2 + half[i, 1] ** 2 + half[i, 2] ** 2)
            if dx * dx + dy * dy + dz * dz > (reach + own) ** 2:
                continue
            if boxes_within(box_centre, box_axes, box_half, centre[i], axes[i], half[i], limit):
                out[j] = True
                break
    return out


@KERNELS.add
def inside_pairs(centre: F64, samples: F64, subjects: I64, regions: I64, T: F64, low: F64, high: F64, entity: I64, share: float) -> B1:
    """Whether the centre and at least `share` of each subject are in each region, shape (s, r)."""
    out = np.zeros((len(subjects), len(regions)), dtype=np.bool_)
    for i in range(len(subjects)):
        s = subjects[i]
        for j in range(len(regions)):
            r = regions[j]
            if entity[r] != s and share_inside(centre[s : s + 1], T[r], low[r], high[r]) == 1.0:
                out[i, j] = share_inside(samples[s], T[r], low[r], high[r]) >= share
    return out
