"""Reads AMASS motion clips (npz) as world poses of our skeleton. What a file does not say is an error, never a guess.

Layouts, told apart by the names in the file: SMPL+H (`poses` of width 156, `trans`, `mocap_framerate`), SMPL-X (`*_stageii.npz`: width 165,
`surface_model_type`, `mocap_frame_rate`), SMPL (width 72, body only). Joints are sliced by layout, never by position alone. The clip's
shape coefficients belong to another body and are dropped (InteractiveWorld B.1.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from humans.kinematics import joint_transforms, skin
from humans.legs import foot_vertices
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.model_files import BodyFileError, read_npz
from humans.rotations import F64, matrix_from_rotvec, rotation_x, rotvec_from_matrix, slerp_rotvec

RATE_KEYS = ("mocap_framerate", "mocap_frame_rate")
KEYS = (*RATE_KEYS, "poses", "trans", "surface_model_type", "root_orient", "pose_body", "pose_hand")
"""What is read of a clip; other entries, some of which are pickled objects, are left alone."""
WALK_SPEED_LIMIT_M_S = 3.0
ALIKE = 0.85
"""A peak of the autocorrelation this near to the highest is as good."""
_WIDTHS = {"smplh": 156, "smplx": 165, "smpl": 72}


class MotionFileError(ValueError):
    """A motion file that cannot be used; the message names the file, the key, the value and what is needed."""


@dataclass(frozen=True, eq=False)
class Motion:
    """A clip in the z-up world: pose_rad (n, 156), translation_m (n, 3), rate in Hz, source layout, and warnings about doubtful content."""

    pose_rad: F64
    translation_m: F64
    rate_hz: float
    layout: str
    warnings: tuple[str, ...]

    @property
    def duration_s(self) -> float:
        """(n - 1) intervals at the rate."""
        return (len(self.pose_rad) - 1) / self.rate_hz


def _layout(data: dict[str, NDArray[Any]], path: Path) -> str:
    width = data["poses"].shape[1] if data["poses"].ndim == 2 else None
    named = str(data["surface_model_type"].reshape(-1)[0]) if data.get("surface_model_type", np.zeros(0)).size else None
    if named is not None and named not in _WIDTHS:
        raise MotionFileError(f"{path}: surface_model_type {named!r} is not one of {', '.join(_WIDTHS)}")
    layout = named or next((name for name, size in _WIDTHS.items() if size == width), None)
    if layout is None or width != _WIDTHS[layout]:
        known = ", ".join(f"{name} {size}" for name, size in _WIDTHS.items())
        raise MotionFileError(f"{path}: 'poses' has shape {data['poses'].shape}, surface_model_type {named!r}; known widths are {known}")
    return layout


def _rate(data: dict[str, NDArray[Any]], path: Path) -> float:
    try:
        found = {key: float(data[key].item()) for key in RATE_KEYS if key in data}
    except (TypeError, ValueError) as error:
        raise MotionFileError(f"{path}: the frame rate is not one number ({error})") from error
    if not found:
        raise MotionFileError(f"{path}: no frame rate; need one of {', '.join(RATE_KEYS)}, found {sorted(data)}. It is not assumed")
    if len(set(found.values())) > 1:
        raise MotionFileError(f"{path}: frame rates disagree: {found}")
    rate = next(iter(found.values()))
    if not 1.0 <= rate <= 1000.0:
        raise MotionFileError(f"{path}: frame rate {rate} is outside 1..1000 Hz")
    return rate


def _with_poses(data: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays, with `poses` put together where the file has them in parts (root, body, hands) only."""
    if "poses" in data or not {"root_orient", "pose_body"} <= set(data):
        return data
    n = len(np.atleast_1d(data["root_orient"]))
    hands = data.get("pose_hand", np.zeros((n, 90)))
    parts = [data["root_orient"], data["pose_body"], hands]
    if any(part.shape != (n, width) for part, width in zip(parts, (3, 63, 90), strict=True)):
        return data
    rest = {key: value for key, value in data.items() if key != "surface_model_type"}
    return rest | {"poses": np.concatenate(parts, axis=1)}


def _slice(poses: F64, layout: str) -> F64:
    """Poses (n, 156) from a layout: SMPL-X has jaw and eyes (joints 22..24) between body and hands, SMPL has two hand joints instead of
    30."""
    out = np.zeros((len(poses), 3 * N_JOINTS))
    out[:, :66] = poses[:, :66]
    if layout == "smplh":
        out[:, 66:] = poses[:, 66:156]
    elif layout == "smplx":
        out[:, 66:] = poses[:, 75:165]
    return out


