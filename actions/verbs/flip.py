"""Turn the held object by 180 degrees."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="flip",
    surface=("Flip", "TurnOver"),
    args=("object",),
    hands="holds",
    english=("turn {object} over", "flip {object}"),
    meaning="Turn the held object by 180 degrees.",
    implemented=False,
    group="placement",
)
