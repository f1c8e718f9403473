"""Arm IK by closed-form cyclic coordinate descent over collar, shoulder and elbow, the wrist turned to a hand frame (seed B.2.2).

Given the collar, the hand position fixes elbow flexion (law of cosines) and shoulder direction; the remaining turn of the elbow about the
line from shoulder to wrist is the *swivel* (0 sideways, pi/2 down). Descent therefore cycles collar against that closed form, and a whole
path is solved in one batch. All work is done in the frame of the joint above the collar (the trunk frame: x left, y up, z forward).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistcore.house.state import Hand
from humans.kinematics import joint_transforms
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.rotations import matrix_from_rotvec, rotvec_from_matrix

F64 = NDArray[np.float64]

MAX_ITERATIONS = 28
"""Seed B.2.2."""
TOLERANCE_M = 0.001
"""Nominal convergence target, seed B.2.2."""
COMFORT = 0.965
"""The collar helps once the hand is farther than this share of the stretched arm."""
TWIST_LIMIT_RAD = 1.50
FLEX_LIMIT_RAD = 1.30
DEVIATION_LIMIT_RAD = 0.60
"""Forearm turn, wrist bend (palm side or back) and sideways wrist bend (comfortable human ranges, rounded)."""
EASY_SWIVEL_RAD = 1.15
"""Elbow mostly down and a little out."""
BACK_LIMIT = -0.80
ACROSS_LIMIT = -0.80
"""How far the upper arm may point behind the trunk, and across the chest (components of its unit direction)."""


@dataclass(frozen=True, eq=False)
class ArmChain:
    """An arm as lengths and limits. bones_m (4, 3): rest offsets of collar, shoulder, elbow and wrist from their parents, trunk frame.

    `sign` is +1 for the left arm. `collar_rad` is how far the shoulder girdle may turn; `elbow_rad` the least and greatest flexion.
    """

    bones_m: F64
    sign: float
    collar_rad: float = 0.32
    elbow_rad: tuple[float, float] = (0.03, 2.55)

    @property
    def lengths_m(self) -> tuple[float, float]:
        """Upper arm and forearm."""
        return float(np.linalg.norm(self.bones_m[2])), float(np.linalg.norm(self.bones_m[3]))

    @property
    def span_m(self) -> tuple[float, float]:
        """Least and greatest distance from shoulder to wrist within the elbow's limits."""
        a, b = self.lengths_m
        low, high = (float(np.sqrt(max(0.0, a * a + b * b + 2.0 * a * b * np.cos(x)))) for x in self.elbow_rad)
        return high, low


class Arm(NamedTuple):
    """A batch of arm solutions: local rotations (n, 4, 3, 3) of collar, shoulder, elbow, wrist; errors and limit use per row.

    `strain_rad` (n,) is by how much forearm twist, wrist bend or upper arm direction exceed their limits (0: within); `effort` (n,) grows
    with the use of the limits and orders candidates. twist_rad (n,) and bend_rad (n, 3) are the hand's turn about and off the forearm.
    """

    local: F64
    residual_m: F64
    strain_rad: F64
    effort: F64
    twist_rad: F64
    bend_rad: F64


@dataclass(frozen=True, eq=False)
class Reach:
    """The result of one IK call. `iterations_exhausted` tells an unfinished descent from a target that is out of reach."""

    reached: bool
    residual_m: float
    iterations_exhausted: bool
    pose_rad: F64
    strain_rad: float = 0.0


@lru_cache(maxsize=16)
def arm_chain(body: BodyModel, side: Hand) -> ArmChain:
    """The chain of one arm of a body."""
    rest = body.rest_joints_m
    names = ("spine3", f"{side}_collar", f"{side}_shoulder", f"{side}_elbow", f"{side}_wrist")
    bones = np.array([rest[JOINT[b]] - rest[JOINT[a]] for a, b in zip(names, names[1:], strict=False)])
    return ArmChain(bones, 1.0 if side == "left" else -1.0)


def turn_about(axis: F64, angle: F64) -> F64:
    """Rotations (n, 3, 3) about unit axes (n, 3) or (3,) by angles (n,)."""
    return matrix_from_rotvec(np.broadcast_to(axis, (*np.shape(angle), 3)) * np.asarray(angle)[..., None])


def _unit(v: F64) -> F64:
    out: F64 = v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)
    return out


def _frames(first: F64, second: F64) -> F64:
    """Orthonormal columns (n, 3, 3): `first`, the part of `second` across it, and their cross product."""
    a = _unit(first)
    b = _unit(second - np.sum(second * a, axis=-1, keepdims=True) * a)
    return np.stack([a, b, np.cross(a, b)], axis=-1)


