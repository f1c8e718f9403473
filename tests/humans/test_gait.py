"""The walk on tracks of every kind: feet that stay where they stand, speeds a body can do, the floor, the thighs."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from humans.arms import arm_overlay
from humans.footsteps import phase_of, plan_steps, step_rates
from humans.gait import RootTrack, walk
from humans.gait_style import SHAPE
from humans.kinematics import joint_transforms
from humans.legs import PITCH_GRID_RAD, SIDES, foot
from humans.model import JOINT, load_body
from humans.postures import stand
from humans.proxies import CAPSULE, capsules, signed_distance
from humans.rotations import matrix_from_rotvec
from tests.humans.tracks import TRACKS, Walked, ramp, rested, straight, vertices_of, walked

BODY = load_body()
everywhere = pytest.mark.parametrize("name", sorted(TRACKS))


@cache
def walk_of(name: str) -> Walked:
    return walked(BODY, walk(BODY, TRACKS[name]))


@everywhere
def test_feet_do_not_slide_while_flat(name: str) -> None:
    for side in ("left", "right"):
        assert walk_of(name).sole_slide_m(BODY, side) < 0.015


@everywhere
def test_one_foot_always_stands(name: str) -> None:
    frames = walk_of(name).frames
    assert (frames.left_stance | frames.right_stance).all()


@everywhere
def test_no_joint_turns_faster_than_10_rad_s(name: str) -> None:
    speed = walk_of(name).joint_speed()[:, 1:]
    frame, joint = np.unravel_index(int(speed.argmax()), speed.shape)
    assert speed.max() < 10.0, f"{BODY.joint_names[joint + 1]} at frame {frame}"


@everywhere
def test_no_hand_moves_faster_than_2_5_m_s(name: str) -> None:
    hands = walk_of(name).transforms[:, JOINT["left_wrist"] : JOINT["right_wrist"] + 1, :3, 3]
    assert np.linalg.norm(np.diff(hands, axis=0), axis=2).max() * 12 < 2.5


@everywhere
def test_lowest_sole_vertex_is_on_the_floor(name: str) -> None:
    low = walk_of(name).lowest_foot_m(BODY)
    assert low.min() > -0.003
    assert low.max() < 0.008


@everywhere
def test_knee_never_pops(name: str) -> None:
    """The knee neither locks straight nor bends backwards, and its speed never jumps by more than half the allowed joint speed."""
    local = walk_of(name).local
    for side in ("left", "right"):
        rotation = local[:, JOINT[f"{side}_knee"]]
        angle = np.arctan2(rotation[:, 2, 1], rotation[:, 1, 1])
        assert angle.min() > np.radians(1.0)
        assert np.abs(np.diff(angle)).max() * 12 < 8.0


@everywhere
def test_arms_keep_clear_of_the_legs(name: str) -> None:
    one = walk_of(name)
    arm = vertices_of(BODY, *range(JOINT["left_elbow"], JOINT["right_wrist"] + 1), *range(22, 52))
    legs = [CAPSULE[f"{side}_thigh"] for side in ("left", "right")]
    for transforms, vertices in zip(one.transforms, one.vertices, strict=True):
        assert signed_distance(vertices[arm], capsules(BODY, transforms))[:, legs].min() > 0.0


@everywhere
def test_legs_keep_clear_of_each_other(name: str) -> None:
    one = walk_of(name)
    left = vertices_of(BODY, JOINT["left_ankle"], JOINT["left_foot"])
    other = [CAPSULE["right_foot"], CAPSULE["right_shin"]]
    for transforms, vertices in zip(one.transforms, one.vertices, strict=True):
        assert signed_distance(vertices[left], capsules(BODY, transforms))[:, other].min() > 0.0


@everywhere
def test_starts_and_ends_in_the_idle_stance(name: str) -> None:
    frames, track = walk_of(name).frames, TRACKS[name]
    for index in (0, -1):
        pose, translation = stand(BODY, track.xy_m[index], float(track.heading_rad[index]))
        assert np.abs(frames.translation_m[index] - translation).max() < 1e-6
        difference = matrix_from_rotvec(frames.pose_rad[index].reshape(52, 3)) - matrix_from_rotvec(pose.reshape(52, 3))
        assert np.abs(difference).max() < 1e-5


@everywhere
def test_pelvis_follows_the_track(name: str) -> None:
    pelvis = walk_of(name).transforms[:, 0, :2, 3]
    assert np.linalg.norm(pelvis - TRACKS[name].xy_m, axis=1).max() <= 0.021


def test_straight_walk_moves_as_textbooks_say() -> None:
    """Knee 50-65 degrees in swing and 10-22 after heel strike, pelvis rise and fall of 2-5 cm, arms opposite to the legs."""
    one = walked(BODY, walk(BODY, straight(8.0)))
    middle = slice(40, 70)
    knee = one.local[middle, JOINT["left_knee"]]
    angle = np.degrees(np.arctan2(knee[:, 2, 1], knee[:, 1, 1]))
    assert 50.0 < angle.max() < 65.0
    height = one.transforms[middle, 0, 2, 3]
    assert 0.02 < np.ptp(height) < 0.05
    along = one.transforms[middle, :, 0, 3] - one.transforms[middle, 0, 0, 3][:, None]
    left_arm, right_leg = along[:, JOINT["left_wrist"]], along[:, JOINT["right_ankle"]]
    assert np.corrcoef(left_arm, right_leg)[0, 1] > 0.8
    assert np.ptp(left_arm) > 0.2


def test_turning_on_the_spot_steps() -> None:
    frames = walk_of("turn_180").frames
    for mask in (frames.left_stance, frames.right_stance):
        assert np.count_nonzero(np.diff(mask.astype(int)) == -1) >= 2


def test_overlay_arm_is_kept_in_every_frame() -> None:
    pose, _ = stand(BODY, (0.0, 0.0), 0.0)
    carrying = pose.reshape(52, 3).copy()
    carrying[JOINT["right_elbow"]] = [0.0, 1.4, 0.0]
    plain = walk(BODY, TRACKS["straight"])
    carried = walk(BODY, TRACKS["straight"], overlay=arm_overlay(carrying, ("right",)))
    right = carried.pose_rad.reshape(-1, 52, 3)[:, JOINT["right_elbow"]]
    assert np.allclose(right, [0.0, 1.4, 0.0])
    assert np.array_equal(plain.pose_rad.reshape(-1, 52, 3)[:, :12], carried.pose_rad.reshape(-1, 52, 3)[:, :12])


def test_raised_floor_lifts_everything() -> None:
    low, high = walk(BODY, TRACKS["start_stop"]), walk(BODY, TRACKS["start_stop"], floor_z_m=0.35)
    assert np.allclose(high.translation_m - low.translation_m, [0.0, 0.0, 0.35], atol=1e-9)
    assert np.allclose(high.pose_rad, low.pose_rad, atol=1e-9)


def test_walk_does_not_depend_on_where_it_starts() -> None:
    """Moved and turned tracks give the same gait, also across the +-pi seam of the heading."""
    track, angle = TRACKS["s_path"], 2.9
    c, s = np.cos(angle), np.sin(angle)
    wrapped = (track.heading_rad + angle + np.pi) % (2 * np.pi) - np.pi
    moved = walk(BODY, RootTrack(track.xy_m @ np.array([[c, s], [-s, c]]) + [3.0, -7.0], wrapped))
    assert np.allclose(moved.pose_rad[:, 3:], walk_of("s_path").frames.pose_rad[:, 3:], atol=1e-6)


def test_rest_inside_a_track_closes_the_feet() -> None:
    first, second = straight(1.5, after=12), straight(1.5)
    xy = np.concatenate([first.xy_m, first.xy_m[-1] + second.xy_m[1:]])
    frames = walk(BODY, RootTrack(xy, np.zeros(len(xy))))
    rest = len(first.xy_m) - 4
    pose, translation = stand(BODY, xy[rest], 0.0)
    assert np.abs(frames.translation_m[rest] - translation).max() < 1e-6
    assert np.abs(frames.pose_rad[rest] - pose).max() < 1e-5


def test_phase_stops_while_the_root_stops() -> None:
    rates = step_rates(np.repeat([[0.0, 0.0]], 5, axis=0), np.zeros(5), 12)
    assert np.array_equal(rates, np.zeros(4))
    phase, steps = phase_of(step_rates(TRACKS["straight"].xy_m, TRACKS["straight"].heading_rad, 12))
    assert steps == phase[-1] == 6
    assert (np.diff(phase) > 0.0).all()


def test_footholds_come_from_the_future_track() -> None:
    """A foothold lies where the root passes in the middle of its stance."""
    track = straight(8.0)
    plan = plan_steps(track.xy_m, track.heading_rad, 0, len(track.heading_rad) - 1, replace(SHAPE, back_m=0.0))
    hold = plan.holds["left"][3]
    passes = float(np.interp(0.5 * (hold.land + hold.lift), plan.phase, track.xy_m[:, 0]))
    assert abs(hold.x_m - passes) < 0.06
    assert 0.08 < hold.y_m < 0.11


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_shortest_tracks(count: int) -> None:
    xy = np.c_[np.linspace(0.0, 0.05, count), np.zeros(count)]
    frames = walk(BODY, RootTrack(xy, np.zeros(count)))
    assert np.isfinite(frames.pose_rad).all()
    low = joint_transforms(BODY, frames.pose_rad[-1], frames.translation_m[-1])
    assert low[0, 2, 3] > 0.9


@pytest.mark.parametrize(
    ("xy", "heading", "word"),
    [
        (np.zeros((3, 2)), np.zeros(4), r"\(4,\)"),
        (np.zeros((0, 2)), np.zeros(0), "n >= 1"),
        (np.full((2, 2), np.nan), np.zeros(2), "finite"),
    ],
)
def test_bad_tracks_are_refused(xy: np.ndarray, heading: np.ndarray, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        walk(BODY, RootTrack(xy, heading))


def test_same_track_gives_the_same_bytes() -> None:
    again = walk(BODY, TRACKS["curve_left"])
    assert again.pose_rad.tobytes() == walk_of("curve_left").frames.pose_rad.tobytes()


def random_track(seed: int) -> RootTrack:
    """A short walk in any direction relative to the heading, turning on the way."""
    rng = np.random.default_rng(seed)
    s = ramp(float(rng.uniform(0.1, 0.6)), float(rng.uniform(0.4, 0.8)))
    direction, turn = rng.uniform(-np.pi, np.pi), rng.uniform(-1.2, 1.2)
    return rested(np.c_[s * np.cos(direction), s * np.sin(direction)], turn * s / s[-1])


@pytest.mark.parametrize("seed", range(8))
def test_any_small_step_keeps_feet_floor_and_speeds(seed: int) -> None:
    one = walked(BODY, walk(BODY, random_track(seed)))
    assert max(one.sole_slide_m(BODY, side) for side in ("left", "right")) < 0.015
    assert -0.003 < one.lowest_foot_m(BODY).min()
    assert one.lowest_foot_m(BODY).max() < 0.008
    assert one.joint_speed()[:, 1:].max() < 10.0
    assert np.abs(np.diff(one.transforms[:, 0, 2, 3])).max() < 0.05


@pytest.mark.parametrize("side", SIDES)
def test_the_height_of_a_rolled_ankle_is_interpolated_and_flat_outside_its_grid(side: str) -> None:
    shape = foot(load_body(), side)
    for pitch in (*np.linspace(-2.0, 2.0, 401), *PITCH_GRID_RAD):
        assert shape.ankle_height(float(pitch)) == np.interp(pitch, PITCH_GRID_RAD, shape.lift_m), pitch
