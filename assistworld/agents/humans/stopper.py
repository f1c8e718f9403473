"""The person of a puzzle who stops at once: a control that must fail, since no puzzle begins solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistworld.agents.humans.scripted import ScriptedHuman

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack


def make(pack: TaskPack | None, seed: int) -> ScriptedHuman:
    """A person whose first and only answer is a stop."""
    return ScriptedHuman(("('stop', 'stop')",), name="stopper", privileged=False)
