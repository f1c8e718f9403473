"""Left, right, behind, second from the left: choices by where things are seen.

Bearings and elevations are radians relative to the gaze (left and up positive), distances metres from the head.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

from assistworld.agents.grounding.things import Thing

MARGIN_RAD = 0.02
"""Two bearings closer than this are the same side by side."""
MARGIN_M = 0.05
LEVEL_RAD = 0.15
"""What is left or right of a thing is looked for at about its height first."""
BLUR_RAD = 0.09
"""Things in one column (or row) can be seen at angles that differ by this much."""
NEAR_M = 2.0
"""Farther apart than this (on the floor plan) nothing is next to anything."""
SAME_DIRECTION_RAD = 0.4
IN_LINE_RAD = 0.05
"""Behind and in front of a thing is what is seen in its direction up to this much less exactly than the best."""
FEW = 3
"""Of at most this many, `the left one` is the leftmost; of more it could be any on that side."""


def placed(things: Sequence[Thing]) -> list[Thing]:
    """Those whose direction is known: seen now, rooms left out."""
    return [t for t in things if t.offer.bearing_rad is not None and t.offer.visible]


def _bearing(t: Thing) -> float:
    return t.offer.bearing_rad or 0.0


def _elevation(t: Thing) -> float:
    """Elevation in radians, 0 where not known."""
    return t.offer.elevation_rad or 0.0


def _distance(t: Thing) -> float:
    return t.offer.distance_m if t.offer.distance_m is not None else 1e3


def spread(things: Sequence[Thing]) -> tuple[float, float]:
    """Ranges of bearing and elevation, radians."""
    bearings, elevations = [_bearing(t) for t in things], [_elevation(t) for t in things]
    return max(bearings) - min(bearings), max(elevations) - min(elevations)


def stacked(things: Sequence[Thing]) -> bool:
    """Whether they stand one above the other rather than side by side."""
    across, up = spread(things)
    return up > 2.0 * across + MARGIN_RAD


def in_row(things: Sequence[Thing]) -> bool:
    """Whether they stand side by side rather than one above the other."""
    across, up = spread(things)
    return across > 2.0 * up + MARGIN_RAD


def _scores(things: Sequence[Thing], side: str) -> tuple[list[float], float]:
    """A number for each that is largest at that side, and the margin that separates two."""
    match side:
        case "left" | "leftmost":
            return [_bearing(t) for t in things], MARGIN_RAD
        case "right" | "rightmost":
            return [-_bearing(t) for t in things], MARGIN_RAD
        case "top":
            return [_elevation(t) for t in things], MARGIN_RAD
        case "bottom":
            return [-_elevation(t) for t in things], MARGIN_RAD
        case "far":
            return [_distance(t) for t in things], MARGIN_M
    return [-_distance(t) for t in things], MARGIN_M


def ordered(things: Sequence[Thing], side: str) -> list[list[Thing]]:
    """Groups from that side on; those in one group cannot be told apart."""
    numbers, margin = _scores(things, side)
    ranked = sorted(zip(numbers, range(len(things)), strict=True), key=lambda p: (-p[0], p[1]))
    groups: list[list[Thing]] = []
    last = 0.0
    for number, index in ranked:
        if groups and (last - number <= margin or _level(things[index], groups[-1][-1], side)):
            groups[-1].append(things[index])
        else:
            groups.append([things[index]])
        last = number
    return groups


def _level(a: Thing, b: Thing, side: str) -> bool:
    """Whether two things are equally far at a side although their angles differ: one above the other for left and right, side by side for
    top and bottom."""
    across, up = abs(_bearing(a) - _bearing(b)), abs(_elevation(a) - _elevation(b))
    if side in {"top", "bottom"}:
        across, up = up, across
    return side not in {"near", "far"} and across < BLUR_RAD and up > 2.0 * across


def at_side(things: Sequence[Thing], side: str) -> list[Thing]:
    """Those that `the SIDE one` can mean: one where it is clear, several where it is not, none where nothing is there."""
    if side == "ahead":
        return [t for t in placed(things) if abs(_bearing(t)) < 0.5]
    if side == "back":
        return [t for t in things if t.offer.bearing_rad is not None and abs(_bearing(t)) > pi / 2]
    if side == "floor":
        return [t for t in things if not (t.offer.on or t.offer.inside) or "floor" in t.offer.on] or list(things)
    if side == "hand":
        return [t for t in things if t.offer.held]
    seen = placed(things)
    if side in {"near", "far"}:
        return ordered(seen or list(things), side)[0] if things else []
    if not seen:
        return list(things)
    if side == "middle":
        return _middle(seen)
    if side in {"left", "right"} and len(seen) > FEW:
        sign = 1.0 if side == "left" else -1.0
        there = [t for t in seen if sign * _bearing(t) > MARGIN_RAD]
        return there or seen
    if len(seen) == 1 and side in {"left", "right"}:
        return seen
    return ordered(seen, side)[0]


def _middle(seen: Sequence[Thing]) -> list[Thing]:
    if len(seen) < 3 or not (stacked(seen) or in_row(seen)):
        return list(seen)
    groups = ordered(seen, "top" if stacked(seen) else "left")
    if len(groups) % 2 == 0:
        return list(seen)
    return groups[len(groups) // 2]


def nth(things: Sequence[Thing], ordinal: int, side: str) -> list[Thing] | None:
    """The n-th from a side (-1 the last one there). None where the direction of counting is not clear, empty where there are fewer."""
    seen = placed(things)
    if not seen:
        return None
    if len(seen) == 1:
        return seen if ordinal in {1, -1} else []
    if side in {"left", "right", "leftmost", "rightmost"} and stacked(seen):
        return None
    if side in {"top", "bottom"} and in_row(seen):
        return None
    if not side:
        if not (stacked(seen) or in_row(seen)) or (ordinal < 0 and not stacked(seen)):
            return None
        side = "top" if stacked(seen) else "left"
    groups = ordered(seen, side)
    if ordinal < 0:
        return groups[-1] if len(groups[-1]) == 1 else None
    index = ordinal - 1
    if any(len(g) > 1 for g in groups[: index + 1]):
        return None
    return groups[index] if index < len(groups) else []


def apart_m(a: Thing, b: Thing) -> float:
    """Metres between two seen things on the floor plan, from their directions and distances."""
    p, q = _distance(a) * cos(_elevation(a)), _distance(b) * cos(_elevation(b))
    return hypot(p * cos(_bearing(a)) - q * cos(_bearing(b)), p * sin(_bearing(a)) - q * sin(_bearing(b)))


def beside(things: Sequence[Thing], others: Sequence[Thing], *, nearest: bool = False) -> list[Thing]:
    """The thing next to one of `others`; several where no one is clearly nearest (`nearest`: nearer at all)."""
    near = [(min(apart_m(t, o) for o in others if o.key != t.key), i) for i, t in enumerate(things) if any(o.key != t.key for o in others)]
    near = sorted(p for p in near if p[0] < (NEAR_M if len(things) > 1 else 2 * NEAR_M))
    if not near:
        return []
    limit = near[0][0] + MARGIN_M if nearest else near[0][0] * 1.4 + 0.03
    return [things[i] for d, i in near if d <= limit]


def farthest(things: Sequence[Thing], others: Sequence[Thing]) -> list[Thing]:
    """The thing that is farthest from all of `others`; several where none clearly is."""
    far = [min((apart_m(t, o) for o in others if o.key != t.key), default=0.0) for t in things]
    return [t for t, d in zip(things, far, strict=True) if d >= max(far) - MARGIN_M]


def relative(kind: str, things: Sequence[Thing], other: Thing) -> list[Thing]:
    """Those left of, right of, behind, in front of, above or below `other` as seen; the nearest one for the sides."""
    rest = [t for t in things if t.key != other.key]
    if kind in {"left of", "right of"}:
        sign = 1.0 if kind == "left of" else -1.0
        there = [t for t in rest if sign * (_bearing(t) - _bearing(other)) > MARGIN_RAD]
        there = [t for t in there if abs(_elevation(t) - _elevation(other)) < LEVEL_RAD] or there
        gaps = sorted((abs(_bearing(t) - _bearing(other)), i) for i, t in enumerate(there))
        return [there[i] for g, i in gaps if g - gaps[0][0] <= MARGIN_RAD]
    line = [t for t in rest if abs(_bearing(t) - _bearing(other)) < SAME_DIRECTION_RAD]
    match kind:
        case "behind":
            return _in_line([t for t in line if _distance(t) > _distance(other) + MARGIN_M], other)
        case "front":
            return _in_line([t for t in line if _distance(t) < _distance(other) - MARGIN_M], other)
        case "above":
            return _nearest_level([t for t in line if _elevation(t) > _elevation(other) + MARGIN_RAD], other)
    return _nearest_level([t for t in line if _elevation(t) < _elevation(other) - MARGIN_RAD], other)


def _nearest_level(things: list[Thing], other: Thing) -> list[Thing]:
    """Of several in a stack above or below `other` the next one."""
    gaps = [abs(_elevation(t) - _elevation(other)) for t in things]
    return [t for t, gap in zip(things, gaps, strict=True) if gap <= min(gaps) + MARGIN_RAD]


def _in_line(things: list[Thing], other: Thing) -> list[Thing]:
    """Those seen most nearly in one line with `other`."""
    gaps = [abs(_bearing(t) - _bearing(other)) for t in things]
    return [t for t, gap in zip(things, gaps, strict=True) if gap <= min(gaps) + IN_LINE_RAD]


def between(things: Sequence[Thing], a: Thing, b: Thing) -> list[Thing]:
    """Those whose bearing lies between two others'."""
    low, high = sorted((_bearing(a), _bearing(b)))
    found = [t for t in things if t.key not in {a.key, b.key} and low < _bearing(t) < high]
    heights = sorted((_elevation(a), _elevation(b)))
    return [t for t in found if heights[0] - LEVEL_RAD < _elevation(t) < heights[1] + LEVEL_RAD] or found
