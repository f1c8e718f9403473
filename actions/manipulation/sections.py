"""How a thing is to be held, from the cross-section that a hand would meet, and from nothing else (issue 3, Hands).

`pinch`: thinner than 15 mm there, thumb and two opposing fingers. `two_hand`: more than 0.25 m across with no side that one hand spans,
both palms. `wrap`: everything between, four of the five digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.shape import Shape
from assistcore.house.stage import GraspHint

F64 = NDArray[np.float64]
HoldClass = Literal["wrap", "pinch", "two_hand"]

SPAN_M = 0.105
"""Widest cross-section that the fingers of one hand close round."""
THIN_M = 0.015
BROAD_M = 0.25
RIM_M = 0.012
"""How far below its rim the wall of an open vessel, or the ridge of a folded card, is measured."""
THIN_SHARE = 0.25
"""A wall thinner than a voxel shows as distances below this share of it."""
_STEP_M = 0.001


@dataclass(frozen=True)
class Section:
    """What a hand meets. thickness_m: the least measure across; across_m: the greatest of the level section; where it was measured."""

    kind: HoldClass
    thickness_m: float
    across_m: float
    where: Literal["handle", "grip", "ridge", "wall", "body"]


def section_of(shape: Shape, hint: GraspHint, up: F64) -> Section:
    """The section of a thing whose upward direction is `up` (3,) in its root frame."""
    vertical = int(np.argmax(np.abs(up)))
    level = [k for k in range(3) if k != vertical]
    size = shape.size_m
    width, across = float(size[level].min()), _across(shape, level)
    if shape.bars and (hint == "bar" or (width > SPAN_M and hint != "edge" and shape.grip_m is None)):
        return _section(2.0 * shape.bars[0].half_m, across, "handle")
    if shape.grip_m is not None:
        chords = [_chord(shape, np.asarray(shape.grip_m), k) for k in range(3)]
        return _section(min(chords), across, "grip")
    if across > BROAD_M and width > SPAN_M:
        return Section("two_hand", width, across, "body")
    top = shape.centre_m.copy()
    top[vertical] += np.sign(up[vertical]) * (0.5 * size[vertical] - RIM_M)
    narrow = level[int(np.argmin(size[level]))]
    if hint == "pinch" and size[vertical] > RIM_M:
        return _section(min(_chord(shape, top, narrow), float(size.min())), across, "ridge")
    if width > SPAN_M and (wall := _wall(shape, top, narrow)) is not None:
        return _section(wall, across, "wall")
    return _section(float(size.min()), across, "body")


def _section(thickness_m: float, across_m: float, where: Literal["handle", "grip", "ridge", "wall", "body"]) -> Section:
    return Section("pinch" if thickness_m < THIN_M else "wrap", thickness_m, across_m, where)


def _across(shape: Shape, level: list[int]) -> float:
    """The greatest distance between two corners of the thing as seen from above."""
    if shape.corners_m is None:
        return float(np.linalg.norm(shape.size_m[level]))
    points = shape.corners_m[:, level]
    turns = np.linspace(0.0, np.pi, 36, endpoint=False)
    return float(np.ptp(points @ np.stack([np.cos(turns), np.sin(turns)]), axis=0).max())


def _line(shape: Shape, at: F64, axis: int) -> NDArray[np.bool_]:
    """Whether points on the line through `at` (3,) along an axis, a millimetre apart from the low side on, are inside the thing."""
    along = np.arange(shape.low_m[axis], shape.high_m[axis] + _STEP_M, _STEP_M)
    points = np.tile(at, (len(along), 1))
    points[:, axis] = along
    return np.asarray(shape.distance(points) <= THIN_SHARE * shape.voxel_m)


def _chord(shape: Shape, at: F64, axis: int) -> float:
    """How much of the line through a point along an axis is inside the thing; its whole side where the line misses it."""
    inside = int(_line(shape, at, axis).sum())
    return inside * _STEP_M if inside else float(shape.size_m[axis])


def _wall(shape: Shape, at: F64, axis: int) -> float | None:
    """Thickness of the outer wall where the line through a point crosses a hollow, or None for what is solid there."""
    inside = _line(shape, at, axis)
    if not inside.any() or inside[len(inside) // 2]:
        return None
    first = int(np.argmax(inside))
    gap = int(np.argmin(inside[first:])) if not inside[first:].all() else len(inside)
    return gap * _STEP_M
