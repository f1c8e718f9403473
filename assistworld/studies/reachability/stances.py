"""Where a person who carries something may stand: a 5 cm grid and headings, the idle body clear, and a way there for the walking body."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.approach import at_stance
from actions.navigation.grid import Grid, grid_of
from actions.navigation.idle import idle_shapes
from actions.navigation.paths import RADII_M, flood
from actions.world import ActionWorld
from assistworld.studies.reachability.contacts import Flags, House, Thing, body_in

F64 = NDArray[np.float64]

STEP_M = 0.05
HEADINGS = 24
WALKING_M = 0.28
"""Where a way has this clearance the walking body passes, unless what it carries is wider."""
BACK_M, BACK_STEP_M = 0.60, 0.05
BACK_TURNS_RAD = tuple(np.radians((180.0, 150.0, -150.0, 90.0, -90.0, 0.0)).tolist())
LEAST_M = 0.05
"""Nobody stands where the middle of the body is nearer to something upright than this."""
BESIDE_M = 0.01
"""Kept from everything on the last straight stretch to a stance."""


class Ground:
    """The floor as the person's two feet know it. Stances are rows x, y, heading (n, 3)."""

    def __init__(self, world: ActionWorld, house: House, thing: Thing) -> None:
        self._house, self._grid = house, grid_of(world)
        self.start = np.array([*world.state.body.xy_m, world.state.body.heading_rad])
        shapes = idle_shapes(world)
        self._a, self._b, self._radius = shapes.a_m, shapes.b_m, shapes.radius_m
        xy = (float(self.start[0]), float(self.start[1]))
        carried = at_stance(world, (0.0, 0.0), 0.0).state.root(world.stage, thing.key)
        self._wide = np.isfinite(flood(self._grid, xy, max(WALKING_M, thing.half_width_m(carried))))
        some = np.isfinite(flood(self._grid, xy, RADII_M[-1])) | np.isfinite(flood(self._grid, xy, RADII_M[-1], doors=False))
        self._reached = _widened(some, 2) & (self._grid.without_doors_m >= LEAST_M)
        self._kept: dict[float, dict[tuple[int, ...], bool]] = {}

    def known(self, stances: F64) -> Flags:
        """Whether some way leads near stances (n, 2 or more), doors opened or not."""
        return _near(self._grid, self._reached, stances)

    def places(self, targets_m: F64, reach_m: float) -> F64:
        """Grid points (n, 2) within reach, along the floor, of some target (m, 2 or more), to which some way leads, doors opened or not."""
        from scipy.spatial import cKDTree

        low, high = targets_m[:, :2].min(axis=0) - reach_m, targets_m[:, :2].max(axis=0) + reach_m
        axes = [np.arange(np.floor(low[k] / STEP_M), np.ceil(high[k] / STEP_M) + 1) * STEP_M for k in (0, 1)]
        X, Y = np.meshgrid(*axes, indexing="ij")
        points = np.column_stack([X.ravel(), Y.ravel()])
        points = points[_near(self._grid, self._reached, points)]
        if not len(points):
            return points
        away, _ = cKDTree(targets_m[:, :2]).query(points)
        return np.asarray(points[away <= reach_m])

    def idle_free(self, stances: F64, deeper_m: float) -> Flags:
        """Whether the idle body, carrying what it carries, is clear of the house by a bound at stances (n, 3); each is looked at once."""
        step = 2.0 * np.pi / HEADINGS
        marks = np.round(stances / [0.25 * STEP_M, 0.25 * STEP_M, 0.25 * step]).astype(np.int64)
        marks[:, 2] %= 4 * HEADINGS
        kept = self._kept.setdefault(deeper_m, {})
        rows = [tuple(mark) for mark in marks.tolist()]
        new = {row: i for i, row in enumerate(rows) if row not in kept}
        fresh = np.fromiter(new.values(), np.int64, len(new))
        kept.update(zip(new, self._idle_free(stances[fresh], deeper_m).tolist(), strict=True))
        return np.array([kept[row] for row in rows], np.bool_)

    def _idle_free(self, stances: F64, deeper_m: float) -> Flags:
        out = np.zeros(len(stances), np.bool_)
        rows = np.arange(self._a.shape[0])
        for first in range(0, len(stances), 4000):
            part = stances[first : first + 4000]
            a, b = placed(self._a[None], part), placed(self._b[None], part)
            out[first : first + 4000] = ~body_in(self._house, a, b, self._radius, rows, deeper_m)
        return out

    def walkable(self, stance: F64) -> bool:
        """Whether a wide way leads to the stance, but for a straight last stretch on which the idle body stays clear."""
        if np.allclose(stance, self.start, atol=1e-9):
            return True
        for turn in BACK_TURNS_RAD:
            angle = stance[2] + turn
            steps = np.arange(0.0, BACK_M + 1e-9, BACK_STEP_M)
            way = np.column_stack([stance[0] + steps * np.cos(angle), stance[1] + steps * np.sin(angle), np.full(len(steps), stance[2])])
            there = _near(self._grid, self._wide, way[:, :2])
            if there.any() and self.idle_free(way[1 : int(np.argmax(there)) + 1], -BESIDE_M).all():
                return True
        return False


def _widened(cells: Flags, by: int) -> Flags:
    from scipy import ndimage

    return np.asarray(ndimage.binary_dilation(cells, np.ones((2 * by + 1, 2 * by + 1), np.bool_)))


def _near(grid: Grid, cells: Flags, points: F64) -> Flags:
    """Whether the cell of each point (n, 2 or more) is one of some cells."""
    i = np.clip(np.round((points[:, 0] - grid.x0_m) / grid.step_m).astype(int), 0, cells.shape[0] - 1)
    j = np.clip(np.round((points[:, 1] - grid.y0_m) / grid.step_m).astype(int), 0, cells.shape[1] - 1)
    return np.asarray(cells[i, j])


def placed(points: F64, stances: F64) -> F64:
    """Points (n or 1, k, 3) of figures at the origin facing +x, moved to stances (n, 3)."""
    c, s = np.cos(stances[:, 2])[:, None], np.sin(stances[:, 2])[:, None]
    out = np.empty((len(stances), points.shape[1], 3))
    out[..., 0] = c * points[..., 0] - s * points[..., 1] + stances[:, :1]
    out[..., 1] = s * points[..., 0] + c * points[..., 1] + stances[:, 1:2]
    out[..., 2] = points[..., 2]
    return out


def frames(T: F64, stances: F64) -> F64:
    """Transforms (n, 4, 4) of figures at the origin, moved to stances (n, 3)."""
    S = np.tile(np.eye(4), (len(stances), 1, 1))
    c, s = np.cos(stances[:, 2]), np.sin(stances[:, 2])
    S[:, 0, 0], S[:, 0, 1], S[:, 1, 0], S[:, 1, 1] = c, -s, s, c
    S[:, :2, 3] = stances[:, :2]
    return np.asarray(S @ T)
