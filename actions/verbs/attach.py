"""Mate two connectors."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import NumberArg, VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="attach",
    surface=("Attach", "Assemble", "Install"),
    args=("child", "child_connector", "parent", "parent_connector", "angle_error?"),
    hands="free",
    english=("attach {child} to {parent}",),
    meaning="Mate two connectors.",
    implemented=False,
    group="assembly",
    numbers=(NumberArg("angle_error", None, -180.0, 180.0),),
    symbols=(("child_connector", 0), ("parent_connector", 0)),
)
