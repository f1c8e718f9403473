"""One step out of a tight place before a posture that needs room."""

from __future__ import annotations

from collections.abc import Callable

from actions.motions import Segment
from actions.navigation.route import BACK_STEPS_M
from actions.navigation.tracks import back_track
from actions.navigation.walking import walk_segment
from actions.screening import screen
from actions.world import ActionWorld
from assistcore.world.outcomes import Refusal

Attempt = Callable[[ActionWorld], "list[Segment] | Refusal"]


def stepped_back(world: ActionWorld, distance_m: float) -> tuple[ActionWorld, Segment] | None:
    """A fork one straight step further back, and the step; None where something stands there."""
    there = world.fork()
    body = world.state.body
    step = walk_segment(there, back_track(body.xy_m, body.heading_rad, distance_m), "step_back")
    if screen(there, step) is not None:
        return None
    there.advance(step)
    return there, step


def with_room(world: ActionWorld, attempt: Attempt) -> list[Segment] | Refusal:
    """The attempt from here, else after the shortest step back from which it works; else the refusal of the first."""
    first = attempt(world)
    if not isinstance(first, Refusal):
        return first
    for back in BACK_STEPS_M:
        found = stepped_back(world, back)
        if found is None:
            continue
        there, step = found
        steps = attempt(there)
        if not isinstance(steps, Refusal):
            return [step, *steps]
    return first
