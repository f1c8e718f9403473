"""Every posture of a person on feet or knees, densely: lean, squat, weight forward, heels up, trunk turned, idle arm swung; and arms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from actions.frames import camera_track, capsule_track, trunk_transforms
from actions.manipulation.ik import SWIVELS_RAD, ArmChain, arm_chain, close_arm, descend_collar
from assistcore.house.state import Hand
from assistworld.studies.reachability.contacts import own_body_in
from humans.kneeling import kneel_posture
from humans.model import JOINT, BodyModel
from humans.postures import DEEPEST, MAX_FORWARD_M, MAX_HEEL_RAD, Posture, lean_posture, solve_posture
from humans.proxies import ARM_CAPSULES, CAPSULE, CAPSULE_NAMES, rig
from humans.rotations import matrix_from_rotvec

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Flags = NDArray[np.bool_]

LEANS_RAD = (0.0, 0.15, 0.3, 0.45, 0.62, 0.8, 0.95, 1.1, 1.3, 1.5)
SQUATS = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
FORWARD_M = (0.0, MAX_FORWARD_M)
YAWS_RAD = (0.0, 0.3, -0.3)
DEEP_LEANS_RAD, DEEP_SQUATS = (0.8, 1.0, 1.2, 1.35, 1.5), (1.1, 1.25, 1.35, DEEPEST)
KNEEL_LEANS_RAD, KNEEL_SATS = (0.0, 0.15, 0.3, 0.5, 0.7, 0.9, 1.1), (0.0, 0.2, 0.4, 0.6)
ARM_RAISES_RAD = (0.0, -1.2, 0.5)
SWIVELS = np.unique(np.concatenate([SWIVELS_RAD, np.radians(np.arange(-25.0, 131.0, 15.0))]))
_COLLAR_RAD = np.radians(5.0)
_CHAIN = ("collar", "shoulder", "elbow", "wrist")


@dataclass(frozen=True, eq=False)
class Figures:
    """All postures at the origin, facing +x: trunk frames (k, 4, 4), collar joints (k, 3), capsules a, b (k, 18, 3), eye (k, 3)."""

    side: Hand
    postures: tuple[Posture, ...]
    trunk: F64
    collar_m: F64
    a_m: F64
    b_m: F64
    eye_m: F64
    radius_m: F64
    chain: ArmChain
    reach_m: float
    """No wrist is farther than this from the collar joint."""


@lru_cache(maxsize=4)
def figures(body: BodyModel, side: Hand) -> Figures:
    """The postures in which no limb but the reaching arm meets another, the upright ones first."""
    postures, transforms = [], []
    for posture in sorted(_numbers(body), key=lambda p: (round(p.heel_rad, 3) > 0.0, p.trunk_pitch_rad + 2.0 * p.pelvis_drop_m)):
        pose, translation = solve_posture(body, posture)
        postures.append(posture)
        transforms.append(trunk_transforms(body, pose[None], translation[None])[0])
    T = np.stack(transforms)
    shapes, eye = capsule_track(body, T), camera_track(body, T)
    a, b = shapes.a_m.copy(), shapes.b_m.copy()
    put_away(a, b, arm_rows(side))  # the reaching arm is not where it hangs
    good = np.flatnonzero(~own_body_in(a, b, shapes.radius_m, 0.002))
    trunk, chain = T[good, JOINT["spine3"]], arm_chain(body, side)
    collar = trunk[:, :3, 3] + trunk[:, :3, :3] @ chain.bones_m[0]
    reach = chain.span_m[1] + float(np.linalg.norm(chain.bones_m[1]))
    return Figures(side, tuple(postures[i] for i in good), trunk, collar, shapes.a_m[good], shapes.b_m[good], eye[good], shapes.radius_m,
                   chain, reach)  # fmt: skip


def _numbers(body: BodyModel) -> Iterator[Posture]:
    flat = [(*numbers, 0.0) for numbers in product(LEANS_RAD, SQUATS, FORWARD_M)]
    deep = [(*numbers, MAX_FORWARD_M * 0.75, MAX_HEEL_RAD * 0.93) for numbers in product(DEEP_LEANS_RAD, DEEP_SQUATS)]
    for lean, squat, forward, heel in [*flat, *deep]:
        base = lean_posture(body, (0.0, 0.0), 0.0, lean, squat, forward, heel)
        raises = ARM_RAISES_RAD if lean + squat > 0.5 else (0.0,)
        for yaw, swing in product(YAWS_RAD, raises):
            yield replace(base, trunk_yaw_rad=yaw, arm_raise_rad=swing)
    for lean, sat, yaw in product(KNEEL_LEANS_RAD, KNEEL_SATS, YAWS_RAD):
        yield replace(kneel_posture(body, (0.0, 0.0), 0.0, lean, sat), trunk_yaw_rad=yaw)


def still_rows(side: Hand) -> I64:
    """Capsule rows of all limbs but the reaching arm."""
    return np.array([i for i, name in enumerate(CAPSULE_NAMES) if name not in ARM_CAPSULES[side]])


def arm_rows(side: Hand) -> I64:
    """Capsule rows of the reaching arm: upper arm, forearm, hand."""
    return np.array([CAPSULE[name] for name in ARM_CAPSULES[side]])


def put_away(a_m: F64, b_m: F64, rows: I64) -> None:
    """Write some capsule rows of a, b (n, 18, 3) to where nothing meets them, nor one another."""
    for row in rows:
        a_m[:, row] = b_m[:, row] = np.array([0.0, 0.0, 50.0 + row])


@dataclass(frozen=True, eq=False)
class Arms:
    """Arms that reach: row of the question, swivel, local rotations (n, 4, 3, 3) from collar to wrist."""

    row: I64
    swivel_rad: F64
    local: F64


def solve_arms(chain: ArmChain, target_m: F64, R_target: F64, *, residual_m: float, strain_rad: float) -> Arms:
    """All swivels of all wrist frames, trunk frame (n, 3), (n, 3, 3), that the arm reaches within its limits, least effort first."""
    n, k = len(target_m), len(SWIVELS)
    if not n:
        return Arms(np.zeros(0, np.int64), np.zeros(0), np.zeros((0, 4, 3, 3)))
    rest = matrix_from_rotvec(np.array([0.0, 0.0, -chain.sign * _COLLAR_RAD]))
    collar, left, _ = descend_collar(chain, target_m, rest)
    near = np.flatnonzero(left <= max(residual_m, 0.002))
    arm = close_arm(
        chain, np.repeat(collar[near], k, axis=0), np.repeat(target_m[near], k, axis=0), np.repeat(R_target[near], k, axis=0),
        np.tile(SWIVELS, len(near)),
    )  # fmt: skip
    good = np.flatnonzero((arm.residual_m <= residual_m) & (arm.strain_rad <= strain_rad))
    good = good[np.argsort(arm.effort[good], kind="stable")]
    return Arms(near[good // k], np.tile(SWIVELS, len(near))[good], arm.local[good])


def arm_capsules(body: BodyModel, side: Hand, trunk: F64, local: F64) -> tuple[F64, F64, F64]:
    """End points (n, 3, 3) and radii (3,) of upper arm, forearm and hand for arms (n, 4, 3, 3) on trunks (n, 4, 4)."""
    r, chain = rig(body), arm_chain(body, side)
    R, p = trunk[:, :3, :3], trunk[:, :3, 3]
    frames: dict[int, tuple[F64, F64]] = {}
    for k, name in enumerate(_CHAIN):
        p = p + R @ chain.bones_m[k]
        R = R @ local[:, k]
        frames[JOINT[f"{side}_{name}"]] = (R, p)
    rows = arm_rows(side)

    def ends(joints: I64, offsets: F64) -> F64:
        return np.stack([frames[int(joints[i])][0] @ offsets[i] + frames[int(joints[i])][1] for i in rows], axis=1)

    return ends(r.joint_a, r.offset_a_m), ends(r.joint_b, r.offset_b_m), r.radius_m[rows]
