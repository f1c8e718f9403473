"""Hand frames (seed B.2.2): what a grasp is, what it is of, and the axes of a hand.

The hand frame of a wrist joint: fingers along `f`, palm facing `p`, thumb side `t`. In joint axes f = (sign, 0, 0), p = (0, -1, 0),
t = (0, 0, 1) with sign +1 for the left hand. All vectors here are world vectors unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.sections import HoldClass
from actions.manipulation.shape import Shape
from assistcore.house.stage import GraspHint
from assistcore.house.state import Hand
from humans.model import BodyModel
from humans.proxies import CAPSULE, rig

F64 = NDArray[np.float64]
Family = Literal["side_wrap", "round_wrap", "pinch"]
UP = np.array([0.0, 0.0, 1.0])

PRE_CONTACT_M = (0.13, 0.10, 0.17)
"""Tried in order; within the 0.10 to 0.18 m of seed B.2.2."""
PALM_OUT_M = 0.0405
"""Where a wrapped object's surface meets the palm, out of the wrist's plane."""
BAR_ALONG_M = 0.100
"""Where the middle of a bar lies along the fingers from the wrist."""
TURNS_DEG = tuple(range(-30, 106, 15))
"""Turns of the hand about a bar."""


@dataclass(frozen=True, eq=False)
class Grasp:
    """One way to hold: wrist frame in the object frame, contact point in the object frame, approach in the world, cost of preference."""

    side: Hand
    family: Family
    T_wrist: F64
    point_m: F64
    approach: F64
    cost: float
    kind: HoldClass = "wrap"

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