UPRIGHT = 0.8
"""Least mean share of the pelvis' own up axis along the world's, in a clip whose up axis is measured."""


def measured_up(root_rotvec: F64, path: Path) -> str:
    """The axis, 'y' or 'z', along which the pelvis is upright in a clip (n, 3). Raises MotionFileError where it is along none."""
    mean = matrix_from_rotvec(root_rotvec)[:, :, 1].mean(axis=0)
    for axis, value in (("y", mean[1]), ("z", mean[2])):
        if value > UPRIGHT:
            return axis
    found = ", ".join(f"{value:+.2f}" for value in mean)
    raise MotionFileError(f"{path}: the pelvis is upright along neither +y nor +z (its mean up axis is {found}); name the up axis")


def read_amass(path: Path | str, body: BodyModel, up: str | None = "z") -> Motion:
    """Reads a clip. up: 'z' (AMASS) or 'y', the file's up axis, or None to measure it on an upright person. The lowest foot vertex of the
    clip's first frame is set on the floor.

    Raises MotionFileError for a missing key, an unknown layout, a missing or contradictory frame rate, or values that are not finite.
    """
    path = Path(path)
    if up not in ("y", "z", None):
        raise ValueError(f"up {up!r} is not one of y, z, None")
    try:
        data = _with_poses(read_npz(path, KEYS))
    except BodyFileError as error:
        raise MotionFileError(str(error)) from error
    missing = [key for key in ("poses", "trans") if key not in data]
    if missing:
        raise MotionFileError(f"{path}: keys {missing} are missing; found {sorted(data)}")
    layout, rate = _layout(data, path), _rate(data, path)
    try:
        poses, trans = _slice(np.asarray(data["poses"], np.float64), layout), np.asarray(data["trans"], np.float64)
    except (TypeError, ValueError) as error:
        raise MotionFileError(f"{path}: 'poses' or 'trans' hold no numbers ({error})") from error
    if trans.shape != (len(poses), 3) or len(poses) == 0:
        raise MotionFileError(f"{path}: 'trans' has shape {trans.shape} for {len(poses)} frames; need (n, 3)")
    if not (np.isfinite(poses).all() and np.isfinite(trans).all()):
        raise MotionFileError(f"{path}: poses or trans hold values that are not finite")
    if (up or measured_up(poses[:, :3], path)) == "y":
        turn = rotation_x(0.5 * np.pi)
        poses[:, :3] = rotvec_from_matrix(turn @ matrix_from_rotvec(poses[:, :3]))
        # the root turns about the pelvis, so the pelvis, not the translation, is what the axis change moves
        pelvis = body.rest_joints_m[0]
        trans = (trans + pelvis) @ turn.T - pelvis
    trans = trans - np.array([0.0, 0.0, _lowest_foot(body, poses[0], trans[0])])
    return Motion(poses, trans, rate, layout, _doubts(trans, rate, path, layout))


def _lowest_foot(body: BodyModel, pose: F64, translation: F64) -> float:
    vertices = skin(body, joint_transforms(body, pose, translation))
    feet = np.concatenate([foot_vertices(body, side) for side in ("left", "right")])
    return float(vertices[feet, 2].min())


def _doubts(trans: F64, rate: float, path: Path, layout: str) -> tuple[str, ...]:
    out = []
    if len(trans) > 1:
        span = max(1, round(0.5 * rate))
        shift = np.linalg.norm(trans[span:, :2] - trans[:-span, :2], axis=1) if len(trans) > span else np.zeros(1)
        speed = float(shift.max(initial=0.0)) * rate / span
        if "walk" in path.stem.lower() and speed > WALK_SPEED_LIMIT_M_S:
            out.append(f"root speed reaches {speed:.1f} m/s in a clip named {path.stem!r}: is {rate:g} Hz its true frame rate?")
    if layout == "smpl":
        out.append("SMPL clip: hand joints are not in the file and stay flat")
    return tuple(out)


