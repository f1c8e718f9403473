"""Ten corpora, 150 to 300 instructions each: the right action or a fitting question in >= 90 %, a wrong action in none.

Blind numbers are those of the first scoring, before anybody had looked at the items: `instructions.yaml` 80 % right and 11 wrong,
`held_out.yaml` 81 % right and 4 wrong, `third.yaml` 75 % right and 1 wrong, `fourth.yaml` 84 % right and 1 wrong (87 % and 2 after verb
frames and wrappings were written without it), `fifth.yaml` 79 % right and 3 wrong (87 % and none after the fourth was used), `sixth.yaml`
77 % right and 3 wrong after the fifth was used, `seventh.yaml` 84 % and `eighth.yaml` 83 % right, none wrong, after the sixth was, and
`ninth.yaml` 76 % right and 3 wrong after those. The grounder was then changed for the kinds of failure found in each, so what this test
sees is no longer blind: it holds what was reached, it does not say how other words would fare. `blind.yaml` does: 300 items of which nobody
had read one when all of the above was done: 90.3 % right and 1 wrong; only the kind of that one was mended since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from assistworld.agents.humans.rule import RuleHuman
from tests.agents.corpus.score import corpus, further, score

FURTHER = {
    "held_out": 300,
    "third": 200,
    "fourth": 150,
    "fifth": 150,
    "sixth": 150,
    "seventh": 150,
    "eighth": 150,
    "ninth": 150,
    "blind": 300,
}
CORPORA = [(corpus()[0], 300), *((further(name), number) for name, number in FURTHER.items())]


@pytest.mark.parametrize(("items", "number"), CORPORA, ids=["instructions", *FURTHER])
def test_the_rule_human_on_a_corpus(items: Sequence[dict[str, Any]], number: int) -> None:
    verdicts = [score(RuleHuman(), item) for item in items]
    counts = Counter(v.kind for v in verdicts)
    wrong = [f"{v.item}: {v.commands} {v.speech!r}" for v in verdicts if v.kind == "wrong"]
    assert len(verdicts) == number
    assert not wrong, "\n".join(wrong)
    assert counts["right"] >= 0.9 * number, counts
