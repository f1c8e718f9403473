"""Compiled loops of `gait` and `footsteps`: trunk and arms, feet and legs of the frames of a walk. Scalars in a fixed order, no fast-math.

A hold is a row (8,): x, y, yaw, land, lift and bow of `footsteps.Hold`, then the shares of heel strike and toe-off.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels
from humans import _rig_kernels as rig

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Mask = NDArray[np.bool_]

KERNELS = Kernels(globals(), needs=(rig.KERNELS,))
RAD = pi / 180.0
HEEL_STRIKE, TOE_OFF, PITCH_UP, PITCH_DOWN, ALONG, CLEARANCE = range(6)
"""Rows of the curves of a `GaitShape`."""


@KERNELS.add
def wrapped(angle: float) -> float:
    """`rotations.wrap_angle`."""
    return (angle + pi) % (2.0 * pi) - pi


@KERNELS.add
def curve(points: F64, at: float) -> float:
    """Monotone cubic with flat ends outside; points (3, k): places, values, slopes; the last point may be repeated."""
    last = points.shape[1] - 1
    if at <= points[0, 0]:
        return float(points[1, 0])
    if at >= points[0, last]:
        return float(points[1, last])
    i = 0
    while points[0, i + 1] <= at:
        i += 1
    h = points[0, i + 1] - points[0, i]
    t = (at - points[0, i]) / h
    value = (2 * t**3 - 3 * t**2 + 1) * points[1, i] + (t**3 - 2 * t**2 + t) * h * points[2, i]
    return float(value + (-2 * t**3 + 3 * t**2) * points[1, i + 1] + (t**3 - t**2) * h * points[2, i + 1])


@KERNELS.add
def ankle_height(grid: F64, lift: F64, pitch: float) -> float:
    """`legs.Foot.ankle_height`; grid (g,) in equal steps, lift (g,)."""
    last = grid.shape[0] - 1
    if pitch <= grid[0]:
        return float(lift[0])
    if pitch >= grid[last]:
        return float(lift[last])
    i = min(last - 1, int((pitch - grid[0]) / (grid[1] - grid[0])))
    return float((lift[i + 1] - lift[i]) / (grid[i + 1] - grid[i]) * (pitch - grid[i]) + lift[i])


@KERNELS.add
def stance_pitch(curves: F64, hold: F64, phase: float) -> float:
    """Pitch (toes up) of a foot that stands."""
    return float(RAD * (hold[6] * curve(curves[HEEL_STRIKE], phase - hold[3]) - hold[7] * curve(curves[TOE_OFF], hold[4] - phase)))


@KERNELS.add
def planted(pivots: F64, hold: F64, pitch: float, height: float, ankle: F64) -> None:
    """`legs.planted_ankle`; pivots (2, 3): heel and ball; height: of the ankle, world."""
    pivot = pivots[0] if pitch > 0.0 else pivots[1]
    ahead = pivot[2] + sin(pitch) * pivot[1] - cos(pitch) * pivot[2]
    ankle[0], ankle[1], ankle[2] = hold[0] + cos(hold[2]) * ahead, hold[1] + sin(hold[2]) * ahead, height


@KERNELS.add
def foot(
    phase: float, left: float, holds: F64, curves: F64, pivots: F64, grid: F64, lift: F64, floor: float, step_lift: float, flat_lift: bool,
    ankle: F64,
) -> tuple[float, float, bool]:  # fmt: skip
    """Ankle (3,) of a foot at a phase; returns yaw, pitch, and whether it stands. left: 1, or -1 for the right foot; holds (h, 8)."""
    n = 0
    while n + 1 < holds.shape[0] and holds[n + 1, 3] <= phase:
        n += 1
    old = holds[n]
    if phase <= old[4]:
        pitch = stance_pitch(curves, old, phase)
        planted(pivots, old, pitch, floor + ankle_height(grid, lift, pitch), ankle)
        return float(old[2]), pitch, True
    new = holds[n + 1]
    u = (phase - old[4]) / (new[3] - old[4])
    toe, heel = old[7], new[6]
    pitch = RAD * (heel * curve(curves[PITCH_UP], u) - toe * curve(curves[PITCH_DOWN], u))
    start, end = np.empty(3), np.empty(3)
    planted(pivots, old, stance_pitch(curves, old, old[4]), 0.0, start)
    planted(pivots, new, stance_pitch(curves, new, new[3]), 0.0, end)
    big = max(toe, heel)
    ease = u * u * (3.0 - 2.0 * u)
    # a foot that lifts flat leaves its place slowly, however long the step, so that it is up before it moves
    quick = toe + ease * (heel - toe) if flat_lift else big
    along = quick * curve(curves[ALONG], u) + (1.0 - quick) * ease
    middle = old[2] + ease * wrapped(new[2] - old[2])
    hump = sin(pi * u)
    bow = new[5] * hump * left
    ankle[0] = start[0] + along * (end[0] - start[0]) - bow * sin(middle)
    ankle[1] = start[1] + along * (end[1] - start[1]) + bow * cos(middle)
    raised = curve(curves[CLEARANCE], u) + (1.0 - big) * step_lift * hump**2
    ankle[2] = floor + ankle_height(grid, lift, pitch) + raised
    return float(middle), float(pitch), False


@KERNELS.add
def legs(
    phase: F64, heading: F64, holds: F64, curves: F64, pivots: F64, grid: F64, lift: F64, numbers: F64, flat_lift: bool, rest: F64,
    rows: I64, local: F64, pelvis: F64, stands: Mask, pitch: F64,
) -> None:  # fmt: skip
    """Feet and legs of n frames. holds (2, h, 8), pivots (2, 2, 3), lift (2, g): of left and right; numbers: floor, step lift, leg reach,
    reach share, width of the smooth minimum; rows (2, >= 4): hip, knee, ankle, toe. local (n, 52, 3, 3) has the root rotation already;
    pelvis (n, 3) is lowered to what the legs reach; stands (n, 2) and pitch (n, 2) are written."""
    floor, step_lift, reach, share, width = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    ankles, yaws, hinge, hip = np.empty((2, 3)), np.empty(2), np.zeros(3), np.empty(3)
    upright, tilt, sole = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    for n in range(phase.shape[0]):
        for s in range(2):
            yaws[s], pitch[n, s], stands[n, s] = foot(
                phase[n], 1.0 - 2.0 * s, holds[s], curves, pivots[s], grid, lift[s], floor, step_lift, flat_lift, ankles[s]
            )
            for i in range(3):
                hip[i] = 0.0
                for k in range(3):
                    hip[i] += local[n, 0, i, k] * (rest[rows[s, 0], k] - rest[0, k])
            x, y = pelvis[n, 0] + hip[0] - ankles[s, 0], pelvis[n, 1] + hip[1] - ankles[s, 1]
            highest = ankles[s, 2] + sqrt(max(0.04, reach * reach - (x * x + y * y))) - hip[2]
            overlap = max(width - abs(pelvis[n, 2] - highest), 0.0)
            pelvis[n, 2] = min(pelvis[n, 2], highest) - overlap * overlap / (4.0 * width)
        for s in range(2):
            knee_yaw = heading[n] + 0.65 * wrapped(yaws[s] - heading[n])
            hinge[0], hinge[1] = -sin(knee_yaw), cos(knee_yaw)
            rig.upright_root(yaws[s], upright)
            rig.turn_x(-pitch[n, s], tilt)
            rig.mul(upright, tilt, sole)
            rig.leg(rest, rows[s, :4], share, local[n], pelvis[n], ankles[s], sole, max(0.0, -pitch[n, s]), hinge)


@KERNELS.add
def trunk(
    phase: F64, heading: F64, size: F64, look: F64, first: float, arm_angles: F64, spine: I64, rows: I64, local: F64, sway: F64,
) -> None:  # fmt: skip
    """Root, trunk, head and arms of n frames of the built-in walk, and the share (n,) of the pelvis' sway to the left. size, look (n,):
    stride amplitude and turn of the head; first: 1 when the left foot swings first, else -1; spine (5,): spine1..3, neck, head;
    rows (2, 8): as of `arms.LIMB_ROWS`."""
    a, b, c = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    for n in range(phase.shape[0]):
        big = abs(size[n])
        w = pi * phase[n] + (0.0 if first > 0.0 else pi)
        yaw, tilt = 4.0 * RAD * size[n] * cos(w), -3.5 * RAD * big * sin(w)
        sway[n] = -sin(w)
        rig.upright_root(heading[n], a)
        rig.turn_y(yaw, b)
        rig.mul(a, b, c)
        rig.turn_z(tilt, a)
        rig.mul(c, a, b)
        rig.turn_x(2.5 * RAD * size[n], a)
        rig.mul(b, a, local[n, 0])
        for k in range(3):
            share = 0.45 if k == 0 else 0.5
            rig.turn_y(-1.5 * share * yaw, a)
            rig.turn_z(-0.7 * share * tilt, b)
            rig.mul(a, b, c)
            rig.turn_x(0.6 * RAD * size[n], a)
            rig.mul(c, a, local[n, spine[k]])
        for k in range(3, 5):
            rig.turn_y((0.45 if k == 3 else 0.55) * (look[n] + 0.55 * yaw), a)
            rig.turn_x(-2.0 * RAD * size[n], b)
            rig.mul(a, b, local[n, spine[k]])
        swing, bend = 15.5 * RAD * size[n] * cos(w - 0.25), 6.0 * RAD * big * cos(w - 0.5)
        for s in range(2):
            left = 1.0 - 2.0 * s
            shoulder, elbow = -2.0 * RAD * big + left * swing, 0.31 + 6.0 * RAD * big + left * bend
            rig.hang(local[n], rows[s, 4:], left, shoulder, elbow, 0.0, arm_angles)


@KERNELS.add
def bow(feet: F64, left: float, ball: float, lengths: F64) -> float:
    """`footsteps.bow_m`; feet (3, 3): x, y, yaw of the swinging foot before and after, and of the other; lengths (2,): what ankle and
    ball keep from the standing foot."""
    old, new, other = feet[0], feet[1], feet[2]
    worst = 0.0
    for k in range(1, 16):
        u = k / 16.0
        yaw = old[2] + u * (new[2] - old[2])
        c, s = cos(yaw), sin(yaw)
        x, y = (1.0 - u) * old[0] + u * new[0], (1.0 - u) * old[1] + u * new[1]
        for own in range(2):
            for its in range(2):
                dx = x + own * ball * c - other[0] - its * ball * cos(other[2])
                dy = y + own * ball * s - other[1] - its * ball * sin(other[2])
                aside = left * (dy * c - dx * s)
                beside = dx * dx + dy * dy - aside**2
                if beside < lengths[own] ** 2:
                    worst = max(worst, (sqrt(lengths[own] ** 2 - beside) - aside) / sin(pi * u))
    return worst
