"""From keyframes to frames at 12 a second: smooth timing, hand and joint speed limits, continuity with what came before (seed B.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from actions.frames import WRIST, joint_frames
from actions.manipulation import paths_kernels as kernels
from actions.manipulation.ik import arm_chain, arm_joints, close_arm
from actions.manipulation.keys import FINGER_ROWS, HEAD_JOINTS, TRUNK, Figure, Key, pose_of_key
from actions.manipulation.posture import rung
from humans.model import N_JOINTS
from humans.postures import blend_postures, posture_numbers, solve_postures
from humans.rotations import matrix_from_rotvec, quat_wxyz_from_rotvec, rotvec_from_matrix, slerp_rotvec

F64 = NDArray[np.float64]

FPS = 12.0
HAND_LIMIT_M_S = 2.5
HAND_AIM_M_S = 1.2
JOINT_LIMIT_RAD_S = 10.0
JOINT_AIM_RAD_S = 4.5
WRIST_CLEAR_M = 0.085
"""Between the trunk's capsule and the middle of the wrist on a free way."""
MOST_SLOWER = 2
LOST_M = 1e-6
"""How far a hand that holds a thing with the other may come off its place."""
HOPELESS = 2.6
"""Excess over a limit that slowing down does not cure: the arm flips over."""
PEAK = 1.875
"""Largest speed of a minimum-jerk motion over its mean speed."""
_WRISTS = np.array(list(WRIST.values()))
_KERNEL = np.array([1.0, 2.0, 3.0, 2.0, 1.0]) / 9.0


@dataclass(frozen=True, eq=False)
class Frames:
    """Frames of one motion: pose_rad (n, 156), translation_m (n, 3), wrist (n, 4, 4) world of the active hand."""

    pose_rad: F64
    translation_m: F64
    wrist: F64
    residual_m: F64
    too_fast: str = ""
    """Which limit no pace kept: the way makes the arm flip over."""
    section: NDArray[np.int64] | None = None
    """Between which key and the next one each frame lies, shape (n,), where that is known."""
    lost_m: float = 0.0
    """How far the other hand, which holds the same thing, comes off its place on it."""

    def __len__(self) -> int:
        return len(self.pose_rad)


def minimum_jerk(t: F64) -> F64:
    """The minimum-jerk profile of t in 0..1 (Flash and Hogan 1985)."""
    return t**3 * (10.0 - 15.0 * t + 6.0 * t**2)


def _spans(keys: Sequence[Key]) -> F64:
    """Seconds (n - 1,) that the way from each key to the next wants at the mean of a motion whose peaks stay at the aimed speeds."""
    T, local, fingers, head = (np.stack(rows) for rows in zip(*((k.T_wrist, k.local, k.fingers, k.head) for k in keys), strict=True))
    turn = rotvec_from_matrix(np.swapaxes(local[:-1], -1, -2) @ local[1:])
    posture = np.array([(k.posture.trunk_pitch_rad / 1.2, k.posture.pelvis_drop_m / 0.5) for k in keys])
    wants = [
        np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1) / HAND_AIM_M_S,
        np.linalg.norm(turn, axis=2).max(axis=1) / JOINT_AIM_RAD_S,
        np.linalg.norm(np.diff(fingers, axis=0), axis=2).max(axis=1) / JOINT_AIM_RAD_S,
        np.abs(np.diff(posture, axis=0)).max(axis=1),
        np.linalg.norm(np.diff(head, axis=0), axis=2).max(axis=1) / 3.0,
    ]
    spans: F64 = np.maximum(np.max(wants, axis=0), 0.04)
    for i, (a, b) in enumerate(pairwise(keys)):
        if a.second is not None and b.second is not None:
            spans[i] = max(spans[i], _spans((a.second, b.second))[0])
    return spans


def _smooth(values: F64) -> F64:
    """Moving average along axis 0 that keeps both ends."""
    if len(values) < 5:
        return values
    padded = np.concatenate([values[:1], values[:1], values, values[-1:], values[-1:]])
    out = sum(w * padded[k : k + len(values)] for k, w in enumerate(_KERNEL))
    fade = np.minimum(np.minimum(np.arange(len(values)), np.arange(len(values))[::-1]) / 3.0, 1.0)
    fade = fade.reshape(-1, *([1] * (values.ndim - 1)))
    result: F64 = fade * out + (1.0 - fade) * values
    return result


