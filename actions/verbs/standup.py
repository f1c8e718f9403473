"""Stand up and step away from the seat."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="standup",
    surface=("StandUp",),
    args=(),
    hands="free",
    english=("stand up", "get up"),
    meaning="Stand up and step away from the seat.",
    implemented=False,
    group="posture",
)
