"""Compiles a stage into a MuJoCo model: static fixtures, mocap links for joints, a free body and a kinematic twin for each movable."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from assistcore.house.constraints import parts_of
from assistcore.house.physics import STEP_SECONDS
from assistcore.house.stage import ConvexPiece, Entity, Link, StageModel, link_matrix
from assistcore.house.state import Attachment
from assistcore.world.errors import InfrastructureError
from assistcore.world.poses import Pose

if TYPE_CHECKING:
    import mujoco

F64 = NDArray[np.float64]

GRAVITY_M_S2 = 9.81
DEFAULT_DENSITY_KG_M3 = 300.0
"""Used where a stage gives a movable no mass: a light household thing, air included."""
FRICTION = (0.8, 0.01, 0.002)
"""Sliding, torsional and rolling friction: household things stay where they are put and do not roll for ever."""
SUBSTEPS, SUBSTEPS_MUJOCO_3 = 4, 8
"""Solver steps of each 1/60 s. A contact brakes within about two of them: what falls 1 m then sinks in by some 10 mm, less than half
a table top; with one it would sink in by 50 mm, come to be held from above and from below, and tremble for ever. MuJoCo 3 has no
speculative contacts: with four steps a knife that falls on a table goes through it, and the solver shoots it out at 100 m/s."""
STIFFNESS_STEPS = 2.04
SOLIMP = (0.985, 0.998, 0.001, 0.5, 2.0)
"""Contact stiffness, critically damped, as stiff as the solver step allows (its time constant is so many of them): a thing at rest sinks
in by less than 0.01 mm."""
IMPRATIO = 50.0
"""Stiffness of friction against that of the contact: with ten times less, what leans or is wedged creeps by 1 mm/s and more."""
THINNEST_M = 0.001
"""Hull pieces that are flat are replaced by their box, at least this thick."""
MODELS_KEPT = 4
"""Models of a stage that are kept: of its start with and without what is attached then, and of what was attached or removed last."""
SAFETY_PLANE_M = 0.05
"""A plane this far below the lowest floor catches whatever would fall for ever."""


@dataclass(frozen=True)
class Driven:
    """A link that a joint moves: its mocap body, static to the solver, placed whenever the joint or its entity moves, and its geoms."""

    entity: str
    link: Link
    mocap: int
    geoms: tuple[int, ...]


@dataclass(frozen=True)
class Movable:
    """A movable's free body (`qpos`, `dof`: first addresses) and its kinematic twin (`mocap`), with the geoms and bodies of both."""

    entity: Entity
    qpos: int
    dof: int
    mocap: int
    free_body: int
    twin_body: int
    free_geoms: tuple[int, ...]
    twin_geoms: tuple[int, ...]
    radius_m: float
    """Distance of the farthest corner from the root: turns angular speed into speed."""


@dataclass(frozen=True)
class Compiled:
    """A compiled model and where everything is in it. substeps: its solver steps in 1/60 s."""

    stage: StageModel
    model: mujoco.MjModel
    substeps: int
    movables: Mapping[str, Movable]
    driven: tuple[Driven, ...]


class Builder:
    """Fills one MjSpec. Names are `entity` for free bodies, `entity|twin`, `entity|link` for driven links."""

    def __init__(self) -> None:
        import mujoco

        self._mj: Any = mujoco
        self.spec: Any = mujoco.MjSpec()
        self._meshes: dict[int, tuple[str, float]] = {}
        self._kept: list[ConvexPiece] = []
        option = self.spec.option
        speculative = getattr(mujoco.mjtEnableBit, "mjENBL_SPECULATIVE", None) is not None
        self.substeps = SUBSTEPS if speculative else SUBSTEPS_MUJOCO_3
        option.timestep = STEP_SECONDS / self.substeps
        option.gravity = (0.0, 0.0, -GRAVITY_M_S2)
        option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        option.impratio = IMPRATIO
        option.iterations = 50
        # Several contacts for hulls; nothing falls into what is thinner than its way in one step (MuJoCo 4).
        for flag in ("mjENBL_MULTICCD", "mjENBL_SPECULATIVE"):
            option.enableflags |= int(getattr(mujoco.mjtEnableBit, flag, 0))
        option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        geom = self.spec.default.geom
        geom.friction = FRICTION
        geom.solref = (STIFFNESS_STEPS * option.timestep, 1.0)
        geom.solimp = SOLIMP
        geom.condim = 6

    def mesh(self, piece: ConvexPiece) -> tuple[str, float]:
        """Mesh name and hull volume, cubic metres, of a hull piece (the same piece gives the same mesh)."""
        known = self._meshes.get(id(piece))
        if known is not None:
            return known
        points, volume = _hull(piece)
        name = f"hull{len(self._meshes)}"
        self.spec.add_mesh(name=name, uservert=points.ravel().tolist(), inertia=self._mj.mjtMeshInertia.mjMESH_INERTIA_CONVEX)
        self._meshes[id(piece)] = (name, volume)
        self._kept.append(piece)
        return self._meshes[id(piece)]

    def volume(self, piece: ConvexPiece) -> float:
        """Volume of a piece, cubic metres."""
        if piece.half_extents_m is not None:
            return float(8.0 * np.prod(piece.half_extents_m))
        return self.mesh(piece)[1]

    def geom(self, piece: ConvexPiece, T_body_link: F64, *bodies: tuple[Any, float], hull: bool = False) -> None:
        """Add one piece to bodies that share their frame, each with the mass (kilograms) that the piece has there.

        `hull`: a box too is a hull, since the contacts of two boxes that lie on each other flicker in MuJoCo between the face's corners and
        one edge, and each time the upper one tips.
        """
        pose = Pose.from_matrix(T_body_link @ piece.T_link_piece)
        more: dict[str, Any] = {"pos": pose.position_m, "quat": pose.quat_wxyz}
        if piece.half_extents_m is not None and not hull:
            more |= {"type": self._mj.mjtGeom.mjGEOM_BOX, "size": tuple(max(h, THINNEST_M / 2) for h in piece.half_extents_m)}
        else:
            more |= {"type": self._mj.mjtGeom.mjGEOM_MESH, "meshname": self.mesh(piece)[0]}
        for body, mass_kg in bodies:
            body.add_geom(mass=mass_kg, **more)


