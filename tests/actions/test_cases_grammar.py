"""Command texts that users of other tools lost (cases.md I and C): each is parsed or refused with its place, never an empty action."""

from __future__ import annotations

from typing import Any

import pytest

from actions.grammar import from_structured, parse_command, split_commands
from assistcore.world.commands import Command, How, Parsed
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import CORE_CODES, Code, Refusal

KNOWN = ("fridge_306", "fridge_307", "lamp_1", "lamp_2", "cup_1", "table_1")
WALK = Command("navigate_to", (EntityRef("fridge", 306),))


@pytest.mark.parametrize(
    "text",
    [
        'say("a\nb")',
        'say("## plan")',
        'say("he said \\"no\\"")',
        'say("""triple""")',
        "say('''triple # quoted''')",
        "I will walk [60].",
        "done!!",
        "Nothing happens.",
        "[Walk] <fridge> (306) <fridge> (307)",
        "[wlak] <fridge> (306)",
        "[] <fridge> (306)",
        "[Walk",
    ],
)
def test_what_is_no_command_is_refused_with_what_was_read(text: str) -> None:
    """BrowserGym#334, browser-use#4510, webarena#8."""
    found = parse_command(text, known=KNOWN)
    assert isinstance(found, Refusal), found
    assert found.code in CORE_CODES and found.fact and found.hint, "says what is wrong and how to write it"


@pytest.mark.parametrize(
    "text",
    [
        "[Walk] <fridge> (306)",
        "[walk] <fridge> (306)",
        "walk fridge_306",
        "```\nwalk fridge_306\n```",
        "```python\n[Walk] <fridge> (306)\n```",
        "［Walk］ ＜fridge＞ （306）",
        "[Walk] <fridge> (306),",
        "  [WALK]   < fridge >  ( 306 )  ",
        "## [Walk] <fridge> (306)",
    ],
)
def test_what_is_a_command_is_that_command_however_it_is_wrapped(text: str) -> None:
    """BrowserGym#334: the same command strictly or repaired; a repair is recorded as one."""
    found = parse_command(text, known=KNOWN)
    assert isinstance(found, Parsed) and found.command == WALK, found
    assert found.how is How.STRICT or text != found.text


def test_two_fences_are_two_commands_not_one_and_none_is_lost() -> None:
    """BrowserGym#334: two fenced blocks."""
    text = "```\n[Walk] <fridge> (306)\n```\n```\n[Wait] 2\n```"
    assert split_commands(text) == ("[Walk] <fridge> (306)", "[Wait] 2")
    assert isinstance(parse_command(text, known=KNOWN), Refusal)


@pytest.mark.parametrize(
    "form",
    [
        None, [], "walk", 3, float("nan"), {}, {"verb": None}, {"verb": ["Walk"]}, {"verb": "Walk"}, {"verb": "Walk", "args": {}},
        {"verb": "Walk", "args": '["fridge"]', "indices": [306]}, {"verb": "Walk", "args": ["fridge"], "indices": ["306"]},
        {"verb": "Walk", "args": ["fridge"], "indices": [306, 1]}, {"verb": "Walk", "args": ["fridge"], "indices": [True]},
        {"verb": "Forward", "args": [], "indices": [], "scalar_arg": float("nan")},
        {"verb": "Forward", "args": [], "indices": [], "scalar_arg": "nan"},
        {"verb": "Walk", "args": ["fridge" * 40_000], "indices": [306]},
        {"verb": "Put", "args": ["cup", "table"], "indices": [1, 1], "place_spot": [float("nan"), 0.5]},
        {"verb": "Put", "args": ["cup", "table"], "indices": [1, 1], "place_spot": "0:0"},
        {"obj": "cup"}, {"verb": "Walk", "args": ["fridge"], "indices": 306}, {"verb": "Walk", 3: 4, "args": []}, {"args": "x" * 200_000},
    ],
)  # fmt: skip
def test_malformed_tool_arguments_are_refused_and_never_run(form: Any) -> None:
    """GenericAgent PR#746, hermes-agent PR#1796: not a crash, not `{}`, not a default."""
    found = from_structured(form, known=KNOWN)
    assert isinstance(found, Refusal), found
    assert found.code in CORE_CODES and 0 < len(found.fact) <= 800


def test_eight_different_refusals_have_eight_different_facts_and_waiting_is_legal() -> None:
    """EmbodiedBench PR#14: `Nothing happens` as the only feedback."""
    texts = [
        "",
        "[wlak] <cup>",
        "[Walk]",
        "[Walk] <cop> (1)",
        "[Walk] <cup> (7)",
        "turn on lamp",
        "[TurnLeft] 400",
        "[Put] <cup> <table> @x",
    ]
    refusals = [parse_command(t, known=KNOWN) for t in texts]
    assert all(isinstance(r, Refusal) for r in refusals)
    assert len({r.fact for r in refusals if isinstance(r, Refusal)}) == 8
    codes = {Code.PARSE_ERROR, Code.UNKNOWN_VERB, Code.UNKNOWN_ENTITY, Code.AMBIGUOUS, Code.BAD_ARGUMENT}
    assert {r.code for r in refusals if isinstance(r, Refusal)} == codes
    assert isinstance(parse_command("[Wait]", known=KNOWN), Parsed)


@pytest.mark.parametrize("unit", ["m", "M", " m"])
def test_a_known_unit_word_is_read_in_any_case(unit: str) -> None:
    found = parse_command(f"[Forward] 1.5{unit}", known=KNOWN)
    assert isinstance(found, Parsed) and found.command.args == (1.5,)


@pytest.mark.parametrize("unit", ["foot", "ft", "cm", "Millimeters ", "mm", "inch", "yards", "µm"])
def test_an_unknown_unit_word_is_refused_with_the_known_ones_and_never_guessed(unit: str) -> None:
    """cases.md C, trimesh#525 and MPlib#51: `foot`, `cm`, `Millimeters `."""
    found = parse_command(f"[Forward] 2{unit}", known=KNOWN)
    assert isinstance(found, Refusal), found
    assert found.code in (Code.BAD_ARGUMENT, Code.PARSE_ERROR)
    assert unit.strip().lower() in (found.fact + found.hint).lower()


def test_two_lamps_each_obeys_its_own_index() -> None:
    """cases.md H, embodied-agent-interface#9: a plan without ids hits the same one twice."""
    bare = parse_command("switch on lamp", known=KNOWN)
    assert isinstance(bare, Refusal) and bare.fact == "ambiguous(lamp_1, lamp_2)"
    for index in (1, 2):
        found = parse_command(f"[TurnOn] <lamp> ({index})", known=KNOWN)
        assert isinstance(found, Parsed) and found.command.args == (EntityRef("lamp", index),)
