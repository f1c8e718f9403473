"""The convex pieces of a stage at their places in the world, as flat arrays that compiled loops read.

A *group* is what moves as one: all pieces of a link. `place(state)` writes only the groups whose pose or joints differ from what the arrays
hold, so that a state close to the last one costs little; the result depends on the state alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import ConvexPiece, Entity, Link, StageModel, link_matrix
from assistcore.house.state import HouseState
from assistcore.world.poses import Pose

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
B1 = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Hull:
    """A convex piece in its link's frame: corners (n, 3), unique edges (m, 2), face planes (k, 4) with n . x <= d, and its box."""

    corners_m: F64
    edges: I64
    planes: F64
    box_centre_m: F64
    box_axes: F64
    box_half_m: F64


@lru_cache(maxsize=1)
def _box_edges() -> I64:
    signs = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    return np.array([(i, j) for i in range(8) for j in range(i) if np.abs(signs[i] - signs[j]).sum() == 1], dtype=np.int64)


def hull_of(piece: ConvexPiece) -> Hull:
    """The hull of a piece. A flat piece is thickened to 1 mm."""
    T = piece.T_link_piece
    if piece.half_extents_m is not None:
        return _box_hull(T, np.asarray(piece.half_extents_m, dtype=np.float64))
    points = np.asarray(piece.vertices_m, dtype=np.float64) @ T[:3, :3].T + T[:3, 3]
    low, high = points.min(axis=0), points.max(axis=0)
    box = np.eye(4)
    box[:3, 3] = (low + high) / 2
    from scipy.spatial import ConvexHull, QhullError

    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return _box_hull(box, np.maximum((high - low) / 2, 5e-4))
    order = np.sort(hull.vertices)
    rank = np.full(len(points), -1, dtype=np.int64)
    rank[order] = np.arange(len(order))
    pairs = np.sort(rank[np.concatenate([hull.simplices[:, [0, 1]], hull.simplices[:, [1, 2]], hull.simplices[:, [2, 0]]])], axis=1)
    planes = np.unique(np.round(hull.equations, 9), axis=0)
    planes[:, 3] *= -1.0
    return Hull(points[order], np.unique(pairs, axis=0), planes, box[:3, 3], np.eye(3), (high - low) / 2)


def _box_hull(T: F64, half: F64) -> Hull:
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    axes = T[:3, :3]
    normals = np.concatenate([axes.T, -axes.T])
    planes = np.column_stack([normals, normals @ T[:3, 3] + np.concatenate([half, half])])
    return Hull(signs * half @ axes.T + T[:3, 3], _box_edges(), planes, T[:3, 3].copy(), axes.copy(), half)


