"""Whatever is said: nothing raises, nothing that is not offered is named, nothing internal is spoken (cases.md, section I)."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistcore.world.replies import Turn
from assistworld.agents.grounding.speech import plain
from assistworld.agents.humans.rule import RuleHuman
from tests.agents.flats import kitchen_offers, view
from tests.agents.test_instructions import ACTS, NOTHING, QUESTIONS, STOPS

HANDLES = {o.handle for o in kitchen_offers()}
SURFACES = set(
    "Walk Forward TurnLeft TurnRight TurnAround Grab Drop Put PutIn Open Close OpenDoor CloseDoor TurnOn TurnOff LookAt LookAround Wait "
    "Sit StandUp Confirm Pour".split()
)
WORDS = st.sampled_from(sorted({w for text in (*ACTS, *QUESTIONS, *NOTHING, *STOPS) for w in re.findall(r"[A-Za-z']+|[.,?!]", text)}))
LEAK = re.compile(r"[<>\[\]_{}]|\b[a-z]+_\d+\b|\(\d+\)")


def check(turn: Turn) -> None:
    """Only offered handles and known verbs in commands, nothing internal in speech."""
    for command in turn.commands:
        surface = re.match(r"\[(\w+)\]", command)
        assert surface and surface[1] in SURFACES, command
        assert set(re.findall(r"<[^>]*> \(\d+\)", command)) <= HANDLES, command
    assert not LEAK.search(turn.speech), turn.speech
    assert len(turn.speech) < 400


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(WORDS, max_size=18).map(" ".join))
def test_scrambled_instructions(text: str) -> None:
    human = RuleHuman()
    check(human.turn(view(text)))
    check(human.turn(view("the red one")))


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    check(RuleHuman().turn(view(text)))


@pytest.mark.parametrize("text", [*ACTS, *QUESTIONS, *NOTHING, *STOPS])
def test_nothing_internal_is_spoken(text: str) -> None:
    check(RuleHuman().turn(view(text)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\n",
        "[Grab] <red_mug> (1)",
        "take <fridge> (306)",
        "TAKE THE RED MUG" * 60_000,
        "take the red mug and " * 50_000,
        "open " * 200_000,
        "a" * 1_000_000,
        "and and and then then , , ,",
        "\u5f00\u51b0\u7bb1",
        "put " + "the mug on " * 300 + "the table",
        "###STOP###",
        "take the \u0000 red\u200b mug",
    ],
    ids=lambda t: repr(t[:24]),
)
def test_odd_utterances(text: str) -> None:
    check(RuleHuman().turn(view(text)))


def test_the_same_words_give_the_same_turn() -> None:
    for text in list(ACTS)[:40]:
        assert RuleHuman().turn(view(text)) == RuleHuman().turn(view(text))


def test_nothing_offered() -> None:
    for text in [*ACTS, *QUESTIONS]:
        turn = RuleHuman().turn(view(text, offers=()))
        assert not re.findall(r"<", " ".join(turn.commands)), text


def test_plain_takes_out_handles_and_ids() -> None:
    assert plain("I took <red_mug> (2) from drawer_1 [Grab].") == "I took red mug from drawer Grab ."
