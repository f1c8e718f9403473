"""Be the person yourself, in the terminal, with frames on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistworld.agents.me import HumanMe, Terminal

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack


def make(pack: TaskPack | None, seed: int) -> HumanMe:
    """The role played on standard input and output."""
    return HumanMe(Terminal())
