"""Compiled loops of the grid: footprints of convex pieces in a height band, clearance, search, sampling."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

KERNELS = Kernels(globals())


@KERNELS.add
def band_points(V: F64, low: float, high: float) -> F64:
    """Points (k, 2) whose hull is the footprint of a convex body between two heights: corners inside, and every chord's cuts."""
    n = len(V)
    out = np.empty((n + n * n, 2))
    k = 0
    for i in range(n):
        if low <= V[i, 2] <= high:
            out[k, 0], out[k, 1] = V[i, 0], V[i, 1]
            k += 1
        for j in range(i + 1, n):
            for z in (low, high):
                a, b = V[i, 2] - z, V[j, 2] - z
                if a * b < 0.0:
                    t = a / (a - b)
                    out[k, 0] = V[i, 0] + t * (V[j, 0] - V[i, 0])
                    out[k, 1] = V[i, 1] + t * (V[j, 1] - V[i, 1])
                    k += 1
    return out[:k]


@KERNELS.add
def hull_2d(P: F64) -> F64:
    """Counter-clockwise convex hull (m, 2) of points (n, 2): Andrew's monotone chain."""
    n = len(P)
    order = np.argsort(P[:, 0] * 1e6 + P[:, 1] * 1e-3)
    rank = np.empty((n, 2))
    for i in range(n):
        rank[i] = P[order[i]]
    H = np.empty((2 * n + 2, 2))
    k = 0
    for i in range(n):
        while (
            k >= 2
            and (H[k - 1, 0] - H[k - 2, 0]) * (rank[i, 1] - H[k - 2, 1]) - (H[k - 1, 1] - H[k - 2, 1]) * (rank[i, 0] - H[k - 2, 0]) <= 0.0
        ):
            k -= 1
        H[k] = rank[i]
        k += 1
    base = k + 1
    for i in range(n - 2, -1, -1):
        while (
            k >= base
            and (H[k - 1, 0] - H[k - 2, 0]) * (rank[i, 1] - H[k - 2, 1]) - (H[k - 1, 1] - H[k - 2, 1]) * (rank[i, 0] - H[k - 2, 0]) <= 0.0
        ):
            k -= 1
        H[k] = rank[i]
        k += 1
    return H[: max(1, k - 1)]


@KERNELS.add
def polygon_distance(x: float, y: float, H: F64) -> float:
    """Signed distance of a point from a convex counter-clockwise polygon (negative inside)."""
    best = np.inf
    inside = len(H) >= 3
    deepest = -np.inf
    for i in range(len(H)):
        j = (i + 1) % len(H)
        ex, ey = H[j, 0] - H[i, 0], H[j, 1] - H[i, 1]
        px, py = x - H[i, 0], y - H[i, 1]
        length2 = ex * ex + ey * ey
        t = min(1.0, max(0.0, (px * ex + py * ey) / length2)) if length2 > 0.0 else 0.0
        dx, dy = px - t * ex, py - t * ey
        best = min(best, dx * dx + dy * dy)
        if inside and length2 > 0.0:
            out = (px * ey - py * ex) / np.sqrt(length2)
            deepest = max(deepest, out)
            if out > 0.0:
                inside = False
    return float(deepest) if inside else float(np.sqrt(best))


@KERNELS.add
def first_within(points: F64, H: F64, reach: float) -> int:
    """The first of points (n, 2) nearer than `reach` to a convex polygon, or -1."""
    for k in range(len(points)):
        if polygon_distance(points[k, 0], points[k, 1], H) < reach:
            return k
    return -1


@KERNELS.add
def stamp(D: F64, owner: I64, who: int, H: F64, x0: float, y0: float, step: float, reach: float) -> None:
    """Lower the clearance D (nx, ny) at cell centres near a footprint, and note who is nearest."""
    lowx, highx, lowy, highy = np.inf, -np.inf, np.inf, -np.inf
    for i in range(len(H)):
        lowx, highx = min(lowx, H[i, 0]), max(highx, H[i, 0])
        lowy, highy = min(lowy, H[i, 1]), max(highy, H[i, 1])
    i0 = max(0, int(np.ceil((lowx - reach - x0) / step)))
    i1 = min(D.shape[0] - 1, int(np.floor((highx + reach - x0) / step)))
    j0 = max(0, int(np.ceil((lowy - reach - y0) / step)))
    j1 = min(D.shape[1] - 1, int(np.floor((highy + reach - y0) / step)))
    for i in range(i0, i1 + 1):
        x = x0 + i * step
        aside = max(lowx - x, x - highx, 0.0)
        for j in range(j0, j1 + 1):
            y = y0 + j * step
            ahead = max(lowy - y, y - highy, 0.0)
            known = D[i, j]
            if known > 0.0 and aside * aside + ahead * ahead > (known + 1e-9) * (known + 1e-9):
                continue  # the box round the footprint is farther already
            if known <= 0.0 and (aside > 0.0 or ahead > 0.0):
                continue
            d = polygon_distance(x, y, H)
            if d < known:
                D[i, j] = d
                owner[i, j] = who


@KERNELS.add
def sample(D: F64, x: float, y: float, x0: float, y0: float, step: float) -> float:
    """Bilinear value of a field at a point; the edge value outside."""
    u = min(max((x - x0) / step, 0.0), D.shape[0] - 1.000001)
    v = min(max((y - y0) / step, 0.0), D.shape[1] - 1.000001)
    i, j = int(u), int(v)
    a, b = u - i, v - j
    value: float = (D[i, j] * (1 - a) + D[i + 1, j] * a) * (1 - b) + (D[i, j + 1] * (1 - a) + D[i + 1, j + 1] * a) * b
    return value


