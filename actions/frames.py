"""Many poses at once: joint transforms, capsules and camera of whole segments (the same formulas as `humans`, vectorised over frames)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistcore.house.state import Hand
from assistcore.world.poses import Pose, quat_wxyz_from_matrix
from humans import _rig_kernels as kernels
from humans.camera import camera_offset_m
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.proxies import CAPSULE_NAMES, rig

F64 = NDArray[np.float64]

TRUNK_JOINTS = 22
"""Joints without fingers: all that capsules and camera depend on."""
WRIST: dict[Hand, int] = {"left": JOINT["left_wrist"], "right": JOINT["right_wrist"]}


class CapsuleTrack(NamedTuple):
    """Capsules of n frames: names (18,), end points a_m, b_m (n, 18, 3), radius_m (18,)."""

    names: tuple[str, ...]
    a_m: F64
    b_m: F64
    radius_m: F64


def trunk_transforms(body: BodyModel, pose_rad: F64, translation_m: F64) -> F64:
    """World transforms (n, 22, 4, 4) of the joints without fingers, for poses (n, 156) and translations (n, 3)."""
    return joint_frames(body, pose_rad, translation_m, TRUNK_JOINTS)


def joint_frames(body: BodyModel, pose_rad: F64, translation_m: F64, joints: int) -> F64:
    """World transforms (n, joints, 4, 4) of the first joints, for poses (n, 156) and translations (n, 3) or (3,)."""
    n = len(pose_rad)
    pose = np.ascontiguousarray(pose_rad, np.float64).reshape(n, N_JOINTS, 3)
    shift = translation_m if translation_m.shape == (n, 3) else np.broadcast_to(translation_m, (n, 3))
    out = np.empty((n, joints, 4, 4))
    kernels.KERNELS.ready()
    kernels.poses_transforms(body.rest_joints_m, body.parents, pose, np.ascontiguousarray(shift, np.float64), out)
    return out


def capsule_track(body: BodyModel, transforms: F64) -> CapsuleTrack:
    """Capsules of every frame from `trunk_transforms`."""
    r = rig(body)
    a = np.einsum("fnij,nj->fni", transforms[:, r.joint_a, :3, :3], r.offset_a_m) + transforms[:, r.joint_a][..., :3, 3]
    b = np.einsum("fnij,nj->fni", transforms[:, r.joint_b, :3, :3], r.offset_b_m) + transforms[:, r.joint_b][..., :3, 3]
    return CapsuleTrack(CAPSULE_NAMES, a, b, r.radius_m)


def camera_track(body: BodyModel, transforms: F64) -> F64:
    """Camera positions (n, 3), world metres."""
    head = transforms[:, JOINT["head"]]
    return np.asarray(head[:, :3, 3] + head[:, :3, :3] @ camera_offset_m(body))


def attached_track(wrist: F64, wrist_object: Pose) -> F64:
    """Root poses (n, 7) (x, y, z, qw, qx, qy, qz) of an object at a fixed transform in the wrist joint's frame; wrist (n, 4, 4)."""
    return pose_rows(wrist @ wrist_object.matrix())


def pose_rows(T: F64) -> F64:
    """Rows (n, 7) x, y, z, qw, qx, qy, qz of transforms (n, 4, 4); neighbouring quaternions keep one sign."""
    rows = np.empty((len(T), 7))
    rows[:, :3] = T[:, :3, 3]
    for k in range(len(T)):
        q = quat_wxyz_from_matrix(T[k, :3, :3])
        rows[k, 3:] = -q if k and float(q @ rows[k - 1, 3:]) < 0.0 else q
    return rows
