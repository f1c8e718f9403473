"""Put the held thing on the floor beside something."""

from __future__ import annotations

from actions.manipulation.commands import holding, keys_of, known, plan_of
from actions.motions import Plan
from actions.postures.flooring import put_on_floor
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="place_on_floor",
    surface=("PutOnFloor",),
    args=("object", "anchor"),
    hands="holds",
    english=("put {object} on the floor beside {anchor}", "set {object} down on the floor next to {anchor}"),
    meaning="Crouch and put the named held thing on the floor beside something; checks that it is near it.",
    group="placement",
    targets=("movable",),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_HELD,
        Code.NOT_AFFORDED,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.TRAJECTORY_COLLISION,
        Code.NO_FREE_SPACE,
    ),
)


def lacking(world: ActionWorld, key: str, anchor: str) -> Refusal | None:
    """What keeps a thing from being put down beside an anchor whatever the way there, or None."""
    if refusal := holding(world, key):
        return refusal
    if anchor == key:
        return Refusal(Code.BAD_ARGUMENT, f"{key} cannot be put beside itself", "name something else")
    if world.stage.entity(anchor).kind == "structure":
        return Refusal(Code.NOT_AFFORDED, f"{anchor} is part of the building", "name a thing or a piece of furniture")
    return None


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    if refusal := known(world, command, 2):
        return refusal
    key, anchor = keys_of(command)[:2]
    if refusal := lacking(world, key, anchor):
        return refusal
    return plan_of(command, put_on_floor(world, key, anchor))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`near` the anchor, and no longer held."""
    key, anchor = keys_of(command)[:2]
    if graph.has("held", key):
        return Refusal(Code.POSTCONDITION_FAILED, f"{key} is still in the hand")
    if graph.has("near", key, anchor):
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} does not lie near {anchor}", "look where it is")
