"""Turn on the spot."""

from __future__ import annotations

import numpy as np

from actions.motions import Plan
from actions.navigation.route import turn_on_spot
from actions.starting import from_stance, walk_plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import NumberArg, VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="turn",
    surface=("TurnLeft", "TurnRight", "TurnAround"),
    args=("angle?",),
    hands="free",
    english=("turn left", "turn right", "turn around"),
    meaning="Turn on the spot by 90 degrees, or by the angle given (up to 360); TurnAround by 180. What is held stays in the hand.",
    group="locomotion",
    numbers=(NumberArg("angle", 90.0, 0.001, 360.0, (("", 1.0), ("deg", 1.0), ("degrees", 1.0), ("°", 1.0))),),
    variants=(("TurnLeft", "left"), ("TurnRight", "right"), ("TurnAround", "around")),
    bare=("TurnAround",),
    codes=(
        Code.BAD_ARGUMENT,
        Code.TRAJECTORY_COLLISION,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The turn, after a step back where the arms would strike something."""
    way = next((a for a in command.args if isinstance(a, str)), "left")
    numbers = [a for a in command.args if isinstance(a, int | float)]
    degrees = 180.0 if way == "around" else float(numbers[0]) if numbers else 90.0
    if way not in ("left", "right", "around") or not 0.0 < degrees <= 360.0:
        return Refusal(
            Code.BAD_ARGUMENT, f"turn {way} by {degrees:g} degrees", "left, right or around, more than 0 and at most 360 degrees"
        )
    ready = from_stance(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready
    walk = turn_on_spot(here, float(np.radians(degrees)) * (-1.0 if way == "right" else 1.0))
    return walk if isinstance(walk, Refusal) else walk_plan(command, first, walk.segments, walk.notes)


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """The frames are the turn; there is nothing else to read back."""
    return None
