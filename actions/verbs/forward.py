"""Walk straight ahead."""

from __future__ import annotations

import numpy as np

from actions.motions import Plan
from actions.navigation.grid import grid_of
from actions.navigation.tracks import straight_track
from actions.navigation.walking import walk_segment
from actions.screening import screen
from actions.starting import from_stance, walk_plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import NumberArg, VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

PACE_M = 0.6

INFO = VerbInfo(
    name="forward",
    surface=("Forward", "WalkForward"),
    args=("distance?",),
    hands="free",
    english=("walk forward", "go straight ahead", "take a step forward"),
    meaning="Walk straight ahead; a bare number counts paces of 0.6 m, an m suffix metres, at most 20 m.",
    group="locomotion",
    numbers=(
        NumberArg("distance", PACE_M, 0.05, 20.0, (("m", 1.0), ("", PACE_M), ("metres", 1.0), ("meters", 1.0), ("paces", PACE_M)), True),
    ),
    codes=(
        Code.BAD_ARGUMENT,
        Code.PATH_BLOCKED,
        Code.TRAJECTORY_COLLISION,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The straight walk, refused with the free distance when something is in the way."""
    numbers = [a for a in command.args if isinstance(a, int | float)]
    distance = float(numbers[0]) if numbers else PACE_M
    if not 0.0 < distance <= 20.0:
        return Refusal(Code.BAD_ARGUMENT, f"distance {distance:g} m", "more than 0 and at most 20 m")
    ready = from_stance(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready
    body = here.state.body
    segment = walk_segment(here, straight_track(body.xy_m, body.heading_rad, distance))
    hit = screen(here, segment)
    if hit is not None:
        free = float(np.hypot(*(segment.xy_m[hit.frame] - np.asarray(body.xy_m)))) - 0.15
        return _blocked(max(0.0, free), distance, str(hit))
    floor = _floor_ahead_m(here, distance)
    if floor < distance:
        return _blocked(max(0.0, floor - 0.2), distance, "the floor ends")
    return walk_plan(command, first, (segment,), {"route_m": round(distance, 3)})


def _blocked(free_m: float, wanted_m: float, why: str) -> Refusal:
    hint = f"walk {int(free_m * 10.0) / 10.0:g}m" if free_m >= 0.1 else "turn first"
    return Refusal(Code.PATH_BLOCKED, f"about {free_m:.2f} m are free ahead, {wanted_m:.2f} m asked: {why}", hint)


def _floor_ahead_m(world: ActionWorld, distance_m: float) -> float:
    """How far the floor goes on ahead, up to the distance."""
    grid = grid_of(world)
    body = world.state.body
    for s in np.arange(0.0, distance_m + 1e-9, 0.05):
        x, y = body.xy_m[0] + s * np.cos(body.heading_rad), body.xy_m[1] + s * np.sin(body.heading_rad)
        i, j = grid.cell(float(x), float(y))
        outside = abs(grid.centre(i, j)[0] - x) > grid.step_m or abs(grid.centre(i, j)[1] - y) > grid.step_m
        if outside or grid.support_m[i, j] < 0.0:
            return float(s)
    return distance_m


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """The frames are the displacement; there is nothing else to read back."""
    return None
