"""The corpora of this folder, scored by `assistworld.studies.instruction_score`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from assistcore.world.engine import Human
from assistworld.studies import instruction_score
from assistworld.studies.instruction_score import Verdict

__all__ = ["Verdict", "corpus", "further", "score"]

_HERE = Path(__file__).parent


def corpus() -> tuple[tuple[dict[str, Any], ...], Mapping[str, Any]]:
    """The items of `instructions.yaml` and the scenes."""
    found = instruction_score.read_corpus(_HERE)
    return found.items, found.scenes


@lru_cache(maxsize=8)
def further(name: str) -> tuple[dict[str, Any], ...]:
    """The items of a further corpus (`held_out`, `third`, `fourth`, `fifth`), in the same scenes."""
    return tuple(yaml.safe_load((_HERE / f"{name}.yaml").read_text(encoding="utf-8")))


def score(human: Human, item: Mapping[str, Any]) -> Verdict:
    """Play one item with a fresh human policy."""
    return instruction_score.score(human, item, corpus()[1])
