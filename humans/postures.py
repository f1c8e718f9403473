"""Standing postures with both feet flat on the floor: idle, lean, squat and everything between (InteractiveWorld B.2.2, posture ladder).

All are one continuous function of pelvis drop, trunk pitch and pelvis shift; the feet stay where `stand` puts them, so blends between two
postures of the same stance keep them exactly planted (`blend_posture`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from humans import _posture_kernels as batch
from humans import _rig_kernels as kernels
from humans.arms import ARM_ANGLES_RAD, LIMB_ROWS, ArmOverlay, finish, relaxed_fingers
from humans.kinematics import as_pose, joint_transforms, pelvis_translation, root_matrix, transforms_from_matrices
from humans.legs import MAX_REACH, SIDES, foot, leg_length_m, planted_ankle, solve_leg
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.rotations import F64, matrix_from_rotvec, rotvec_from_matrix, slerp_rotvec, wrap_angle

HALF_WIDTH_M = 0.095
"""Half the distance between the ankles in the idle stance."""
ANKLE_BACK_M = 0.038
"""How far the ankles stand behind the pelvis: the centre of mass is then over the middle of the foot."""
IDLE_DROP_M = 0.006
"""How far the idle pelvis is below straight legs: the knees keep a slight bend."""
MAX_DROP_M = 0.46
DEEPER_M = 0.18
"""How much deeper the pelvis comes on the balls of the feet."""
MAX_HEEL_RAD = 0.75
KNEEL_HEEL_RAD = 1.05
"""Heels of someone who kneels: the toes stay on the floor, the soles stand nearly upright."""
KNEES_OUT_RAD = 0.56
"""How far the knees turn outwards with the heels at their highest: the trunk goes between them."""
DEEPEST = 1.43
"""The deepest squat, heels up, as a share of the deepest on flat feet."""
MAX_PITCH_RAD = 1.55
MAX_FORWARD_M = 0.065
"""How far the centre of mass may come forward of the middle of the foot: a little short of the balls of the feet."""
_PELVIS_SHARE = 0.55
_SHARES = np.array([_PELVIS_SHARE, 0.17, 0.15, 0.13])
TRUNK_ROWS = np.array([JOINT[name] for name in ("spine1", "spine2", "spine3", "neck", "head")], np.int64)
"""The spine bends by its shares of the pitch; neck and head give back part of the lean and keep the way in view."""
_MASS = (
    ("head", 0.08), ("spine3", 0.22), ("spine1", 0.16), ("pelvis", 0.14), ("left_elbow", 0.05), ("right_elbow", 0.05),
    ("left_knee", 0.11), ("right_knee", 0.11), ("left_ankle", 0.04), ("right_ankle", 0.04),
)  # fmt: skip
_MASS_ROWS, _MASS_SHARE = np.array([JOINT[name] for name, _ in _MASS]), np.array([share for _, share in _MASS])
"""Share of the body mass lumped at joints (rounded anthropometric tables), for balance only."""


@dataclass(frozen=True)
class Posture:
    """A stance: feet flat below (x_m, y_m), facing heading_rad.

    pelvis_drop_m below the idle pelvis height, trunk_pitch_rad forward of vertical, pelvis_back_m behind and pelvis_left_m left of the
    stance. arm_raise_rad swings the hanging arms forward on top of hanging vertically; trunk_yaw_rad turns the trunk to the left.
    heel_rad rolls both feet over their balls, heels up; knees_out_rad turns the knees outwards.
    """

    x_m: float
    y_m: float
    heading_rad: float
    pelvis_drop_m: float = 0.0
    trunk_pitch_rad: float = 0.0
    pelvis_back_m: float = 0.0
    pelvis_left_m: float = 0.0
    arm_raise_rad: float = 0.0
    trunk_yaw_rad: float = 0.0
    heel_rad: float = 0.0
    knees_out_rad: float = 0.0


_NAMES = tuple(field.name for field in fields(Posture))
_NUMBERS, _BLENDED = attrgetter(*_NAMES), _NAMES[3:]
"""All numbers of a posture, and the names of those that differ between postures of one stance."""


@lru_cache(maxsize=8)
def idle_pelvis_height_m(body: BodyModel) -> float:
    """Height of the pelvis joint above the floor in the idle stance."""
    rest = body.rest_joints_m
    hip = rest[JOINT["left_hip"]]
    across = HALF_WIDTH_M - hip[0]
    along = (hip[2] - rest[0, 2]) + ANKLE_BACK_M
    leg = MAX_REACH * leg_length_m(body)
    straight = foot(body, "left").height_m + float(np.sqrt(leg**2 - across**2 - along**2)) + float(rest[0, 1] - hip[1])
    return straight - IDLE_DROP_M


def flat_ankle_m(body: BodyModel, side: str, xy_m: ArrayLike, heading_rad: float, floor_z_m: float = 0.0) -> F64:
    """Ankle position (3,) of the idle stance's foot."""
    sign = 1.0 if side == "left" else -1.0
    c, s = np.cos(heading_rad), np.sin(heading_rad)
    x, y = (float(v) for v in np.asarray(xy_m, np.float64))
    dx, dy = -ANKLE_BACK_M, sign * HALF_WIDTH_M
    return np.array([x + c * dx - s * dy, y + s * dx + c * dy, floor_z_m + foot(body, side).height_m])


