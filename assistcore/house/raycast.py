"""Ray casting against what can be seen: the visual meshes of a stage and the person's skin, from one eye through a grid of pixel centres.

All rays start at the eye, so that a triangle is hit by exactly the rays inside the three planes through the eye and its edges: each
triangle is tested against the rays of its bounds in the picture, and the nearest hit of every ray is kept. Exact at every ray, and no
structure to rebuild when things move. Glass (opacity below 1) hides nothing; its own hits in front of what is opaque are kept apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from assistcore.house import raycast_kernels
from assistcore.house.stage import StageModel, link_matrix
from assistcore.house.state import HouseState
from assistcore.world.poses import Pose

F64 = NDArray[np.float64]
I32 = NDArray[np.int32]
I64 = NDArray[np.int64]

NOTHING = -1
BODY = -2
"""Owner of a hit on the person's own body."""
NEAR_M = 0.03
"""Nothing nearer than this along the view axis is seen: the near plane of the pictures (`assistcore.pictures.camera.Camera`)."""


@dataclass(frozen=True, eq=False)
class Eye:
    """Where rays start and the plane they go through. R_world_cam (3, 3): columns right, up, backward. tangents: half width and height of
    the picture at unit depth; `left, top, right, bottom` choose a window of it, in fractions of the whole picture (0..1)."""

    position_m: F64
    R_world_cam: F64
    tangents: tuple[float, float]
    window: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)

    @classmethod
    def of(cls, position_m: F64, R_world_cam: F64, hfov_rad: float, width: int, height: int) -> Eye:
        """The eye of a pinhole camera with square pixels."""
        half = float(np.tan(hfov_rad / 2))
        return cls(np.asarray(position_m, dtype=np.float64), np.asarray(R_world_cam, dtype=np.float64), (half, half * height / width))

    def grid(self, width: int, height: int) -> tuple[F64, F64]:
        """Ray slopes of the columns (width,) and rows (height,): ray = (x, y, -1) in the camera frame."""
        left, top, right, bottom = self.window
        u = left + (right - left) * (np.arange(width) + 0.5) / width
        v = top + (bottom - top) * (np.arange(height) + 0.5) / height
        return (2.0 * u - 1.0) * self.tangents[0], (1.0 - 2.0 * v) * self.tangents[1]


@dataclass(frozen=True, eq=False)
class Hits:
    """What each ray meets first. owner (h, w) int32: entity row, BODY or NOTHING; depth_m (h, w) along the view axis, inf for nothing;
    glass (h, w) int32: the nearest transparent owner in front of it, or NOTHING."""

    owner: I32
    depth_m: F64
    glass: I32


class Visuals:
    """The visual meshes of a stage, flat: vertices `vertex_start[p] : vertex_start[p + 1]` of part p are in the frame of link `link[p]`."""

    def __init__(self, stage: StageModel) -> None:
        self.keys = tuple(e.key for e in stage.entities)
        self.row = {key: row for row, key in enumerate(self.keys)}
        self._entities = stage.entities
        vertices, faces, self._links = [], [], []
        starts, face_starts, link_rows, owners, clear = [0], [0], [], [], []
        for row, entity in enumerate(stage.entities):
            for link in entity.links:
                self._links.append((row, entity, link))
                for part in link.parts:
                    vertices.append(part.vertices_m)
                    faces.append(part.faces)
                    starts.append(starts[-1] + len(part.vertices_m))
                    face_starts.append(face_starts[-1] + len(part.faces))
                    link_rows.append(len(self._links) - 1)
                    owners.append(row)
                    clear.append(part.surface.opacity < 1.0)
        self.vertices = np.concatenate(vertices).astype(np.float32) if vertices else np.zeros((0, 3), np.float32)
        self.faces = np.concatenate(faces).astype(np.int32) if faces else np.zeros((0, 3), np.int32)
        self.vertex_start, self.face_start = np.array(starts, dtype=np.int64), np.array(face_starts, dtype=np.int64)
        self.link, self.owner = np.array(link_rows, dtype=np.int64), np.array(owners, dtype=np.int32)
        self.clear = np.array(clear, dtype=np.bool_)
        self.spheres = np.array([_sphere(v) for v in vertices]).reshape(-1, 4)
        self.T_world_link = np.tile(np.eye(4), (len(self._links), 1, 1))
        self._first_link = np.searchsorted([row for row, _, _ in self._links], np.arange(len(self.keys) + 1))
        self._last: HouseState | None = None
        self._held: list[tuple[Pose, tuple[float, ...]] | None] = [None] * len(self.keys)

    def place(self, state: HouseState) -> None:
        """Bring the link transforms to a state; only what moved is written, and what it shares with the last one is not looked at."""
        last, self._last = self._last, state
        poses = None if last is None else last.poses
        still = last is not None and last.joints is state.joints
        if still and poses is state.poses:
            return
        for row, entity in enumerate(self._entities):
            pose = state.poses.get(entity.key, entity.pose)
            if poses is not None and pose is poses.get(entity.key, entity.pose) and (still or not entity.joints):
                continue
            values = tuple(state.joints.get(j.key, j.initial) for j in entity.joints)
            if self._held[row] == (pose, values):
                continue
            self._held[row] = (pose, values)
            root = pose.matrix()
            for n in range(self._first_link[row], self._first_link[row + 1]):
                self.T_world_link[n] = link_matrix(entity, self._links[n][2], root, state.joints)


