"""Feet on the floor: where the sole is, and closed-form two-bone leg IK with a hinge knee.

A foot is described by its flat ankle position, its yaw (heading of the foot, world), and its pitch (toes up positive). Positive pitch
rolls over the heel, negative pitch rolls over the ball while the toe joint keeps the toes flat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from humans.kinematics import root_matrix, skin_matrices, transforms_from_matrices
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.rotations import F64, rotation_x

SIDES = ("left", "right")
MAX_REACH = 0.9985
"""Longest hip-ankle distance as a share of the straight leg: the knee keeps a few degrees, so that it neither locks nor pops."""
PITCH_GRID_RAD = np.radians(np.arange(-72.0, 34.0, 2.0))


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
        return float(np.interp(pitch_rad, PITCH_GRID_RAD, self.lift_m))


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


def _frame(direction: F64, side: F64) -> F64:
    d = direction / np.sqrt(direction @ direction)
    h = side - d * (side @ d)
    h = h / np.sqrt(h @ h)
    return np.array([d, h, [d[1] * h[2] - d[2] * h[1], d[2] * h[0] - d[0] * h[2], d[0] * h[1] - d[1] * h[0]]]).T


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
    rest = body.rest_joints_m
    hip, knee, ankle, toe = (JOINT[f"{side}_{name}"] for name in ("hip", "knee", "ankle", "foot"))
    hip_m = pelvis_m + local[0] @ (rest[hip] - rest[0])
    upper, lower, wanted = rest[knee] - rest[hip], rest[ankle] - rest[knee], ankle_m - hip_m
    distance = float(np.sqrt(wanted @ wanted))
    longest = MAX_REACH * float(np.sqrt(upper @ upper) + np.sqrt(lower @ lower))
    reach = min(distance, longest)
    # |upper + Rx(angle) lower| = reach, a cosine equation in the knee angle
    a, b = upper[1] * lower[1] + upper[2] * lower[2], upper[2] * lower[1] - upper[1] * lower[2]
    c = 0.5 * (reach * reach - upper @ upper - lower @ lower) - upper[0] * lower[0]
    angle = float(np.arctan2(b, a) + np.arccos(np.clip(c / np.hypot(a, b), -1.0, 1.0)))
    knee_rotation = rotation_x(angle)
    hip_world = _frame(wanted, hinge) @ _frame(upper + knee_rotation @ lower, np.array([1.0, 0.0, 0.0])).T
    local[hip] = local[0].T @ hip_world
    local[knee] = knee_rotation
    local[ankle] = (hip_world @ knee_rotation).T @ foot_rotation
    local[toe] = rotation_x(-toe_rad)
    return max(0.0, distance - longest)
