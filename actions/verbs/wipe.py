"""Wipe a surface with a tool."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="wipe",
    surface=("Wipe",),
    args=("tool", "target"),
    hands="free",
    english=("wipe {target} with {tool}",),
    meaning="Wipe a surface with a tool.",
    implemented=False,
    group="tools",
)
