"""An object as the hand feels it: oriented box, signed distance on a padded voxel grid in object coordinates, cached per asset (B.2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.drawn import drawn_distance
from assistcore.house import narrowphase
from assistcore.house.collision import Solid, Solids, solid
from assistcore.house.stage import Entity, link_matrix
from humans.voxels import Voxels

F64 = NDArray[np.float64]

PAD_M = 0.045
"""How far the grid reaches beyond the object; distances are capped there."""
VOXEL_M = 0.004
BAR_LONG_M, BAR_THICK_M = 0.06, 0.045
MOST_VOXELS = 60
"""Along the longest side: larger objects get coarser voxels."""


class Bar(NamedTuple):
    """A slender part that a hand closes round: middle (3,), axis (3,), half thickness; in the object's root frame."""

    middle_m: F64
    axis: F64
    half_m: float


@dataclass(frozen=True, eq=False)
class Shape:
    """A movable object's geometry in its root frame: box corners low_m, high_m (3,), and a distance grid.

    grid (nx, ny, nz): signed distance in metres at origin_m + voxel_m * index, negative inside, capped at PAD_M.
    """

    low_m: F64
    high_m: F64
    origin_m: F64
    voxel_m: float
    grid: F64
    bars: tuple[Bar, ...] = ()
    grip_m: tuple[float, float, float] | None = None
    """Where the asset says that a hand takes hold of it."""
    corners_m: F64 | None = None
    """Corners (n, 3) of its convex pieces."""
    drawn: F64 | None = None
    """A second grid like `grid`: signed distance from the thing as it is drawn. None: as its convex pieces have it."""

    @property
    def size_m(self) -> F64:
        """Side lengths (3,)."""
        return self.high_m - self.low_m

    @property
    def centre_m(self) -> F64:
        """Centre of the box (3,)."""
        return 0.5 * (self.low_m + self.high_m)

    @cached_property
    def pieces(self) -> Voxels:
        """Signed distance from the convex pieces in the root frame, trilinear; PAD_M outside the grid."""
        return Voxels(self.grid, self.origin_m, self.voxel_m, PAD_M)

    @cached_property
    def surface(self) -> Voxels:
        """As `pieces`, from the drawn surface: what fingers close on."""
        return self.pieces if self.drawn is None else Voxels(self.drawn, self.origin_m, self.voxel_m, PAD_M)

    def distance(self, points_m: F64) -> F64:
        """Signed distance (n,) of points (n, 3) in the root frame from the convex pieces."""
        return self.pieces(points_m)


def entity_solids(entity: Entity) -> Solids:
    """All convex pieces of an entity in its root frame at joint zero."""
    parts = []
    for link in entity.links:
        T = link_matrix(entity, link, np.eye(4), {j.key: 0.0 for j in entity.joints})
        for piece in link.pieces:
            corners, faces, edges = solid(piece)
            R = T[:3, :3]
            parts.append(Solid(corners @ R.T + T[:3, 3], faces @ R.T, edges @ R.T))
    return Solids.of(parts)


def signed_distance(solids: Solids, points_m: F64, reach_m: float) -> F64:
    """Exact signed distance (n,) of points (n, 3) to a union of convex pieces, capped at reach_m."""
    narrowphase.KERNELS.ready()
    points = np.ascontiguousarray(points_m, np.float64)
    s, out = solids, np.empty(len(points))
    narrowphase.least_distances(
        points, s.corners_m, s.corner_rows, s.faces, s.face_rows, s.edges, s.edge_rows, s.low_m, s.high_m, float(reach_m), out
    )
    return out


def shape_of(entity: Entity, caches: dict[str, object]) -> Shape:
    """The shape of a movable entity; built once per asset (equal assets share it)."""
    key = f"manipulation.shape:{entity.asset}:{entity.key if not entity.asset else ''}:{np.round(np.concatenate(entity.box_m), 4).tolist()}"
    found = caches.get(key)
    if not isinstance(found, Shape):
        found = caches[key] = build_shape(entity)
    return found


def build_shape(entity: Entity) -> Shape:
    """Voxelise an entity (the first encounter with an asset is the costly one)."""
    low, high = entity.box_m
    voxel = max(VOXEL_M, float((high - low).max() + 2.0 * PAD_M) / MOST_VOXELS)
    count = np.ceil((high - low + 2.0 * PAD_M) / voxel).astype(np.int64) + 1
    origin = 0.5 * (low + high) - 0.5 * voxel * (count - 1)
    axes = [origin[k] + voxel * np.arange(count[k]) for k in range(3)]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    solids = entity_solids(entity)
    distance = signed_distance(solids, points, PAD_M).reshape(tuple(count))
    bars = bars_of(solids, 0.5 * (low + high))
    drawn = drawn_distance(entity, origin, voxel, distance)
    return Shape(low, high, origin, voxel, distance, bars, entity.grip_m, solids.corners_m, drawn)


def bars_of(solids: Solids, centre_m: F64) -> tuple[Bar, ...]:
    """Slender pieces at the outside of a thing (handles), the farthest from its middle first."""
    found: list[tuple[float, Bar]] = []
    for k in range(len(solids.low_m)):
        corners = solids.corners_m[solids.corner_rows[k] : solids.corner_rows[k + 1]]
        middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
        _, _, axes = np.linalg.svd(corners - corners.mean(axis=0), full_matrices=False)
        size = np.sort(np.ptp(corners @ axes.T, axis=0))
        if size[2] >= BAR_LONG_M and size[1] <= BAR_THICK_M and size[2] > 1.5 * size[1]:
            axis = axes[0] * np.sign(axes[0][int(np.argmax(np.abs(axes[0])))])
            found.append((-float(np.linalg.norm(middle - centre_m)), Bar(middle, axis, 0.25 * float(size[0] + size[1]))))
    return tuple(bar for _, bar in sorted(found, key=lambda pair: pair[0]))
