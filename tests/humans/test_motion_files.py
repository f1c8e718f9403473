"""AMASS clips: rates, layouts, axes, hands (cases.md F)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from humans.gait import walk
from humans.kinematics import joint_transforms, root_pose, skin
from humans.model import JOINT, load_body
from humans.motion_files import (
    Motion,
    MotionFileError,
    canonical_heading,
    expand_hand,
    gait_period_s,
    read_amass,
    relative_to_mean,
    resample,
)
from humans.rotations import matrix_from_rotvec, rotation_x, rotvec_from_matrix
from tests.humans.tracks import straight

BODY = load_body()


def clip(path: Path, frames: int = 5, width: int = 156, drop: tuple[str, ...] = (), **more: object) -> Path:
    poses = np.zeros((frames, width))
    poses[:, :3] = root_pose(0.0)
    data: dict[str, object] = {"poses": poses, "trans": np.zeros((frames, 3)), "mocap_framerate": 120.0, "gender": b"male"}
    data = {k: v for k, v in (data | more).items() if k not in drop}
    np.savez(path, **data)  # type: ignore[arg-type]
    return path


def test_either_rate_key_is_read_and_none_is_an_error(tmp_path: Path) -> None:
    """cases.md F, VIBE#243: three npz (either key, none -> error, never 30)."""
    assert read_amass(clip(tmp_path / "a.npz"), BODY).rate_hz == 120.0
    assert read_amass(clip(tmp_path / "b.npz", drop=("mocap_framerate",), mocap_frame_rate=60.0), BODY).rate_hz == 60.0
    with pytest.raises(MotionFileError, match="mocap_framerate, mocap_frame_rate"):
        read_amass(clip(tmp_path / "c.npz", drop=("mocap_framerate",)), BODY)
    with pytest.raises(MotionFileError, match="disagree"):
        read_amass(clip(tmp_path / "d.npz", mocap_frame_rate=60.0), BODY)


def test_901_frames_at_120_hz_are_226_samples_at_30_hz(tmp_path: Path) -> None:
    """cases.md F: 900 intervals at 120 Hz = 7.5 s."""
    motion = read_amass(clip(tmp_path / "a.npz", frames=901), BODY)
    assert motion.duration_s == 7.5
    assert len(resample(motion, 30.0).pose_rad) == 226


def test_walk_that_runs_is_doubted(tmp_path: Path) -> None:
    """cases.md F: a clip whose root speed becomes 4.8 m/s for "walk" -> warning."""
    trans = np.zeros((121, 3))
    trans[:, 0] = np.arange(121) * 0.04
    fast = read_amass(clip(tmp_path / "B3_walk1.npz", frames=121, trans=trans), BODY)
    assert any("4.8 m/s" in w and "120 Hz" in w for w in fast.warnings)
    slow = read_amass(clip(tmp_path / "walk2.npz", frames=121, trans=trans, mocap_framerate=30.0), BODY)
    assert slow.warnings == ()


@pytest.mark.parametrize(("width", "layout", "hands"), [(156, "smplh", 66), (165, "smplx", 75), (72, "smpl", None)])
def test_joints_are_sliced_by_layout(tmp_path: Path, width: int, layout: str, hands: int | None) -> None:
    """cases.md F: AMASS width 156 (52 joints), 165 (55), 72 (24): sliced by layout name."""
    poses = np.tile(np.linspace(0.0, 0.5, width), (2, 1))
    poses[:, :3] = root_pose(0.0)
    motion = read_amass(clip(tmp_path / "a.npz", frames=2, width=width, poses=poses), BODY)
    assert motion.layout == layout
    assert np.allclose(motion.pose_rad[:, :66], poses[:, :66])
    want = poses[:, hands:] if hands is not None else np.zeros((2, 90))
    assert np.allclose(motion.pose_rad[:, 66:], want)


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({"poses": np.zeros((5, 150))}, "smplh 156, smplx 165, smpl 72"),
        ({"surface_model_type": np.array("smplx")}, "smplx"),
        ({"surface_model_type": np.array("smal")}, "smal"),
        ({"trans": np.zeros((4, 3))}, "trans"),
        ({"trans": np.full((5, 3), np.inf)}, "finite"),
        ({"mocap_framerate": 0.0}, "1..1000"),
    ],
)
def test_unsuitable_clips_are_named(tmp_path: Path, more: dict[str, object], word: str) -> None:
    with pytest.raises(MotionFileError, match=word):
        read_amass(clip(tmp_path / "a.npz", **more), BODY)  # type: ignore[arg-type]
    with pytest.raises(MotionFileError, match="missing"):
        read_amass(clip(tmp_path / "b.npz", drop=("trans",)), BODY)


