"""What the rule human makes of orders that need a tool, with the flat's own offers and verbs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistworld.agents.humans.rule import RuleHuman
from assistworld.engines.house.engine import HouseEngine
from assistworld.episodes.boundary import legend_of
from tests.agents.flats import view
from tests.engines.house.acting import stand

ORDERS = {
    "Cut the bread with the knife.": ("[Grab] <knife> (1)", "[Cut] <bread> (1) <knife> (1)"),
    "Slice the red apple with the knife": ("[Grab] <knife> (1)", "[Cut] <apple> (1) <knife> (1)"),
    "Take the knife and cut the bread with it.": ("[Grab] <knife> (1)", "[Cut] <bread> (1) <knife> (1)"),
    "Pour the milk into the red mug.": ("[Grab] <milk_carton> (1)", "[Pour] <red_mug> (1) <milk_carton> (1)"),
    "Stir the red mug with the metal spoon.": ("[Grab] <spoon> (1)", "[Stir] <red_mug> (1) <spoon> (1)"),
    "Wipe the dining table with the sponge.": ("[Wipe] <sponge> (1) <dining_table> (1)",),
    "Cook the red apple.": ("[Cook] <apple> (1)",),
}
CHANGES = (
    {"move": "knife_1", "onto": "dining_table_1", "spot": (0.2, 0.18), "yaw_deg": 80},
    {"move": "spoon_1", "onto": "coffee_table_1", "spot": (0.3, 0.3)},
    {"move": "milk_carton_1", "onto": "dining_table_1", "spot": (0.5, 0.45)},
)


@pytest.mark.rotating(3)
@pytest.mark.parametrize("text", ORDERS)
def test_the_tool_is_taken_first(flat: HouseEngine, text: str) -> None:
    stand(flat, "kitchen", *CHANGES)
    offers = tuple(replace(o, visible=True) for o in flat.offer("human"))
    legend = tuple(legend_of(v) for v in flat.vocabulary.verbs if v.implemented)
    turn = RuleHuman().turn(replace(view(text, offers=offers), legend=legend))
    assert turn.commands == ORDERS[text], turn
