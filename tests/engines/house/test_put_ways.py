"""Ways of putting things down that were missed once, with the inputs that showed it: how the hand comes in and how it comes off."""

from __future__ import annotations

from typing import Any

import pytest

from assistcore.world.outcomes import Refusal
from assistworld.engines.house.engine import HouseEngine
from tests.engines.house import annex
from tests.engines.house.acting import act, stand

CASES: dict[str, tuple[str, tuple[dict[str, Any], ...], tuple[str, ...]]] = {
    # fingers round a lemon: the hand comes straight off it before it is drawn out of the shelf
    "a lemon into the fridge": ("kitchen", ({"set_open": "fridge_1"},), ("[Grab] <lemon> (1)", "[PutIn] <lemon> (1) <fridge> (1)")),
}


@pytest.mark.parametrize("name", CASES)
def test_a_way_is_found(flat: HouseEngine, name: str) -> None:
    spot, changes, commands = CASES[name]
    stand(flat, spot, *changes)
    for text in commands:
        outcome = act(flat, text)
        assert not isinstance(outcome, Refusal) and outcome.status.value == "done", (text, outcome)


def test_a_basket_held_by_its_rim_is_set_down() -> None:
    """The hand touches it farther from its middle than a touch is allowed: where the hand is counts."""
    house = annex.at("laundry")
    annex.done(house, "[Grab] <laundry_basket> (1)", "[Put] <laundry_basket> (1) <washing_machine> (1)")
    assert house.graph().has("on", "laundry_basket_1", "washing_machine_1")
