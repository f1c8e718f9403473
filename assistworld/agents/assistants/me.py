"""Be the assistant yourself, in the terminal, with frames on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistworld.agents.me import AssistantMe, Terminal

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack


def make(pack: TaskPack | None, seed: int) -> AssistantMe:
    """The role played on standard input and output."""
    return AssistantMe(Terminal())