class _Fixed(NamedTuple):
    """What the kernel needs of a body (see `_rig_kernels.posture`)."""

    rest: F64
    fingers: F64
    heights: F64


@lru_cache(maxsize=8)
def _fixed(body: BodyModel) -> _Fixed:
    feet = [foot(body, side).height_m for side in SIDES]
    reach = MAX_REACH * leg_length_m(body)
    heights = [idle_pelvis_height_m(body), *feet, reach, HALF_WIDTH_M, ANKLE_BACK_M, MAX_DROP_M, MAX_REACH]
    return _Fixed(np.ascontiguousarray(body.rest_joints_m), np.ascontiguousarray(relaxed_fingers(body)), np.array(heights))


@lru_cache(maxsize=512)
def _raised_ankle(body: BodyModel, heel_rad: float) -> tuple[float, float]:
    """How far a foot that is rolled over its ball brings the ankle ahead and up, metres (both feet alike)."""
    if heel_rad == 0.0:
        return 0.0, 0.0
    flat = flat_ankle_m(body, "left", (0.0, 0.0), 0.0)
    raised = planted_ankle(body, "left", flat, 0.0, -heel_rad, 0.0)
    return float(raised[0] - flat[0]), float(raised[2] - flat[2])


def solve_posture(body: BodyModel, posture: Posture, overlay: ArmOverlay | None = None, floor_z_m: float = 0.0) -> tuple[F64, F64]:
    """Pose (156,) and translation (3,) of a posture. Raises ValueError when a parameter is out of range."""
    p = posture
    deepest = MAX_DROP_M + (DEEPER_M if p.heel_rad > 0.0 else 0.0)
    if not -1e-9 <= p.pelvis_drop_m <= deepest:
        raise ValueError(f"pelvis_drop_m {p.pelvis_drop_m:.3f} is outside 0..{deepest}")
    if not 0.0 <= p.heel_rad <= KNEEL_HEEL_RAD + 1e-9:
        raise ValueError(f"heel_rad {p.heel_rad:.3f} is outside 0..{KNEEL_HEEL_RAD}")
    if abs(p.trunk_pitch_rad) > MAX_PITCH_RAD:
        raise ValueError(f"trunk_pitch_rad {p.trunk_pitch_rad:.3f} is outside +-{MAX_PITCH_RAD}")
    kernels.KERNELS.ready()
    fixed = _fixed(body)
    trunk = (p.pelvis_drop_m, p.trunk_pitch_rad, p.pelvis_back_m, p.pelvis_left_m, p.arm_raise_rad, p.trunk_yaw_rad)
    numbers = np.array([p.x_m, p.y_m, p.heading_rad, *trunk, p.heel_rad, p.knees_out_rad, *_raised_ankle(body, p.heel_rad)])
    # the pelvis pitches about the hip joints: hips follow drop and shift, the pelvis joint follows from them
    local, pelvis = np.empty((N_JOINTS, 3, 3)), np.empty(3)
    kernels.posture(
        numbers, fixed.rest, fixed.fingers, LIMB_ROWS, fixed.heights, ARM_ANGLES_RAD, TRUNK_ROWS, _SHARES, float(floor_z_m), local, pelvis
    )
    return finish(local, overlay), pelvis_translation(body, pelvis)


