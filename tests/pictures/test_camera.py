from __future__ import annotations

import math

import numpy as np
import pytest

from assistcore.pictures import Camera, CameraError, matrix_from_quat_wxyz
from assistcore.pictures.camera import Convention

# The same pose, at (0, 0, 1.5) looking along world +x with z up, in each convention's quaternion (w, x, y, z).
LOOKING_X: dict[Convention, tuple[float, float, float, float]] = {
    "world": (1.0, 0.0, 0.0, 0.0),
    "opengl": (0.5, 0.5, -0.5, -0.5),
    "ros": (0.5, -0.5, 0.5, -0.5),
}


def looking_x(convention: Convention) -> Camera:
    return Camera.from_quat((0, 0, 1.5), LOOKING_X[convention], convention=convention, hfov_rad=math.pi / 2, width=64, height=64)


@pytest.mark.parametrize("convention", LOOKING_X)
def test_conventions_isaaclab_821(convention: Convention) -> None:
    """cases.md B, IsaacLab#821: (2, 0.5, 1.5) left of the centre, (2, 0, 2) above it, the same pixels in all conventions."""
    pixels, depth = looking_x(convention).project([(2, 0.5, 1.5), (2, 0, 2), (2, 2, 1.5)])
    np.testing.assert_allclose(pixels, [(24, 32), (32, 24), (0, 32)], atol=1e-9)
    np.testing.assert_allclose(depth, 2.0)


def test_plane_and_ray_depth_isaaclab_821() -> None:
    """cases.md B, IsaacLab#821: the point (2, 2, 1.5) has plane depth 2.000 and ray depth 2.828."""
    camera = looking_x("world")
    _, depth = camera.project([(2, 2, 1.5)])
    assert depth[0] == pytest.approx(2.0)
    assert np.linalg.norm(np.array((2, 2, 1.5)) - camera.position_m) == pytest.approx(2.828, abs=5e-4)
    plane = np.full((64, 64), 2.0)
    ray = camera.ray_depth(plane)
    assert ray[32, 0] == pytest.approx(2.0 * math.sqrt(1 + (31.5 / 32) ** 2 + (0.5 / 32) ** 2))
    np.testing.assert_allclose(camera.plane_depth(ray), plane)


def test_quaternion_order_isaaclab_2197() -> None:
    """cases.md B, IsaacLab#2197: yaw +90 turns x to y and keeps up; a quaternion without symmetry agrees with Rodrigues' formula."""
    half = math.sqrt(0.5)
    R = matrix_from_quat_wxyz((half, 0, 0, half))
    np.testing.assert_allclose(R @ np.eye(3), [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-12)
    misread = matrix_from_quat_wxyz((0, 0, half, half))
    np.testing.assert_allclose(misread @ (0, 0, 1), (0, 1, 0), atol=1e-12)
    w, axis = 0.9273618, np.array((0.1, 0.2, 0.3))
    angle = 2 * math.atan2(float(np.linalg.norm(axis)), w)
    k = axis / np.linalg.norm(axis)
    K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    np.testing.assert_allclose(
        matrix_from_quat_wxyz((w, *axis)), np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K, atol=1e-6
    )


def test_rays_hit_the_pixels_they_came_from() -> None:
    camera = Camera.look_at((1, 2, 3), (-2, 0.5, 1), hfov_rad=1.2, width=320, height=200)
    pixels = np.array([(0.5, 0.5), (160, 100), (319.5, 20.5), (12.3, 199.5)])
    there, depth = camera.project(camera.position_m + 4.0 * camera.ray(pixels))
    np.testing.assert_allclose(there, pixels, atol=1e-9)
    assert (depth > 0).all()
    np.testing.assert_allclose(camera.pixel_rays()[20, 319], camera.ray([(319.5, 20.5)])[0])


def test_a_point_behind_has_no_pixel() -> None:
    pixels, depth = looking_x("ros").project([(-1, 0, 1.5)])
    assert depth[0] == pytest.approx(-1.0)
    assert np.isnan(pixels).all()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"hfov_rad": 0.0}, "hfov_rad is 0.0"),
        ({"width": 0}, "0 x 48"),
        ({"near_m": 2.0, "far_m": 1.0}, "near_m 2.0"),
        ({"R_world_cam": np.diag([1.0, 1.0, -1.0])}, "no rotation"),
        ({"position_m": np.array([0.0, np.nan, 0.0])}, "nan"),
    ],
)
def test_bad_cameras_are_refused_by_name(change: dict[str, object], named: str) -> None:
    good: dict[str, object] = {"position_m": np.zeros(3), "R_world_cam": np.eye(3), "hfov_rad": 1.0, "width": 64, "height": 48}
    with pytest.raises(CameraError, match=named):
        Camera(**(good | change))  # type: ignore[arg-type]


def test_bad_quaternions_and_conventions_are_refused() -> None:
    with pytest.raises(CameraError, match="length 2"):
        matrix_from_quat_wxyz((2, 0, 0, 0))
    with pytest.raises(CameraError, match="'unity' is not one of"):
        Camera.from_quat((0, 0, 0), (1, 0, 0, 0), convention="unity", hfov_rad=1.0, width=4, height=4)  # type: ignore[arg-type]
    with pytest.raises(CameraError, match="cannot look"):
        Camera.look_at((0, 0, 0), (0, 0, 1), hfov_rad=1.0, width=4, height=4)
