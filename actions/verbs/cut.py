"""Cut something with the held tool."""

from __future__ import annotations

from actions.manipulation.commands import keys_of, plan_of
from actions.motions import Plan
from actions.tools.cutting import missing, plan_cut
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="cut",
    surface=("Cut",),
    args=("target", "tool"),
    hands="holds",
    english=("cut {target} with {tool}",),
    meaning="Chop something in two with the held tool, which needs a cutting edge; it must lie in the open.",
    group="tools",
    targets=("cuttable",),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_HELD,
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
    return missing(world, command) or plan_of(command, plan_cut(world, keys_of(command)[0]))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`cut`."""
    key = keys_of(command)[0]
    if graph.has("cut", key) is True:
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} has not been cut")
