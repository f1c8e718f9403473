"""Contact and grasp selection from an object's oriented box (seed B.2.2): family, hand frames, approach directions.

The hand frame of a wrist joint: fingers along `f`, palm facing `p`, thumb side `t`. In joint axes f = (sign, 0, 0), p = (0, -1, 0),
t = (0, 0, 1) with sign +1 for the left hand. All vectors here are world vectors unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.shape import PAD_M, Shape
from assistcore.house.stage import GraspHint
from assistcore.house.state import Hand
from humans.model import BodyModel
from humans.proxies import CAPSULE, rig

F64 = NDArray[np.float64]
Family = Literal["side_wrap", "round_wrap", "pinch"]
UP = np.array([0.0, 0.0, 1.0])

CYLINDRICAL_RATIO = 1.15
"""Height over cross-section diameter from which a grasp is cylindrical (seed B.2.2)."""
SPAN_M = 0.105
"""Widest cross-section that the fingers close round."""
SMALL_M = 0.045
FLAT_M = 0.035
PRE_CONTACT_M = (0.13, 0.10, 0.17)
"""Tried in order; within the 0.10 to 0.18 m of seed B.2.2."""
PALM_ALONG_M = 0.104
PALM_OUT_M = 0.0405
"""Where a wrapped object's surface meets the palm: along the fingers from the wrist, and out of the wrist's plane."""
PINCH_SEAT_M = (0.118, 0.073, 0.036)
"""Pinch point in hand axes f, p, t (fitted on the default body)."""
PINCHES_DEG = (
    (20, 20), (0, 20), (45, 20), (20, 40), (-20, 20), (70, 20), (20, 0), (-45, 20), (20, -15), (60, -10), (-30, 0), (20, 58), (0, 48),
    (45, 58), (-20, 48), (70, 55), (100, 45), (-60, 45),
)  # fmt: skip
"""Turn about the vertical and downward tilt of the fingers for a pinch from above; steep ones reach over the rim of a drawer."""
BAR_ALONG_M = 0.100
"""Where the middle of a bar lies along the fingers from the wrist."""
TURNS_DEG = tuple(range(-30, 106, 15))
"""Turns of the hand about a bar."""
PRESS_M = 0.005
"""How deep the hand's capsule presses on the object at contact (the rules allow 8 mm)."""
HAND_HALF_M = 0.045
"""Half the hand's width: a side grasp stays so far above the support."""


@dataclass(frozen=True, eq=False)
class Grasp:
    """One way to hold: wrist frame in the object frame, contact point in the object frame, approach in the world, cost of preference."""

    side: Hand
    family: Family
    T_wrist: F64
    point_m: F64
    approach: F64
    cost: float

    def pre(self, offset_m: float) -> F64:
        """The wrist frame before contact."""
        T = self.T_wrist.copy()
        T[:3, 3] -= offset_m * self.approach
        return T


@lru_cache(maxsize=8)
def palm_axes(body: BodyModel) -> tuple[dict[Hand, F64], float]:
    """Points (7, 3) along the hand capsules in the wrist frame by side, and their radius."""
    r = rig(body)
    t = np.linspace(0.0, 1.0, 7)[:, None]
    sides: tuple[Hand, Hand] = ("left", "right")
    rows = {side: CAPSULE[f"{side}_hand"] for side in sides}
    axes = {side: r.offset_a_m[row] * (1.0 - t) + r.offset_b_m[row] * t for side, row in rows.items()}
    return axes, float(r.radius_m[rows["right"]])


def sign_of(side: Hand) -> float:
    """+1 left, -1 right."""
    return 1.0 if side == "left" else -1.0


def hand_rotation(side: Hand, f: F64, p: F64) -> F64:
    """Wrist rotations (..., 3, 3), world from joint axes, for finger directions and palm normals (..., 3) (made perpendicular)."""
    f = f / np.sqrt(np.sum(f * f, axis=-1, keepdims=True))
    p = p - np.sum(p * f, axis=-1, keepdims=True) * f
    p = p / np.sqrt(np.sum(p * p, axis=-1, keepdims=True))
    s = sign_of(side)
    out = np.empty((*f.shape, 3))
    out[..., 0], out[..., 1], out[..., 2] = s * f, -p, -s * cross(f, p)
    return out


def cross(a: F64, b: F64) -> F64:
    """Cross products of vectors (..., 3), which need not have the same shape."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)


def thumb_side(side: Hand, f: F64, p: F64) -> F64:
    """The thumb's direction t for finger and palm directions."""
    return -sign_of(side) * cross(f, p)


