"""A person with a fixed list of commands, for controls and tests: performs them one by one whatever is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistcore.world.replies import Queue, Turn
from assistcore.world.views import HumanView

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack


class ScriptedHuman:
    """Queues the next command whenever idle; says nothing. Without commands it is the private plan of the family WATCH."""

    def __init__(self, commands: Sequence[str] = (), *, name: str = "scripted", privileged: bool = True) -> None:
        self.name, self.privileged = name, privileged
        self._commands = tuple(commands)
        self._at = 0

    def turn(self, view: HumanView) -> Turn:
        """The next command of the script."""
        if not view.idle or self._at >= len(self._commands):
            return Turn()
        self._at += 1
        return Turn(Queue.APPEND, commands=(self._commands[self._at - 1],))


def make(pack: TaskPack | None, seed: int) -> ScriptedHuman:
    """A person who follows the pack's private plan (family WATCH); without one it does nothing."""
    return ScriptedHuman(pack.protocol.plan if pack is not None else ())
