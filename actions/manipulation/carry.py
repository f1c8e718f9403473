"""The carry posture: forearm ahead at waist to chest height, the object as it was grasped, low in the view (no artificial snap)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.ik import arm_chain
from actions.manipulation.keys import Key, key_at
from actions.manipulation.posture import rung
from actions.manipulation.reach import Standing
from assistcore.world.poses import transform_points
from humans.model import N_JOINTS
from humans.postures import stand
from humans.rotations import rotation_z

F64 = NDArray[np.float64]

PLACES = (
    (0.43, 0.15, 1.20), (0.47, 0.12, 1.24), (0.40, 0.15, 1.13), (0.36, 0.18, 1.18), (0.47, 0.13, 1.34), (0.34, 0.22, 1.05),
    (0.30, 0.26, 1.00), (0.28, 0.33, 0.95),
)  # fmt: skip
"""Where the object's centre is carried: ahead, to the hand's own side, up, in the stance frame; in view and low first."""
PLACE_COST, ELBOW_COST = 0.5, 5.0
"""For each place further down the list, and for each metre that the elbow is raised above EASY_ELBOW_M."""
EASY_ELBOW_M = 1.12
"""Height of the elbow of an arm that carries at ease."""
BOTH_PLACES = (
    (0.29, 0.0, 1.15), (0.33, 0.0, 1.19), (0.26, 0.0, 1.11), (0.22, 0.0, 1.08), (0.29, 0.0, 1.26), (0.20, 0.0, 1.02), (0.20, 0.0, 0.96),
    (0.24, 0.0, 0.90),
)  # fmt: skip
"""The same for what both hands hold: ahead of its near side, before the middle of the body."""
TURNS_DEG = (0.0, 20.0, -20.0, 40.0, -40.0, 65.0, -65.0, 90.0, -90.0)


SLENDER = 6.0


def _slender(size_m: F64) -> bool:
    """Whether a thing is a rod: much longer than it is wide and deep."""
    a, b, c = np.sort(size_m)
    return bool(c > SLENDER * b and c > SLENDER * a)


def _elbow_m(here: Standing, trunk: F64, key: Key) -> float:
    """Height of the elbow of a key above the floor that the person stands on."""
    bones = arm_chain(here.figure.body, here.figure.side).bones_m
    elbow = bones[0] + key.local[0] @ (bones[1] + key.local[1] @ bones[2])
    return float((trunk[:3, :3] @ elbow + trunk[:3, 3])[2] - here.T_stance[2, 3])


def carry_keys(here: Standing, key: str) -> list[Key]:
    """Carry postures that the arm can take, best first. The object keeps its tilt from the grasp; only its yaw may differ."""
    held = here.world.state.held
    if held is None:
        raise ValueError(f"{key} is not held")
    body = here.figure.body
    low, high = here.world.stage.entity(key).box_m
    centre = transform_points(held.wrist_object.matrix(), 0.5 * (low + high)[None])[0]
    pose, _ = stand(body, (here.home.x_m, here.home.y_m), here.home.heading_rad)
    head = pose.reshape(N_JOINTS, 3)[[12, 15]]
    trunk = here.T_stance @ rung(body, 0.0, 0.0).trunk
    s = 1.0 if here.figure.side == "left" else -1.0
    size = float(np.linalg.norm(high - low)) * 0.5
    slender = _slender(high - low)
    found: list[tuple[float, int, Key]] = []
    pair = here.figure.link is not None
    for i, (ahead, out, up) in enumerate(BOTH_PLACES if pair else PLACES):
        for turn in TURNS_DEG:
            T = np.eye(4)
            T[:3, :3] = rotation_z(np.radians(turn)) @ here.start.T_wrist[:3, :3]
            if slender:  # a rod is as deep as it reaches ahead in this turn, not as long as it is
                reach = 0.5 * np.abs(here.T_stance[:3, :3].T @ T[:3, :3] @ held.wrist_object.matrix()[:3, :3]) @ (high - low)
                size = float(np.hypot(reach[0], 0.05))
            point = here.world_point(ahead + max(0.0, size - 0.08), out * s, up - max(0.0, 0.5 * (size - 0.1)))
            if pair:
                reach = 0.5 * np.abs(here.T_stance[:3, :3].T @ T[:3, :3] @ held.wrist_object.matrix()[:3, :3]) @ (high - low)
                point = here.world_point(ahead + float(reach[0]), 0.0, up)
            T[:3, 3] = point - T[:3, :3] @ centre
            candidate = key_at(here.figure, here.home, trunk, T, here.start.fingers, head)
            if candidate.residual_m > 0.001 or candidate.strain_rad > 0.15:
                continue
            raised = max(0.0, _elbow_m(here, trunk, candidate) - EASY_ELBOW_M)
            cost = candidate.effort + 8.0 * candidate.strain_rad + PLACE_COST * i + ELBOW_COST * raised + 0.008 * abs(turn)
            found.append((cost, len(found), candidate))
    found.sort(key=lambda row: row[:2])
    return [candidate for _, _, candidate in found]
