"""Where the head camera is and where it looks (cases.md B, habitat-lab#1995: base rotation forgotten, a humanoid that faces -Z)."""

from __future__ import annotations

import numpy as np
import pytest

from humans.camera import gaze, head_camera
from humans.kinematics import joint_transforms
from humans.model import load_body
from humans.postures import stand

BODY = load_body()
PLACE = np.array([2.0, 3.0])


def camera(heading: float) -> tuple[np.ndarray, np.ndarray]:
    pose, translation = stand(BODY, (2.0, 3.0), heading)
    return head_camera(BODY, joint_transforms(BODY, pose, translation))


def test_the_camera_turns_with_the_body() -> None:
    """At (2, 3) with yaw 90 the forward offset of the head lies along +y, not +x."""
    east, north = camera(0.0)[0], camera(np.pi / 2)[0]
    forward, side = east[0] - PLACE[0], east[1] - PLACE[1]
    assert 0.03 < forward < 0.30 and abs(side) < 0.01, "the face is in front of the place where one stands"
    np.testing.assert_allclose(north, (PLACE[0] - side, PLACE[1] + forward, east[2]), atol=1e-6)


@pytest.mark.parametrize("k", range(8))
def test_who_turns_to_a_thing_looks_at_it(k: int) -> None:
    """For 8 compass directions: forward . direction > 0.999, also straight from the formula for the heading."""
    target = np.array([*(PLACE + 2.0 * np.array([np.cos(k * np.pi / 4), np.sin(k * np.pi / 4)])), 1.0])
    heading = float(np.arctan2(target[1] - PLACE[1], target[0] - PLACE[0]))
    pose, translation = stand(BODY, (2.0, 3.0), heading)
    looking, residual = gaze(BODY, pose, translation, target)
    position, rotation = head_camera(BODY, joint_transforms(BODY, looking, translation))
    direction = (target - position) / np.linalg.norm(target - position)
    assert -rotation[:, 2] @ direction > 0.999 and residual < 0.02
    level = -camera(heading)[1][:2, 2]
    assert level @ direction[:2] / np.linalg.norm(level) / np.linalg.norm(direction[:2]) > 0.999
