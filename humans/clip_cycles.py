"""Finds the walking cycles of a motion clip: a stretch of steady straight walking, its period, and when each foot lands and lifts.

The period comes from autocorrelation of the knees. A foot stands while its heel or its ball moves at less than half the speed of the root;
that needs no floor height and no threshold in metres. Within a cycle the phase runs with the distance that the root has walked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from humans.kinematics import joint_transforms
from humans.legs import SIDES, foot
from humans.model import JOINT, BodyModel
from humans.motion_files import Motion, MotionFileError, gait_period_s
from humans.rotations import F64

LEAST_RATE_HZ = 20.0
WALK_M_S = 0.4
"""Slower than this a root does not walk."""
BEND_RAD_S = 0.6
"""A course that turns faster than this is no straight walk."""
ASKEW_RAD = np.radians(40.0)
"""A body that faces farther off its way walks sideways or backwards."""
SPAN_S = 0.35
"""Half the time over which the root's velocity is taken: longer than a step sways."""
LEAST_CYCLES = 1.6
PERIOD_SLACK = 0.25
"""A cycle whose time differs from the period by more than this share is left out."""
SHORTEST_STANCE_S, SHORTEST_SWING_S = 0.2, 0.12


class Cycle1(NamedTuple):
    """One cycle: times in seconds at which the left foot lands, the right lifts, lands, and the left lifts, lands, and the right lifts."""

    left_lands: float
    right_lifts: float
    right_lands: float
    left_lifts: float
    left_lands_again: float
    right_lifts_again: float


@dataclass(frozen=True, eq=False)
class Walked:
    """A stretch of walking: times (n,) in seconds, joint transforms (n, 52, 4, 4), course of the root (n,) in radians, its cycles, its
    period in seconds, its speed in m/s, and the pose (n, 156)."""

    time_s: F64
    transforms: F64
    course_rad: F64
    cycles: tuple[Cycle1, ...]
    period_s: float
    speed_m_s: float
    pose_rad: F64


def walked(motion: Motion, body: BodyModel, name: str) -> Walked:
    """The longest stretch of steady walking in a clip. Raises MotionFileError that says what the clip lacks."""
    rate = motion.rate_hz
    if rate < LEAST_RATE_HZ:
        raise MotionFileError(f"{name}: {rate:g} frames a second are too few to see a foot land; a gait needs {LEAST_RATE_HZ:g} or more")
    if motion.duration_s < 1.0:
        raise MotionFileError(f"{name}: the clip lasts {motion.duration_s:.2f} s; two steps take about one second, give a longer one")
    velocity = _velocity(motion, body)
    first, last = _stretch(motion, velocity, name)
    part = Motion(motion.pose_rad[first:last], motion.translation_m[first:last], rate, motion.layout, motion.warnings)
    period = gait_period_s(part)
    if period is None:
        raise MotionFileError(
            f"{name}: the {part.duration_s:.1f} s of walking from {first / rate:.1f} s on have no clear period between 0.6 and 2.2 s; "
            "need at least two like strides"
        )
    if part.duration_s < LEAST_CYCLES * period:
        need = f"{LEAST_CYCLES:g} strides of {period:.2f} s"
        raise MotionFileError(f"{name}: walks {part.duration_s:.2f} s straight on, which is too short; need {need}")
    transforms = np.array([joint_transforms(body, p, t) for p, t in zip(part.pose_rad, part.translation_m, strict=True)])
    moving = velocity[first:last]
    speed = np.linalg.norm(moving, axis=1)
    stands = {side: _stances(_creeping(body, side, transforms, speed, rate), rate) for side in SIDES}
    cycles = _cycles(stands, period)
    if not cycles:
        raise MotionFileError(f"{name}: {_no_cycle(stands)}")
    course = np.unwrap(np.arctan2(moving[:, 1], moving[:, 0]))
    time = np.arange(len(transforms)) / rate
    return Walked(time, transforms, np.asarray(course), cycles, period, float(np.median(speed)), part.pose_rad)


def _velocity(motion: Motion, body: BodyModel) -> F64:
    """Horizontal velocity (n, 2) of the root, m/s, over about a step and a half."""
    place = motion.translation_m[:, :2] + body.rest_joints_m[0, :2]
    n, half = len(place), max(1, round(SPAN_S * motion.rate_hz))
    low, high = np.maximum(np.arange(n) - half, 0), np.minimum(np.arange(n) + half, n - 1)
    return np.asarray((place[high] - place[low]) / ((high - low) / motion.rate_hz)[:, None])


