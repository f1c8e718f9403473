"""Attitudes: how a person stands or sits on planted feet, arms and head included, and smooth ways between two of them (seed B.2.2).

The feet stay where the stance has them; hips, knees and ankles follow from leg IK at every frame. Arms, fingers, neck and head turn from
one attitude to the other joint by joint, so an arm that carries something keeps it where it is before the trunk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from actions.frames import WRIST, trunk_transforms
from actions.manipulation.ik import arm_joints
from actions.manipulation.keys import Figure, arm_at
from actions.manipulation.paths import FPS, HAND_LIMIT_M_S, JOINT_LIMIT_RAD_S, minimum_jerk
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.state import Hand
from humans.arms import ARM_JOINTS
from humans.kinematics import joint_transforms, root_matrix
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.postures import Posture, blend_posture, idle_pelvis_height_m, solve_posture
from humans.rotations import matrix_from_rotvec, rotvec_from_matrix, slerp_rotvec

F64 = NDArray[np.float64]

ARMS: dict[str, list[int]] = {side: list(rows) for side, rows in ARM_JOINTS.items()}
HEAD = [JOINT["neck"], JOINT["head"]]
UPPER = [*ARMS["left"], *ARMS["right"], *HEAD]
"""Joints that an attitude gives itself: both arms with their fingers, neck and head."""
TRUNK_AIM_RAD_S, DROP_AIM_M_S, UPPER_AIM_RAD_S = 1.1, 0.45, 2.2
PELVIS_SHARE = 0.55
"""Share of the trunk's pitch that the pelvis takes (`humans.postures`)."""
REACHED_M, EASE_RAD = 0.002, 0.12
"""How near a hand comes to its frame, and by how much the arm may exceed the easy range of its joints."""
SLOWER = 4
SHARE = 0.85
"""Share of the speed limits that a way may use."""


@dataclass(frozen=True, eq=False)
class Attitude:
    """A posture of the stance with rotation vectors (52, 3); of these only the rows UPPER count."""

    posture: Posture
    rotvec_rad: F64

    def with_arm(self, side: str, rows_rad: F64) -> Attitude:
        """The same with one whole arm from rotation vectors (52, 3)."""
        mixed = self.rotvec_rad.copy()
        mixed[ARMS[side]] = rows_rad[ARMS[side]]
        return replace(self, rotvec_rad=mixed)

    def with_head(self, rows_rad: F64) -> Attitude:
        """The same with neck and head from rotation vectors (52, 3)."""
        mixed = self.rotvec_rad.copy()
        mixed[HEAD] = rows_rad[HEAD]
        return replace(self, rotvec_rad=mixed)


def plain(body: BodyModel, posture: Posture) -> Attitude:
    """A posture with the arms and head that it has by itself."""
    pose, _ = solve_posture(body, posture)
    return Attitude(posture, pose.reshape(N_JOINTS, 3))


def posed(body: BodyModel, attitude: Attitude) -> tuple[F64, F64]:
    """Pose (156,) and translation (3,) of an attitude."""
    pose, translation = solve_posture(body, attitude.posture)
    rows = pose.reshape(N_JOINTS, 3).copy()
    rows[UPPER] = attitude.rotvec_rad[UPPER]
    return rows.reshape(-1), translation


def attitude_now(world: ActionWorld) -> Attitude:
    """The attitude that the person has, standing or seated on planted feet."""
    state = world.state.body
    return Attitude(
        posture_of(world.body, state.pose_rad, state.translation_m, state.xy_m, state.heading_rad),
        state.pose_rad.reshape(N_JOINTS, 3).copy(),
    )


def posture_of(body: BodyModel, pose_rad: F64, translation_m: F64, xy_m: tuple[float, float], heading_rad: float) -> Posture:
    """The posture that a pose was solved from: pitch from the pelvis, yaw from the spine, drop and shift from the hips."""
    rows = matrix_from_rotvec(pose_rad.reshape(N_JOINTS, 3)[[0, JOINT["spine1"]]])
    upright = root_matrix(heading_rad)
    tilt = upright.T @ rows[0]
    pitch = float(np.arctan2(tilt[2, 1], tilt[1, 1])) / PELVIS_SHARE
    yaw = 3.0 * float(np.arctan2(-rows[1][2, 0], rows[1][0, 0]))
    T = joint_transforms(body, pose_rad, translation_m)
    hips = 0.5 * (T[JOINT["left_hip"], :3, 3] + T[JOINT["right_hip"], :3, 3])
    rest = body.rest_joints_m
    middle = 0.5 * (rest[JOINT["left_hip"]] + rest[JOINT["right_hip"]]) - rest[0]
    idle = idle_pelvis_height_m(body) + float((upright @ middle)[2])
    away = upright.T @ (np.array([*xy_m, 0.0]) + upright @ middle * np.array([1.0, 1.0, 0.0]) - hips)
    drop = max(0.0, idle - float(hips[2]))
    return Posture(
        float(xy_m[0]), float(xy_m[1]), float(heading_rad), drop, pitch, float(away[2]), -float(away[0]),
        trunk_yaw_rad=0.0 if abs(yaw) < 1e-9 else yaw,
    )  # fmt: skip


