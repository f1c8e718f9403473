"""Compiled loops of rotations, kinematics, legs, postures and gaze. Scalars in a fixed order, no fast-math.

Matrices are written into the last argument, which must not be one of the others. Callers go through the module after `KERNELS.ready()`.
"""

from __future__ import annotations

from math import acos, atan2, cos, hypot, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

KERNELS = Kernels(globals())


@KERNELS.add
def mul(a: F64, b: F64, out: F64) -> None:
    """a @ b, each (3, 3)."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]


@KERNELS.add
def mul_at(a: F64, b: F64, out: F64) -> None:
    """a.T @ b, each (3, 3)."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[0, i] * b[0, j] + a[1, i] * b[1, j] + a[2, i] * b[2, j]


@KERNELS.add
def mul_bt(a: F64, b: F64, out: F64) -> None:
    """a @ b.T, each (3, 3)."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[i, 0] * b[j, 0] + a[i, 1] * b[j, 1] + a[i, 2] * b[j, 2]


@KERNELS.add
def turn_x(angle: float, out: F64) -> None:
    """Rotation about x."""
    c, s = cos(angle), sin(angle)
    out[0, 0], out[0, 1], out[0, 2] = 1.0, 0.0, 0.0
    out[1, 0], out[1, 1], out[1, 2] = 0.0, c, -s
    out[2, 0], out[2, 1], out[2, 2] = 0.0, s, c


@KERNELS.add
def turn_y(angle: float, out: F64) -> None:
    """Rotation about y."""
    c, s = cos(angle), sin(angle)
    out[0, 0], out[0, 1], out[0, 2] = c, 0.0, s
    out[1, 0], out[1, 1], out[1, 2] = 0.0, 1.0, 0.0
    out[2, 0], out[2, 1], out[2, 2] = -s, 0.0, c


@KERNELS.add
def turn_z(angle: float, out: F64) -> None:
    """Rotation about z."""
    c, s = cos(angle), sin(angle)
    out[0, 0], out[0, 1], out[0, 2] = c, -s, 0.0
    out[1, 0], out[1, 1], out[1, 2] = s, c, 0.0
    out[2, 0], out[2, 1], out[2, 2] = 0.0, 0.0, 1.0


@KERNELS.add
def matrices(rotvec: F64, out: F64) -> None:
    """Rodrigues: (n, 3) -> (n, 3, 3)."""
    for n in range(rotvec.shape[0]):
        x, y, z = rotvec[n, 0], rotvec[n, 1], rotvec[n, 2]
        angle = sqrt(x * x + y * y + z * z)
        if angle < 1e-6:
            s, c = 1.0 - angle * angle / 6.0, 0.5 - angle * angle / 24.0
        else:
            s, c = sin(angle) / angle, (1.0 - cos(angle)) / (angle * angle)
        out[n, 0, 0] = 1.0 - c * (y * y + z * z)
        out[n, 1, 1] = 1.0 - c * (x * x + z * z)
        out[n, 2, 2] = 1.0 - c * (x * x + y * y)
        out[n, 0, 1], out[n, 1, 0] = c * x * y - s * z, c * x * y + s * z
        out[n, 0, 2], out[n, 2, 0] = c * x * z + s * y, c * x * z - s * y
        out[n, 1, 2], out[n, 2, 1] = c * y * z - s * x, c * y * z + s * x


@KERNELS.add
def quats(m: F64, out: F64) -> None:
    """Shepperd's method: (n, 3, 3) -> (n, 4), order w, x, y, z, w >= 0."""
    for n in range(m.shape[0]):
        m00, m11, m22 = m[n, 0, 0], m[n, 1, 1], m[n, 2, 2]
        l0, l1, l2, l3 = 1.0 + m00 + m11 + m22, 1.0 + m00 - m11 - m22, 1.0 - m00 + m11 - m22, 1.0 - m00 - m11 + m22
        a, b, c = m[n, 2, 1] - m[n, 1, 2], m[n, 0, 2] - m[n, 2, 0], m[n, 1, 0] - m[n, 0, 1]
        d, e, f = m[n, 1, 0] + m[n, 0, 1], m[n, 0, 2] + m[n, 2, 0], m[n, 2, 1] + m[n, 1, 2]
        if l0 >= l1 and l0 >= l2 and l0 >= l3:
            w, x, y, z = l0, a, b, c
        elif l1 >= l2 and l1 >= l3:
            w, x, y, z = a, l1, d, e
        elif l2 >= l3:
            w, x, y, z = b, d, l2, f
        else:
            w, x, y, z = c, e, f, l3
        size = sqrt(w * w + x * x + y * y + z * z)
        w, x, y, z = w / size, x / size, y / size, z / size
        if w < 0.0:
            w, x, y, z = -w, -x, -y, -z
        out[n, 0], out[n, 1], out[n, 2], out[n, 3] = w, x, y, z


