"""The person's pending commands: texts with what was offered in the turn that gave them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from assistcore.world.records import Phase, Queued
from assistcore.world.replies import Queue, Turn


@dataclass(frozen=True)
class Pending:
    """One command text. `offered` are the entity keys of its turn's offer; None for authored commands, which may name anything."""

    text: str
    offered: frozenset[str] | None
    phase: Phase


class CommandQueue:
    """Commands wait here; one runs at a time."""

    def __init__(self) -> None:
        self._waiting: deque[Pending] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def texts(self) -> tuple[str, ...]:
        """What is pending, first to run first."""
        return tuple(p.text for p in self._waiting)

    def author(self, commands: Sequence[str]) -> None:
        """Queue the opening's commands."""
        self._waiting.extend(Pending(c, None, "opening") for c in commands)

    def update(self, turn: Turn, offered: frozenset[str]) -> Queued:
        """Apply a turn. Commands given with `keep` are appended: what the person was given stays, and nothing they said is lost."""
        dropped: tuple[str, ...] = ()
        if turn.queue is Queue.REPLACE:
            dropped = self._clear()
        self._waiting.extend(Pending(c, offered, "live") for c in turn.commands)
        return Queued(mode=turn.queue.value, added=turn.commands, dropped=dropped)

    def flush(self) -> Queued:
        """Drop the remainder, so that stale actions are not applied after an error."""
        return Queued(mode="flush", dropped=self._clear())

    def pop(self) -> Pending | None:
        """The next command."""
        return self._waiting.popleft() if self._waiting else None

    def _clear(self) -> tuple[str, ...]:
        dropped = self.texts()
        self._waiting.clear()
        return dropped