def resample(motion: Motion, rate_hz: float) -> Motion:
    """The clip at another rate, by shortest-arc and linear interpolation; the duration (n - 1) / rate is kept to within one frame."""
    if rate_hz <= 0.0:
        raise ValueError(f"rate_hz {rate_hz} must be positive")
    count = int(np.floor(motion.duration_s * rate_hz + 1e-9)) + 1
    at = np.arange(count) / rate_hz * motion.rate_hz
    low = np.minimum(at.astype(np.int64), max(0, len(motion.pose_rad) - 2))
    share = np.where(len(motion.pose_rad) > 1, at - low, 0.0)
    high = np.minimum(low + 1, len(motion.pose_rad) - 1)
    joints = motion.pose_rad.reshape(-1, N_JOINTS, 3)
    poses = np.stack([slerp_rotvec(joints[a], joints[b], float(t)).reshape(-1) for a, b, t in zip(low, high, share, strict=True)])
    trans = (1.0 - share[:, None]) * motion.translation_m[low] + share[:, None] * motion.translation_m[high]
    return Motion(poses, trans, rate_hz, motion.layout, motion.warnings)


def expand_hand(values: NDArray[np.float64], kind: str, components: F64 | None = None, mean: F64 | None = None) -> F64:
    """Hand angles (45,) from 'axis_angle' (45 numbers in any shape) or 'pca' (6, 12 or 24 coefficients of `components` (45, 45) about
    `mean` (45,)).

    The kind is declared, never guessed from the size. Raises MotionFileError naming the size found and the sizes allowed.
    """
    flat = np.asarray(values, np.float64).reshape(-1)
    if kind == "axis_angle":
        if flat.size != 45:
            raise MotionFileError(f"hand of kind axis_angle has {flat.size} numbers; expects 45 axis-angle (15 joints x 3)")
        return flat
    if kind != "pca":
        raise MotionFileError(f"hand kind {kind!r} is not one of axis_angle, pca")
    if flat.size not in (6, 12, 24) or components is None or mean is None:
        raise MotionFileError(f"hand of kind pca has {flat.size} numbers; expects 6, 12 or 24 PCA coefficients with components and mean")
    out: F64 = np.asarray(mean, np.float64).reshape(45) + flat @ np.asarray(components, np.float64)[: flat.size]
    return out


def relative_to_mean(hand_rad: F64, mean: F64, stored: str, wanted: str) -> F64:
    """Converts hand angles (45,) between the conventions 'flat' (zero is a flat hand) and 'mean' (zero is the model's mean hand)."""
    for name in (stored, wanted):
        if name not in ("flat", "mean"):
            raise MotionFileError(f"hand convention {name!r} is not one of flat, mean")
    if stored == wanted:
        return np.array(hand_rad, np.float64)
    return hand_rad + mean if stored == "mean" else hand_rad - mean


def canonical_heading(motion: Motion, body: BodyModel) -> Motion:
    """The clip turned and moved so that in its first frame the pelvis is over the origin and faces +x."""
    root = matrix_from_rotvec(motion.pose_rad[:, :3])
    forward = root[0][:, 2]
    angle = -float(np.arctan2(forward[1], forward[0]))
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    poses = motion.pose_rad.copy()
    poses[:, :3] = rotvec_from_matrix(turn @ root)
    rest = body.rest_joints_m[0]
    pelvis = motion.translation_m + rest
    origin = pelvis[0] * np.array([1.0, 1.0, 0.0])
    return Motion(poses, (pelvis - origin) @ turn.T - rest, motion.rate_hz, motion.layout, motion.warnings)


def gait_period_s(motion: Motion) -> float | None:
    """Period of a walk in seconds by autocorrelation of the knee angles' difference, or None when the clip shows no clear period."""
    joints = motion.pose_rad.reshape(-1, N_JOINTS, 3)
    signal = joints[:, JOINT["left_knee"], 0] - joints[:, JOINT["right_knee"], 0]
    signal = signal - signal.mean()
    power = float(signal @ signal)
    shortest, longest = round(0.6 * motion.rate_hz), min(len(signal) - 2, round(2.2 * motion.rate_hz))
    if power < 1e-6 or longest <= shortest + 2:
        return None
    lags = np.arange(shortest, longest + 1)
    scores = np.array([float(signal[:-lag] @ signal[lag:]) / (len(signal) - lag) for lag in lags]) * len(signal) / power
    peaks = [k for k in range(1, len(lags) - 1) if scores[k] >= max(scores[k - 1], scores[k + 1])]
    # twice the period fits as well as the period: the first peak that is nearly the highest
    good = [k for k in peaks if scores[k] > 0.5 and scores[k] >= ALIKE * max(scores[p] for p in peaks)]
    if not good:
        return None
    best = good[0]
    left, middle, right = scores[best - 1 : best + 2]
    bend = left - 2.0 * middle + right
    return float((lags[best] + (0.5 * (left - right) / bend if bend < 0.0 else 0.0)) / motion.rate_hz)
