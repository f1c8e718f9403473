"""Hold the phone to the ear."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="answer_phone",
    surface=("AnswerPhone",),
    args=("phone",),
    hands="holds",
    english=("answer {phone}",),
    meaning="Hold the phone to the ear.",
    implemented=False,
    group="devices",
)
