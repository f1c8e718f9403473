"""Shortest safe paths on the grid: inflation that keeps the goal reachable, A*, string pulling, an elastic band that centres the path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actions.navigation import kernels
from actions.navigation.grid import LAMBDA, SAFE_M, Grid

F64 = NDArray[np.float64]
Bool = NDArray[np.bool_]

RADII_M = (0.20, 0.15, 0.10)
"""Planning radii, largest first (seed B.2.1). The articulated body decides afterwards."""
ESCAPE_M = 0.60
"""Within this distance of the start, and of an exact goal, cells nearer to obstacles than the radius may be crossed."""
ESCAPE_CLEARANCE_M = 0.07
COMFORT_M = 0.60
SNAP_M = 0.60


@dataclass(frozen=True, eq=False)
class Path:
    """A path (n, 2), metres, densely sampled, from start to goal; `moved_m` says how far the goal was moved to a legal stand-off."""

    points_m: F64
    radius_m: float
    cost_m: float
    length_m: float
    least_m: float
    moved_m: float = 0.0


def free_cells(grid: Grid, D: F64, radius_m: float, escapes: tuple[tuple[float, float], ...]) -> Bool:
    """Cells with at least the radius of clearance, plus those near an escape point that lead out of its inflation zone."""
    free: Bool = D >= radius_m - 1e-9
    for x, y in escapes:
        here = grid.at(x, y)
        if here >= radius_m:
            continue
        i0, j0 = grid.cell(x - ESCAPE_M, y - ESCAPE_M)
        i1, j1 = grid.cell(x + ESCAPE_M, y + ESCAPE_M)
        X, Y = np.meshgrid(grid.x0_m + grid.step_m * np.arange(i0, i1 + 1), grid.y0_m + grid.step_m * np.arange(j0, j1 + 1), indexing="ij")
        near = np.hypot(X - x, Y - y) <= ESCAPE_M
        free[i0 : i1 + 1, j0 : j1 + 1] |= near & (D[i0 : i1 + 1, j0 : j1 + 1] >= min(ESCAPE_CLEARANCE_M, max(here - 0.03, 0.02)))
    return free


def _nearest_free(grid: Grid, free: Bool, x: float, y: float, reach_m: float) -> tuple[int, int] | None:
    """The free cell nearest to a point within reach, ties by cell number."""
    i0, j0 = grid.cell(x - reach_m, y - reach_m)
    i1, j1 = grid.cell(x + reach_m, y + reach_m)
    found = np.argwhere(free[i0 : i1 + 1, j0 : j1 + 1])
    if not len(found):
        return None
    away = np.hypot(grid.x0_m + grid.step_m * (found[:, 0] + i0) - x, grid.y0_m + grid.step_m * (found[:, 1] + j0) - y)
    best = int(np.argmin(np.round(away, 9)))
    if away[best] > reach_m + 1e-9:
        return None
    return int(found[best, 0]) + i0, int(found[best, 1]) + j0


def _run(grid: Grid, free: Bool, D: F64, start: tuple[int, int], goal: tuple[int, int] | None) -> tuple[F64, NDArray[np.int64]]:
    ny = grid.shape[1]
    target = -1 if goal is None else goal[0] * ny + goal[1]
    cost, parent = kernels.search(free, D, grid.extra, start[0] * ny + start[1], target, grid.step_m, SAFE_M, LAMBDA)
    return cost, parent


def flood(grid: Grid, xy_m: tuple[float, float], radius_m: float = RADII_M[-1], *, doors: bool = True) -> F64:
    """Route cost (nx, ny) from a point to every cell, metres; infinite where there is no way. `doors` False: leaves do not block."""
    D = grid.clearance_m if doors else grid.without_doors_m
    free = free_cells(grid, D, radius_m, (xy_m,))
    start = _nearest_free(grid, free, *xy_m, 0.25)
    if start is None:
        return np.full(grid.shape, np.inf)
    cost, _ = _run(grid, free, D, start, None)
    return cost.reshape(grid.shape)


def find_path(
    grid: Grid,
    start_m: tuple[float, float],
    goal_m: tuple[float, float],
    *,
    exact: bool = True,
    doors: bool = True,
    radii_m: tuple[float, ...] = RADII_M,
) -> Path | None:
    """The cheapest path with the largest radius that allows one, or None.

    `exact`: the goal is a stance that was validated and may lie inside the inflation zone; otherwise a goal inside it is moved to the
    nearest legal point within `SNAP_M` that can be reached. `doors` False: leaves are no obstacles.
    """
    kernels.KERNELS.ready()
    D = grid.clearance_m if doors else grid.without_doors_m
    for radius in radii_m:
        free = free_cells(grid, D, radius, (start_m, goal_m) if exact else (start_m,))
        path = _try(grid, D, free, radius, start_m, goal_m, exact)
        if path is not None:
            return path
    return None


def _try(
    grid: Grid, D: F64, free: Bool, radius: float, start_m: tuple[float, float], goal_m: tuple[float, float], exact: bool
) -> Path | None:
    start = _nearest_free(grid, free, *start_m, 0.25)
    if start is None:
        return None
    end, moved = goal_m, 0.0
    if exact or _value(grid, D, goal_m) >= radius - 1e-9:
        goal = _nearest_free(grid, free, *goal_m, 0.20)
        if goal is None:
            return None
    else:
        cost, _ = _run(grid, free, D, start, None)
        goal = _nearest_free(grid, np.isfinite(cost).reshape(grid.shape), *goal_m, SNAP_M)
        if goal is None:
            return None
        end = grid.centre(*goal)
        moved = float(np.hypot(end[0] - goal_m[0], end[1] - goal_m[1]))
    cost, parent = _run(grid, free, D, start, goal)
    ny = grid.shape[1]
    node = goal[0] * ny + goal[1]
    if not np.isfinite(cost[node]):
        return None
    cells = [node]
    while parent[cells[-1]] >= 0:
        cells.append(int(parent[cells[-1]]))
    inner = [grid.centre(c // ny, c % ny) for c in reversed(cells)]
    points = _pull(grid, D, np.array([start_m, *inner, end]), radius)
    points = _centred(grid, D, points, radius)
    length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    least = min((_value(grid, D, (float(x), float(y))) for x, y in points), default=0.0)
    return Path(points, radius, float(cost[node]), length, least, moved)


def _value(grid: Grid, D: F64, xy: tuple[float, float]) -> float:
    return float(kernels.sample(D, xy[0], xy[1], grid.x0_m, grid.y0_m, grid.step_m))


def _line(grid: Grid, D: F64, a: F64, b: F64) -> tuple[float, float]:
    cost, least = kernels.line_cost(
        D, grid.extra, float(a[0]), float(a[1]), float(b[0]), float(b[1]), grid.x0_m, grid.y0_m, grid.step_m, SAFE_M, LAMBDA
    )
    return float(cost), float(least)


def _pull(grid: Grid, D: F64, points: F64, radius: float) -> F64:
    """String pulling: a shortcut replaces a stretch only when it is free and its weighted cost is not higher."""
    costs, leasts = zip(*(_line(grid, D, points[k], points[k + 1]) for k in range(len(points) - 1)), strict=True)
    total = np.concatenate([[0.0], np.cumsum(costs)])
    kept = [0]
    while kept[-1] < len(points) - 1:
        i = kept[-1]
        chosen = i + 1
        for j in range(len(points) - 1, i + 1, -1):
            cost, least = _line(grid, D, points[i], points[j])
            if cost <= total[j] - total[i] + 1e-9 and least >= min(radius, min(leasts[i:j])) - 1e-9:
                chosen = j
                break
        kept.append(chosen)
    return points[kept]


def resample(points: F64, spacing_m: float) -> F64:
    """Points (n, 2) at equal arc length not above the spacing, ends kept."""
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    points = points[np.concatenate([[True], gaps > 1e-9])]
    if len(points) < 2:
        return np.repeat(points[:1], 2, axis=0)
    s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    n = max(2, int(np.ceil(s[-1] / spacing_m)) + 1)
    at = np.linspace(0.0, s[-1], n)
    return np.stack([np.interp(at, s, points[:, 0]), np.interp(at, s, points[:, 1])], axis=1)


def _centred(grid: Grid, D: F64, points: F64, radius: float) -> F64:
    """The pulled path as an elastic band: rounded corners, the middle of doorways and corridors."""
    band = np.ascontiguousarray(resample(points, 0.10))
    rounds = 120
    kernels.relax(band, D, grid.x0_m, grid.y0_m, grid.step_m, COMFORT_M, radius, rounds, 0.5, 0.08)
    band = resample(band, 0.05)
    width = np.hanning(13)[1:-1] / np.hanning(13)[1:-1].sum()
    if len(band) > 8:
        padded = np.pad(band, ((5, 5), (0, 0)), mode="reflect", reflect_type="odd")
        smooth = np.stack([np.convolve(padded[:, c], width, mode="valid") for c in (0, 1)], axis=1)
        smooth[0], smooth[-1] = band[0], band[-1]
        band = smooth
    return resample(band, 0.03)
