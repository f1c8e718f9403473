"""Process rules at work in the scenes (RULES, Process time): what spills, what dries, and what a lid or a seal keeps."""

from __future__ import annotations

from typing import Any

import pytest

from assistcore.world.outcomes import Outcome, Status
from assistworld.engines.house.engine import HouseEngine
from tests.engines.house.acting import act, stand
from tests.engines.house.annex import at


def tea(key: str, millilitres: int = 200) -> tuple[dict[str, Any], ...]:
    """Tea in it."""
    return (
        {"set": key, "attribute": "contents", "value": "tea"},
        {"set": key, "attribute": "volume_ml", "value": millilitres},
    )


def done(engine: HouseEngine, text: str) -> None:
    """Play a command that must be done."""
    outcome = act(engine, text)
    assert isinstance(outcome, Outcome) and outcome.status is Status.DONE, (text, outcome)


@pytest.mark.parametrize("sealed", [False, True])
def test_a_mug_that_is_turned_over_spills_unless_it_is_sealed(flat: HouseEngine, sealed: bool) -> None:
    seal: tuple[dict[str, Any], ...] = ({"set": "red_mug_1", "attribute": "sealed", "value": True},) if sealed else ()
    stand(flat, "kitchen", *tea("red_mug_1"), *seal)
    done(flat, "[Grab] <red_mug>")
    assert flat.graph().value("red_mug_1", "volume_ml") == 200, "it is carried as it stood"
    done(flat, "[Flip] <red_mug>")
    graph = flat.graph()
    assert graph.value("red_mug_1", "volume_ml") == (200 if sealed else 0)
    wet = [key for key in ("spill_1", "spill_2", "spill_3") if graph.has("present", key)]
    assert wet == ([] if sealed else ["spill_2"])


def test_a_dryer_dries_what_was_in_it_from_beginning_to_end() -> None:
    wet = {"set": "white_towel_1", "attribute": "wet", "value": True}
    annex = at("laundry", {"move": "white_towel_1", "into": "dryer_1"}, wet)
    done(annex, "[TurnOn] <dryer>")
    for _ in range(2):
        act(annex, "[Wait] 301")
    graph = annex.graph()
    assert graph.value("white_towel_1", "wet") is False and graph.value("white_towel_1", "clean") is False
    assert graph.has("off", "dryer_1")