_HULLS: WeakKeyDictionary[ConvexPiece, tuple[F64, float]] = WeakKeyDictionary()


def _hull(piece: ConvexPiece) -> tuple[F64, float]:
    """Points (n, 3) of a hull piece and its volume, cubic metres; measured once while the piece lives."""
    found = _HULLS.get(piece)
    return found if found is not None else _HULLS.setdefault(piece, _measured(piece))


def _measured(piece: ConvexPiece) -> tuple[F64, float]:
    from scipy.spatial import ConvexHull, QhullError

    points = _corners(piece)
    try:
        volume = float(ConvexHull(points).volume)
    except (QhullError, ValueError):
        volume = 0.0
    if volume < 1e-10 or len(points) < 4:
        points = _thick_box(points)
        volume = float(np.prod(np.ptp(points, axis=0)))
    return points, volume


def _corners(piece: ConvexPiece) -> F64:
    """Points (n, 3) whose hull is the piece, in its own frame."""
    if piece.half_extents_m is None:
        return np.asarray(piece.vertices_m, dtype=np.float64)
    half = np.maximum(piece.half_extents_m, THINNEST_M / 2)
    return _thick_box(np.array([-half, half]))


def _thick_box(points: F64) -> F64:
    low, high = points.min(axis=0), points.max(axis=0)
    grow = np.maximum(0.0, THINNEST_M - (high - low)) / 2
    low, high = low - grow, high + grow
    return np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])


def moves_by_joint(entity: Entity, link: Link) -> bool:
    """Whether a link, or one it hangs on, has a joint."""
    hop: Link | None = link
    while hop is not None:
        if hop.joint is not None:
            return True
        hop = entity.link(hop.parent) if hop.parent else None
    return False


def compile_stage(
    stage: StageModel,
    poses: Mapping[str, Pose],
    joints: Mapping[str, float],
    removed: frozenset[str],
    attached: tuple[Attachment, ...] = (),
) -> Compiled:
    """Build the model. A movable's own joints (flaps, lids) are rigid at their values at load; attached children are part of their root."""
    builder = Builder()
    world = builder.spec.worldbody
    lowest = min((room.floor_m for room in stage.rooms), default=0.0)
    world.add_geom(type=builder._mj.mjtGeom.mjGEOM_PLANE, size=(0, 0, 1), pos=(0, 0, lowest - SAFETY_PLANE_M))
    present = [e for e in stage.entities if e.key not in removed]
    driven: list[tuple[Entity, Link]] = []
    bodies = {e.key: _parts(stage, e, attached) for e in present if e.kind == "movable" and not any(a.child == e.key for a in attached)}
    for entity in present:
        if entity.kind == "movable":
            if entity.key in bodies:
                _add_movable(builder, bodies[entity.key], entity.pose, joints)  # the same model whatever the poses: they are written later
            continue
        root = poses.get(entity.key, entity.pose).matrix()
        body = world.add_body(name=entity.key)
        for link in entity.links:
            T = link_matrix(entity, link, root, joints)
            if not moves_by_joint(entity, link):
                for piece in link.pieces:
                    builder.geom(piece, T, (body, 0.0))
            elif link.pieces:
                pose = Pose.from_matrix(T)
                mocap = world.add_body(name=f"{entity.key}|{link.key}", mocap=True, pos=pose.position_m, quat=pose.quat_wxyz)
                for piece in link.pieces:
                    builder.geom(piece, np.eye(4), (mocap, 0.0))
                driven.append((entity, link))
    try:
        model = builder.spec.compile()
    except ValueError as error:
        raise InfrastructureError("compile the stage for MuJoCo", f"scene {stage.name!r}: {error}") from error
    movables = {key: _find_movable(model, parts) for key, parts in bodies.items()}
    return Compiled(stage, model, builder.substeps, movables, tuple(_find_driven(model, e, link) for e, link in driven))


