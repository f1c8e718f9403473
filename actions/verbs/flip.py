"""Turn the held thing over."""

from __future__ import annotations

from actions.manipulation.commands import holding, keys_of, known
from actions.motions import Plan
from actions.postures.flipping import turned_over
from actions.postures.inplace import with_held
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="flip",
    surface=("Flip", "TurnOver"),
    args=("object",),
    hands="holds",
    english=("turn {object} over", "flip {object}", "turn {object} upside down"),
    meaning="Turn the named held thing over by 180 degrees without letting go of it.",
    group="placement",
    targets=("movable",),
    seated=True,
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_HELD,
        Code.OUT_OF_REACH,
        Code.TRAJECTORY_COLLISION,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """Half a turn of the held thing by the arm alone. Changes nothing."""
    if refusal := known(world, command, 1):
        return refusal
    key = keys_of(command)[0]
    if refusal := holding(world, key):
        return refusal
    return with_held(world, command, key, turned_over)


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """Still `held`; the frames are the turn."""
    key = keys_of(command)[0]
    if graph.has("held", key):
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} is not in the hand")
