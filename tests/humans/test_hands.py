"""Grip families, adaptive wrapping around objects of several sizes, mirrored hands, hand poses."""

from __future__ import annotations

import time

import numpy as np
import pytest

from humans.hands import (
    CONTACT_BAND_M,
    FAMILIES,
    HAND_POSES,
    MAX_PENETRATION_M,
    PALM,
    Plane,
    family,
    family_pose,
    hand_joints,
    hand_pose,
    seat,
    set_hand,
    wrap,
)
from humans.kinematics import joint_transforms, mirrored, root_pose, skin
from humans.model import FINGERS, JOINT, load_body
from humans.postures import stand
from humans.voxels import Voxels

BODY = load_body()


def wrist(side: str) -> tuple[np.ndarray, np.ndarray]:
    """An arbitrary arm pose and the wrist's world transform in it."""
    pose, translation = stand(BODY, (0.4, -0.7), 1.1)
    pose = pose.reshape(52, 3).copy()
    pose[JOINT[f"{side}_elbow"]] += [0.2, 0.5, -0.1]
    return pose.reshape(-1), joint_transforms(BODY, pose.reshape(-1), translation)[JOINT[f"{side}_wrist"]]


def round_object(name: str, side: str, radius: float, world: np.ndarray):
    """Signed distance of a sphere, or of a long cylinder for side_wrap, at the seat of a family."""
    place = seat(name, side, radius)
    centre, axis = world[:3, :3] @ place.centre_m + world[:3, 3], world[:3, :3] @ place.axis

    def distance(points: np.ndarray) -> np.ndarray:
        off = points - centre
        if name == "side_wrap":
            off = off - np.outer(off @ axis, axis)
        return np.linalg.norm(off, axis=1) - radius

    return distance


SIZES = {"side_wrap": (0.02, 0.03, 0.04), "round_wrap": (0.03, 0.04, 0.05), "pinch": (0.003, 0.008, 0.02)}
CASES = [(name, side, radius) for name in FAMILIES for side in ("left", "right") for radius in SIZES[name]]


@pytest.mark.parametrize(("name", "side", "radius"), CASES)
def test_wrap_touches_without_cutting_in(name: str, side: str, radius: float) -> None:
    """Seed B.2.2: 6 mm band, at most 4 mm deep, at least four of five fingers (a pinch: thumb and one finger)."""
    pose, world = wrist(side)
    distance = round_object(name, side, radius, world)
    grip = wrap(BODY, name, side, world, distance)
    assert grip.accepted
    assert len(grip.valid) >= (2 if name == "pinch" else 4)
    posed = set_hand(pose, side, grip.pose_rad)
    transforms = joint_transforms(BODY, posed, stand(BODY, (0.4, -0.7), 1.1)[1])
    vertices = skin(BODY, transforms)
    first = hand_joints(side).start
    for f, finger in enumerate(FINGERS):
        own = np.isin(BODY.dominant_joint(), range(first + 3 * f, first + 3 * f + 3))
        nearest = float(distance(vertices[own]).min())
        assert nearest > -MAX_PENETRATION_M
        if finger in grip.valid:
            assert nearest < CONTACT_BAND_M
    assert float(distance(vertices[BODY.dominant_joint() == JOINT[f"{side}_wrist"]]).min()) > -MAX_PENETRATION_M


@pytest.mark.parametrize("name", (*FAMILIES, PALM))
@pytest.mark.parametrize("offset_m", (0.0, 0.03, -0.02))
def test_a_grid_closes_the_hand_as_the_same_distance_point_by_point_does(name: str, offset_m: float) -> None:
    """Fingers that start outside, far off and inside; the compiled loop leaves out what it need not look at."""
    _, world = wrist("left")
    here = world[:3, :3] @ seat("round_wrap", "left", 0.04).centre_m + world[:3, 3] + offset_m * world[:3, 1]
    axes = [np.linspace(c - 0.1, c + 0.1, 51) for c in here]
    corners = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    grid = np.minimum(np.linalg.norm(corners - here, axis=-1) - 0.04, 0.045)
    voxels = Voxels(grid, here - 0.1, 0.004, 0.045)
    up = np.array([0.0, 0.6, 0.8])
    for stop in (None, Plane(up, float(here @ up) - 0.03)):
        fast = wrap(BODY, name, "left", world, voxels, stop)
        slow = wrap(BODY, name, "left", world, lambda points: voxels(points), stop)
        assert np.abs(fast.pose_rad - slow.pose_rad).max() < 1e-12
        assert fast.valid == slow.valid and fast.gap_m == pytest.approx(slow.gap_m, abs=1e-12)


