"""Other wordings: none leads to a wrong action, and a word that nobody knows inside an order keeps the person from acting on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from assistworld.agents.humans.rule import RuleHuman
from tests.agents.corpus.score import score
from tests.agents.flats import view

VARIANTS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "corpus" / "variants.yaml").read_text(encoding="utf-8"))
ORDERS = (
    "Take the {} red mug.",
    "Take the red {} mug.",
    "Take the red mug {}.",
    "Take the red mug next to the {} plate.",
    "Take {} the red mug.",
    "Open the fridge {} and close it.",
    "Open the {} fridge.",
    "Go to the {} table.",
    "Put the red mug {} on the counter.",
    "Put the red mug on the {} counter.",
    "Put the red mug on the counter {}.",
    "Turn {} left.",
    "Turn the {} kettle on.",
    "Walk {} forward.",
    "Look at the {} white mug.",
    "Could you {} take the red mug?",
    "Take the second jar from the {} left.",
)


@pytest.mark.parametrize("item", VARIANTS, ids=lambda i: i["id"])
def test_variant(item: dict[str, Any]) -> None:
    verdict = score(RuleHuman(), item)
    assert verdict.kind == "right", f"{verdict.commands} {verdict.speech!r}"


@pytest.mark.parametrize("word", ["quuxish", "zorp", "glorbing"])
@pytest.mark.parametrize("order", ORDERS)
def test_an_unknown_word_keeps_from_acting(order: str, word: str) -> None:
    turn = RuleHuman().turn(view(order.format(word)))
    assert not turn.commands
    assert turn.speech


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("take the rde mug", "[Grab] <red_mug> (1)"),
        ("tkae the red mug", "[Grab] <red_mug> (1)"),
        ("opne the frige", "[Open] <fridge> (1)"),
        ("trun left", "[TurnLeft]"),
        ("swich on the kettel", "[TurnOn] <kettle> (1)"),
    ],
)
def test_slips_of_the_keyboard(slip: str, meant: str) -> None:
    assert RuleHuman().turn(view(slip)).commands == (meant,)


@pytest.mark.parametrize("text", ["Take the red mat.", "Take the blue bug", "Take the red rug", "Go to the garage", "Take the pear"])
def test_a_real_word_is_no_slip(text: str) -> None:
    assert not RuleHuman().turn(view(text)).commands
