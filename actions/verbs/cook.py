"""Cook food that is on heat."""

from __future__ import annotations

from actions.manipulation.commands import keys_of, plan_of
from actions.motions import Plan
from actions.tools.cooking import BOUND_TICKS, missing, plan_cook
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="cook",
    surface=("Cook",),
    args=("food",),
    hands="empty",
    english=("cook {food}",),
    meaning="Stay at food that is in or on a running appliance, its door closed, until it is done.",
    group="tools",
    targets=("cookable",),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.HAND_FULL,
        Code.NOT_AFFORDED,
        Code.ALREADY,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.TRAJECTORY_COLLISION,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The walk to the appliance; the notes tell the engine until when the pose is held."""
    if refusal := missing(world, command):
        return refusal
    key = keys_of(command)[0]
    return plan_of(command, plan_cook(world, key), hold_ticks=BOUND_TICKS, until=["cooked", key])


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`cooked`."""
    key = keys_of(command)[0]
    if graph.has("cooked", key) is True:
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} is not cooked", "see whether it is still on heat")
