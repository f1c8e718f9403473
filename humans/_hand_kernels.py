"""Compiled loops of a closing hand: its skin, a distance grid, the steps in which the fingers curl until they touch.

A hand's fixed arrays: base (15, 3, 3), axes (15, 3) and rest (15, 3) of the finger joints, three to a finger; joint, weight (n, K) and
points (n, 3) of the skin, influences counted with the wrist as 0; all relative to the wrist, whose transform (4, 4) is `wrist`.
Scalar loops: whole rows and slices take Numba several times as long to compile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistcore.house.compiled import Kernels
from humans import _rig_kernels as rig

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Flags = NDArray[np.bool_]

KERNELS = Kernels(globals(), needs=(rig.KERNELS,))


@KERNELS.add
def finger_frames(base: F64, axes: F64, turn: F64, rest: F64, R: F64, shift: F64) -> None:
    """Rotations R (16, 3, 3) and shifts (16, 3) of wrist and finger joints turned on from `base` by `turn` (5, 3) about `axes`."""
    turned, steps, local, origin = np.empty((15, 3)), np.empty((15, 3, 3)), np.empty((3, 3)), np.empty(3)
    for n in range(15):
        for i in range(3):
            turned[n, i] = axes[n, i] * turn[n // 3, n % 3]
    rig.matrices(turned, steps)
    for i in range(3):
        shift[0, i] = 0.0
        for c in range(3):
            R[0, i, c] = 1.0 if i == c else 0.0
    for n in range(1, 16):
        previous = n - 1 if n % 3 != 1 else 0
        rig.mul(base[n - 1], steps[n - 1], local)
        for i in range(3):
            if previous == 0:
                origin[i] = 0.0
            for c in range(3):
                origin[i] += R[previous, i, c] * (rest[n - 1, c] - (rest[n - 2, c] if previous else 0.0))
        rig.mul(R[previous], local, R[n])
        for i in range(3):
            shift[n, i] = origin[i] - (R[n, i, 0] * rest[n - 1, 0] + R[n, i, 1] * rest[n - 1, 1] + R[n, i, 2] * rest[n - 1, 2])


@KERNELS.add
def skin_point(R: F64, shift: F64, joint: I64, weight: F64, points: F64, m: int, wrist: F64) -> tuple[float, float, float]:
    """World position of point m of the skin."""
    x, y, z = points[m, 0], points[m, 1], points[m, 2]
    a = b = c = 0.0
    for k in range(joint.shape[1]):
        n, w = joint[m, k], weight[m, k]
        if w != 0.0:
            a += w * (R[n, 0, 0] * x + R[n, 0, 1] * y + R[n, 0, 2] * z + shift[n, 0])
            b += w * (R[n, 1, 0] * x + R[n, 1, 1] * y + R[n, 1, 2] * z + shift[n, 1])
            c += w * (R[n, 2, 0] * x + R[n, 2, 1] * y + R[n, 2, 2] * z + shift[n, 2])
    return (
        wrist[0, 0] * a + wrist[0, 1] * b + wrist[0, 2] * c + wrist[0, 3],
        wrist[1, 0] * a + wrist[1, 1] * b + wrist[1, 2] * c + wrist[1, 3],
        wrist[2, 0] * a + wrist[2, 1] * b + wrist[2, 2] * c + wrist[2, 3],
    )


@KERNELS.add
def finger_points(base: F64, axes: F64, turn: F64, rest: F64, joint: I64, weight: F64, points: F64, wrist: F64, out: F64) -> None:
    """World skin (n, 3) of a hand whose joints are turned on from `base` by `turn` (5, 3) about `axes`."""
    R, shift = np.empty((16, 3, 3)), np.empty((16, 3))
    finger_frames(base, axes, turn, rest, R, shift)
    for m in range(len(points)):
        out[m, 0], out[m, 1], out[m, 2] = skin_point(R, shift, joint, weight, points, m, wrist)


@KERNELS.add
def looked_up(grid: F64, origin: F64, voxel: float, outside: float, px: float, py: float, pz: float) -> float:
    """Trilinear value of a grid (nx, ny, nz) at a point, whose index is (point - origin) / voxel; `outside` where that is off it."""
    ax, ay, az = (px - origin[0]) / voxel, (py - origin[1]) / voxel, (pz - origin[2]) / voxel
    tx, ty, tz = grid.shape[0] - 1, grid.shape[1] - 1, grid.shape[2] - 1
    if not (0.0 <= ax <= tx and 0.0 <= ay <= ty and 0.0 <= az <= tz):
        return outside
    ax, ay, az = min(ax, tx - 1e-9), min(ay, ty - 1e-9), min(az, tz - 1e-9)
    i, j, k = int(ax), int(ay), int(az)
    x, y, z = ax - i, ay - j, az - k
    u, v, w = 1.0 - x, 1.0 - y, 1.0 - z
    total: float = u * v * w * grid[i, j, k]
    total += u * v * z * grid[i, j, k + 1]
    total += u * y * w * grid[i, j + 1, k]
    total += u * y * z * grid[i, j + 1, k + 1]
    total += x * v * w * grid[i + 1, j, k]
    total += x * v * z * grid[i + 1, j, k + 1]
    total += x * y * w * grid[i + 1, j + 1, k]
    total += x * y * z * grid[i + 1, j + 1, k + 1]
    return total


@KERNELS.add
def trilinear(grid: F64, origin: F64, voxel: float, outside: float, points: F64, out: F64) -> None:
    """`looked_up` at points (n, 3)."""
    for n in range(len(points)):
        out[n] = looked_up(grid, origin, voxel, outside, points[n, 0], points[n, 1], points[n, 2])


@KERNELS.add
def least_of(gaps: F64, f: int) -> float:
    """The least of the three gaps of a finger."""
    least: float = min(gaps[f, 0], min(gaps[f, 1], gaps[f, 2]))
    return least


@KERNELS.add
def next_flex(flex: F64, free: Flags, step: F64, limits: F64, rates: F64, active: Flags, trial: F64) -> bool:
    """The flexion (5, 3) to be looked at next in `trial` and the fingers that move in it in `active` (5,); False where none can.

    free (5, 3): joints that may still curl; those at their limits are taken out. step (5,): radians at rate 1.
    """
    moving = False
    for f in range(5):
        active[f] = False
        for k in range(3):
            free[f, k] = free[f, k] and flex[f, k] < limits[f, k] - 1e-9
            active[f] = active[f] or free[f, k]
            trial[f, k] = min(flex[f, k] + step[f] * rates[f, k], limits[f, k]) if free[f, k] else flex[f, k]
        moving = moving or active[f]
    return moving


@KERNELS.add
def settle(
    trial: F64, found: F64, floor: F64, pinch: bool, steps: F64, stop: F64, active: Flags, flex: F64, gaps: F64, free: Flags, step: F64
) -> None:
    """Take over what was looked at, finger by finger, or go on in half steps; at the finest step the joints before what touches stop.

    found, gaps (5, 3): distances at `trial` and at `flex` by finger and phalanx; floor (5,): least height of each finger above what stops
    it. steps: the usual and the finest; stop: the gap at which a step is refused, and the one within which a pinch stops at its nearest.
    """
    for f in range(5):
        if not active[f]:
            continue
        nearest, before = least_of(found, f), least_of(gaps, f)
        hit = nearest < stop[0] or floor[f] < stop[0]
        if pinch:  # finger tips graze a small object: stop where they are nearest, not behind it
            hit = hit or (before < stop[1] and nearest > before)
        if not hit:
            for k in range(3):
                flex[f, k], gaps[f, k] = trial[f, k], found[f, k]
        elif step[f] > steps[1]:
            step[f] *= 0.5
        else:
            step[f] = steps[0]
            for k in range(3):
                free[f, k] = False
                if found[f, k] == nearest and not pinch:
                    break


@KERNELS.add
def grid_gaps(
    R: F64, shift: F64, joint: I64, weight: F64, points: F64, starts: I64, wrist: F64, grid: F64, origin: F64, voxel: float,
    outside: float, plane: F64, active: Flags, coarse: Flags, stop: float, gaps: F64, floor: F64,
) -> None:  # fmt: skip
    """Least distance (5, 3) by finger and phalanx from what a grid holds, and least height (5,) above a plane, of the active fingers.

    starts (16,): where the skin of each phalanx begins; plane (4,): upward direction and height. A `coarse` finger is left as soon as
    something is nearer than `stop`: that alone is asked of it.
    """
    for f in range(5):
        if not active[f]:
            continue
        lowest, met = np.inf, False
        for k in range(2, -1, -1):
            nearest, m, end = np.inf, starts[3 * f + k], starts[3 * f + k + 1]
            while m < end and not met:
                x, y, z = skin_point(R, shift, joint, weight, points, m, wrist)
                nearest = min(nearest, looked_up(grid, origin, voxel, outside, x, y, z))
                lowest = min(lowest, plane[0] * x + plane[1] * y + plane[2] * z - plane[3])
                met = coarse[f] and min(nearest, lowest) < stop
                m += 1
            gaps[f, k] = nearest
        floor[f] = lowest


@KERNELS.add
def close_on_grid(
    base: F64, axes: F64, angle: F64, rest: F64, joint: I64, weight: F64, points: F64, starts: I64, wrist: F64, grid: F64, origin: F64,
    voxel: float, outside: float, plane: F64, limits: F64, lowest: F64, rates: F64, pinch: bool, steps: F64, stop: F64, tries: I64,
    flex: F64, gaps: F64,
) -> None:  # fmt: skip
    """Opens fingers that are inside what a grid holds, then curls all of them until they touch: flexion (5, 3) in `flex`, from and to.

    angle (5, 3): flexion of `base`; tries: most steps of opening and of closing.
    """
    R, shift = np.empty((16, 3, 3)), np.empty((16, 3))
    active, coarse, free, step = np.ones(5, np.bool_), np.zeros(5, np.bool_), np.empty((5, 3), np.bool_), np.full(5, steps[0])
    trial, found, floor = flex.copy(), np.empty((5, 3)), np.empty(5)
    opening, left = True, tries[0]
    while True:
        finger_frames(base, axes, trial - angle, rest, R, shift)
        grid_gaps(
            R, shift, joint, weight, points, starts, wrist, grid, origin, voxel, outside, plane, active, coarse, stop[0], found, floor
        )
        if opening:
            opening = False
            for f in range(5):
                nearest = least_of(found, f)
                opening = opening or (nearest < stop[0] and left > 0)
                for k in range(3):
                    flex[f, k], gaps[f, k], free[f, k] = trial[f, k], found[f, k], nearest > stop[0]
                    if nearest < stop[0]:
                        trial[f, k] = max(flex[f, k] - steps[0] * rates[f, k], lowest[f, k])
            left = left - 1 if opening else tries[1]
            if opening:
                continue
        else:
            settle(trial, found, floor, pinch, steps, stop, active, flex, gaps, free, step)
        if left == 0 or not next_flex(flex, free, step, limits, rates, active, trial):
            break
        left -= 1
        for f in range(5):
            coarse[f] = step[f] > steps[1]
