"""Cook food that is in or on a powered appliance."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="cook",
    surface=("Cook",),
    args=("food",),
    hands="empty",
    english=("cook {food}",),
    meaning="Cook food that is in or on a powered appliance.",
    implemented=False,
    group="tools",
)