def _sphere(vertices: NDArray[np.float32]) -> tuple[float, float, float, float]:
    """Centre and radius of a sphere round vertices."""
    v = np.asarray(vertices, dtype=np.float64)
    if not len(v):
        return 0.0, 0.0, 0.0, 0.0
    centre = (v.min(axis=0) + v.max(axis=0)) / 2
    return float(centre[0]), float(centre[1]), float(centre[2]), float(np.linalg.norm(v - centre, axis=1).max())


_VISUALS: WeakKeyDictionary[StageModel, Visuals] = WeakKeyDictionary()


def visuals(stage: StageModel) -> Visuals:
    """The flat meshes of a stage, built once while it lives."""
    found = _VISUALS.get(stage)
    return found if found is not None else _VISUALS.setdefault(stage, Visuals(stage))


def cast(
    stage: StageModel,
    state: HouseState,
    eye: Eye,
    width: int,
    height: int,
    *,
    body_vertices_m: F64 | None = None,
    body_faces: NDArray[np.integer] | None = None,
    only: frozenset[str] | None = None,
) -> Hits:
    """First hits of width x height rays. `only` leaves all other entities and the body out."""
    kernel = raycast_kernels
    kernel.KERNELS.ready()
    scene = visuals(stage)
    scene.place(state)
    xs, ys = eye.grid(width, height)
    to_camera = np.eye(4)
    to_camera[:3, :3] = eye.R_world_cam.T
    to_camera[:3, 3] = -eye.R_world_cam.T @ eye.position_m
    T = to_camera @ scene.T_world_link
    shown = np.full(len(scene.keys), only is None)
    absent = state.absent(stage)
    for key in absent if only is None else only - absent:
        if key in scene.row:
            shown[scene.row[key]] = only is not None
    owner = np.full((height, width), NOTHING, dtype=np.int32)
    depth = np.full((height, width), np.inf)
    glass, glass_depth = owner.copy(), depth
    parts = shown[scene.owner]
    flat = (scene.vertices, scene.faces, scene.vertex_start, scene.face_start, scene.spheres, scene.link, scene.owner)
    kernel.cast_parts(*flat, np.nonzero(parts & ~scene.clear)[0], T, xs, ys, NEAR_M, owner, depth)
    if body_vertices_m is not None and body_faces is not None and only is None:
        local = np.asarray(body_vertices_m, dtype=np.float64) @ to_camera[:3, :3].T + to_camera[:3, 3]
        kernel.cast_mesh(local, np.asarray(body_faces, dtype=np.int32), 0, len(body_faces), BODY, xs, ys, NEAR_M, owner, depth)
    clear = np.nonzero(parts & scene.clear)[0]
    if len(clear):
        glass_depth = depth.copy()
        kernel.cast_parts(*flat, clear, T, xs, ys, NEAR_M, glass, glass_depth)
    return Hits(owner, depth, glass)
