"""Close a room door."""

from __future__ import annotations

from actions.motions import Plan
from actions.verbs._opening import plan_door, read_back
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="close_door",
    surface=("CloseDoor",),
    args=("door",),
    hands="free",
    english=(
        "close {door}",
        "shut {door}",
    ),
    meaning="Close a door between rooms: walk to its handle and swing the leaf.",
    group="fixtures",
    targets=("door",),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_AFFORDED,
        Code.ALREADY,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.OUT_OF_REACH,
        Code.TRAJECTORY_COLLISION,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    return plan_door(world, command, False)


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`closed`."""
    return read_back(graph, command, False)
