"""Snapshots to pictures: each snapshot of a stage is one view. Nothing here reads or changes the state of a world."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistcore.house.attributes import looks as looks_of
from assistcore.house.stage import StageModel, link_matrix
from assistcore.house.state import HouseState
from assistcore.world.canonical import digest_bytes
from assistcore.world.errors import AssistWorldError
from assistcore.world.poses import Pose
from assistcore.world.snapshots import Kind, Observation, Snapshot
from assistworld.engines.house.picture_levels import place

if TYPE_CHECKING:
    from assistcore.pictures.protocol import Picture, Pictures, View
    from assistworld.engines.house.picture_scene import PictureStage
    from assistworld.engines.house.picture_streams import Pour
    from humans.model import BodyModel

JPEG_QUALITY = 92
MAP_HEIGHT_M = 14.0


def snapshot_of(stage: StageModel, state: HouseState, tick: int, reuse: tuple[HouseState, Snapshot] | None = None) -> Snapshot:
    """What differs from the stage as baked, the joints, the body and the looks: enough to draw this tick with the stage alone.

    `reuse`, an earlier state of the same stage with its snapshot, changes nothing of the result.
    """
    before, old = reuse if reuse is not None else (None, None)
    if before is not None and old is not None:
        moved = old.transforms if state.poses is before.poses else _moved(stage, state.poses, before.poses, old.transforms)
        joints = old.joints if state.joints is before.joints else _away(state.joints)
        same = state.attributes is before.attributes and state.removed == before.removed
        looks = old.looks if same else _looks(state)
    else:
        moved, joints, looks = _moved(stage, state.poses, {}, {}), _away(state.joints), _looks(state)
    body = (*state.body.translation_m.tolist(), *state.body.pose_rad.tolist())
    return Snapshot(tick, moved, joints, body, looks)


def _moved(
    stage: StageModel, poses: Mapping[str, Pose], then: Mapping[str, Pose], known: Mapping[str, tuple[float, ...]]
) -> dict[str, tuple[float, ...]]:
    """What is not at its place of the stage, in the order of `poses`; `known` is the same for the poses `then`."""
    own = stage.by_key
    found: dict[str, tuple[float, ...]] = {}
    for key, pose in poses.items():
        if pose is then.get(key):
            if key in known:
                found[key] = known[key]
        elif pose is not own[key].pose and pose != own[key].pose:
            found[key] = tuple(float(v) for v in (*pose.position_m, *pose.quat_wxyz))
    return found


def _away(joints: Mapping[str, float]) -> dict[str, float]:
    return {key: value for key, value in joints.items() if value != 0.0}


def _looks(state: HouseState) -> dict[str, str]:
    return looks_of(state.attributes) | dict.fromkeys(state.removed, "removed")


class HousePainter:
    """Draws snapshots of one stage with a `Pictures` renderer, which it makes on first use and keeps."""

    def __init__(self, *, width: int, height: int, supersample: int = 1, pictures: Pictures | None = None) -> None:
        self._size = (width, height)
        self._supersample = supersample
        self._pictures = pictures
        self._stage: StageModel | None = None
        self._scene: PictureStage | None = None

    def load(self, stage: StageModel, body: BodyModel) -> None:
        """Take a stage; no work when it is the loaded one."""
        if self._stage is stage:
            return
        from assistworld.engines.house.picture_scene import picture_stage

        if self._pictures is None:
            from assistcore.pictures import open_pictures

            self._pictures = open_pictures()
        self._scene = picture_stage(stage, body)
        self._pictures.load(self._scene.scene)
        self._stage, self._body = stage, body

    @property
    def pictures(self) -> Pictures:
        """The renderer. Raises AssistWorldError before `load`."""
        if self._pictures is None:
            raise AssistWorldError("painter used before load()")
        return self._pictures

    def close(self) -> None:
        """Free the renderer. Idempotent."""
        if self._pictures is not None:
            self._pictures.close()
        self._pictures = None
        self._stage = None

    def observe(self, snapshot: Snapshot, channel: str) -> Observation:
        """One encoded picture (JPEG) of a channel: `fpv` or `map`."""
        from PIL import Image

        picture = self.picture(snapshot, channel)
        out = io.BytesIO()
        Image.fromarray(picture.rgb).save(out, "JPEG", quality=JPEG_QUALITY, subsampling=0)
        data = out.getvalue()
        return Observation(snapshot.tick, channel, Kind.IMAGE, digest_bytes(data), data)

    def picture(self, snapshot: Snapshot, channel: str = "fpv") -> Picture:
        """RGB, depth and instance ids of a channel."""
        return self.pictures.draw(self.view(snapshot, channel))

    def view(self, snapshot: Snapshot, channel: str) -> View:
        """The renderer's view of a snapshot."""
        from assistcore.pictures.camera import Camera
        from assistcore.pictures.protocol import View
        from humans.camera import HORIZONTAL_FOV_RAD, head_camera
        from humans.kinematics import joint_transforms, skin, vertex_normals

        scene, _ = self._loaded()
        numbers = np.asarray(snapshot.body, dtype=np.float64)
        bones = joint_transforms(self._body, numbers[3:], numbers[:3])
        vertices = skin(self._body, bones)
        width, height = self._size
        roots = self._roots(snapshot)
        pour = scene.streams.pour(snapshot.looks, roots)
        if channel == "fpv":
            eye, rotation = head_camera(self._body, bones)
            camera = Camera(eye, rotation, HORIZONTAL_FOV_RAD, width, height)
        elif channel == "map":
            camera = scene.map_camera(width, height)
        else:
            raise AssistWorldError(f"the house has no channel {channel!r}; it has fpv and map")
        return View(
            camera=camera,
            transforms=self._transforms(snapshot, roots, pour),
            hidden=scene.hidden(snapshot, pour),
            lamps_on=scene.lamps_on(snapshot),
            portals_open=scene.portals_open(snapshot),
            looks=scene.surfaces(snapshot, pour),
            body_vertices_m=vertices.astype(np.float32),
            body_normals=vertex_normals(self._body, vertices).astype(np.float32),
            body_hidden_faces=scene.own_head if channel == "fpv" else None,
            hide_ceilings=channel == "map",
            supersample=self._supersample,
        )

    def _loaded(self) -> tuple[PictureStage, StageModel]:
        if self._scene is None or self._stage is None:
            raise AssistWorldError("painter used before load()")
        return self._scene, self._stage

    def _roots(self, snapshot: Snapshot) -> dict[str, NDArray[np.float64]]:
        """Root frames (4, 4), world, of everything with a transform row."""
        scene, stage = self._loaded()
        roots: dict[str, NDArray[np.float64]] = {}
        for key, _ in scene.rows:
            if key not in roots:
                moved = snapshot.transforms.get(key)
                pose = Pose.from_array(np.array(moved)) if moved is not None else stage.entity(key).pose
                roots[key] = pose.matrix()
        return roots

    def _transforms(self, snapshot: Snapshot, roots: Mapping[str, NDArray[np.float64]], pour: Pour | None) -> NDArray[np.float32]:
        scene, stage = self._loaded()
        out = np.empty((len(scene.rows) + len(scene.levels) + scene.streams.rows, 4, 4), dtype=np.float32)
        joints = {**scene.zero_joints, **snapshot.joints}
        for row, (key, link) in enumerate(scene.rows):
            entity = stage.entity(key)
            out[row] = link_matrix(entity, entity.link(link), roots[key], joints)
        place(scene.levels, snapshot.looks, roots, out)
        scene.streams.place(pour, out)
        return out
