"""Hold a phone to the ear."""

from __future__ import annotations

from actions.manipulation.commands import describe, holding, keys_of, known
from actions.motions import Plan
from actions.postures.inplace import with_held
from actions.postures.phoning import at_ear, to_ear
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="answer_phone",
    surface=("AnswerPhone",),
    args=("phone",),
    hands="holds",
    english=("answer {phone}", "hold {phone} to your ear"),
    meaning="Bring the held phone to the ear, where it stays, and take the call: it stops ringing.",
    group="devices",
    targets=("phone",),
    seated=True,
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_HELD,
        Code.NOT_AFFORDED,
        Code.OUT_OF_REACH,
        Code.TRAJECTORY_COLLISION,
    ),
)


def lacking(world: ActionWorld, key: str) -> Refusal | None:
    """What keeps the person from answering here and now, or None."""
    if refusal := holding(world, key):
        return refusal
    entity = world.stage.entity(key)
    if "phone" not in entity.roles:
        return Refusal(Code.NOT_AFFORDED, f"{key} is {describe(entity)} and no phone", "name a phone")
    if at_ear(world, key) and world.state.attributes.get(key, {}).get("ringing") is not True:
        return Refusal(Code.ALREADY, f"{key} is at the ear already")
    return None


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The arm brings it to the ear from where it is held. Changes nothing."""
    if refusal := known(world, command, 1):
        return refusal
    key = keys_of(command)[0]
    if refusal := lacking(world, key):
        return refusal
    return with_held(world, command, key, to_ear)


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """Still `held`, and no longer `ringing`."""
    key = keys_of(command)[0]
    if not graph.has("held", key):
        return Refusal(Code.POSTCONDITION_FAILED, f"{key} is not in the hand")
    if graph.value(key, "ringing") is True:
        return Refusal(Code.POSTCONDITION_FAILED, f"{key} still rings")
    return None
