"""Close a drawer, cabinet, appliance or other thing with a joint."""

from __future__ import annotations

from actions.motions import Plan
from actions.verbs._opening import plan_thing, read_back
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="close",
    surface=("Close",),
    args=("object",),
    hands="free",
    english=(
        "close {object}",
        "shut {object}",
    ),
    meaning="Swing or push something shut by its handle.",
    group="fixtures",
    targets=("openable",),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_AFFORDED,
        Code.ALREADY,
        Code.CLOSED,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.OUT_OF_REACH,
        Code.TRAJECTORY_COLLISION,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    return plan_thing(world, command, False)


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`closed`."""
    return read_back(graph, command, False)