def fingers_from(side: Hand, p: F64, t: F64) -> F64:
    """The finger direction f for palm and thumb directions."""
    return -sign_of(side) * cross(p, t)


def family_of(size_m: F64, hint: GraspHint) -> tuple[Family, bool]:
    """The grasp family for box sides (3,) with the third vertical, and whether it takes hold of an edge rather than the body."""
    width = float(min(size_m[0], size_m[1]))
    height, longest = float(size_m[2]), float(max(size_m[0], size_m[1]))
    if hint == "edge":
        return "pinch", True
    if hint == "pinch":
        return "pinch", longest > SPAN_M
    flat = height < FLAT_M and longest > SMALL_M
    if hint == "auto" and (max(longest, height) < SMALL_M or (flat and width < SMALL_M)):
        return "pinch", False
    if width > SPAN_M or (hint == "auto" and flat):
        return "pinch", True
    return ("side_wrap" if height > CYLINDRICAL_RATIO * width else "round_wrap"), False


@dataclass(frozen=True, eq=False)
class Target:
    """What a hand is to take hold of: object transform (4, 4) world, its shape, where its support is, from where it is approached.

    toward (3,): horizontal unit vector from the body to it. opening (3,): outward direction of the enclosure it stands in, or None.
    palm_axis_m (7, 3) by side and palm_radius_m: the hand's capsule in the wrist frame.
    """

    T_object: F64
    shape: Shape
    hint: GraspHint
    toward: F64
    palm_axis_m: dict[Hand, F64]
    palm_radius_m: float
    opening: F64 | None = None
    handy: Callable[[Grasp], bool] | None = None
    """Which grasps leave a tool usable; None: all do."""


def _world_box(target: Target) -> tuple[F64, F64, F64]:
    """Centre (3,), axes (3, 3) as columns with the most vertical one last, and sizes (3,) of the box in that order."""
    axes = target.T_object[:3, :3]
    order = list(np.argsort(np.abs(axes[2]), kind="stable"))
    centre = target.T_object[:3, :3] @ target.shape.centre_m + target.T_object[:3, 3]
    return centre, axes[:, order], target.shape.size_m[order]


def _half_width(axes: F64, size: F64, direction: F64) -> float:
    """Half the box's extent along a direction; round cross-sections are as wide as their side."""
    along = np.abs(axes.T @ direction)
    if abs(size[0] - size[1]) < 0.12 * max(size[0], size[1]) and abs(direction[2]) < 0.5:
        return 0.25 * float(size[0] + size[1])
    return 0.5 * float(along @ size) if float(along.max()) > 0.96 else 0.5 * float(np.min(size[along > 0.3] / along[along > 0.3]))


def candidates(target: Target, sides: tuple[Hand, ...]) -> list[Grasp]:
    """Grasps in a fixed order of preference (cost first)."""
    centre, axes, size = _world_box(target)
    family, edge = family_of(size, target.hint)
    found: list[Grasp] = []
    for rank, side in enumerate(sides):
        if target.hint == "bar" and target.shape.bars:
            makers = [_bar(target, side, centre)]
        elif family == "side_wrap":
            makers = [_side(target, side, centre, axes, size), _top(target, side, "round_wrap", centre, axes, size)]
        elif family == "round_wrap":
            makers = [_top(target, side, family, centre, axes, size), _side(target, side, centre, axes, size)]
        elif edge and target.shape.grip_m is None:
            makers = [_edge(target, side, centre, axes, size)]
            if target.hint != "edge" and target.shape.bars:
                makers.insert(0, _bar(target, side, centre))
        else:
            makers = [_pinch(target, side, _gripped(target, centre), size)]
        for level, maker in enumerate(makers):
            found += [Grasp(g.side, g.family, g.T_wrist, g.point_m, g.approach, g.cost + 0.6 * level + 0.5 * rank) for g in maker]
    found = [_seated(target, g) for g in found]
    if target.opening is not None:
        found = [g for g in found if float(g.approach @ -target.opening) > 0.2 or float(g.approach[2]) < -0.6]
    return found if target.handy is None else [g for g in found if target.handy(g)]


def _gripped(target: Target, centre: F64) -> F64:
    """Where the asset wants to be held, else its middle."""
    if target.shape.grip_m is None:
        return centre
    return np.asarray(target.T_object[:3, :3] @ np.asarray(target.shape.grip_m) + target.T_object[:3, 3])


