"""200 random walks in the flat: each ends as RULES say, and no bound is broken at any frame."""

from __future__ import annotations

from typing import Any

from assistworld.studies.digests import HOUSE_ENGINE
from assistworld.studies.sampling import walk_trial
from assistworld.studies.trials import play

CASES = 200
SEED = 20
PACKAGES = (*HOUSE_ENGINE, "actions", "humans", "assistcore")


def case(number: int) -> dict[str, Any]:
    """Walk `number` of the fixed seed."""
    return play(walk_trial(SEED, number))
