"""Where a hand may take hold of a thing, from its cross-section (`sections.py`): wrist frames in order of preference (seed B.2.2).

A hand *claws* from above (thumb and fingers on opposite sides of what it closes on), *covers* from above (the palm comes down on it), or
*clasps* from the side (thumb up). All frames are set against the thing's own sides, not against the body, so that the fingers meet faces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.grasp import (
    PALM_OUT_M,
    TURNS_DEG,
    UP,
    Family,
    Grasp,
    Target,
    bar_frames,
    fingers_from,
    hand_rotation,
    sign_of,
    thumb_side,
)
from actions.manipulation.sections import RIM_M, SPAN_M, Section, section_of
from actions.manipulation.shape import PAD_M
from assistcore.house.state import Hand
from humans.rotations import rotation_z

F64 = NDArray[np.float64]

CYLINDRICAL_RATIO = 1.15
"""Height over cross-section diameter from which a grasp is cylindrical (seed B.2.2)."""
PALM_ALONG_M = 0.104
"""Where a wrapped object's surface meets the palm, along the fingers from the wrist."""
CLAW_SEAT_M = (0.118, 0.073, 0.036)
"""Midway between thumb and fingers in hand axes f, p, t (fitted on the default body)."""
CLAW_MIDDLE_M = 0.014
"""Along t where more fingers than two are to meet the thing: about below the middle finger."""
CLAW_BETWEEN_M = 0.025
"""Along t where thumb, index and middle finger are to meet something thin: about between the two fingers."""
CLAW_TURNS_DEG = (55.0, 30.0, 80.0, 105.0)
"""Between the direction in which a claw closes (thumb to fingers) and that of the fingers, seen on the back of the hand."""
CLAW_TILTS_DEG = (20.0, 40.0, 58.0, 0.0)
"""How far the fingers of a claw point down; steep ones reach over the rim of a drawer."""
CLAW_SPAN_M = 0.115
PRESS_M = 0.005
"""How deep the hand's capsule presses on the object at contact (the rules allow 8 mm)."""
HAND_HALF_M = 0.045
"""Half the hand's width: a side grasp stays so far above the support."""
SUNK_M = 0.001
ROUND = 1.2
"""A thing is round where none of its corners is farther from its middle than this many half widths."""
LOW_M = 0.045
"""What is lower than this is clawed rather than clasped."""
END_COST = 20.0
"""For each metre that the hand is farther from the middle of a long thing than a thing that it spans would have it."""
MOST = 64
"""Grasps kept of one thing and hand."""


class _Box:
    """The thing's box in the world: centre (3,), horizontal axes e1 (narrow), e2 (3,), sizes along e1, e2 and the vertical."""

    def __init__(self, target: Target) -> None:
        axes = target.T_object[:3, :3]
        order = list(np.argsort(np.abs(axes[2]), kind="stable"))
        if target.shape.size_m[order[0]] > target.shape.size_m[order[1]]:
            order[:2] = order[1::-1]
        self.centre: F64 = axes @ target.shape.centre_m + target.T_object[:3, 3]
        self.e1, self.e2 = _level(axes[:, order[0]]), _level(axes[:, order[1]])
        self.width, self.length, self.height = (float(v) for v in target.shape.size_m[order])
        self.low, self.top = float(self.centre[2]) - 0.5 * self.height, float(self.centre[2]) + 0.5 * self.height
        self.round = self._is_round(target)

    def _is_round(self, target: Target) -> bool:
        if target.shape.corners_m is None or self.length - self.width > 0.12 * self.length:
            return False
        corners = target.shape.corners_m @ target.T_object[:3, :3].T + target.T_object[:3, 3] - self.centre
        return float(np.hypot(corners @ self.e1, corners @ self.e2).max()) < ROUND * 0.5 * self.length

    def half(self, direction: F64) -> float:
        """Half the extent along a horizontal direction."""
        if self.round:
            return 0.25 * (self.width + self.length)
        a, b = abs(float(direction @ self.e1)), abs(float(direction @ self.e2))
        return (
            0.5 * min(self.width / max(a, 1e-9), self.length / max(b, 1e-9))
            if max(a, b) < 0.96
            else 0.5 * (a * self.width + b * self.length)
        )

    def directions(self, asides: tuple[float, ...] = (0.0, 12.0, -12.0)) -> list[F64]:
        """Horizontal directions across the thing: those of its sides and a little aside, or all round where it is round."""
        if self.round:
            return [rotation_z(np.radians(turn)) @ self.e1 for turn in range(0, 360, 20)]
        return [rotation_z(np.radians(aside)) @ axis for aside in asides for axis in (self.e1, -self.e1, self.e2, -self.e2)]


def _level(axis: F64) -> F64:
    flat = axis * np.array([1.0, 1.0, 0.0])
    return np.asarray(flat / max(float(np.linalg.norm(flat)), 1e-9))


