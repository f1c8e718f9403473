"""Rotate a flat assembly upright about its base."""

from __future__ import annotations

from actions.assembly.raising import plan_raise, raising
from actions.manipulation.commands import plan_of
from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="raise",
    surface=("Raise", "Erect", "StandUpright"),
    args=("assembly",),
    hands="empty",
    english=("stand {assembly} up", "raise {assembly}"),
    meaning="Take a lying assembly by its long part and lead it upright on its base; what is attached stays attached.",
    group="assembly",
    targets=("erectable",),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.HAND_FULL,
        Code.NOT_AFFORDED,
        Code.ALREADY,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.OUT_OF_REACH,
        Code.TRAJECTORY_COLLISION,
        Code.TOO_HEAVY,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    root = raising(world, command)
    return root if isinstance(root, Refusal) else plan_of(command, plan_raise(world, root))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`raised`, of the thing itself or of what it is attached to."""
    key: str | None = command.entities()[0].key
    while key is not None:
        if graph.has("raised", key):
            return None
        parent = graph.value(key, "attached")
        key = str(parent[0]) if isinstance(parent, tuple) and parent else None
    return Refusal(Code.POSTCONDITION_FAILED, f"{command.entities()[0].key} does not stand upright", "try again")
