"""Arm IK by closed-form cyclic coordinate descent over collar, shoulder and elbow, the wrist turned to a hand frame (seed B.2.2).

Given the collar, the hand position fixes elbow flexion (law of cosines) and shoulder direction; the remaining turn of the elbow about the
line from shoulder to wrist is the *swivel* (0 sideways, pi/2 down). Descent therefore cycles collar against that closed form, and a whole
path is solved in one batch. All work is done in the frame of the joint above the collar (the trunk frame: x left, y up, z forward).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation import ik_kernels
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

    @cached_property
    def span(self) -> F64:
        """`span_m` as an array (2,)."""
        return np.array(self.span_m)

    @cached_property
    def lengths_m(self) -> tuple[float, float]:
        """Upper arm and forearm."""
        return float(np.linalg.norm(self.bones_m[2])), float(np.linalg.norm(self.bones_m[3]))

    @cached_property
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


def descend_collar(chain: ArmChain, target_m: F64, collar: F64) -> tuple[F64, F64, NDArray[np.int64]]:
    """The cyclic part: collars turn towards their targets by what the closed-form arm leaves over.

    target_m (n, 3), collar (n, 3, 3) where it starts. Returns collars (n, 3, 3), residuals (n,) and iterations (n,).
    """
    n = len(target_m)
    ik_kernels.KERNELS.ready()
    collar = np.array(np.broadcast_to(collar, (n, 3, 3)), np.float64, order="C")
    residual, steps = np.zeros(n), np.zeros(n, np.int64)
    target = np.ascontiguousarray(target_m, np.float64)
    ik_kernels.descend(chain.bones_m, chain.span, float(chain.collar_rad), COMFORT, MAX_ITERATIONS, target, collar, residual, steps)
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
    ik_kernels.KERNELS.ready()
    aim = 2 if R_target is not None else 0 if hand is None else 1
    twist, bend = hand if hand is not None and R_target is None else (_NONE[:, 0], _NONE)
    turns = _NONE[:, None] if R_target is None else _rows(R_target, (n, 3, 3))
    local, figures, bent = np.empty((n, 4, 3, 3)), np.empty((n, 4)), np.empty((n, 3))
    ik_kernels.close(
        chain.bones_m, chain.sign, chain.span, _LIMITS, float(easy_rad), _rows(collar, (n, 3, 3)), _rows(target_m, (n, 3)), turns, aim,
        _rows(twist, (n,)) if aim == 1 else twist, _rows(bend, (n, 3)) if aim == 1 else bend, _rows(swivel_rad, (n,)), local, figures, bent,
    )  # fmt: skip
    residual, strain, effort, turn = (np.ascontiguousarray(figures[:, k]) for k in range(4))
    return Arm(local, residual, strain, effort, turn, bent)


_NONE = np.zeros((1, 3))
_LIMITS = np.array([TWIST_LIMIT_RAD, FLEX_LIMIT_RAD, DEVIATION_LIMIT_RAD, BACK_LIMIT, ACROSS_LIMIT])


def _rows(values: F64, shape: tuple[int, ...]) -> F64:
    """Values broadcast to a shape, a contiguous array of float64 that may be written."""
    given = np.asarray(values, np.float64)
    if given.shape == shape and given.flags.writeable:
        return np.ascontiguousarray(given)
    return np.array(np.broadcast_to(given, shape), order="C")


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
