"""The situations behind the strips of the verbs: one for each verb, a rotating sample played to its end, and what is picked from a run."""

from __future__ import annotations

import numpy as np
import pytest

from actions.verb import all_verbs
from assistcore.world.errors import InfrastructureError, InputError
from assistcore.world.outcomes import Status
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.strips import page
from assistworld.studies.strips.playing import FRAMES, moments, play
from assistworld.studies.strips.situations import SITUATIONS, Situation

SAMPLE = 4
DRAWN = [s for s in SITUATIONS if next(v for v in all_verbs() if v.name == s.verb).implemented]


@pytest.fixture(scope="module")
def house() -> HouseEngine:
    return HouseEngine()


def test_every_verb_has_one_situation() -> None:
    assert sorted(s.verb for s in SITUATIONS) == [info.name for info in all_verbs()]


@pytest.mark.parametrize("nth", range(SAMPLE))
def test_a_situation_is_done_by_its_own_verb(house: HouseEngine, sample_seed: int, nth: int) -> None:
    situation = DRAWN[int(np.random.default_rng(sample_seed).permutation(len(DRAWN))[nth])]
    run = play(house, situation)
    assert run.outcome.status is Status.DONE
    assert run.outcome.command is not None and run.outcome.command.verb == situation.verb
    picked = moments(run)
    ticks = [m.snapshot.tick for m in picked]
    assert len(picked) == FRAMES and ticks == sorted(ticks)
    assert picked[0] is run.shown[0] and picked[-1] is run.shown[-1]


def test_a_situation_that_is_refused_gives_no_strip(house: HouseEngine) -> None:
    with pytest.raises(InfrastructureError, match="NOT_HELD"):
        play(house, Situation("flip", "[Flip] <shopping_card>"))


def test_the_page_names_every_verb_with_its_surface_and_meaning() -> None:
    text = page.page_text()
    for info in all_verbs():
        assert f"**{info.name}** `[{info.surface[0]}]`" in text and info.meaning in text
        assert info.name not in {s.verb for s in DRAWN} or f"(verbs_gallery/{info.name}.jpg)" in text


def test_a_verb_that_nobody_knows_is_named() -> None:
    with pytest.raises(InputError, match="flipp"):
        page.make(only=["flipp"])