@KERNELS.add
def line_cost(
    D: F64, extra: F64, ax: float, ay: float, bx: float, by: float, x0: float, y0: float, step: float, safe: float, weight: float
) -> tuple[float, float]:
    """Weighted cost (eq. 2, per metre) and least clearance along a segment, sampled every 2.5 cm."""
    length = np.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    n = max(1, int(np.ceil(length / 0.025)))
    cost = 0.0
    least = np.inf
    for k in range(n + 1):
        t = k / n
        d = sample(D, ax + t * (bx - ax), ay + t * (by - ay), x0, y0, step)
        least = min(least, d)
        share = 0.5 if k == 0 or k == n else 1.0
        near = extra[
            min(max(int(np.round((ax + t * (bx - ax) - x0) / step)), 0), D.shape[0] - 1),
            min(max(int(np.round((ay + t * (by - ay) - y0) / step)), 0), D.shape[1] - 1),
        ]
        cost += share * (1.0 + weight * max(0.0, safe - d) + near)
    return cost * length / n, least


@KERNELS.add
def _push(heap_key: F64, heap_node: I64, size: int, key: float, node: int) -> int:
    i = size
    while i > 0:
        parent = (i - 1) // 2
        if heap_key[parent] < key or (heap_key[parent] == key and heap_node[parent] <= node):
            break
        heap_key[i], heap_node[i] = heap_key[parent], heap_node[parent]
        i = parent
    heap_key[i], heap_node[i] = key, node
    return size + 1


@KERNELS.add
def _pop(heap_key: F64, heap_node: I64, size: int) -> int:
    """Removes the first entry (read it before); returns the new size."""
    size -= 1
    key, node = heap_key[size], heap_node[size]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        right = child + 1
        if right < size and (
            heap_key[right] < heap_key[child] or (heap_key[right] == heap_key[child] and heap_node[right] < heap_node[child])
        ):
            child = right
        if key < heap_key[child] or (key == heap_key[child] and node <= heap_node[child]):
            break
        heap_key[i], heap_node[i] = heap_key[child], heap_node[child]
        i = child
    heap_key[i], heap_node[i] = key, node
    return size


@KERNELS.add
def search(free: NDArray[np.bool_], D: F64, extra: F64, start: int, goal: int, step: float, safe: float, weight: float) -> tuple[F64, I64]:
    """A* (goal >= 0) or a flood of everything (goal < 0): cost (nx*ny,) in metres and parent (nx*ny,), -1 where not reached.

    Eight-connected, no corner cutting, cost of eq. (2). Ties are broken by cell number.
    """
    nx, ny = D.shape
    cost = np.full(nx * ny, np.inf)
    parent = np.full(nx * ny, -1, np.int64)
    done = np.zeros(nx * ny, np.bool_)
    heap_key = np.empty(8 * nx * ny + 8)
    heap_node = np.empty(8 * nx * ny + 8, np.int64)
    gi, gj = goal // ny, goal % ny
    cost[start] = 0.0
    size = _push(heap_key, heap_node, 0, 0.0, start)
    while size > 0:
        node = heap_node[0]
        size = _pop(heap_key, heap_node, size)
        if done[node]:
            continue
        done[node] = True
        if node == goal:
            break
        i, j = node // ny, node % ny
        for di in range(-1, 2):
            for dj in range(-1, 2):
                if di == 0 and dj == 0:
                    continue
                a, b = i + di, j + dj
                if a < 0 or b < 0 or a >= nx or b >= ny or not free[a, b]:
                    continue
                if di != 0 and dj != 0 and not (free[i, b] and free[a, j]):
                    continue
                other = a * ny + b
                if done[other]:
                    continue
                hop = 1.4142135623730951 if di != 0 and dj != 0 else 1.0
                g = cost[node] + step * (hop + weight * max(0.0, safe - D[a, b]) + extra[a, b])
                if g < cost[other]:
                    cost[other] = g
                    parent[other] = node
                    h = 0.0
                    if goal >= 0:
                        u, w = abs(a - gi), abs(b - gj)
                        h = step * (max(u, w) + 0.4142135623730951 * min(u, w))
                    size = _push(heap_key, heap_node, size, g + h, other)
    return cost, parent


@KERNELS.add
def relax(P: F64, D: F64, x0: float, y0: float, step: float, comfort: float, least: float, rounds: int, pull: float, push: float) -> None:
    """Elastic band, in place: inner points of a polyline (n, 2) are pulled straight and pushed from obstacles nearer than `comfort`.

    A point never moves to a place with less clearance than `least` unless that is more than it had.
    """
    for _ in range(rounds):
        for k in range(1, len(P) - 1):
            x, y = P[k, 0], P[k, 1]
            d = sample(D, x, y, x0, y0, step)
            mx = pull * (0.5 * (P[k - 1, 0] + P[k + 1, 0]) - x)
            my = pull * (0.5 * (P[k - 1, 1] + P[k + 1, 1]) - y)
            if d < comfort:
                e = 0.05
                gx = (sample(D, x + e, y, x0, y0, step) - sample(D, x - e, y, x0, y0, step)) / (2 * e)
                gy = (sample(D, x, y + e, x0, y0, step) - sample(D, x, y - e, x0, y0, step)) / (2 * e)
                mx += push * (comfort - d) * gx
                my += push * (comfort - d) * gy
            size = np.sqrt(mx * mx + my * my)
            if size > 0.03:
                mx, my = mx * 0.03 / size, my * 0.03 / size
            after = sample(D, x + mx, y + my, x0, y0, step)
            if after >= min(d, least):
                P[k, 0], P[k, 1] = x + mx, y + my
