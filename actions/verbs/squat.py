"""Crouch and come up again."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="squat",
    surface=("Squat", "SquatDown"),
    args=(),
    hands="free",
    english=("squat down", "crouch"),
    meaning="Crouch and come up again.",
    implemented=False,
    group="posture",
)
