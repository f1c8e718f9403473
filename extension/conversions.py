"""Every change of convention between AssistWorld and Kit, in one place: quaternion order, angles, matrices, picture sizes, colours.

| where | quaternion | angles | matrices | picture size |
|---|---|---|---|---|
| AssistWorld | wxyz | radians | column vectors, `T[:3, 3]` is the translation | (width, height) |
| USD (`pxr.Gf`) | real part and imaginary part | degrees | row vectors, the last row is the translation | - |
| PhysX tensors, scene queries | xyzw | radians | - | - |
| CameraSensor | wxyz | - | - | (height, width) |

USD and `pxr` are imported inside functions: this module can be imported anywhere.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.world.poses import Pose, quat_wxyz_from_xyzw, quat_xyzw_from_wxyz

F64 = NDArray[np.float64]
Vec3 = tuple[float, float, float]
APERTURE_MM = 20.955
"""Horizontal aperture that cameras get: USD's own default. Only its ratio to the focal length matters."""


def gf_quat(quat_wxyz: tuple[float, float, float, float]) -> Any:
    """`Gf.Quatd` of a unit quaternion (w, x, y, z)."""
    from pxr import Gf

    w, x, y, z = quat_wxyz
    return Gf.Quatd(w, x, y, z)


def gf_quat_single(quat_wxyz: tuple[float, float, float, float]) -> Any:
    """`Gf.Quatf` of a unit quaternion (w, x, y, z): the type of a joint's local rotations."""
    from pxr import Gf

    w, x, y, z = quat_wxyz
    return Gf.Quatf(w, x, y, z)


def pose_from_gf(matrix: Any) -> Pose:
    """Pose of a `Gf.Matrix4d`, scale removed."""
    T = matrix_from_gf(matrix)
    T[:3, :3] /= np.linalg.norm(T[:3, :3], axis=0)
    return Pose.from_matrix(T)


def matrix_from_gf(matrix: Any) -> F64:
    """(4, 4) with the translation in the last column, of a `Gf.Matrix4d`, which has it in the last row."""
    return np.array(matrix, dtype=np.float64).T.copy()


def gf_matrix(T: NDArray[Any]) -> Any:
    """Inverse of `matrix_from_gf`."""
    from pxr import Gf

    return Gf.Matrix4d(np.asarray(T, dtype=np.float64).T.tolist())


def tensor_row(pose: Pose) -> NDArray[np.float32]:
    """Shape (7,): x, y, z, then the quaternion as x, y, z, w, as the tensor interface of PhysX takes and gives poses."""
    return np.array([*pose.position_m, *quat_xyzw_from_wxyz(np.array(pose.quat_wxyz))], dtype=np.float32)


def pose_from_tensor_row(row: NDArray[Any]) -> Pose:
    """Inverse of `tensor_row`."""
    values = np.asarray(row, dtype=np.float64)
    return Pose.from_array(np.concatenate([values[:3], quat_wxyz_from_xyzw(values[3:])]))


def usd_angular_velocity(rad_s: Vec3) -> Vec3:
    """`physics:angularVelocity`, degrees per second, of radians per second."""
    x, y, z = (math.degrees(v) for v in rad_s)
    return (x, y, z)


def angular_velocity_from_usd(deg_s: Any) -> Vec3:
    """Inverse of `usd_angular_velocity`."""
    x, y, z = (math.radians(float(v)) for v in deg_s)
    return (x, y, z)


def height_width(width: int, height: int) -> tuple[int, int]:
    """A picture size as CameraSensor and numpy have it; Replicator and `Camera` have (width, height)."""
    return (height, width)


def focal_length_mm(hfov_rad: float) -> float:
    """Focal length of a USD camera with the aperture `APERTURE_MM`, for a horizontal field of view."""
    return APERTURE_MM / 2.0 / math.tan(hfov_rad / 2.0)


def linear_rgb(rgb: Vec3) -> Vec3:
    """Linear colour of a display colour (sRGB transfer function, IEC 61966-2-1), each in 0..1: USD's colours are linear."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    return (r, g, b)
