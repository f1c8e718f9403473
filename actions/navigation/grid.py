"""The occupancy grid (seed B.2.1): 0.10 m cells, layers for walls, furniture, door leaves and floor support, clearance per cell.

Clearance at a cell centre is exact: the distance to the footprints of the convex pieces, cut at the layer's height band, so that neither
the obstacle nor the inflation is rounded to cells (a body passes wherever it fits). Farther than `REACH_M` it is that far. Distance to
cells without floor is a Euclidean distance transform.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from actions.navigation import kernels
from actions.screening import collision_world, floor_keys
from actions.world import ActionWorld
from assistcore.house.collision import CollisionWorld
from assistcore.world.errors import AssistWorldError

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Bool = NDArray[np.bool_]

STEP_M = 0.10
REACH_M = 0.80
WALL_BAND_M = (0.20, 1.90)
FURNITURE_BAND_M = (0.05, 1.90)
DOOR_COST = 1.5
"""c_door of eq. (2): extra cost of a cell in a doorway, in units of one cell."""
LAMBDA = 8.0
SAFE_M = 0.35
EDGE_M = 0.05


class Disk(NamedTuple):
    """A temporary obstacle: cells whose centre lies inside are blocked."""

    x_m: float
    y_m: float
    radius_m: float = 0.20


GRIDS_KEPT = 6


@dataclass(frozen=True, eq=False)
class Grid:
    """Clearances at cell centres (x0 + i step, y0 + j step), shape (nx, ny), metres, negative inside obstacles.

    `walls_m`, `furniture_m`, `doors_m`, `support_m` are the layers; `names[owner[i, j]]` is the nearest obstacle; `extra` is c_door.
    """

    x0_m: float
    y0_m: float
    floor_m: float
    walls_m: F64
    furniture_m: F64
    doors_m: F64
    support_m: F64
    owner: I64
    names: tuple[str, ...]
    extra: F64
    step_m: float = STEP_M
    disks: tuple[Disk, ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        """Cells along x and y."""
        return self.walls_m.shape[0], self.walls_m.shape[1]

    @cached_property
    def clearance_m(self) -> F64:
        """Least of all layers and disks."""
        return self._with_disks(np.minimum(self.without_doors_m, self.doors_m))

    @cached_property
    def without_doors_m(self) -> F64:
        """Least of all layers but the door leaves."""
        return np.minimum(np.minimum(self.walls_m, self.furniture_m), self.support_m)

    def _with_disks(self, D: F64) -> F64:
        if not self.disks:
            return D
        X, Y = np.meshgrid(self.x0_m + self.step_m * np.arange(D.shape[0]), self.y0_m + self.step_m * np.arange(D.shape[1]), indexing="ij")
        for disk in self.disks:
            away = np.hypot(X - disk.x_m, Y - disk.y_m) - disk.radius_m
            D = np.where(away < 0.0, np.minimum(D, away), np.minimum(D, 0.2 + away))
        return D

    def with_disks(self, disks: tuple[Disk, ...]) -> Grid:
        """The same grid with other temporary obstacles."""
        return replace(self, disks=disks)

    def cell(self, x_m: float, y_m: float) -> tuple[int, int]:
        """Nearest cell, clipped to the grid."""
        i, j = round((x_m - self.x0_m) / self.step_m), round((y_m - self.y0_m) / self.step_m)
        return min(max(i, 0), self.shape[0] - 1), min(max(j, 0), self.shape[1] - 1)

    def centre(self, i: int, j: int) -> tuple[float, float]:
        """Centre of a cell, world metres."""
        return self.x0_m + self.step_m * i, self.y0_m + self.step_m * j

    def at(self, x_m: float, y_m: float) -> float:
        """Clearance at a point (bilinear)."""
        return float(kernels.sample(self.clearance_m, float(x_m), float(y_m), self.x0_m, self.y0_m, self.step_m))


def _bounds(scene: CollisionWorld, floor: frozenset[str]) -> tuple[F64, F64]:
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for key in sorted(floor):
        box = scene.box_m(key)
        if box is not None:
            low, high = np.minimum(low, box[0][:2]), np.maximum(high, box[1][:2])
    for room in scene.stage.rooms:
        points = np.asarray(room.polygon_m, np.float64)
        low, high = np.minimum(low, points.min(axis=0)), np.maximum(high, points.max(axis=0))
    if not np.isfinite(low).all():
        raise AssistWorldError(f"scene {scene.stage.name!r} has neither floor entities nor rooms: nowhere to walk")
    return low, high


def _footprint(corners: F64, low: float, high: float) -> F64 | None:
    points = kernels.band_points(corners, low, high)
    return kernels.hull_2d(points) if len(points) else None


def _support(scene: CollisionWorld, floor: frozenset[str], x0: float, y0: float, shape: tuple[int, int], height: float, step: float) -> F64:
    """Distance of every cell to the nearest one without floor, metres (0 and less without)."""
    from scipy import ndimage

    far = np.full(shape, 1.0)
    who = np.zeros(shape, np.int64)
    world = scene.placed
    found = False
    for key in sorted(floor):
        for row in scene.pieces_of(key):
            corners = world.corners_m[world.corner_rows[row] : world.corner_rows[row + 1]]
            if scene.hidden[row] or abs(float(corners[:, 2].max()) - height) > 0.06:
                continue
            found = True
            kernels.stamp(far, who, 0, kernels.hull_2d(np.ascontiguousarray(corners[:, :2])), x0, y0, step, 0.05)
    for room in () if found else scene.stage.rooms:
        outline = np.asarray(room.polygon_m, np.float64)
        kernels.stamp(far, who, 0, kernels.hull_2d(outline), x0, y0, step, 0.05)
    pad = round(0.3 / step)
    on = ndimage.binary_closing(np.pad(far <= 0.01, pad), iterations=round(0.2 / step))[pad:-pad, pad:-pad]
    padded = np.pad(on, 1)
    inside = ndimage.distance_transform_edt(padded)[1:-1, 1:-1] * step - 0.5 * step
    out: F64 = np.where(on, inside, -0.05)
    return out


def _door_region(scene: CollisionWorld, key: str) -> F64 | None:
    """Footprint of a door's closed leaf, widened to the doorway."""
    entity = scene.stage.entity(key)
    solids = scene.solids_of(key, scene.root(key), {j.key: j.closed_at for j in entity.joints})
    return _footprint(solids.corners_m, *FURNITURE_BAND_M) if len(solids.low_m) else None


