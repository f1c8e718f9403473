"""Sit down on a seat."""

from __future__ import annotations

from actions.manipulation.commands import describe, keys_of, known, plan_of
from actions.motions import Plan
from actions.postures.seated import seat_of
from actions.postures.sitting import on_the_feet, sit_down
from actions.starting import from_stance
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="sit",
    surface=("Sit",),
    args=("seat",),
    hands="free",
    english=("sit down on {seat}", "sit on {seat}", "take a seat on {seat}"),
    meaning="Walk to a seat, turn the back to it and sit down; what is held stays in the hand.",
    group="posture",
    targets=("seat",),
    seated=True,
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_AFFORDED,
        Code.ALREADY,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.TRAJECTORY_COLLISION,
        Code.NO_FREE_SPACE,
    ),
)


def lacking(world: ActionWorld, key: str) -> Refusal | None:
    """What keeps the person from sitting on an entity whatever the way there, or None."""
    entity = world.stage.entity(key)
    if "seat" not in entity.roles:
        return Refusal(Code.NOT_AFFORDED, f"{key} is {describe(entity)} and no seat", "name a seat")
    held = world.state.held
    if held is not None and held.entity == key:
        return Refusal(Code.NOT_AFFORDED, f"{key} is in the hand", f"put {key} down first")
    if seat_of(world) == key:
        return Refusal(Code.ALREADY, f"the person sits on {key} already")
    return None


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    if refusal := known(world, command, 1):
        return refusal
    key = keys_of(command)[0]
    if refusal := lacking(world, key):
        return refusal
    risen = on_the_feet(world)
    if isinstance(risen, Refusal):
        return risen
    here, first = risen
    ready = from_stance(here)
    if isinstance(ready, Refusal):
        return ready
    there, more = ready
    steps = sit_down(there, key)
    return steps if isinstance(steps, Refusal) else plan_of(command, [*first, *more, *steps])


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`sitting` on the seat."""
    key = keys_of(command)[0]
    if graph.has("sitting", "human_1", key):
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"the person does not sit on {key}")
