"""The stage in MuJoCo, to ask for distances that the planner's own narrow phase has no part in.

A pair is asked about when the boxes of both meet: for a body against a furnished house some twenty of thousands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.house.clearance import Hit
from assistcore.house.stage import Entity, StageModel, link_matrix
from assistcore.house.state import HouseState
from assistcore.world.poses import Pose, quat_wxyz_from_matrix

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

NEAR_M = 0.0
"""Only penetrating pairs are hits; the bounds of the closed list do the rest."""
_ROUND_M = 1e-6
"""More than rounding can do to a box in a house."""


class MujocoWorld:
    """The stage's convex pieces as MuJoCo geoms on mocap bodies, and capsules that are resized for every query."""

    def __init__(self, stage: StageModel) -> None:
        import mujoco

        self._mj = mujoco
        spec = mujoco.MjSpec()
        owners: list[tuple[str, str]] = []
        bodies: list[tuple[str, str]] = []
        for entity in stage.entities:
            for link in entity.links:
                if not link.pieces:
                    continue
                body = spec.worldbody.add_body(name=f"b{len(bodies)}", mocap=True)
                bodies.append((entity.key, link.key))
                for piece in link.pieces:
                    self._add(spec, body, piece, len(owners))
                    owners.append((entity.key, link.key))
        probe = spec.worldbody.add_body(name="probe", mocap=True)
        probe.add_geom(name="probe", type=mujoco.mjtGeom.mjGEOM_CAPSULE, size=[0.1, 0.1, 0])
        self._model: Any = spec.compile()
        self._data: Any = mujoco.MjData(self._model)
        self._probe = probe_id = self._model.geom("probe").id
        self._probe_size, self._probe_bound = self._model.geom_size[probe_id], self._model.geom_rbound
        self._probe_at, self._probe_turn = self._data.geom_xpos[probe_id], self._data.geom_xmat[probe_id]
        self._owners = owners
        self._mocap: dict[str, list[tuple[str, int]]] = {}
        for i, (key, name) in enumerate(bodies):
            self._mocap.setdefault(key, []).append((name, int(self._model.body(f"b{i}").mocapid[0])))
        self._geoms: I64 = np.array([self._model.geom(f"g{i}").id for i in range(len(owners))], dtype=np.int64)
        self._rows = {key: np.array([i for i, (owner, _) in enumerate(owners) if owner == key], np.int64) for key in self._mocap}
        self._own_box = self._model.geom_aabb[self._geoms]
        self._low, self._high = np.zeros((3, len(owners))), np.zeros((3, len(owners)))
        self._placed: dict[str, tuple[object, ...]] = {}
        self._shown: tuple[Mapping[str, Pose], Mapping[str, float]] | None = None

    def _add(self, spec: Any, body: Any, piece: Any, number: int) -> None:
        mj = self._mj
        T = piece.T_link_piece
        if piece.half_extents_m is not None:
            quat = quat_wxyz_from_matrix(T[:3, :3])
            body.add_geom(name=f"g{number}", type=mj.mjtGeom.mjGEOM_BOX, size=list(piece.half_extents_m), pos=T[:3, 3], quat=quat)
            return
        points = piece.vertices_m @ T[:3, :3].T + T[:3, 3]
        spec.add_mesh(
            name=f"m{number}", uservert=points.astype(np.float32).ravel().tolist(), inertia=mj.mjtMeshInertia.mjMESH_INERTIA_CONVEX
        )
        body.add_geom(name=f"g{number}", type=mj.mjtGeom.mjGEOM_MESH, meshname=f"m{number}")

    def place(self, stage: StageModel, state: HouseState) -> None:
        """Bring every body to this state; those that are there already stay."""
        moved: list[str] = []
        for key in self._perhaps(stage, state):
            entity = stage.by_key[key]
            seen = (state.poses.get(key), *(state.joints.get(j.key) for j in entity.joints))
            if self._placed.get(key) == seen:
                continue
            self._placed[key] = seen
            self._put(stage, entity, state)
            moved.append(key)
        if moved:
            self._mj.mj_kinematics(self._model, self._data)
            self._measure(np.concatenate([self._rows[key] for key in moved]))

    def _perhaps(self, stage: StageModel, state: HouseState) -> list[str]:
        """What can stand otherwise than in the state shown last: states share what did not change."""
        before, self._shown = self._shown, (state.poses, state.joints)
        if before is None or before[0].keys() != state.poses.keys() or before[1].keys() != state.joints.keys():
            return list(self._mocap)
        poses, joints = before
        moved = [key for key, pose in state.poses.items() if pose is not poses[key]]
        if state.joints is not joints:
            moved += [stage.joint_owner[key][0] for key, value in state.joints.items() if value != joints[key]]
        return [key for key in moved if key in self._mocap]

    def _put(self, stage: StageModel, entity: Entity, state: HouseState) -> None:
        root = state.root(stage, entity.key)
        for link, mocap in self._mocap[entity.key]:
            T = link_matrix(entity, entity.link(link), root, state.joints)
            self._data.mocap_pos[mocap] = T[:3, 3]
            self._data.mocap_quat[mocap] = quat_wxyz_from_matrix(T[:3, :3])

    def _measure(self, rows: I64) -> None:
        """World boxes (3, n) round some geoms, from their own ones."""
        geoms, own_box = self._geoms[rows], self._own_box[rows]
        R = self._data.geom_xmat[geoms].reshape(-1, 3, 3)
        centre = self._data.geom_xpos[geoms] + np.einsum("nij,nj->ni", R, own_box[:, :3])
        half = np.einsum("nij,nj->ni", np.abs(R), own_box[:, 3:]) + _ROUND_M
        self._low[:, rows], self._high[:, rows] = (centre - half).T, (centre + half).T

    def capsule_hits(self, names: tuple[str, ...], a_m: F64, b_m: F64, radius_m: F64, gone: frozenset[str]) -> Iterator[Hit]:
        """Penetrating pairs of capsules (k) with the pieces."""
        low, high = np.minimum(a_m, b_m) - radius_m[:, None], np.maximum(a_m, b_m) + radius_m[:, None]
        near = [(int(i), int(index)) for i, index in self._meeting(low, high) if self._owners[index][0] not in gone]
        last = -1
        for i, index in near:
            if i != last:
                self._put_probe(a_m[i], b_m[i], float(radius_m[i]))
                last = i
            hit = self._distance(self._probe, int(self._geoms[index]), names[i], *self._owners[index])
            if hit is not None:
                yield hit

    def entity_hits(self, key: str, gone: frozenset[str]) -> Iterator[Hit]:
        """Penetrating pairs of an entity's pieces with everything else."""
        mine = self._rows.get(key, np.zeros(0, np.int64))
        if not len(mine):
            return
        for i, index in self._meeting(self._low[:, mine].T, self._high[:, mine].T):
            owner, link = self._owners[index]
            if owner == key or owner in gone:
                continue
            hit = self._distance(int(self._geoms[mine[i]]), int(self._geoms[index]), key, owner, link)
            if hit is not None:
                yield hit

    def _meeting(self, low: F64, high: F64) -> I64:
        """Pairs (box, geom) whose boxes meet, boxes (k, 3) in order."""
        most, least = high.max(axis=0)[:, None], low.min(axis=0)[:, None]
        close = np.flatnonzero(((self._low <= most) & (self._high >= least)).all(axis=0))
        meet = ((self._low[:, None, close] <= high.T[..., None]) & (self._high[:, None, close] >= low.T[..., None])).all(axis=0)
        pairs = np.argwhere(meet)
        pairs[:, 1] = close[pairs[:, 1]]
        return pairs

    def _put_probe(self, a_m: F64, b_m: F64, radius: float) -> None:
        along = b_m - a_m
        length = float(np.sqrt(along @ along))
        x, y, z = (along / length).tolist() if length > 1e-9 else (0.0, 0.0, 1.0)
        side = (0.0, z, -y) if abs(x) < 0.9 else (-z, 0.0, x)
        size = (side[0] ** 2 + side[1] ** 2 + side[2] ** 2) ** 0.5
        p, q, r = (c / size for c in side)
        self._probe_size[:] = (radius, 0.5 * length, 0.0)
        self._probe_bound[self._probe] = radius + 0.5 * length
        self._probe_at[:] = 0.5 * (a_m + b_m)
        self._probe_turn[:] = (p, y * r - z * q, x, q, z * p - x * r, y, r, x * q - y * p, z)

    def _distance(self, first: int, second: int, mine: str, owner: str, link: str) -> Hit | None:
        line = np.zeros(6)
        distance = self._mj.mj_geomDistance(self._model, self._data, first, second, 0.01, line)
        if distance >= NEAR_M:
            return None
        x, y, z = (0.5 * (line[:3] + line[3:])).tolist()
        return Hit(float(distance), mine, owner, link, (x, y, z))
