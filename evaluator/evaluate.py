"""Score an attempt: a pure function of the pack and the records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast

from assistcore.world.records import Row
from assistcore.world.registry import Registry
from evaluator.scores import Score
from evaluator.trace import Trace, read_trace
from taskpacks.schema import TaskPack

SCORERS = Registry("scorer", "evaluator.scorers")


class ScorerModule(Protocol):
    """A module in `evaluator/scorers/`, named as the `kind` of the score contract that it reads."""

    @staticmethod
    def score(pack: TaskPack, trace: Trace) -> Score:
        """The score."""


def evaluate(pack: TaskPack, rows: Sequence[Row], head: str = "") -> Score:
    """The score of an ended attempt. `head` ties it to the sealed log. What anyone claimed has no say in it."""
    scorer = cast(ScorerModule, SCORERS.load(pack.score.kind))
    return scorer.score(pack, read_trace(rows)).model_copy(update={"events_head": head})
