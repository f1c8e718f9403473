"""The compact collision rig: 17 capsules and a head sphere (InteractiveWorld B.1.2).

Endpoints are points fixed in joint frames and are regenerated from the current joints; axes and radii are measured once per body on its own
rest-pose skin, as a percentile of the distance from the segment's axis, so that a capsule neither bulges far out of the skin nor misses it.
Hand capsules extend from the wrist towards the palm and cover the fingers in a relaxed curl only up to the knuckles.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from humans.kinematics import joint_transforms
from humans.model import FINGERS, JOINT, BodyModel
from humans.postures import stand
from humans.rotations import F64

_SIDED = ("collar", "upper_arm", "lower_arm", "hand", "thigh", "shin", "foot")
CAPSULE_NAMES: tuple[str, ...] = (
    ("pelvis", "spine", "neck") + tuple(f"{side}_{part}" for side in ("left", "right") for part in _SIDED) + ("head",)
)
CAPSULE: dict[str, int] = {name: index for index, name in enumerate(CAPSULE_NAMES)}

_ADJACENT_CENTRE = (
    ("pelvis", "spine"), ("spine", "neck"), ("neck", "head"), ("left_collar", "right_collar"), ("left_thigh", "right_thigh"),
)  # fmt: skip
_ADJACENT_SIDED = (
    ("pelvis", "thigh"), ("spine", "thigh"), ("spine", "collar"), ("spine", "upper_arm"), ("neck", "collar"), ("head", "collar"),
    ("neck", "upper_arm"), ("collar", "upper_arm"), ("upper_arm", "lower_arm"), ("lower_arm", "hand"), ("thigh", "shin"), ("shin", "foot"),
)  # fmt: skip


class Capsules(NamedTuple):
    """World capsules of one pose: names (18,), end points a_m, b_m (18, 3) and radius_m (18,). The head sphere has a_m == b_m."""

    names: tuple[str, ...]
    a_m: F64
    b_m: F64
    radius_m: F64


@dataclass(frozen=True, eq=False)
class Rig:
    """Capsules in joint frames: end point = transforms[joint] applied to the offset, metres. Arrays of 18 rows in CAPSULE_NAMES order."""

    joint_a: NDArray[np.int64]
    offset_a_m: F64
    joint_b: NDArray[np.int64]
    offset_b_m: F64
    radius_m: F64


def _adjacent() -> frozenset[tuple[str, str]]:
    pairs = {tuple(sorted(pair)) for pair in _ADJACENT_CENTRE}
    for side in ("left", "right"):
        for first, second in _ADJACENT_SIDED:
            a = first if first in ("pelvis", "spine", "neck", "head") else f"{side}_{first}"
            pairs.add(tuple(sorted((a, f"{side}_{second}"))))
    return frozenset((a, b) for a, b in pairs)


ADJACENT_PAIRS: frozenset[tuple[str, str]] = _adjacent()
"""Name pairs (sorted) whose contact is filtered: neighbouring segments and those that touch in every natural pose."""

ARM_CAPSULES: dict[str, tuple[str, ...]] = {
    side: tuple(f"{side}_{part}" for part in ("upper_arm", "lower_arm", "hand")) for side in ("left", "right")
}
"""Capsules of the arm, shoulder to hand, by side."""
HAND_CAPSULES: dict[str, tuple[str, ...]] = {side: (f"{side}_hand",) for side in ("left", "right")}
"""Capsules whose contact with a commanded target may be exempt, by side."""


def adjacent_index_pairs() -> NDArray[np.int64]:
    """ADJACENT_PAIRS as capsule indices, shape (n, 2), each row ascending, rows sorted."""
    return np.array(sorted(tuple(sorted((CAPSULE[a], CAPSULE[b]))) for a, b in ADJACENT_PAIRS), np.int64)


class _Fitter:
    """Measures one segment on the rest-pose skin of a body (model frame, metres)."""

    def __init__(self, body: BodyModel) -> None:
        self.rest = body.rest_joints_m
        self.skin = body.template_m
        self.dominant = body.dominant_joint()

    def points(self, *joints: str) -> F64:
        chosen: F64 = self.skin[np.isin(self.dominant, [JOINT[name] for name in joints])]
        return chosen

    def axis(self, a: F64, b: F64, points: F64) -> tuple[F64, F64]:
        """The segment a-b with each end shifted sideways onto the centre of the skin around its half."""
        direction = (b - a) / np.linalg.norm(b - a)
        span = float(np.linalg.norm(b - a))
        along = (points - a) @ direction

        def shift(low: float, high: float) -> F64:
            ring = points[(along > low * span) & (along < high * span)]
            off = ring - a - np.outer((ring - a) @ direction, direction)
            centre: F64 = 0.5 * (np.percentile(off, 4.0, axis=0) + np.percentile(off, 96.0, axis=0))
            return centre

        near, far = shift(0.1, 0.5), shift(0.6, 0.95)
        slope = (far - near) / 0.475 if span > 0.2 else 0.0 * far
        near = near if span > 0.2 else 0.5 * (near + far)
        far = far if span > 0.2 else near
        return a + near - 0.3 * slope, b + far + 0.225 * slope

    @staticmethod
    def radius(a: F64, b: F64, points: F64, percent: float) -> float:
        """Percentile of the skin's distance from the segment a-b, over points beside it."""
        direction = b - a
        length = float(np.linalg.norm(direction))
        direction = direction / max(length, 1e-9)
        along = (points - a) @ direction
        beside = points[(along >= 0.0) & (along <= length)] if length > 1e-6 else points
        foot = a + np.outer(np.clip((beside - a) @ direction, 0.0, length), direction)
        return float(np.percentile(np.linalg.norm(beside - foot, axis=1), percent))


