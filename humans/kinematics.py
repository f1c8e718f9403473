"""Forward kinematics and skinning in the z-up world.

Convention: `pose_rad[0:3]` is the root orientation in the z-up world, so it already contains the fixed 90 degree rotation about x that
maps the y-up model (InteractiveWorld B.1.1). Joint transforms and vertices come out in world metres, z up. The root rotates about the
pelvis joint, as in SMPL: pelvis_world = rest_joints_m[0] + translation_m. `root_pose(heading)` gives the upright root orientation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from humans import _rig_kernels as kernels
from humans._kernels import normal_kernel, skin_kernel
from humans.model import JOINT, JOINT_NAMES, N_JOINTS, BodyModel
from humans.rotations import F64, rotation_x, rotation_z, rotvec_from_matrix

POSE_SIZE = 3 * N_JOINTS
_UPRIGHT = rotation_x(0.5 * np.pi)


def root_matrix(heading_rad: float) -> F64:
    """Upright root orientation (3, 3), world from model: heading 0 faces world +x, counter-clockwise positive."""
    return rotation_z(heading_rad + 0.5 * np.pi) @ _UPRIGHT


def root_pose(heading_rad: float) -> F64:
    """Upright root orientation as axis-angle (3,), for `pose_rad[0:3]`."""
    return rotvec_from_matrix(root_matrix(heading_rad))


def as_pose(pose_rad: ArrayLike) -> F64:
    """The pose as float64 (156,); raises ValueError for another size or values that are not finite."""
    pose = np.asarray(pose_rad, np.float64).reshape(-1)
    if pose.size != POSE_SIZE:
        raise ValueError(f"a pose has {POSE_SIZE} numbers (52 joints x axis-angle), got {pose.size}")
    if not np.isfinite(pose).all():
        raise ValueError(f"pose holds values that are not finite at {np.flatnonzero(~np.isfinite(pose))[:5].tolist()}")
    return pose


def transforms_from_matrices(body: BodyModel, local: F64, translation_m: ArrayLike) -> F64:
    """World transforms (52, 4, 4) from local joint rotations (52, 3, 3)."""
    out = np.empty((N_JOINTS, 4, 4))
    kernels.KERNELS.ready()
    shift = np.array(translation_m, np.float64)
    kernels.transforms(body.rest_joints_m, body.parents, np.ascontiguousarray(local, np.float64), shift, out)
    return out


def joint_transforms(body: BodyModel, pose_rad: ArrayLike, translation_m: ArrayLike = (0.0, 0.0, 0.0)) -> F64:
    """World transforms of the joints, shape (52, 4, 4), metres, z up, for a pose (156,) and translation (3,).

    At rest (all local rotations zero) a joint frame has the axes of the model frame turned by the root orientation.
    """
    pose, shift, out = np.array(as_pose(pose_rad)), np.array(translation_m, np.float64), np.empty((N_JOINTS, 4, 4))
    kernels.KERNELS.ready()
    kernels.poses_transforms(body.rest_joints_m, body.parents, pose.reshape(1, N_JOINTS, 3), shift.reshape(1, 3), out[None])
    return out


def skin_matrices(body: BodyModel, transforms: F64) -> F64:
    """World-from-rest transforms (52, 4, 4) of the joints (transforms with the rest position taken out)."""
    affine = np.array(transforms, np.float64)
    affine[:, :3, 3] -= (affine[:, :3, :3] @ body.rest_joints_m[:, :, None])[..., 0]
    return affine


def skin(body: BodyModel, transforms: F64, out: F64 | None = None, rows: NDArray[np.int64] | None = None) -> F64:
    """Linear blend skinning: vertices (V, 3), world metres, for joint transforms (52, 4, 4). `out` (V, 3) float64 is filled when given.

    `rows`: only these vertices, in this order. Pose correctives are applied when the model has them (a licensed SMPL+H file; the default
    body has none).
    """
    template, index, weight, posedirs = body.template_m, body.skin_index, body.skin_weight, body.posedirs
    if rows is not None:
        template, index, weight = template[rows], index[rows], weight[rows]
        posedirs = posedirs[rows] if posedirs is not None else None
    if posedirs is not None:
        parents = body.parents[1:]
        local = np.einsum("jba,jbc->jac", transforms[parents, :3, :3], transforms[1:, :3, :3])
        template = template + (posedirs.reshape(-1, 459) @ (local - np.eye(3)).reshape(-1)).reshape(-1, 3)
    if out is None:
        out = np.empty_like(template, order="C")
    elif out.shape != template.shape or out.dtype != np.float64:
        raise ValueError(f"out is {out.dtype} {out.shape}, needs float64 {template.shape}")
    skin_kernel()(template, index, weight, skin_matrices(body, transforms), out)
    return out


def vertex_normals(body: BodyModel, vertices_m: F64, out: F64 | None = None) -> F64:
    """Area-weighted unit vertex normals (V, 3) of the skinned mesh."""
    if out is None:
        out = np.empty(vertices_m.shape)
    normal_kernel()(np.ascontiguousarray(vertices_m, np.float64), body.faces, out)
    return out


def pelvis_translation(body: BodyModel, pelvis_m: ArrayLike) -> F64:
    """The translation (3,) that puts the pelvis joint at a world point."""
    out: F64 = np.asarray(pelvis_m, np.float64) - body.rest_joints_m[0]
    return out


def mirrored(pose_rad: ArrayLike) -> F64:
    """The pose mirrored left-right (model x -> -x). The root must be given in the model frame or be mirrored by the caller."""
    pose = as_pose(pose_rad).reshape(N_JOINTS, 3)
    swap = [JOINT[_other_side(name)] for name in JOINT_NAMES]
    out: F64 = (pose[swap] * np.array([1.0, -1.0, -1.0])).reshape(-1)
    return out


def _other_side(name: str) -> str:
    if name.startswith("left_"):
        return "right_" + name[5:]
    return "left_" + name[6:] if name.startswith("right_") else name
