"""Look at something closely."""

from __future__ import annotations

from actions.manipulation.commands import keys_of, known, plan_of
from actions.manipulation.looking import look_at, print_shown
from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="look_at",
    surface=("LookAt",),
    args=("entity",),
    hands="free",
    english=("look at {entity}", "read {entity}", "examine {entity}", "inspect {entity}", "check {entity}"),
    meaning="Aim the gaze at something, stepping closer if needed; a labelled thing is brought or turned so that its print can be read.",
    group="perception",
    targets=("movable", "fixture", "door"),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_VISIBLE,
        Code.NOT_AFFORDED,
        Code.CLOSED,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.TRAJECTORY_COLLISION,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    if refusal := known(world, command, 1):
        return refusal
    key = keys_of(command)[0]
    if world.stage.entity(key).kind == "structure":
        return Refusal(Code.NOT_AFFORDED, f"{key} is part of the building", "name a thing, a piece of furniture or a door")
    looked = look_at(world, key)
    if isinstance(looked, Refusal) or not world.stage.entity(key).labels or print_shown(world, key, looked):
        return plan_of(command, looked)
    return plan_of(command, looked, remark=f"{key} was looked at, but nothing that is printed on it could be read from there")


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """A look changes nothing that could be read back."""
    return None
