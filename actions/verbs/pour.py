"""Pour from the held source into the target."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="pour",
    surface=("Pour",),
    args=("target", "source"),
    hands="holds",
    english=("pour {source} into {target}",),
    meaning="Pour from the held source into the target.",
    implemented=False,
    group="tools",
)
