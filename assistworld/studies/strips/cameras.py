"""Where a strip is watched from: of a ring of places, the one from which the person and the things show best, by rays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistcore.house.raycast import BODY, Eye, Hits, cast, visuals
from assistcore.house.stage import StageModel
from assistcore.house.state import HouseState
from assistcore.pictures import Camera
from assistworld.studies.doorways import room_at
from assistworld.studies.strips.playing import Shown

if TYPE_CHECKING:
    from humans.model import BodyModel

F64 = NDArray[np.float64]
HFOV_RAD = 1.05
RAYS = (120, 90)
AZIMUTHS = 24
DISTANCES_M, HEIGHTS_M = (1.5, 2.0, 2.4, 2.9), (1.2, 1.55, 2.0)
CLOSE_DISTANCES_M, CLOSE_HFOV_RAD, OVER_M = (0.75, 0.95, 1.2), 0.8, 0.1
"""From near: how far, how wide a view, and how high over the middle of the things it is aimed."""
STILL_M = 0.03
"""What does not move farther than this is where the work is."""
CLEAR_M = 0.45
"""Nothing in the picture is nearer to the camera than this."""
CROWN_M, NOSE_M = (0.0, 0.16, 0.0), (0.0, 0.06, 0.11)
"""From the joint of the head to a little under the top of it, and to the nose: in its frame, y up, z ahead."""
FACE_WEIGHT = 4.0
UNDER_SKIN_M = 0.13
"""A joint shows where the body's surface is at most this much nearer to the camera than the joint itself."""
JOINT_WEIGHTS = {"head": 3, "wrist": 3, "elbow": 2, "pelvis": 1, "knee": 1, "ankle": 2}
HAND_WEIGHTS = {"wrist": 3, "elbow": 1}
"""What of the person shows where the work of the hands is watched from near."""
THINGS_WEIGHT, CLOSE_THINGS_WEIGHT, BODY_WEIGHT = 1.0, 3.0, 2.0
MARGIN = 0.06
"""A joint counts as in the picture when it is this share of the width and height inside of its rim."""


@dataclass(frozen=True)
class _Moment:
    """The world at a tick, with what must show of it. joints_m (n, 3), weights (n,), vertices_m (v, 3), middles_m (k, 3), world frame."""

    state: HouseState
    joints_m: F64
    weights: F64
    vertices_m: F64
    middles_m: F64


def best_camera(
    stage: StageModel, body: BodyModel, about: Sequence[str], moments: Sequence[Shown], *, width: int, height: int, close: bool = False
) -> Camera:
    """The camera from which these moments show best: of the whole person, or (`close`) of the hands and the things."""
    keys = tuple(key for key in about if key in visuals(stage).row)
    seen = [_moment(stage, body, keys, m.state, close) for m in moments]
    cameras = list(_candidates(stage, seen, width, height, close))
    weight = CLOSE_THINGS_WEIGHT if close else THINGS_WEIGHT
    worth = [sum(_worth(stage, body, keys, camera, m, weight) for m in seen) - 0.3 * distance for camera, distance in cameras]
    return cameras[int(np.argmax(worth))][0]


def _moment(stage: StageModel, body: BodyModel, keys: Sequence[str], state: HouseState, close: bool) -> _Moment:
    from humans.kinematics import joint_transforms, skin
    from humans.model import JOINT

    bones = joint_transforms(body, state.body.pose_rad, state.body.translation_m)
    rows, weights = [], []
    for name, row in JOINT.items():
        weight = next((w for word, w in (HAND_WEIGHTS if close else JOINT_WEIGHTS).items() if name.endswith(word)), 0)
        if weight:
            rows.append(row)
            weights.append(float(weight))
    middles = np.array([_middle(stage, state, key) for key in keys]).reshape(-1, 3)
    if close:
        return _Moment(state, bones[rows, :3, 3], np.array(weights), skin(body, bones), middles)
    head = bones[JOINT["head"]]
    crown, nose = (head[:3, :3] @ np.array(offset) + head[:3, 3] for offset in (CROWN_M, NOSE_M))
    joints = np.concatenate([bones[rows, :3, 3], nose[None]])
    joints[rows.index(JOINT["head"])] = crown
    weights.append(FACE_WEIGHT)
    return _Moment(state, joints, np.array(weights), skin(body, bones), middles)


def _middle(stage: StageModel, state: HouseState, key: str) -> F64:
    low, high = stage.entity(key).box_m
    T = state.root(stage, key)
    return np.asarray(T[:3, :3] @ (0.5 * (low + high)) + T[:3, 3], dtype=np.float64)


