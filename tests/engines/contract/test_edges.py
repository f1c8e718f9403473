"""Quaternion orders and angles at the edge of a back end (cases.md B, IsaacLab#2197, IsaacTeleop PR#699): a misread one is found."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import pytest

from assistcore.world.engine import Abilities, Engine
from assistcore.world.poses import Pose, matrix_from_quat_wxyz
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.contract import check_engine
from extension.conversions import angular_velocity_from_usd, pose_from_tensor_row, tensor_row, usd_angular_velocity
from tests.engines.contract import fake_physx

S = math.sqrt(0.5)
YAW_90 = Pose((1.0, 2.0, 3.0), (S, 0.0, 0.0, S))
SKEW = np.array([0.1, 0.2, 0.3, 0.9273618]) / np.linalg.norm([0.1, 0.2, 0.3, 0.9273618])
"""A rotation, x, y, z, w, that no wrong order turns into itself."""


def wrong_row(pose: Pose) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A row in the house's own order."""
    return np.array([*pose.position_m, *pose.quat_wxyz], dtype=np.float32)


def wrong_pose(row: Any) -> Pose:
    """A row taken to be in the house's own order."""
    return Pose.from_array(np.asarray(row, dtype=np.float64))


def test_rows_have_the_real_part_last() -> None:
    assert tensor_row(YAW_90) == pytest.approx([1.0, 2.0, 3.0, 0.0, 0.0, S, S])
    R = matrix_from_quat_wxyz(np.array(pose_from_tensor_row(tensor_row(YAW_90)).quat_wxyz))
    assert R @ [1, 0, 0] == pytest.approx([0, 1, 0], abs=1e-6) and R @ [0, 0, 1] == pytest.approx([0, 0, 1])


def test_a_misread_row_is_of_unit_length_and_lies_on_its_side() -> None:
    """As the issue has it: x becomes -x, up becomes +y. Nothing but the direction shows it."""
    R = matrix_from_quat_wxyz(np.array(wrong_pose(tensor_row(YAW_90)).quat_wxyz))
    assert R @ [1, 0, 0] == pytest.approx([-1, 0, 0], abs=1e-6) and R @ [0, 0, 1] == pytest.approx([0, 1, 0], abs=1e-6)


def test_the_traps_pass_a_weak_check_and_fail_this_one() -> None:
    upright = matrix_from_quat_wxyz(np.array(wrong_pose(tensor_row(Pose((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))).quat_wxyz))
    assert upright[2, 2] == pytest.approx(1.0), "an identity misread is half a turn, still upright"
    assert upright[0, 0] == pytest.approx(-1.0)
    x, y, z, w = SKEW
    pose = Pose((0.0, 0.0, 0.0), (w, x, y, z))
    assert pose_from_tensor_row(tensor_row(pose)).quat_wxyz == pytest.approx(pose.quat_wxyz, abs=1e-6)
    for read, written in ((wrong_pose, tensor_row), (pose_from_tensor_row, wrong_row)):
        assert abs(float(np.dot(read(written(pose)).quat_wxyz, pose.quat_wxyz))) < 0.999
    assert wrong_pose(wrong_row(pose)).quat_wxyz == pytest.approx(pose.quat_wxyz, abs=1e-6), "two wrongs cancel in a round trip"


def test_angles_cross_in_degrees() -> None:
    assert usd_angular_velocity((math.pi, 0.0, -math.pi / 2)) == pytest.approx((180.0, 0.0, -90.0))
    for value in (0.1, 1.0, -2.5):
        assert angular_velocity_from_usd(usd_angular_velocity((value, 0.0, 0.0)))[0] == pytest.approx(value)
        assert usd_angular_velocity((value, 0.0, 0.0))[0] != pytest.approx(value)


@pytest.mark.parametrize(
    "edge",
    [
        fake_physx.Edge(back=wrong_pose),
        pytest.param(fake_physx.Edge(out=wrong_row), marks=pytest.mark.slow),
        pytest.param(fake_physx.Edge(out=wrong_row, back=wrong_pose), marks=pytest.mark.slow),
    ],
    ids=["read wrong", "written wrong", "two wrongs"],
)
def test_an_engine_behind_a_wrong_edge_breaks_the_contract(edge: fake_physx.Edge) -> None:
    """Two wrongs cancel for whatever is only put somewhere and read back; what settles between is on its head, and is found."""
    engine = HouseEngine(physics=fake_physx.FakePhysx(edge=edge), abilities=Abilities("at_rest", "tolerance"))
    (found,) = check_engine(cast(Engine, engine), ("settling",))
    engine.close()
    assert any(" and " in p and "millionths away" in p for p in found.problems), found.problems
