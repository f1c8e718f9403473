"""Pinhole cameras: pose conventions, projection, pixel rays, plane depth and ray depth.

Camera frame of this package: OpenGL/USD axes (-Z forward, +Y up, +X right). Pixels: origin in the upper left corner of the picture, x to
the right,
y down; the centre of pixel (column 0, row 0) is (0.5, 0.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assistcore.world import poses

F64 = NDArray[np.float64]
Convention = Literal["ros", "opengl", "world"]

# Columns: the OpenGL camera axes expressed in each convention's camera frame.
_GL_IN: dict[str, F64] = {
    "opengl": np.eye(3),
    "ros": np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]),  # +Z forward, -Y up, +X right
    "world": np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),  # +X forward, +Z up, +Y left
}


class CameraError(ValueError):
    """A camera that cannot take a picture; the text names the field and the value."""


def matrix_from_quat_wxyz(quat_wxyz: ArrayLike) -> F64:
    """Rotation matrix (3, 3) of a quaternion in w, x, y, z order. Raises CameraError unless its length is 1 to 1e-3."""
    q = np.asarray(quat_wxyz, dtype=np.float64)
    length = float(np.linalg.norm(q)) if q.shape == (4,) else float("nan")
    if not abs(length - 1.0) < 1e-3:
        raise CameraError(f"quat_wxyz {q.tolist()} has shape {q.shape} and length {length}, expected (4,) and 1")
    return poses.matrix_from_quat_wxyz(q)


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera.

    position_m: shape (3,), world frame. R_world_cam: shape (3, 3), columns are the camera's right, up and backward axes in the world frame.
    hfov_rad: horizontal field of view. near_m, far_m: nothing outside this range of plane depth is drawn.
    """

    position_m: F64
    R_world_cam: F64
    hfov_rad: float
    width: int
    height: int
    near_m: float = 0.03
    far_m: float = 60.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "position_m", np.array(self.position_m, dtype=np.float64))
        object.__setattr__(self, "R_world_cam", np.array(self.R_world_cam, dtype=np.float64))
        if self.position_m.shape != (3,) or not np.isfinite(self.position_m).all():
            raise CameraError(f"position_m is {self.position_m.tolist()}, expected 3 finite numbers")
        R = self.R_world_cam
        if R.shape != (3, 3) or not np.allclose(R @ R.T, np.eye(3), atol=1e-4) or np.linalg.det(R) < 0:
            raise CameraError(f"R_world_cam is no rotation: {R.tolist()}")
        if not 0.01 < self.hfov_rad < math.pi - 0.01:
            raise CameraError(f"hfov_rad is {self.hfov_rad}, expected 0.01..{math.pi - 0.01:.2f}")
        if not (1 <= self.width <= 8192 and 1 <= self.height <= 8192):
            raise CameraError(f"picture size {self.width} x {self.height} outside 1..8192")
        if not 0.0 < self.near_m < self.far_m:
            raise CameraError(f"near_m {self.near_m} and far_m {self.far_m}: expected 0 < near < far")

    @staticmethod
    def from_quat(
        position_m: ArrayLike,
        quat_wxyz: ArrayLike,
        *,
        convention: Convention,
        hfov_rad: float,
        width: int,
        height: int,
        near_m: float = 0.03,
        far_m: float = 60.0,
    ) -> Camera:
        """Camera from a world-from-camera quaternion (w, x, y, z) whose camera axes follow `convention`.

        opengl: -Z forward, +Y up. ros: +Z forward, -Y up. world: +X forward, +Z up (the names of Isaac Lab's camera conventions).
        """
        if convention not in _GL_IN:
            raise CameraError(f"camera convention {convention!r} is not one of {sorted(_GL_IN)}")
        R = matrix_from_quat_wxyz(quat_wxyz) @ _GL_IN[convention]
        return Camera(np.asarray(position_m, dtype=np.float64), R, hfov_rad, width, height, near_m, far_m)

    @staticmethod
    def look_at(
        position_m: ArrayLike,
        target_m: ArrayLike,
        *,
        hfov_rad: float,
        width: int,
        height: int,
        up: ArrayLike = (0.0, 0.0, 1.0),
        near_m: float = 0.03,
        far_m: float = 60.0,
    ) -> Camera:
        """Camera at a point looking at another; `up` must not be parallel to the view."""
        eye = np.asarray(position_m, dtype=np.float64)
        forward = np.asarray(target_m, dtype=np.float64) - eye
        right = np.cross(forward, np.asarray(up, dtype=np.float64))
        if np.linalg.norm(right) < 1e-9:
            raise CameraError(f"cannot look from {eye.tolist()} along {forward.tolist()} with up {np.asarray(up).tolist()}")
        forward, right = forward / np.linalg.norm(forward), right / np.linalg.norm(right)
        R = np.stack([right, np.cross(right, forward), -forward], axis=1)
        return Camera(eye, R, hfov_rad, width, height, near_m, far_m)

    @property
    def focal_px(self) -> float:
        """Focal length in pixels (pixels are square)."""
        return self.width / 2.0 / math.tan(self.hfov_rad / 2.0)

    @property
    def forward(self) -> F64:
        """Unit view direction, world frame."""
        return -self.R_world_cam[:, 2]

    def project(self, points_m: ArrayLike) -> tuple[F64, F64]:
        """Pixels (n, 2) and plane depths (n,) of world points (n, 3); pixels of points with depth <= 0 are nan."""
        local = (np.atleast_2d(np.asarray(points_m, dtype=np.float64)) - self.position_m) @ self.R_world_cam
        depth = -local[:, 2]
        safe = np.where(depth > 0, depth, np.nan)
        x = self.width / 2.0 + self.focal_px * local[:, 0] / safe
        y = self.height / 2.0 - self.focal_px * local[:, 1] / safe
        return np.stack([x, y], axis=1), depth

    def ray(self, pixels: ArrayLike) -> F64:
        """Unit directions (n, 3), world frame, through pixel positions (n, 2)."""
        p = np.atleast_2d(np.asarray(pixels, dtype=np.float64))
        local = np.stack([p[:, 0] - self.width / 2.0, self.height / 2.0 - p[:, 1], np.full(len(p), -self.focal_px)], axis=1)
        direction = local @ self.R_world_cam.T
        return np.asarray(direction / np.linalg.norm(direction, axis=1, keepdims=True), dtype=np.float64)

    def pixel_rays(self) -> F64:
        """Unit directions (height, width, 3) through all pixel centres."""
        x, y = np.meshgrid(np.arange(self.width) + 0.5, np.arange(self.height) + 0.5)
        return self.ray(np.stack([x.ravel(), y.ravel()], axis=1)).reshape(self.height, self.width, 3)

    def ray_factor(self) -> F64:
        """Ray depth divided by plane depth at every pixel centre, shape (height, width)."""
        x, y = np.meshgrid(np.arange(self.width) + 0.5 - self.width / 2.0, np.arange(self.height) + 0.5 - self.height / 2.0)
        return np.asarray(np.sqrt(1.0 + (x * x + y * y) / self.focal_px**2), dtype=np.float64)

    def ray_depth(self, plane_depth_m: ArrayLike) -> F64:
        """Distance from the camera along the pixel's ray, from depth along the view axis; both (height, width)."""
        return np.asarray(np.asarray(plane_depth_m, dtype=np.float64) * self.ray_factor(), dtype=np.float64)

    def plane_depth(self, ray_depth_m: ArrayLike) -> F64:
        """Depth along the view axis from distance along the pixel's ray; both (height, width)."""
        return np.asarray(np.asarray(ray_depth_m, dtype=np.float64) / self.ray_factor(), dtype=np.float64)

    def clip_from_world(self) -> F64:
        """OpenGL clip matrix (4, 4) with Y up in clip space."""
        n, f = self.near_m, self.far_m
        P = np.zeros((4, 4))
        P[0, 0] = 2.0 * self.focal_px / self.width
        P[1, 1] = 2.0 * self.focal_px / self.height
        P[2, 2], P[2, 3], P[3, 2] = (f + n) / (n - f), 2.0 * f * n / (n - f), -1.0
        V = np.eye(4)
        V[:3, :3] = self.R_world_cam.T
        V[:3, 3] = -self.R_world_cam.T @ self.position_m
        return P @ V