def _trunk(fit: _Fitter) -> list[tuple[str, F64, str, F64, float]]:
    rest = {name: fit.rest[index] for name, index in JOINT.items()}
    hips = 0.5 * (rest["left_hip"] + rest["right_hip"])
    pelvis_skin = fit.points("pelvis", "left_hip", "right_hip")
    pelvis_skin = pelvis_skin[pelvis_skin[:, 1] > rest["left_hip"][1] - 0.06]
    depth = 0.5 * float(np.percentile(pelvis_skin[:, 2], 98.0) - np.percentile(pelvis_skin[:, 2], 2.0))
    centre = np.array([0.0, hips[1] + 0.02, 0.5 * float(np.percentile(pelvis_skin[:, 2], 98.0) + np.percentile(pelvis_skin[:, 2], 2.0))])
    half = max(0.02, float(np.percentile(np.abs(pelvis_skin[:, 0]), 98.0)) - depth)
    side = np.array([half, 0.0, 0.0])
    rows = [("pelvis", centre - side, "pelvis", centre + side, depth)]
    chest = fit.points("spine1", "spine2", "spine3", "left_collar", "right_collar")
    low, high = rest["spine1"][1], rest["spine3"][1] + 0.5 * (rest["neck"][1] - rest["spine3"][1])
    band = chest[(chest[:, 1] > low) & (chest[:, 1] < high) & (np.abs(chest[:, 0]) < 0.09)]
    front, back = float(np.percentile(band[:, 2], 96.0)), float(np.percentile(band[:, 2], 4.0))
    z, radius = 0.5 * (front + back), 0.5 * (front - back)
    rows.append(("spine1", np.array([0.0, low, z]), "spine3", np.array([0.0, high - 0.5 * radius, z]), radius))
    a, b = fit.axis(rest["neck"], rest["head"], fit.points("neck"))
    rows.append(("neck", a, "head", b, fit.radius(a, b, fit.points("neck"), 60.0)))
    return rows


def _side(fit: _Fitter, side: str) -> list[tuple[str, F64, str, F64, float]]:
    def at(name: str) -> F64:
        point: F64 = fit.rest[JOINT[f"{side}_{name}"]]
        return point

    def limb(first: str, last: str, percent: float, shorten: float = 0.0) -> tuple[str, F64, str, F64, float]:
        """Capsule between two joints; `shorten`: share of the radius taken off the far end, where the limb is thinner than its middle."""
        points = fit.points(f"{side}_{first}")
        a, b = fit.axis(at(first), at(last), points)
        radius = fit.radius(a, b, points, percent)
        b = b - shorten * radius * (b - a) / np.linalg.norm(b - a)
        return f"{side}_{first}", a, f"{side}_{first}", b, radius  # rigid in its own joint's frame, however the next one bends

    # the collar capsule runs from the side of the rib cage to the shoulder: the trunk is half again as wide as it is deep
    ribs = fit.rest[JOINT["spine3"]] + np.array([0.42 * at("shoulder")[0], -0.05, 0.0])
    shoulder = at("shoulder") - np.array([0.1 * at("shoulder")[0], 0.02, 0.0])
    ribs[2] = shoulder[2] = 0.5 * (ribs[2] + shoulder[2])
    chest = fit.points("spine3", "spine2", f"{side}_collar")
    chest = chest[np.sign(chest[:, 0]) == np.sign(ribs[0])]
    collar = ("spine3", ribs, f"{side}_collar", shoulder, 0.72 * fit.radius(ribs, shoulder, chest, 50.0))
    knuckles = np.mean([at(f"{finger}1") for finger in FINGERS[:4]], axis=0)
    fingertips = np.mean([at(f"{finger}3") for finger in FINGERS[:4]], axis=0)
    hand_points = fit.points(f"{side}_wrist", *(f"{side}_{finger}1" for finger in FINGERS[:4]))
    drop = np.array([0.0, -0.012, 0.0])
    wrist, end = at("wrist") + 0.25 * (knuckles - at("wrist")), knuckles + 0.35 * (fingertips - knuckles)
    hand = (f"{side}_wrist", wrist + 0.5 * drop, f"{side}_wrist", end + drop, fit.radius(wrist, end, hand_points, 55.0))
    foot_points = fit.points(f"{side}_ankle", f"{side}_foot")
    foot_points = foot_points[foot_points[:, 1] < at("ankle")[1]]
    floor = float(foot_points[:, 1].min())
    radius = 0.42 * float(np.percentile(foot_points[:, 0], 90.0) - np.percentile(foot_points[:, 0], 10.0))
    heel, toe = foot_points[np.argmin(foot_points[:, 2])], foot_points[np.argmax(foot_points[:, 2])]
    direction = (toe - heel) / np.linalg.norm(toe - heel)
    rear, front = heel + radius * direction, toe - radius * direction
    rear[1] = front[1] = floor + radius
    foot = (f"{side}_ankle", rear, f"{side}_ankle", front, radius)
    return [
        collar,
        limb("shoulder", "elbow", 70.0),
        limb("elbow", "wrist", 70.0, 0.3),
        hand,
        limb("hip", "knee", 55.0, 1.0),
        limb("knee", "ankle", 60.0, 0.8),
        foot,
    ]


