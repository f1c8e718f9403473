"""Sweep the floor nearby with the eyes."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="look_scan",
    surface=("LookScan",),
    args=(),
    hands="free",
    english=("look at the floor around you", "scan the floor"),
    meaning="Sweep the floor nearby with the eyes.",
    implemented=False,
    group="perception",
)
