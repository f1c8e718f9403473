"""Put the held thing into something."""

from __future__ import annotations

from actions.manipulation.commands import holding, keys_of, known, plan_of
from actions.manipulation.setting import put_inside, region_name
from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="place_inside",
    surface=("PutIn", "PutInside", "Insert"),
    args=("object", "container", "region?"),
    hands="holds",
    english=("put {object} in {container}", "put {object} into {container}", "place {object} inside {container}"),
    meaning="Set the named held thing down in an open container, drawer, shelf or cabinet, in the named region or any free one.",
    group="grasping",
    targets=("movable",),
    symbols=(("region", 0),),
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
        Code.DOES_NOT_FIT,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    if refusal := known(world, command, 2, most=2):
        return refusal
    key, container = keys_of(command)[:2]
    if refusal := holding(world, key):
        return refusal
    region = command.args[2] if len(command.args) > 2 else None
    return plan_of(command, put_inside(world, key, container, region_name(region), command.place_spot))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`inside`, and no longer held."""
    key, container = keys_of(command)[:2]
    if graph.has("inside", key, container):
        return None
    where = "in the hand" if graph.has("held", key) else f"inside {graph.value(key, 'inside') or ()}, on {graph.value(key, 'on') or ()}"
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} is not inside {container} but {where}", "look where it is")