def _unit_quats(keys: Sequence[Key], index: NDArray[np.int64], u: F64) -> F64:
    rotvec = rotvec_from_matrix(np.stack([k.T_wrist[:3, :3] for k in keys]))
    quats = quat_wxyz_from_rotvec(slerp_rotvec(rotvec[index], rotvec[index + 1], u[:, None]))
    turned = np.einsum("ni,ni->n", quats[1:], quats[:-1]) < 0.0
    quats[1:] *= np.where(np.logical_xor.accumulate(turned), -1.0, 1.0)[:, None]  # neighbours keep one sign
    quats = _smooth(quats)
    result: F64 = quats / np.linalg.norm(quats, axis=1, keepdims=True)
    return result


def matrices_from_quats(quats_wxyz: F64) -> F64:
    """Rotations (n, 3, 3) of unit quaternions (n, 4)."""
    w, x, y, z = quats_wxyz.T
    return np.stack(
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z),
         2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1).reshape(-1, 3, 3)  # fmt: skip


def _lerp(stack: F64, index: NDArray[np.int64], u: F64) -> F64:
    shape = (-1, *([1] * (stack.ndim - 1)))
    mixed: F64 = stack[index] * (1.0 - u.reshape(shape)) + stack[index + 1] * u.reshape(shape)
    return mixed


@dataclass(frozen=True, eq=False)
class _Ends:
    """What this IK makes of the keys: rotation vectors (k, 4, 3) from it to each key's own arm, forearm twist (k,), wrist bend (k, 3)."""

    fix: F64
    twist: F64
    bend: F64


def _ends(figure: Figure, keys: Sequence[Key], trunks: F64) -> _Ends:
    Rt = np.swapaxes(trunks[:, :3, :3], 1, 2)
    wrists = np.stack([k.T_wrist for k in keys])
    own = np.stack([k.local for k in keys])
    target = np.einsum("nij,nj->ni", Rt, wrists[:, :3, 3] - trunks[:, :3, 3])
    swivel = np.array([k.swivel_rad for k in keys])
    arm = close_arm(arm_chain(figure.body, figure.side), own[:, 0], target, Rt @ wrists[:, :3, :3], swivel)
    return _Ends(rotvec_from_matrix(np.swapaxes(arm.local, -1, -2) @ own), arm.twist_rad, arm.bend_rad)


def _unwrapped(angles_rad: Sequence[float]) -> list[float]:
    """The angles with whole turns added, so that none is more than half a turn from the one before."""
    out, turns = [angles_rad[0]], 0.0
    for a, b in pairwise(angles_rad):
        turns -= 2.0 * np.pi * np.round((b - a) / (2.0 * np.pi))
        out.append(b + turns)
    return out


def _times(keys: Sequence[Key], stretch: float, least: int) -> tuple[NDArray[np.int64], F64]:
    """Segment index and share (n,) of every frame; the first key is not a frame of its own, the last is."""
    spans = _spans(keys)
    n = max(least, int(np.ceil(FPS * PEAK * stretch * float(spans.sum()))))
    along = minimum_jerk(np.arange(1, n + 1) / n) * float(spans.sum())
    ends = np.cumsum(spans)
    index = np.minimum(np.searchsorted(ends, along - 1e-12), len(spans) - 1).astype(np.int64)
    u = np.clip((along - (ends - spans)[index]) / spans[index], 0.0, 1.0)
    return index, u


def _build(figure: Figure, keys: Sequence[Key], stretch: float, least: int, level: bool, flare_rad: float) -> Frames:
    index, u = _times(keys, stretch, least)
    frames = assemble(figure, keys, index, u, _led(keys, index, u, level), free=not level, clear=True, flare_rad=flare_rad)
    seconds = [k.second for k in keys if k.second is not None]
    if not figure.pair or figure.link is not None:
        return frames
    if len(seconds) < len(keys):
        return replace(frames, too_fast="no way for the other arm")
    wrists = _led(seconds, index, u, level)
    other = assemble(figure.opposite, seconds, index, u, wrists, free=not level, clear=True, flare_rad=flare_rad)
    return _joined(figure, frames, other)