class Models:
    """Compiles stages and keeps the last few models of one; what a joint drives is placed in a copy, which is the caller's own."""

    def __init__(self) -> None:
        self._stage: StageModel | None = None
        self._kept: dict[tuple[object, ...], Compiled] = {}

    def of(
        self,
        stage: StageModel,
        poses: Mapping[str, Pose],
        joints: Mapping[str, float],
        removed: frozenset[str],
        attached: tuple[Attachment, ...] = (),
    ) -> Compiled:
        """What `compile_stage` makes, but for the bounds that only tell which pairs are looked at."""
        if stage is not self._stage:
            self._stage, self._kept = stage, {}
        rigid = {j.key: joints.get(j.key, j.initial) for e in stage.entities if e.kind == "movable" for j in e.joints}
        fixed = tuple(poses.get(e.key) for e in stage.entities if e.kind != "movable")
        key = (removed, attached, tuple(rigid.values()), fixed)
        kept = self._kept.pop(key, None)
        if kept is None:  # The driven joints as they are at first: what is kept depends on nothing that is not in the key.
            kept = compile_stage(stage, poses, {j.key: j.initial for e in stage.entities for j in e.joints} | rigid, removed, attached)
        self._kept[key] = kept
        if len(self._kept) > MODELS_KEPT:
            del self._kept[next(iter(self._kept))]
        model = copy(kept.model)
        bodies = {int(mocap): body for body, mocap in enumerate(model.body_mocapid)}
        for driven in kept.driven:
            entity = stage.entity(driven.entity)
            root = poses.get(entity.key, entity.pose).matrix()
            pose, body = Pose.from_matrix(link_matrix(entity, driven.link, root, joints)), bodies[driven.mocap]
            model.body_pos[body], model.body_quat[body] = pose.position_m, pose.quat_wxyz
        return replace(kept, model=model)


Parts = tuple[tuple[Entity, F64], ...]
"""The root of an assembly and what is attached to it, with their transforms (4, 4) in the root's frame."""


def _parts(stage: StageModel, root: Entity, attached: tuple[Attachment, ...]) -> Parts:
    placed = {root.key: np.eye(4)}
    for key in parts_of(attached, root.key):
        row = next(a for a in attached if a.child == key)
        placed[key] = placed[row.parent] @ row.parent_child.matrix()
    return tuple((stage.entity(key), T) for key, T in placed.items())


def _add_movable(builder: Builder, parts: Parts, pose: Pose, joints: Mapping[str, float]) -> None:
    world = builder.spec.worldbody
    key = parts[0][0].key
    free = world.add_body(name=key, pos=pose.position_m, quat=pose.quat_wxyz)
    free.add_freejoint()
    twin = world.add_body(name=f"{key}|twin", mocap=True, pos=pose.position_m, quat=pose.quat_wxyz)
    for entity, T_root_part in parts:
        total = sum(builder.volume(p) for link in entity.links for p in link.pieces)
        if total <= 0.0:
            raise InfrastructureError("compile the stage for MuJoCo", f"movable {entity.key} has no collision pieces")
        mass = entity.mass_kg if entity.mass_kg > 0.0 else total * DEFAULT_DENSITY_KG_M3
        for link in entity.links:
            T = T_root_part @ link_matrix(entity, link, np.eye(4), joints)
            for piece in link.pieces:
                builder.geom(piece, T, (free, mass * builder.volume(piece) / total), (twin, 0.0), hull=True)


def _find_movable(model: Any, parts: Parts) -> Movable:
    entity = parts[0][0]
    free, twin = model.body(entity.key), model.body(f"{entity.key}|twin")
    joint = int(model.body_jntadr[free.id])
    return Movable(
        entity,
        int(model.jnt_qposadr[joint]),
        int(model.jnt_dofadr[joint]),
        int(model.body_mocapid[twin.id]),
        int(free.id),
        int(twin.id),
        _geoms(model, free.id),
        _geoms(model, twin.id),
        max(_radius_m(e) + float(np.linalg.norm(T[:3, 3])) for e, T in parts),
    )


def _radius_m(entity: Entity) -> float:
    low, high = entity.box_m
    return float(np.linalg.norm(np.maximum(np.abs(low), np.abs(high))))


def _find_driven(model: Any, entity: Entity, link: Link) -> Driven:
    body = model.body(f"{entity.key}|{link.key}").id
    return Driven(entity.key, link, int(model.body_mocapid[body]), _geoms(model, body))


def _geoms(model: Any, body: int) -> tuple[int, ...]:
    first = int(model.body_geomadr[body])
    return tuple(range(first, first + int(model.body_geomnum[body])))
