"""A back end with the habits of PhysX and RTX, made of the embedded one: for the contract, where Isaac Sim cannot run.

Things come to rest up to a millimetre and half a degree from where MuJoCo has them. Poses cross the edge as single precision rows with
quaternions in the order x, y, z, w, hinges in degrees. What was in motion is restored at rest. The camera gives nothing at first, then
frames that are late, and noise after it has moved; the gate before it is the one of Isaac Sim's pictures.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.house.mating import with_children
from assistcore.house.stage import StageModel
from assistcore.house.state import Attachment
from assistcore.pictures import open_pictures
from assistcore.pictures.protocol import Picture, Pictures, View
from assistcore.pictures.scene import PictureScene
from assistcore.world.engine import Abilities
from assistcore.world.errors import VersionError
from assistcore.world.poses import Pose, quat_multiply_wxyz
from assistworld.engines.house.engine import HouseEngine
from assistworld.engines.house.physics_mujoco import MujocoPhysics
from extension import stamp
from extension.cameras import Annotator
from extension.conversions import angular_velocity_from_usd, pose_from_tensor_row, tensor_row, usd_angular_velocity
from extension.frames import FrameTaker, Patience
from extension.pictures import instance_ids
from tests.extension.kit.habits import Frame, LateSensor

SHIFT_M, TURN_RAD = 1e-3, float(np.radians(0.5))
"""The farthest that a settled thing may be from where the embedded physics has it."""
VERSION = "fake-physx/1"
CAMERA, STAMPS, THINGS = "/Pictures/camera", "/Pictures/stamp_", "/Pictures/thing_"


@dataclass(frozen=True)
class Edge:
    """How values cross to the engine (`out`) and back (`back`)."""

    out: Callable[[Pose], NDArray[np.float32]] = tensor_row
    back: Callable[[NDArray[Any]], Pose] = pose_from_tensor_row

    def there(self, pose: Pose) -> Pose:
        """What the engine takes a pose for: it reads rows as PhysX does."""
        return pose_from_tensor_row(self.out(pose))

    def here(self, pose: Pose) -> Pose:
        """What is read of a pose in the engine: it gives rows as PhysX does."""
        return self.back(tensor_row(pose))


class FakePhysx:
    """`Physics` round the embedded one."""

    name = "fake physx"

    def __init__(self, seed: int = 7, edge: Edge | None = None) -> None:
        self._seed, self._edge, self._inner = seed, edge or Edge(), MujocoPhysics()

    def load(self, stage: StageModel, poses: Mapping[str, Pose], joints: Mapping[str, float], removed: frozenset[str]) -> None:
        owners = ((stage.entity(owner), key) for key, (owner, _) in stage.joint_owner.items())
        self._hinges = {j.key for entity, key in owners for j in entity.joints if j.key == key and j.kind == "hinge"}
        self._attached: tuple[Attachment, ...] = ()
        every = {e.key: e.pose for e in stage.entities if e.kind == "movable" and e.key not in removed} | dict(poses)
        crossed = {key: self._edge.there(pose) for key, pose in every.items()}
        self._inner.load(stage, crossed, {key: self._degrees_and_back(key, value) for key, value in joints.items()}, removed)
        self._crossed = self._inner.poses()
        self._given = {key: every[key] for key in self._crossed}
        self._offsets: dict[str, Pose] = {}
        self._rested = dict(self._crossed)
        self._kinematic: set[str] = set()
        self._settled = 0

    def poses(self) -> dict[str, Pose]:
        children = {a.child for a in self._attached}
        placed = {key: self._reported(key, pose) for key, pose in self._inner.poses().items() if key not in children}
        return with_children(placed, self._attached)

    def _reported(self, key: str, pose: Pose) -> Pose:
        if key in self._given and pose == self._crossed[key]:
            return self._given[key]
        read = self._edge.here(pose)
        offset = self._offsets.get(key)
        if offset is None:
            return read
        quat = quat_multiply_wxyz(np.array(offset.quat_wxyz), np.array(read.quat_wxyz))
        return Pose.from_array(np.concatenate([np.add(read.position_m, offset.position_m), quat / np.linalg.norm(quat)]))

    def joints(self) -> dict[str, float]:
        return {key: self._degrees_and_back(key, value) for key, value in self._inner.joints().items()}

    def _degrees_and_back(self, joint: str, value: float) -> float:
        if joint not in self._hinges:
            return value
        return angular_velocity_from_usd(usd_angular_velocity((value, 0.0, 0.0)))[0]

    def set_pose(self, entity: str, pose: Pose) -> None:
        self._inner.set_pose(entity, self._edge.there(pose))
        self._note(entity, pose)

    def _note(self, entity: str, pose: Pose) -> None:
        self._offsets.pop(entity, None)
        self._given[entity] = pose
        self._crossed[entity] = self._rested[entity] = self._inner.poses()[entity]

    def set_kinematic(self, entity: str, kinematic: bool) -> None:
        self._inner.set_kinematic(entity, kinematic)
        if entity in self._given:
            (self._kinematic.add if kinematic else self._kinematic.discard)(entity)

    def set_attached(self, attached: tuple[Attachment, ...]) -> None:
        self._attached = attached
        self._inner.set_attached(attached)

    def set_joint(self, joint: str, value: float) -> None:
        self._inner.set_joint(joint, self._degrees_and_back(joint, value))

    def step(self, steps: int) -> None:
        awake = not self._inner.at_rest()
        self._inner.step(steps)
        if awake and self._inner.at_rest():
            self._settled += 1
            for key, pose in self._inner.poses().items():
                if pose != self._rested[key]:
                    self._offsets[key] = self._drawn(key)
                    self._rested[key] = pose

    def _drawn(self, key: str) -> Pose:
        rng = np.random.default_rng([self._seed, zlib.crc32(key.encode()), self._settled])
        way, axis = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
        angle = rng.uniform(0.0, TURN_RAD)
        quat = np.array([np.cos(angle / 2.0), *(np.sin(angle / 2.0) * axis)])
        return Pose.from_array(np.concatenate([way * rng.uniform(0.0, SHIFT_M), quat]))

    def at_rest(self) -> bool:
        return self._inner.at_rest()

    def save(self) -> bytes:
        children = {a.child for a in self._attached}
        state = {
            "version": VERSION,
            "poses": {key: pose.array().tolist() for key, pose in sorted(self.poses().items()) if key not in children},
            "joints": self.joints(),
            "kinematic": sorted(self._kinematic),
            "attached": [[a.child, a.plug, a.parent, a.socket, a.parent_child.array().tolist()] for a in self._attached],
        }
        return json.dumps(state, sort_keys=True).encode()

    def restore(self, state: bytes) -> None:
        told = json.loads(state)
        if told["version"] != VERSION:
            raise VersionError("physics state", told["version"], VERSION)
        self.set_attached(tuple(Attachment(a, b, c, d, Pose.from_array(np.array(pose))) for a, b, c, d, pose in told["attached"]))
        for joint, value in told["joints"].items():
            self.set_joint(joint, value)
        for key, row in told["poses"].items():
            self.set_kinematic(key, key in told["kinematic"])
            self.set_pose(key, Pose.from_array(np.array(row)))

    def close(self) -> None:
        self._inner.close()


Shown = tuple[View, int]
"""A view, and the number of the state that it shows."""


class FakeSensor:
    """`Cameras` on the embedded renderer, with the habits of `LateSensor`."""

    def __init__(self, renderer: Pictures) -> None:
        self._renderer = renderer
        self._late: LateSensor[Shown] | None = None

    def show(self, view: View, number: int) -> None:
        """From now on the stage is in this state."""
        self._now = (view, number)

    def open(self, path: str, width: int, height: int) -> None:
        self._late = LateSensor(self, (height, width))

    def close(self) -> None:
        self._late = None

    def render(self) -> None:
        assert self._late is not None
        self._late.render()

    def read(self, annotator: Annotator) -> tuple[Any, Mapping[str, Any]]:
        assert self._late is not None
        return self._late.read(annotator)

    def now(self) -> tuple[Shown, bytes]:
        """See `Eye`."""
        camera = self._now[0].camera
        return self._now, camera.position_m.tobytes() + camera.R_world_cam.tobytes()

    def develop(self, shot: Shown, height: int, width: int) -> Frame:
        """See `Eye`: the view with the bands above and below."""
        view, number = shot
        picture = self._renderer.draw(replace(view, camera=replace(view.camera, height=height)))
        ids, labels = self._ids(picture, number)
        rgba = np.dstack([picture.rgb, np.full((height, width), 255, np.uint8)])
        return Frame(rgba, picture.depth_m[..., None], ids, labels)

    def _ids(self, picture: Picture, number: int) -> tuple[NDArray[np.uint32], Mapping[str, str]]:
        """Ids of the sensor's own: 0 is the background, then the squares of the stamp, then the scene's."""
        first = 2 + stamp.BITS
        ids = np.where(picture.ids < 0, 0, picture.ids + first).astype(np.uint32)
        half = int(min(stamp.SQUARE_PX, ids.shape[1] / (stamp.BITS + 1) - 2.0)) // 2
        for k, (column, on) in enumerate(zip(stamp.columns(ids.shape[1]), stamp.shown(number), strict=True)):
            if on:
                ids[stamp.BAND_PX // 2 - half : stamp.BAND_PX // 2 + half, column - half : column + half] = 1 + k
        labels = {"0": "BACKGROUND"} | {str(1 + k): f"{STAMPS}{k}" for k in range(first - 1)}
        labels |= {str(i): f"{THINGS}{i - first}" for i in np.unique(ids).tolist() if i >= first}
        return ids[..., None], labels


class FakeRtx:
    """`Pictures` round the embedded ones, behind the gate of Isaac Sim's."""

    device = "fake RTX"

    def __init__(self) -> None:
        self._inner: Pictures = open_pictures()
        self.sensor = FakeSensor(self._inner)
        self._taker = FrameTaker(self.sensor, CAMERA, STAMPS, lambda: Patience(12, 1))
        self._number = 0
        self.discarded = 0

    def load(self, scene: PictureScene) -> None:
        self._taker.forget()
        self._inner.load(scene)

    def draw(self, view: View) -> Picture:
        self._number = (self._number + 1) % stamp.NUMBERS
        self.sensor.show(view, self._number)
        frame = self._taker.take(view.camera.width, view.camera.height, self._number)
        self.discarded += frame.discarded
        known = {path: int(path.removeprefix(THINGS)) for path in frame.labels.values() if path.startswith(THINGS)}
        return Picture(frame.rgb, frame.depth_m, instance_ids(frame.ids, frame.labels, known))

    def close(self) -> None:
        self._taker.forget()
        self._inner.close()


def make(pictures: FakeRtx | None = None, *, width: int = 240, height: int = 180) -> HouseEngine:
    """The house on it."""
    promises = Abilities(restore="at_rest", repeat="tolerance")
    return HouseEngine(physics=FakePhysx(), pictures=pictures or FakeRtx(), abilities=promises, width=width, height=height)
