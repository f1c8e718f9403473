"""Hand poses and adaptive grips (InteractiveWorld B.2.2, hand adaptation).

A grip starts from the open version of a family prototype and curls every finger in 6 degree increments until it touches the object; a
segment that touches stops the joints before it while the rest of the finger closes on. Contacts are judged on the finger's skin against
a signed distance; one on a grid (`Voxels`) is asked in compiled loops. Left hands are mirrored right hands: (x, y, z) -> (x, -y, -z) for
every joint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from humans import _hand_kernels as kernels
from humans.kinematics import as_pose, vertex_normals
from humans.model import FINGERS, JOINT, N_JOINTS, BodyModel
from humans.rotations import F64, matrix_from_rotvec, rotvec_from_matrix
from humans.voxels import Voxels

FAMILIES = ("side_wrap", "round_wrap", "pinch")
PALM = "palm"
"""Not of the atlas: the flat hand laid against a side, for `wrap`."""
HAND_POSES = ("open", "relaxed", "point")
CONTACT_BAND_M = 0.006
MAX_PENETRATION_M = 0.004
INCREMENT_RAD = np.radians(6.0)
_FINEST_RAD = np.radians(0.75)
_STOP_M = -0.0005
"""A curl step is refused when it would press the skin deeper than this into the object."""
_OPEN_RAD = np.radians(36.0)
_FLAT_RAD = np.radians(32.0)
_LIMITS_RAD = np.radians([[85.0, 100.0, 70.0]] * 4 + [[45.0, 45.0, 65.0]])
_LOWEST_RAD = np.radians([[-12.0, 0.0, 0.0]] * 4 + [[-25.0, -15.0, -10.0]])
_RATES = np.array([[1.0, 1.0, 0.65]] * 4 + [[1.0, 0.5, 0.8]])
_ATLAS = Path(__file__).parent / "hand" / "atlas"

_STEPS_RAD = np.array([INCREMENT_RAD, _FINEST_RAD])
_STOPS_M = np.array([_STOP_M, 2.0 * CONTACT_BAND_M])
_TRIES = np.array([6, 80])
"""Most steps in which fingers that start inside are opened, and in which they close."""

Distance = Callable[[F64], F64]


class Plane(NamedTuple):
    """What closing fingers stay above: up (3,), a unit vector, and its height along it."""

    up: F64
    height_m: float

    def above(self, points_m: F64) -> F64:
        """Heights (n,) of points (n, 3) above it."""
        return np.asarray(points_m @ self.up - self.height_m)


_NOTHING = Plane(np.array([0.0, 0.0, 1.0]), -np.inf)


@dataclass(frozen=True, eq=False)
class Family:
    """A grip prototype of the right hand: pose_rad (15, 3); seat of the object in the wrist frame; object radius; long axis of the
    object."""

    name: str
    pose_rad: F64
    seat_m: F64
    seat_axis: F64
    radius_m: float
    grip_type: str


@dataclass(frozen=True)
class Seat:
    """Where an object sits in a hand, wrist frame: centre_m (3,), long axis (3,) and palm normal (3,), pointing out of the palm."""

    centre_m: F64
    axis: F64
    palm_normal: F64


class Grip(NamedTuple):
    """A closed hand. pose_rad (45,); gap_m by finger: signed distance of the finger's nearest skin from the object; valid: fingers
    within the 6 mm band and at most 4 mm deep; accepted: enough fingers for the family (four of five; a pinch needs the thumb and
    another)."""

    pose_rad: F64
    gap_m: dict[str, float]
    valid: tuple[str, ...]
    accepted: bool


@lru_cache(maxsize=8)
def family(name: str) -> Family:
    """A grip family by name. Raises ValueError naming the families."""
    if name not in FAMILIES:
        raise ValueError(f"grip family {name!r} is not one of {', '.join(FAMILIES)}")
    with np.load(_ATLAS / f"{name}_family.npz") as data:
        pose, seat, axis = (np.asarray(data[key], np.float64) for key in ("pose_rad", "seat_m", "seat_axis"))
        return Family(name, pose.reshape(15, 3), seat, axis, float(data["radius_m"]), str(data["grip_type"]))


def _side_index(side: str) -> int:
    if side not in ("left", "right"):
        raise ValueError(f"side {side!r} is not one of left, right")
    return 0 if side == "left" else 1


def _mirror(pose_rad: F64, side: str) -> F64:
    return np.asarray(pose_rad * [1.0, -1.0, -1.0]) if side == "left" else pose_rad


def seat(name: str, side: str, radius_m: float | None = None) -> Seat:
    """Seat of a round object of a radius (default: the prototype's) in a grip family, wrist frame (rest axes of the wrist joint).

    Wraps keep the object against the palm, so a thicker one sits deeper; a pinch keeps the centre between the finger tips.
    """
    grip = family(name)
    _side_index(side)
    radius = grip.radius_m if radius_m is None else float(radius_m)
    if not 0.0 < radius < 0.2:
        raise ValueError(f"radius_m {radius} is outside 0..0.2")
    normal = np.array([0.0, -1.0, 0.0])
    centre = grip.seat_m + (normal * (radius - grip.radius_m) if name != "pinch" else 0.0)
    flip = np.array([-1.0, 1.0, 1.0]) if side == "left" else np.ones(3)
    return Seat(centre * flip, grip.seat_axis * flip, normal)


def hand_joints(side: str) -> slice:
    """Joint indices 22..36 (left) or 37..51 (right) as a slice."""
    first = 22 + 15 * _side_index(side)
    return slice(first, first + 15)


def family_pose(name: str, side: str) -> F64:
    """The prototype's finger rotations (45,) for a side."""
    _side_index(side)
    return _mirror(family(name).pose_rad, side).reshape(-1)


def hand_pose(body: BodyModel, name: str, side: str) -> F64:
    """Finger rotations (45,) of 'open' (flat, ready to grasp), 'relaxed' or 'point' (index straight, for pressing)."""
    degrees = {
        "open": {"thumb": (-12.0, -4.0, 0.0), "": (-4.0, 4.0, 3.0)},
        "relaxed": {"thumb": (8.0, 8.0, 10.0), "": (16.0, 24.0, 14.0)},
        "point": {"thumb": (22.0, 20.0, 30.0), "index": (2.0, 6.0, 4.0), "": (68.0, 82.0, 50.0)},
    }
    if name not in degrees:
        raise ValueError(f"hand pose {name!r} is not one of {', '.join(HAND_POSES)}")
    axes = body.flex_axes[_side_index(side)].reshape(5, 3, 3)
    flex = np.array([degrees[name].get(finger, degrees[name][""]) for finger in FINGERS])
    out: F64 = (axes * np.radians(flex)[..., None]).reshape(-1)
    return out


def set_hand(pose_rad: ArrayLike, side: str, hand_rad: ArrayLike) -> F64:
    """The pose (156,) with one hand's finger rotations (45,) replaced."""
    pose = as_pose(pose_rad).reshape(N_JOINTS, 3).copy()
    hand = np.asarray(hand_rad, np.float64).reshape(-1)
    if hand.size != 45:
        raise ValueError(f"a hand has 45 axis-angle numbers (15 joints x 3), got {hand.size}; PCA coefficients must be expanded first")
    pose[hand_joints(side)] = hand.reshape(15, 3)
    return pose.reshape(-1)


class _HandSkin(NamedTuple):
    """Palm-side skin of the five fingers, relative to the wrist: points (n, 3), influences joint (n, K) on [wrist, 15 joints], weights
    (n, K); sorted by finger and phalanx, which begin at starts (16,), the last one the end."""

    points: F64
    joint: NDArray[np.int64]
    weight: F64
    starts: NDArray[np.int64]


@lru_cache(maxsize=16)
def _skin(body: BodyModel, side: str) -> _HandSkin:
    first, wrist = 22 + 15 * _side_index(side), JOINT[f"{side}_wrist"]
    dominant = body.dominant_joint()
    normals = vertex_normals(body, body.template_m)
    axes = body.flex_axes[_side_index(side)]
    rows = []
    for j in range(15):
        direction = body.tips_m[first + j] - body.rest_joints_m[first + j]
        palmward = np.cross(axes[j], direction / np.linalg.norm(direction))
        tip = j % 3 == 2
        facing = (normals @ palmward > -0.15) | (tip & (normals @ direction > 0.6 * float(np.linalg.norm(direction))))
        own = np.flatnonzero((dominant == first + j) & facing)
        if len(own) == 0:
            raise ValueError(f"body {body.source}: no skin faces the palm at finger joint {body.joint_names[first + j]}")
        rows.append(own)
    chosen = np.concatenate(rows)
    local = body.skin_index[chosen] - first + 1
    local = np.where((local >= 1) & (local <= 15), local, 0)
    starts = np.concatenate([[0], np.cumsum([len(r) for r in rows])])
    return _HandSkin(body.template_m[chosen] - body.rest_joints_m[wrist], local, body.skin_weight[chosen], starts.astype(np.int64))


@lru_cache(maxsize=16)
def _whole(body: BodyModel, side: str) -> tuple[_HandSkin, NDArray[np.int64]]:
    """All skin of a hand part by part, and the finger (0..4 in the order of FINGERS, 5: the palm and the back) of each point."""
    first, wrist = 22 + 15 * _side_index(side), JOINT[f"{side}_wrist"]
    dominant = body.dominant_joint()
    chosen = np.flatnonzero((dominant == wrist) | ((dominant >= first) & (dominant < first + 15)))
    part = np.where(dominant[chosen] == wrist, 5, (dominant[chosen] - first) // 3)
    order = np.argsort(part, kind="stable")
    chosen, part = chosen[order], part[order]
    local = body.skin_index[chosen] - first + 1
    local = np.where((local >= 1) & (local <= 15), local, 0)
    return _HandSkin(body.template_m[chosen] - body.rest_joints_m[wrist], local, body.skin_weight[chosen], np.zeros(1, np.int64)), part


def hand_skin(body: BodyModel, side: str, T_world_wrist: ArrayLike, pose_rad: ArrayLike) -> tuple[F64, NDArray[np.int64]]:
    """World points (n, 3) of all skin of a hand for its finger rotations (45,), and the part of each in rising order: 0..4 as FINGERS, 5
    the palm."""
    kernels.KERNELS.ready()
    skin, part = _whole(body, side)
    first, wrist = 22 + 15 * _side_index(side), JOINT[f"{side}_wrist"]
    rest15 = body.rest_joints_m[first : first + 15] - body.rest_joints_m[wrist]
    base = matrix_from_rotvec(np.asarray(pose_rad, np.float64).reshape(15, 3))
    out = np.empty_like(skin.points)
    axes, still = np.ascontiguousarray(body.flex_axes[_side_index(side)]), np.zeros((5, 3))
    world = np.ascontiguousarray(T_world_wrist, np.float64)
    kernels.finger_points(base, axes, still, rest15, skin.joint, skin.weight, skin.points, world, out)
    return out, part


def least_by_part(values: F64, part: NDArray[np.int64]) -> F64:
    """Least of the values (n,) of each part (6,) of `hand_skin`."""
    return np.asarray(np.minimum.reduceat(values, np.searchsorted(part, np.arange(6))))


class _Fingers:
    """Skin of one hand as a function of 15 flexion angles around a family pose, in the world."""

    def __init__(self, body: BodyModel, name: str, side: str, T_world_wrist: F64) -> None:
        self.skin = _skin(body, side)
        first, wrist = 22 + 15 * _side_index(side), JOINT[f"{side}_wrist"]
        self.rest15 = body.rest_joints_m[first : first + 15] - body.rest_joints_m[wrist]
        self.axes15 = np.ascontiguousarray(body.flex_axes[_side_index(side)])
        self.axes = self.axes15.reshape(5, 3, 3)
        pose = hand_pose(body, "open", side) if name == PALM else _mirror(family(name).pose_rad, side)
        self.pose = pose.reshape(5, 3, 3)
        self.base = matrix_from_rotvec(self.pose)
        self.base15 = self.base.reshape(15, 3, 3)
        self.angle = np.einsum("fkc,fkc->fk", self.pose, self.axes)
        self.world = np.ascontiguousarray(T_world_wrist)

    def rotations(self, flex: F64) -> F64:
        """Local rotations (5, 3, 3, 3) for flexion (5, 3): the family pose flexed on by the difference to its own flexion."""
        return self.base @ matrix_from_rotvec(self.axes * (flex - self.angle)[..., None])

    def points(self, flex: F64) -> F64:
        """World skin points (n, 3)."""
        kernels.KERNELS.ready()
        s, turn = self.skin, flex - self.angle
        out = np.empty_like(s.points)
        kernels.finger_points(self.base15, self.axes15, turn, self.rest15, s.joint, s.weight, s.points, self.world, out)
        return out

    def gaps(self, flex: F64, distance: Distance) -> F64:
        """Smallest signed distance by finger and phalanx, (5, 3)."""
        return np.minimum.reduceat(distance(self.points(flex)), self.skin.starts[:-1]).reshape(5, 3)

    def closed_on_grid(self, voxels: Voxels, plane: Plane, limits: F64, pinch: bool, flex: F64) -> F64:
        """`closed` by one compiled kernel."""
        kernels.KERNELS.ready()
        s, gaps, level = self.skin, np.empty((5, 3)), np.append(plane.up, plane.height_m)
        hand = (self.base15, self.axes15, self.angle, self.rest15, s.joint, s.weight, s.points, s.starts, self.world)
        how = (limits, _LOWEST_RAD, _RATES, pinch, _STEPS_RAD, _STOPS_M, _TRIES)
        kernels.close_on_grid(*hand, voxels.grid, voxels.origin_m, voxels.voxel_m, voxels.outside_m, level, *how, flex, gaps)
        return gaps

    def closed(self, distance: Distance, plane: Plane, limits: F64, pinch: bool, flex: F64) -> F64:
        """Opens fingers that are inside something, then curls all until they touch; changes flex (5, 3). The gaps (5, 3) in the end."""
        kernels.KERNELS.ready()
        flex[:] = _open(self, flex, distance)
        gaps = self.gaps(flex, distance)
        free = np.ones((5, 3), np.bool_) & (gaps.min(axis=1) > _STOP_M)[:, None]
        step, active, trial = np.full(5, INCREMENT_RAD), np.empty(5, np.bool_), np.empty((5, 3))
        for _ in range(_TRIES[1]):
            if not kernels.next_flex(flex, free, step, limits, _RATES, active, trial):
                break
            found, floor = self.gaps(trial, distance), self.gaps(trial, plane.above).min(axis=1)
            kernels.settle(trial, found, floor, pinch, _STEPS_RAD, _STOPS_M, active, flex, gaps, free, step)
        return gaps


def _open(fingers: _Fingers, flex: F64, distance: Distance) -> F64:
    """Extends fingers that start inside the object, as far as they go."""
    for _ in range(_TRIES[0]):
        inside = fingers.gaps(flex, distance).min(axis=1) < _STOP_M
        if not inside.any():
            break
        flex = np.where(inside[:, None], np.maximum(flex - INCREMENT_RAD * _RATES, _LOWEST_RAD), flex)
    return flex


def _limits(name: str, fingers: _Fingers) -> F64:
    """Largest flexion (5, 3). A pinch keeps the idle fingers near the prototype and a palm all of them, so that no fist closes."""
    if name == PALM:
        return np.asarray(np.minimum(_LIMITS_RAD, fingers.angle + _FLAT_RAD))
    if name != "pinch":
        return _LIMITS_RAD
    slack = np.radians([[40.0], [40.0], [8.0], [30.0], [30.0]])
    return np.asarray(np.minimum(_LIMITS_RAD, fingers.angle + slack))


def wrap(body: BodyModel, name: str, side: str, T_world_wrist: ArrayLike, distance: Distance, stop: Plane | None = None) -> Grip:
    """Closes a hand around an object.

    name: grip family, or PALM; side: 'left' or 'right'; T_world_wrist (4, 4): the wrist joint's world transform; distance: signed
    distance (n,) in metres of world points (n, 3) from the object, negative inside, fastest where it is `Voxels`; stop: what only stops
    fingers (the support that the object stands on). Raises ValueError for an unknown family or side.
    """
    fingers = _Fingers(body, name, side, np.asarray(T_world_wrist, np.float64))
    limits = _limits(name, fingers)
    flex = np.clip(fingers.angle - _OPEN_RAD * _RATES, _LOWEST_RAD, limits)
    plane, pinch = stop or _NOTHING, name == "pinch"
    if isinstance(distance, Voxels):
        gaps = fingers.closed_on_grid(distance, plane, limits, pinch, flex)
    else:
        gaps = fingers.closed(distance, plane, limits, pinch, flex)
    nearest = gaps.min(axis=1)
    good = (nearest <= CONTACT_BAND_M) & (nearest >= -MAX_PENETRATION_M)
    valid = tuple(finger for finger, ok in zip(FINGERS, good, strict=True) if ok)
    enough = "thumb" in valid and len(valid) >= 2 if pinch else len(valid) >= 4
    pose = rotvec_from_matrix(fingers.rotations(flex)).reshape(-1)
    return Grip(pose, {finger: float(gap) for finger, gap in zip(FINGERS, nearest, strict=True)}, valid, enough)
