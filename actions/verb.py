"""What a verb module provides, and the registry that finds them."""

from __future__ import annotations

from typing import Protocol, cast

from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Refusal
from assistcore.world.registry import Registry

VERBS = Registry("verbs", "actions.verbs")


class VerbModule(Protocol):
    """A module in `actions/verbs/`."""

    INFO: VerbInfo

    @staticmethod
    def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
        """The whole command, implicit navigation included, planned and screened in a forked world. Changes nothing."""

    @staticmethod
    def verify(graph: SceneGraph, command: Command) -> Refusal | None:
        """Read the postcondition back from the graph after settling; a mismatch is POSTCONDITION_FAILED with what was found."""


def load_verb(name: str) -> VerbModule:
    """The module of a canonical primitive. Raises UnknownName."""
    return cast(VerbModule, VERBS.load(name))


def all_verbs() -> tuple[VerbInfo, ...]:
    """The 36 primitives, sorted by name."""
    return tuple(load_verb(name).INFO for name in VERBS.names())