class Placed:
    """Flat arrays of one stage. Rows of pieces are sorted by entity; `piece_start[e] : piece_start[e + 1]` are those of entity row `e`.

    corners_m (v, 3), edges (m, 2) into corners, planes (k, 4), boxes: centre (p, 3), axes (p, 3, 3), half (p, 3); per piece the ranges
    `corner_start`, `edge_start`, `plane_start` (p + 1,); bounds: piece_low, piece_high (p, 3), low, high (e, 3). Regions: T_region_world
    (r, 4, 4), half-open boxes region_low, region_high (r, 3), region_entity (r,). samples (e, s, 3): points that fill the entity's box.
    """

    def __init__(self, stage: StageModel) -> None:
        self.keys = tuple(e.key for e in stage.entities)
        self.row = {k: i for i, k in enumerate(self.keys)}
        self._entities = stage.entities
        self._build_pieces(stage.entities)
        self._build_regions(stage.entities)
        self.samples = np.zeros((len(self.keys), SAMPLES_PER_SIDE**3, 3))
        self.centre = np.zeros((len(self.keys), 3))
        self._local_samples = [_fill(e) for e in stage.entities]
        self._held: list[tuple[Pose, tuple[float, ...]] | None] = [None] * len(self.keys)
        self._last: HouseState | None = None
        self._jointed = [tuple(j.key for j in e.joints) for e in stage.entities]
        self._initial = [tuple(j.initial for j in e.joints) for e in stage.entities]
        for i, e in enumerate(stage.entities):
            self._write(i, e.pose, self._initial[i])

    def _build_pieces(self, entities: tuple[Entity, ...]) -> None:
        hulls: list[Hull] = []
        self._groups: list[list[tuple[Link, slice, slice, slice]]] = []
        starts, corner, edge, plane = [0], [0], [0], [0]
        for e in entities:
            groups = []
            for link in e.links:
                first = len(hulls)
                for piece in link.pieces:
                    hulls.append(hull_of(piece))
                    corner.append(corner[-1] + len(hulls[-1].corners_m))
                    edge.append(edge[-1] + len(hulls[-1].edges))
                    plane.append(plane[-1] + len(hulls[-1].planes))
                last = len(hulls)
                groups.append((link, slice(first, last), slice(corner[first], corner[last]), slice(plane[first], plane[last])))
            self._groups.append(groups)
            starts.append(len(hulls))
        self.piece_start = np.array(starts, dtype=np.int64)
        self.corner_start, self.edge_start, self.plane_start = (np.array(x, dtype=np.int64) for x in (corner, edge, plane))
        self._corners = _joined([h.corners_m for h in hulls], 3)
        self.edges = _joined([h.edges + c for h, c in zip(hulls, corner, strict=False)], 2).astype(np.int64)
        self._planes = _joined([h.planes for h in hulls], 4)
        self._centres = np.array([h.box_centre_m for h in hulls]).reshape(-1, 3)
        self._axes = np.array([h.box_axes for h in hulls]).reshape(-1, 3, 3)
        self.box_half = np.array([h.box_half_m for h in hulls]).reshape(-1, 3)
        self.corners, self.planes = self._corners.copy(), self._planes.copy()
        self.box_centre, self.box_axes = self._centres.copy(), self._axes.copy()
        self.piece_low, self.piece_high = np.zeros((len(hulls), 3)), np.zeros((len(hulls), 3))
        self.low, self.high = np.zeros((len(entities), 3)), np.zeros((len(entities), 3))

    def _build_regions(self, entities: tuple[Entity, ...]) -> None:
        found = [(i, e, r) for i, e in enumerate(entities) for r in e.regions if r.kind == "interior"]
        self.region_entity = np.array([i for i, _, _ in found], dtype=np.int64)
        self.region_low = np.array([r.low_m for _, _, r in found]).reshape(-1, 3)
        self.region_high = np.array([r.high_m for _, _, r in found]).reshape(-1, 3)
        self.T_region_world = np.zeros((len(found), 4, 4))
        self.regions = tuple(r for _, _, r in found)
        self._regions_of: dict[int, list[int]] = {}
        for n, (i, _, _) in enumerate(found):
            self._regions_of.setdefault(i, []).append(n)

    def place(self, state: HouseState) -> None:
        """Bring the arrays to a state; what the state placed last shares with this one is not looked at."""
        last, self._last = self._last, state
        poses = {} if last is None else last.poses
        still = last is not None and (last.joints is state.joints or last.joints == state.joints)
        if still and poses is state.poses:
            return
        for key in self._looked_at(last, state, still):
            i, pose = self.row[key], state.poses.get(key)
            joints = self._jointed[i]
            if pose is None and not joints:
                continue
            if last is not None and pose is poses.get(key) and (still or not joints):
                continue
            values = tuple(state.joints.get(j, v) for j, v in zip(joints, self._initial[i], strict=True)) if joints else ()
            self._write(i, pose or self._entities[i].pose, values)

    def _looked_at(self, last: HouseState | None, state: HouseState, still: bool) -> Iterable[str]:
        """The entities that can stand otherwise than in the last state; `still`: all joints are as they were."""
        if last is None or not still or last.poses.keys() != state.poses.keys():
            return self.keys
        then = last.poses
        return [key for key, pose in state.poses.items() if pose is not then[key]]

    def _write(self, i: int, pose: Pose, values: tuple[float, ...]) -> None:
        if self._held[i] is not None and self._held[i] == (pose, values):
            return
        self._held[i] = (pose, values)
        e, root = self._entities[i], pose.matrix()
        joints = dict(zip(self._jointed[i], values, strict=True))
        for link, pieces, corners, planes in self._groups[i]:
            if pieces.start == pieces.stop:
                continue
            T = link_matrix(e, link, root, joints)
            R, t = T[:3, :3], T[:3, 3]
            self.corners[corners] = self._corners[corners] @ R.T + t
            normals = self._planes[planes, :3] @ R.T
            self.planes[planes, :3] = normals
            self.planes[planes, 3] = self._planes[planes, 3] + normals @ t
            self.box_centre[pieces] = self._centres[pieces] @ R.T + t
            self.box_axes[pieces] = R @ self._axes[pieces]
            cuts = self.corner_start[pieces.start : pieces.stop] - corners.start
            self.piece_low[pieces] = np.minimum.reduceat(self.corners[corners], cuts, axis=0)
            self.piece_high[pieces] = np.maximum.reduceat(self.corners[corners], cuts, axis=0)
        first, last = self.piece_start[i], self.piece_start[i + 1]
        if first < last:
            self.low[i], self.high[i] = self.piece_low[first:last].min(axis=0), self.piece_high[first:last].max(axis=0)
        else:
            self.low[i] = self.high[i] = root[:3, 3]
        self.samples[i] = self._local_samples[i] @ root[:3, :3].T + root[:3, 3]
        self.centre[i] = np.add.reduce(self.samples[i], axis=0) / len(self.samples[i])
        for n in self._regions_of.get(i, ()):
            T = link_matrix(e, e.link(self.regions[n].link), root, joints)
            self.T_region_world[n, :3, :3] = T[:3, :3].T
            self.T_region_world[n, :3, 3] = -T[:3, :3].T @ T[:3, 3]
            self.T_region_world[n, 3, 3] = 1.0


SAMPLES_PER_SIDE = 4


def _fill(entity: Entity) -> F64:
    """Centres of a 4 x 4 x 4 grid of cells that fill the entity's box, root frame, shape (64, 3)."""
    low, high = entity.box_m
    steps = (np.arange(SAMPLES_PER_SIDE) + 0.5) / SAMPLES_PER_SIDE
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.asarray(low + grid * (high - low))


def _joined(arrays: Iterable[NDArray[np.generic]], width: int) -> F64:
    every = list(arrays)
    return np.concatenate(every).astype(np.float64) if every else np.zeros((0, width))


_PLACED: WeakKeyDictionary[StageModel, Placed] = WeakKeyDictionary()


def placed(stage: StageModel, state: HouseState) -> Placed:
    """The arrays of a stage, at a state. One set per stage is kept while the stage lives: use the result before the next call."""
    found = _PLACED.get(stage)
    if found is None:
        found = _PLACED.setdefault(stage, Placed(stage))
    found.place(state)
    return found