def test_wrap_around_nothing_is_not_accepted() -> None:
    _, world = wrist("right")
    for name in FAMILIES:
        grip = wrap(BODY, name, "right", world, lambda points: np.full(len(points), 1.0))
        assert not grip.accepted
        assert grip.valid == ()
        assert np.isfinite(grip.pose_rad).all()


def test_wrap_inside_a_wall_is_not_accepted() -> None:
    _, world = wrist("right")
    grip = wrap(BODY, "side_wrap", "right", world, lambda points: np.full(len(points), -0.05))
    assert not grip.accepted


def test_bigger_objects_leave_straighter_fingers() -> None:
    _, world = wrist("right")
    bend = [
        float(np.linalg.norm(wrap(BODY, "side_wrap", "right", world, round_object("side_wrap", "right", r, world)).pose_rad[:36]))
        for r in SIZES["side_wrap"]
    ]
    assert bend[0] > bend[1] > bend[2]


def test_left_grip_is_the_mirrored_right_grip() -> None:
    for name in FAMILIES:
        pose = np.zeros(156)
        right = set_hand(pose, "right", family_pose(name, "right"))
        assert np.allclose(mirrored(right), set_hand(pose, "left", family_pose(name, "left")), atol=1e-12)
        a, b = seat(name, "left", 0.03), seat(name, "right", 0.03)
        assert np.allclose(a.centre_m * (-1, 1, 1), b.centre_m)


def test_wrap_takes_less_than_30_ms() -> None:
    _, world = wrist("right")
    distance = round_object("side_wrap", "right", 0.033, world)
    wrap(BODY, "side_wrap", "right", world, distance)
    best = 1.0
    for _ in range(5):
        start = time.perf_counter()
        wrap(BODY, "side_wrap", "right", world, distance)
        best = min(best, time.perf_counter() - start)
    assert best < 0.030


def test_pointing_index_reaches_beyond_the_other_fingers() -> None:
    pose = np.zeros(156)
    pose[:3] = root_pose(0.0)
    pointing = set_hand(pose, "right", hand_pose(BODY, "point", "right"))
    transforms = joint_transforms(BODY, pointing)
    along = transforms[JOINT["right_wrist"], :3, :3] @ [-1.0, 0.0, 0.0]
    reach = {
        f: float((skin(BODY, transforms)[BODY.dominant_joint() == JOINT[f"right_{f}3"]] @ along).max())
        for f in ("index", "middle", "ring", "pinky")
    }
    assert reach["index"] - max(v for f, v in reach.items() if f != "index") > 0.03


def test_open_hand_is_flatter_than_relaxed() -> None:
    sizes = [np.abs(hand_pose(BODY, name, "left")).sum() for name in ("open", "relaxed", "point")]
    assert sizes[0] < sizes[1] < sizes[2]
    assert set(HAND_POSES) == {"open", "relaxed", "point"}


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: family("claw"), "side_wrap, round_wrap, pinch"),
        (lambda: family_pose("pinch", "top"), "left, right"),
        (lambda: seat("pinch", "left", 0.9), "radius_m 0.9"),
        (lambda: hand_pose(BODY, "fist", "left"), "open, relaxed, point"),
        (lambda: set_hand(np.zeros(156), "left", np.zeros(6)), "got 6"),
    ],
)
def test_bad_arguments_name_the_choices(call, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        call()
