"""Type at a keyboard or workstation."""

from __future__ import annotations

from actions.manipulation.commands import describe, empty_handed, keys_of, known, plan_of
from actions.motions import Plan
from actions.postures.computing import type_on
from actions.postures.keyboards import keyboard_of
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="use_computer",
    surface=("UseComputer", "Type"),
    args=("device",),
    hands="empty",
    english=("use {device}", "type on {device}", "work on {device}"),
    meaning="Type with both hands on a keyboard or computer, seated where there is a seat before it; its display lights up.",
    group="devices",
    targets=("computer", "keyboard"),
    seated=True,
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.HAND_FULL,
        Code.NOT_AFFORDED,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.OUT_OF_REACH,
        Code.TRAJECTORY_COLLISION,
        Code.POSTCONDITION_FAILED,
    ),
)


def lacking(world: ActionWorld, key: str) -> Refusal | None:
    """What keeps the person from typing whatever the way there, or None."""
    if refusal := empty_handed(world):
        return refusal
    entity = world.stage.entity(key)
    if not entity.roles & {"computer", "keyboard"}:
        return Refusal(Code.NOT_AFFORDED, f"{key} is {describe(entity)} and no computer", "name a computer or a keyboard")
    return None


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    if refusal := known(world, command, 1):
        return refusal
    key = keys_of(command)[0]
    if refusal := lacking(world, key):
        return refusal
    board = keyboard_of(world, key)
    if board is None:
        return Refusal(Code.NOT_AFFORDED, f"{key} has no keys within reach", "name a keyboard")
    return plan_of(command, type_on(world, key, board))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """The display is `running`: that of the device, or of something near a keyboard."""
    key = keys_of(command)[0]
    near = graph.value(key, "near")
    shown = [key] if graph.value(key, "running") is not None else list(near) if isinstance(near, tuple) else []
    if any(graph.value(str(k), "running") is True for k in shown):
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"the display of {key} is dark")
