"""Sit down on a seat."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="sit",
    surface=("Sit",),
    args=("seat",),
    hands="free",
    english=("sit down on {seat}", "sit on {seat}"),
    meaning="Sit down on a seat.",
    implemented=False,
    group="posture",
)
