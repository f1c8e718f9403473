"""Why there is no way: the narrowest place of the widest way, the two things beside it, and both widths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.navigation import kernels
from actions.navigation.grid import LAMBDA, SAFE_M, Grid
from assistcore.house.clearance import Hit
from assistcore.house.collision import CollisionWorld
from assistcore.house.contacts import floors
from assistcore.world.outcomes import Code, Refusal

F64 = NDArray[np.float64]


class Bottleneck(NamedTuple):
    """A gap between two obstacles: their keys, its width and place, metres."""

    first: str
    second: str
    width_m: float
    x_m: float
    y_m: float


def _widest_cells(grid: Grid, D: F64, start: tuple[int, int], goal: tuple[int, int]) -> NDArray[np.int64] | None:
    """Cells (n, 2) of the way whose least clearance is greatest, or None where even a point cannot pass."""
    low, high = 0.0, float(min(D[start], D[goal], 0.8))
    if high <= 0.0:
        return None
    best = None
    for k in range(12):
        radius = 0.5 * (low + high) if k else 1e-6
        free = D >= radius
        free[start] = free[goal] = True
        cost, parent = kernels.search(
            free, D, grid.extra, start[0] * grid.shape[1] + start[1], goal[0] * grid.shape[1] + goal[1], grid.step_m, SAFE_M, LAMBDA
        )
        node = goal[0] * grid.shape[1] + goal[1]
        if np.isfinite(cost[node]):
            cells = [node]
            while parent[cells[-1]] >= 0:
                cells.append(int(parent[cells[-1]]))
            best = np.array([(c // grid.shape[1], c % grid.shape[1]) for c in reversed(cells)])
            low = radius
        elif k == 0:
            return None
        else:
            high = radius
    return best


def _sides(scene: CollisionWorld, grid: Grid, x: float, y: float, ignore: frozenset[str]) -> Bottleneck | None:
    """The nearest obstacle to a point and the nearest one on its other side, over a standing person's height."""
    heights = grid.floor_m + np.arange(0.25, 1.75, 0.15)
    column = np.c_[np.full(len(heights), x), np.full(len(heights), y), heights]
    names = tuple(f"{h:.2f}" for h in heights)
    hits = scene.capsules(names, column, column, np.full(len(heights), 1e-3), ignore=ignore, margin_m=0.9)
    if not hits:
        return None
    first = min(hits)
    away = np.array([first.point_m[0] - x, first.point_m[1] - y])
    length = float(np.linalg.norm(away))
    if length < 1e-6:
        return None

    def opposite(hit: Hit) -> bool:
        d = np.array([hit.point_m[0] - x, hit.point_m[1] - y])
        return float(d @ away) < -0.5 * length * float(np.linalg.norm(d))

    others = [h for h in hits if opposite(h)]
    if not others:
        return None
    second = min(others)
    a, b = np.array(first.point_m[:2]), np.array(second.point_m[:2])
    middle = 0.5 * (a + b)
    keys = sorted((first.owner, second.owner))
    return Bottleneck(keys[0], keys[1], float(np.linalg.norm(a - b)), float(middle[0]), float(middle[1]))


def find_bottleneck(
    scene: CollisionWorld, grid: Grid, start_m: tuple[float, float], goal_m: tuple[float, float], *, ignore: frozenset[str] = frozenset()
) -> Bottleneck | None:
    """The narrowest gap on the widest way, or None where there is no way at all (or it is narrow for no two obstacles)."""
    D = grid.with_disks(()).clearance_m
    cells = _widest_cells(grid, D, grid.cell(*start_m), grid.cell(*goal_m))
    if cells is None:
        return None
    values = D[cells[:, 0], cells[:, 1]]
    inner = slice(3, -3) if len(values) > 8 else slice(None)
    worst = int(np.argmin(values[inner])) + (3 if len(values) > 8 else 0)
    place = grid.centre(int(cells[worst, 0]), int(cells[worst, 1]))
    return _sides(scene, grid, *place, ignore | floors(scene.stage))


def blocked(
    scene: CollisionWorld,
    grid: Grid,
    start_m: tuple[float, float],
    goal_m: tuple[float, float],
    need_m: float,
    *,
    ignore: frozenset[str] = frozenset(),
    reason: str = "",
) -> Refusal:
    """PATH_BLOCKED with the place and both widths where a gap is too narrow, else with what was found instead."""
    narrow = find_bottleneck(scene, grid, start_m, goal_m, ignore=ignore)
    x, y = goal_m
    if narrow is None:
        return Refusal(Code.PATH_BLOCKED, reason or f"no way from {_at(*start_m)} to {_at(x, y)}", "go somewhere else or clear the way")
    if narrow.width_m < need_m:
        fact = f"gap {narrow.first}/{narrow.second} {narrow.width_m:.2f} m < {need_m:.2f} m at {_at(narrow.x_m, narrow.y_m)}"
        return Refusal(Code.PATH_BLOCKED, fact, f"make room between {narrow.first} and {narrow.second}")
    detail = reason or f"narrowest gap {narrow.first}/{narrow.second} {narrow.width_m:.2f} m at {_at(narrow.x_m, narrow.y_m)}"
    return Refusal(Code.PATH_BLOCKED, f"no safe way to {_at(x, y)}: {detail}", "go somewhere else or clear the way")


def _at(x: float, y: float) -> str:
    return f"({x:.2f}, {y:.2f})"
