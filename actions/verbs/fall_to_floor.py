"""Something falls from its support to the floor by itself."""

from __future__ import annotations

from actions.manipulation.commands import keys_of, known, plan_of
from actions.motions import Plan
from actions.postures.falling import lacking, slip_off
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="fall_to_floor",
    surface=("FallToFloor",),
    args=("object", "support"),
    hands="free",
    english=(),
    meaning="A thing slips off the support named and falls to the floor beside it, by itself; nobody moves.",
    group="placement",
    seated=True,
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_AFFORDED,
        Code.NO_FREE_SPACE,
    ),
)
LOW_MM = 250
"""A thing on the floor has its own origin at most this high."""


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The slide over the edge, then physics. Changes nothing."""
    if refusal := known(world, command, 2):
        return refusal
    key, support = keys_of(command)[:2]
    if refusal := lacking(world, key, support):
        return refusal
    found = slip_off(world, key, support)
    return found if isinstance(found, Refusal) else plan_of(command, [found])


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """No longer `on` the support, in no hand, and down at the floor."""
    key, support = keys_of(command)[:2]
    place = graph.value(key, "place")
    height = place[2] if isinstance(place, tuple) and isinstance(place[2], int) else None
    if graph.has("on", key, support) or graph.has("held", key) or height is None or height > LOW_MM:
        return Refusal(Code.POSTCONDITION_FAILED, f"{key} has not fallen from {support} to the floor", "look where it is")
    return None
