"""A PhysX that reads one USD stage and writes back to it: bodies by `physics:kinematicEnabled`, links by their transforms, fixed joints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.house.mating import with_children
from assistcore.house.stage import StageModel
from assistcore.house.state import Attachment
from assistcore.world.poses import Pose
from assistworld.engines.house.mujoco_model import Movable, compile_stage
from extension.conversions import angular_velocity_from_usd, gf_quat, matrix_from_gf, pose_from_gf, tensor_row, usd_angular_velocity
from extension.physics_stage import FIXINGS, applies, link_path, root_path

STEPS_PER_SECOND = 60.0
"""What PhysX takes where no scene with PhysxSceneAPI says otherwise."""
POSE = ("xformOp:translate", "xformOp:orient")
VELOCITY = ("physics:velocity", "physics:angularVelocity")


class StagePhysx:
    """MuJoCo between what the stage has and what it gets.

    Poses are read and written in single precision. A kinematic body is wherever its prim is; a free one goes on from where it is written
    to, with the velocity that is written. Nothing is written back while `write_back` is off (Fabric, or the GPU pipeline).
    """

    def __init__(self, usd: Any, model: StageModel) -> None:
        self.usd, self.model = usd, model
        self.write_back = True
        self._movables = [e for e in model.entities if e.kind == "movable" and usd.GetPrimAtPath(root_path(e.key)).IsActive()]
        self._at_start = {e.key: {name: self._attribute(e.key, name).Get() for name in (*POSE, *VELOCITY)} for e in self._movables}
        self._free: set[str] = set()
        self._written: dict[str, Pose] = {}
        self._rows: tuple[Attachment, ...] = ()
        self._build()

    def restore(self) -> None:
        """Attributes go back to what they were at the start, as with resetOnStop."""
        for key, values in self._at_start.items():
            for name, value in values.items():
                self._attribute(key, name).Set(value)

    def step(self) -> None:
        """One step of the rate that the stage's physics scene has."""
        if (rows := self._fixed()) != self._rows:
            self._rows = rows
            self._build()
        self._take_in()
        self._mj.mj_step(self._compiled.model, self._data, nstep=self._compiled.substeps)
        for key, movable in self._compiled.movables.items():
            if key not in self._free:
                self._park(movable, self._placed[key])
        if self.write_back:
            self._give_back()

    def row(self, path: str) -> NDArray[np.float32]:
        """Pose of a body as PhysX itself has it."""
        return tensor_row(self._pose(path.rsplit("/", 1)[-1]))

    def _build(self) -> None:
        import mujoco

        mujoco.set_mju_user_warning(lambda message: None)
        self._mj: Any = mujoco
        removed = frozenset(e.key for e in self.model.entities if e.kind == "movable") - {e.key for e in self._movables}
        self._placed = {e.key: self._pose(e.key) for e in self._movables}
        joints = {j.key: j.initial for e in self.model.entities for j in e.joints}
        self._compiled = compile_stage(self.model, self._placed, joints, removed, self._rows)
        self._compiled.model.opt.timestep = 1.0 / self._rate() / self._compiled.substeps
        self._data: Any = mujoco.MjData(self._compiled.model)
        self._free, self._written = set(), {}
        for key, movable in self._compiled.movables.items():
            self._collide(movable, free=False)
            self._park(movable, self._placed[key])

    def _rate(self) -> float:
        for prim in self.usd.Traverse():
            if applies(prim, "PhysxSceneAPI"):
                return float(prim.GetAttribute("physxScene:timeStepsPerSecond").Get())
        return STEPS_PER_SECOND

    def _fixed(self) -> tuple[Attachment, ...]:
        holder = self.usd.GetPrimAtPath(FIXINGS)
        return tuple(_attachment(prim) for prim in holder.GetChildren()) if holder else ()

    def _take_in(self) -> None:
        """What was written to the stage since the last step."""
        for key, movable in self._compiled.movables.items():
            pose = self._pose(key)
            kinematic = bool(self._attribute(key, "physics:kinematicEnabled").Get())
            if kinematic:
                if key in self._free:
                    self._free.discard(key)
                    self._collide(movable, free=False)
                if pose != self._placed[key] or key in self._written:
                    self._park(movable, pose)
                    self._written.pop(key, None)
            elif key not in self._free or pose != self._written.get(key):
                if key not in self._free:
                    self._free.add(key)
                    self._collide(movable, free=True)
                self._park(movable, pose)
                self._data.qvel[movable.dof : movable.dof + 6] = self._velocity(key)
                self._written[key] = pose
            self._placed[key] = pose
        for driven in self._compiled.driven:
            T = self._matrix(link_path(driven.entity, driven.link.key))
            pose = Pose.from_matrix(T)
            self._data.mocap_pos[driven.mocap] = pose.position_m
            self._data.mocap_quat[driven.mocap] = pose.quat_wxyz

    def _give_back(self) -> None:
        for key in sorted(self._free):
            movable = self._compiled.movables[key]
            q, v = self._data.qpos[movable.qpos : movable.qpos + 7], self._data.qvel[movable.dof : movable.dof + 6]
            pose = Pose.from_array(np.concatenate([q[:3], q[3:] / np.linalg.norm(q[3:])]))
            for part, place in with_children({key: pose}, self._rows_of(key)).items():
                self._write(part, place)
            R = Pose(pose.position_m, pose.quat_wxyz).matrix()[:3, :3]
            wx, wy, wz = (R @ v[3:]).tolist()
            self._attribute(key, VELOCITY[0]).Set(tuple(v[:3].tolist()))
            self._attribute(key, VELOCITY[1]).Set(usd_angular_velocity((wx, wy, wz)))
            self._placed[key] = self._written[key] = self._pose(key)

    def _rows_of(self, root: str) -> tuple[Attachment, ...]:
        found, known = [], {root}
        for _ in self._rows:
            for row in self._rows:
                if row.parent in known and row.child not in known:
                    known.add(row.child)
                    found.append(row)
        return tuple(found)

    def _write(self, key: str, pose: Pose) -> None:
        from pxr import Gf

        values = np.asarray(pose.array(), dtype=np.float32).astype(np.float64)
        w, x, y, z = (float(v) for v in values[3:])
        self._attribute(key, POSE[0]).Set(Gf.Vec3d(*values[:3].tolist()))
        self._attribute(key, POSE[1]).Set(gf_quat((w, x, y, z)))

    def _velocity(self, key: str) -> NDArray[np.float64]:
        """Shape (6,): linear, world frame, then angular in the body's frame, as MuJoCo's free joints have it."""
        R = self._pose(key).matrix()[:3, :3]
        angular = np.array(angular_velocity_from_usd(self._attribute(key, VELOCITY[1]).Get()))
        return np.concatenate([np.array(self._attribute(key, VELOCITY[0]).Get(), dtype=np.float64), R.T @ angular])

    def _park(self, movable: Movable, pose: Pose) -> None:
        data = self._data
        data.qpos[movable.qpos : movable.qpos + 7] = pose.array()
        data.qvel[movable.dof : movable.dof + 6] = 0.0
        data.mocap_pos[movable.mocap] = pose.position_m
        data.mocap_quat[movable.mocap] = pose.quat_wxyz

    def _collide(self, movable: Movable, *, free: bool) -> None:
        m = self._compiled.model
        for geoms, body, on in ((movable.free_geoms, movable.free_body, free), (movable.twin_geoms, movable.twin_body, not free)):
            for g in geoms:
                m.geom_contype[g] = m.geom_conaffinity[g] = int(on)
            m.body_contype[body] = m.body_conaffinity[body] = int(on)

    def _attribute(self, key: str, name: str) -> Any:
        return self.usd.GetPrimAtPath(root_path(key)).GetAttribute(name)

    def _pose(self, key: str) -> Pose:
        return pose_from_gf(_world(self.usd, root_path(key)))

    def _matrix(self, path: str) -> NDArray[np.float64]:
        return matrix_from_gf(_world(self.usd, path))


def _world(usd: Any, path: str) -> Any:
    from pxr import Usd, UsdGeom

    return UsdGeom.Xformable(usd.GetPrimAtPath(path)).ComputeLocalToWorldTransform(Usd.TimeCode.Default())


def _attachment(prim: Any) -> Attachment:
    """A fixed joint as a row of the house: the child's frame in the parent's."""

    def body(name: str) -> str:
        (target,) = prim.GetRelationship(name).GetTargets()
        return str(target).rsplit("/", 1)[-1]

    values: Mapping[str, Any] = {name: prim.GetAttribute(f"physics:{name}").Get() for name in ("localPos0", "localRot0")}
    quat = values["localRot0"]
    offset = Pose.from_array(np.array([*values["localPos0"], quat.GetReal(), *quat.GetImaginary()], dtype=np.float64))
    return Attachment(body("physics:body1"), "", body("physics:body0"), "", offset)
