"""Where one types: on the seat one has, on a seat before the device, or standing at it (seed Table 5, use_computer)."""

from __future__ import annotations

from functools import partial

import numpy as np

from actions.manipulation.approach import at_stance
from actions.motions import Segment
from actions.postures.inplace import ready_here
from actions.postures.keyboards import Hemmed, Keyboard, type_here
from actions.postures.seated import seat_of
from actions.postures.seats import Place
from actions.postures.sitting import on_the_feet, sit_down, stand_up
from actions.screening import collision_world
from actions.stance import LEAST_CLEARANCE_M, Stance, candidates_of
from actions.travel import travel
from actions.world import ActionWorld
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import wrap_angle

SEAT_M = 1.1
"""A seat whose middle is farther from the keys is no place to type from."""
TURN_COST_M = 1.0
"""A seat that faces away from the keys by a radian is as bad as one so far beside them."""
STANDING = 40
GRID_M = 0.05
NEAR_M, FAR_M, COMFORT_M = 0.35, 0.85, 0.5
SIDE = 0.26
"""Cosine of how far to the side of the keys one may stand."""


def type_on(world: ActionWorld, key: str, board: Keyboard) -> list[Segment] | Refusal:
    """The whole command: sit where there is a seat before the device, type, and get up if sitting was part of it. Changes nothing."""
    ready = ready_here(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready
    if seat_of(here):
        typed = type_here(here, key, board)
        if not isinstance(typed, Hemmed):
            return typed
        risen = on_the_feet(here)
        if isinstance(risen, Refusal):
            return risen
        here, first = risen
    seated = _seated(here, key, board)
    if seated is not None:
        return [*first, *seated]
    standing = _standing(here, key, board)
    return standing if isinstance(standing, Refusal) else [*first, *standing]


def _seated(world: ActionWorld, key: str, board: Keyboard) -> list[Segment] | None:
    """Sit down on the nearest seat that faces the keys, type, get up; None where no seat serves."""
    found: list[tuple[float, str]] = []
    for entity in world.stage.entities:
        if "seat" not in entity.roles or entity.key in world.state.removed:
            continue
        box = collision_world(world).box_m(entity.key)
        if box is not None:
            away = float(np.linalg.norm(0.5 * (box[0] + box[1])[:2] - board.point_m[:2]))
            if away < SEAT_M:
                found.append((away, entity.key))
    for _, seat in sorted(found):
        sat = sit_down(world, seat, partial(_off_keys, board))
        if isinstance(sat, Refusal):
            continue
        there = _after(world, sat)
        typed = type_here(there, key, board)
        if isinstance(typed, Hemmed):
            continue
        up = stand_up(_after(there, typed))
        if not isinstance(up, Refusal):
            return [*sat, *typed, *up]
    return None


def _off_keys(board: Keyboard, place: Place) -> float:
    """How badly a place of a seat suits the keys: metres of the hips beside their middle line, and a turn away from the way they face."""
    off = place.hip_m[:2] - board.point_m[:2]
    beside = abs(float(off[0] * board.ahead[1] - off[1] * board.ahead[0]))
    away = abs(wrap_angle(place.heading_rad - float(np.arctan2(board.ahead[1], board.ahead[0]))))
    return beside + TURN_COST_M * away


def _standing(world: ActionWorld, key: str, board: Keyboard) -> list[Segment] | Refusal:
    """From the first stance at the device from which both hands reach."""
    best: Hemmed | None = None
    for stance in _places(world, board)[:STANDING]:
        steps = _from(world, key, board, stance)
        if not isinstance(steps, Hemmed):
            return steps
        best = steps if best is None or steps.stage > best.stage else best
    if best is not None:
        return best.refusal
    return Refusal(Code.PATH_BLOCKED, f"there is no place to stand or sit before {key}", "clear the floor before it")


def _places(world: ActionWorld, board: Keyboard) -> list[Stance]:
    """Free places before and beside the keys, facing them, comfortable ones first."""
    check = candidates_of(world)
    x0, y0 = float(board.point_m[0]), float(board.point_m[1])
    found: list[Stance] = []
    for dx in np.arange(-FAR_M, FAR_M + 1e-9, GRID_M):
        for dy in np.arange(-FAR_M, FAR_M + 1e-9, GRID_M):
            away = float(np.hypot(dx, dy))
            if not NEAR_M <= away <= FAR_M or -float(board.ahead @ (dx, dy)) < SIDE * away:
                continue
            xy, heading = (x0 + float(dx), y0 + float(dy)), float(np.arctan2(-dy, -dx))
            clearance = check.grid.at(*xy)
            cost = check.route_cost_m(xy) if clearance >= LEAST_CLEARANCE_M else float("inf")
            if np.isfinite(cost) and not check.idle_hits(xy, heading):
                aside = abs(wrap_angle(heading - float(np.arctan2(board.ahead[1], board.ahead[0]))))
                found.append(Stance(xy, heading, 0.3 * cost + 3.0 * abs(away - COMFORT_M) + 0.5 * aside, clearance, away))
    return sorted(found, key=lambda s: (round(s.cost_m, 6), s.xy_m))


def _from(world: ActionWorld, key: str, board: Keyboard, stance: Stance) -> list[Segment] | Hemmed:
    ahead = type_here(at_stance(world, stance.xy_m, stance.heading_rad), key, board)
    if isinstance(ahead, Hemmed):
        return ahead
    trip = travel(world, stance)
    if isinstance(trip, Refusal):
        return Hemmed(4, trip)
    typed = type_here(_after(world, trip), key, board)
    return typed if isinstance(typed, Hemmed) else [*trip, *typed]


def _after(world: ActionWorld, segments: list[Segment]) -> ActionWorld:
    there = world.fork()
    for segment in segments:
        there.advance(segment)
    return there
