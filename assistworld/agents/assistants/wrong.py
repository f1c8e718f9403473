"""The wrong assistant: leads to an existing distractor. Privileged; a control that must fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistworld.agents.script import Script, proof_of

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack


def make(pack: TaskPack | None, seed: int) -> Script:
    """The wrong assistant of a pack. Raises ValueError without one."""
    return Script("wrong", proof_of(pack, "wrong"))
