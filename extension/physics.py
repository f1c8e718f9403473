"""PhysX behind the `Physics` protocol, by plain USD writes on the CPU pipeline.

Bodies are kinematic unless they are awake: what rests, is held or is driven stays exactly where it is put and costs nothing. A body that
wakes is freed, together with what leans on it; when all awake ones have stayed where they are for twelve steps they are kinematic again.
PhysX reads a pose written to a kinematic body as a target to reach within one step. Before anything is freed, one step with nothing free
therefore takes all writes in, so that a thing that was carried across the room pushes nothing when it arrives. The same holds at the start,
where PhysX simulates two steps before anybody asks.

No tensor view is used here: switching a body between kinematic and dynamic may invalidate them.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

from assistcore.house.constraints import assembly_root
from assistcore.house.mating import with_children
from assistcore.house.physics import STEP_SECONDS
from assistcore.house.stage import StageModel
from assistcore.house.state import Attachment
from assistcore.world.errors import InfrastructureError, VersionError, nearest
from assistcore.world.poses import Pose
from extension.conversions import Vec3
from extension.errors import PhysicsSceneError
from extension.physics_stage import SCENE_PATH, PhysicsStage, driven, write_wrapper
from extension.rest import Box, RestWatch, box_of, moved, radius_of, touching
from extension.simulation import Simulation

STATE_VERSION = "physx-physics/1"
WAKE_MARGIN_M = 0.01
"""What is moved by hand wakes what is within this distance of its old and new place."""


class IsaacPhysics:
    """The `Physics` of Isaac Sim. `restore` puts bodies back at rest; two runs agree within tolerances, not to the bit."""

    name = "physx"

    def __init__(self, simulation: Simulation, scene_file: Callable[[str], Path]) -> None:
        self._simulation, self._scene_file = simulation, scene_file
        self._world: PhysicsStage | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def load(self, stage: StageModel, poses: Mapping[str, Pose], joints: Mapping[str, float], removed: frozenset[str]) -> None:
        """See `Physics`. The same scene is not opened again; what stays loaded is put back in place."""
        world = self._opened(stage)
        same = self._simulation.running() and removed == getattr(self, "_removed", None)
        if not same:
            self._simulation.stop()
            world.set_removed(removed)
        self._removed = removed
        self._attached: tuple[Attachment, ...] = ()
        present = [e for e in stage.entities if e.key not in removed]
        self._movables = {e.key: e for e in present if e.kind == "movable"}
        self._fixtures = {e.key: poses.get(e.key, e.pose) for e in present if e.kind != "movable"}
        initial = {j.key: j.initial for e in present for j in e.joints}
        self._joints = initial | {k: float(v) for k, v in joints.items() if k in initial}
        self._poses = {key: poses.get(key, e.pose) for key, e in self._movables.items()}
        self._rest = dict(self._poses)
        self._kinematic: set[str] = set()
        self._live: set[str] = set()
        self._free: set[str] = set()
        self._watch = RestWatch(radius_of(self._movables.values()))
        world.fix(())
        for key, pose in self._poses.items():
            self._hold(key, pose)
        for key, root in self._fixtures.items():
            if any(driven(stage.entity(key), link) for link in stage.entity(key).links):
                world.write_links(key, root, self._joints)
        if not same:
            self._start(world)
        self._unwritten = True
        self._wake(self._movables)

    def _opened(self, stage: StageModel) -> PhysicsStage:
        world = self._world
        if world is not None and world.model is stage and self._simulation.stage() is world.usd:
            return world
        self.close()
        self._folder = tempfile.TemporaryDirectory(prefix="assistworld-isaac-")
        usd = self._simulation.open(write_wrapper(self._scene_file(stage.name), Path(self._folder.name)))
        self._world = world = PhysicsStage(usd, stage)
        world.prepare(STEP_SECONDS)
        return world

    def _start(self, world: PhysicsStage) -> None:
        """Start PhysX with every body kinematic, and make sure that it runs the scene that was set up. Raises PhysicsSceneError."""
        self._simulation.start(SCENE_PATH, STEP_SECONDS)
        found, rate = world.scenes(), world.steps_per_second()
        if found != [SCENE_PATH]:
            raise PhysicsSceneError(f"the stage has physics scenes {', '.join(found) or 'none'}, expected {SCENE_PATH} alone")
        if rate is None or abs(rate * STEP_SECONDS - 1.0) > 1e-6:
            raise PhysicsSceneError(f"{SCENE_PATH} steps {rate} times a second, expected {1.0 / STEP_SECONDS:.0f}")
        strayed = [key for key, pose in self._poses.items() if moved(world.read_pose(key), pose)]
        if strayed:
            raise InfrastructureError("start PhysX", f"kinematic bodies moved while it started: {', '.join(strayed[:5])}")

    @property
    def _loaded(self) -> PhysicsStage:
        if self._world is None:
            raise InfrastructureError("PhysX", "used before load() or after close()")
        return self._world

    def poses(self) -> dict[str, Pose]:
        """See `Physics`."""
        return with_children(self._poses, self._attached) if self._loaded else {}

    def joints(self) -> dict[str, float]:
        """See `Physics`."""
        return dict(self._joints) if self._loaded else {}

    def at_rest(self) -> bool:
        """See `Physics`."""
        return not self._live

    def set_pose(self, entity: str, pose: Pose) -> None:
        """See `Physics`. What is attached goes along."""
        if self._is_part(entity):
            return
        self._known(entity)
        if not np.isfinite(pose.array()).all():
            raise InfrastructureError("PhysX", f"pose of {entity} set to {pose}")
        if entity in self._kinematic and pose == self._poses[entity]:
            return
        before = self._box(entity)
        self._rest[entity] = pose
        self._hold(entity, pose)
        self._wake_near(before)
        self._wake([entity])
        self._wake_near(self._box(entity))

    def set_kinematic(self, entity: str, kinematic: bool) -> None:
        """See `Physics`."""
        if self._is_part(entity):
            return
        self._known(entity)
        if kinematic == (entity in self._kinematic):
            return
        if kinematic:
            self._kinematic.add(entity)
            self._live.discard(entity)
            self._hold(entity, self._poses[entity])
        else:
            self._kinematic.discard(entity)
            self._rest[entity] = self._poses[entity]
        self._wake([entity])
        self._wake_near(self._box(entity))

    def set_attached(self, attached: tuple[Attachment, ...]) -> None:
        """See `Physics`. Parts are fixed to their parent by a joint while it is free, and placed with it while it is kinematic."""
        if attached == self._attached:
            return
        poses = self.poses()
        changed = {a for a in {*attached, *self._attached} if (a in attached) != (a in self._attached)}
        self._attached = attached
        parts = {a.child for a in attached}
        self._poses = {key: pose for key, pose in poses.items() if key not in parts}
        self._rest = {key: self._rest.get(key, pose) for key, pose in self._poses.items()}
        self._kinematic -= parts
        self._live -= parts
        self._fix()
        for key, pose in self._poses.items():
            self._hold(key, pose)
        self._wake({assembly_root(attached, key) for a in changed for key in (a.child, a.parent)})

    def set_joint(self, joint: str, value: float) -> None:
        """See `Physics`."""
        world = self._loaded
        if joint not in self._joints:
            raise InfrastructureError("PhysX", f"no joint {joint!r}; {nearest(joint, list(self._joints))}")
        if not np.isfinite(value):
            raise InfrastructureError("PhysX", f"joint {joint} set to {value!r}")
        if self._joints[joint] == value:
            return
        owner, _ = world.model.joint_owner[joint]
        if owner in self._movables:
            self._joints[joint] = float(value)
            return
        boxes = [self._swept(owner)]
        self._joints[joint] = float(value)
        world.write_links(owner, self._fixtures[owner], self._joints)
        self._unwritten = True
        for box in (*boxes, self._swept(owner)):
            self._wake_near(box)

    def step(self, steps: int) -> None:
        """See `Physics`. Raises InfrastructureError when PhysX was stopped by somebody else, or a body's state is no longer finite."""
        world = self._loaded
        for _ in range(steps):
            if not self._live:
                return
            if not self._simulation.running() or self._simulation.stage() is not world.usd:
                raise InfrastructureError("step PhysX", "the simulation was stopped or its stage replaced from outside; reset")
            self._release(world)
            self._simulation.step(1)
            self._look(world)

    def _release(self, world: PhysicsStage) -> None:
        """Free the bodies that have woken. Writes made meanwhile are taken in first, while nothing is free."""
        if self._unwritten and not self._free:
            self._simulation.step(1)
        self._unwritten = False
        for key in sorted(self._live - self._free):
            for part in self._assembly(key):
                world.write_velocity(part, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
                world.set_kinematic(part, False)
        self._free |= self._live
        self._fix()

    def _fix(self) -> None:
        """Joints for the parts of what is free. Two kinematic bodies cannot be joined: parts of what is held are placed instead."""
        self._loaded.fix(a for a in self._attached if assembly_root(self._attached, a.child) in self._free)

    def _look(self, world: PhysicsStage) -> None:
        fresh = {key: world.read_pose(key) for key in sorted(self._live)}
        bad = [key for key, pose in fresh.items() if not np.isfinite(pose.array()).all()]
        if bad:
            raise InfrastructureError("step PhysX", f"state of {', '.join(bad[:5])} is not finite after step {self._watch.awake}")
        for key, pose in fresh.items():
            if moved(pose, self._rest[key]):
                self._poses[key] = pose
        resting = self._watch.look(fresh)
        awake = self._watch.awake
        sleeping = {k: self._box(k) for k in self._poses if k not in self._live and k not in self._kinematic}
        touched = {other for key in self._live for other in touching(sleeping, self._box(key))} if sleeping else set()
        if touched:
            self._wake(touched)
            self._watch.awake = awake
        elif resting:
            self._fall_asleep()

    def _fall_asleep(self) -> None:
        for key in sorted(self._live):
            if not moved(self._poses[key], self._rest[key]):
                self._poses[key] = self._rest[key]
            self._rest[key] = self._poses[key]
            self._hold(key, self._poses[key])
        self._live.clear()

    def _hold(self, key: str, pose: Pose) -> None:
        """A body, with its parts, stands still at a pose. It stays free where it was, if it is awake."""
        world = self._loaded
        self._poses[key] = pose
        for part in self._assembly(key):
            world.set_kinematic(part, True)
            world.write_velocity(part, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        for part, place in with_children({key: pose}, self._own(key)).items():
            world.write_pose(part, place)
        self._free.discard(key)
        self._fix()
        self._unwritten = True

    def _own(self, key: str) -> tuple[Attachment, ...]:
        return tuple(a for a in self._attached if assembly_root(self._attached, a.child) == key)

    def _assembly(self, key: str) -> list[str]:
        return [key, *(a.child for a in self._own(key))]

    def _wake(self, keys: Iterable[str]) -> None:
        """Wake some bodies and, in turn, what may lean on them or be carried by them."""
        fresh = [k for k in keys if k in self._poses and k not in self._live and k not in self._kinematic]
        if not fresh:
            return
        self._watch.restart()
        asleep = {k: self._box(k) for k in self._poses if k not in self._live and k not in self._kinematic}
        while fresh:
            key = fresh.pop()
            if key not in asleep:
                continue
            box = asleep.pop(key)
            self._live.add(key)
            fresh += touching(asleep, box)

    def _wake_near(self, box: Box) -> None:
        asleep = {k: self._box(k) for k in self._poses if k not in self._live and k not in self._kinematic}
        self._wake(touching(asleep, box, WAKE_MARGIN_M))

    def _box(self, key: str) -> Box:
        """Box around a body and its parts."""
        placed = with_children({key: self._poses[key]}, self._own(key))
        boxes = [box_of(self._movables[k], pose) for k, pose in placed.items()]
        return np.stack([b[0] for b in boxes]).min(axis=0), np.stack([b[1] for b in boxes]).max(axis=0)

    def _swept(self, fixture: str) -> Box:
        """Box around the driven links of a fixture at their joint values."""
        from assistcore.house.stage import link_matrix

        entity, root = self._loaded.model.entity(fixture), self._fixtures[fixture].matrix()
        points = [self._fixtures[fixture].position_m]
        for link in entity.links:
            if driven(entity, link):
                T = link_matrix(entity, link, root, self._joints)
                for piece in link.pieces:
                    local = piece.vertices_m @ piece.T_link_piece[:3, :3].T + piece.T_link_piece[:3, 3]
                    points.extend(local @ T[:3, :3].T + T[:3, 3])
        every = np.array(points[1:] or points, dtype=np.float64)
        return every.min(axis=0), every.max(axis=0)

    def _is_part(self, entity: str) -> bool:
        return any(a.child == entity for a in self._attached)

    def _known(self, entity: str) -> None:
        if not self._loaded or entity not in self._poses:
            raise InfrastructureError("PhysX", f"no movable {entity!r}; {nearest(entity, list(self._poses))}")

    def save(self) -> bytes:
        """Poses, joints, what is held, awake and attached; of a body in motion its velocity too, for digests."""
        world = self._loaded
        speeds: dict[str, tuple[Vec3, Vec3]] = {key: world.read_velocity(key) for key in sorted(self._free)}
        state = {
            "version": STATE_VERSION,
            "poses": {key: pose.array().tolist() for key, pose in sorted(self._poses.items())},
            "rest": {key: pose.array().tolist() for key, pose in sorted(self._rest.items())},
            "joints": dict(sorted(self._joints.items())),
            "kinematic": sorted(self._kinematic),
            "live": sorted(self._live),
            "speeds": speeds,
            "attached": [[a.child, a.plug, a.parent, a.socket, a.parent_child.array().tolist()] for a in self._attached],
        }
        return json.dumps(state, sort_keys=True, separators=(",", ":")).encode("ascii")

    def restore(self, state: bytes) -> None:
        """Back to a saved state of the loaded scene, at rest: what was in motion then starts from its pose with no velocity.

        Raises VersionError for another format, InfrastructureError for another set of bodies.
        """
        told = json.loads(state)
        if told.get("version") != STATE_VERSION:
            raise VersionError("physics state", str(told.get("version")), STATE_VERSION)
        self.set_attached(tuple(Attachment(a, b, c, d, Pose.from_array(np.array(pose))) for a, b, c, d, pose in told["attached"]))
        if set(told["poses"]) != set(self._poses):
            raise InfrastructureError("restore physics", f"state of {len(told['poses'])} movables, loaded are {len(self._poses)}")
        for joint, value in told["joints"].items():
            self.set_joint(joint, value)
        for key, row in told["poses"].items():
            self._hold(key, Pose.from_array(np.array(row)))
        self._rest = {key: Pose.from_array(np.array(row)) for key, row in told["rest"].items()}
        self._kinematic, self._live = set(told["kinematic"]), set(told["live"])
        self._watch.restart()

    def close(self) -> None:
        """See `Physics`."""
        if self._world is not None:
            self._simulation.stop()
            self._world = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