def pole(n: F64, swivel_rad: F64, sign: float) -> F64:
    """Elbow directions (n, 3) across unit shoulder-wrist lines (n, 3)."""
    out = np.array([sign, 0.0, 0.0])
    u = out - n[..., :1] * sign * n
    near = np.linalg.norm(u, axis=-1, keepdims=True) < 1e-4
    down = np.array([0.0, -1.0, 0.0])
    u = _unit(np.where(near, down + n[..., 1:2] * n, u))
    v = -sign * np.cross(n, u)
    result: F64 = np.cos(swivel_rad)[..., None] * u + np.sin(swivel_rad)[..., None] * v
    return result


def descend_collar(chain: ArmChain, target_m: F64, collar: F64) -> tuple[F64, F64, NDArray[np.int64]]:
    """The cyclic part: collars turn towards their targets by what the closed-form arm leaves over.

    target_m (n, 3), collar (n, 3, 3) where it starts. Returns collars (n, 3, 3), residuals (n,) and iterations (n,).
    """
    collar = np.array(np.broadcast_to(collar, (len(target_m), 3, 3)))
    short, stretched = chain.span_m
    residual = np.zeros(len(target_m))
    steps = np.zeros(len(target_m), np.int64)
    previous = np.full(len(target_m), np.inf)
    live = np.arange(len(target_m))
    for _ in range(MAX_ITERATIONS):
        steps[live] += 1
        arm = collar[live] @ chain.bones_m[1]
        line = target_m[live] - chain.bones_m[0] - arm
        distance = np.linalg.norm(line, axis=1)
        residual[live] = np.maximum(np.maximum(distance - stretched, short - distance), 0.0)
        excess = np.maximum(0.0, distance - COMFORT * stretched)
        axis = np.cross(arm, line)
        size = np.linalg.norm(axis, axis=1)
        go = (excess > 0.0) & (previous[live] - excess >= 1e-5) & (size > 1e-9) & (chain.collar_rad > 0.0)
        if not go.any():
            break
        live, arm, line, axis = live[go], arm[go], line[go], axis[go]
        size, excess, distance = size[go], excess[go], distance[go]
        previous[live] = excess
        lever = np.maximum(size / distance, 1e-3)
        turn = np.minimum(np.arctan2(size, np.einsum("ni,ni->n", arm, line)), 1.5 * excess / lever)
        moved = rotvec_from_matrix(turn_about(axis / size[:, None], turn) @ collar[live])
        angle = np.linalg.norm(moved, axis=1, keepdims=True)
        collar[live] = matrix_from_rotvec(moved * np.minimum(1.0, chain.collar_rad / np.maximum(angle, 1e-9)))
    return collar, residual, steps


def close_arm(
    chain: ArmChain,
    collar: F64,
    target_m: F64,
    R_target: F64 | None,
    swivel_rad: F64,
    *,
    easy_rad: float = EASY_SWIVEL_RAD,
    hand: tuple[F64, F64] | None = None,
) -> Arm:
    """Closed form for shoulder, elbow and wrist: collar (n, 3, 3), target (n, 3), R_target (n, 3, 3), swivel (n,), all broadcast.

    Without R_target the hand has the twist (n,) and bend (n, 3) of `hand`, or continues the forearm. `easy_rad`: the swivel that costs no
    effort.
    """
    n = len(swivel_rad)
    collar, target_m = np.broadcast_to(collar, (n, 3, 3)), np.broadcast_to(target_m, (n, 3))
    upper, lower = chain.lengths_m
    short, stretched = chain.span_m
    line = target_m - chain.bones_m[0] - collar @ chain.bones_m[1]
    distance = np.linalg.norm(line, axis=-1)
    axis = _unit(line)
    reach = np.clip(distance, max(short, 1e-6), stretched)
    cos_a = np.clip((upper**2 + reach**2 - lower**2) / (2.0 * upper * reach), -1.0, 1.0)
    q = pole(axis, swivel_rad, chain.sign)
    d1 = cos_a[:, None] * axis + np.sqrt(1.0 - cos_a**2)[:, None] * q
    hinge = np.cross(q, axis)
    rest = np.array([0.0, -chain.sign, 0.0])
    R_upper = _frames(d1, hinge) @ _frames(chain.bones_m[2], rest).T
    R_lower = _frames(reach[:, None] * axis - upper * d1, hinge) @ _frames(chain.bones_m[3], rest).T
    bone = _unit(chain.bones_m[3])
    if R_target is None:
        R_target = R_lower if hand is None else R_lower @ turn_about(bone, hand[0]) @ matrix_from_rotvec(hand[1])
    wanted = np.swapaxes(R_lower, 1, 2) @ R_target
    twist = _twist(wanted, bone)
    R_forearm = R_lower @ turn_about(bone, 0.5 * twist)
    swing = np.swapaxes(R_lower @ turn_about(bone, twist), 1, 2) @ R_target
    bend = rotvec_from_matrix(swing)
    use = np.stack([twist / TWIST_LIMIT_RAD, bend[:, 2] / FLEX_LIMIT_RAD, bend[:, 1] / DEVIATION_LIMIT_RAD], axis=1)
    limits = np.array([TWIST_LIMIT_RAD, FLEX_LIMIT_RAD, DEVIATION_LIMIT_RAD])
    behind = np.maximum(0.0, BACK_LIMIT - d1[:, 2]) + np.maximum(0.0, ACROSS_LIMIT - chain.sign * d1[:, 0])
    strain = np.max(np.maximum(0.0, np.abs(use) - 1.0) * limits, axis=1) + behind
    local = np.stack([collar, np.swapaxes(collar, 1, 2) @ R_upper, np.swapaxes(R_upper, 1, 2) @ R_forearm,
                      np.swapaxes(R_forearm, 1, 2) @ R_target], axis=1)  # fmt: skip
    effort = np.sum(use**4, axis=1) + 1.5 * (swivel_rad - easy_rad) ** 2 + 20.0 * np.maximum(0.0, d1[:, 1] - 0.1) ** 2
    return Arm(local, np.maximum(np.maximum(distance - stretched, short - distance), 0.0), strain, effort, twist, bend)


