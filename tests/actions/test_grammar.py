"""The command grammar: every text is either parsed or refused with the place (cases BrowserGym#334, embodied-agent-interface#9)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actions.grammar import from_structured, parse_command, render_command, split_commands, to_structured
from actions.verb import all_verbs
from assistcore.world.commands import Command, How, Parsed, PlaceSpot
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Code, Refusal

KNOWN = ("red_mug_1", "red_mug_2", "drawer_1", "fridge_306", "lamp_1", "lamp_2", "kitchen_1", "table_1", "milk_1")


def parsed(text: str) -> Parsed:
    found = parse_command(text, known=KNOWN)
    assert isinstance(found, Parsed), found
    return found


def refused(text: str) -> Refusal:
    found = parse_command(text, known=KNOWN)
    assert isinstance(found, Refusal), found
    return found


def test_there_are_36_primitives_and_no_surface_verb_is_shared() -> None:
    infos = all_verbs()
    surfaces = [s.lower() for info in infos for s in info.surface]
    assert len(infos) == 36
    assert len(surfaces) == len(set(surfaces))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("[Walk] <red_mug> (2)", Command("navigate_to", (EntityRef("red_mug", 2),))),
        ("[run] <Red Mug> (2)", Command("navigate_to", (EntityRef("red_mug", 2),))),
        ("[Grab] <red_mug>", Command("pick", (EntityRef("red_mug", 1),))),
        ("[PutIn] <red_mug> (2) <drawer> (1)", Command("place_inside", (EntityRef("red_mug", 2), EntityRef("drawer", 1)))),
        (
            "[PutBack] <milk> (1) <table> (1) @place_spot=-0.5:1",
            Command("place", (EntityRef("milk"), EntityRef("table")), PlaceSpot(-0.5, 1)),
        ),
        ("[Forward]", Command("forward", (0.6,))),
        ("[Forward] 3", Command("forward", (3 * 0.6,))),
        ("[WalkForward] 1.5m", Command("forward", (1.5,))),
        ("[TurnLeft]", Command("turn", ("left", 90.0))),
        ("[TurnRight] 360", Command("turn", ("right", 360.0))),
        ("[Wait]", Command("wait", (3.0,))),
        ("[Wait] 0.1", Command("wait", (0.1,))),
        ("[LookAround]", Command("look_around")),
        ("[Confirm]", Command("confirm")),
        ("[Attach] <lamp> (1) <table> (1) 5", Command("attach", (EntityRef("lamp"), EntityRef("table"), 5.0))),
    ],
)
def test_strict_forms(text: str, command: Command) -> None:
    found = parsed(text)
    assert found.command == command
    assert found.how is How.STRICT


def test_turn_around_takes_no_angle() -> None:
    assert parsed("[TurnAround]").command.args[0] == "around"
    assert refused("[TurnAround] 90").code == Code.PARSE_ERROR


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("walk fridge_306", "navigate_to"),
        ("```\nwalk fridge_306\n```".replace("\n", " "), "navigate_to"),
        ("[walk] <fridge> (306),", "navigate_to"),
        ("［Walk］＜fridge＞（306）", "navigate_to"),
        ("grab red mug 2", "pick"),
        ("turn left", "turn"),
    ],
)
def test_repaired_forms_say_so(text: str, verb: str) -> None:
    found = parsed(text)
    assert found.command.verb == verb
    assert found.how is How.REPAIRED


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", Code.PARSE_ERROR),
        ("I will walk [60].", Code.UNKNOWN_VERB),
        ("[wlak] <fridge> (306)", Code.UNKNOWN_VERB),
        ("[Walk]", Code.PARSE_ERROR),
        ("[Walk] <fridge", Code.PARSE_ERROR),
        ("[Walk] <> (1)", Code.PARSE_ERROR),
        ("[Walk] <frigde> (306)", Code.UNKNOWN_ENTITY),
        ("[Walk] <fridge> (1)", Code.UNKNOWN_ENTITY),
        ("[Walk] <fridge> (306) <table> (1)", Code.PARSE_ERROR),
        ("turn on lamp", Code.AMBIGUOUS),
        ("[TurnLeft] 361", Code.BAD_ARGUMENT),
        ("[TurnLeft] 0", Code.BAD_ARGUMENT),
        ("[Wait] 601", Code.BAD_ARGUMENT),
        ("[Wait] soon", Code.BAD_ARGUMENT),
        ("[Put] <milk> <table> @place_spot=2:0", Code.BAD_ARGUMENT),
        ("[Put] <milk> <table> @place_spot=x", Code.PARSE_ERROR),
        ("say('he said \"no\"')", Code.UNKNOWN_VERB),
        ("x" * 200_000, Code.PARSE_ERROR),
    ],
)
def test_refused_forms(text: str, code: str) -> None:
    assert refused(text).code == code


def test_an_unknown_verb_gets_the_nearest_one() -> None:
    assert "Walk" in refused("[wlak] <fridge> (306)").hint


def test_two_lamps_without_index_are_ambiguous_and_named() -> None:
    assert refused("switch on lamp").fact == "ambiguous(lamp_1, lamp_2)"
    assert parsed("switch on lamp 2").command.args == (EntityRef("lamp", 2),)


def test_forward_is_capped_at_20_metres_and_the_cap_is_a_repair() -> None:
    found = parsed("[Forward] 50m")
    assert found.command.args == (20.0,)
    assert found.how is How.REPAIRED


def test_commands_of_a_block_are_split_outside_brackets_only() -> None:
    block = "1. [Walk] <red_mug> (2), [Grab] <red_mug> (2)\n```\n[PutIn] <red_mug> (2) <drawer> (1), \n\n- [Wait] 2"
    assert split_commands(block) == ("[Walk] <red_mug> (2)", "[Grab] <red_mug> (2)", "[PutIn] <red_mug> (2) <drawer> (1)", "[Wait] 2")


@pytest.mark.parametrize(
    "form",
    [
        {"verb": "PutIn", "args": ["red_mug", "drawer"], "indices": [2, 1]},
        {"verb": "Walk", "args": ["fridge"], "indices": [306]},
        {"verb": "Forward", "args": [], "indices": [], "scalar_arg": "1.5m"},
        {"verb": "TurnRight", "args": [], "indices": [], "scalar_arg": "45"},
        {"verb": "Put", "args": ["milk", "table"], "indices": [1, 1], "place_spot": [0.25, 0.5]},
        {"verb": "LookAround", "args": [], "indices": []},
    ],
)
def test_the_structured_form_renders_to_text_and_back(form: dict[str, object]) -> None:
    found = from_structured(form, known=KNOWN)
    assert isinstance(found, Parsed), found
    assert to_structured(found.command) == form
    assert parsed(render_command(found.command)).command == found.command


@pytest.mark.parametrize("form", [{}, {"verb": 3}, {"verb": "Walk", "args": "fridge"}, {"verb": "Walk", "args": ["fridge"], "x": 1}])
def test_a_broken_structured_form_is_refused(form: dict[str, object]) -> None:
    assert isinstance(from_structured(form, known=KNOWN), Refusal)


@settings(max_examples=150)
@given(st.text(max_size=80))
def test_no_text_raises_or_gives_an_unknown_entity(text: str) -> None:
    found = parse_command(text, known=KNOWN)
    if isinstance(found, Parsed):
        assert all(e.key in KNOWN for e in found.command.entities() if found.command.verb not in ("attach", "place_inside"))
        assert parsed(found.text).command == found.command
    else:
        assert found.code