def _led(keys: Sequence[Key], index: NDArray[np.int64], u: F64, level: bool) -> F64:
    """Wrist frames (n, 4, 4) between keys: places, and where `level` also how the hand is turned."""
    wrists = np.tile(np.eye(4), (len(u), 1, 1))
    wrists[:, :3, 3] = _smooth(_lerp(np.stack([k.T_wrist[:3, 3] for k in keys]), index, u))
    if level:
        wrists[:, :3, :3] = matrices_from_quats(_unit_quats(keys, index, u))
    return wrists


def _joined(figure: Figure, frames: Frames, other: Frames) -> Frames:
    """The frames with the other arm and hand put in."""
    side = figure.opposite.side
    rows = [*arm_joints(side), *range(N_JOINTS)[FINGER_ROWS[side]]]
    pose = frames.pose_rad.reshape(-1, N_JOINTS, 3).copy()
    pose[:, rows] = other.pose_rad.reshape(-1, N_JOINTS, 3)[:, rows]
    return replace(frames, pose_rad=pose.reshape(len(pose), -1))


def _with_linked(figure: Figure, keys: Sequence[Key], index: NDArray[np.int64], u: F64, frames: Frames, link: F64) -> Frames:
    """The frames with the other hand where it is on the thing that both hold."""
    seconds = [k.second for k in keys if k.second is not None]
    if len(seconds) < len(keys):
        return replace(frames, lost_m=np.inf)
    other = assemble(figure.opposite, seconds, index, u, frames.wrist @ link)
    off = np.linalg.norm(other.wrist[:, :3, 3] - (frames.wrist @ link)[:, :3, 3], axis=1)
    return replace(_joined(figure, frames, other), lost_m=float(off.max()))


def assemble(
    figure: Figure, keys: Sequence[Key], index: NDArray[np.int64], u: F64, wrists: F64, *, free: bool = False, clear: bool = False,
    flare_rad: float = 0.0,
) -> Frames:  # fmt: skip
    """Frames at shares u (n,) between keys index and index + 1, with the hand at wrists (n, 4, 4).

    `free`: only the hand's place counts; forearm twist and wrist bend go from key to key, so they stay within the limits.
    `clear`: the hand may leave its place to pass the trunk. `flare_rad`: how far the elbow swings out half-way.
    """
    k = len(keys)
    own = [key.posture for key in keys]
    numbers = np.concatenate([posture_numbers(own), blend_postures(own, index, u)])
    bases, translations = solve_postures(figure.body, numbers, figure.other)
    trunks = joint_frames(figure.body, bases, translations, TRUNK + 1)[:, TRUNK]
    ends = _ends(figure, keys, trunks[:k])
    trunks = trunks[k:]
    collars = rotvec_from_matrix(np.stack([key.local[0] for key in keys]))
    heads, fingers = (np.stack(rows).reshape(k, -1) for rows in zip(*((key.head, key.fingers) for key in keys), strict=True))
    turns = np.array([_unwrapped([key.swivel_rad for key in keys]), ends.twist]).T
    swivel, twist, bend, collar, head = np.split(_smooth(_lerp(np.hstack([turns, ends.bend, collars, heads]), index, u)), (1, 2, 5, 8), 1)
    fix, finger = np.split(_lerp(np.hstack([ends.fix.reshape(k, -1), fingers]), index, u), (12,), 1)
    along = np.arange(1, len(u) + 1) / len(u)
    swivels = swivel[:, 0] - flare_rad * 4.0 * along * (1.0 - along)
    Rt = np.swapaxes(trunks[:, :3, :3], 1, 2)
    target = np.einsum("nij,nj->ni", Rt, wrists[:, :3, 3] - trunks[:, :3, 3])
    if clear:
        target = _past_the_trunk(figure, target)
    chain = arm_chain(figure.body, figure.side)
    aim = None if free else Rt @ wrists[:, :3, :3]
    arm = close_arm(chain, matrix_from_rotvec(collar), target, aim, swivels, hand=(twist[:, 0], bend))
    local = arm.local @ matrix_from_rotvec(fix.reshape(-1, 4, 3))
    rows = bases[k:].reshape(-1, N_JOINTS, 3)
    rows[:, arm_joints(figure.side)] = rotvec_from_matrix(local)
    rows[:, FINGER_ROWS[figure.side]] = finger.reshape(-1, 15, 3)
    rows[:, HEAD_JOINTS] = head.reshape(-1, 2, 3)
    poses = rows.reshape(len(u), -1)
    frames = Frames(poses, translations[k:], _wrists(chain.bones_m, trunks, local), arm.residual_m, section=index)
    return frames if figure.link is None else _with_linked(figure, keys, index, u, frames, figure.link)