def test_y_up_clip_stands_on_the_floor(tmp_path: Path) -> None:
    """cases.md F, smplx#36: after conversion the lowest foot vertex is at z = 0 +-1 cm and the head above the pelvis."""
    poses = np.zeros((2, 156))
    poses[:, :3] = rotvec_from_matrix(rotation_x(-np.pi / 2) @ matrix_from_rotvec(root_pose(0.3)))
    motion = read_amass(clip(tmp_path / "a.npz", frames=2, poses=poses, trans=np.tile([1.0, 0.9, 2.0], (2, 1))), BODY, up="y")
    transforms = joint_transforms(BODY, motion.pose_rad[0], motion.translation_m[0])
    assert abs(skin(BODY, transforms)[:, 2].min()) < 0.01
    assert transforms[JOINT["head"], 2, 3] - transforms[0, 2, 3] > 0.5
    pelvis = BODY.rest_joints_m[0] + (1.0, 0.9, 2.0)
    assert np.allclose(transforms[0, :2, 3], (pelvis[0], -pelvis[2]), atol=1e-9)


def walking_clip() -> Motion:
    frames = walk(BODY, straight(6.0))
    return Motion(frames.pose_rad, frames.translation_m, 12.0, "smplh", ())


def test_gait_period_is_found() -> None:
    """At 1.1 m/s the cadence is 105 steps a minute, so a cycle takes 1.14 s; a clip at rest has no period."""
    assert gait_period_s(walking_clip()) == pytest.approx(1.14, abs=0.12)
    still = Motion(np.zeros((60, 156)), np.zeros((60, 3)), 12.0, "smplh", ())
    assert gait_period_s(still) is None


def test_canonical_heading_faces_x_from_the_origin() -> None:
    motion = walking_clip()
    turned = Motion(motion.pose_rad.copy(), motion.translation_m.copy(), 12.0, "smplh", ())
    turned.pose_rad[:, :3] = np.array([root_pose(2.0)] * len(turned.pose_rad))
    out = canonical_heading(turned, BODY)
    first = joint_transforms(BODY, out.pose_rad[0], out.translation_m[0])[0]
    assert np.allclose(first[:2, 3], 0.0, atol=1e-9)
    assert np.allclose(first[:3, 2], (1.0, 0.0, 0.0), atol=1e-6)


@pytest.mark.parametrize(
    ("shape", "kind"),
    [((45,), "axis_angle"), ((15, 3), "axis_angle"), ((1, 15, 3), "axis_angle"), ((6,), "pca"), ((12,), "pca"), ((24,), "pca")],
)
def test_hands_are_accepted_by_declared_kind(shape: tuple[int, ...], kind: str) -> None:
    """cases.md F, smplx#110: hand arrays of width 6, 12, 24, 45, shape (15,3), (1,15,3)."""
    mean = np.full(45, 0.1)
    out = expand_hand(np.ones(shape), kind, np.eye(45), mean)
    assert out.shape == (45,)
    assert np.allclose(out, 1.0 if kind == "axis_angle" else mean + (np.arange(45) < np.prod(shape)))
    with pytest.raises(MotionFileError, match="45 axis-angle|6, 12 or 24 PCA"):
        expand_hand(np.ones(shape), "pca" if kind == "axis_angle" else "axis_angle", np.eye(45), mean)


