"""Confirm: mark that the person has nothing more to do."""

from __future__ import annotations

from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Refusal

INFO = VerbInfo(
    name="confirm",
    surface=("Confirm",),
    args=(),
    hands="free",
    english=("confirm", "that is all"),
    meaning="Say that everything asked for is done; no movement.",
    group="control",
    seated=True,
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """A plan without frames."""
    return Plan(command, (), {})


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """Nothing to read back."""
    return None
