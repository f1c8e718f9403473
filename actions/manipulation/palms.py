"""Where both palms hold a broad thing between them: opposite sides, fingers ahead and down, thumbs up (issue 3, Hands, two-hand).

Everything here is in the thing's own frame and depends on nothing else, so it is found once for an asset and an upward direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.grasp import Target, cross, hand_rotation
from actions.manipulation.holds import above_support
from actions.manipulation.shape import PAD_M
from assistcore.house.state import Hand
from humans.hands import PALM, Plane, hand_skin, least_by_part, wrap
from humans.model import FINGERS, BodyModel
from humans.rotations import matrix_from_rotvec

F64 = NDArray[np.float64]

SIDES: tuple[Hand, Hand] = ("right", "left")
WIDE_M = (0.10, 0.56)
"""Between the palms, least and most."""
MIDDLE_M = (0.075, -0.012, 0.0)
"""What lies against the middle of a side, in hand axes f, p (from the wrist's plane), t: the palm behind the fingers."""
PAST_M = (0.064, 0.059, 0.054)
"""How far a side goes on behind the middle of the hand where the forearm is to pass it: hardly farther than the heel of the hand."""
PITCHES_DEG = (20.0, 40.0, 0.0, 10.0, 60.0)
"""How far the fingers point down."""
HEELS_DEG = (6.0, 10.0, 3.0)
"""How far the fingers are turned away from the side, so that the heel of the hand lies against it as they do."""
ROLLS_DEG = (0.0, 12.0, 24.0, -12.0)
"""How far the palm is turned to face up, its lower edge towards the thing."""
OUT_M = 0.03
"""About how far the hand's capsule stands out of the wrist's plane."""
PRESS_M = 0.0065
"""How deep the hand's capsule presses on the thing at contact (the rules allow 8 mm)."""
BAND_M, DEEPEST_M = 0.005, 0.003
FINGERS_LEAST = 2
FLOOR_M = -0.001
TURNS = 8
"""Directions of a round thing that are looked at."""


class Palm(NamedTuple):
    """One hand against a side: wrist frame (4, 4) in the object frame, finger rotations (45,), what touches, the deepest skin, a score."""

    T_object_wrist: F64
    fingers_rad: F64
    touching: tuple[str, ...]
    firm: bool
    score: float


@dataclass(frozen=True, eq=False)
class Between:
    """Places for both palms on opposite sides. ahead (3,): where the person faces, object frame; contact points (3,) and wrist frames
    (4, 4) there, by side, as they are about; how far apart; how far the fingers point down; how far the hands are off the middle line."""

    points_m: dict[Hand, F64]
    wrists: dict[Hand, F64]
    across: F64
    ahead: F64
    apart_m: float
    pitch_deg: float
    off_m: float


def between(target: Target, caches: dict[str, object]) -> tuple[Between, ...]:
    """Where both palms may hold a thing that stands on something level, in no order."""
    up = target.T_object[2, :3]
    key = f"manipulation.palms:{id(target.shape)}:{np.round(up, 4).tolist()}"
    found = caches.get(key)
    if not isinstance(found, tuple):
        found = caches[key] = tuple(_places(target, up))
    return found


def _places(target: Target, up: F64) -> Iterator[Between]:
    for across in _directions(target, up):
        ahead = cross(across, up)  # the left hand is on the side to which `across` points
        depth = 0.5 * float(np.abs(ahead) @ target.shape.size_m)
        for height in _heights(target, up):
            for off in dict.fromkeys((0.0, round(-0.4 * depth, 3), *(round(min(0.0, past - depth), 3) for past in PAST_M))):
                left, right = (_side_point(target, up, sign * across, height, off * ahead) for sign in (1.0, -1.0))
                if left is None or right is None:
                    continue
                apart = float((left - right) @ across)
                if not WIDE_M[0] <= apart <= WIDE_M[1]:
                    continue
                at: dict[Hand, F64] = {"left": left, "right": right}
                for pitch in PITCHES_DEG:
                    flat = {s: _frame(s, at[s], *_aims(s, across, ahead, up, pitch), 0.0, HEELS_DEG[0]) for s in SIDES}
                    wrists = {s: _seated(target, s, T) for s, T in flat.items()}
                    if all(above_support(target, s, target.T_object @ T, _bottom_m(target)) for s, T in wrists.items()):
                        yield Between(at, wrists, across, ahead, apart, pitch, off)


def pressed(body: BodyModel, target: Target, place: Between, side: Hand, caches: dict[str, object]) -> Palm | None:
    """The firmest way to lay a hand there; None where there is no room above what the thing stands on."""
    key = f"manipulation.pressed:{id(target.shape)}:{side}:{np.round(place.wrists[side], 5).tobytes().hex()}"
    if key not in caches:
        up = target.T_object[2, :3]
        caches[key] = _pressed(body, target, side, place.points_m[side], place.across, place.ahead, up, place.pitch_deg)
    found = caches[key]
    return found if isinstance(found, Palm) else None


def _bottom_m(target: Target) -> float:
    """Height of what the thing stands on, world."""
    corners = target.shape.corners_m
    return -np.inf if corners is None else float((corners @ target.T_object[2, :3]).min()) + float(target.T_object[2, 3])


def _directions(target: Target, up: F64) -> list[F64]:
    """Level unit directions across the thing, both ways of each."""
    vertical = int(np.argmax(np.abs(up)))
    level = [np.eye(3)[k] for k in range(3) if k != vertical]
    return [sign * axis for axis in level for sign in (1.0, -1.0)]


def _heights(target: Target, up: F64) -> list[float]:
    """Heights of the middle of the hands above the middle of the thing."""
    half = 0.5 * float(np.abs(up) @ target.shape.size_m)
    low = min(target.palm_radius_m + 0.012 - half, half)
    return sorted({round(max(low, h), 4) for h in (0.0, 0.5 * half - 0.02, half - 0.03)})


def _side_point(target: Target, up: F64, out: F64, height_m: float, off: F64) -> F64 | None:
    """Where the side that faces `out` is at a height, off (3,) the thing's middle line: None where nothing is there."""
    shape = target.shape
    half = 0.5 * float(np.abs(up) @ shape.size_m)
    start = shape.centre_m + off + min(height_m, half - 0.004) * up
    reach = 0.5 * float(np.abs(out) @ shape.size_m) + 0.01
    along = np.arange(reach, -0.005, -0.001)
    inside = shape.distance(start + along[:, None] * out) <= 0.0
    if not inside.any():
        return None
    return np.asarray(shape.centre_m + off + height_m * up + along[int(np.argmax(inside))] * out)


def _pressed(body: BodyModel, target: Target, side: Hand, at: F64, across: F64, ahead: F64, up: F64, pitch_deg: float) -> Palm | None:
    """The firmest way to lay a hand against a side with its fingers so far down."""
    f, p = _aims(side, across, ahead, up, pitch_deg)
    best: Palm | None = None
    for roll in ROLLS_DEG:
        for heel in HEELS_DEG:
            T = _frame(side, at, f, p, roll, heel)
            T = _seated(target, side, T)
            if not above_support(target, side, target.T_object @ T, _bottom_m(target)):
                continue
            palm = _closed(body, target, side, T, up, _bottom_m(target) - float(target.T_object[2, 3]))
            best = palm if best is None or palm.score > best.score else best
            if best.firm:
                return best
    return best


def _aims(side: Hand, across: F64, ahead: F64, up: F64, pitch_deg: float) -> tuple[F64, F64]:
    """Finger and palm directions of a hand against a side."""
    c, s = np.cos(np.radians(pitch_deg)), np.sin(np.radians(pitch_deg))
    return c * ahead - s * up, -across if side == "left" else across


def _frame(side: Hand, at: F64, f: F64, p: F64, roll_deg: float, heel_deg: float) -> F64:
    """A wrist frame whose palm's middle is at a point."""
    R = hand_rotation(side, f, p)
    thumb = R[:, 2]
    sign = 1.0 if side == "left" else -1.0
    # heel: fingers away from the side; roll: the palm faces up
    R = matrix_from_rotvec(sign * np.radians(heel_deg) * thumb) @ R
    R = matrix_from_rotvec(-sign * np.radians(roll_deg) * f) @ R
    T = np.eye(4)
    T[:3, :3] = R
    fingers, palm = sign * R[:, 0], -R[:, 1]
    T[:3, 3] = at - MIDDLE_M[0] * fingers + (MIDDLE_M[1] - OUT_M) * palm
    return T


def _seated(target: Target, side: Hand, T: F64) -> F64:
    """The hand moved along its palm until its capsule just presses on the thing."""
    out = T.copy()
    for _ in range(6):
        points = out[:3, 3] + target.palm_axis_m[side] @ out[:3, :3].T
        gap = float(target.shape.distance(points).min()) - target.palm_radius_m
        if gap >= PAD_M - target.palm_radius_m - 1e-6:
            gap = 0.02
        out[:3, 3] += (gap + PRESS_M) * -out[:3, 1]
    return out


def _closed(body: BodyModel, target: Target, side: Hand, T: F64, up: F64, bottom: float) -> Palm:
    distance = target.shape.surface
    grip = wrap(body, PALM, side, T, distance, Plane(up, bottom + FLOOR_M))
    points, part = hand_skin(body, side, T, grip.pose_rad)
    gaps = distance(points)
    least = least_by_part(gaps, part)
    deepest = -float(min(0.0, least.min()))
    touching = (least <= BAND_M) & (least >= -DEEPEST_M)
    names = tuple(name for name, ok in zip((*FINGERS, "palm"), touching, strict=True) if ok)
    fingers = int(touching[:5].sum())
    firm = bool(touching[5]) and fingers >= FINGERS_LEAST and deepest <= DEEPEST_M
    score = fingers + 3.0 * bool(touching[5]) - 400.0 * max(0.0, deepest - DEEPEST_M) - 100.0 * max(0.0, float(least[5]) - BAND_M)
    return Palm(T, grip.pose_rad, names, firm, score)
