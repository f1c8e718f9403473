"""Open a drawer, cabinet, appliance or other thing with a joint."""

from __future__ import annotations

from actions.manipulation.commands import keys_of, known, plan_of
from actions.manipulation.drive import plan_drive
from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="open",
    surface=("Open",),
    args=("object",),
    hands="free",
    english=(
        "open {object}",
        "open up {object}",
    ),
    meaning="Swing or pull something open by its handle, to its open end.",
    group="fixtures",
    targets=("openable",),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    if refusal := known(world, command, 1):
        return refusal
    key = keys_of(command)[0]
    return plan_of(command, plan_drive(world, key, True))


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`open`."""
    key = keys_of(command)[0]
    if graph.has("open", key):
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} is not open: {graph.value(key, 'joint')} thousandths open")