def stand(
    body: BodyModel, xy_m: ArrayLike, heading_rad: float, overlay: ArmOverlay | None = None, floor_z_m: float = 0.0
) -> tuple[F64, F64]:
    """The canonical idle stance: pose (156,), translation (3,). Feet side by side below xy, arms hanging, slight knee bend."""
    x, y = (float(v) for v in np.asarray(xy_m, np.float64))
    return solve_posture(body, Posture(x, y, heading_rad), overlay, floor_z_m)


def lean_posture(
    body: BodyModel, xy_m: ArrayLike, heading_rad: float, lean_rad: float, squat: float = 0.0, forward_m: float = 0.0, heel_rad: float = 0.0
) -> Posture:
    """A balanced posture: trunk pitched by lean_rad (0..1.5), legs flexed by squat (0 upright .. 1 deep).

    Deep leans flex hips, knees and ankles as well; the pelvis moves back so that the centre of mass stays over the feet. Someone who
    reaches far lets it come forward, towards the balls of the feet: by forward_m from the middle of the foot, at most MAX_FORWARD_M.
    With the heels up by heel_rad the squat may be deeper (up to DEEPEST), the knees apart.
    """
    if not 0.0 <= squat <= (DEEPEST if heel_rad > 0.0 else 1.0):
        raise ValueError(f"squat {squat} is outside 0..{DEEPEST if heel_rad > 0.0 else 1.0}")
    if not 0.0 <= forward_m <= MAX_FORWARD_M:
        raise ValueError(f"forward_m {forward_m} is outside 0..{MAX_FORWARD_M}")
    x, y = (float(v) for v in np.asarray(xy_m, np.float64))
    most = MAX_DROP_M + (DEEPER_M if heel_rad > 0.0 else 0.0)
    drop = min(most, 0.42 * squat + 0.11 * (lean_rad / 1.5) ** 2 * max(0.0, 1.0 - squat))
    out = KNEES_OUT_RAD * heel_rad / MAX_HEEL_RAD
    posture = Posture(x, y, heading_rad, drop, lean_rad, heel_rad=heel_rad, knees_out_rad=out)
    forward = np.array([np.cos(heading_rad), np.sin(heading_rad)])
    back = 0.0
    for _ in range(5):
        posture = replace(posture, pelvis_back_m=back)
        back += float((centre_of_mass(body, posture)[:2] - (x, y)) @ forward) - _idle_balance(body) - forward_m
    return replace(posture, pelvis_back_m=back)


def centre_of_mass(body: BodyModel, posture: Posture) -> F64:
    """Where the mass of a posture, lumped at its joints, is in the middle: (3,), metres, world."""
    pose, translation = solve_posture(body, posture)
    at = joint_transforms(body, pose, translation)[:, :3, 3]
    total: F64 = _MASS_SHARE @ at[_MASS_ROWS]
    return total


@lru_cache(maxsize=8)
def _idle_balance(body: BodyModel) -> float:
    return float(centre_of_mass(body, Posture(0.0, 0.0, 0.0))[0])


def lean(
    body: BodyModel,
    xy_m: ArrayLike,
    heading_rad: float,
    lean_rad: float,
    squat: float = 0.0,
    overlay: ArmOverlay | None = None,
    floor_z_m: float = 0.0,
) -> tuple[F64, F64]:
    """`lean_posture`, solved: pose (156,), translation (3,)."""
    return solve_posture(body, lean_posture(body, xy_m, heading_rad, lean_rad, squat), overlay, floor_z_m)


def blend_posture(a: Posture, b: Posture, t: float) -> Posture:
    """The posture between two of the same stance (t 0..1); its feet stay planted exactly. Raises ValueError when the stances differ."""
    _check_stance(a, b)
    return Posture(a.x_m, a.y_m, a.heading_rad, *[(1.0 - t) * getattr(a, name) + t * getattr(b, name) for name in _BLENDED])


