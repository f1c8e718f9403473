"""Pull a movable fixture with what stands on it."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="pull",
    surface=("Pull", "PullRack"),
    args=("fixture", "destination"),
    hands="empty",
    english=("pull {fixture} to {destination}",),
    meaning="Pull a movable fixture with what stands on it.",
    implemented=False,
    group="fixtures",
)