@lru_cache(maxsize=8)
def rig(body: BodyModel) -> Rig:
    """The capsule rig of a body, measured once per body object."""
    fit = _Fitter(body)
    left, right = _side(fit, "left"), _side(fit, "right")
    radii = [0.5 * (a[4] + b[4]) for a, b in zip(left, right, strict=True)]
    rows = _trunk(fit) + [(*row[:4], radius) for side in (left, right) for row, radius in zip(side, radii, strict=True)]
    skull = fit.points("head")
    low, high = skull.min(axis=0), skull.max(axis=0)
    centre = np.array([0.0, 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])])
    rows.append(("head", centre, "head", centre, 0.235 * float(high[1] - low[1] + high[2] - low[2])))
    joint_a = np.array([JOINT[row[0]] for row in rows], np.int64)
    joint_b = np.array([JOINT[row[2]] for row in rows], np.int64)
    return Rig(
        joint_a,
        np.array([row[1] - fit.rest[JOINT[row[0]]] for row in rows]),
        joint_b,
        np.array([row[3] - fit.rest[JOINT[row[2]]] for row in rows]),
        np.array([row[4] for row in rows]),
    )


def capsules(body: BodyModel, transforms: F64) -> Capsules:
    """World capsules for joint transforms (52, 4, 4) of `kinematics.joint_transforms`."""
    r = rig(body)
    a = np.einsum("nij,nj->ni", transforms[r.joint_a, :3, :3], r.offset_a_m) + transforms[r.joint_a, :3, 3]
    b = np.einsum("nij,nj->ni", transforms[r.joint_b, :3, :3], r.offset_b_m) + transforms[r.joint_b, :3, 3]
    return Capsules(CAPSULE_NAMES, a, b, r.radius_m)


def signed_distance(points_m: F64, shapes: Capsules) -> F64:
    """Signed distance (n, 18) of points (n, 3) from each capsule's surface, metres; negative inside."""
    axis = shapes.b_m - shapes.a_m
    length2 = np.maximum(np.einsum("ij,ij->i", axis, axis), 1e-18)
    rel = points_m[:, None, :] - shapes.a_m[None]
    t = np.clip(np.einsum("nij,ij->ni", rel, axis) / length2, 0.0, 1.0)
    out: F64 = np.linalg.norm(rel - t[..., None] * axis[None], axis=2) - shapes.radius_m
    return out


def walking_width_m(body: BodyModel, transforms: F64 | None = None) -> float:
    """Width of the capsule rig across the heading, metres: of the given pose, or of the canonical idle stance."""
    if transforms is None:
        pose, translation = stand(body, (0.0, 0.0), 0.0)
        transforms = joint_transforms(body, pose, translation)
    shapes = capsules(body, transforms)
    across = transforms[0, :3, 0] * np.array([1.0, 1.0, 0.0])
    across = across / np.linalg.norm(across)
    low = np.minimum(shapes.a_m @ across, shapes.b_m @ across) - shapes.radius_m
    high = np.maximum(shapes.a_m @ across, shapes.b_m @ across) + shapes.radius_m
    return float(high.max() - low.min())
