"""The corpus of this folder, scored by `assistworld.studies.instruction_score`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assistcore.world.engine import Human
from assistworld.studies import instruction_score
from assistworld.studies.instruction_score import Verdict

__all__ = ["Verdict", "corpus", "score"]


def corpus() -> tuple[tuple[dict[str, Any], ...], Mapping[str, Any]]:
    """The items and the scenes."""
    found = instruction_score.read_corpus(Path(__file__).parent)
    return found.items, found.scenes


def score(human: Human, item: Mapping[str, Any]) -> Verdict:
    """Play one item with a fresh human policy."""
    return instruction_score.score(human, item, corpus()[1])