@KERNELS.add
def rotvecs_of_quats(q: F64, out: F64) -> None:
    """(n, 4), w, x, y, z -> axis-angle (n, 3), angle in [0, pi]."""
    for n in range(q.shape[0]):
        w, x, y, z = q[n, 0], q[n, 1], q[n, 2], q[n, 3]
        if w < 0.0:
            w, x, y, z = -w, -x, -y, -z
        half = sqrt(x * x + y * y + z * z)
        scale = 2.0 if half < 1e-9 else 2.0 * atan2(half, w) / half
        out[n, 0], out[n, 1], out[n, 2] = x * scale, y * scale, z * scale


@KERNELS.add
def rotvecs(m: F64, out: F64) -> None:
    """(n, 3, 3) -> axis-angle (n, 3)."""
    q = np.empty((m.shape[0], 4))
    quats(m, q)
    rotvecs_of_quats(q, out)


@KERNELS.add
def quats_of_rotvecs(rotvec: F64, out: F64) -> None:
    """Axis-angle (n, 3) -> unit quaternions (n, 4), w, x, y, z."""
    for n in range(rotvec.shape[0]):
        x, y, z = rotvec[n, 0], rotvec[n, 1], rotvec[n, 2]
        half = 0.5 * sqrt(x * x + y * y + z * z)
        scale = 0.5 - half * half / 12.0 if half < 1e-6 else sin(half) / (2.0 * half)
        out[n, 0], out[n, 1], out[n, 2], out[n, 3] = cos(half), x * scale, y * scale, z * scale


@KERNELS.add
def slerps(a: F64, b: F64, t: F64, out: F64) -> None:
    """Shortest-arc interpolation of axis-angle vectors (n, 3); t (n,), or (1,) for all."""
    qa, qb = np.empty((a.shape[0], 4)), np.empty((a.shape[0], 4))
    quats_of_rotvecs(a, qa)
    quats_of_rotvecs(b, qb)
    for n in range(a.shape[0]):
        p, q, share = qa[n], qb[n], t[n if t.shape[0] > 1 else 0]
        dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]
        theta = acos(min(1.0, abs(dot)))
        size = sin(theta)
        if size < 1e-6:
            wa, wb = 1.0 - share, share
        else:
            wa, wb = sin((1.0 - share) * theta) / size, sin(share * theta) / size
        if dot < 0.0:
            wb = -wb
        length = 0.0
        for k in range(4):
            p[k] = wa * p[k] + wb * q[k]
            length += p[k] * p[k]
        length = sqrt(length)
        for k in range(4):
            p[k] /= length
    rotvecs_of_quats(qa, out)


