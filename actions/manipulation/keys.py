"""Keyframes of a reach: a posture of the stance, one active arm with its fingers, and where the head looks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from actions.manipulation.ik import Arm, arm_chain, arm_joints, best_arm, close_arm, descend_collar, write_arm
from assistcore.house.state import Hand
from humans.arms import ArmOverlay
from humans.camera import gaze
from humans.kinematics import joint_transforms
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.postures import Posture, solve_posture
from humans.rotations import matrix_from_rotvec, rotation_z

F64 = NDArray[np.float64]

FINGER_ROWS: dict[str, slice] = {"left": slice(22, 37), "right": slice(37, 52)}
HEAD_JOINTS = [JOINT["neck"], JOINT["head"]]
TRUNK, CHEST = JOINT["spine3"], JOINT["spine3"]


@dataclass(frozen=True, eq=False)
class Key:
    """One keyframe. T_wrist (4, 4) world; collar (3, 3) and local (4, 3, 3) rotations of the active arm; fingers (15, 3); head (2, 3).

    `local` is exact: a motion passes through it even where it was not made by this IK (a hanging arm, an arm that carries).
    """

    posture: Posture
    T_wrist: F64
    swivel_rad: float
    local: F64
    fingers: F64
    head: F64
    residual_m: float = 0.0
    strain_rad: float = 0.0
    effort: float = 0.0
    second: Key | None = None
    """The other arm, where both move."""


@dataclass(frozen=True, eq=False)
class Figure:
    """Who moves: the body, which arm is active, and an overlay for the other arm where that one carries something.

    `pair`: the other arm moves too (the `second` of every key). `link` (4, 4): where both hands hold one thing, the other wrist in the
    frame of the active one, which it then follows rigidly, with the fingers (15, 3) `second_fingers`.
    """

    body: BodyModel
    side: Hand
    other: ArmOverlay | None = None
    pair: bool = False
    link: F64 | None = None
    second_fingers: F64 | None = None

    @property
    def opposite(self) -> Figure:
        """The other arm as the active one."""
        return Figure(self.body, "left" if self.side == "right" else "right")

    @property
    def wrist(self) -> int:
        """Joint index of the active wrist."""
        return JOINT[f"{self.side}_wrist"]


@lru_cache(maxsize=2)
def local_collar(side: Hand) -> F64:
    """The collar of a hanging arm, where the descent starts (3, 3); read-only."""
    out = rotation_z(-(1.0 if side == "left" else -1.0) * np.radians(5.0))
    out.flags.writeable = False
    return out


def wrist_in_trunk(trunk: F64, T_wrist: F64) -> tuple[F64, F64]:
    """Position (3,) and rotation (3, 3) of a world wrist frame in the trunk frame."""
    R = trunk[:3, :3].T
    return R @ (T_wrist[:3, 3] - trunk[:3, 3]), R @ T_wrist[:3, :3]


def arm_at(figure: Figure, trunk: F64, T_wrist: F64, swivel_rad: float | None = None) -> tuple[Arm, float]:
    """The active arm's solution for a world wrist frame under a trunk transform, and its swivel."""
    chain = arm_chain(figure.body, figure.side)
    target, R = wrist_in_trunk(trunk, T_wrist)
    collar = descend_collar(chain, target[None], local_collar(figure.side))[0][0]
    if swivel_rad is None:
        return best_arm(chain, collar, target, R)
    return close_arm(chain, collar, target, R, np.array([swivel_rad])), swivel_rad


def look_from(figure: Figure, posture: Posture, look_m: ArrayLike | None) -> F64:
    """Neck and head rotations (2, 3) that look at a world point from a posture, or the posture's own without one."""
    pose, translation = solve_posture(figure.body, posture, figure.other)
    if look_m is not None:
        pose, _ = gaze(figure.body, pose, translation, look_m)
    return pose.reshape(N_JOINTS, 3)[HEAD_JOINTS]


def key_at(figure: Figure, posture: Posture, trunk: F64, T_wrist: F64, fingers: F64, head: F64, swivel_rad: float | None = None) -> Key:
    """The key whose hand is at a world wrist frame; residual and strain say how well it (and a linked hand) is reached."""
    arm, swivel = arm_at(figure, trunk, T_wrist, swivel_rad)
    key = Key(
        posture, T_wrist, swivel, arm.local[0], fingers, head, float(arm.residual_m[0]), float(arm.strain_rad[0]), float(arm.effort[0])
    )
    if figure.link is None or figure.second_fingers is None:
        return key
    return both(key, key_at(figure.opposite, posture, trunk, T_wrist @ figure.link, figure.second_fingers, head))


def both(key: Key, second: Key) -> Key:
    """One key of two arms: as far off and as strained as the worse one."""
    residual, strain = max(key.residual_m, second.residual_m), max(key.strain_rad, second.strain_rad)
    return replace(key, second=second, residual_m=residual, strain_rad=strain, effort=key.effort + second.effort)


def swivel_of(figure: Figure, transforms: F64) -> float:
    """The swivel of an arm as it is, for joint transforms (52, 4, 4)."""
    side = figure.side
    sign = 1.0 if side == "left" else -1.0
    R = transforms[TRUNK, :3, :3].T
    shoulder, elbow, wrist = (R @ transforms[JOINT[f"{side}_{name}"], :3, 3] for name in ("shoulder", "elbow", "wrist"))
    n = (wrist - shoulder) / np.linalg.norm(wrist - shoulder)
    across = elbow - shoulder - ((elbow - shoulder) @ n) * n
    u = np.array([sign, 0.0, 0.0]) - sign * n[0] * n
    v = -sign * np.cross(n, u)
    return float(np.arctan2(across @ v, across @ u))


def key_of_pose(figure: Figure, posture: Posture, pose_rad: F64, translation_m: F64) -> Key:
    """The key of a pose that stands in `posture`: what a motion starts from or ends in."""
    transforms = joint_transforms(figure.body, pose_rad, translation_m)
    rows = pose_rad.reshape(N_JOINTS, 3)
    return Key(
        posture,
        transforms[figure.wrist],
        swivel_of(figure, transforms),
        matrix_from_rotvec(rows[arm_joints(figure.side)]),
        rows[FINGER_ROWS[figure.side]].copy(),
        rows[HEAD_JOINTS].copy(),
        second=key_of_pose(figure.opposite, posture, pose_rad, translation_m) if figure.pair else None,
    )


def pose_of_key(figure: Figure, key: Key) -> tuple[F64, F64]:
    """Pose (156,) and translation (3,) of one key."""
    pose, translation = solve_posture(figure.body, key.posture, figure.other)
    dressed = dress(figure, pose, key.local, key.fingers, key.head)
    if key.second is not None:
        dressed = dress(figure.opposite, dressed, key.second.local, key.second.fingers, key.head)
    return dressed, translation


def wrist_of_key(figure: Figure, key: Key) -> F64:
    """Where the active wrist of one key is (4, 4), world: its `T_wrist` but for the residual."""
    return np.asarray(joint_transforms(figure.body, *pose_of_key(figure, key))[figure.wrist])


def dress(figure: Figure, pose_rad: F64, local: F64, fingers: F64, head: F64) -> F64:
    """A posture's pose with the active arm, its fingers and the head put in."""
    rows = write_arm(pose_rad, figure.side, local).reshape(N_JOINTS, 3)
    rows[FINGER_ROWS[figure.side]] = fingers
    rows[HEAD_JOINTS] = head
    return rows.reshape(-1)
