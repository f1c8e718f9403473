"""Wait: hold the present pose."""

from __future__ import annotations

from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.clock import HOUSE_TICK_SECONDS, ticks_in
from assistcore.world.commands import Command
from assistcore.world.engine import NumberArg, VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="wait",
    surface=("Wait",),
    args=("duration?",),
    hands="free",
    english=("wait", "wait a moment", "hold on"),
    meaning="Hold the present pose for a number of seconds (3 unless given, 0.1 to 600).",
    group="perception",
    seated=True,
    numbers=(
        NumberArg("duration", 3.0, 0.1, 600.0, (("", 1.0), ("s", 1.0), ("sec", 1.0), ("seconds", 1.0), ("min", 60.0), ("minutes", 60.0))),
    ),
    codes=(Code.BAD_ARGUMENT,),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """No frames: the note `hold_ticks` tells the engine for how many ticks the pose is held, so that it may fast-forward (RULES)."""
    numbers = [a for a in command.args if isinstance(a, int | float)]
    seconds = float(numbers[0]) if numbers else 3.0
    if not 0.1 <= seconds <= 600.0:
        return Refusal(Code.BAD_ARGUMENT, f"duration {seconds:g} s", "between 0.1 and 600 seconds")
    return Plan(command, (), {"hold_ticks": ticks_in(seconds, HOUSE_TICK_SECONDS)})


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """Time has passed; there is nothing to read back."""
    return None
