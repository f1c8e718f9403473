"""Stir with the held tool."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="stir",
    surface=("Stir",),
    args=("target", "tool"),
    hands="holds",
    english=("stir {target} with {tool}",),
    meaning="Stir with the held tool.",
    implemented=False,
    group="tools",
)
