"""Open a drawer, cabinet, appliance or other thing with a joint."""

from __future__ import annotations

from actions.motions import Plan
from actions.verbs._opening import plan_thing, read_back
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="open",
    surface=("Open",),
    args=("object",),
    hands="free",
    english=(
        "open {object}",
        "open up {object}",
    ),
    meaning="Swing or pull something open by its handle, to its open end.",
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
    return plan_thing(world, command, True)


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`open`."""
    return read_back(graph, command, True)