def section_at(target: Target) -> Section:
    """The section of a thing as it lies."""
    return section_of(target.shape, target.hint, target.T_object[2, :3])


def candidates(target: Target, sides: tuple[Hand, ...]) -> list[Grasp]:
    """Grasps in order of preference (cost first)."""
    section, box = section_at(target), _Box(target)
    found: list[Grasp] = []
    for rank, side in enumerate(sides):
        for level, maker in enumerate(_makers(target, side, section, box)):
            found += [replace(g, kind=section.kind, cost=g.cost + 0.6 * level + 0.5 * rank) for g in maker]
    if target.opening is not None:
        found = [g for g in found if float(g.approach @ -target.opening) > 0.2 or float(g.approach[2]) < -0.6]
    seated = (_seated(target, g) for g in sorted(found, key=lambda g: g.cost))
    clear = (g for g in seated if above_support(target, g.side, g.T_wrist, box.low))
    return list(islice((g for g in clear if target.handy is None or target.handy(g)), MOST))


def _makers(target: Target, side: Hand, section: Section, box: _Box) -> list[Iterator[Grasp]]:
    """The ways to take hold, the preferred one first."""
    alongs = (CLAW_SEAT_M[2], CLAW_BETWEEN_M) if section.kind == "pinch" else (CLAW_MIDDLE_M, CLAW_SEAT_M[2])
    if section.where == "handle":
        return [_bar(target, side, box.centre)]
    if section.where == "grip":
        at = target.T_object[:3, :3] @ np.asarray(target.shape.grip_m) + target.T_object[:3, 3]
        return [_claw(target, side, at, [box.e1, -box.e1], alongs=alongs)]
    if section.where == "ridge":
        at = box.centre + (box.top - RIM_M - float(box.centre[2])) * UP
        return [_claw(target, side, at + share * box.length * box.e2, [box.e1, -box.e1]) for share in (0.0, 0.25, -0.25)]
    if section.where == "wall" or section.kind == "two_hand" or box.width > CLAW_SPAN_M:
        return [_rim(target, side, box)]
    low = _claw(target, side, box.centre, _spanned(box), alongs=alongs)
    if section.kind == "pinch" or box.height < LOW_M:
        return [low]
    clasp, cover = _clasp(target, side, box), _cover(target, side, box)
    return [clasp, cover, low] if box.height > CYLINDRICAL_RATIO * box.width else [cover, clasp, low]


def above_support(target: Target, side: Hand, T_wrist: F64, low_m: float) -> bool:
    """Whether the hand's capsule at a wrist frame (4, 4) stays above the height on which the thing stands."""
    heights = target.palm_axis_m[side] @ T_wrist[2, :3] + T_wrist[2, 3]
    return bool(heights.min() - target.palm_radius_m >= low_m - SUNK_M)


def _spanned(box: _Box) -> list[F64]:
    """Directions in which thumb and fingers can close on opposite sides of the thing."""
    return [d for d in box.directions() if 2.0 * box.half(d) <= CLAW_SPAN_M]


def _seated(target: Target, grasp: Grasp) -> Grasp:
    """A palm moved out of the thing (or up to it) until the hand's capsule just presses on it; a claw only out of it."""
    T = grasp.T_wrist.copy()
    R, origin = target.T_object[:3, :3], target.T_object[:3, 3]
    for _ in range(3):
        points = T[:3, 3] + target.palm_axis_m[grasp.side] @ T[:3, :3].T
        gap = float(target.shape.distance((points - origin) @ R).min()) - target.palm_radius_m
        if gap >= PAD_M - target.palm_radius_m - 1e-6 or (grasp.family == "pinch" and gap > -PRESS_M):
            break
        T[:3, 3] += (gap + PRESS_M) * -T[:3, 1]
    return replace(grasp, T_wrist=T)


def _grasp(side: Hand, family: Family, wrist_m: F64, f: F64, p: F64, point: F64, approach: F64, cost: float) -> Grasp:
    T = np.eye(4)
    T[:3, :3] = hand_rotation(side, f, p)
    T[:3, 3] = wrist_m
    return Grasp(side, family, T, point, approach / np.linalg.norm(approach), cost)


def _across(side: Hand, toward: F64) -> F64:
    """Horizontal direction from the hand's own side towards the other: where the palm of a straight reach faces."""
    return -sign_of(side) * np.cross(UP, toward)


def _turn_deg(target: Target, side: Hand, direction: F64) -> float:
    """How far a horizontal direction is turned from straight ahead towards the other side of the body, degrees in (-180, 180]."""
    return float(np.degrees(np.arctan2(direction @ _across(side, target.toward), direction @ target.toward)))


def _down(ahead: F64, tilt_deg: float) -> tuple[F64, F64]:
    """Finger and palm directions of a hand above a thing whose fingers point ahead and down."""
    c, s = np.cos(np.radians(tilt_deg)), np.sin(np.radians(tilt_deg))
    return c * ahead - s * UP, -c * UP - s * ahead