def _seated(target: Target, grasp: Grasp) -> Grasp:
    """The grasp moved out of the palm's way (or up to the palm) until the hand's capsule just presses on the object."""
    if grasp.family == "pinch":
        return grasp
    T = grasp.T_wrist.copy()
    R, origin = target.T_object[:3, :3], target.T_object[:3, 3]
    for _ in range(3):
        points = T[:3, 3] + target.palm_axis_m[grasp.side] @ T[:3, :3].T
        gap = float(target.shape.distance((points - origin) @ R).min()) - target.palm_radius_m
        T[:3, 3] += (gap + PRESS_M) * -T[:3, 1] if gap < PAD_M - target.palm_radius_m - 1e-6 else 0.0
    return Grasp(grasp.side, grasp.family, T, grasp.point_m, grasp.approach, grasp.cost)


def _grasp(side: Hand, family: Family, wrist_m: F64, f: F64, p: F64, point: F64, approach: F64, cost: float) -> Grasp:
    T = np.eye(4)
    T[:3, :3] = hand_rotation(side, f, p)
    T[:3, 3] = wrist_m
    return Grasp(side, family, T, point, approach / np.linalg.norm(approach), cost)


def _across(side: Hand, toward: F64) -> F64:
    """Horizontal direction from the hand's own side towards the other: where the palm of a straight reach faces."""
    return -sign_of(side) * np.cross(UP, toward)


def _side(target: Target, side: Hand, centre: F64, axes: F64, size: F64) -> Iterator[Grasp]:
    """The hand comes from the side, thumb up, fingers round the vertical body."""
    across = _across(side, target.toward)
    low = float(centre[2]) - 0.5 * float(size[2])
    height = float(size[2])
    if height < 0.055:
        return
    z = low + float(np.clip(0.55 * height, min(HAND_HALF_M + 0.004, 0.8 * height), max(0.5 * height, height - 0.03)))
    for psi, tilt in [(psi, tilt) for tilt in (25, 45, 5) for psi in (100, 75, 120, 50, 145, 30)]:
        a = np.radians(psi)
        p = np.cos(a) * target.toward + np.sin(a) * across
        level = fingers_from(side, p, UP)
        if 2.0 * _half_width(axes, size, level) > SPAN_M:
            continue
        f = np.cos(np.radians(tilt)) * level - np.sin(np.radians(tilt)) * UP
        reach = _half_width(axes, size, p)
        at = np.array([centre[0], centre[1], z])
        point = at - reach * p
        wrist = point - PALM_ALONG_M * f - PALM_OUT_M * p
        yield _grasp(side, "side_wrap", wrist, f, p, point, 0.85 * f + 0.5 * p, 0.004 * abs(psi - 100) + 0.004 * abs(tilt - 25))


def _top(target: Target, side: Hand, family: Family, centre: F64, axes: F64, size: F64) -> Iterator[Grasp]:
    """The palm comes down on the body, fingers ahead and down."""
    across = _across(side, target.toward)
    top = float(centre[2]) + 0.5 * float(size[2])
    for yaw, tilt in ((0, 35), (25, 35), (-25, 35), (0, 15), (0, 55), (50, 35), (-50, 35), (50, 15)):
        a = np.radians(yaw)
        ahead = np.cos(a) * target.toward + np.sin(a) * across
        if 2.0 * _half_width(axes, size, np.cross(UP, ahead)) > SPAN_M + 0.02:
            continue
        f = np.cos(np.radians(tilt)) * ahead - np.sin(np.radians(tilt)) * UP
        p = -np.cos(np.radians(tilt)) * UP - np.sin(np.radians(tilt)) * ahead
        radius = 0.5 * min(float(size[2]), float(min(size[0], size[1])))
        heart = np.array([centre[0], centre[1], top - radius])
        point = heart - radius * p
        wrist = heart - (radius + PALM_OUT_M) * p - PALM_ALONG_M * f
        yield _grasp(side, family, wrist, f, p, point, p + 0.35 * f, 0.004 * abs(yaw) + 0.003 * abs(tilt - 35))


def _pinch_frame(side: Hand, at: F64, f: F64, p: F64) -> F64:
    t = thumb_side(side, f, p)
    wrist: F64 = at - PINCH_SEAT_M[0] * f - PINCH_SEAT_M[1] * p - PINCH_SEAT_M[2] * t
    return wrist


