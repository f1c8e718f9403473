"""Feet on the floor: where the sole is, and closed-form two-bone leg IK with a hinge knee.

A foot is described by its flat ankle position, its yaw (heading of the foot, world), and its pitch (toes up positive). Positive pitch
rolls over the heel, negative pitch rolls over the ball while the toe joint keeps the toes flat.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from humans import _rig_kernels as kernels
from humans.kinematics import root_matrix, skin_matrices, transforms_from_matrices
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.rotations import F64, rotation_x

SIDES = ("left", "right")
MAX_REACH = 0.9985
"""Longest hip-ankle distance as a share of the straight leg: the knee keeps a few degrees, so that it neither locks nor pops."""
_LEG_ROWS = {side: np.array([JOINT[f"{side}_{name}"] for name in ("hip", "knee", "ankle", "foot")], np.int64) for side in SIDES}
PITCH_GRID_RAD = np.radians(np.arange(-72.0, 34.0, 2.0))
_PITCH_GRID: list[float] = PITCH_GRID_RAD.tolist()


@dataclass(frozen=True, eq=False)
class Foot:
    """One foot of a body, model frame relative to the ankle joint, metres. `lift_m` (g,): ankle height that puts the lowest skin vertex
    on the floor at PITCH_GRID_RAD; `sole` are the vertices of the foot's underside."""

    heel_m: F64
    ball_m: F64
    height_m: float
    lift_m: F64
    vertices: NDArray[np.int64]
    sole: NDArray[np.int64]

    def ankle_height(self, pitch_rad: float) -> float:
        """Ankle height above the floor with the lowest foot vertex on it, for a pitch in radians."""
        grid, lift = _PITCH_GRID, self._lift
        if not grid[0] < pitch_rad < grid[-1]:
            return lift[0] if pitch_rad <= grid[0] else lift[-1]
        i = bisect_right(grid, pitch_rad) - 1
        slope = (lift[i + 1] - lift[i]) / (grid[i + 1] - grid[i])
        return slope * (pitch_rad - grid[i]) + lift[i]

    @cached_property
    def _lift(self) -> list[float]:
        lift: list[float] = self.lift_m.tolist()
        return lift


def foot_vertices(body: BodyModel, side: str) -> NDArray[np.int64]:
    """Indices of the vertices that only the ankle and toe joints move, shape (n,)."""
    ankle, toe = JOINT[f"{side}_ankle"], JOINT[f"{side}_foot"]
    own = np.where(np.isin(body.skin_index, (ankle, toe)), body.skin_weight, 0.0).sum(axis=1)
    return np.flatnonzero(own > 0.9).astype(np.int64)


@lru_cache(maxsize=16)
def foot(body: BodyModel, side: str) -> Foot:
    """Measures a foot of a body on its rest-pose skin."""
    ankle, toe = JOINT[f"{side}_ankle"], JOINT[f"{side}_foot"]
    rest = body.rest_joints_m
    index = foot_vertices(body, side)
    vertices = body.template_m[index]
    floor = float(vertices[:, 1].min())
    sole = vertices[vertices[:, 1] < floor + 0.03]
    rear = float(sole[:, 2].min()) + 0.015
    heel = np.array([0.0, floor - rest[ankle, 1], rear - rest[ankle, 2]])
    ball = np.array([rest[toe, 0] - rest[ankle, 0], floor - rest[ankle, 1], rest[toe, 2] - rest[ankle, 2]])
    lift = []
    homogeneous = np.c_[vertices, np.ones(len(vertices))]
    for pitch in PITCH_GRID_RAD:
        local = np.tile(np.eye(3), (N_JOINTS, 1, 1))
        local[ankle], local[toe] = rotation_x(-pitch), rotation_x(min(0.0, pitch))
        affine = skin_matrices(body, transforms_from_matrices(body, local, np.zeros(3)))
        moved = np.einsum("vk,vkj,vj->v", body.skin_weight[index], affine[body.skin_index[index], 1], homogeneous)
        lift.append(rest[ankle, 1] - float(moved.min()))
    return Foot(heel, ball, float(rest[ankle, 1] - floor), np.array(lift), index, index[body.template_m[index, 1] < floor + 0.012])


def planted_ankle(body: BodyModel, side: str, flat_ankle_m: F64, yaw_rad: float, pitch_rad: float, floor_z_m: float) -> F64:
    """World ankle position (3,) of a foot whose flat ankle is at flat_ankle_m (x, y used) when it is rolled to a pitch."""
    shape = foot(body, side)
    pivot = shape.heel_m if pitch_rad > 0.0 else shape.ball_m
    offset = root_matrix(yaw_rad) @ (pivot - rotation_x(-pitch_rad) @ pivot)
    return np.array([flat_ankle_m[0] + offset[0], flat_ankle_m[1] + offset[1], floor_z_m + shape.ankle_height(pitch_rad)])


@lru_cache(maxsize=16)
def leg_length_m(body: BodyModel) -> float:
    """Length of the straight leg, hip to ankle, metres."""
    rest = body.rest_joints_m
    hip, knee, ankle = (rest[JOINT[f"left_{name}"]] for name in ("hip", "knee", "ankle"))
    return float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee))


def solve_leg(body: BodyModel, side: str, local: F64, pelvis_m: F64, ankle_m: F64, foot_rotation: F64, toe_rad: float, hinge: F64) -> float:
    """Writes hip, knee, ankle and toe rotations of one leg into `local` (52, 3, 3); local[0] must be the root rotation already.

    pelvis_m (3,) world pelvis joint; ankle_m (3,) wanted ankle; foot_rotation (3, 3) world rotation of the ankle joint; toe_rad bends
    the toes up; hinge (3,) world direction of the knee's axis (towards the body's left). Returns the distance in metres by which the
    ankle is missed (0 when reachable); an unreachable ankle leaves the leg straight towards it.
    """
    kernels.KERNELS.ready()
    rows = _LEG_ROWS[side]
    at, to, turn, axis = (np.ascontiguousarray(v, np.float64) for v in (pelvis_m, ankle_m, foot_rotation, hinge))
    missed = kernels.leg(body.rest_joints_m, rows, MAX_REACH, local, at, to, turn, float(toe_rad), axis)
    return float(missed)
