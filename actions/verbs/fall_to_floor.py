"""An object falls from its support to the floor by itself."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="fall_to_floor",
    surface=("FallToFloor",),
    args=("object", "support"),
    hands="free",
    english=(),
    meaning="An object falls from its support to the floor by itself.",
    implemented=False,
    group="placement",
)