@KERNELS.add
def transforms(rest: F64, parents: I64, local: F64, translation: F64, out: F64) -> None:
    """World transforms (j, 4, 4) of the first j joints from local rotations (>= j, 3, 3)."""
    for j in range(out.shape[0]):
        T = out[j]
        T[3, 0], T[3, 1], T[3, 2], T[3, 3] = 0.0, 0.0, 0.0, 1.0
        if j == 0:
            for i in range(3):
                for k in range(3):
                    T[i, k] = local[0, i, k]
                T[i, 3] = rest[0, i] + translation[i]
            continue
        p = parents[j]
        P = out[p]
        mul(P, local[j], T)
        x, y, z = rest[j, 0] - rest[p, 0], rest[j, 1] - rest[p, 1], rest[j, 2] - rest[p, 2]
        for i in range(3):
            T[i, 3] = P[i, 3] + (P[i, 0] * x + P[i, 1] * y + P[i, 2] * z)


@KERNELS.add
def poses_transforms(rest: F64, parents: I64, pose: F64, translation: F64, out: F64) -> None:
    """World transforms (n, j, 4, 4) of the first j joints for poses (n, 52, 3) and translations (n, 3)."""
    local = np.empty((out.shape[1], 3, 3))
    for n in range(out.shape[0]):
        matrices(pose[n, : out.shape[1]], local)
        transforms(rest, parents, local, translation[n], out[n])


@KERNELS.add
def points_at(T: F64, joint: I64, offset: F64, out: F64) -> None:
    """World points (n, m, 3) of offsets (m, 3) in the frames of joints (m,); T (n, j, 4, 4)."""
    for n in range(T.shape[0]):
        for k in range(joint.shape[0]):
            M = T[n, joint[k]]
            for i in range(3):
                out[n, k, i] = M[i, 0] * offset[k, 0] + M[i, 1] * offset[k, 1] + M[i, 2] * offset[k, 2] + M[i, 3]


@KERNELS.add
def _frame(d: F64, side: F64, out: F64) -> None:
    """Columns: the direction d, the part of `side` across it, their cross product."""
    size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    dx, dy, dz = d[0] / size, d[1] / size, d[2] / size
    along = side[0] * dx + side[1] * dy + side[2] * dz
    hx, hy, hz = side[0] - dx * along, side[1] - dy * along, side[2] - dz * along
    size = sqrt(hx * hx + hy * hy + hz * hz)
    hx, hy, hz = hx / size, hy / size, hz / size
    out[0, 0], out[1, 0], out[2, 0] = dx, dy, dz
    out[0, 1], out[1, 1], out[2, 1] = hx, hy, hz
    out[0, 2], out[1, 2], out[2, 2] = dy * hz - dz * hy, dz * hx - dx * hz, dx * hy - dy * hx


@KERNELS.add
def leg(rest: F64, joints: I64, max_reach: float, local: F64, pelvis: F64, ankle_m: F64, foot: F64, toe_rad: float, hinge: F64) -> float:
    """`legs.solve_leg`; joints: hip, knee, ankle, toe."""
    hip, knee, ankle, toe = joints[0], joints[1], joints[2], joints[3]
    upper, lower, wanted, way = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    uu, ll, ww = 0.0, 0.0, 0.0
    for i in range(3):
        upper[i], lower[i] = rest[knee, i] - rest[hip, i], rest[ankle, i] - rest[knee, i]
        hip_m = pelvis[i]
        for k in range(3):
            hip_m += local[0, i, k] * (rest[hip, k] - rest[0, k])
        wanted[i] = ankle_m[i] - hip_m
        uu += upper[i] * upper[i]
        ll += lower[i] * lower[i]
        ww += wanted[i] * wanted[i]
    distance, longest = sqrt(ww), max_reach * (sqrt(uu) + sqrt(ll))
    reach = min(distance, longest)
    a, b = upper[1] * lower[1] + upper[2] * lower[2], upper[2] * lower[1] - upper[1] * lower[2]
    c = 0.5 * (reach * reach - uu - ll) - upper[0] * lower[0]
    angle = atan2(b, a) + acos(min(1.0, max(-1.0, c / hypot(a, b))))
    knee_rotation, first, second, world = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    turn_x(angle, knee_rotation)
    for i in range(3):
        way[i] = upper[i] + (knee_rotation[i, 0] * lower[0] + knee_rotation[i, 1] * lower[1] + knee_rotation[i, 2] * lower[2])
    side = np.zeros(3)
    side[0] = 1.0
    _frame(wanted, hinge, first)
    _frame(way, side, second)
    mul_bt(first, second, world)
    mul_at(local[0], world, local[hip])
    local[knee] = knee_rotation
    mul(world, knee_rotation, first)
    mul_at(first, foot, local[ankle])
    turn_x(-toe_rad, local[toe])
    return max(0.0, distance - longest)