def _stretch(motion: Motion, velocity: F64, name: str) -> tuple[int, int]:
    """First and past-the-last frame of the longest straight walk forward."""
    rate = motion.rate_hz
    speed = np.linalg.norm(velocity, axis=1)
    going = speed > WALK_M_S
    if not going.any():
        raise MotionFileError(f"{name}: nobody walks in this clip: the root moves at {speed.max():.2f} m/s at most, need {WALK_M_S} m/s")
    course = np.unwrap(np.arctan2(velocity[:, 1], velocity[:, 0]))
    half = max(1, round(SPAN_S * rate))
    n = len(course)
    low, high = np.maximum(np.arange(n) - half, 0), np.minimum(np.arange(n) + half, n - 1)
    straight = np.abs(course[high] - course[low]) * rate / (high - low) < BEND_RAD_S
    ahead = _facing(motion)
    off = np.arccos(np.clip(np.cos(np.arctan2(ahead[:, 1], ahead[:, 0]) - course), -1.0, 1.0))
    if float(np.median(off[going])) > ASKEW_RAD:
        how = f"{np.degrees(np.median(off[going])):.0f} degrees off its way"
        raise MotionFileError(f"{name}: the body faces {how}; a gait is a walk forward")
    runs = _runs(going & straight & (off < ASKEW_RAD))
    if not runs:
        raise MotionFileError(f"{name}: no stretch is walked straight ahead: the course turns by more than {BEND_RAD_S} rad/s throughout")
    return max(runs, key=lambda run: (run[1] - run[0], -run[0]))


def _facing(motion: Motion) -> F64:
    """Where the pelvis faces, (n, 2): the model's forward axis over the ground."""
    from humans.rotations import matrix_from_rotvec

    return np.asarray(matrix_from_rotvec(motion.pose_rad[:, :3])[:, :2, 2])


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Half-open ranges of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _creeping(body: BodyModel, side: str, transforms: F64, speed: F64, rate: float) -> F64:
    """Speed of the slower one of heel and ball as a share of the root's, less one half: negative while the foot stands (n,)."""
    shape = foot(body, side)
    ankle = transforms[:, JOINT[f"{side}_ankle"]]
    reach = max(1, round(0.012 * rate))
    found = []
    for point in (shape.heel_m, shape.ball_m):
        place = ankle[:, :3, :3] @ point + ankle[:, :3, 3]
        n = len(place)
        low, high = np.maximum(np.arange(n) - reach, 0), np.minimum(np.arange(n) + reach, n - 1)
        found.append(np.linalg.norm(place[high, :2] - place[low, :2], axis=1) * rate / (high - low))
    return np.asarray(np.minimum(*found) / np.maximum(speed, WALK_M_S) - 0.5)


def _stances(creeping: F64, rate: float) -> list[tuple[float, float]]:
    """Times at which a foot lands and lifts, seconds, between frames. A stance that is open at an end has that end infinite."""
    still = creeping < 0.0
    for a, b in _runs(~still):
        if b - a < SHORTEST_SWING_S * rate and a > 0 and b < len(still):
            still[a:b] = True
    out = []
    for a, b in _runs(still):
        if b - a < SHORTEST_STANCE_S * rate:
            continue
        land = -np.inf if a == 0 else (a - 1 + creeping[a - 1] / (creeping[a - 1] - creeping[a])) / rate
        lift = np.inf if b == len(still) else (b - 1 + creeping[b - 1] / (creeping[b - 1] - creeping[b])) / rate
        out.append((float(land), float(lift)))
    return out


def _cycles(stands: dict[str, list[tuple[float, float]]], period: float) -> tuple[Cycle1, ...]:
    """The cycles in which both feet land and lift in the order of a walk."""
    out = []
    for (lands, lifts), (again, _) in zip(stands["left"], stands["left"][1:], strict=False):
        before = [s for s in stands["right"] if lands < s[1] < lifts]
        after = [s for s in stands["right"] if lands < s[0] < lifts]
        if not (np.isfinite([lands, lifts, again]).all() and len(before) == len(after) == 1 and np.isfinite(after[0][1])):
            continue
        one = Cycle1(lands, before[0][1], after[0][0], lifts, again, after[0][1])
        if list(one) == sorted(one) and abs(again - lands - period) < PERIOD_SLACK * period:
            out.append(one)
    return tuple(out)


def _no_cycle(stands: dict[str, list[tuple[float, float]]]) -> str:
    counts = ", ".join(f"{side} {len(found)}" for side, found in stands.items())
    return (
        f"no whole stride is found in which each foot lands before the other lifts (stances seen: {counts}); "
        "a run has none, and feet that slide cannot be told from feet that step"
    )
