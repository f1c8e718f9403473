"""Promises that every planned command keeps: one small function each, used by all tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from actions.frames import WRIST, trunk_transforms
from actions.motions import Plan, Segment
from actions.screening import screen
from actions.world import ActionWorld
from assistcore.house.state import HouseState
from assistcore.world.outcomes import Refusal
from assistcore.world.poses import Pose, inverse
from humans.model import N_JOINTS
from humans.rotations import matrix_from_rotvec, rotvec_from_matrix

FPS = 12.0


def planned(plan: Plan | Refusal) -> Plan:
    """The plan, failing with the refusal's text."""
    assert isinstance(plan, Plan), plan
    return plan


def play(world: ActionWorld, segments: Sequence[Segment]) -> ActionWorld:
    """A fork advanced to the end, every segment screened on the way."""
    out = world.fork()
    for segment in segments:
        violation = screen(out, segment)
        assert violation is None, f"{segment.phase}: {violation}"
        out.advance(segment)
    return out


def speeds(world: ActionWorld, segments: Sequence[Segment]) -> tuple[float, float]:
    """Largest hand (m/s) and joint speed (rad/s), across segment boundaries and from the pose before the first."""
    body = world.state.body
    pose = np.concatenate([body.pose_rad[None], *(s.pose_rad for s in segments)])
    translation = np.concatenate([body.translation_m[None], *(s.translation_m for s in segments)])
    T = trunk_transforms(world.body, pose, translation)
    hands = max(float(np.linalg.norm(np.diff(T[:, WRIST[side], :3, 3], axis=0), axis=1).max()) for side in ("left", "right"))  # type: ignore[index]
    rows = matrix_from_rotvec(pose.reshape(-1, N_JOINTS, 3))
    turn = rotvec_from_matrix(np.swapaxes(rows[:-1], -1, -2) @ rows[1:])
    return hands * FPS, float(np.linalg.norm(turn, axis=2).max()) * FPS


def held_steadily(world: ActionWorld, segments: Sequence[Segment]) -> float:
    """Largest drift (m) of the held thing in the wrist over all frames in which it is held."""
    drift = 0.0
    scratch = world.fork()
    for segment in segments:
        held = scratch.state.held
        if held is not None and held.entity in segment.carried:
            T = trunk_transforms(world.body, segment.pose_rad, segment.translation_m)[:, WRIST[held.hand]]
            for wrist, row in zip(T, segment.carried[held.entity], strict=True):
                found = inverse(wrist) @ Pose.from_array(row).matrix()
                drift = max(drift, float(np.abs(found - held.wrist_object.matrix()).max()))
        scratch.advance(segment)
    return drift


def same_state(a: HouseState, b: HouseState) -> bool:
    """Whether two states are the same values."""
    return (
        a.poses == b.poses
        and a.joints == b.joints
        and a.held == b.held
        and a.attributes == b.attributes
        and np.array_equal(a.body.pose_rad, b.body.pose_rad)
    )
