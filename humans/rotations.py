"""Small vectorised rotation helpers: axis-angle vectors, matrices, quaternions (wxyz). All float64, all pure."""

from __future__ import annotations

from math import cos, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

from humans import _rig_kernels as kernels

F64 = NDArray[np.float64]
_EYE = np.eye(3)


def matrix_from_rotvec(rotvec_rad: ArrayLike) -> F64:
    """Axis-angle vectors (..., 3), radians -> rotation matrices (..., 3, 3) (Rodrigues)."""
    rotvec = np.ascontiguousarray(rotvec_rad, np.float64)
    shape = rotvec.shape[:-1]
    if kernels.KERNELS.ready():
        filled = np.empty((*shape, 3, 3))
        kernels.matrices(rotvec.reshape(-1, 3), filled.reshape(-1, 3, 3))
        return filled
    angle = np.linalg.norm(rotvec, axis=-1)[..., None, None]
    x, y, z = rotvec[..., 0], rotvec[..., 1], rotvec[..., 2]
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], -1).reshape((*shape, 3, 3))
    small = angle < 1e-6
    safe = np.where(small, 1.0, angle)
    s = np.where(small, 1.0 - angle**2 / 6.0, np.sin(safe) / safe)
    c = np.where(small, 0.5 - angle**2 / 24.0, (1.0 - np.cos(safe)) / safe**2)
    out: F64 = np.eye(3) + s * cross + c * (cross @ cross)
    return out


def quat_wxyz_from_rotvec(rotvec_rad: ArrayLike) -> F64:
    """Axis-angle vectors (..., 3) -> unit quaternions (..., 4), order w, x, y, z."""
    rotvec = np.ascontiguousarray(rotvec_rad, np.float64)
    out = np.empty((*rotvec.shape[:-1], 4))
    kernels.KERNELS.ready()
    kernels.quats_of_rotvecs(rotvec.reshape(-1, 3), out.reshape(-1, 4))
    return out


def rotvec_from_quat_wxyz(quat_wxyz: ArrayLike) -> F64:
    """Unit quaternions (..., 4) -> axis-angle vectors (..., 3) with angle in [0, pi]."""
    quat = np.ascontiguousarray(quat_wxyz, np.float64)
    if kernels.KERNELS.ready():
        filled = np.empty((*quat.shape[:-1], 3))
        kernels.rotvecs_of_quats(quat.reshape(-1, 4), filled.reshape(-1, 3))
        return filled
    quat = np.where(quat[..., :1] < 0.0, -quat, quat)
    vec = quat[..., 1:]
    sin_half = np.linalg.norm(vec, axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sin_half, quat[..., :1])
    out: F64 = vec * np.where(sin_half < 1e-9, 2.0, angle / np.where(sin_half < 1e-9, 1.0, sin_half))
    return out


def quat_wxyz_from_matrix(matrix: ArrayLike) -> F64:
    """Rotation matrices (..., 3, 3) -> unit quaternions (..., 4), w >= 0; stable for every angle."""
    m = np.ascontiguousarray(matrix, np.float64)
    if kernels.KERNELS.ready():
        filled = np.empty((*m.shape[:-2], 4))
        kernels.quats(m.reshape(-1, 3, 3), filled.reshape(-1, 4))
        return filled
    m00, m11, m22 = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    # four candidates, each exact where its own leading component is the largest (Shepperd's method)
    lead = np.stack([1.0 + m00 + m11 + m22, 1.0 + m00 - m11 - m22, 1.0 - m00 + m11 - m22, 1.0 - m00 - m11 + m22], -1)
    a, b, c = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    d, e, f = m[..., 1, 0] + m[..., 0, 1], m[..., 0, 2] + m[..., 2, 0], m[..., 2, 1] + m[..., 1, 2]
    rows = np.stack(
        [np.stack([lead[..., 0], a, b, c], -1), np.stack([a, lead[..., 1], d, e], -1),
         np.stack([b, d, lead[..., 2], f], -1), np.stack([c, e, f, lead[..., 3]], -1)], -2)  # fmt: skip
    best = np.argmax(lead, axis=-1)[..., None, None]
    quat = np.take_along_axis(rows, np.broadcast_to(best, best.shape[:-1] + (4,)), axis=-2)[..., 0, :]
    quat = quat / np.linalg.norm(quat, axis=-1, keepdims=True)
    out: F64 = np.where(quat[..., :1] < 0.0, -quat, quat)
    return out


def rotvec_from_matrix(matrix: ArrayLike) -> F64:
    """Rotation matrices (..., 3, 3) -> axis-angle vectors (..., 3), angle in [0, pi]."""
    if not kernels.KERNELS.ready():
        return rotvec_from_quat_wxyz(quat_wxyz_from_matrix(matrix))
    m = np.ascontiguousarray(matrix, np.float64)
    out = np.empty((*m.shape[:-2], 3))
    kernels.rotvecs(m.reshape(-1, 3, 3), out.reshape(-1, 3))
    return out


def slerp_rotvec(a_rad: ArrayLike, b_rad: ArrayLike, t: float | F64) -> F64:
    """Shortest-arc interpolation of axis-angle vectors (..., 3); t=0 gives a, t=1 gives b; t may be an array (..., 1)."""
    a, b, share = (np.array(v, np.float64, order="C") for v in (a_rad, b_rad, t))  # copies: the kernel knows one kind of array
    if share.ndim or a.shape != b.shape:
        a, b, share = (np.array(v, order="C") for v in np.broadcast_arrays(a, b, share))
        share = share[..., 0].copy()
    out = np.empty(a.shape)
    kernels.KERNELS.ready()
    kernels.slerps(a.reshape(-1, 3), b.reshape(-1, 3), share.reshape(-1), out.reshape(-1, 3))
    return out


def rotation_x(angle_rad: float) -> F64:
    """Rotation matrix (3, 3) about x."""
    c, s = cos(angle_rad), sin(angle_rad)
    R = _EYE.copy()
    R[1, 1], R[1, 2], R[2, 1], R[2, 2] = c, -s, s, c
    return R


def rotation_y(angle_rad: float) -> F64:
    """Rotation matrix (3, 3) about y."""
    c, s = cos(angle_rad), sin(angle_rad)
    R = _EYE.copy()
    R[0, 0], R[0, 2], R[2, 0], R[2, 2] = c, s, -s, c
    return R


def rotation_z(angle_rad: float) -> F64:
    """Rotation matrix (3, 3) about z."""
    c, s = cos(angle_rad), sin(angle_rad)
    R = _EYE.copy()
    R[0, 0], R[0, 1], R[1, 0], R[1, 1] = c, -s, s, c
    return R


def angle_between(a: ArrayLike, b: ArrayLike) -> float:
    """Angle in radians between two vectors (3,), accurate near 0 and pi."""
    u, v = np.asarray(a, np.float64), np.asarray(b, np.float64)
    return float(np.arctan2(np.linalg.norm(np.cross(u, v)), float(u @ v)))


def wrap_angle(angle_rad: ArrayLike) -> F64:
    """Angles wrapped to [-pi, pi)."""
    out: F64 = (np.asarray(angle_rad, np.float64) + np.pi) % (2.0 * np.pi) - np.pi
    return out