def test_flat_and_mean_hand_conventions_convert_back() -> None:
    """cases.md F, smplx#208: there and back is the identity to 1e-9; the mean is never added to what already holds it."""
    mean, hand = np.linspace(-0.3, 0.4, 45), np.linspace(0.0, 1.0, 45)
    stored = relative_to_mean(hand, mean, "flat", "mean")
    assert np.abs(relative_to_mean(stored, mean, "mean", "flat") - hand).max() < 1e-9
    assert np.array_equal(relative_to_mean(hand, mean, "flat", "flat"), hand)
    assert np.allclose(relative_to_mean(np.zeros(45), mean, "mean", "flat"), mean)
    with pytest.raises(MotionFileError, match="flat, mean"):
        relative_to_mean(hand, mean, "zero", "flat")


def test_entries_that_are_not_needed_may_be_anything(tmp_path: Path) -> None:
    """`*_stageii.npz` of AMASS keep pickled dictionaries beside the arrays; they are not loaded."""
    path = clip(tmp_path / "a_stageii.npz", width=165, surface_model_type="smplx", markers_latent_vids=np.array({"a": 1}, object))
    assert read_amass(path, BODY).layout == "smplx"


def test_a_clip_in_parts_is_put_together(tmp_path: Path) -> None:
    parts: dict[str, Any] = {
        "root_orient": np.tile(root_pose(0.0), (5, 1)),
        "pose_body": np.full((5, 63), 0.1),
        "pose_hand": np.full((5, 90), 0.2),
    }
    motion = read_amass(clip(tmp_path / "a.npz", drop=("poses",), surface_model_type="smplx", **parts), BODY)
    assert np.allclose(motion.pose_rad[:, 3:66], 0.1) and np.allclose(motion.pose_rad[:, 66:], 0.2)
    with pytest.raises(MotionFileError, match="missing"):
        read_amass(clip(tmp_path / "b.npz", drop=("poses",), **(parts | {"pose_body": np.zeros((4, 63))})), BODY)


def test_the_up_axis_is_measured_where_it_is_not_said(tmp_path: Path) -> None:
    upright = clip(tmp_path / "z.npz")
    turned = np.zeros((5, 156))
    turned[:, :3] = rotvec_from_matrix(rotation_x(-np.pi / 2) @ matrix_from_rotvec(root_pose(0.3)))
    for path in (upright, clip(tmp_path / "y.npz", poses=turned)):
        motion = read_amass(path, BODY, up=None)
        transforms = joint_transforms(BODY, motion.pose_rad[0], motion.translation_m[0])
        assert transforms[JOINT["head"], 2, 3] - transforms[0, 2, 3] > 0.5
    lying = np.zeros((5, 156))
    lying[:, 2] = 0.5 * np.pi
    with pytest.raises(MotionFileError, match="upright along neither"):
        read_amass(clip(tmp_path / "x.npz", poses=lying), BODY, up=None)


@pytest.mark.parametrize("cut", [2, 200, 0.5, -20])
def test_a_clip_that_is_cut_short_is_named(tmp_path: Path, cut: float) -> None:
    whole = clip(tmp_path / "a.npz", frames=300).read_bytes()
    path = tmp_path / "cut.npz"
    path.write_bytes(whole[: int(cut * len(whole)) if 0 < cut < 1 else int(cut)])
    with pytest.raises(MotionFileError, match="cut.npz: not a readable npz"):
        read_amass(path, BODY)


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({"mocap_framerate": np.array([30.0, 60.0])}, "not one number"),
        ({"mocap_framerate": np.array("fast")}, "not one number"),
        ({"mocap_framerate": np.nan}, "1..1000"),
        ({"poses": np.full((5, 156), "a")}, "no numbers"),
        ({"poses": np.zeros(156)}, "shape"),
        ({"poses": np.array([{}], object)}, "not a readable npz"),
    ],
)
def test_values_of_another_kind_are_named(tmp_path: Path, more: dict[str, object], word: str) -> None:
    with pytest.raises(MotionFileError, match=word):
        read_amass(clip(tmp_path / "a.npz", **more), BODY)  # type: ignore[arg-type]
