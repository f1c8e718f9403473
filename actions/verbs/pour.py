"""Pour what is in the held thing into something."""

from __future__ import annotations

from actions.manipulation.commands import keys_of, plan_of
from actions.motions import Plan
from actions.tools.pouring import missing, plan_pour
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="pour",
    surface=("Pour",),
    args=("target", "source"),
    hands="holds",
    english=("pour {source} into {target}",),
    meaning="Tilt the held thing over the rim of a vessel until the vessel is full or the thing is empty.",
    group="tools",
    targets=("container", "sink"),
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
        Code.NO_FREE_SPACE,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    target, source = (*keys_of(command), "", "")[:2]
    return missing(world, command) or plan_of(command, plan_pour(world, target, source))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """The source is among where the target's contents came from."""
    target, source = keys_of(command)[:2]
    if source in str(graph.value(target, "provenance") or "").split():
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"nothing of {source} has come into {target}")
