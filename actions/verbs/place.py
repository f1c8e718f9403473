"""Put the held thing on something."""

from __future__ import annotations

from actions.manipulation.commands import holding, keys_of, known, plan_of
from actions.manipulation.setting import put_on
from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="place",
    surface=("Put", "PutBack", "PutObjBack", "PutOn"),
    args=("object", "surface"),
    hands="holds",
    english=("put {object} on {surface}", "place {object} on {surface}", "set {object} down on {surface}"),
    meaning="Set the named held thing down on a support, let it settle, and check that it stands there.",
    group="grasping",
    targets=("movable",),
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
        Code.POSTCONDITION_FAILED,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    if refusal := known(world, command, 2):
        return refusal
    key, surface = keys_of(command)[:2]
    if refusal := holding(world, key):
        return refusal
    return plan_of(command, put_on(world, key, surface, command.place_spot))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`on`, and no longer held."""
    key, surface = keys_of(command)[:2]
    if graph.has("on", key, surface):
        return None
    found = graph.value(key, "on") or graph.value(key, "inside") or ("held",) if graph.has("held", key) else graph.value(key, "on")
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} is not on {surface} but {_where(graph, key, found)}", "look where it is")


def _where(graph: SceneGraph, key: str, found: object) -> str:
    inside = graph.value(key, "inside")
    if graph.has("held", key):
        return "in the hand"
    if isinstance(found, tuple) and found:
        return f"on {', '.join(map(str, found))}"
    return f"inside {', '.join(map(str, inside))}" if isinstance(inside, tuple) and inside else "on nothing"
