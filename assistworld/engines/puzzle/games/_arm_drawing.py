"""The table, the robot and its gripper from two cameras side by side. The arm follows the gripper by inverse kinematics of two links."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from assistcore.world import poses
from assistworld.engines.puzzle.games._arm_scene import CUBE_HALF, FLOOR_M, N_HAND, Physics, Vec3
from assistworld.engines.puzzle.games._raster import F64, Lens, Plate, exposed
from assistworld.engines.puzzle.games._solids import Rgb, Solid, ball, box, cylinder, rod, together
from assistworld.engines.puzzle.puzzle import Picture

SIDE_PX = 480
TARGET_RADIUS_M = 0.03
_SHOULDER: Vec3 = (-0.60, 0.0, 0.36)
_LINK_M = 0.50
_WRIST_ABOVE_TIP_M = 0.19

TABLE_RGB: Rgb = (0.80, 0.74, 0.64)
_FLOOR_RGB: Rgb = (0.55, 0.58, 0.60)
_SHELL: Rgb = (0.92, 0.93, 0.95)
_JOINT: Rgb = (0.95, 0.62, 0.20)
_DARK: Rgb = (0.25, 0.26, 0.30)
_PAD: Rgb = (0.44, 0.46, 0.50)
CUBE_RGB: Rgb = (0.16, 0.46, 0.80)
TARGET_RGB: Rgb = (0.93, 0.16, 0.14)
_SHADOW_RGB: Rgb = (0.52, 0.47, 0.40)


def pictured(physics: Physics, target: Vec3) -> Picture:
    """Both views of a state; a new picture, shape (480, 960, 3)."""
    solid = _moving(physics, target)
    return np.concatenate([exposed(_setting(number), lens, solid).picture for number, lens in enumerate(lenses())], 1)


@lru_cache(maxsize=1)
def lenses() -> tuple[Lens, Lens]:
    """From the right in front of the robot, and from its left."""
    right = Lens.look_at((0.98, -0.78, 0.66), (-0.04, -0.01, 0.16), hfov_rad=0.72, height=SIDE_PX, width=SIDE_PX)
    left = Lens.look_at((0.14, 1.22, 0.70), (-0.01, 0.0, 0.16), hfov_rad=0.72, height=SIDE_PX, width=SIDE_PX)
    return right, left


@lru_cache(maxsize=2)
def _setting(number: int) -> Plate:
    """What never moves, seen through one of the lenses."""
    lens = lenses()[number]
    legs = [box((0.05, 0.05, 0.62), _PAD, (x, y, -0.36)) for x in (-0.30, 0.30) for y in (-0.38, 0.38)]
    parts = [
        box((5.0, 5.0, 0.02), _FLOOR_RGB, (0, 0, FLOOR_M - 0.01)),
        box((0.68, 0.84, 0.05), TABLE_RGB, (0, 0, -0.025)),
        *legs,
        cylinder(0.24, 0.22, _SHELL, (-0.66, 0, FLOOR_M + 0.11), sides=40),
        box((0.22, 0.30, 0.85), _SHELL, (-0.68, 0, -0.08)),
        box((0.14, 0.22, 0.10), _DARK, (-0.66, 0, 0.52)),
        rod((-0.62, -0.14, 0.36), (-0.62, 0.14, 0.36), 0.09, _JOINT, sides=28),
    ]
    return exposed(Plate.blank(lens, (214, 222, 231), (170, 176, 182)), lens, together(parts))


def _moving(physics: Physics, target: Vec3) -> Solid:
    tip = np.array(physics.tip_m)
    left, right = physics.fingers_m
    gripper = [
        box((0.06, 0.13, 0.05), _SHELL, tip + (0, 0, 0.085)),
        box((0.028, 0.014, 0.08), _PAD, tip + (0, left + 0.0075, 0.02)),
        box((0.028, 0.014, 0.08), _PAD, tip + (0, -right - 0.0075, 0.02)),
    ]
    things = [*gripper]
    if len(physics.qpos) > N_HAND:
        turned = poses.matrix_from_quat_wxyz(np.array(physics.cube_quat_wxyz))
        things.append(box((2 * CUBE_HALF,) * 3, CUBE_RGB).placed(turned, physics.cube_m))
    mark = ball(TARGET_RADIUS_M, TARGET_RGB, target, sides=16)
    shadows = [_shadow(thing, 0.0008 + 0.0002 * n) for n, thing in enumerate((*things, mark))]
    return together([*shadows, mark, *things, *_arm(tip + (0, 0, _WRIST_ABOVE_TIP_M))])


def _shadow(thing: Solid, height_m: float) -> Solid:
    """What a light straight above leaves of it on the table, where it is above the table."""
    points = thing.points * (1, 1, 0) + (0, 0, height_m)
    up = np.cross(points[thing.faces[:, 1]] - points[thing.faces[:, 0]], points[thing.faces[:, 2]] - points[thing.faces[:, 0]])[:, 2] > 0
    inside = (np.abs(points[thing.faces, 0]) < 0.34).all(1) & (np.abs(points[thing.faces, 1]) < 0.42).all(1)
    return Solid.of(points, thing.faces[up & inside], _SHADOW_RGB)


def _arm(wrist: F64) -> list[Solid]:
    elbow = _elbow(np.array(_SHOULDER), wrist)
    return [
        rod(wrist - (0, 0, 0.085), wrist, 0.03, _PAD),
        ball(0.042, _JOINT, wrist, sides=16),
        rod(elbow, wrist, 0.045, _SHELL, end_radius=0.032),
        ball(0.06, _JOINT, elbow, sides=16),
        rod(_SHOULDER, elbow, 0.06, _SHELL, end_radius=0.046),
    ]


def _elbow(shoulder: F64, wrist: F64) -> F64:
    """Where two equal links meet above the line from shoulder to wrist; on it where that is too long."""
    along = wrist - shoulder
    length = float(np.linalg.norm(along))
    up = np.array((0.0, 0.0, 1.0)) - along * (along[2] / length**2)
    lift = math.sqrt(max(0.0, _LINK_M**2 - (length / 2) ** 2))
    return np.asarray(shoulder + along / 2 + up / np.linalg.norm(up) * lift)
