"""The head camera and gaze. The camera sits between the eyes, just in front of the face, with OpenGL axes (-Z forward, +Y up)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from humans import _rig_kernels as kernels
from humans.kinematics import as_pose
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.rotations import F64, matrix_from_rotvec, rotation_x, rotvec_from_matrix

HORIZONTAL_FOV_RAD = 0.5 * np.pi
FACE_CLEARANCE_M = 0.012
"""How far the camera stands in front of the brow, so that the person's own face is never inside it."""
EYE_RADIUS_M = 0.03
"""Radius of the sphere round the camera that must stay free of geometry."""
NEAR_PLANE_M = 0.02

NECK_SHARE = 0.4
YAW_LIMIT_RAD = 1.31
PITCH_DOWN_LIMIT_RAD = 1.13
PITCH_UP_LIMIT_RAD = 0.96
"""Neck plus head relative to the chest: 75 degrees to a side, 65 down, 55 up (comfortable ranges of motion, rounded)."""

_NECK, _HEAD = JOINT["neck"], JOINT["head"]
_CHAIN = np.array([JOINT[name] for name in ("pelvis", "spine1", "spine2", "spine3", "neck", "head")], np.int64)
_SMPLH_EYES = (2800, 6260)
"""Eye vertices of the 6890-vertex SMPL topology."""


@lru_cache(maxsize=8)
def camera_offset_m(body: BodyModel) -> F64:
    """Camera position (3,) in the head joint's frame (axes of the model frame at rest: x left, y up, z forward)."""
    if "eye" in body.part_names:
        eyes = body.template_m[body.vertex_part == body.part_names.index("eye")]
        centre = 0.5 * (eyes.min(axis=0) + eyes.max(axis=0))
    elif len(body.template_m) == 6890:
        centre = body.template_m[list(_SMPLH_EYES)].mean(axis=0)
    else:
        skull = body.template_m[body.dominant_joint() == _HEAD]
        centre = np.array([0.0, 0.5 * (skull[:, 1].min() + skull[:, 1].max()), np.percentile(skull[:, 2], 90.0)])
    face = body.template_m[(body.dominant_joint() == _HEAD) & (np.abs(body.template_m[:, 0]) < 0.04)]
    brow = face[(face[:, 1] > centre[1]) & (face[:, 1] < centre[1] + 0.035)]
    front = float(brow[:, 2].max()) if len(brow) else float(centre[2]) + 0.02
    offset: F64 = np.array([0.0, centre[1], front + FACE_CLEARANCE_M]) - body.rest_joints_m[_HEAD]
    offset.setflags(write=False)
    return offset


CAMERA_TILT_RAD = float(np.radians(22.0))
"""The camera looks this far down from the head's level, as eyes do when walking and at a table: hands and counter tops are in view."""
_CAMERA_AXES = np.diag([-1.0, 1.0, -1.0]) @ rotation_x(-CAMERA_TILT_RAD)
"""Head frame (x left, y up, z forward) from camera frame (x right, y up, -z forward)."""
_LIMITS = np.array([YAW_LIMIT_RAD, PITCH_DOWN_LIMIT_RAD, PITCH_UP_LIMIT_RAD, CAMERA_TILT_RAD, NECK_SHARE])


def head_camera(body: BodyModel, transforms: F64) -> tuple[F64, F64]:
    """Camera position (3,), world metres, and R_world_cam (3, 3), OpenGL axes, for joint transforms (52, 4, 4)."""
    rotation = transforms[_HEAD, :3, :3]
    position: F64 = transforms[_HEAD, :3, 3] + rotation @ camera_offset_m(body)
    return position, rotation @ _CAMERA_AXES


def gaze(
    body: BodyModel, pose_rad: ArrayLike, translation_m: ArrayLike, target_m: ArrayLike, *, spine_share: float = 0.0
) -> tuple[F64, float]:
    """Turns neck and head so that the camera looks at a world point; returns (pose (156,), residual).

    The angle between chest and camera stays within the limits above; the residual is the angle (radians) left between optical axis and
    target. `spine_share` (0..0.4) lets the three spine joints take that part of the yaw; it moves shoulders and hands, so it is for free
    arms only.
    """
    if not 0.0 <= spine_share <= 0.4:
        raise ValueError(f"spine_share {spine_share} is outside 0..0.4")
    pose = as_pose(pose_rad).copy()
    target, shift = np.array(target_m, np.float64), np.array(translation_m, np.float64)
    kernels.KERNELS.ready()
    rows = pose.reshape(N_JOINTS, 3)
    base, local = matrix_from_rotvec(rows[_CHAIN]), np.empty((len(_CHAIN), 3, 3))
    offset = camera_offset_m(body)
    residual = kernels.gaze(body.rest_joints_m, _CHAIN, base, shift, target, offset, _CAMERA_AXES, float(spine_share), _LIMITS, local)
    first = 1 if spine_share > 0.0 else 4
    rows[_CHAIN[first:]] = rotvec_from_matrix(local[first:])
    return pose, float(residual)


def own_head_faces(body: BodyModel) -> NDArray[np.bool_]:
    """Mask (F,) of faces to hide in the first-person view: head, eyes and neck; arms, hands, trunk and legs stay visible."""
    hidden = np.isin(body.dominant_joint(), (_HEAD, _NECK))
    return np.asarray(hidden[body.faces].any(axis=1), np.bool_)


@lru_cache(maxsize=8)
def faces_in_view(body: BodyModel) -> NDArray[np.int32]:
    """The faces (F, 3) of the own body that are not hidden in the first-person view. Shared: read only."""
    faces: NDArray[np.int32] = body.faces[~own_head_faces(body)]
    faces.flags.writeable = False
    return faces
