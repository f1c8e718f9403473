"""Undo an attachment and take the child."""

from __future__ import annotations

from actions.assembly.asked import parting
from actions.assembly.joining import plan_detach
from actions.manipulation.commands import plan_of
from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="detach",
    surface=("Detach", "Disassemble", "Remove"),
    args=("child", "parent"),
    hands="empty",
    english=("take {child} off {parent}", "remove {child} from {parent}", "detach {child} from {parent}"),
    meaning="Take hold of a thing that is attached to another and lift it off; it stays in the hand.",
    group="assembly",
    targets=("lid", "part"),
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
    asked = parting(world, command)
    if isinstance(asked, Refusal):
        return asked
    return plan_of(command, plan_detach(world, asked[0]))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """No longer `attached`, and `held`."""
    child = command.entities()[0].key
    now = graph.value(child, "attached")
    if not now and graph.has("held", child):
        return None
    where = f"attached to {', '.join(now)}" if isinstance(now, tuple) and now else "not in the hand"
    return Refusal(Code.POSTCONDITION_FAILED, f"{child} is {where}", "try again")
