"""200 random attempts to take a thing and to put it somewhere: each ends as RULES say, and no bound is broken at any frame."""

from __future__ import annotations

from typing import Any

from assistworld.studies.digests import HOUSE_ENGINE
from assistworld.studies.sampling import reach_trial
from assistworld.studies.trials import play

CASES = 200
SEED = 20
PACKAGES = (*HOUSE_ENGINE, "actions", "humans", "assistcore")


def case(number: int) -> dict[str, Any]:
    """Attempt `number` of the fixed seed."""
    return play(reach_trial(SEED, number))
