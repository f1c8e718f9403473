"""Sweep the floor nearby with the eyes."""

from __future__ import annotations

from actions.motions import Plan
from actions.postures.seated import seat_of
from actions.postures.sweeping import sweep_floor
from actions.starting import from_stance, walk_plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="look_scan",
    surface=("LookScan",),
    args=(),
    hands="free",
    english=("look at the floor around you", "scan the floor", "look at the floor"),
    meaning="Sweep the floor nearby with the eyes, all round where there is room to turn; seated, from side to side.",
    group="perception",
    seated=True,
    codes=(Code.TRAJECTORY_COLLISION,),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The gaze goes down, round the person and up again."""
    if seat_of(world):
        steps = sweep_floor(world, turning=False)
        return steps if isinstance(steps, Refusal) else walk_plan(command, [], steps, {"stops": len(steps) - 1})
    ready = from_stance(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready
    steps = sweep_floor(here, turning=True)
    return steps if isinstance(steps, Refusal) else walk_plan(command, first, steps, {"stops": sum(bool(s.marks) for s in steps)})


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """Nothing changes that could be read back."""
    return None