def _twist(R: F64, bone: F64) -> F64:
    """Turn (n,) of rotations about an axis (swing-twist), in (-pi, pi]."""
    trace = np.clip(1.0 + np.trace(R, axis1=1, axis2=2), 0.0, None)
    vector = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=-1)
    # atan2 of (2 w v.axis, 2 w w), up to a common factor
    angle: F64 = 2.0 * np.arctan2(vector @ bone, trace)
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


SWIVELS_RAD = np.radians(np.array([66.0, 50.0, 80.0, 35.0, 95.0, 20.0, 110.0, 5.0]))


def best_arm(chain: ArmChain, collar: F64, target_m: F64, R_target: F64 | None) -> tuple[Arm, float]:
    """The swivel with the least strain, then the least effort; the solution has one row."""
    arm = close_arm(chain, collar, target_m, R_target, SWIVELS_RAD)
    k = min(range(len(SWIVELS_RAD)), key=lambda i: (round(float(arm.strain_rad[i]), 4), float(arm.effort[i]), i))
    return Arm(*(values[k : k + 1] for values in arm)), float(SWIVELS_RAD[k])


def arm_joints(side: Hand) -> list[int]:
    """Pose rows of collar, shoulder, elbow and wrist."""
    return [JOINT[f"{side}_{name}"] for name in ("collar", "shoulder", "elbow", "wrist")]


def write_arm(pose_rad: F64, side: Hand, local: F64) -> F64:
    """A copy of the pose (156,) with an arm's local rotations (4, 3, 3) put in."""
    pose = pose_rad.reshape(N_JOINTS, 3).copy()
    pose[arm_joints(side)] = rotvec_from_matrix(local)
    return pose.reshape(-1)


def solve(body: BodyModel, pose_rad: F64, translation_m: F64, side: Hand, T_world_wrist: F64, *, swivel_rad: float | None = None) -> Reach:
    """Moves one arm of a pose so that its wrist joint gets the wanted world frame (4, 4); trunk and legs stay.

    `reached` means within TOLERANCE_M and within the joint limits; the pose returned is always the nearest one, finite and clamped.
    """
    chain = arm_chain(body, side)
    trunk = joint_transforms(body, pose_rad, translation_m)[JOINT["spine3"]]
    target = trunk[:3, :3].T @ (T_world_wrist[:3, 3] - trunk[:3, 3])
    R_target = trunk[:3, :3].T @ T_world_wrist[:3, :3]
    return solve_in_trunk(chain, target, R_target, pose_rad, side, swivel_rad=swivel_rad)


def solve_in_trunk(
    chain: ArmChain, target_m: F64, R_target: F64 | None, pose_rad: F64, side: Hand, *, swivel_rad: float | None = None
) -> Reach:
    """`solve` with the target already in the trunk frame: position (3,), rotation (3, 3)."""
    start = matrix_from_rotvec(np.array([0.0, 0.0, -chain.sign * np.radians(5.0)])) if chain.collar_rad > 0.0 else np.eye(3)
    collars, residuals, counts = descend_collar(chain, target_m[None], start)
    collar, residual, steps = collars[0], float(residuals[0]), int(counts[0])
    if swivel_rad is None:
        arm, _ = best_arm(chain, collar, target_m, R_target)
    else:
        arm = close_arm(chain, collar, target_m, R_target, np.array([swivel_rad]))
    strain = float(arm.strain_rad[0])
    exhausted = steps >= MAX_ITERATIONS and residual >= TOLERANCE_M
    return Reach(residual < TOLERANCE_M and strain <= 0.0, residual, exhausted, write_arm(pose_rad, side, arm.local[0]), strain)


def planar_chain(upper_m: float, lower_m: float) -> ArmChain:
    """A two-link chain without collar whose elbow closes fully; for checking the solver itself."""
    bones = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [upper_m, 0.0, 0.0], [lower_m, 0.0, 0.0]])
    return replace(ArmChain(bones, 1.0), collar_rad=0.0, elbow_rad=(0.0, float(np.pi)))
