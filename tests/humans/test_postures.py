"""Idle, lean, squat: planted feet, balance, continuity, blends, overlays."""

from __future__ import annotations

import numpy as np
import pytest

from humans.arms import ARM_JOINTS, ArmOverlay, arm_overlay
from humans.kinematics import joint_transforms, skin
from humans.legs import foot, foot_vertices
from humans.model import JOINT, load_body
from humans.postures import (
    MAX_FORWARD_M,
    Posture,
    blend,
    blend_posture,
    blend_postures,
    lean,
    lean_posture,
    plant_feet,
    solve_posture,
    solve_postures,
    stand,
)

BODY = load_body()
LADDER = [(0.0, 0.0), (0.3, 0.0), (0.7, 0.0), (1.1, 0.0), (1.5, 0.0), (0.15, 0.5), (0.25, 1.0), (0.9, 0.6)]


def soles(pose: np.ndarray, translation: np.ndarray) -> np.ndarray:
    vertices = skin(BODY, joint_transforms(BODY, pose, translation))
    return np.concatenate([vertices[foot_vertices(BODY, side)] for side in ("left", "right")])


@pytest.mark.parametrize(("lean_rad", "squat"), LADDER)
def test_feet_stay_flat_where_they_stand(lean_rad: float, squat: float) -> None:
    idle = soles(*stand(BODY, (1.0, -2.0), 0.8))
    posed = soles(*lean(BODY, (1.0, -2.0), 0.8, lean_rad, squat))
    under = np.concatenate([foot(BODY, side).sole for side in ("left", "right")])
    assert abs(idle[:, 2].min()) < 1e-4
    assert np.abs(posed - idle)[np.isin(np.concatenate([foot_vertices(BODY, s) for s in ("left", "right")]), under)].max() < 1e-3


@pytest.mark.parametrize(("lean_rad", "squat"), LADDER)
def test_leans_are_balanced_and_flex_the_legs(lean_rad: float, squat: float) -> None:
    """Trunk pitch is what was asked, the centre of the skin's area stays over the feet, knees bend as the lean deepens."""
    pose, translation = lean(BODY, (0.0, 0.0), 0.0, lean_rad, squat)
    transforms = joint_transforms(BODY, pose, translation)
    chest = transforms[JOINT["spine3"], :3, 1]
    assert np.arctan2(chest[0], chest[2]) == pytest.approx(lean_rad, abs=0.02)
    feet = transforms[[JOINT["left_ankle"], JOINT["left_foot"]], 0, 3]
    corners = skin(BODY, transforms)[BODY.faces]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    centre = float(np.average(corners[:, :, 0].mean(axis=1), weights=area))
    assert feet.min() - 0.08 < centre < feet.max() + 0.08
    if lean_rad >= 1.1 or squat:
        assert np.linalg.norm(pose.reshape(52, 3)[JOINT["left_knee"]]) > 0.5


def test_ladder_reaches_from_high_to_low() -> None:
    def wrist_height(lean_rad: float, squat: float) -> float:
        return float(joint_transforms(BODY, *lean(BODY, (0.0, 0.0), 0.0, lean_rad, squat))[JOINT["left_wrist"], 2, 3])

    heights = [wrist_height(a, 0.0) for a in np.linspace(0.0, 1.5, 7)]
    assert all(a > b for a, b in zip(heights, heights[1:], strict=False))
    assert heights[0] - heights[-1] > 0.3


def test_posture_is_continuous() -> None:
    """A thousandth of a parameter moves no joint by more than a few thousandths of a radian or metre."""
    rng = np.random.default_rng(6)
    for _ in range(12):
        a, s = rng.uniform(0.0, 1.45), rng.uniform(0.0, 0.95)
        one, two = (joint_transforms(BODY, *lean(BODY, (0.0, 0.0), 0.0, a + e, s + e)) for e in (0.0, 0.001))
        assert np.abs(one[:, :3, 3] - two[:, :3, 3]).max() < 0.006


