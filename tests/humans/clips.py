"""Motion clips made from our own gait, in the layouts of AMASS; no licensed data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from humans.gait import RootTrack, walk
from humans.gait_style import SHAPE, GaitShape, GaitStyle
from humans.kinematics import root_matrix
from humans.model import JOINT, load_body
from humans.rotations import F64, matrix_from_rotvec, rotation_x, rotation_z, rotvec_from_matrix

BODY = load_body()
Clip = tuple[F64, F64]
"""Poses (n, 156) and translations (n, 3), z up."""


def clip(fps: float = 60.0, length_m: float = 6.0, speed: float = 1.1, shape: GaitShape = SHAPE, heading: float = 0.0) -> Clip:
    """A straight walk from rest to rest at a frame rate."""
    rise = speed / 1.6
    total = length_m / speed + rise
    t = np.arange(int(total * fps) + 1) / fps
    pace = np.clip(np.minimum(1.6 * t, 1.6 * (total - t)), 0.0, speed)
    way = np.concatenate([[0.0], np.cumsum(0.5 * (pace[1:] + pace[:-1]) / fps)])
    way = np.pad(way, (round(0.2 * fps), round(0.4 * fps)), mode="edge")
    track = RootTrack(np.outer(way, [np.cos(heading), np.sin(heading)]), np.full(len(way), heading))
    frames = walk(replace(BODY, gait=GaitStyle(shape)), track, fps=fps)
    return frames.pose_rad.copy(), frames.translation_m.copy()


def save(path: Path, made: Clip, fps: float, *, layout: str = "smplh", up: str = "z") -> Path:
    """The clip as a file: 'smplh' (156, `mocap_framerate`), 'smplx' (165, `mocap_frame_rate`) or 'smpl' (72), z or y up."""
    poses, trans = made[0].copy(), made[1].copy()
    if up == "y":
        turn, pelvis = rotation_x(-0.5 * np.pi), BODY.rest_joints_m[0]
        poses[:, :3] = rotvec_from_matrix(turn @ matrix_from_rotvec(poses[:, :3]))
        trans = (trans + pelvis) @ turn.T - pelvis
    data: dict[str, object] = {"trans": trans, "gender": b"female", "betas": np.ones(16)}
    if layout == "smplx":
        jaw_and_eyes = np.full((len(poses), 9), 0.01)
        data |= {"poses": np.concatenate([poses[:, :66], jaw_and_eyes, poses[:, 66:]], axis=1), "mocap_frame_rate": fps}
        data |= {"surface_model_type": np.array("smplx")}
    elif layout == "smpl":
        data |= {"poses": np.concatenate([poses[:, :66], np.zeros((len(poses), 6))], axis=1), "mocap_framerate": fps}
    else:
        data |= {"poses": poses, "mocap_framerate": fps}
    np.savez(path, **data)  # type: ignore[arg-type]
    return path


def joints(made: Clip) -> F64:
    """The joint rotations (n, 52, 3) of a clip, a copy."""
    return made[0].reshape(-1, 52, 3).copy()


def arm_swing(made: Clip, times: float) -> Clip:
    """The clip with another swing of both arms."""
    rotvec = joints(made)
    for name in ("left_shoulder", "right_shoulder"):
        turns = matrix_from_rotvec(rotvec[:, JOINT[name]])
        u, _, vt = np.linalg.svd(turns.mean(axis=0))
        rotvec[:, JOINT[name]] = rotvec_from_matrix(u @ vt @ matrix_from_rotvec(times * rotvec_from_matrix((u @ vt).T @ turns)))
    return rotvec.reshape(len(rotvec), -1), made[1]


def arms_inwards(made: Clip, angle_rad: float) -> Clip:
    """The clip with both upper arms turned towards the body."""
    rotvec = joints(made)
    for name, sign in (("left_shoulder", -1.0), ("right_shoulder", 1.0)):
        rotvec[:, JOINT[name]] = rotvec_from_matrix(rotation_z(sign * angle_rad) @ matrix_from_rotvec(rotvec[:, JOINT[name]]))
    return rotvec.reshape(len(rotvec), -1), made[1]


def facing(made: Clip, angle_rad: float) -> Clip:
    """The clip in which the body is turned against its way."""
    poses = made[0].copy()
    turn = root_matrix(angle_rad) @ root_matrix(0.0).T
    poses[:, :3] = rotvec_from_matrix(turn @ matrix_from_rotvec(poses[:, :3]))
    return poses, made[1]