def _past_the_trunk(figure: Figure, target: F64) -> F64:
    """Wrist places (n, 3), trunk frame, moved out of the trunk's way; the last one stays."""
    upright = rung(figure.body, 0.0, 0.0)
    a, b, radius = upright.trunk_a_m[0], upright.trunk_b_m[0], float(upright.trunk_radius_m[0]) + WRIST_CLEAR_M
    t = np.clip((target - a) @ (b - a) / float((b - a) @ (b - a)), 0.0, 1.0)
    off = target - (a + t[:, None] * (b - a))
    distance = np.linalg.norm(off, axis=1)
    push = np.maximum(0.0, radius - distance) * np.minimum(1.0, np.arange(len(target))[::-1] / 3.0)
    return target + _smooth(push[:, None] * off / np.maximum(distance, 1e-6)[:, None])


def _wrists(bones_m: F64, trunks: F64, local: F64) -> F64:
    """World wrist transforms (n, 4, 4) of arms (n, 4, 3, 3) on trunks (n, 4, 4)."""
    out = trunks.copy()
    for k in range(4):
        out[:, :3, 3] = out[:, :3, 3] + out[:, :3, :3] @ bones_m[k]
        out[:, :3, :3] = out[:, :3, :3] @ local[:, k]
    return out


def peak_speeds(figure: Figure, before: tuple[F64, F64], frames: Frames) -> tuple[float, float]:
    """Largest speed of either hand (m/s) and of any joint (rad/s), the step from the pose (156,) and translation (3,) before included.

    The hand that does nothing counts too: a trunk that bends or turns swings it along.
    """
    pose, translation = np.vstack([before[0], frames.pose_rad]), np.vstack([before[1], frames.translation_m])
    steps = np.empty(2)
    kernels.KERNELS.ready()
    body = figure.body
    kernels.largest_steps(body.rest_joints_m, body.parents, pose.reshape(-1, N_JOINTS, 3), translation, _WRISTS, steps)
    return float(steps[0]) * FPS, float(steps[1]) * FPS


def motion(
    figure: Figure, keys: Sequence[Key], *, pace: float = 1.0, least: int = 3, level: bool = False, flare_rad: float = 0.0
) -> Frames:
    """Frames through all keys, starting after the first one and at rest at both ends; slowed down until speeds keep the limits.

    `pace` below 1 is slower. `least` frames at least. `level`: the hand's orientation turns straight from key to key, which keeps what is
    carried upright between upright keys. `flare_rad`: how far the elbow swings out half-way.
    """
    first = pose_of_key(figure, keys[0])
    stretch = 1.0 / pace
    frames = _build(figure, keys, stretch, least, level, flare_rad)
    if frames.lost_m > LOST_M and not frames.too_fast:
        return replace(frames, too_fast="the other hand comes off")
    if frames.too_fast:
        return frames
    for _ in range(MOST_SLOWER):
        hand, joint = peak_speeds(figure, first, frames)
        over = max(hand / (0.9 * HAND_LIMIT_M_S), joint / (0.9 * JOINT_LIMIT_RAD_S))
        if over <= 1.0:
            return frames
        if over > HOPELESS:
            break
        stretch *= max(1.15, over)
        frames = _build(figure, keys, stretch, least, level, flare_rad)
    hand, joint = peak_speeds(figure, first, frames)
    if hand > HAND_LIMIT_M_S or joint > JOINT_LIMIT_RAD_S:
        return replace(frames, too_fast=f"hand {hand:.1f} m/s, joint {joint:.1f} rad/s")
    return frames
