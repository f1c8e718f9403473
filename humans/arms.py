"""Arms that hang, swing and carry: the arm part of idle, gait and postures, and the overlay that replaces it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from humans import _rig_kernels as kernels
from humans.kinematics import as_pose
from humans.model import FINGERS, JOINT, JOINT_NAMES, N_JOINTS, BodyModel
from humans.rotations import F64, matrix_from_rotvec, rotvec_from_matrix, slerp_rotvec

ARM_JOINTS: dict[str, tuple[int, ...]] = {
    side: tuple(
        JOINT[name] for name in JOINT_NAMES if name.startswith(f"{side}_") and name.split("_")[1].rstrip("123") in
        ("collar", "shoulder", "elbow", "wrist", *FINGERS)
    )
    for side in ("left", "right")
}  # fmt: skip
"""Collar, shoulder, elbow, wrist and finger joints by side."""

_ROWS = {side: np.array(rows) for side, rows in ARM_JOINTS.items()}
LIMB_ROWS = np.array(
    [[JOINT[f"{side}_{name}"] for name in ("hip", "knee", "ankle", "foot", "collar", "shoulder", "elbow", "wrist")]
     for side in ("left", "right")], np.int64
)  # fmt: skip
"""Joints (2, 8) of the left and right leg and arm, from the trunk outwards."""

_HANG_RAD = np.radians(72.0)
_COLLAR_RAD = np.radians(5.0)
ARM_ANGLES_RAD = np.array([_HANG_RAD, _COLLAR_RAD, np.radians(12.0), np.radians(-10.0)])
"""Of a hanging arm: shoulder down from the side, collar, turn of the upper arm, wrist."""
_RELAXED_DEG = (16.0, 24.0, 14.0)
_RELAXED_THUMB_DEG = (8.0, 8.0, 10.0)


@dataclass(frozen=True, eq=False)
class ArmOverlay:
    """Rotations that replace those of idle, gait or a posture for some joints, for example a carrying arm.

    rotvec_rad (52, 3): local rotations; weight (52,): 0 keeps the underlying motion, 1 takes the overlay, between blends along the short
    arc.
    """

    rotvec_rad: F64
    weight: F64

    def __post_init__(self) -> None:
        if self.rotvec_rad.shape != (N_JOINTS, 3) or self.weight.shape != (N_JOINTS,):
            raise ValueError(f"overlay shapes {self.rotvec_rad.shape}, {self.weight.shape}; need (52, 3) and (52,)")
        if not ((self.weight >= 0.0) & (self.weight <= 1.0)).all():
            raise ValueError(f"overlay weights run from {self.weight.min()} to {self.weight.max()}; they must lie in 0..1")

    @cached_property
    def _rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64], F64]:
        """Joints that are replaced, those that are blended, and the rotations (n, 3) of the former."""
        whole = np.flatnonzero(self.weight == 1.0)
        return whole, np.flatnonzero((self.weight > 0.0) & (self.weight < 1.0)), self.rotvec_rad[whole]

    def apply(self, pose_rad: F64) -> F64:
        """The poses (..., 156) with the overlay's joints put over them."""
        pose = pose_rad.reshape(-1, N_JOINTS, 3).copy()
        whole, part, rotvec = self._rows
        pose[:, whole] = rotvec
        if len(part):
            pose[:, part] = slerp_rotvec(pose[:, part], self.rotvec_rad[part], self.weight[part, None])
        return pose.reshape(pose_rad.shape)


def arm_overlay(pose_rad: ArrayLike, sides: Iterable[str] = ("right",), weight: float = 1.0) -> ArmOverlay:
    """The arms and hands of a pose as an overlay for the given sides ('left', 'right')."""
    weights = np.zeros(N_JOINTS)
    for side in sides:
        if side not in ARM_JOINTS:
            raise ValueError(f"side {side!r} is not one of left, right")
        weights[list(ARM_JOINTS[side])] = weight
    return ArmOverlay(as_pose(pose_rad).reshape(N_JOINTS, 3).copy(), weights)


@lru_cache(maxsize=8)
def relaxed_fingers(body: BodyModel) -> F64:
    """Local rotations (52, 3, 3) in which only the finger joints are bent, as in a hand at rest."""
    rotvec = np.zeros((N_JOINTS, 3))
    for s, side in enumerate(("left", "right")):
        for f, finger in enumerate(FINGERS):
            degrees = _RELAXED_THUMB_DEG if finger == "thumb" else _RELAXED_DEG
            more = {"index": 0.85, "middle": 1.0, "ring": 1.1, "pinky": 1.15, "thumb": 1.0}[finger]
            for k in range(3):
                rotvec[JOINT[f"{side}_{finger}{k + 1}"]] = body.flex_axes[s, 3 * f + k] * np.radians(degrees[k] * more)
    out = matrix_from_rotvec(rotvec)
    out.setflags(write=False)
    return out


def hang_arms(
    body: BodyModel,
    local: F64,
    swing_rad: tuple[float, float] = (0.0, 0.0),
    elbow_rad: tuple[float, float] = (0.31, 0.31),
    abduct_rad: float = 0.0,
) -> None:
    """Writes both arms (collar to fingers) into `local` (52, 3, 3): hanging beside the trunk, relaxed hands.

    swing_rad: forward swing of (left, right) about the shoulder; elbow_rad: elbow flexion of each; abduct_rad: away from the body.
    """
    fingers = relaxed_fingers(body)
    kernels.KERNELS.ready()
    for k, (side, sign) in enumerate((("left", 1.0), ("right", -1.0))):
        rows = _ROWS[side]
        local[rows] = fingers[rows]
        kernels.hang(local, LIMB_ROWS[k, 4:], sign, swing_rad[k], elbow_rad[k], abduct_rad, ARM_ANGLES_RAD)


def finish(local: F64, overlay: ArmOverlay | None) -> F64:
    """Local rotations (..., 52, 3, 3) -> poses (..., 156), with the overlay applied."""
    pose = rotvec_from_matrix(local).reshape(*local.shape[:-3], -1)
    return pose if overlay is None else overlay.apply(pose)
