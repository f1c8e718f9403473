"""The silent assistant: a control that must fail, since every pack needs help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistcore.world.replies import Reply, Say
from assistcore.world.views import AssistantView

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack


class SilentAssistant:
    """Never speaks and never declares."""

    name = "silent"
    privileged = False

    def reply(self, view: AssistantView) -> Reply:
        """Silence."""
        return Reply(Say.SILENT)


def make(pack: TaskPack | None, seed: int) -> SilentAssistant:
    """The silent assistant."""
    return SilentAssistant()
