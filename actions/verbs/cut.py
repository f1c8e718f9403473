"""Cut something with the held tool."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="cut",
    surface=("Cut",),
    args=("target", "tool"),
    hands="holds",
    english=("cut {target} with {tool}",),
    meaning="Cut something with the held tool.",
    implemented=False,
    group="tools",
)
