"""The oracle: speaks the pack's sentences, which solve it. Privileged, never reported as a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistworld.agents.script import Script, proof_of

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack


def make(pack: TaskPack | None, seed: int) -> Script:
    """The oracle assistant of a pack. Raises ValueError without one."""
    return Script("oracle", proof_of(pack, "oracle"))
