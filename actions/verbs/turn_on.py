"""Switch a device on."""

from __future__ import annotations

from actions.manipulation.commands import keys_of, known, plan_of
from actions.manipulation.press import plan_switch
from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="turn_on",
    surface=("TurnOn", "SwitchOn"),
    args=("device",),
    hands="free",
    english=("turn on {device}", "switch on {device}", "turn {device} on", "switch {device} on"),
    meaning="Press the device's control with a finger so that it starts running.",
    group="devices",
    targets=("device",),
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
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    if refusal := known(world, command, 1):
        return refusal
    return plan_of(command, plan_switch(world, keys_of(command)[0], True))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`running`."""
    key = keys_of(command)[0]
    if graph.has("running", key) is True:
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} is not running")
