"""The person who does nothing and says nothing: a control that must score zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistcore.world.replies import Turn
from assistcore.world.views import HumanView

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack


class NothingHuman:
    """Never acts."""

    name = "nothing"
    privileged = False

    def turn(self, view: HumanView) -> Turn:
        """An empty turn."""
        return Turn()


def make(pack: TaskPack | None, seed: int) -> NothingHuman:
    """The do-nothing person."""
    return NothingHuman()