def build_grid(scene: CollisionWorld, floor: frozenset[str], ignore: frozenset[str], floor_m: float = 0.0, step_m: float = STEP_M) -> Grid:
    """The grid of the collision world as placed. `ignore`: what the person carries. Raises AssistWorldError without any floor."""
    kernels.KERNELS.ready()
    low, high = _bounds(scene, floor)
    x0, y0 = float(low[0]) - 0.15, float(low[1]) - 0.15
    shape = (int(np.ceil((high[0] + 0.15 - x0) / step_m)) + 1, int(np.ceil((high[1] + 0.15 - y0) / step_m)) + 1)
    layers = {kind: np.full(shape, REACH_M) for kind in ("walls", "furniture", "doors")}
    owners = {kind: np.full(shape, -1, np.int64) for kind in layers}
    names: list[str] = []
    extra = np.zeros(shape)
    world = scene.placed
    for entity in scene.stage.entities:
        if entity.key in floor or entity.key in ignore:
            continue
        kind = {"structure": "walls", "door": "doors"}.get(entity.kind, "furniture")
        bottom, top = WALL_BAND_M if kind == "walls" else FURNITURE_BAND_M
        names.append(entity.key)
        for row in scene.pieces_of(entity.key):
            if scene.hidden[row] or world.low_m[row, 2] > floor_m + top or world.high_m[row, 2] < floor_m + bottom:
                continue
            corners = world.corners_m[world.corner_rows[row] : world.corner_rows[row + 1]]
            hull = _footprint(corners, floor_m + bottom, floor_m + top)
            if hull is not None:
                kernels.stamp(layers[kind], owners[kind], len(names) - 1, hull, x0, y0, step_m, REACH_M)
        if entity.kind == "door":
            region = _door_region(scene, entity.key)
            if region is not None:
                near = np.full(shape, 1.0)
                kernels.stamp(near, np.zeros(shape, np.int64), 0, region, x0, y0, step_m, 0.15)
                extra[near < 0.15] = DOOR_COST
    support = _support(scene, floor, x0, y0, shape, floor_m, step_m)
    stack = np.stack([layers["walls"], layers["furniture"], layers["doors"]])
    pick = np.argmin(stack, axis=0)
    owner = np.take_along_axis(np.stack([owners["walls"], owners["furniture"], owners["doors"]]), pick[None], axis=0)[0]
    return Grid(x0, y0, floor_m, layers["walls"], layers["furniture"], layers["doors"], support, owner, tuple(names), extra, step_m)


def carried_keys(world: ActionWorld) -> frozenset[str]:
    """The held object and everything that rides on it, at any depth."""
    held = world.state.held
    if held is None:
        return frozenset()
    keys = {held.entity}
    while True:
        more = {r.entity for r in world.state.riding if r.carrier in keys} - keys
        if not more:
            return frozenset(keys)
        keys |= more


def grid_of(world: ActionWorld) -> Grid:
    """The grid of a scratch world's state, cached until an obstacle moves; some earlier ones are kept, as doors open on a planned way."""
    scene = collision_world(world)
    carried = carried_keys(world)
    kept = cast("dict[object, Grid]", world.caches.setdefault("grids", {}))
    asked = (scene, scene.obstacle_key(carried), carried)
    if asked not in kept:
        if len(kept) >= GRIDS_KEPT:
            kept.clear()
        kept[asked] = build_grid(scene, floor_keys(world), carried)
    return kept[asked]
