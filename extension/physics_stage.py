"""A scene file as PhysX is to see it: opened below a layer of our own, prepared once, then moved by plain USD writes.

Nothing is ever written to the scene file. Its wrapper, an empty layer with the scene as its only sublayer, takes our edits and those of
PhysX. Movables are rigid bodies at `/World/<key>`, driven links kinematic bodies at `/World/<key>/<link>`. UsdPhysics joints are switched
off: doors and drawers are driven by placing the link, as on every back end.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistcore.house.stage import Entity, Link, StageModel, link_matrix
from assistcore.house.state import Attachment
from assistcore.world.errors import InfrastructureError, InputError, Problem
from assistcore.world.poses import Pose
from extension.conversions import (
    Vec3,
    angular_velocity_from_usd,
    gf_matrix,
    gf_quat,
    gf_quat_single,
    pose_from_gf,
    usd_angular_velocity,
)

if TYPE_CHECKING:
    from pxr import Usd

SCENE_PATH = "/World/PhysicsScene"
FIXINGS = "/World/Attachments"
GRAVITY_M_S2 = 9.81
PRESSED_M_S = 0.3
"""What a scenario has put into another thing, by up to 5 cm, is pressed out this fast and not shot away."""


def write_wrapper(scene: Path, folder: Path) -> Path:
    """A layer in `folder` with the scene file as its sublayer and the scene's units and axis, which do not come through a sublayer.

    Raises InputError for a scene that is not in metres with Z up: PhysX would take other units at face value.
    """
    from pxr import Sdf

    source = Sdf.Layer.FindOrOpen(str(scene))
    if source is None:
        raise InputError("scene for Isaac Sim", [Problem(str(scene), "is not a USD file", "bake it anew")])
    root = source.pseudoRoot
    unit, axis = root.GetInfo("metersPerUnit"), str(root.GetInfo("upAxis"))
    if unit != 1.0 or axis != "Z":
        problem = Problem(str(scene), f"has metersPerUnit {unit} and up axis {axis}", "bake it in metres with Z up")
        raise InputError("scene for Isaac Sim", [problem])
    layer = Sdf.Layer.CreateNew(str(folder / f"{scene.stem}_in_isaac.usda"))
    layer.subLayerPaths.append(str(scene.resolve()))
    for name in ("metersPerUnit", "upAxis", "kilogramsPerUnit"):
        if root.HasInfo(name):
            layer.pseudoRoot.SetInfo(name, root.GetInfo(name))
    layer.defaultPrim = source.defaultPrim
    layer.Save()
    return Path(layer.realPath)


class PhysicsStage:
    """A `Usd.Stage` read and written by the keys of a stage model."""

    def __init__(self, usd: Usd.Stage, model: StageModel) -> None:
        self.usd, self.model = usd, model
        self._prims: dict[str, Usd.Prim] = {}
        lacking = [e.key for e in model.entities if not usd.GetPrimAtPath(f"/World/{e.key}")]
        if lacking:
            what = f"the opened stage has no prim for {', '.join(lacking[:5])}" + (" ..." if len(lacking) > 5 else "")
            raise InfrastructureError("open scene", f"{what}; it is not scene {model.name!r}, or its assets were not found")

    def prim(self, path: str) -> Usd.Prim:
        """The prim at a path below the root. Raises InfrastructureError where it went away."""
        found = self._prims.get(path)
        if found is None or not found.IsValid():
            found = self._prims[path] = self.usd.GetPrimAtPath(path)
        if not found:
            raise InfrastructureError("PhysX stage", f"no prim {path} in the opened stage")
        return found

    def prepare(self, step_seconds: float) -> None:
        """Set up what PhysX reads at its start: scene, gravity, step, kinematic bodies, joints off."""
        from pxr import UsdPhysics

        self._set_up_scene(step_seconds)
        for prim in self.usd.Traverse():
            if UsdPhysics.Joint(prim):
                UsdPhysics.Joint(prim).CreateJointEnabledAttr().Set(False)
        for entity in self.model.entities:
            if entity.kind == "movable":
                self._prepare_movable(entity)
                continue
            for link in entity.links:
                if driven(entity, link):
                    body = UsdPhysics.RigidBodyAPI.Apply(self.prim(link_path(entity.key, link.key)))
                    body.CreateKinematicEnabledAttr().Set(True)

    def _set_up_scene(self, step_seconds: float) -> None:
        """Without PhysxSceneAPI on the scene, settings of the step size are ignored without a word."""
        from pxr import Gf, Sdf, UsdPhysics

        scene = UsdPhysics.Scene.Define(self.usd, SCENE_PATH)
        scene.CreateGravityDirectionAttr().Set(Gf.Vec3f(0.0, 0.0, -1.0))
        scene.CreateGravityMagnitudeAttr().Set(GRAVITY_M_S2)
        prim = scene.GetPrim()
        if not applies(prim, "PhysxSceneAPI"):
            prim.AddAppliedSchema("PhysxSceneAPI")
        prim.CreateAttribute("physxScene:timeStepsPerSecond", Sdf.ValueTypeNames.UInt).Set(round(1.0 / step_seconds))

    def scenes(self) -> list[str]:
        """Paths of all physics scenes of the stage."""
        from pxr import UsdPhysics

        return [str(prim.GetPath()) for prim in self.usd.Traverse() if UsdPhysics.Scene(prim)]

    def steps_per_second(self) -> float | None:
        """What PhysX will read, None where it would read nothing."""
        prim = self.prim(SCENE_PATH)
        if not applies(prim, "PhysxSceneAPI"):
            return None
        value = prim.GetAttribute("physxScene:timeStepsPerSecond").Get()
        return None if value is None else float(value)

    def _prepare_movable(self, entity: Entity) -> None:
        from pxr import Sdf, UsdPhysics

        prim = self.prim(root_path(entity.key))
        body = UsdPhysics.RigidBodyAPI.Apply(prim)
        body.CreateKinematicEnabledAttr().Set(True)
        body.CreateVelocityAttr().Set((0.0, 0.0, 0.0))
        body.CreateAngularVelocityAttr().Set((0.0, 0.0, 0.0))
        # PhysX never puts a body to sleep: when everything is at rest is decided by our own rule, as on every back end.
        prim.AddAppliedSchema("PhysxRigidBodyAPI")
        prim.CreateAttribute("physxRigidBody:sleepThreshold", Sdf.ValueTypeNames.Float).Set(0.0)
        prim.CreateAttribute("physxRigidBody:maxDepenetrationVelocity", Sdf.ValueTypeNames.Float).Set(PRESSED_M_S)
        for link in entity.links:
            inner = UsdPhysics.RigidBodyAPI(self.prim(link_path(entity.key, link.key)))
            if driven(entity, link) and inner:
                inner.CreateRigidBodyEnabledAttr().Set(False)

    def set_removed(self, removed: Iterable[str]) -> None:
        """Only these movables are absent from now on."""
        gone = set(removed)
        for entity in self.model.entities:
            if entity.kind == "movable":
                prim = self.usd.GetPrimAtPath(root_path(entity.key))
                if prim.IsActive() == (entity.key in gone):
                    prim.SetActive(entity.key not in gone)
                    self._prims.clear()

    def write_pose(self, key: str, pose: Pose) -> None:
        """Put a root somewhere: `xformOp:translate` and `xformOp:orient`, which the scene's own layer has."""
        from pxr import Gf

        prim = self.prim(root_path(key))
        prim.GetAttribute("xformOp:translate").Set(Gf.Vec3d(*pose.position_m))
        prim.GetAttribute("xformOp:orient").Set(gf_quat(pose.quat_wxyz))

    def read_pose(self, key: str) -> Pose:
        """Where a root is now, whatever operations PhysX has written."""
        from pxr import Usd, UsdGeom

        return pose_from_gf(UsdGeom.Xformable(self.prim(root_path(key))).ComputeLocalToWorldTransform(Usd.TimeCode.Default()))

    def write_links(self, key: str, root: Pose, joints: dict[str, float]) -> None:
        """Place the driven links of a fixture for its joint values."""
        from pxr import UsdGeom

        entity = self.model.entity(key)
        base = root.matrix()
        for link in entity.links:
            if driven(entity, link):
                local = np.linalg.inv(base) @ link_matrix(entity, link, base, joints)
                shape = UsdGeom.Xformable(self.prim(link_path(key, link.key)))
                attribute = shape.GetPrim().GetAttribute("xformOp:transform")
                if not attribute:
                    attribute = shape.AddTransformOp().GetAttr()
                attribute.Set(gf_matrix(local))

    def set_kinematic(self, key: str, kinematic: bool) -> None:
        """Switch a movable. There is no call for it in Isaac Sim: the USD attribute is the switch."""
        from pxr import UsdPhysics

        UsdPhysics.RigidBodyAPI(self.prim(root_path(key))).GetKinematicEnabledAttr().Set(kinematic)

    def write_velocity(self, key: str, linear_m_s: Vec3, angular_rad_s: Vec3) -> None:
        """Set a movable's velocity."""
        from pxr import UsdPhysics

        body = UsdPhysics.RigidBodyAPI(self.prim(root_path(key)))
        body.GetVelocityAttr().Set(linear_m_s)
        body.GetAngularVelocityAttr().Set(usd_angular_velocity(angular_rad_s))

    def read_velocity(self, key: str) -> tuple[Vec3, Vec3]:
        """Linear, metres per second, and angular, radians per second."""
        from pxr import UsdPhysics

        body = UsdPhysics.RigidBodyAPI(self.prim(root_path(key)))
        x, y, z = (float(v) for v in body.GetVelocityAttr().Get())
        return (x, y, z), angular_velocity_from_usd(body.GetAngularVelocityAttr().Get())

    def fix(self, rows: Iterable[Attachment]) -> None:
        """Exactly these children are fixed to their parents by joints from now on."""
        from pxr import Gf, UsdPhysics

        wanted = {f"{FIXINGS}/{row.child}": row for row in rows}
        holder = self.usd.GetPrimAtPath(FIXINGS)
        for prim in list(holder.GetChildren()) if holder else []:
            if str(prim.GetPath()) not in wanted:
                self.usd.RemovePrim(prim.GetPath())
        for path, row in wanted.items():
            joint = UsdPhysics.FixedJoint.Define(self.usd, path)
            joint.CreateBody0Rel().SetTargets([root_path(row.parent)])
            joint.CreateBody1Rel().SetTargets([root_path(row.child)])
            joint.CreateLocalPos0Attr().Set(Gf.Vec3f(*row.parent_child.position_m))
            joint.CreateLocalRot0Attr().Set(gf_quat_single(row.parent_child.quat_wxyz))
            joint.CreateLocalPos1Attr().Set(Gf.Vec3f(0.0, 0.0, 0.0))
            joint.CreateLocalRot1Attr().Set(Gf.Quatf(1.0, 0.0, 0.0, 0.0))


def applies(prim: Usd.Prim, schema: str) -> bool:
    """Whether an API schema is authored on a prim, known to this build of USD or not."""
    return schema in prim.GetPrimTypeInfo().GetAppliedAPISchemas()


def root_path(key: str) -> str:
    """Where an entity is in the stage."""
    return f"/World/{key}"


def link_path(key: str, link: str) -> str:
    """Where a link is in the stage."""
    return f"/World/{key}/{link}"


def driven(entity: Entity, link: Link) -> bool:
    """Whether a link, or one that it hangs on, has a joint."""
    hop: Link | None = link
    while hop is not None:
        if hop.joint is not None:
            return True
        hop = entity.link(hop.parent) if hop.parent else None
    return False
