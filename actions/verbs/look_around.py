"""Look all round: a level, full-circle scan."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from actions.motions import Plan, Segment
from actions.navigation.route import BACK_STEPS_M
from actions.navigation.steps import screened_turn
from actions.navigation.tracks import back_track
from actions.navigation.walking import walk_segment
from actions.screening import screen
from actions.starting import from_stance, walk_plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="look_around",
    surface=("LookAround",),
    args=(),
    hands="free",
    english=("look around", "have a look around", "look around the room"),
    meaning="Turn once all round with a level gaze, stopping four times; ends facing as before.",
    group="perception",
    codes=(Code.TRAJECTORY_COLLISION,),
)
STOPS = 4


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """Four quarter turns with a marked frame after each, after a step back where there is no room to turn."""
    ready = from_stance(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready
    scan = _scan(here)
    if isinstance(scan, list):
        return walk_plan(command, first, scan, {"stops": STOPS})
    for back in BACK_STEPS_M:
        stepped = here.fork()
        step = walk_segment(stepped, back_track(here.state.body.xy_m, here.state.body.heading_rad, back), "step_back")
        if screen(stepped, step) is not None:
            continue
        stepped.advance(step)
        again = _scan(stepped)
        if isinstance(again, list):
            return walk_plan(command, [*first, step], again, {"stops": STOPS, "back_m": back})
    return scan


def _scan(world: ActionWorld) -> list[Segment] | Refusal:
    here, done = world.fork(), list[Segment]()
    for _ in range(STOPS):
        steps = screened_turn(here, 2.0 * float(np.pi) / STOPS)
        if steps.hit is not None:
            return Refusal(Code.TRAJECTORY_COLLISION, f"turning here: {steps.hit}", "step away first")
        *before, last = steps.segments
        done += [*before, replace(last, phase="scan", marks=((len(last) - 1, "look_hold"),))]
        for segment in steps.segments:
            here.advance(segment)
    return done


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """Nothing changes that could be read back."""
    return None
