"""Push a movable fixture with what stands on it."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="push",
    surface=("Push", "PushRack"),
    args=("fixture", "destination"),
    hands="empty",
    english=("push {fixture} to {destination}",),
    meaning="Push a movable fixture with what stands on it.",
    implemented=False,
    group="fixtures",
)
