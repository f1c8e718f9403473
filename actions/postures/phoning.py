"""A held phone at the ear (seed Table 5, answer_phone)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from actions.motions import Effect, Segment, SetAttribute
from actions.postures.handling import moved_hand
from actions.screening import Violation
from actions.world import ActionWorld
from assistcore.house.state import Hand
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import inverse, transform_points
from humans.kinematics import joint_transforms
from humans.model import JOINT, BodyModel
from humans.rotations import rotation_x, rotation_y

F64 = NDArray[np.float64]

GAPS_M = (0.035, 0.045, 0.06, 0.08)
"""How far outside the ear the middle of the phone is held."""
TILTS_RAD = np.radians(np.array([0.0, 20.0, -20.0, 40.0, -40.0, 65.0]))
TURNS_RAD = np.radians(np.array([0.0, 15.0, -15.0, 30.0, -30.0]))
TO_MOUTH = np.array([0.0, -0.80, 0.60])
"""From the ear towards the mouth in the head's frame (x left, y up, z ahead)."""
BELOW_M = 0.045
AT_EAR_M = 0.14


@lru_cache(maxsize=16)
def ear_m(body: BodyModel, side: Hand) -> F64:
    """An ear (3,) in the head joint's frame: where the skin of the head reaches farthest to that side."""
    head = JOINT["head"]
    skin = body.template_m[body.dominant_joint() == head] - body.rest_joints_m[head]
    out = skin[:, 0] * (1.0 if side == "left" else -1.0)
    point: F64 = skin[out > np.percentile(out, 99.0)].mean(axis=0)
    return point


def to_ear(world: ActionWorld, key: str) -> Segment | Refusal:
    """The held phone goes to the ear of its own side and stays there; its ringing stops as it arrives. Changes nothing."""
    held = world.state.held
    if held is None:
        return Refusal(Code.HAND_EMPTY, "nothing is in the hand", f"take {key} first")
    wrists, costs = _candidates(world, key, held.hand)
    ringing = world.state.attributes.get(key, {}).get("ringing") is True
    effects: list[tuple[int, Effect]] = [(0, SetAttribute(key, "ringing", False))] if ringing else []
    found = moved_hand(world, held.hand, wrists, costs, "to_ear", effects)
    if isinstance(found, Segment):
        return found
    if isinstance(found, Violation):
        return Refusal(Code.TRAJECTORY_COLLISION, f"bringing {key} to the ear: {found}", "step away first")
    return Refusal(Code.OUT_OF_REACH, f"{key} is held so that it cannot be brought to the ear", "put it down and take it again")


def at_ear(world: ActionWorld, key: str) -> bool:
    """Whether the held thing is at the ear of its side already."""
    held = world.state.held
    if held is None or held.entity != key:
        return False
    body = world.state.body
    head = joint_transforms(world.body, body.pose_rad, body.translation_m)[JOINT["head"]]
    ear = head[:3, :3] @ ear_m(world.body, held.hand) + head[:3, 3]
    low, high = world.stage.entity(key).box_m
    centre = transform_points(world.state.root(world.stage, key), 0.5 * (low + high)[None])[0]
    return float(np.linalg.norm(centre - ear)) < AT_EAR_M


def _candidates(world: ActionWorld, key: str, side: Hand) -> tuple[list[F64], list[float]]:
    """Wrist frames with the phone's flat side to the ear and its length towards the mouth."""
    held = world.state.held
    if held is None:
        return [], []
    body = world.state.body
    head = joint_transforms(world.body, body.pose_rad, body.translation_m)[JOINT["head"]]
    sign = 1.0 if side == "left" else -1.0
    low, high = world.stage.entity(key).box_m
    order = np.argsort(high - low)
    flat, long = int(order[0]), int(order[2])
    mouth = TO_MOUTH / np.linalg.norm(TO_MOUTH)
    wrists, costs = [], []
    for gap in GAPS_M:
        for tilt in TILTS_RAD:
            for turn in TURNS_RAD:
                R = rotation_x(float(tilt)) @ rotation_y(float(turn) * sign)
                down, out = R @ mouth, R @ np.array([sign, 0.0, 0.0])
                out = out - (out @ down) * down
                out /= np.linalg.norm(out)
                centre = ear_m(world.body, side) + np.array([sign * gap, 0.0, 0.0]) + BELOW_M * down
                for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                    axes = np.zeros((3, 3))
                    axes[:, long], axes[:, flat] = a * down, b * out
                    rest = 3 - long - flat
                    axes[:, rest] = np.cross(axes[:, (rest + 1) % 3], axes[:, (rest + 2) % 3])
                    T = np.eye(4)
                    T[:3, :3] = head[:3, :3] @ axes
                    T[:3, 3] = head[:3, :3] @ centre + head[:3, 3] - T[:3, :3] @ (0.5 * (low + high))
                    wrists.append(T @ inverse(held.wrist_object.matrix()))
                    costs.append(20.0 * (gap - GAPS_M[0]) + 0.6 * abs(float(tilt)) + 0.8 * abs(float(turn)))
    return wrists, costs
