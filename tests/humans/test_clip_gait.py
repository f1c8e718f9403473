"""A walk taken over from a clip: measured in every layout, walked within the bounds of the built-in gait, refused where there is none."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from humans.clip_arms import arm_gap_m
from humans.clip_gait import read_gait, with_gait
from humans.gait import walk
from humans.gait_style import SHAPE, GaitStyle
from humans.halting import halt
from humans.model import JOINT
from humans.motion_files import Motion, MotionFileError, gait_period_s
from humans.postures import stand
from tests.humans.clips import BODY, Clip, arm_swing, arms_inwards, clip, facing, joints, save
from tests.humans.tracks import TRACKS, Walked, straight, walked

SLIDE_M = 0.006
"""What the built-in gait keeps in the flat."""


@cache
def built_in(name: str) -> Walked:
    return walked(BODY, walk(BODY, TRACKS[name]))


def angles_between(one: Walked, other: Walked) -> np.ndarray:
    """Angle between the local rotations, (n, 52), degrees."""
    cosine = 0.5 * (np.einsum("njab,njab->nj", one.local, other.local) - 1.0)
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


@pytest.mark.parametrize(
    ("fps", "layout", "up", "heading"),
    [
        (30.0, "smplh", "z", 0.0),
        (60.0, "smplx", "z", 2.4),
        (120.0, "smplh", "y", -1.1),
        (60.0, "smpl", "y", 3.1),
        (120.0, "smplx", "y", 0.7),
    ],
)
def test_our_own_walk_as_a_clip_walks_like_it(tmp_path: Path, fps: float, layout: str, up: str, heading: float) -> None:
    style = read_gait(save(tmp_path / "walk.npz", clip(fps, heading=heading), fps, layout=layout, up=up), BODY)
    assert style.notes == ()
    assert style.shape.step_m == pytest.approx(SHAPE.step_m, rel=0.08)
    assert style.shape.walk_ratio == pytest.approx(SHAPE.walk_ratio, rel=0.12)
    assert style.shape.double_support == pytest.approx(SHAPE.double_support, abs=0.02)
    body = with_gait(BODY, style)
    for name in ("straight", "s_path"):
        mine = walked(body, walk(body, TRACKS[name]))
        off = angles_between(mine, built_in(name))
        assert np.sqrt((off**2).mean()) < 1.5
        assert off[:, [JOINT["left_hip"], JOINT["right_hip"], JOINT["left_shoulder"], JOINT["right_shoulder"], JOINT["head"]]].max() < 6.0
        apart = np.linalg.norm(mine.transforms[:, :22, :3, 3] - built_in(name).transforms[:, :22, :3, 3], axis=2)
        assert apart.max() < 0.06


OTHERS = ("short quick steps", "fast", "still arms", "wide swing", "arms in the hips", "long legs", "noise", "bent forward")
NO_WALKS = (
    *("nobody moves", "a pose that glides", "too few frames", "one step", "too few frames a second", "backwards", "sideways"),
    *("nobody upright", "feet on ice"),
)


def other_clips() -> dict[str, Clip]:
    """Walks that differ from ours."""
    short = clip(60.0, speed=0.9, shape=replace(SHAPE, walk_ratio=0.0045))
    plain = clip(60.0)
    rng = np.random.default_rng(4)
    bent = joints(plain)
    bent[:, JOINT["spine1"], 0] += 0.3
    return {
        "short quick steps": short,
        "fast": clip(60.0, speed=1.5),
        "still arms": arm_swing(plain, 0.1),
        "wide swing": arm_swing(plain, 2.2),
        "arms in the hips": arms_inwards(plain, 0.25),
        "long legs": (plain[0], 1.15 * plain[1]),
        "noise": (plain[0] + rng.normal(0.0, 0.006, plain[0].shape), plain[1] + rng.normal(0.0, 0.0015, plain[1].shape)),
        "bent forward": (bent.reshape(len(bent), -1), plain[1]),
    }


@cache
def other_styles() -> dict[str, GaitStyle]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return {name: read_gait(save(Path(folder) / "a_clip.npz", made, 60.0), BODY) for name, made in other_clips().items()}


@pytest.mark.parametrize("track", sorted(TRACKS))
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.rotating(12)
def test_any_clip_keeps_the_bounds_on_any_track(name: str, track: str) -> None:
    body = with_gait(BODY, other_styles()[name])
    one = walked(body, walk(body, TRACKS[track]))
    assert max(one.sole_slide_m(BODY, side) for side in ("left", "right")) < SLIDE_M
    assert -0.003 < one.lowest_foot_m(BODY).min() and one.lowest_foot_m(BODY).max() < 0.008
    assert one.joint_speed()[:, 1:].max() < 10.0
    hands = one.transforms[:, JOINT["left_wrist"] : JOINT["right_wrist"] + 1, :3, 3]
    assert np.linalg.norm(np.diff(hands, axis=0), axis=2).max() * 12 < 2.5
    assert min(arm_gap_m(BODY, frame) for frame in one.transforms) > 0.0
    assert (one.frames.left_stance | one.frames.right_stance).all()
    assert np.linalg.norm(one.transforms[:, 0, :2, 3] - TRACKS[track].xy_m, axis=1).max() <= 0.021
    for index in (0, -1):
        pose, translation = stand(BODY, TRACKS[track].xy_m[index], float(TRACKS[track].heading_rad[index]))
        assert np.abs(one.frames.translation_m[index] - translation).max() < 1e-6
        assert np.abs(one.frames.pose_rad[index] - pose).max() < 1e-4


def test_what_differs_in_the_clip_differs_in_the_walk() -> None:
    styles = other_styles()
    assert sorted(styles) == sorted(OTHERS)
    assert styles["short quick steps"].shape.step_m < 0.85 * styles["still arms"].shape.step_m

    def swing(style: GaitStyle) -> float:
        body = with_gait(BODY, style)
        one = walked(body, walk(body, straight(6.0)))
        return float(np.ptp(one.transforms[30:60, JOINT["left_wrist"], 0, 3] - one.transforms[30:60, 0, 0, 3]))

    ours = float(np.ptp(built_in("s_path").transforms[:, 0, 2, 3]))
    assert 0.02 < ours < 0.05
    assert swing(styles["still arms"]) < 0.4 * swing(GaitStyle())
    assert swing(styles["wide swing"]) > 0.8 * swing(GaitStyle())
    assert any("reduced" in note for note in styles["wide swing"].notes)
    assert any("led" in note for note in styles["arms in the hips"].notes)
    bent, upright = (with_gait(BODY, styles[k]) for k in ("bent forward", "still arms"))
    heads = [walked(b, walk(b, straight(6.0))).transforms[45] for b in (bent, upright)]
    lead = [t[JOINT["neck"], 0, 3] - t[0, 0, 3] for t in heads]
    assert lead[0] - lead[1] > 0.08
    assert all(abs(np.degrees(np.arcsin(t[JOINT["head"], 2, 2]))) < 6.0 for t in heads)


@pytest.mark.parametrize("frame", [12, 17, 23, 30])
def test_a_clip_walk_is_given_up_like_every_walk(frame: int) -> None:
    body = with_gait(BODY, other_styles()["short quick steps"])
    track = straight(6.0)
    frames = walk(body, track)
    rest = halt(body, track, frame, frames.pose_rad[frame])
    assert rest is not None
    assert np.abs(rest.pose_rad[0] - frames.pose_rad[frame]).max() < 0.02  # as for the built-in gait: the root brakes from there on
    pose, _ = stand(BODY, rest.track.xy_m[-1], float(rest.track.heading_rad[-1]))
    assert np.abs(rest.pose_rad[-1] - pose).max() < 1e-4
    step = np.abs(np.diff(rest.pose_rad, axis=0)).max()
    assert step * 12 < 10.0


def test_the_style_depends_on_the_file_alone(tmp_path: Path) -> None:
    path = save(tmp_path / "walk.npz", clip(60.0), 60.0)
    one, two = read_gait(path, BODY), read_gait(path, BODY)
    assert one.source == two.source and one.source.startswith("walk.npz:")
    assert one.shape == two.shape and one.cycle is not None and two.cycle is not None
    assert one.cycle.rotvec.tobytes() == two.cycle.rotvec.tobytes()


@cache
def no_walks() -> dict[str, tuple[Clip, float, str]]:
    poses, trans = clip(60.0)
    stood = np.repeat(poses[:1], 200, axis=0)
    glide = np.pad(np.outer(np.arange(200) / 60.0, [1.1, 0.0, 0.0]), ((0, 0), (0, 0)))
    lying = poses.copy()
    lying[:, :3] = 0.0
    lying[:, 2] = -0.5 * np.pi
    hop = joints((poses, trans))
    hop[:, JOINT["right_hip"]] = hop[:, JOINT["left_hip"]]
    return {
        "nobody moves": ((stood, np.zeros((200, 3))), 60.0, "nobody walks"),
        "a pose that glides": ((stood, glide), 60.0, "no clear period"),
        "too few frames": ((poses[:40], trans[:40]), 60.0, "lasts 0.65 s"),
        "one step": ((poses[100:190], trans[100:190]), 60.0, "too short|no clear period"),
        "too few frames a second": ((poses[::5], trans[::5]), 12.0, "12 frames a second"),
        "backwards": ((poses, trans[::-1].copy()), 60.0, "faces 1[78]. degrees off"),
        "sideways": (facing((poses, trans), 0.5 * np.pi), 60.0, "faces (8|9). degrees off"),
        "nobody upright": ((lying, trans), 60.0, "upright along neither"),
        "feet on ice": ((poses, 2.5 * trans), 60.0, "no whole stride"),
    }


@pytest.mark.parametrize("name", NO_WALKS)
def test_a_clip_without_a_walk_is_refused_with_the_reason(tmp_path: Path, name: str) -> None:
    assert sorted(no_walks()) == sorted(NO_WALKS)
    made, fps, word = no_walks()[name]
    with pytest.raises(MotionFileError, match=word) as error:
        read_gait(save(tmp_path / "clip.npz", made, fps), BODY)
    assert "clip.npz" in str(error.value)


def test_the_period_is_the_stride_and_not_its_double() -> None:
    """A quick walk fits twice into the longest period that is looked for."""
    poses, trans = clip(60.0, speed=1.5, shape=replace(SHAPE, walk_ratio=0.004))
    period = gait_period_s(Motion(poses[60:-60], trans[60:-60], 60.0, "smplh", ()))
    cadence = np.sqrt(1.5 * 60.0 / 0.004)
    assert period == pytest.approx(120.0 / cadence, rel=0.06)