@KERNELS.add
def upright_root(heading: float, out: F64) -> None:
    """`kinematics.root_matrix`."""
    a, b = np.empty((3, 3)), np.empty((3, 3))
    turn_z(heading + 0.5 * pi, a)
    turn_x(0.5 * pi, b)
    mul(a, b, out)


@KERNELS.add
def hang(local: F64, rows: I64, sign: float, swing: float, elbow: float, abduct: float, angles: F64) -> None:
    """One hanging arm; rows: collar, shoulder, elbow, wrist; angles: hang, collar, shoulder turn, wrist (radians)."""
    a, b, c = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    turn_z(-sign * angles[1], local[rows[0]])
    turn_x(-swing, a)
    turn_z(-sign * (angles[0] - abduct), b)
    mul(a, b, c)
    turn_x(angles[2], a)
    mul(c, a, local[rows[1]])
    turn_y(-sign * elbow, local[rows[2]])
    turn_x(angles[3], local[rows[3]])


@KERNELS.add
def posture(
    p: F64, rest: F64, fingers: F64, rows: I64, heights: F64, arm_angles: F64, spine: I64, shares: F64, floor: float, local: F64,
    pelvis: F64,
) -> None:  # fmt: skip
    """`postures.solve_posture` without overlay. p (13,): the numbers of a `Posture` in order (heel_rad, knees_out_rad last but for how far
    the raised heels bring the ankles ahead and up, metres); rows (2, 8): hip, knee, ankle, toe, collar,
    shoulder, elbow, wrist of left and right; heights: idle pelvis, left foot, right foot, leg reach, half width, ankle back, most drop,
    reach share; spine (5,): rows of spine1..3, neck, head; shares: pelvis, spine1, spine2, spine3."""
    heading, drop, pitch, yaw = p[2], p[3], p[4], p[8]
    upright, a, b = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    upright_root(heading, upright)
    local[:] = fingers
    turn_x(shares[0] * pitch, a)
    mul(upright, a, local[0])
    for k in range(3):
        turn_y(yaw / 3.0, a)
        turn_x(shares[k + 1] * pitch, b)
        mul(a, b, local[spine[k]])
    turn_x(-0.25 * pitch, local[spine[3]])
    turn_x(-0.25 * pitch, local[spine[4]])
    crouch = drop / heights[6]
    swing = 0.92 * pitch + p[7] + 0.75 * crouch * (1.0 - 0.4 * pitch)
    for s in range(2):
        hang(local, rows[s, 4:], 1.0 - 2.0 * s, swing, 0.31 + 0.45 * crouch, 0.16 * min(1.0, 2.0 * crouch), arm_angles)
    lh, rh = rows[0, 0], rows[1, 0]
    height = floor + heights[0] - max(0.0, drop)
    for i in range(3):
        at = upright[i, 0] * p[6] - upright[i, 2] * p[5]
        base = height if i == 2 else p[i] + at
        for k in range(3):
            base += (upright[i, k] - local[0, i, k]) * (0.5 * (rest[lh, k] + rest[rh, k]) - rest[0, k])
        pelvis[i] = base
    ankles, hinge = np.empty((2, 3)), np.empty(3)
    c, sn = cos(heading), sin(heading)
    highest = pelvis[2]
    for s in range(2):
        dx, dy = -heights[5], (1.0 - 2.0 * s) * heights[4]
        dx += p[11]
        ankles[s, 0], ankles[s, 1], ankles[s, 2] = p[0] + c * dx - sn * dy, p[1] + sn * dx + c * dy, floor + heights[1 + s] + p[12]
        flat, up = 0.0, 0.0
        for i in range(3):
            offset = 0.0
            for k in range(3):
                offset += local[0, i, k] * (rest[rows[s, 0], k] - rest[0, k])
            if i == 2:
                up = offset
            else:
                flat += (pelvis[i] + offset - ankles[s, i]) ** 2
        highest = min(highest, ankles[s, 2] + sqrt(max(0.01, heights[3] * heights[3] - flat)) - up)
    pelvis[2] = highest
    spread = 0.30 * crouch + p[10]
    foot = np.empty((3, 3))
    turn_x(p[9], a)
    mul(upright, a, foot)
    for s in range(2):
        for i in range(3):
            hinge[i] = upright[i, 0] * cos(spread) - (1.0 - 2.0 * s) * upright[i, 2] * sin(spread)
        leg(rest, rows[s, :4], heights[7], local, pelvis, ankles[s], foot, p[9], hinge)