def kept_arms(world: ActionWorld, attitude: Attitude) -> Attitude:
    """The attitude with the arm that holds something as it is now, turned so that what it holds stays level where the arm can."""
    held = world.state.held
    if held is None:
        return attitude
    now = world.state.body
    kept = attitude.with_arm(held.hand, now.pose_rad.reshape(N_JOINTS, 3))
    T_now = joint_transforms(world.body, now.pose_rad, now.translation_m)
    T_then = joint_transforms(world.body, *posed(world.body, kept))
    shoulder = JOINT[f"{held.hand}_shoulder"]
    T = T_now[WRIST[held.hand]].copy()
    T[:3, 3] += T_then[shoulder, :3, 3] - T_now[shoulder, :3, 3]
    return reached(world, kept, held.hand, T) or kept


def reached(world: ActionWorld, attitude: Attitude, side: Hand, T_wrist: F64) -> Attitude | None:
    """The attitude with one hand at a world wrist frame (4, 4), fingers kept; None where the arm does not reach it with ease."""
    trunk = joint_transforms(world.body, *posed(world.body, attitude))[JOINT["spine3"]]
    arm, _ = arm_at(Figure(world.body, side), trunk, T_wrist)
    if float(arm.residual_m[0]) > REACHED_M or float(arm.strain_rad[0]) > EASE_RAD:
        return None
    mixed = attitude.rotvec_rad.copy()
    mixed[arm_joints(side)] = rotvec_from_matrix(arm.local[0])
    return replace(attitude, rotvec_rad=mixed)


def rules(world: ActionWorld, seat: str = "") -> Allowed:
    """Contacts of a posture change: what is held with the hand, thighs and back with the seat."""
    held = world.state.held
    return Allowed(held=held.entity if held is not None else "", seat=seat)


def _least_frames(a: Attitude, b: Attitude, bulge_rad: float) -> int:
    turn = rotvec_from_matrix(
        np.swapaxes(matrix_from_rotvec(a.rotvec_rad[UPPER]), 1, 2) @ matrix_from_rotvec(b.rotvec_rad[UPPER])
    )  # fmt: skip
    pitch = abs(b.posture.trunk_pitch_rad - a.posture.trunk_pitch_rad) + 1.2 * abs(bulge_rad)
    seconds = max(
        float(np.linalg.norm(turn, axis=1).max()) / UPPER_AIM_RAD_S,
        pitch / TRUNK_AIM_RAD_S,
        abs(b.posture.pelvis_drop_m - a.posture.pelvis_drop_m) / DROP_AIM_M_S,
        abs(b.posture.pelvis_back_m - a.posture.pelvis_back_m) / DROP_AIM_M_S,
    )
    return max(3, int(np.ceil(FPS * 1.25 * seconds)))


def frames_between(body: BodyModel, a: Attitude, b: Attitude, *, bulge_rad: float = 0.0, slower: float = 1.0) -> tuple[F64, F64]:
    """Poses (n, 156) and translations (n, 3) from a (not shown again) to b, minimum jerk, within the speed limits.

    `bulge_rad`: by how much the trunk leans forward half-way, which keeps the weight over the feet.
    """
    n = int(np.ceil(_least_frames(a, b, bulge_rad) * slower))
    for _ in range(SLOWER):
        poses, places = _frames(body, a, b, n, bulge_rad)
        over = _excess(body, a, poses, places)
        if over <= SHARE:
            break
        n = int(np.ceil(n * max(1.15, over / SHARE)))
    return poses, places


def _frames(body: BodyModel, a: Attitude, b: Attitude, n: int, bulge_rad: float) -> tuple[F64, F64]:
    poses, places = np.empty((n, 3 * N_JOINTS)), np.empty((n, 3))
    for k, share in enumerate(minimum_jerk(np.arange(1, n + 1) / n)):
        t = float(share)
        posture = blend_posture(a.posture, b.posture, t)
        pitch = posture.trunk_pitch_rad + bulge_rad * float(np.sin(np.pi * t)) ** 2
        upper = a.rotvec_rad.copy()
        upper[UPPER] = slerp_rotvec(a.rotvec_rad[UPPER], b.rotvec_rad[UPPER], t)
        poses[k], places[k] = posed(body, Attitude(replace(posture, trunk_pitch_rad=pitch), upper))
    return poses, places


def _excess(body: BodyModel, a: Attitude, poses: F64, places: F64) -> float:
    """Largest share of the hand and joint speed limits that frames use."""
    first, place = posed(body, a)
    every, at = np.concatenate([first[None], poses]), np.concatenate([place[None], places])
    T = trunk_transforms(body, every, at)
    hand = max(float(np.linalg.norm(np.diff(T[:, row, :3, 3], axis=0), axis=1).max()) for row in WRIST.values())
    local = matrix_from_rotvec(every.reshape(-1, N_JOINTS, 3))
    turn = rotvec_from_matrix(np.swapaxes(local[:-1], -1, -2) @ local[1:])
    return FPS * max(hand / HAND_LIMIT_M_S, float(np.linalg.norm(turn, axis=2).max()) / JOINT_LIMIT_RAD_S)