def blend_postures(postures: Sequence[Posture], index: NDArray[np.int64], share: F64) -> F64:
    """`blend_posture` of postures index and index + 1 at shares (n,): the numbers of each (n, 11), as `solve_postures` takes them."""
    for a, b in pairwise(postures):
        _check_stance(a, b)
    numbers = posture_numbers(postures)
    out = numbers[index]
    out[:, 3:] = (1.0 - share)[:, None] * numbers[index, 3:] + share[:, None] * numbers[index + 1, 3:]
    return out


def posture_numbers(postures: Sequence[Posture]) -> F64:
    """The numbers of postures (n, 11), in the order of the fields."""
    return np.array([_NUMBERS(posture) for posture in postures])


def _check_stance(a: Posture, b: Posture) -> None:
    same = a.heading_rad == b.heading_rad or abs(float(wrap_angle(a.heading_rad - b.heading_rad))) <= 1e-12
    if (a.x_m, a.y_m) != (b.x_m, b.y_m) or not same:
        raise ValueError(f"postures stand at {(a.x_m, a.y_m, a.heading_rad)} and {(b.x_m, b.y_m, b.heading_rad)}; walk between stances")


def solve_postures(body: BodyModel, numbers: F64, overlay: ArmOverlay | None = None) -> tuple[F64, F64]:
    """`solve_posture` of many on the floor: poses (n, 156) and translations (n, 3) of postures given as numbers (n, 11)."""
    drop, pitch, heel = numbers[:, 3], numbers[:, 4], numbers[:, 9]
    deepest = np.where(heel > 0.0, MAX_DROP_M + DEEPER_M, MAX_DROP_M)
    good = (drop >= -1e-9) & (drop <= deepest) & (heel >= 0.0) & (heel <= KNEEL_HEEL_RAD + 1e-9) & (np.abs(pitch) <= MAX_PITCH_RAD)
    if not good.all():
        solve_posture(body, Posture(*numbers[int(np.argmin(good))].tolist()))  # says what is out of range
    ankles = np.array([_raised_ankle(body, h) for h in heel.tolist()]) if heel.any() else np.zeros((len(heel), 2))
    batch.KERNELS.ready()
    fixed = _fixed(body)
    pose, pelvis = np.empty((len(numbers), N_JOINTS, 3)), np.empty((len(numbers), 3))
    given = np.concatenate([numbers, ankles], axis=1)
    batch.postures(given, fixed.rest, fixed.fingers, LIMB_ROWS, fixed.heights, ARM_ANGLES_RAD, TRUNK_ROWS, _SHARES, pose, pelvis)
    poses = pose.reshape(len(numbers), -1)
    if overlay is not None:
        poses = overlay.apply(poses)
    return poses, pelvis_translation(body, pelvis)


def blend(pose_a_rad: ArrayLike, pose_b_rad: ArrayLike, t: float) -> F64:
    """Joint-wise shortest-arc blend of two poses (156,); t=0 gives a, t=1 gives b. Translation is the caller's, linear."""
    a, b = as_pose(pose_a_rad).reshape(N_JOINTS, 3), as_pose(pose_b_rad).reshape(N_JOINTS, 3)
    return slerp_rotvec(a, b, t).reshape(-1)


def plant_feet(body: BodyModel, pose_rad: ArrayLike, translation_m: ArrayLike, stance: Posture, floor_z_m: float = 0.0) -> F64:
    """The pose with its legs solved again so that both feet stand flat in the stance of `stance`; the rest is unchanged."""
    pose = as_pose(pose_rad).reshape(N_JOINTS, 3).copy()
    local = matrix_from_rotvec(pose)
    pelvis = transforms_from_matrices(body, local, translation_m)[0, :3, 3]
    upright = root_matrix(stance.heading_rad)
    for side in SIDES:
        ankle = flat_ankle_m(body, side, (stance.x_m, stance.y_m), stance.heading_rad, floor_z_m)
        solve_leg(body, side, local, pelvis, ankle, upright, 0.0, upright[:, 0].copy())
    legs = [JOINT[f"{side}_{name}"] for side in SIDES for name in ("hip", "knee", "ankle", "foot")]
    pose[legs] = rotvec_from_matrix(local[legs])
    return pose.reshape(-1)
