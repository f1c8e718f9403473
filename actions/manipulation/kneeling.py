"""Down on the knees and up again on the way of a reach: the keys between standing and a posture on the knees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.keys import Key, key_at, key_of_pose
from actions.manipulation.posture import at_stance
from actions.manipulation.reach import Blocked, Standing, home_key, screen_key, works
from assistcore.house.clearance import Allowed
from assistcore.world.poses import transform_points
from humans.arms import ArmOverlay, arm_overlay
from humans.kinematics import joint_transforms
from humans.model import JOINT
from humans.postures import MAX_HEEL_RAD, Posture, lean_posture, solve_posture

F64 = NDArray[np.float64]

SQUATS = ((0.5, 1.2), (0.3, 1.0))
"""(lean, squat) on the balls of the feet on the way down, one of which keeps clear of what is carried."""
UPRIGHT_RAD = 0.10
TUCKED_M = (0.16, 0.10, -0.30)
"""Where the middle of a carried thing is kept while the knees go down: ahead of the shoulder (and half the thing), outside of it, above."""


def descents(here: Standing, low: Posture, rules: Allowed) -> list[tuple[Key, ...]]:
    """Clear keys between standing and a posture on the knees: a squat on the toes, then mostly the knees on the floor with the hand close
    to the body, or the way it carries."""
    side, held, pose = here.figure.side, here.world.state.held, here.world.state.body.pose_rad
    carrying = arm_overlay(pose, (side,) if held is None or held.hand == side else (side, held.hand))
    found: list[tuple[Key, ...]] = []
    for squat in _squats(here):
        ways = []
        for posture in (squat, _upright(low)):
            as_is = _dressed(here, posture, carrying, here.start)
            ways.append([k for k in (_tucked(here, posture), as_is) if k is not None and screen_key(here, k, rules) is None])
        downs, kneels = ways
        found += [(down, kneel) for down, kneel in zip(downs[:1], kneels[:1], strict=False)]
        found += [(down,) for down in downs[:1]]
    return found


def ascents(here: Standing, low: Posture) -> Iterator[tuple[Key, Key]]:
    """The keys on the way up with the arm hanging: the knees still on the floor, then the squat."""
    end = home_key(here)
    for squat in _squats(here):
        yield _dressed(here, _upright(low), here.figure.other, end), _dressed(here, squat, here.figure.other, end)


def why_not_down(here: Standing, low: Posture, rules: Allowed) -> Blocked:
    """What keeps the knees from going down here."""
    key = _dressed(here, _upright(low), here.figure.other, here.start)
    return screen_key(here, key, rules) or Blocked("there is no way down on the knees", "nothing", -np.inf)


def _squats(here: Standing) -> Iterator[Posture]:
    for lean, squat in SQUATS:
        low = lean_posture(here.figure.body, (0.0, 0.0), 0.0, lean, squat, 0.0, MAX_HEEL_RAD)
        yield at_stance(low, (here.home.x_m, here.home.y_m), here.home.heading_rad)


def _upright(low: Posture) -> Posture:
    return replace(low, trunk_pitch_rad=min(low.trunk_pitch_rad, UPRIGHT_RAD), trunk_yaw_rad=0.0)


def _dressed(here: Standing, posture: Posture, arms: ArmOverlay | None, end: Key) -> Key:
    """The key of a posture with given arms; fingers as at that end of the way."""
    key = key_of_pose(here.figure, posture, *solve_posture(here.figure.body, posture, arms))
    return replace(key, fingers=end.fingers)


def _tucked(here: Standing, posture: Posture) -> Key | None:
    """The key with what is carried close to the body, as level as it was, or None where the arm does not bend so."""
    held, figure = here.world.state.held, here.figure
    if held is None or held.hand != figure.side:
        return None
    low, high = here.world.stage.entity(held.entity).box_m
    joints = joint_transforms(figure.body, *solve_posture(figure.body, posture, figure.other))
    shoulder = joints[JOINT[f"{figure.side}_shoulder"], :3, 3]
    sign = 1.0 if figure.side == "left" else -1.0
    ahead = TUCKED_M[0] + 0.5 * float(np.sort(high - low)[1])
    T = here.start.T_wrist.copy()
    centre = transform_points(held.wrist_object.matrix(), 0.5 * (low + high)[None])[0]
    T[:3, 3] = shoulder + here.T_stance[:3, :3] @ np.array([ahead, sign * TUCKED_M[1], TUCKED_M[2]]) - T[:3, :3] @ centre
    key = key_at(figure, posture, joints[JOINT["spine3"]], T, here.start.fingers, here.start.head)
    return key if works(key, residual_m=0.02, strain_rad=0.25) else None