def test_lean_zero_is_the_idle_stance() -> None:
    a, b = stand(BODY, (2.0, 1.0), -0.4), lean(BODY, (2.0, 1.0), -0.4, 0.0)
    assert np.allclose(a[0], b[0], atol=1e-9)
    assert np.allclose(a[1], b[1], atol=1e-9)


@pytest.mark.parametrize("lean_rad", [0.45, 0.8, 0.95])
def test_a_far_reach_brings_the_weight_forward_and_not_past_the_balls_of_the_feet(lean_rad: float) -> None:
    plain, far = (lean_posture(BODY, (0.0, 0.0), 0.0, lean_rad, 0.05, f) for f in (0.0, MAX_FORWARD_M))
    joints, shoulder = (joint_transforms(BODY, *solve_posture(BODY, p))[:, :3, 3] for p in (far, plain))
    assert joints[JOINT["left_shoulder"], 0] - shoulder[JOINT["left_shoulder"], 0] > 0.05
    weight = {"head": 0.08, "spine3": 0.32, "spine1": 0.16, "pelvis": 0.14, "left_knee": 0.11, "right_knee": 0.11, "left_ankle": 0.08}
    forward = sum(share * joints[JOINT[name], 0] for name, share in weight.items())
    ball = joints[JOINT["left_ankle"], 0] + foot(BODY, "left").ball_m[2]
    assert 0.0 < forward < ball
    with pytest.raises(ValueError, match="forward_m"):
        lean_posture(BODY, (0.0, 0.0), 0.0, lean_rad, 0.05, 0.2)


def test_blend_keeps_the_feet_planted() -> None:
    a, b = lean_posture(BODY, (0.0, 0.0), 0.2, 0.0), lean_posture(BODY, (0.0, 0.0), 0.2, 1.2, 0.3)
    under = np.isin(
        np.concatenate([foot_vertices(BODY, s) for s in ("left", "right")]), np.concatenate([foot(BODY, s).sole for s in ("left", "right")])
    )
    first = soles(*solve_posture(BODY, a))[under]
    for t in np.linspace(0.0, 1.0, 7):
        assert np.abs(soles(*solve_posture(BODY, blend_posture(a, b, float(t))))[under] - first).max() < 1e-3
    with pytest.raises(ValueError, match="walk between"):
        blend_posture(a, Posture(0.1, 0.0, 0.2), 0.5)


def test_plant_feet_repairs_a_free_blend() -> None:
    stance = Posture(0.0, 0.0, 0.0)
    (pa, ta), (pb, tb) = stand(BODY, (0.0, 0.0), 0.0), lean(BODY, (0.0, 0.0), 0.0, 1.0, 0.5)
    middle, translation = blend(pa, pb, 0.5), 0.5 * (ta + tb)
    planted = plant_feet(BODY, middle, translation, stance)
    ankles = [JOINT["left_ankle"], JOINT["right_ankle"]]
    want = joint_transforms(BODY, pa, ta)[ankles, :3, 3]
    assert np.abs(joint_transforms(BODY, middle, translation)[ankles, :3, 3] - want).max() > 0.005
    assert np.abs(joint_transforms(BODY, planted, translation)[ankles, :3, 3] - want).max() < 1e-6


def test_blend_ends_are_exact() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=156) * 0.5, rng.normal(size=156) * 0.5
    assert np.allclose(blend(a, b, 0.0), a, atol=1e-9)
    assert np.allclose(blend(a, b, 1.0), b, atol=1e-9)


@pytest.mark.parametrize(("field", "value"), [("pelvis_drop_m", 0.8), ("pelvis_drop_m", -0.1), ("trunk_pitch_rad", 2.0)])
def test_impossible_postures_are_refused(field: str, value: float) -> None:
    with pytest.raises(ValueError, match=field):
        solve_posture(BODY, Posture(0.0, 0.0, 0.0, **{field: value}))
    with pytest.raises(ValueError, match="squat"):
        lean_posture(BODY, (0.0, 0.0), 0.0, 0.0, 1.5)


