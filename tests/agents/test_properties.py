"""Whatever is said: nothing raises, nothing that is not offered is named, nothing internal is spoken (cases.md, section I)."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistcore.world.replies import Turn
from assistworld.agents.grounding.speech import plain
from assistworld.agents.humans.rule import RuleHuman
from tests.agents.corpus.score import further, score
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


_IMPERATIVE = re.compile(
    r"(take|grab|get|fetch|pick|put|place|open|close|shut|turn|switch|go|walk|look|bring|move|lay|pass|hand|pop|step)\b", re.I
)
_MORE = re.compile(r"\b(and|then|but|not|don't|instead|both of us)\b|[,;:?]")


@cache
def _single() -> tuple[dict[str, Any], ...]:
    """Items that say one order and nothing else, every eighth one."""
    items = [i for name in ("held_out", "third", "fourth", "fifth") for i in further(name)]
    single = [i for i in items if _IMPERATIVE.match(i["say"]) and not _MORE.search(i["say"]) and i["say"].count(".") < 2]
    return tuple(single[::8])


WRAPPINGS = (
    "Please {}.",
    "{}, please.",
    "Could you {}?",
    "Would it be possible for you to {}?",
    "I was wondering if you could {}.",
    "The next thing to do is to {}.",
    "Okay, so now {}.",
    "Do you think you could {}?",
    "{}, it's getting late.",
    "{} because I need it for dinner.",
)
NEGATIONS = (
    "Don't {}.",
    "Please never {}.",
    "You shouldn't {}.",
    "There's no need to {}.",
    "Did you {}?",
    "I will {} myself.",
    "She told me to {} yesterday.",
)


def _said(item_say: str, frame: str) -> str:
    """An order inside other words."""
    bare = item_say.rstrip(" .!")
    return frame.format(bare if frame.startswith("{}") else bare[0].lower() + bare[1:])


@pytest.mark.parametrize("frame", WRAPPINGS)
def test_politeness_and_reasons_change_nothing(frame: str) -> None:
    for item in _single():
        plain = score(RuleHuman(), item)
        wrapped = score(RuleHuman(), {**item, "say": _said(item["say"], frame)})
        assert wrapped.commands == plain.commands, _said(item["say"], frame)


@pytest.mark.parametrize("frame", NEGATIONS)
def test_what_is_negated_asked_or_told_is_not_done(frame: str) -> None:
    for item in _single():
        assert not score(RuleHuman(), {**item, "say": _said(item["say"], frame)}).commands, _said(item["say"], frame)
