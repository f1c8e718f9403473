"""The independent checker of committed motion (RULES, Contacts): MuJoCo's own distances, capsules regenerated from each frame's skeleton.

It shares with the planner only the closed list of exempt contacts. It knows nothing of plans: it is shown the state after every tick.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assistcore.house.clearance import CHECKED_M, Allowed, Hit
from assistcore.house.contacts import EYE, floors, violations
from assistcore.house.stage import StageModel, link_matrix
from assistcore.house.state import HouseState
from assistcore.world.poses import quat_wxyz_from_matrix
from assistworld.studies.gait_check import FeetChecker, HeadingChecker

if TYPE_CHECKING:
    from humans.model import BodyModel

F64 = NDArray[np.float64]

TICK_RATE_HZ = 12.0
JOINT_SPEED_LIMIT_RAD_S = 10.0
HAND_SPEED_LIMIT_M_S = 2.5
NEAR_M = 0.0
"""Only penetrating pairs are hits; the bounds of the closed list do the rest."""


@dataclass(frozen=True)
class Fault:
    """One broken bound: what, where in time, the value and the bound."""

    tick: int
    what: str
    value: float
    bound: float

    def __str__(self) -> str:
        return f"tick {self.tick}: {self.what} {self.value:.4f}, bound {self.bound:.4f}"


@dataclass
class MotionChecker:
    """Watches one person in one stage. Call `watch` after every tick; `faults` collects every broken bound."""

    stage: StageModel
    body: BodyModel
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._world = _MujocoWorld(self.stage)
        self._floors = floors(self.stage)
        self._last: tuple[F64, F64] | None = None
        self._shown: HouseState | None = None
        self.feet = FeetChecker(self.body, min((room.floor_m for room in self.stage.rooms), default=0.0))
        self.heading = HeadingChecker()

    def forget(self) -> None:
        """The next frame follows none: what came before was another episode."""
        self._last, self._shown = None, None
        self.feet = FeetChecker(self.body, min((room.floor_m for room in self.stage.rooms), default=0.0))
        self.heading = HeadingChecker()

    def watch(self, tick: int, state: HouseState, allowed: Allowed) -> None:
        """Check the frame of this tick against contacts and, with the frames before, against speed limits, sliding feet and heading."""
        from humans.camera import EYE_RADIUS_M, head_camera
        from humans.kinematics import joint_transforms, skin
        from humans.model import JOINT
        from humans.proxies import capsules

        bones = joint_transforms(self.body, state.body.pose_rad, state.body.translation_m)
        self._speeds(tick, bones, [JOINT["left_wrist"], JOINT["right_wrist"]])
        walking = (*self.feet.watch(skin(self.body, bones)), *self.heading.watch(state.body.xy_m, state.body.heading_rad))
        self.faults += [Fault(tick, m.what, m.value, m.bound) for m in walking]
        if self._shown is not None and _same_place(state, self._shown):
            return  # Nothing that could touch has moved.
        self._shown = state
        self._world.place(self.stage, state)
        shapes = capsules(self.body, bones)
        held = state.held.entity if state.held is not None else ""
        seat = state.body.posture.partition(":")[2]
        seen = replace(allowed, held=allowed.held or held, seat=allowed.seat or seat)
        hits = list(self._world.capsule_hits(shapes.names, shapes.a_m, shapes.b_m, shapes.radius_m, frozenset(state.removed)))
        eye, _ = head_camera(self.body, bones)
        hits += self._world.capsule_hits((EYE,), eye[None], eye[None], np.array([EYE_RADIUS_M]), frozenset({*state.removed, held}))
        if held:
            hits += self._world.entity_hits(held, frozenset(state.removed))
        for hit in violations(hits, seen, CHECKED_M, self._floors):
            self.faults.append(Fault(tick, f"{hit.mine} in {hit.owner}/{hit.link} by", -hit.distance_m, CHECKED_M))

    def _speeds(self, tick: int, bones: F64, wrists: list[int]) -> None:
        local = _local_rotations(self.body.parents, bones)
        hands = bones[wrists, :3, 3]
        if self._last is not None:
            before, hands_before = self._last
            cosine = np.clip((np.einsum("jab,jab->j", before, local) - 1.0) / 2.0, -1.0, 1.0)
            angle = np.arccos(cosine) * TICK_RATE_HZ
            for joint in np.flatnonzero(angle[1:] > JOINT_SPEED_LIMIT_RAD_S) + 1:
                name = self.body.joint_names[int(joint)]
                self.faults.append(Fault(tick, f"joint {name} rad/s", float(angle[joint]), JOINT_SPEED_LIMIT_RAD_S))
            speed = np.linalg.norm(hands - hands_before, axis=1) * TICK_RATE_HZ
            for side, value in zip(("left", "right"), speed, strict=True):
                if value > HAND_SPEED_LIMIT_M_S:
                    self.faults.append(Fault(tick, f"{side} hand m/s", float(value), HAND_SPEED_LIMIT_M_S))
        self._last = (local, hands)


def _same_place(state: HouseState, before: HouseState) -> bool:
    return state.body is before.body and state.poses is before.poses and state.joints is before.joints and state.held is before.held


def _local_rotations(parents: NDArray[np.int64], bones: F64) -> F64:
    world = bones[:, :3, :3]
    local = world.copy()
    for joint in range(1, len(parents)):
        local[joint] = world[parents[joint]].T @ world[joint]
    return local


class _MujocoWorld:
    """The stage's convex pieces as MuJoCo geoms on mocap bodies, and capsules that are resized for every query."""

    def __init__(self, stage: StageModel) -> None:
        import mujoco

        self._mj = mujoco
        spec = mujoco.MjSpec()
        self._owners: list[tuple[str, str]] = []
        self._bodies: list[tuple[str, str]] = []
        number = 0
        for entity in stage.entities:
            for link in entity.links:
                if not link.pieces:
                    continue
                body = spec.worldbody.add_body(name=f"b{len(self._bodies)}", mocap=True)
                self._bodies.append((entity.key, link.key))
                for piece in link.pieces:
                    self._add(spec, body, piece, number)
                    self._owners.append((entity.key, link.key))
                    number += 1
        probe = spec.worldbody.add_body(name="probe", mocap=True)
        probe.add_geom(name="probe", type=mujoco.mjtGeom.mjGEOM_CAPSULE, size=[0.1, 0.1, 0])
        self._model: Any = spec.compile()
        self._data: Any = mujoco.MjData(self._model)
        self._probe = self._model.geom("probe").id
        self._mocap = {name: self._model.body(f"b{i}").mocapid[0] for i, name in enumerate(self._bodies)}
        self._placed: dict[str, dict[str, object]] = {}
        self._geoms = np.array([self._model.geom(f"g{i}").id for i in range(number)], dtype=np.int64)

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
        for (key, link), mocap in self._mocap.items():
            entity = stage.entity(key)
            seen = (state.poses.get(key), *(state.joints.get(j.key) for j in entity.joints))
            if self._placed.get(key, {}).get(link) == seen:
                continue
            self._placed.setdefault(key, {})[link] = seen
            T = link_matrix(entity, entity.link(link), state.root(stage, key), state.joints)
            self._data.mocap_pos[mocap] = T[:3, 3]
            self._data.mocap_quat[mocap] = quat_wxyz_from_matrix(T[:3, :3])
        self._mj.mj_kinematics(self._model, self._data)

    def capsule_hits(self, names: tuple[str, ...], a_m: F64, b_m: F64, radius_m: F64, gone: frozenset[str]) -> Iterator[Hit]:
        """Penetrating pairs of capsules (k) with the pieces."""
        centres = self._data.geom_xpos[self._geoms]
        bounds = self._model.geom_rbound[self._geoms]
        for name, a, b, radius in zip(names, a_m, b_m, radius_m, strict=True):
            half = 0.5 * float(np.linalg.norm(b - a))
            middle = 0.5 * (a + b)
            near = np.flatnonzero(np.linalg.norm(centres - middle, axis=1) < bounds + half + radius)
            if not len(near):
                continue
            self._put_probe(middle, b - a, float(radius), half)
            for index in near:
                owner, link = self._owners[int(index)]
                if owner in gone:
                    continue
                hit = self._distance(self._probe, int(self._geoms[index]), name, owner, link)
                if hit is not None:
                    yield hit

    def entity_hits(self, key: str, gone: frozenset[str]) -> Iterator[Hit]:
        """Penetrating pairs of an entity's pieces with everything else."""
        centres = self._data.geom_xpos[self._geoms]
        bounds = self._model.geom_rbound[self._geoms]
        for mine in (i for i, (owner, _) in enumerate(self._owners) if owner == key):
            near = np.flatnonzero(np.linalg.norm(centres - centres[mine], axis=1) < bounds + bounds[mine])
            for index in near:
                owner, link = self._owners[int(index)]
                if owner == key or owner in gone:
                    continue
                hit = self._distance(int(self._geoms[mine]), int(self._geoms[index]), key, owner, link)
                if hit is not None:
                    yield hit

    def _put_probe(self, middle: F64, along: F64, radius: float, half: float) -> None:
        length = float(np.linalg.norm(along))
        axis = along / length if length > 1e-9 else np.array([0.0, 0.0, 1.0])
        side = np.cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 1.0, 0.0))
        side = side / np.linalg.norm(side)
        rotation = np.stack([side, np.cross(axis, side), axis], axis=1)
        self._model.geom_size[self._probe] = (radius, half, 0.0)
        self._model.geom_rbound[self._probe] = radius + half
        self._data.geom_xpos[self._probe] = middle
        self._data.geom_xmat[self._probe] = rotation.ravel()

    def _distance(self, first: int, second: int, mine: str, owner: str, link: str) -> Hit | None:
        line = np.zeros(6)
        distance = self._mj.mj_geomDistance(self._model, self._data, first, second, 0.01, line)
        if distance >= NEAR_M:
            return None
        x, y, z = (0.5 * (line[:3] + line[3:])).tolist()
        return Hit(float(distance), mine, owner, link, (x, y, z))
