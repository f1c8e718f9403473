"""Rotate a flat assembly upright."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="raise",
    surface=("Raise", "Erect", "StandUpright"),
    args=("assembly",),
    hands="empty",
    english=("stand {assembly} up", "raise {assembly}"),
    meaning="Rotate a flat assembly upright.",
    implemented=False,
    group="assembly",
)
