"""Assistants that speak the sentences of a pack's proof, one after the other, and then declare the task complete. Privileged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistcore.world.replies import Reply, Say
from assistcore.world.views import AssistantView

if TYPE_CHECKING:
    from taskpacks.schema import Line, TaskPack

SILENT_POLLS = 12
"""Polls without a word from the person after which the next sentence is spoken anyway."""
_QUESTION = re.compile(r"\?\s*$")


class Script:
    """Speaks `lines` in order. The first one of `ready` comes at the first poll, each further one at the first poll after the person said
    something or, where nothing happens, after `SILENT_POLLS` polls; one of `poll` at the next poll. Declares done after the last report."""

    privileged = True

    def __init__(self, name: str, lines: Sequence[Line]) -> None:
        self.name = name
        self._lines = tuple(lines)
        self._at = 0
        self._quiet = 0

    def reply(self, view: AssistantView) -> Reply:
        """The next sentence when it is time, `done` after the last, silence in between."""
        reported = any(u.speaker == "human" for u in view.heard) and self._at > 0
        self._quiet = 0 if reported else self._quiet + 1
        if self._at > 0 and not reported and not self._due():
            return Reply(Say.SILENT)
        self._quiet = 0
        if self._at == len(self._lines):
            return Reply(Say.DONE)
        self._at += 1
        return Reply(Say.INTERRUPT, self._lines[self._at - 1].say)

    def _due(self) -> bool:
        """Whether the next sentence does not wait for a report."""
        if self._quiet >= SILENT_POLLS:
            return True
        return self._at < len(self._lines) and self._lines[self._at].after == "poll"


def proof_of(pack: TaskPack | None, name: str) -> Sequence[Line]:
    """The sentences of one scripted assistant of a pack. Raises ValueError without a pack."""
    if pack is None:
        raise ValueError(f"the {name} assistant speaks a pack's sentences; it was given no pack")
    return tuple({"oracle": pack.proof.oracle, "wrong": pack.proof.wrong, "early": pack.proof.early}[name])
