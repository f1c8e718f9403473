"""Ways of the hand to a resting place and off again: over it or in at an opening, and back off the released thing, clear as far as hand and
thing alone can say (`sweeps`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.free_space import sideways
from actions.manipulation.grasp import sign_of
from actions.manipulation.surroundings import Place
from actions.manipulation.sweeps import Tries, carried_in, comes_off, kept, line
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.world.poses import transform_points
from humans.rotations import rotation_z

F64 = NDArray[np.float64]
Frames = list[F64]
"""Wrist frames (4, 4) one after the other."""

ABOVE_M = (0.12, 0.22, 0.07, 0.035)
"""Pre-contact heights over the resting place, tried in turn: higher among tall things, lower under what hangs over it."""
HIGHER_M = 0.34
ASIDE_M, ASIDE_UP_M = (0.26, 0.16), 0.025
"""Or it comes so far from one of eight sides, under what hangs over the place."""
OUT_M = (0.24, 0.17, 0.11)
"""How far before its place a thing starts on the way in through an opening, where it need not come out of it."""
LIFT_M = (0.03, 0.012, 0.004)
"""How far above the shelf it is led in."""
ASLANT_RAD = tuple(np.radians((30.0, -30.0)).tolist())
"""Or it comes in aslant, past what stands straight before its place."""
OUTSIDE_M, MOST_OUT_M = 0.02, 0.50
"""Or so far before the opening, at most so far from its place."""
OFF_M, BACK_M = (0.13, 0.08, 0.05), (0.21, 0.14)
"""How far the hand draws back off a thing (less under a board), and first out of an opening."""
CLEAR_OFF_M = (0.05, 0.09)
"""Or it comes so far off the thing first, and out of the opening then."""
ENTRIES, RETREATS = 4, 4
"""Clear ways of each kind that are planned at one place."""


class Mouth(NamedTuple):
    """An opening through which a hand enters: its outward direction (3,) and how far along that the opening lies, metres, world."""

    out: F64
    edge_m: float

    def before_m(self, corners: F64) -> float:
        """How far things with these corners (n, 3) move outwards until all are outside."""
        return self.edge_m - float((corners @ self.out).min()) + OUTSIDE_M


def mouth_of(place: Place) -> Mouth | None:
    """The opening of a region that is entered from the side."""
    if not sideways(place):
        return None
    flat = np.array([place.opening[0], place.opening[1], 0.0]) / float(np.linalg.norm(place.opening[:2]))
    corners = np.array([np.where(pick, place.region.high_m, place.region.low_m) for pick in product((False, True), repeat=3)])
    return Mouth(flat, float((transform_points(place.T_region, corners) @ flat).max()))


def entries(world: ActionWorld, key: str, T_rest: F64, opening: Mouth | None, support: str) -> Iterator[Frames]:
    """Wrist frames before the resting one, to be tried in turn, with hand and thing clear from the first of them on."""
    ways = kept(world).ways
    asked = ("in", T_rest.tobytes(), support, _mark(opening))
    if asked not in ways:
        ways[asked] = Tries(_above(T_rest) if opening is None else _in_at(world, key, T_rest, opening), ENTRIES)
    rules = Allowed(held=key, support=support, target=support)
    return ways[asked].clear(lambda way: carried_in(world, np.vstack([way[0][None], line([*way, T_rest])[:-1]]), rules))


def retreats(world: ActionWorld, T_rest: F64, opening: Mouth | None) -> Iterator[Frames]:
    """Wrist frames away from a thing that is let go of, to be tried in turn, with the hand clear on the way."""
    ways = kept(world).ways
    asked = ("off", T_rest.tobytes(), "", _mark(opening))
    held = world.state.held
    if held is None:
        raise ValueError("nothing is held")
    if asked not in ways:
        ways[asked] = Tries(_off(T_rest, sign_of(held.hand), opening), RETREATS)
    return ways[asked].clear(lambda way: comes_off(world, T_rest, line([T_rest, *way])))


def any_way(ways: Iterator[Frames]) -> bool:
    """Whether there is one; no more are looked at."""
    return next(ways, None) is not None


def _mark(opening: Mouth | None) -> tuple[float, ...]:
    return () if opening is None else (*opening.out.tolist(), opening.edge_m)


def _above(T_rest: F64) -> list[Frames]:
    ways = [[moved(T_rest, up_m=height)] for height in (*ABOVE_M, HIGHER_M)]
    sides = [rotation_z(float(a)) @ np.array([1.0, 0.0, 0.0]) for a in np.radians(np.arange(0.0, 360.0, 45.0))]
    low = moved(T_rest, up_m=ASIDE_UP_M)
    return ways + [[moved(T_rest, up_m=ASIDE_UP_M, along=far * side), low] for far in ASIDE_M for side in sides]


def _in_at(world: ActionWorld, key: str, T_rest: F64, opening: Mouth) -> list[Frames]:
    held = world.state.held
    T = T_rest @ held.wrist_object.matrix() if held is not None else T_rest
    low, high = world.stage.entity(key).box_m
    corners = np.array([np.where(pick, high, low) for pick in product((False, True), repeat=3)])
    outside = min(opening.before_m(transform_points(T, corners)), MOST_OUT_M)
    tries = [(out, lift) for out, lift in zip(OUT_M, LIFT_M, strict=True) if out < outside]
    tries.insert(min(1, len(tries)), (outside, LIFT_M[1]))
    ways = [(out * opening.out, lift) for out, lift in tries]
    ways += [(min(outside, OUT_M[0]) * rotation_z(turn) @ opening.out, LIFT_M[1]) for turn in ASLANT_RAD]
    ways += [(outside * opening.out, LIFT_M[2])]
    return [[moved(T_rest, up_m=lift, along=out), moved(T_rest, up_m=lift)] for out, lift in ways]


def moved(T: F64, *, up_m: float, along: F64 | None = None) -> F64:
    """A frame (4, 4) elsewhere: higher, and along a vector (3,)."""
    out = T.copy()
    out[:3, 3] += np.array([0.0, 0.0, up_m]) + (0.0 if along is None else along)
    return out


def _off(T_rest: F64, sign: float, opening: Mouth | None) -> list[Frames]:
    """Back along the fingers and palm, up, out of the opening; then off the thing first and out after that."""
    R = T_rest[:3, :3]
    palm, fingers = -R[:, 1], sign * R[:, 0]
    ways = []
    for distance in OFF_M if opening is None else BACK_M:
        for direction in _directions(fingers, palm, opening):
            ways.append([moved(T_rest, up_m=0.0, along=distance * direction / np.linalg.norm(direction))])
    for distance in CLEAR_OFF_M if opening is not None else ():
        for direction in _straight_off(fingers, palm):
            first = moved(T_rest, up_m=0.0, along=distance * direction / np.linalg.norm(direction))
            ways.append([first, moved(first, up_m=0.0, along=BACK_M[1] * opening.out if opening is not None else None)])
    return ways


def _directions(fingers: F64, palm: F64, opening: Mouth | None) -> list[F64]:
    up = np.array([0.0, 0.0, 1.0])
    flat = np.array([palm[0], palm[1], 0.0])
    if opening is not None:
        out = opening.out
        straight = [1.2 * out - 0.6 * palm, 2.0 * out - 0.4 * palm, 2.0 * out + 0.3 * up]
        return [*straight, -fingers + 0.5 * out, -fingers - 0.3 * palm + 0.3 * out]
    if palm[2] < -0.6:
        return [up - 0.3 * flat, up, up - 0.5 * fingers]
    return [-0.85 * fingers - 0.45 * palm, -palm + 0.3 * up, up, -fingers, -palm, -fingers + 0.6 * up]


def _straight_off(fingers: F64, palm: F64) -> list[F64]:
    up = np.array([0.0, 0.0, 1.0])
    return [-palm, -fingers, -0.6 * palm - fingers, up, -0.5 * palm + up]
