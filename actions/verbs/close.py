"""Close a drawer, cabinet, appliance or other thing with a joint."""

from __future__ import annotations

from actions.motions import Plan
from actions.verbs._opening import plan_thing, read_back
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Refusal

INFO = VerbInfo(
    name="close",
    surface=("Close",),
    args=("object",),
    hands="free",
    english=(
        "close {object}",
        "shut {object}",
    ),
    meaning="Swing or push something shut by its handle.",
    group="fixtures",
    targets=("openable",),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    return plan_thing(world, command, False)


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`closed`."""
    return read_back(graph, command, False)
