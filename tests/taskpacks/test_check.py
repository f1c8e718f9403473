"""The static checker in the toy world: each promise broken once."""

from __future__ import annotations

from typing import Any

import pytest

from taskpacks.check import check_pack
from taskpacks.sentences import machine_words
from tests.episodes.playing import pack
from tests.episodes.toy_engine import VOCABULARY, ToyEngine


def problems(**changes: Any) -> str:
    return "\n".join(map(str, check_pack(pack(**changes), ToyEngine())))


def goal(**condition: Any) -> dict[str, Any]:
    return {"score": {"goals": [{"id": "a", "holds": condition}]}}


def test_the_toy_pack_is_sound() -> None:
    assert problems() == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scenario": {"changes": [{"move": "rde_cup_1", "onto": "bed_1"}]}}, "did you mean 'red_cup_1'"),
        ({"scenario": {"scene": "mars"}}, "no scene 'mars'"),
        (goal(**{"is": ["on", "red_cup_7", "bed_1"]}), "no entity 'red_cup_7' (did you mean 'red_cup_1'?)"),
        (goal(**{"is": ["inn", "red_cup_1", "bed_1"]}), "no predicate 'inn'"),
        (goal(**{"is": ["on", "red_cup_1"]}), "on takes 2 entities, 1 are given"),
        (goal(attribute=["red_cup_1", "wet", "==", True]), "no attribute 'wet'"),
        (goal(**{"is": ["on", "red_cup_1", "table_1"]}), "holds already when the request is made (make it a guard)"),
        ({"score": {"guards": [{"id": "g", "holds": {"is": ["open", "drawer_1"]}}]}}, "does not hold when the request is made"),
        ({"score": {"never": [{"id": "n", "holds": {"is": ["closed", "drawer_1"]}}]}}, "holds already"),
        ({"score": {"never": [{"id": "n", "holds": {"is": ["on", "red_cup_1", "bed_1"]}}]}}, "forbidden, and goal 'cup_on_bed' needs it"),
        ({"protocol": {"opening": {"say": ""}}}, "toy_cup#/protocol/opening/say: says nothing"),
        ({"protocol": {"opening": {"handoff": "  "}}}, "toy_cup#/protocol/opening/handoff: says nothing"),
        ({"proof": {"early": [{"say": " "}]}}, "toy_cup#/proof/early/0/say: says nothing"),
        ({"protocol": {"opening": {"commands": ["[Put] <red_cup> (1) <bed> (1)"]}}}, "commands/0: [Put] <red_cup> (1) <bed> (1): NOT_HELD"),
        ({"protocol": {"opening": {"commands": ["[Wlak] <bed> (1)"]}}}, "UNKNOWN_VERB"),
        ({"protocol": {"opening": {"handoff": "Where is <red_cup> (1)?"}}}, "handoff: says <, >"),
        ({"proof": {"oracle": [{"say": "Grab red_cup_1."}]}}, "says red_cup_1"),
        (
            {"proof": {"early": [{"say": "Pick up the red cup."}, {"say": "Put it on the bed."}]}},
            "early: says exactly what the oracle says",
        ),
        ({"proof": {"evidence": {"seen": ["key_1"]}}}, "key_1 is never in view during the opening"),
        ({"proof": {"evidence": {"hidden": ["red_cup_1"]}}}, "red_cup_1 is in view when the request is made"),
    ],
)
def test_each_promise(change: dict[str, Any], words: str) -> None:
    assert words in problems(**change)


def test_legible_evidence_is_too_early() -> None:
    class Printed(ToyEngine):
        def offer(self, role):
            from dataclasses import replace

            return tuple(replace(o, printed=("4.80 EUR",)) if o.key == "blue_cup_1" else o for o in super().offer(role))

    found = check_pack(pack(proof={"evidence": {"labels": {"blue_cup_1": ["4.80"]}}}), Printed())
    assert [str(p) for p in found] == ["toy_cup#/proof/evidence/labels/blue_cup_1: 4.80 can be read before the request is made"]


def test_plain_words_are_plain_even_where_they_are_verbs() -> None:
    assert machine_words("Open the drawer, put the red cup on the bed and look at it.", VOCABULARY) == ()
    assert machine_words("Please LookAt the cup, then navigate_to it", VOCABULARY) == ("LookAt", "navigate_to")
    assert machine_words("[Grab] the cup", VOCABULARY) == ("[", "]")


def test_a_part_that_a_goal_needs_cannot_be_forbidden() -> None:
    on = {"is": ["on", "red_cup_1", "bed_1"]}
    both = [{"id": "a", "holds": {"all": [{"all": [on, {"unmoved": "key_1"}]}]}}]
    assert "goal 'a' needs it" in problems(score={"goals": both, "never": [{"id": "n", "holds": on}]})
    either = [{"id": "a", "holds": {"any": [on, {"is": ["open", "drawer_1"]}]}}]
    assert problems(score={"goals": either, "never": [{"id": "n", "holds": on}]}) == "", "there is another way"


def test_fact_and_hint_of_a_refusal_are_told_apart() -> None:
    from assistcore.world.outcomes import Code, Refusal
    from taskpacks.check import refused

    assert refused(Refusal(Code.NOT_HELD, "the hands are empty", "pick it up first")) == "NOT_HELD: the hands are empty; pick it up first"
    assert refused(Refusal(Code.NOT_HELD, "the hands are empty", "")) == "NOT_HELD: the hands are empty"
