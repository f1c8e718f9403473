"""MuJoCo behind the `Physics` protocol: deterministic, bitwise repeatable, free of cost and of creep while everything is at rest.

Movables are free bodies. A kinematic movable is played by its twin, a mocap body: it stays exactly where it is put, is not pushed, and
does push free bodies that it touches (never faster than contacts are resolved, about 0.6 m/s for 5 mm of overlap). Driven links are mocap
bodies too; static geometry and kinematic bodies do not collide with each other. Because a mocap body has no velocity for the solver, things
on a moving link do not ride by friction: whoever drives a link carries its riders (`assistcore.house.constraints.riders_of`).

Rest. A body that is at rest sleeps: it is played by its twin as well, costs nothing, and wakes when an awake body touches it or when
something is moved close by. When every awake body has stayed where it is for `REST_STEPS` steps, all fall asleep. A body that moved less
than `STILL_M` and `STILL_RAD` since it was last asleep reports, and goes back to, exactly the pose it had.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.house.constraints import assembly_root
from assistcore.house.mating import with_children
from assistcore.house.physics import REST_SPEED_M_S, STEP_SECONDS
from assistcore.house.stage import StageModel, link_matrix
from assistcore.house.state import Attachment
from assistcore.world.errors import InfrastructureError, VersionError, nearest
from assistcore.world.poses import Pose
from assistworld.engines.house.mujoco_model import Compiled, Models, Movable
from assistworld.engines.house.twin_boxes import TwinBoxes

F64 = NDArray[np.float64]

REST_STEPS = 12
"""Steps in a row for which every body must stay where it is: at the top of its flight a body is slow for one step only."""
REST_M = REST_SPEED_M_S * STEP_SECONDS * REST_STEPS
"""A body stays where it is while no point of it is farther from where it was at the first of these steps than the rest speed brings it in
all of them (0.2 mm): a contact that flickers for one step, at 1 mm/s and more, moves nothing."""
STILL_M = 1e-3
STILL_RAD = np.radians(0.5)
WEARY_STEPS = 1200
"""After 20 s awake, what still trembles below `WEARY_SPEED_M_S` is put to rest where it is."""
WEARY_SPEED_M_S = 0.02
WAKE_MARGIN_M = 0.01
"""What is moved by hand wakes the sleeping bodies within this distance of its old and new place."""
PRESSED_M = 1e-3
PRESSED_STEPS = 60
"""What is put deeper than this into another thing (a scenario may, by up to 5 cm) is pressed out without gaining speed, for one second."""
LEAN_M = 0.004
"""A body that wakes also wakes the sleeping ones within this distance, which may lean on it (boxes of the bodies, not surfaces)."""
STATE_VERSION = "mujoco-physics/2"
_HEAD = struct.Struct("<I")


class MujocoPhysics:
    """The embedded `Physics` back end. One instance holds one model; `load` may be called again. Not thread-safe."""

    name = "mujoco"

    def __init__(self) -> None:
        self._models = Models()
        self._compiled: Compiled | None = None
        self._data: Any = None

    def load(self, stage: StageModel, poses: Mapping[str, Pose], joints: Mapping[str, float], removed: frozenset[str]) -> None:
        """Build the model, awake: bodies that were at rest keep their exact pose, others settle with the first steps."""
        import mujoco

        self._compiled = self._data = None
        mujoco.set_mju_user_warning(_ignore_warning)
        initial = {j.key: j.initial for e in stage.entities if e.key not in removed for j in e.joints}
        self._joints = initial | {k: float(v) for k, v in joints.items() if k in initial}
        self._mj: Any = mujoco
        self._removed = removed
        self._attached: tuple[Attachment, ...] = ()
        self._compiled = self._models.of(stage, poses, self._joints, removed)
        self._data = mujoco.MjData(self._compiled.model)
        self._order = tuple(self._compiled.movables)
        self._poses = {k: poses.get(k, m.entity.pose) for k, m in self._compiled.movables.items()}
        self._roots = {e.key: poses.get(e.key, e.pose).matrix() for e in stage.entities if e.kind != "movable"}
        self._kinematic: set[str] = set()
        self._moved: set[str] = set()
        self._index()
        self._live = np.ones(len(self._order), dtype=bool)
        self._slow = self._awake = 0
        for key in self._order:
            self._set_collides(key)
            self._write(key)
        self._boxes.measure(self._data)

    def _index(self) -> None:
        movables = [self._model.movables[k] for k in self._order]
        self._qpos_rows = np.array([[m.qpos + i for i in range(7)] for m in movables], dtype=np.int64).reshape(-1, 7)
        self._dof_rows = np.array([[m.dof + i for i in range(6)] for m in movables], dtype=np.int64).reshape(-1, 6)
        self._radius = np.array([m.radius_m for m in movables])
        self._row = {key: i for i, key in enumerate(self._order)}
        self._rest = np.array([self._poses[k].array() for k in self._order]).reshape(-1, 7)
        self._place = self._rest.copy()
        self._fresh = set(range(len(self._order)))
        self._row_of_any = np.full(self._model.model.ngeom, -1, dtype=np.int64)
        for i, m in enumerate(movables):
            self._row_of_any[[*m.twin_geoms, *m.free_geoms]] = i
        self._boxes = TwinBoxes(self._model, self._order)

    @property
    def _model(self) -> Compiled:
        if self._compiled is None:
            raise InfrastructureError("MuJoCo physics", "used before load() or after close()")
        return self._compiled

    def close(self) -> None:
        """Release the models. Idempotent."""
        self._models = Models()
        self._compiled = None
        self._data = None

    def poses(self) -> dict[str, Pose]:
        """World pose of the root of every present movable."""
        return with_children(self._poses, self._attached) if self._model else {}

    def joints(self) -> dict[str, float]:
        """Value of every joint: radians or metres."""
        return dict(self._joints) if self._model else {}

    def at_rest(self) -> bool:
        """Whether every dynamic body has come to rest."""
        return not self._live.any()

    def set_pose(self, entity: str, pose: Pose) -> None:
        """Put a movable somewhere, at zero velocity. What is attached goes with its assembly."""
        if self._is_part(entity):
            return
        self._movable(entity)
        if not np.isfinite(pose.array()).all():
            raise InfrastructureError("MuJoCo physics", f"pose of {entity} set to {pose}")
        kinematic = entity in self._kinematic
        if kinematic and pose == self._poses[entity]:
            return
        row = self._row[entity]
        self._wake_near(self._boxes.of(row))
        self._put(entity, pose)
        self._wake([row])
        self._wake_near(self._boxes.of(row))

    def set_kinematic(self, entity: str, kinematic: bool) -> None:
        """A kinematic body stays where `set_pose` puts it and is not pushed; free bodies that it touches are."""
        if self._is_part(entity):
            return
        self._movable(entity)
        if kinematic == (entity in self._kinematic):
            return
        row = self._row[entity]
        if kinematic:
            self._kinematic.add(entity)
            self._live[row] = False
        else:
            self._kinematic.discard(entity)
        self._put(entity, self._poses[entity])
        self._set_collides(entity)
        self._wake([row])
        self._wake_near(self._boxes.of(row))

    def _is_part(self, entity: str) -> bool:
        return any(a.child == entity for a in self._attached)

    def set_attached(self, attached: tuple[Attachment, ...]) -> None:
        """From now on each child is a rigid part of its parent's body. The model is compiled anew; whatever slept goes on sleeping."""
        if attached == self._attached:
            return
        poses, live = self.poses(), {k for k, on in zip(self._order, self._live, strict=True) if on}
        changed = {a for a in {*attached, *self._attached} if (a in attached) != (a in self._attached)}
        self._attached = attached
        model = self._model
        self._compiled = self._models.of(model.stage, poses, self._joints, self._removed, attached)
        self._data = self._mj.MjData(self._compiled.model)
        self._order = tuple(self._compiled.movables)
        self._poses = {k: poses[k] for k in self._order}
        self._kinematic &= set(self._order)
        self._moved &= set(self._order)
        self._index()
        self._live = np.array([k in live for k in self._order], dtype=bool)
        self._slow = self._awake = 0
        for key in self._order:
            self._set_collides(key)
            self._write(key)
        self._boxes.measure(self._data)
        touched = {assembly_root(attached, key) for a in changed for key in (a.child, a.parent)}
        self._wake(self._row[key] for key in sorted(touched))

    def _put(self, entity: str, pose: Pose) -> None:
        self._poses[entity] = pose
        self._fresh.add(self._row[entity])
        self._rest[self._row[entity]] = pose.array()
        self._moved.discard(entity)
        self._write(entity)

    def set_joint(self, joint: str, value: float) -> None:
        """Put a joint somewhere; joints are always driven, never free."""
        model = self._model
        if joint not in self._joints:
            raise InfrastructureError("MuJoCo physics", f"no joint {joint!r}; {nearest(joint, list(self._joints))}")
        if not np.isfinite(value):
            raise InfrastructureError("MuJoCo physics", f"joint {joint} set to {value!r}")
        if self._joints[joint] == value:
            return
        self._joints[joint] = float(value)
        owner, _ = model.stage.joint_owner[joint]
        if owner in model.movables:
            return
        links = [d for d in model.driven if d.entity == owner]
        self._wake_near(self._boxes.round(links, self._data))
        for driven in links:
            pose = Pose.from_matrix(link_matrix(model.stage.entity(owner), driven.link, self._roots[owner], self._joints))
            self._data.mocap_pos[driven.mocap] = pose.position_m
            self._data.mocap_quat[driven.mocap] = pose.quat_wxyz
        self._wake_near(self._boxes.round(links, self._data))

    def _movable(self, entity: str) -> Movable:
        found = self._model.movables.get(entity)
        if found is None:
            raise InfrastructureError("MuJoCo physics", f"no movable {entity!r}; {nearest(entity, list(self._order))}")
        return found

    def _set_collides(self, entity: str) -> None:
        """Collisions belong to the free body while it is awake, else to its twin."""
        movable, m = self._movable(entity), self._model.model
        live = bool(self._live[self._row[entity]])
        for geoms, body, on in ((movable.free_geoms, movable.free_body, live), (movable.twin_geoms, movable.twin_body, not live)):
            for g in geoms:
                m.geom_contype[g] = m.geom_conaffinity[g] = int(on)
            m.body_contype[body] = m.body_conaffinity[body] = int(on)

    def _write(self, entity: str) -> None:
        """Free body and twin to the pose on record, at zero velocity."""
        movable, pose, data = self._movable(entity), self._poses[entity], self._data
        data.qpos[movable.qpos : movable.qpos + 7] = pose.array()
        data.qvel[movable.dof : movable.dof + 6] = 0.0
        data.mocap_pos[movable.mocap] = pose.position_m
        data.mocap_quat[movable.mocap] = pose.quat_wxyz
        self._boxes.move(self._row[entity], data)

    def _wake(self, rows: Iterable[int]) -> None:
        """Wake some bodies and, in turn, the sleeping ones that are close enough to lean on them or to carry them."""
        fresh = [row for row in rows if not self._live[row] and self._order[row] not in self._kinematic]
        if not fresh:
            return
        self._slow = self._awake = 0
        rows_low, rows_high = self._boxes.rows()
        while fresh:
            row = fresh.pop()
            self._live[row] = True
            self._set_collides(self._order[row])
            close = ((rows_high > rows_low[row] - LEAN_M) & (rows_low < rows_high[row] + LEAN_M)).all(axis=1) & ~self._live
            fresh = sorted({*fresh, *(int(i) for i in np.nonzero(close)[0] if self._order[i] not in self._kinematic)})

    def _wake_near(self, box: tuple[F64, F64] | None) -> None:
        """Wake the sleeping bodies close to a box of something that is about to leave or has just arrived."""
        if box is not None and not self._live.all():
            self._wake(self._boxes.touching(box[0] - WAKE_MARGIN_M, box[1] + WAKE_MARGIN_M))

    def _wake_touched(self) -> None:
        """Wake the sleeping bodies that awake ones touch."""
        rows = self._row_of_any[np.asarray(self._data.contact.geom, dtype=np.int64).reshape(-1, 2)]
        rows = rows[(rows >= 0).all(axis=1)]
        self._wake(int(row) for row in np.unique(rows[~self._live[rows]]))

    def step(self, steps: int) -> None:
        """Advance by `steps` of 1/60 s. Raises InfrastructureError when a body's state is no longer finite."""
        model = self._model
        for _ in range(steps):
            if not self._live.any():
                return
            pressed = self._pressed()
            self._mj.mj_step(model.model, self._data, nstep=model.substeps)
            self._hold_others()
            if pressed:
                self._data.qvel[self._dof_rows[pressed]] = 0.0
            self._look()
        self._report()

    def _pressed(self) -> list[int]:
        """Rows of the awake bodies that are in each other or in something fixed since one of them was put there."""
        self._fresh = {row for row in self._fresh if self._live[row]} if self._awake < PRESSED_STEPS else set()
        if not self._fresh:
            return []
        self._mj.mj_fwdPosition(self._model.model, self._data)
        contact = self._data.contact
        rows = self._row_of_any[np.asarray(contact.geom, dtype=np.int64).reshape(-1, 2)[np.asarray(contact.dist) < -PRESSED_M]]
        touched = rows[np.isin(rows, list(self._fresh)).any(axis=1)]
        self._fresh = {int(row) for row in np.unique(touched) if row >= 0 and self._live[row]}
        return sorted(self._fresh)

    def _hold_others(self) -> None:
        """The free bodies of kinematic and sleeping movables stay parked at their twins."""
        others = ~self._live
        if others.any():
            self._data.qpos[self._qpos_rows[others]] = self._rest[others]
            self._data.qvel[self._dof_rows[others]] = 0.0

    def _look(self) -> None:
        """Count slow steps; note who really moved; wake what is touched; fall asleep."""
        qpos, qvel = self._data.qpos[self._qpos_rows], self._data.qvel[self._dof_rows]
        sound = np.isfinite(qpos).all(axis=1) & np.isfinite(qvel).all(axis=1)
        if not sound.all():
            bad = [k for k, row in zip(self._order, sound, strict=True) if not row]
            raise InfrastructureError("MuJoCo physics", f"state of {', '.join(bad[:5])} is not finite after step {self._awake}")
        self._moved.update(self._order[i] for i in np.nonzero(self._live & self._displaced(qpos))[0])
        self._awake += 1
        self._count_slow(qpos)
        awake = self._awake
        self._wake_touched()
        self._awake = awake
        if self._slow > REST_STEPS or (self._awake >= WEARY_STEPS and self._fastest(qvel) < WEARY_SPEED_M_S):
            self._fall_asleep()

    def _count_slow(self, qpos: F64) -> None:
        """Counts the steps, the first one included, since when no awake body has left the place where it was then."""
        shift, turn = _apart(qpos, self._place)
        if self._slow and float((shift + self._radius * turn)[self._live].max()) < REST_M:
            self._slow += 1
        else:
            self._slow, self._place = 1, qpos

    def _fastest(self, qvel: F64) -> float:
        speed = np.linalg.norm(qvel[:, :3], axis=1) + self._radius * np.linalg.norm(qvel[:, 3:], axis=1)
        return float(speed[self._live].max())

    def _displaced(self, qpos: F64) -> NDArray[np.bool_]:
        """Which bodies are away from where they last slept."""
        shift, turn = _apart(qpos, self._rest)
        return np.asarray((shift >= STILL_M) | (turn >= STILL_RAD), dtype=np.bool_)

    def _report(self) -> None:
        """Publish the poses of the bodies that really moved."""
        for key in self._order:
            if key in self._moved:
                q = self._data.qpos[self._qpos_rows[self._row[key]]]
                self._poses[key] = Pose.from_array(q / np.array([1.0, 1.0, 1.0, *[np.linalg.norm(q[3:])] * 4]))

    def _fall_asleep(self) -> None:
        self._report()
        self._moved.clear()
        displaced = self._displaced(self._data.qpos[self._qpos_rows])
        for row in np.nonzero(self._live)[0]:
            key = self._order[row]
            if not displaced[row]:
                self._poses[key] = Pose.from_array(self._rest[row])
            self._live[row] = False
            self._put(key, self._poses[key])
            self._set_collides(key)
        self._data.qacc_warmstart[:] = 0.0

    def save(self) -> bytes:
        """Whole dynamic state: exact, independent of the process."""
        spec = self._mj.mjtState.mjSTATE_INTEGRATION
        model = self._model.model
        raw = np.empty(self._mj.mj_stateSize(model, spec))
        self._mj.mj_getState(model, self._data, raw, spec)
        head = {
            "version": STATE_VERSION,
            "movables": list(self._order),
            "joints": self._joints,
            "kinematic": sorted(self._kinematic),
            "moved": sorted(self._moved),
            "live": [k for k in self._order if self._live[self._row[k]]],
            "fresh": sorted(self._order[row] for row in self._fresh),
            "counters": [self._slow, self._awake],
            "size": len(raw),
            "attached": [[a.child, a.plug, a.parent, a.socket, a.parent_child.array().tolist()] for a in self._attached],
        }
        text = json.dumps(head, sort_keys=True, separators=(",", ":")).encode("ascii")
        poses = np.array([self._poses[k].array() for k in self._order]).reshape(-1, 7)
        return _HEAD.pack(len(text)) + text + raw.tobytes() + self._rest.tobytes() + poses.tobytes() + self._place.tobytes()

    def restore(self, state: bytes) -> None:
        """Inverse of `save`. Raises VersionError for another format, InfrastructureError for another set of bodies."""
        (length,) = _HEAD.unpack_from(state)
        head = json.loads(state[_HEAD.size : _HEAD.size + length])
        if head["version"] != STATE_VERSION:
            raise VersionError("physics state", str(head["version"]), STATE_VERSION)
        rows = head["attached"]
        self.set_attached(tuple(Attachment(a, b, c, d, Pose.from_array(np.array(pose))) for a, b, c, d, pose in rows))
        model = self._model.model
        spec = self._mj.mjtState.mjSTATE_INTEGRATION
        if tuple(head["movables"]) != self._order or head["size"] != self._mj.mj_stateSize(model, spec):
            raise InfrastructureError("restore physics", f"state of {len(head['movables'])} movables, loaded are {len(self._order)}")
        values = np.frombuffer(state, dtype=np.float64, offset=_HEAD.size + length)
        n, k = head["size"], len(self._order) * 7
        self._mj.mj_setState(model, self._data, values[:n].copy(), spec)
        self._boxes.measure(self._data)
        self._rest = values[n : n + k].reshape(-1, 7).copy()
        poses = values[n + k : n + 2 * k].reshape(-1, 7)
        self._poses = {key: Pose.from_array(row) for key, row in zip(self._order, poses, strict=True)}
        self._place = values[n + 2 * k :].reshape(-1, 7).copy()
        self._joints = {key: float(value) for key, value in head["joints"].items()}
        self._kinematic, self._moved = set(head["kinematic"]), set(head["moved"])
        self._fresh = {self._row[key] for key in head["fresh"]}
        self._slow, self._awake = (int(c) for c in head["counters"])
        self._live = np.array([key in set(head["live"]) for key in self._order], dtype=bool)
        for key in self._order:
            self._set_collides(key)


def _apart(poses: F64, others: F64) -> tuple[F64, F64]:
    """Distances (n,), metres, and angles (n,), radians, between poses (n, 7); the quaternions need no unit length."""
    shift = np.linalg.norm(poses[:, :3] - others[:, :3], axis=1)
    length = np.linalg.norm(poses[:, 3:], axis=1) * np.linalg.norm(others[:, 3:], axis=1)
    cosine = np.abs(np.einsum("ij,ij->i", poses[:, 3:], others[:, 3:])) / length
    return shift, 2.0 * np.arccos(np.minimum(1.0, cosine))


def _ignore_warning(message: str) -> None:
    """MuJoCo would write warnings to a file in the working folder; what matters is checked after every step."""


def settle(physics: MujocoPhysics, limit_steps: int = 600) -> bool:
    """Step until everything is at rest. Returns whether it is, within the limit."""
    for _ in range(limit_steps):
        if physics.at_rest():
            return True
        physics.step(1)
    return physics.at_rest()
