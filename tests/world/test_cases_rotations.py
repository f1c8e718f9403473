"""Quaternion orders (cases.md B, IsaacLab#2197): what a misreading looks like, the two traps, and that every name says its order."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from assistcore.world.poses import (
    Pose,
    matrices_from_rows,
    matrix_from_quat_wxyz,
    quat_wxyz_from_matrix,
    quat_wxyz_from_xyzw,
    quat_xyzw_from_wxyz,
    yaw_quat_wxyz,
)
from tests.repository.tree import parsed, sources

YAW_90_XYZW = np.array([0.0, 0.0, 0.70710678, 0.70710678])
IDENTITY_XYZW = np.array([0.0, 0.0, 0.0, 1.0])
UNEVEN_XYZW = np.array([0.1, 0.2, 0.3, 0.9273618])
UP = np.array([0.0, 0.0, 1.0])
AHEAD = np.array([1.0, 0.0, 0.0])


def test_yaw_90_in_xyzw_is_yaw_90_and_its_misreading_lies_on_its_side() -> None:
    read = matrix_from_quat_wxyz(quat_wxyz_from_xyzw(YAW_90_XYZW))
    np.testing.assert_allclose(read @ AHEAD, (0, 1, 0), atol=1e-7)
    np.testing.assert_allclose(read @ UP, UP, atol=1e-7)
    np.testing.assert_allclose(quat_wxyz_from_xyzw(YAW_90_XYZW), yaw_quat_wxyz(np.pi / 2), atol=1e-7)
    misread = matrix_from_quat_wxyz(YAW_90_XYZW)
    np.testing.assert_allclose(misread @ AHEAD, -AHEAD, atol=1e-7)
    np.testing.assert_allclose(misread @ UP, (0, 1, 0), atol=1e-7)


def test_trap_1_a_misread_identity_is_still_upright() -> None:
    """Trap 1: a check of "upright" alone misses it; the heading tells."""
    misread = matrix_from_quat_wxyz(IDENTITY_XYZW)
    np.testing.assert_allclose(misread @ UP, UP)
    np.testing.assert_allclose(misread @ AHEAD, -AHEAD)
    np.testing.assert_allclose(matrix_from_quat_wxyz(quat_wxyz_from_xyzw(IDENTITY_XYZW)), np.eye(3))


def test_trap_2_two_wrongs_cancel_so_the_uneven_quaternion_is_written_out() -> None:
    """Trap 2 (IsaacTeleop PR#699): a wrong reordering can leave [0, 1, 0, 0] as it is and undo itself on the way back."""

    def swapped(q: np.ndarray) -> np.ndarray:
        return q[[3, 1, 2, 0]]

    even = np.array([0.0, 1.0, 0.0, 0.0])
    assert np.array_equal(swapped(even), even) and np.array_equal(swapped(swapped(UNEVEN_XYZW)), UNEVEN_XYZW)
    assert not np.array_equal(quat_wxyz_from_xyzw(even), even)
    np.testing.assert_array_equal(quat_wxyz_from_xyzw(UNEVEN_XYZW), (0.9273618, 0.1, 0.2, 0.3))
    np.testing.assert_array_equal(quat_xyzw_from_wxyz(np.array([0.9273618, 0.1, 0.2, 0.3])), UNEVEN_XYZW)


def test_an_uneven_quaternion_agrees_with_scipy_which_is_xyzw() -> None:
    expected = Rotation.from_quat(UNEVEN_XYZW).as_matrix()
    wxyz = quat_wxyz_from_xyzw(UNEVEN_XYZW)
    np.testing.assert_allclose(matrix_from_quat_wxyz(wxyz), expected, atol=1e-12)
    np.testing.assert_allclose(quat_wxyz_from_matrix(expected), wxyz / np.linalg.norm(wxyz), atol=1e-12)
    w, x, y, z = (float(v) for v in wxyz)
    np.testing.assert_allclose(Pose((1.0, 2.0, 3.0), (w, x, y, z)).matrix()[:3, :3], expected, atol=1e-12)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, -1, 1)])
def test_half_turns_survive_the_way_through_a_matrix(axis: tuple[float, float, float]) -> None:
    """Where w is 0 every branch of the conversion is needed."""
    matrix = Rotation.from_rotvec(np.pi * np.array(axis) / np.linalg.norm(axis)).as_matrix()
    np.testing.assert_allclose(matrix_from_quat_wxyz(quat_wxyz_from_matrix(matrix)), matrix, atol=1e-9)


def test_every_argument_and_field_that_is_a_quaternion_says_its_order() -> None:
    """An undeclared order cannot be written down: `quat` alone is no name."""
    silent = []
    for path in sources():
        for node in ast.walk(parsed(path)):
            name = node.arg if isinstance(node, ast.arg) else node.target.id if _field(node) else ""  # type: ignore[attr-defined]
            words = name.lower().split("_")
            if any(w.startswith(("quat", "rotation_q")) for w in words) and not {"wxyz", "xyzw"} & set(words):
                silent.append(f"{path}:{node.lineno} {name}")  # type: ignore[attr-defined]
    assert not silent, "quaternions whose name does not say wxyz or xyzw:\n" + "\n".join(silent)


def _field(node: ast.AST) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)


def test_many_poses_become_the_matrices_of_each() -> None:
    rows = np.random.default_rng(3).normal(size=(50, 7))
    np.testing.assert_allclose(matrices_from_rows(rows), [Pose.from_array(row).matrix() for row in rows], rtol=0.0, atol=1e-15)
