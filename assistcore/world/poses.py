"""Rigid poses: metres, Z up, unit quaternions in the order w, x, y, z (the order is in every name)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def quat_multiply_wxyz(a_wxyz: Array, b_wxyz: Array) -> Array:
    """Hamilton product of two quaternions, shape (4,)."""
    aw, ax, ay, az = a_wxyz
    bw, bx, by, bz = b_wxyz
    return np.array(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ]
    )


def _unit(vector: Array) -> Array:
    """The vector, shape (n,), at length 1 (the same bits as with `np.linalg.norm`, at a fraction of its cost)."""
    unit: Array = vector / sqrt(vector.dot(vector))
    return unit


def matrix_from_quat_wxyz(quat_wxyz: Array) -> Array:
    """Rotation matrix, shape (3, 3), of a unit quaternion, shape (4,). Normalises its input."""
    w, x, y, z = _unit(np.ascontiguousarray(quat_wxyz, dtype=np.float64)).tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quat_wxyz_from_matrix(rotation: Array) -> Array:
    """Unit quaternion with w >= 0, shape (4,), of a rotation matrix, shape (3, 3) (Shepperd's method)."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = np.asarray(rotation, dtype=np.float64).tolist()
    trace = xx + yy + zz
    most = max(trace, xx, yy, zz)
    if most == trace:
        q = np.array([1 + trace, zy - yz, xz - zx, yx - xy])
    elif most == xx:
        q = np.array([zy - yz, 1 + xx - yy - zz, xy + yx, xz + zx])
    elif most == yy:
        q = np.array([xz - zx, xy + yx, 1 - xx + yy - zz, yz + zy])
    else:
        q = np.array([yx - xy, xz + zx, yz + zy, 1 - xx - yy + zz])
    unit = _unit(q)
    return unit if unit[0] >= 0 else -unit


def quat_wxyz_from_xyzw(quat_xyzw: Array) -> Array:
    """Reorder a quaternion given as x, y, z, w (BEHAVIOR JSON, PhysX tensors, scipy)."""
    x, y, z, w = np.asarray(quat_xyzw, dtype=np.float64)
    return np.array([w, x, y, z])


def quat_xyzw_from_wxyz(quat_wxyz: Array) -> Array:
    """Inverse of `quat_wxyz_from_xyzw`."""
    w, x, y, z = np.asarray(quat_wxyz, dtype=np.float64)
    return np.array([x, y, z, w])


def yaw_quat_wxyz(yaw_rad: float) -> Array:
    """Rotation about world Z; yaw 0 looks along +x, counter-clockwise positive."""
    return np.array([np.cos(yaw_rad / 2), 0.0, 0.0, np.sin(yaw_rad / 2)])


def wrap_angle(angle_rad: float) -> float:
    """The same angle in [-pi, pi)."""
    return float((angle_rad + np.pi) % (2 * np.pi) - np.pi)


@dataclass(frozen=True)
class Pose:
    """Position, metres, and orientation of a frame in its parent frame (the world unless the name says otherwise)."""

    position_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    quat_wxyz: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)

    @classmethod
    def from_matrix(cls, T: Array) -> Pose:
        """From a rigid transform, shape (4, 4)."""
        q = quat_wxyz_from_matrix(T[:3, :3])
        return cls((float(T[0, 3]), float(T[1, 3]), float(T[2, 3])), (float(q[0]), float(q[1]), float(q[2]), float(q[3])))

    @classmethod
    def from_array(cls, values: Array) -> Pose:
        """From shape (7,): x, y, z, then quaternion w, x, y, z."""
        x, y, z, qw, qx, qy, qz = (float(v) for v in values)
        return cls((x, y, z), (qw, qx, qy, qz))

    def array(self) -> Array:
        """Shape (7,): x, y, z, then quaternion w, x, y, z."""
        return np.array([*self.position_m, *self.quat_wxyz])

    def matrix(self) -> Array:
        """Rigid transform, shape (4, 4): the caller's own."""
        T: Array = self._matrix.copy()
        return T

    @cached_property
    def _matrix(self) -> Array:
        T = np.eye(4)
        T[:3, :3] = matrix_from_quat_wxyz(np.array(self.quat_wxyz))
        T[:3, 3] = self.position_m
        return T


def matrices_from_rows(rows: Array) -> Array:
    """Rigid transforms (n, 4, 4) of rows (n, 7): x, y, z, then quaternion w, x, y, z, which is normalised."""
    w, x, y, z = (rows[:, 3:] / np.linalg.norm(rows[:, 3:], axis=1, keepdims=True)).T
    out = np.zeros((len(rows), 4, 4))
    out[:, 0, 0], out[:, 0, 1], out[:, 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    out[:, 1, 0], out[:, 1, 1], out[:, 1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    out[:, 2, 0], out[:, 2, 1], out[:, 2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    out[:, :3, 3], out[:, 3, 3] = rows[:, :3], 1.0
    return out


def inverse(T: Array) -> Array:
    """Inverse of a rigid transform, shape (4, 4)."""
    out = np.eye(4)
    out[:3, :3] = T[:3, :3].T
    out[:3, 3] = -T[:3, :3].T @ T[:3, 3]
    return out


def transform_points(T: Array, points_m: Array) -> Array:
    """Apply a rigid transform, shape (4, 4), to points, shape (n, 3)."""
    moved: Array = np.asarray(points_m) @ T[:3, :3].T + T[:3, 3]
    return moved
