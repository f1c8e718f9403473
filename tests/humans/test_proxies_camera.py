"""The capsule rig, the head camera, gaze, and the first-person mask."""

from __future__ import annotations

import numpy as np
import pytest

from humans.camera import EYE_RADIUS_M, gaze, head_camera, own_head_faces
from humans.kinematics import joint_transforms, mirrored, skin, vertex_normals
from humans.model import JOINT, load_body
from humans.postures import lean, stand
from humans.proxies import (
    ADJACENT_PAIRS,
    CAPSULE,
    CAPSULE_NAMES,
    Capsules,
    adjacent_index_pairs,
    capsules,
    signed_distance,
    walking_width_m,
)

BODY = load_body()


def idle(heading: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    pose, translation = stand(BODY, (1.0, 2.0), heading)
    return pose, translation, joint_transforms(BODY, pose, translation)


def test_seventeen_capsules_and_a_head_sphere() -> None:
    shapes = capsules(BODY, idle()[2])
    assert len(shapes.names) == len(set(shapes.names)) == 18
    sphere = CAPSULE["head"]
    assert np.array_equal(shapes.a_m[sphere], shapes.b_m[sphere])
    assert (np.linalg.norm(shapes.a_m - shapes.b_m, axis=1) > 0.05).sum() == 17


def test_capsules_wrap_the_skin() -> None:
    """Half of the skin lies inside, 99 % within 6 cm (finger tips, toes, crown); no capsule is fatter than its limb by more than 3 cm."""
    transforms = idle()[2]
    vertices, shapes = skin(BODY, transforms), capsules(BODY, transforms)
    outside = signed_distance(vertices, shapes).min(axis=1)
    assert np.median(outside) < 0.0
    assert np.percentile(outside, 99.0) < 0.06
    owner = BODY.dominant_joint()
    for name, joint in (("thigh", "hip"), ("shin", "knee"), ("upper_arm", "shoulder"), ("lower_arm", "elbow")):
        k = CAPSULE[f"left_{name}"]
        limb = vertices[owner == JOINT[f"left_{joint}"]]
        axis = shapes.b_m[k] - shapes.a_m[k]
        along = (limb - shapes.a_m[k]) @ axis / (axis @ axis)
        near = signed_distance(limb[(along > 0.2) & (along < 0.9)], shapes)[:, k]
        assert near.min() > -0.03
        assert np.median(np.abs(near)) < 0.015


def test_radii_are_symmetric() -> None:
    shapes = capsules(BODY, idle()[2])
    for name in CAPSULE_NAMES:
        if name.startswith("left_"):
            assert shapes.radius_m[CAPSULE[name]] == shapes.radius_m[CAPSULE[name.replace("left", "right")]]


def test_mirrored_pose_gives_mirrored_capsules() -> None:
    pose = np.random.default_rng(4).normal(size=156) * 0.4
    a, b = capsules(BODY, joint_transforms(BODY, pose)), capsules(BODY, joint_transforms(BODY, mirrored(pose)))
    assert np.abs(a.a_m[CAPSULE["left_hand"]] * (-1, 1, 1) - b.a_m[CAPSULE["right_hand"]]).max() < 0.002


def overlaps(shapes: Capsules) -> set[tuple[str, str]]:
    found = set()
    for i in range(18):
        points = shapes.a_m[i] + np.linspace(0.0, 1.0, 41)[:, None] * (shapes.b_m[i] - shapes.a_m[i])
        depth = signed_distance(points, shapes).min(axis=0) - shapes.radius_m[i]
        found |= {tuple(sorted((shapes.names[i], shapes.names[j]))) for j in range(18) if j != i and depth[j] < 0.0}
    return found  # type: ignore[return-value]


@pytest.mark.parametrize(("lean_rad", "squat"), [(0.0, 0.0), (0.5, 0.0), (1.1, 0.0), (1.5, 0.0), (0.2, 0.6), (0.3, 1.0), (1.0, 0.5)])
def test_only_adjacent_capsules_touch_in_natural_postures(lean_rad: float, squat: float) -> None:
    shapes = capsules(BODY, joint_transforms(BODY, *lean(BODY, (0.0, 0.0), 0.3, lean_rad, squat)))
    assert overlaps(shapes) <= ADJACENT_PAIRS


def test_adjacent_pairs_name_capsules() -> None:
    pairs = adjacent_index_pairs()
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert {tuple(sorted((CAPSULE_NAMES[a], CAPSULE_NAMES[b]))) for a, b in pairs} == ADJACENT_PAIRS
    assert ("left_hand", "left_thigh") not in ADJACENT_PAIRS


def test_walking_width_is_the_width_of_the_idle_body() -> None:
    transforms = idle(0.7)[2]
    assert 0.45 < walking_width_m(BODY) < 0.75
    assert walking_width_m(BODY, transforms) == pytest.approx(walking_width_m(BODY), abs=1e-6)


def test_camera_is_between_and_before_the_eyes() -> None:
    transforms = idle(0.4)[2]
    position, rotation = head_camera(BODY, transforms)
    vertices = skin(BODY, transforms)
    eyes = vertices[BODY.vertex_part == BODY.part_names.index("eye")].mean(axis=0)
    forward, left = -rotation[:, 2], -rotation[:, 0]
    assert abs((position - eyes) @ left) < 1e-3
    assert abs(position[2] - eyes[2]) < 0.01
    assert 0.0 < (position - eyes) @ forward < 0.05
    assert 1.45 < position[2] < 1.70
    level, down = np.cos(np.radians(22.0)), -np.sin(np.radians(22.0))
    assert np.allclose(forward, [np.cos(0.4) * level, np.sin(0.4) * level, down], atol=1e-6)
    assert np.allclose(rotation @ rotation.T, np.eye(3))
    assert np.linalg.det(rotation) == pytest.approx(1.0)
    assert rotation[2, 1] == pytest.approx(level, abs=1e-6)


def test_camera_is_outside_the_face() -> None:
    transforms = idle()[2]
    position, _ = head_camera(BODY, transforms)
    vertices = skin(BODY, transforms)
    nearest = int(np.argmin(np.linalg.norm(vertices - position, axis=1)))
    assert (position - vertices[nearest]) @ vertex_normals(BODY, vertices)[nearest] > 0.005
    assert np.linalg.norm(vertices[nearest] - position) < EYE_RADIUS_M


@pytest.mark.parametrize("target", [(4.0, 2.0, 1.5), (2.0, 3.0, 0.8), (1.6, 1.5, 0.9), (2.5, 1.2, 1.9)])
@pytest.mark.parametrize("lean_rad", [0.0, 0.6])
def test_gaze_looks_at_the_target(target: tuple[float, float, float], lean_rad: float) -> None:
    pose, translation = lean(BODY, (1.0, 2.0), 0.0, lean_rad)
    looking, residual = gaze(BODY, pose, translation, target)
    position, rotation = head_camera(BODY, joint_transforms(BODY, looking, translation))
    direction = np.asarray(target) - position
    cosine = float(-rotation[:, 2] @ direction / np.linalg.norm(direction))
    assert np.arccos(min(1.0, cosine)) == pytest.approx(residual, abs=1e-6)
    assert residual < 0.01 or lean_rad > 0.0
    moved = np.flatnonzero(np.abs(looking - pose).reshape(52, 3).max(axis=1) > 1e-12)
    assert set(moved) <= {JOINT["neck"], JOINT["head"]}


def test_gaze_does_not_turn_the_head_round() -> None:
    pose, translation, _ = idle()
    looking, residual = gaze(BODY, pose, translation, (-3.0, 2.0, 1.5))
    assert residual > np.radians(80.0)
    plain = gaze(BODY, pose, translation, (1.0, 5.0, 1.5))[1]
    with_spine = gaze(BODY, pose, translation, (1.0, 5.0, 1.5), spine_share=0.3)[1]
    assert with_spine <= plain
    with pytest.raises(ValueError, match="spine_share"):
        gaze(BODY, pose, translation, (1.0, 5.0, 1.5), spine_share=0.9)
    assert np.isfinite(looking).all()


def test_first_person_mask_hides_the_head_and_nothing_else() -> None:
    mask = own_head_faces(BODY)
    owner = BODY.dominant_joint()
    hidden = np.unique(owner[BODY.faces[mask].ravel()])
    assert JOINT["head"] in hidden
    assert mask[(owner[BODY.faces] == JOINT["head"]).all(axis=1)].all()
    kept = np.unique(owner[BODY.faces[~mask].ravel()])
    assert {JOINT["left_wrist"], JOINT["right_index3"], JOINT["spine3"], JOINT["left_knee"], JOINT["right_foot"]} <= set(kept)
    assert JOINT["head"] not in kept


def test_a_limb_capsule_stays_in_its_limb_when_the_next_joint_bends() -> None:
    """In a deep squat the thigh ends at the knee: its capsule's far end is as far from the line of the thigh as in the idle stance."""

    def off(transforms: np.ndarray) -> float:
        hip, knee = (transforms[JOINT[f"left_{name}"], :3, 3] for name in ("hip", "knee"))
        end = capsules(BODY, transforms).b_m[CAPSULE_NAMES.index("left_thigh")]
        along = (knee - hip) / np.linalg.norm(knee - hip)
        return float(np.linalg.norm(np.cross(end - hip, along)))

    squat = joint_transforms(BODY, *lean(BODY, (0.0, 0.0), 0.3, 0.6, 1.0))
    assert off(squat) == pytest.approx(off(idle()[2]), abs=1e-6)
