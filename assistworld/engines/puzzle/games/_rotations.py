"""Rotations as players give them: yaw, pitch and roll about the fixed axes of the picture, in this order. Quaternions are (w, x, y, z).

The picture's frame: x right, y up, z towards the viewer. Yaw about y brings the front to the right, pitch about x brings the top to the
viewer, roll about z turns anticlockwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assistcore.world import poses

F64: TypeAlias = NDArray[np.float64]
Orientation: TypeAlias = tuple[float, float, float, float]
"""A unit quaternion, wxyz."""
Turn: TypeAlias = tuple[float, float, float]
"""Yaw, pitch, roll in degrees."""

_AXES = ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))


def about(axis: Sequence[float], degrees: float) -> F64:
    """Quaternion, shape (4,), of a rotation about a unit axis, shape (3,)."""
    half = math.radians(degrees) / 2
    return np.array((math.cos(half), *(math.sin(half) * part for part in axis)))


def quat_of(turn: Turn) -> F64:
    """Quaternion of yaw, then pitch, then roll."""
    yaw, pitch, roll = (about(axis, degrees) for axis, degrees in zip(_AXES, turn, strict=True))
    return poses.quat_multiply_wxyz(roll, poses.quat_multiply_wxyz(pitch, yaw))


def turn_of(quat_wxyz: F64) -> Turn:
    """Yaw, pitch, roll of a rotation; pitch from -90 to 90. At a pitch of 90 degrees all the rest is yaw."""
    R = poses.matrix_from_quat_wxyz(quat_wxyz)
    pitch = math.asin(min(1.0, max(-1.0, R[2, 1])))
    if abs(R[2, 1]) > 1 - 1e-9:
        return (math.degrees(math.atan2(R[0, 2], R[0, 0])), math.degrees(pitch), 0.0)
    yaw, roll = math.atan2(-R[2, 0], R[2, 2]), math.atan2(-R[0, 1], R[1, 1])
    return (math.degrees(yaw), math.degrees(pitch), math.degrees(roll))


def after(turn: Turn, quat_wxyz: Orientation) -> Orientation:
    """The orientation after a turn about the picture's axes."""
    product = poses.quat_multiply_wxyz(quat_of(turn), np.array(quat_wxyz))
    return plain(product / np.linalg.norm(product))


def plain(quat_wxyz: F64) -> Orientation:
    """Plain numbers."""
    w, x, y, z = quat_wxyz.tolist()
    return (w, x, y, z)


def between(current: Orientation, target: Orientation) -> F64:
    """The rotation, as a quaternion with w >= 0, after which `current` is `target`."""
    found = poses.quat_multiply_wxyz(np.array(target), np.array(current) * (1, -1, -1, -1))
    return found if found[0] >= 0 else -found


def angle_deg(quat_wxyz: F64) -> float:
    """The angle of a rotation, 0 to 180 degrees: the geodesic distance between the orientations it joins."""
    return math.degrees(2 * math.atan2(float(np.linalg.norm(quat_wxyz[1:])), abs(float(quat_wxyz[0]))))


def random_quat(rng: np.random.Generator) -> F64:
    """A uniform orientation."""
    drawn = rng.standard_normal(4)
    return np.asarray(drawn / np.linalg.norm(drawn))


def share_of(quat_wxyz: F64, share: float) -> F64:
    """The part of a rotation about its own axis, the shorter way."""
    shorter = quat_wxyz if quat_wxyz[0] >= 0 else -quat_wxyz
    length = float(np.linalg.norm(shorter[1:]))
    return about(tuple((shorter[1:] / length).tolist()), angle_deg(shorter) * share) if length > 1e-12 else shorter


def shares(count: int, rng: np.random.Generator, even: bool) -> list[float]:
    """`count` parts of a whole, equal or at random, none below a third of an equal one."""
    drawn = np.ones(count) if even else rng.uniform(0.5, 1.5, count)
    return [float(part) for part in drawn / drawn.sum()]


def full_turn(axis: int) -> Iterator[Turn]:
    """Four quarter turns about yaw (0), pitch (1) or roll (2), which end where they began and show the solid from all sides."""
    yaw, pitch, roll = (90.0 if n == axis else 0.0 for n in range(3))
    return iter([(yaw, pitch, roll)] * 4)