def _clasp(target: Target, side: Hand, box: _Box) -> Iterator[Grasp]:
    """The hand comes from the side, thumb up, fingers round the vertical body."""
    if box.height < 0.055:
        return
    z = box.low + float(np.clip(0.55 * box.height, min(HAND_HALF_M + 0.004, 0.8 * box.height), max(0.5 * box.height, box.height - 0.03)))
    for p in box.directions((0.0, 12.0, -12.0, 25.0, -25.0)):
        psi = _turn_deg(target, side, p)
        level = fingers_from(side, p, UP)
        if not 15.0 <= psi <= 160.0 or 2.0 * box.half(level) > SPAN_M:
            continue
        point = np.array([box.centre[0], box.centre[1], z]) - box.half(p) * p
        for tilt in (25, 45, 5):
            f = np.cos(np.radians(tilt)) * level - np.sin(np.radians(tilt)) * UP
            along = min(PALM_ALONG_M, 0.062 + box.half(level))
            cost = 0.008 * abs(psi - 100) + 0.004 * abs(tilt - 25) + END_COST * max(0.0, box.half(p) - 0.5 * SPAN_M)
            yield _grasp(side, "side_wrap", point - along * f - PALM_OUT_M * p, f, p, point, 0.85 * f + 0.5 * p, cost)


def _cover(target: Target, side: Hand, box: _Box) -> Iterator[Grasp]:
    """The palm comes down on the body, fingers ahead and down."""
    radius = 0.5 * min(box.height, box.width)
    heart = np.array([box.centre[0], box.centre[1], box.top - radius])
    for ahead in box.directions():
        yaw = _turn_deg(target, side, ahead)
        if abs(yaw - 15.0) > 100.0 or 2.0 * box.half(np.cross(UP, ahead)) > SPAN_M + 0.02:
            continue
        for tilt in (35, 15, 55):
            f, p = _down(ahead, tilt)
            wrist = heart - (radius + PALM_OUT_M) * p - PALM_ALONG_M * f
            cost = 0.004 * abs(yaw) + 0.003 * abs(tilt - 35)
            yield _grasp(side, "round_wrap", wrist, f, p, heart - radius * p, p + 0.35 * f, cost)


def _claw(
    target: Target, side: Hand, at: F64, closing: list[F64], *, slope: float = 0.25, alongs: tuple[float, ...] = CLAW_SEAT_M[2:]
) -> Iterator[Grasp]:
    """Thumb and fingertips come down on both sides of a place, closing along one of some horizontal directions (thumb to fingers).

    `alongs`: where the place lies along the hand's thumb axis.
    """
    for d in closing:
        about = float(thumb_side(side, d, -UP) @ np.cross(UP, d))
        for order, turn in enumerate(CLAW_TURNS_DEG):
            ahead = rotation_z(about * np.radians(turn)) @ d
            yaw = _turn_deg(target, side, ahead)
            if abs(yaw - 20.0) > 110.0:
                continue
            for tilt, along in ((tilt, along) for along in alongs for tilt in CLAW_TILTS_DEG):
                f, p = _down(ahead, tilt)
                t = thumb_side(side, f, p)
                wrist = at - CLAW_SEAT_M[0] * f - CLAW_SEAT_M[1] * p - along * t
                cost = 0.004 * abs(yaw - 20) + 0.003 * abs(tilt - 20) + 0.08 * order
                yield _grasp(side, "pinch", wrist, f, p, at, -UP + slope * ahead, cost)


def _rim(target: Target, side: Hand, box: _Box) -> Iterator[Grasp]:
    """The edge of a broad thing: thumb outside, fingertips inside, from near the body round to the hand's own side."""
    across = _across(side, target.toward)
    outs = box.directions() if box.round else [box.e1, -box.e1, box.e2, -box.e2]
    for outward in outs:
        where = float(np.degrees(np.arctan2(-outward @ across, -outward @ target.toward)))
        if abs(where - 30.0) > 100.0:
            continue
        reach = 0.5 * (box.width if abs(outward @ box.e1) > 0.5 else box.length) if not box.round else box.half(outward)
        middle = np.array([box.centre[0], box.centre[1], box.top - RIM_M]) + (reach - 0.004) * outward
        for aside in (0.0, 0.2, -0.2) if not box.round else (0.0,):
            at = middle + aside * (box.length if abs(outward @ box.e1) > 0.5 else box.width) * np.cross(UP, outward)
            for grasp in _claw(target, side, at, [-outward], slope=0.3):
                yield replace(grasp, cost=grasp.cost + 0.006 * abs(where) + 0.3 * abs(aside))


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
            approach = 0.6 * f + 0.6 * p
            yield Grasp(side, "side_wrap", T, point, approach / np.linalg.norm(approach), 0.003 * abs(turn - 45) + 0.5 * level)