def _candidates(stage: StageModel, seen: Sequence[_Moment], width: int, height: int, close: bool) -> Iterator[tuple[Camera, float]]:
    """Cameras on rings round the middle of what there is to see, inside a room that the person is in."""
    people = np.concatenate([m.joints_m for m in seen])
    points = np.concatenate([people, *(m.middles_m for m in seen)])
    target = 0.7 * 0.5 * (people.min(axis=0) + people.max(axis=0)) + 0.3 * 0.5 * (points.min(axis=0) + points.max(axis=0))
    spread = float(np.linalg.norm(np.ptp(people[:, :2], axis=0)))
    rooms = {room_at(stage, *m.state.body.xy_m) for m in seen} - {""}
    distances = {*DISTANCES_M, *(d + 0.5 * spread for d in DISTANCES_M)}
    hfov = HFOV_RAD
    if close:
        target, distances, hfov = _work(seen), set(CLOSE_DISTANCES_M), CLOSE_HFOV_RAD
    for away in sorted(distances):
        for turn in np.arange(AZIMUTHS) * (2.0 * np.pi / AZIMUTHS):
            x, y = target[0] + away * np.cos(turn), target[1] + away * np.sin(turn)
            if room_at(stage, x, y) not in rooms:
                continue
            for z in HEIGHTS_M:
                yield Camera.look_at((x, y, z), target, hfov_rad=hfov, width=width, height=height), away


def _work(seen: Sequence[_Moment]) -> F64:
    """A little over the middle (3,) of the things that stay where they are."""
    places = np.stack([m.middles_m for m in seen])
    still = np.ptp(places, axis=0).max(axis=1) < STILL_M
    middle: F64 = (places[:, still] if still.any() else places).mean(axis=(0, 1)) + np.array([0.0, 0.0, OVER_M])
    return middle


def _worth(stage: StageModel, body: BodyModel, keys: Sequence[str], camera: Camera, moment: _Moment, things_weight: float) -> float:
    """How well one moment shows: shares of the joints and of the things that nothing covers, and whether the camera stands free."""
    eye = Eye.of(camera.position_m, camera.R_world_cam, camera.hfov_rad, *RAYS)
    hits = cast(stage, moment.state, eye, *RAYS, body_vertices_m=moment.vertices_m, body_faces=body.faces)
    free = float(hits.depth_m.min()) >= CLEAR_M
    covered = BODY_WEIGHT * float((hits.owner == BODY).mean())
    shown = _joints_shown(camera, moment, hits)
    things = []
    for key, inside in zip(keys, _inside(camera, moment.middles_m), strict=True):
        row = visuals(stage).row[key]
        if not inside:
            things.append(0.0)
            continue
        alone = cast(stage, moment.state, eye, *RAYS, only=frozenset({key})).owner == row
        mine = (hits.owner == row) | (hits.glass == row)
        things.append(float((alone & mine).sum()) / float(alone.sum()) if alone.any() else 0.0)
    return 2.0 * shown + things_weight * (float(np.mean(things)) + min(things) if things else 0.0) - covered - (0.0 if free else 4.0)


def _inside(camera: Camera, points_m: F64) -> NDArray[np.bool_]:
    """Which points (n, 3) are in the picture, a little inside of its rim."""
    pixels, depth = camera.project(points_m)
    u, v = pixels[:, 0] / camera.width, pixels[:, 1] / camera.height
    out: NDArray[np.bool_] = (depth > 0) & (u > MARGIN) & (u < 1 - MARGIN) & (v > MARGIN) & (v < 1 - MARGIN)
    return out


def _joints_shown(camera: Camera, moment: _Moment, hits: Hits) -> float:
    """Weighted share of the joints over which nothing lies but their own skin."""
    pixels, depth = camera.project(moment.joints_m)
    u, v = pixels[:, 0] / camera.width, pixels[:, 1] / camera.height
    inside = _inside(camera, moment.joints_m)
    x, y = (np.clip(s * n, 0, n - 1).astype(int) for s, n in ((np.nan_to_num(u), RAYS[0]), (np.nan_to_num(v), RAYS[1])))
    near = np.zeros(len(u), dtype=bool)
    for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
        at = np.clip(y + dy, 0, RAYS[1] - 1), np.clip(x + dx, 0, RAYS[0] - 1)
        near |= (hits.owner[at] == BODY) & (hits.depth_m[at] > depth - UNDER_SKIN_M)
    return float(moment.weights[inside & near].sum() / moment.weights.sum())
