"""Agents: assistants and humans by name. Importing this loads none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from assistcore.world.engine import Assistant, Human
from assistcore.world.registry import Registry

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack

ASSISTANTS = Registry("assistant", "assistworld.agents.assistants")
HUMANS = Registry("human", "assistworld.agents.humans")


def load_assistant(name: str, pack: TaskPack | None = None, seed: int = 0) -> Assistant:
    """An assistant by name, for a pack. Raises UnknownName with the nearest, ValueError where a privileged one gets no pack."""
    return cast(Assistant, ASSISTANTS.load(name).make(pack, seed))


def load_human(name: str, pack: TaskPack | None = None, seed: int = 0) -> Human:
    """A person by name. Raises UnknownName with the nearest."""
    return cast(Human, HUMANS.load(name).make(pack, seed))
