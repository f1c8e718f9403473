"""Wipe something with a sponge or towel."""

from __future__ import annotations

from actions.manipulation.commands import keys_of, plan_of
from actions.motions import Plan
from actions.tools.wiping import missing, plan_wipe, sorted_out
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="wipe",
    surface=("Wipe",),
    args=("tool", "target"),
    hands="free",
    english=("wipe {target} with {tool}",),
    meaning="Sweep a surface, a dish, a spill or a stain with a sponge or towel, which is taken first where the hand is empty.",
    group="tools",
    targets=("wipe",),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.HAND_FULL,
        Code.NOT_AFFORDED,
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
    if refusal := missing(world, command):
        return refusal
    pair = sorted_out(world, command)
    return pair if isinstance(pair, Refusal) else plan_of(command, plan_wipe(world, *pair))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """A spill or stain that was named is gone; else the tool has been used."""
    keys = keys_of(command)[:2]
    left = next((key for key in keys if graph.value(key, "present") is True), None)
    if left is not None:
        return Refusal(Code.POSTCONDITION_FAILED, f"{left} is still there after wiping with {' and '.join(k for k in keys if k != left)}")
    if not any(graph.value(key, "used") is True for key in keys):
        return Refusal(Code.POSTCONDITION_FAILED, f"neither {keys[0]} nor {keys[1]} has been used")
    return None