@KERNELS.add
def gaze(
    rest: F64, chain: I64, base: F64, translation: F64, target: F64, offset: F64, axes: F64, spine_share: float, limits: F64, local: F64
) -> float:
    """`camera.gaze`. chain: pelvis, spine1, spine2, spine3, neck, head; base (6, 3, 3) their local rotations; limits: yaw, down, up, tilt,
    neck share. Writes local (6, 3, 3) and returns the residual angle."""
    T, a, b, c, chest = np.empty((6, 4, 4)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    up = np.arange(-1, 5)
    own = np.empty((6, 3))
    for k in range(6):
        own[k] = rest[chain[k]]
    local[:] = base
    yaw, pitch = 0.0, 0.0
    eye, to = np.empty(3), np.empty(3)
    keep = 1.0 - spine_share
    for _ in range(8):
        if spine_share > 0.0:
            turn_y(yaw * spine_share / 3.0, a)
            for k in range(1, 4):
                mul(base[k], a, local[k])
        turn_y(limits[4] * keep * yaw, a)
        turn_x(limits[4] * pitch, b)
        mul(a, b, local[4])
        turn_y(keep * yaw, a)
        turn_x(pitch, b)
        mul(a, b, c)
        mul_at(local[4], c, local[5])
        transforms(own, up, local, translation, T)
        for i in range(3):
            eye[i] = T[5, i, 3] + (T[5, i, 0] * offset[0] + T[5, i, 1] * offset[1] + T[5, i, 2] * offset[2])
            to[i] = target[i] - eye[i]
        turn_y(-yaw * spine_share, a)
        mul(T[3], a, chest)
        x = chest[0, 0] * to[0] + chest[1, 0] * to[1] + chest[2, 0] * to[2]
        y = chest[0, 1] * to[0] + chest[1, 1] * to[1] + chest[2, 1] * to[2]
        z = chest[0, 2] * to[0] + chest[1, 2] * to[1] + chest[2, 2] * to[2]
        want_yaw = min(limits[0], max(-limits[0], atan2(x, z)))
        want_pitch = min(limits[1], max(-limits[2], atan2(-y, hypot(x, z)) - limits[3]))
        done = max(abs(want_yaw - yaw), abs(want_pitch - pitch)) < 1e-5
        yaw, pitch = want_yaw, want_pitch
        if done:
            break
    mul(T[5], axes, a)
    ux, uy, uz = -a[0, 2], -a[1, 2], -a[2, 2]
    nx, ny, nz = uy * to[2] - uz * to[1], uz * to[0] - ux * to[2], ux * to[1] - uy * to[0]
    return atan2(sqrt(nx * nx + ny * ny + nz * nz), ux * to[0] + uy * to[1] + uz * to[2])
