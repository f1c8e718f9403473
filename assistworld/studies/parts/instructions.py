"""300 instructions by someone who has not read the grounder: a right action or a fitting question in >= 90 %, a wrong action in none.

The corpus is read by its path in the checkout; each case is one instruction, and is ok when the rule human does not act wrongly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assistcore.world.sources import checkout
from assistworld.agents.humans.rule import RuleHuman
from assistworld.studies.instruction_score import Corpus, read_corpus, score

CASES = 300
FOLDER = Path("tests", "agents", "corpus")
PACKAGES = ("assistworld/agents", "assistworld/episodes", "actions", "assistcore")
LEAST_RIGHT = 0.9


def corpus() -> Corpus:
    """The committed corpus. Raises OSError outside a checkout."""
    return read_corpus(checkout() / FOLDER)


def case(number: int) -> dict[str, Any]:
    """Instruction `number`."""
    found = corpus()
    item = found.items[number]
    verdict = score(RuleHuman(), item, found.scenes)
    commands = [" ".join(str(word) for word in command) for command in verdict.commands]
    return {"ok": verdict.kind != "wrong", "id": item["id"], "kind": verdict.kind, "commands": commands, "speech": verdict.speech}


def problems(cases: Sequence[dict[str, Any]]) -> list[str]:
    """What is wrong with all cases taken together."""
    counts = Counter(str(case.get("kind", "raised")) for case in cases)
    share = counts["right"] / max(1, len(cases))
    return [] if share >= LEAST_RIGHT else [f"right in {100 * share:.1f} %, at least {100 * LEAST_RIGHT:.0f} % needed: {dict(counts)}"]
