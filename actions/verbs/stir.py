"""Stir something with the held tool."""

from __future__ import annotations

from actions.manipulation.commands import keys_of, plan_of
from actions.motions import Plan
from actions.tools.stirring import missing, plan_stir
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="stir",
    surface=("Stir",),
    args=("target", "tool"),
    hands="holds",
    english=("stir {target} with {tool}",),
    meaning="Lead the head of the held tool round in a vessel that is open at the top.",
    group="tools",
    targets=("container",),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_HELD,
        Code.NOT_AFFORDED,
        Code.CLOSED,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.OUT_OF_REACH,
        Code.TRAJECTORY_COLLISION,
        Code.DOES_NOT_FIT,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    return missing(world, command) or plan_of(command, plan_stir(world, keys_of(command)[0]))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`stirred`."""
    key = keys_of(command)[0]
    if graph.has("stirred", key) is True:
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} has not been stirred")