def test_overlay_replaces_one_arm_only() -> None:
    pose, _ = stand(BODY, (0.0, 0.0), 0.0)
    other = np.full(156, 0.1)
    out = arm_overlay(other, ("left",)).apply(pose).reshape(52, 3)
    assert np.allclose(out[list(ARM_JOINTS["left"])], 0.1)
    assert np.array_equal(out[list(ARM_JOINTS["right"])], pose.reshape(52, 3)[list(ARM_JOINTS["right"])])
    assert len(ARM_JOINTS["left"]) == 19
    with pytest.raises(ValueError, match="middle"):
        arm_overlay(other, ("middle",))
    with pytest.raises(ValueError, match=r"0\.\.1"):
        ArmOverlay(np.zeros((52, 3)), np.full(52, 1.5))


@pytest.mark.parametrize("heel", [0.2, 0.5, 0.75])
def test_raised_heels_roll_over_the_balls_of_the_feet(heel: float) -> None:
    """The toes stay on the floor where they were, the heels come up, and the lowest skin is at the floor."""
    flat, deep = (lean_posture(BODY, (0.3, -0.2), 0.8, 1.2, 1.0, heel_rad=h) for h in (0.0, heel))
    at = [joint_transforms(BODY, *solve_posture(BODY, p)) for p in (flat, deep)]
    for side in ("left", "right"):
        ball, ankle = JOINT[f"{side}_foot"], JOINT[f"{side}_ankle"]
        assert np.allclose(at[0][ball, :3, 3], at[1][ball, :3, 3], atol=0.012)
        assert at[1][ankle, 2, 3] > at[0][ankle, 2, 3] + 0.08 * heel
    assert abs(float(skin(BODY, at[1])[:, 2].min())) < 0.004


def test_only_raised_heels_go_deeper() -> None:
    with pytest.raises(ValueError, match="squat"):
        lean_posture(BODY, (0.0, 0.0), 0.0, 1.0, 1.3)
    with pytest.raises(ValueError, match="heel_rad"):
        solve_posture(BODY, Posture(0.0, 0.0, 0.0, heel_rad=1.3))
    deep = lean_posture(BODY, (0.0, 0.0), 0.0, 1.0, 1.3, heel_rad=0.6)
    assert deep.pelvis_drop_m > lean_posture(BODY, (0.0, 0.0), 0.0, 1.0, 1.0).pelvis_drop_m + 0.1


def test_many_postures_at_once_are_those_one_by_one() -> None:
    ends = [
        Posture(0.3, -0.2, 0.8),
        lean_posture(BODY, (0.3, -0.2), 0.8, 0.7, 0.3),
        lean_posture(BODY, (0.3, -0.2), 0.8, 1.2, 1.3, 0.0, 0.6),
    ]
    index, share = np.array([0, 0, 0, 1, 1, 1]), np.array([0.0, 0.0, 0.5, 0.0, 0.3, 1.0])
    overlay = arm_overlay(np.full(156, 0.1), ("left",), weight=0.5)
    poses, translations = solve_postures(BODY, blend_postures(ends, index, share), overlay)
    for k, (i, t) in enumerate(zip(index, share, strict=True)):
        pose, translation = solve_posture(BODY, blend_posture(ends[i], ends[i + 1], float(t)), overlay)
        assert np.allclose(poses[k], pose, rtol=0.0, atol=1e-14)
        assert np.allclose(translations[k], translation, rtol=0.0, atol=1e-14)


def test_many_postures_at_once_keep_the_ranges() -> None:
    numbers = np.zeros((3, 11))
    numbers[1, 4] = 2.0
    with pytest.raises(ValueError, match="trunk_pitch_rad 2.000"):
        solve_postures(BODY, numbers)
    with pytest.raises(ValueError, match="walk between stances"):
        blend_postures([Posture(0.0, 0.0, 0.0), Posture(0.1, 0.0, 0.0)], np.array([0]), np.array([0.5]))
