"""Crouch and come up again."""

from __future__ import annotations

from actions.motions import Plan
from actions.postures.crouching import crouch
from actions.postures.stepping import with_room
from actions.starting import from_stance, walk_plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="squat",
    surface=("Squat", "SquatDown"),
    args=(),
    hands="free",
    english=("squat down", "crouch", "crouch down"),
    meaning="Crouch and come up again; what is held stays in the hand.",
    group="posture",
    codes=(Code.TRAJECTORY_COLLISION,),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """Down, a moment there, and up, on planted feet; after a step back where the knees or arms would strike something."""
    ready = from_stance(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready
    steps = with_room(here, crouch)
    return steps if isinstance(steps, Refusal) else walk_plan(command, first, steps, {"frames": sum(len(s) for s in (*first, *steps))})


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """The person stands again."""
    posture = graph.value("human_1", "posture")
    if posture in (None, "standing"):
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"the person is {posture}, not standing")
