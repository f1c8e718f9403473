"""Pick something up: grasp, lift, carry."""

from __future__ import annotations

from actions.manipulation.commands import empty_handed, graspable, keys_of, known, plan_of
from actions.manipulation.surroundings import closed_above
from actions.motions import Plan
from actions.tools.taking import taken
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="pick",
    surface=("Grab",),
    args=("object",),
    hands="empty",
    english=("pick up {object}", "take {object}", "grab {object}", "get {object}"),
    meaning="Reach for a movable thing, close the hand on it and hold it; the hand must be empty.",
    group="grasping",
    targets=("movable",),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.HAND_FULL,
        Code.NOT_AFFORDED,
        Code.ALREADY,
        Code.CLOSED,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.OUT_OF_REACH,
        Code.TRAJECTORY_COLLISION,
        Code.GRASP_FAILED,
        Code.TOO_HEAVY,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    if refusal := known(world, command, 1):
        return refusal
    key = keys_of(command)[0]
    held = world.state.held
    if held is not None and held.entity == key:
        return Refusal(Code.ALREADY, f"{key} is in the {held.hand} hand already")
    if refusal := empty_handed(world) or graspable(world, key) or closed_above(world, key):
        return refusal
    return plan_of(command, taken(world, key))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`held`."""
    key = keys_of(command)[0]
    if graph.has("held", key):
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} is not in the hand")
