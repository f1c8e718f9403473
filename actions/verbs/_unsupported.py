"""What a primitive answers that the grammar knows and no engine performs yet."""

from __future__ import annotations

from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """Refused: NOT_SUPPORTED, naming the primitive."""
    return Refusal(Code.NOT_SUPPORTED, f"{command.verb} is not performed by this engine", "use another way")


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """Never reached, since the plan is refused; it would have nothing to read back."""
    return Refusal(Code.NOT_SUPPORTED, f"{command.verb} is not performed by this engine")
