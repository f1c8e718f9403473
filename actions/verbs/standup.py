"""Get up from a seat."""

from __future__ import annotations

from actions.manipulation.commands import plan_of
from actions.motions import Plan
from actions.postures.seated import seat_of
from actions.postures.sitting import stand_up
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="standup",
    surface=("StandUp",),
    args=(),
    hands="free",
    english=("stand up", "get up"),
    meaning="Get up from the seat and step away from it.",
    group="posture",
    seated=True,
    codes=(
        Code.ALREADY,
        Code.TRAJECTORY_COLLISION,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """Up on planted feet, then a step away."""
    if not seat_of(world):
        return Refusal(Code.ALREADY, "the person stands already")
    return plan_of(command, stand_up(world))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """Nobody sits any more."""
    seat = graph.value("human_1", "sitting")
    if not seat:
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"the person still sits on {', '.join(seat) if isinstance(seat, tuple) else seat}")
