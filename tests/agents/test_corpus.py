"""Three corpora of 300, 300 and 200 instructions: the right action or a fitting question in >= 90 %, a wrong action in none.

Blind numbers are those of the first scoring, before anybody had looked at the items: `instructions.yaml` 80 % right and 11 wrong,
`held_out.yaml` 81 % right and 4 wrong, `third.yaml` 75 % right (149 of 200) and 1 wrong. The grounder was then changed for the kinds of
failure found in each, so what this test sees is no longer blind: it holds what was reached, it does not say how other words would fare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from assistworld.agents.humans.rule import RuleHuman
from tests.agents.corpus.score import corpus, held_out, score, third

CORPORA = [(corpus()[0], 300), (held_out(), 300), (third(), 200)]


@pytest.mark.parametrize(("items", "number"), CORPORA, ids=["instructions", "held_out", "third"])
def test_the_rule_human_on_a_corpus(items: Sequence[dict[str, Any]], number: int) -> None:
    verdicts = [score(RuleHuman(), item) for item in items]
    counts = Counter(v.kind for v in verdicts)
    wrong = [f"{v.item}: {v.commands} {v.speech!r}" for v in verdicts if v.kind == "wrong"]
    assert len(verdicts) == number
    assert not wrong, "\n".join(wrong)
    assert counts["right"] >= 0.9 * number, counts
