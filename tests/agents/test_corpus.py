"""300 instructions written without knowledge of the grounder: the right action or a fitting question in >= 90 %, a wrong action in none."""

from __future__ import annotations

from collections import Counter

from assistworld.agents.humans.rule import RuleHuman
from tests.agents.corpus.score import corpus, score


def test_the_rule_human_on_300_blind_instructions() -> None:
    items, _ = corpus()
    verdicts = [score(RuleHuman(), item) for item in items]
    counts = Counter(v.kind for v in verdicts)
    wrong = [f"{v.item}: {v.commands} {v.speech!r}" for v in verdicts if v.kind == "wrong"]
    assert len(verdicts) == 300
    assert not wrong, "\n".join(wrong)
    assert counts["right"] >= 270, counts
