"""Compiled loops of `ik`: the collar's descent and the closed-form arm, one row after another. Fixed order, no fast-math.

A target's rotation is given per row; matrices are written into the last argument, which must not be one of the others.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels
from humans import _rig_kernels as rig

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

KERNELS = Kernels(globals(), needs=(rig.KERNELS,))


@KERNELS.add
def _apply(a: F64, v: F64, out: F64) -> None:
    for i in range(3):
        out[i] = a[i, 0] * v[0] + a[i, 1] * v[1] + a[i, 2] * v[2]


@KERNELS.add
def _size(v: F64) -> float:
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@KERNELS.add
def _cross(a: F64, b: F64, out: F64) -> None:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@KERNELS.add
def _turn(x: float, y: float, z: float, out: F64) -> None:
    """Rodrigues for one axis-angle vector."""
    angle = sqrt(x * x + y * y + z * z)
    if angle < 1e-6:
        s, c = 1.0 - angle * angle / 6.0, 0.5 - angle * angle / 24.0
    else:
        s, c = sin(angle) / angle, (1.0 - cos(angle)) / (angle * angle)
    out[0, 0] = 1.0 - c * (y * y + z * z)
    out[1, 1] = 1.0 - c * (x * x + z * z)
    out[2, 2] = 1.0 - c * (x * x + y * y)
    out[0, 1], out[1, 0] = c * x * y - s * z, c * x * y + s * z
    out[0, 2], out[2, 0] = c * x * z + s * y, c * x * z - s * y
    out[1, 2], out[2, 1] = c * y * z - s * x, c * y * z + s * x


@KERNELS.add
def _rotvec(m: F64, out: F64) -> None:
    """The axis-angle vector of a matrix, angle in [0, pi] (Shepperd's method)."""
    l0, l1 = 1.0 + m[0, 0] + m[1, 1] + m[2, 2], 1.0 + m[0, 0] - m[1, 1] - m[2, 2]
    l2, l3 = 1.0 - m[0, 0] + m[1, 1] - m[2, 2], 1.0 - m[0, 0] - m[1, 1] + m[2, 2]
    a, b, c = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    d, e, f = m[1, 0] + m[0, 1], m[0, 2] + m[2, 0], m[2, 1] + m[1, 2]
    if l0 >= l1 and l0 >= l2 and l0 >= l3:
        w, x, y, z = l0, a, b, c
    elif l1 >= l2 and l1 >= l3:
        w, x, y, z = a, l1, d, e
    elif l2 >= l3:
        w, x, y, z = b, d, l2, f
    else:
        w, x, y, z = c, e, f, l3
    size = sqrt(w * w + x * x + y * y + z * z)
    if w < 0.0:
        size = -size
    w, x, y, z = w / size, x / size, y / size, z / size
    half = sqrt(x * x + y * y + z * z)
    scale = 2.0 if half < 1e-9 else 2.0 * atan2(half, w) / half
    out[0], out[1], out[2] = x * scale, y * scale, z * scale


@KERNELS.add
def _frame(first: F64, second: F64, out: F64) -> None:
    """Columns: `first`, the part of `second` across it, and their cross product."""
    size = max(_size(first), 1e-12)
    for i in range(3):
        out[i, 0] = first[i] / size
    along = second[0] * out[0, 0] + second[1] * out[1, 0] + second[2] * out[2, 0]
    for i in range(3):
        out[i, 1] = second[i] - along * out[i, 0]
    size = max(sqrt(out[0, 1] ** 2 + out[1, 1] ** 2 + out[2, 1] ** 2), 1e-12)
    for i in range(3):
        out[i, 1] /= size
    out[0, 2] = out[1, 0] * out[2, 1] - out[2, 0] * out[1, 1]
    out[1, 2] = out[2, 0] * out[0, 1] - out[0, 0] * out[2, 1]
    out[2, 2] = out[0, 0] * out[1, 1] - out[1, 0] * out[0, 1]


@KERNELS.add
def _same(a: F64, b: F64) -> bool:
    """Whether two arrays (3,) or (3, 3) hold the same numbers."""
    for i in range(a.size):
        if a.flat[i] != b.flat[i]:
            return False
    return True


@KERNELS.add
def _across(n: F64, sign: float, u: F64, v: F64) -> None:
    """Two unit directions across the unit line n from shoulder to wrist, the first to the side: the elbow is in their plane."""
    for i in range(3):
        u[i] = (sign if i == 0 else 0.0) - n[0] * sign * n[i]
    if _size(u) < 1e-4:
        for i in range(3):
            u[i] = (-1.0 if i == 1 else 0.0) + n[1] * n[i]
    size = max(_size(u), 1e-12)
    for i in range(3):
        u[i] /= size
    _cross(n, u, v)


@KERNELS.add
def descend(bones: F64, span: F64, most: float, comfort: float, limit: int, target: F64, collar: F64, residual: F64, steps: I64) -> None:
    """`ik.descend_collar`, in place on collar (n, 3, 3); most: how far the collar turns; span: least and greatest reach."""
    arm, line, axis, moved = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    turn, turned = np.empty((3, 3)), np.empty((3, 3))
    for n in range(target.shape[0]):
        previous = np.inf
        for _ in range(limit):
            steps[n] += 1
            _apply(collar[n], bones[1], arm)
            for i in range(3):
                line[i] = target[n, i] - bones[0, i] - arm[i]
            distance = _size(line)
            residual[n] = max(max(distance - span[1], span[0] - distance), 0.0)
            excess = max(0.0, distance - comfort * span[1])
            _cross(arm, line, axis)
            size = _size(axis)
            if not (excess > 0.0 and previous - excess >= 1e-5 and size > 1e-9 and most > 0.0):
                break
            previous = excess
            lever = max(size / distance, 1e-3)
            angle = min(atan2(size, arm[0] * line[0] + arm[1] * line[1] + arm[2] * line[2]), 1.5 * excess / lever)
            _turn(axis[0] / size * angle, axis[1] / size * angle, axis[2] / size * angle, turn)
            rig.mul(turn, collar[n], turned)
            _rotvec(turned, moved)
            share = min(1.0, most / max(_size(moved), 1e-9))
            _turn(moved[0] * share, moved[1] * share, moved[2] * share, collar[n])


@KERNELS.add
def _wrap(angle: float) -> float:
    return (angle + pi) % (2.0 * pi) - pi


@KERNELS.add
def _twist(R: F64, bone: F64) -> float:
    """Turn about an axis (swing-twist), in [-pi, pi)."""
    trace = max(1.0 + R[0, 0] + R[1, 1] + R[2, 2], 0.0)
    along = (R[2, 1] - R[1, 2]) * bone[0] + (R[0, 2] - R[2, 0]) * bone[1] + (R[1, 0] - R[0, 1]) * bone[2]
    return _wrap(2.0 * atan2(along, trace))


@KERNELS.add
def close(
    bones: F64, sign: float, span: F64, limits: F64, easy: float, collar: F64, target: F64, R_target: F64, aim: int, hand_twist: F64,
    hand_bend: F64, swivel: F64, local: F64, figures: F64, bend: F64,
) -> None:  # fmt: skip
    """`ik.close_arm`. limits: twist, flex, deviation, back, across; aim: 0 the hand continues the forearm, 1 twist and bend of `hand_*`,
    2 R_target. Writes local (n, 4, 3, 3), figures (n, 4): residual, strain, effort, twist, and bend (n, 3)."""
    shoulder, line, axis, q, d1 = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    hinge, fore, rest, bone = np.empty(3), np.empty(3), np.zeros(3), np.empty(3)
    a, b, R_upper, R_lower = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    R_hand, R_fore = np.empty((3, 3)), np.empty((3, 3))
    rest_upper, rest_lower = np.empty((3, 3)), np.empty((3, 3))
    rest[1] = -sign
    _frame(bones[2], rest, rest_upper)
    _frame(bones[3], rest, rest_lower)
    upper, lower = _size(bones[2]), _size(bones[3])
    for i in range(3):
        bone[i] = bones[3, i] / max(lower, 1e-12)
    side, other = np.empty(3), np.empty(3)
    distance, reach, cos_a, across = 0.0, 0.0, 0.0, 0.0
    for n in range(swivel.shape[0]):
        if n == 0 or not _same(target[n], target[n - 1]) or not _same(collar[n], collar[n - 1]):  # else: only another swivel
            _apply(collar[n], bones[1], shoulder)
            for i in range(3):
                line[i] = target[n, i] - bones[0, i] - shoulder[i]
            distance = _size(line)
            for i in range(3):
                axis[i] = line[i] / max(distance, 1e-12)
            reach = min(max(distance, max(span[0], 1e-6)), span[1])
            cos_a = min(1.0, max(-1.0, (upper * upper + reach * reach - lower * lower) / (2.0 * upper * reach)))
            across = sqrt(1.0 - cos_a * cos_a)
            _across(axis, sign, side, other)
        c, s = cos(swivel[n]), sin(swivel[n])
        for i in range(3):
            q[i] = c * side[i] - sign * s * other[i]
        for i in range(3):
            d1[i] = cos_a * axis[i] + across * q[i]
        _cross(q, axis, hinge)
        _frame(d1, hinge, a)
        rig.mul_bt(a, rest_upper, R_upper)
        for i in range(3):
            fore[i] = reach * axis[i] - upper * d1[i]
        _frame(fore, hinge, a)
        rig.mul_bt(a, rest_lower, R_lower)
        if aim == 2:
            R_hand[:] = R_target[n]
        elif aim == 1:
            t = hand_twist[n]
            _turn(bone[0] * t, bone[1] * t, bone[2] * t, a)
            rig.mul(R_lower, a, b)
            _turn(hand_bend[n, 0], hand_bend[n, 1], hand_bend[n, 2], a)
            rig.mul(b, a, R_hand)
        else:
            R_hand[:] = R_lower
        rig.mul_at(R_lower, R_hand, a)
        twist = _twist(a, bone)
        _turn(bone[0] * 0.5 * twist, bone[1] * 0.5 * twist, bone[2] * 0.5 * twist, a)
        rig.mul(R_lower, a, R_fore)
        _turn(bone[0] * twist, bone[1] * twist, bone[2] * twist, a)
        rig.mul(R_lower, a, b)
        rig.mul_at(b, R_hand, a)
        _rotvec(a, bend[n])
        use0, use1, use2 = twist / limits[0], bend[n, 2] / limits[1], bend[n, 1] / limits[2]
        over = max(max(0.0, abs(use0) - 1.0) * limits[0], max(0.0, abs(use1) - 1.0) * limits[1])
        over = max(over, max(0.0, abs(use2) - 1.0) * limits[2])
        behind = max(0.0, limits[3] - d1[2]) + max(0.0, limits[4] - sign * d1[0])
        figures[n, 0] = max(max(distance - span[1], span[0] - distance), 0.0)
        figures[n, 1] = over + behind
        figures[n, 2] = use0**4 + use1**4 + use2**4 + 1.5 * (swivel[n] - easy) ** 2 + 20.0 * max(0.0, d1[1] - 0.1) ** 2
        figures[n, 3] = twist
        local[n, 0] = collar[n]
        rig.mul_at(collar[n], R_upper, local[n, 1])
        rig.mul_at(R_upper, R_fore, local[n, 2])
        rig.mul_at(R_fore, R_hand, local[n, 3])


@KERNELS.add
def _within(point: F64, a: F64, b: F64, radius: float, thick: float, least: float) -> bool:
    """Whether a sphere comes nearer than `least` to a capsule."""
    along, size = 0.0, 0.0
    for i in range(3):
        along += (point[i] - a[i]) * (b[i] - a[i])
        size += (b[i] - a[i]) ** 2
    t = min(1.0, max(0.0, along / max(size, 1e-12)))
    gap = 0.0
    for i in range(3):
        gap += (point[i] - a[i] - t * (b[i] - a[i])) ** 2
    return sqrt(gap) - radius - thick < least


@KERNELS.add
def meets_body(bones: F64, local: F64, wrist: F64, a: F64, b: F64, radius: F64, least: float, out: NDArray[np.bool_]) -> None:
    """Whether arms (n, 4, 3, 3) with wrists (n, 3), trunk frame, come nearer than `least` to capsules; samples along the arm. The upper
    arm may touch the first capsule, the spine."""
    shoulder, elbow, bone, turn, point = np.empty(3), np.empty(3), np.empty(3), np.empty((3, 3)), np.empty(3)
    middle, reach = np.empty((len(radius), 3)), np.empty(len(radius))  # spheres round the capsules, a little widened
    for c in range(len(radius)):
        size = 0.0
        for i in range(3):
            middle[c, i] = 0.5 * (a[c, i] + b[c, i])
            size += (b[c, i] - a[c, i]) ** 2
        reach[c] = 0.5 * sqrt(size) + radius[c] + least + 1e-9
    for n in range(local.shape[0]):
        _apply(local[n, 0], bones[1], shoulder)
        rig.mul(local[n, 0], local[n, 1], turn)
        _apply(turn, bones[2], bone)
        for i in range(3):
            shoulder[i] += bones[0, i]
            elbow[i] = shoulder[i] + bone[i]
        for k in range(6):
            thick = 0.056 if k < 2 else 0.042
            for i in range(3):
                if k < 2:
                    point[i] = shoulder[i] + (0.6 if k == 0 else 0.85) * bone[i]
                else:
                    point[i] = elbow[i] + (0.1 + 0.3 * (k - 2)) * (wrist[n, i] - elbow[i])
            for c in range(1 if k < 2 else 0, a.shape[0]):
                dx, dy, dz = point[0] - middle[c, 0], point[1] - middle[c, 1], point[2] - middle[c, 2]
                if dx * dx + dy * dy + dz * dz < (reach[c] + thick) ** 2 and _within(point, a[c], b[c], radius[c], thick, least):
                    out[n] = True
                    break
            if out[n]:
                break
