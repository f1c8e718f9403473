"""Arm IK: what it reaches, what it refuses, and that the pose it returns is the pose it reports."""

from __future__ import annotations

import numpy as np
import pytest

from actions.manipulation.grasp import hand_rotation
from actions.manipulation.ik import MAX_ITERATIONS, arm_chain, descend_collar, planar_chain, solve, solve_in_trunk
from humans.kinematics import joint_transforms
from humans.model import JOINT, N_JOINTS, load_body
from humans.postures import lean


@pytest.mark.parametrize(
    ("distance", "reached", "residual"), [(0.55, True, 0.0), (0.56, False, 0.01), (0.04, False, 0.01), (0.20, True, 0.0)]
)
def test_planar_links_report_what_is_out_of_reach(distance: float, reached: bool, residual: float) -> None:
    """cases.md G, robotics-toolbox-python#335: links 0.30 + 0.25."""
    result = solve_in_trunk(planar_chain(0.30, 0.25), np.array([0.0, 0.0, distance]), None, np.zeros(156), "left")
    assert result.reached is reached
    assert result.residual_m == pytest.approx(residual, abs=1e-9)
    assert np.isfinite(result.pose_rad).all()
    assert not result.iterations_exhausted


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_returned_pose_has_the_reported_error(side: str) -> None:
    body = load_body()
    pose, translation = lean(body, (0.3, -0.2), 0.7, 0.35, 0.2)
    trunk = joint_transforms(body, pose, translation)[JOINT["spine3"]]
    rng = np.random.default_rng(5)
    sign = 1.0 if side == "left" else -1.0
    for _ in range(60):
        T = np.eye(4)
        local = np.array([sign * rng.uniform(-0.1, 0.5), rng.uniform(-0.4, 0.4), rng.uniform(0.1, 0.7)])
        T[:3, 3] = trunk[:3, :3] @ local + trunk[:3, 3]
        forward = trunk[:3, 2]
        T[:3, :3] = hand_rotation(side, forward, np.array([0.0, 0.0, -1.0]))  # type: ignore[arg-type]
        result = solve(body, pose, translation, side, T)  # type: ignore[arg-type]
        found = joint_transforms(body, result.pose_rad, translation)[JOINT[f"{side}_wrist"]]
        assert np.linalg.norm(found[:3, 3] - T[:3, 3]) == pytest.approx(result.residual_m, abs=1e-6)
        assert np.abs(found[:3, :3] - T[:3, :3]).max() < 1e-6
        other = [j for name, j in JOINT.items() if not name.startswith(side)]
        rows = result.pose_rad.reshape(N_JOINTS, 3)
        assert np.array_equal(rows[other], pose.reshape(N_JOINTS, 3)[other]), "only the arm may move"


def test_elbows_bend_one_way_only() -> None:
    """The elbow is a hinge: forearms never fold backwards, however the target lies."""
    body = load_body()
    chain = arm_chain(body, "left")
    for target in ([0.3, 0.0, 0.35], [0.1, -0.3, 0.3], [0.35, 0.3, 0.2], [0.2, -0.35, 0.05]):
        result = solve_in_trunk(chain, np.array(target), None, np.zeros(156), "left")
        elbow = result.pose_rad.reshape(N_JOINTS, 3)[JOINT["left_elbow"]]
        assert elbow[1] < 0.0, "a left elbow flexes about -y"


def test_the_collar_helps_and_stops_at_its_limit() -> None:
    chain = arm_chain(load_body(), "right")
    stretched = chain.span_m[1]
    shoulder = chain.bones_m[0] + chain.bones_m[1]
    ahead = shoulder + np.array([0.0, 0.0, stretched + 0.02])
    collar, residual, steps = descend_collar(chain, np.stack([ahead, ahead + [0.0, 0.0, 1.0]]), np.eye(3))
    assert residual[0] < 0.001
    assert residual[1] == pytest.approx(1.0, abs=0.1)
    assert (steps <= MAX_ITERATIONS).all()
    angle = np.arccos(np.clip(0.5 * (np.trace(collar, axis1=1, axis2=2) - 1.0), -1.0, 1.0))
    assert (angle <= chain.collar_rad + 1e-6).all()
