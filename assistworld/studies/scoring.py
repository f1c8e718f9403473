"""Score files: derived from a sealed bundle, beside its log, one for each evaluator version."""

from __future__ import annotations

from pathlib import Path

from assistcore.world.canonical import canonical_json
from assistworld.episodes.bundle import Bundle
from assistworld.episodes.files import write_atomic
from assistworld.episodes.log import SCORES
from evaluator.evaluate import evaluate
from evaluator.scores import VERSION, Score


def score_bundle(bundle: Bundle) -> Score:
    """The score of a bundle, from its own pack and records. Writes nothing."""
    return evaluate(bundle.pack, bundle.rows, bundle.head)


def write_score(folder: Path, score: Score) -> Path:
    """Write `scores/score-VERSION.json`. Raises InfrastructureError; an earlier file then stays as it was."""
    path = folder / SCORES / f"score-{VERSION}.json"
    path.parent.mkdir(exist_ok=True)
    write_atomic(path, canonical_json(score.model_dump(mode="json")).encode("ascii") + b"\n")
    return path
