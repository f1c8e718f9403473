"""Signed distances from a thing as it is drawn, on the points of its grid (seed B.2.2).

Every triangle is told to the grid points within `NEAR_M` of its box only, which is exact there and takes milliseconds; farther away the
convex pieces are near enough.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from actions.manipulation import drawn_kernels
from assistcore.house.stage import Entity, link_matrix

F64 = NDArray[np.float64]

NEAR_M = 0.013


def drawn_distance(entity: Entity, origin_m: F64, voxel_m: float, pieces: F64) -> F64 | None:
    """The grid (nx, ny, nz) of distances from the drawn surface, negative inside, where it is near; else that of the convex pieces.

    Grid points are at origin_m + voxel_m * index. None for a thing that is not drawn.
    """
    surface = drawn_triangles(entity)
    if not len(surface):
        return None
    drawn_kernels.KERNELS.ready()
    near_m = max(NEAR_M, 2.5 * voxel_m)
    distance, square = np.full(pieces.shape, np.inf), np.zeros(pieces.shape)
    drawn_kernels.splat(np.ascontiguousarray(surface), np.ascontiguousarray(origin_m), float(voxel_m), near_m, distance, square)
    known = np.abs(distance) <= near_m
    doubtful = np.argwhere(known & (distance > 0.0) & (pieces < 0.0))  # parts that touch or overlap each other have faces inside
    inside = np.zeros(len(doubtful), np.bool_)
    drawn_kernels.enclosed(np.ascontiguousarray(surface), origin_m + voxel_m * doubtful, inside)
    distance[tuple(doubtful[inside].T)] *= -1.0
    beyond = np.where(pieces > 0.0, np.maximum(pieces, near_m), np.minimum(pieces, -near_m))
    return np.asarray(np.where(known, distance, beyond))


def drawn_triangles(entity: Entity) -> F64:
    """All drawn triangles (m, 3, 3) of an entity that have an area, root frame at joint zero."""
    found = [np.zeros((0, 3, 3))]
    for link in entity.links:
        T = link_matrix(entity, link, np.eye(4), {j.key: 0.0 for j in entity.joints})
        for part in link.parts:
            found.append((np.asarray(part.vertices_m, np.float64) @ T[:3, :3].T + T[:3, 3])[part.faces])
    every = np.concatenate(found)
    doubled = np.linalg.norm(np.cross(every[:, 1] - every[:, 0], every[:, 2] - every[:, 0]), axis=1)
    return np.asarray(every[doubled > 1e-10])
