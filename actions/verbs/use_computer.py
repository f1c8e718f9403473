"""Type at a keyboard or workstation."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="use_computer",
    surface=("UseComputer", "Type"),
    args=("device",),
    hands="empty",
    english=("use {device}", "type on {device}"),
    meaning="Type at a keyboard or workstation.",
    implemented=False,
    group="devices",
)
