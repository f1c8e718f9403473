"""Turning what is held over by half a turn without letting go (seed Table 5, flip)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from actions.motions import Segment
from actions.postures.handling import moved_hand
from actions.screening import Violation
from actions.world import ActionWorld
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import inverse, transform_points
from humans.rotations import matrix_from_rotvec

F64 = NDArray[np.float64]

ANGLES = 12
AHEAD_M, LEFT_M, UP_M = (0.0, 0.08, -0.08, -0.16), (0.0, 0.10, -0.10, 0.2), (0.0, -0.10, 0.08, -0.2)
"""By how much the middle of the thing may move, person's frame; outwards positive to the hand's own side."""


def turned_over(world: ActionWorld, key: str) -> Segment | Refusal:
    """The held thing turned by 180 degrees about some level axis through its middle. Changes nothing."""
    held = world.state.held
    if held is None:
        return Refusal(Code.HAND_EMPTY, "nothing is in the hand", f"take {key} first")
    root = world.state.root(world.stage, key)
    low, high = world.stage.entity(key).box_m
    middle = 0.5 * (low + high)
    centre = transform_points(root, middle[None])[0]
    heading = world.state.body.heading_rad
    c, s = float(np.cos(heading)), float(np.sin(heading))
    side = 1.0 if held.hand == "left" else -1.0
    wrists, costs = [], []
    for k in range(ANGLES):
        angle = np.pi * k / ANGLES
        R = matrix_from_rotvec(np.pi * np.array([np.cos(angle), np.sin(angle), 0.0])) @ root[:3, :3]
        for ahead in AHEAD_M:
            for out in LEFT_M:
                for up in UP_M:
                    left = side * out
                    T = np.eye(4)
                    T[:3, :3] = R
                    T[:3, 3] = centre + np.array([c * ahead - s * left, s * ahead + c * left, up]) - R @ middle
                    wrists.append(T @ inverse(held.wrist_object.matrix()))
                    costs.append(4.0 * (abs(ahead) + abs(out) + abs(up)))
    found = moved_hand(world, held.hand, wrists, costs, "turn_over")
    if isinstance(found, Segment):
        return found
    if isinstance(found, Violation):
        return Refusal(Code.TRAJECTORY_COLLISION, f"turning {key} over: {found}", "step away first")
    return Refusal(Code.OUT_OF_REACH, f"{key} is held so that the arm cannot turn it over", "put it down and take it again")