def _pinch(target: Target, side: Hand, centre: F64, size: F64) -> Iterator[Grasp]:
    """Thumb and fingertips come down on a small thing."""
    across = _across(side, target.toward)
    z = max(float(centre[2]), float(centre[2]) + 0.5 * float(size[2]) - 0.025)
    at = np.array([centre[0], centre[1], z])
    for yaw, tilt in PINCHES_DEG:
        a = np.radians(yaw)
        ahead = np.cos(a) * target.toward + np.sin(a) * across
        f = np.cos(np.radians(tilt)) * ahead - np.sin(np.radians(tilt)) * UP
        p = -np.cos(np.radians(tilt)) * UP - np.sin(np.radians(tilt)) * ahead
        approach = -UP + 0.25 * ahead
        yield _grasp(side, "pinch", _pinch_frame(side, at, f, p), f, p, at, approach, 0.004 * abs(yaw - 20) + 0.003 * abs(tilt - 20))


def bar_frames(side: Hand, point: F64, normal: F64, along: F64, out_m: float, tilts_deg: tuple[float, ...] = (0.0,)) -> F64:
    """Wrist frames (2 k t, 4, 4) that hold a bar: k turns about it for each thumb direction, straight and tilted across it.

    `normal` points out of what the bar is fixed to; at turn 0 the palm faces that, at 90 degrees the fingers point at it.
    """
    out = []
    tilted = [np.cos(np.radians(t)) * along + np.sin(np.radians(t)) * cross(normal, along) for t in tilts_deg]
    for thumb in (sign * axis for axis in tilted for sign in (1.0, -1.0)):
        across = -cross(thumb, normal)
        if float(fingers_from(side, across, thumb) @ -normal) < 0.0:
            across = -across
        turns = np.radians(TURNS_DEG)[:, None]
        p = np.cos(turns) * -normal + np.sin(turns) * across
        f = fingers_from(side, p, thumb)
        T = np.tile(np.eye(4), (len(turns), 1, 1))
        T[:, :3, :3] = hand_rotation(side, f, p)
        T[:, :3, 3] = point - BAR_ALONG_M * f - out_m * p
        out.append(T)
    return np.concatenate(out)


def _bar(target: Target, side: Hand, centre: F64) -> Iterator[Grasp]:
    """The hand closes round a handle."""
    R = target.T_object[:3, :3]
    for level, bar in enumerate(target.shape.bars[:2]):
        point = R @ bar.middle_m + target.T_object[:3, 3]
        along = R @ bar.axis
        away = point - centre
        away = away - (away @ along) * along
        for spare in (-target.toward, UP):
            if float(np.linalg.norm(away)) < 0.01:
                away = spare - (spare @ along) * along
        normal = away / float(np.linalg.norm(away))
        for i, T in enumerate(bar_frames(side, point, normal, along, PALM_OUT_M + bar.half_m)):
            f, p = sign_of(side) * T[:3, 0], -T[:3, 1]
            turn = TURNS_DEG[i % len(TURNS_DEG)]
            yield Grasp(
                side, "side_wrap", T, point, (0.6 * f + 0.6 * p) / np.linalg.norm(0.6 * f + 0.6 * p), 0.003 * abs(turn - 45) + 0.5 * level
            )


def _edge(target: Target, side: Hand, centre: F64, axes: F64, size: F64) -> Iterator[Grasp]:
    """A broad thing is pinched near a reachable perimeter edge: thumb outside, fingertips on the inner side."""
    across = _across(side, target.toward)
    top = float(centre[2]) + 0.5 * float(size[2])
    for where, yaw, tilt in (
        (0, 0, 20),
        (35, 10, 20),
        (-35, -10, 20),
        (70, 30, 20),
        (0, 0, 40),
        (35, 10, 40),
        (-70, -30, 20),
        (110, 60, 20),
    ):
        a = np.radians(where)
        # from the centre to the rim: near the body, then round to the hand's own side
        outward = -np.cos(a) * target.toward - np.sin(a) * across
        rim = np.array([centre[0], centre[1], top]) + (_half_width(axes, size, outward) - 0.012) * outward
        b = np.radians(yaw)
        ahead = np.cos(b) * target.toward + np.sin(b) * across
        f = np.cos(np.radians(tilt)) * ahead - np.sin(np.radians(tilt)) * UP
        p = -np.cos(np.radians(tilt)) * UP - np.sin(np.radians(tilt)) * ahead
        at = rim - 0.012 * UP
        yield _grasp(side, "pinch", _pinch_frame(side, at, f, p), f, p, at, -UP + 0.3 * ahead, 0.006 * abs(where) + 0.003 * abs(tilt - 20))
