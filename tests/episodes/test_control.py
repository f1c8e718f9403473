"""What agents write, read as data (cases.md, section I): one of parsed or refused, never a crash, never an empty action."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistcore.world.replies import Queue, Say
from assistworld.episodes.control import GLUED, LIMIT_CHARS, invalid, parse_control, parse_turn, split_commands


@pytest.mark.parametrize(
    ("text", "say", "said"),
    [
        ("$silent$", Say.SILENT, ""),
        ("  $SILENT$\n", Say.SILENT, ""),
        ("$interrupt$ Take the red one.", Say.INTERRUPT, "Take the red one."),
        ("$interrupt$Take\nthe red one.", Say.INTERRUPT, "Take\nthe red one."),
        ("$error$ That is the wrong jar.", Say.ERROR, "That is the wrong jar."),
        ("$done$", Say.DONE, ""),
        ("<done/>", Say.DONE, ""),
        ("< Done />", Say.DONE, ""),
        ('$interrupt$ he said "no" # and left', Say.INTERRUPT, 'he said "no" # and left'),
        ("$interrupt$ That costs $5.00 and $9.00.", Say.INTERRUPT, "That costs $5.00 and $9.00."),
    ],
)
def test_control_responses(text: str, say: Say, said: str) -> None:
    reply = parse_control(text)
    assert (reply.say, reply.text, invalid(reply.flag), reply.chunks) == (say, said, False, (text,))


@pytest.mark.parametrize(
    "text", ["Yes, go ahead. $done$", "$done$ Yes, go ahead.", "$interrupt$ Yes, go ahead. $done$", "Yes, go ahead. <done/>"]
)
def test_text_glued_to_done_is_kept(text: str) -> None:
    """cases.md I, tau2-bench#182: a reply glued to the stop token is thrown away there."""
    reply = parse_control(text)
    assert (reply.say, reply.text, reply.flag) == (Say.DONE, "Yes, go ahead.", GLUED)


@pytest.mark.parametrize(
    "text",
    ["", "   ", "done!!", "Take the red one.", "$interrupt$", "$interrupt$   ", "$silent$ $interrupt$ no",
     "I think: $interrupt$ go",
     "$done$ $done$",
     "###STOP###", "please stop the tap", "x" * 1_000_000, "$ interrupt", "\x00", "null", "[]", "{}"],
)  # fmt: skip
def test_unreadable_is_counted_and_never_said(text: str) -> None:
    reply = parse_control(text)
    assert invalid(reply.flag) and (reply.say, reply.text) == (Say.SILENT, "")
    assert len("".join(reply.chunks)) < 900, "a quote, not the whole"


def test_silence_is_silent_whatever_stands_beside_it() -> None:
    reply = parse_control("$silent$ (the user is doing fine)")
    assert (reply.say, reply.text, reply.flag) == (Say.SILENT, "", "text_beside_silence")


@pytest.mark.parametrize(
    ("text", "mode", "commands", "speech"),
    [
        (
            "<reasoning>r</reasoning><action>[Grab] <red_mug> (2)</action><speak>Okay.</speak>",
            Queue.REPLACE,
            ("[Grab] <red_mug> (2)",),
            "Okay.",
        ),
        ("<action>\n[Walk] <a> (1)\n[Grab] <a> (1)\n</action>", Queue.REPLACE, ("[Walk] <a> (1)", "[Grab] <a> (1)"), ""),
        ("<action>[Walk] <a> (1), [Grab] <a> (1),</action>", Queue.REPLACE, ("[Walk] <a> (1)", "[Grab] <a> (1)"), ""),
        ("<action>```\n- [Walk] <a> (1)\n```</action>", Queue.REPLACE, ("[Walk] <a> (1)",), ""),
        ("<action>+[Close] <a> (1)</action>", Queue.APPEND, ("[Close] <a> (1)",), ""),
        ("<action>none</action><speak>Which one?</speak>", Queue.KEEP, (), "Which one?"),
        ("<action></action><speak></speak>", Queue.KEEP, (), ""),
        ('<speak>he said "no"\n## plan</speak>', Queue.KEEP, (), 'he said "no" ## plan'),
        ("Sure!\n<action>[walk] <fridge> (306)</action>", Queue.REPLACE, ("[walk] <fridge> (306)",), ""),
    ],
)
def test_turns(text: str, mode: Queue, commands: tuple[str, ...], speech: str) -> None:
    turn = parse_turn(text)
    assert (turn.queue, turn.commands, turn.speech, turn.flag) == (mode, commands, speech, "")
    assert turn.raw == text


@pytest.mark.parametrize(
    "text",
    ["", "+", "   ", "[Grab] <red_mug> (2)", "<action>[Grab] <a> (1)", "<action>a</action><action>b</action>", '{"obj":"cup",}', "null",
     "3",
     "<speak>" + "x" * LIMIT_CHARS + "</speak>"],
)  # fmt: skip
def test_unreadable_turns_run_nothing(text: str) -> None:
    turn = parse_turn(text)
    assert invalid(turn.flag) and (turn.commands, turn.speech, turn.queue) == ((), "", Queue.KEEP)


@pytest.mark.parametrize(
    ("text", "speech", "flag"),
    [
        ("<speak>Yes, go ahead. ###STOP###</speak>", "Yes, go ahead.", "stop"),
        ("<speak>###STOP###</speak>", "", "stop"),
        ("<speak>###stop###</speak>", "", "stop"),
        ("<speak>please stop the tap</speak>", "please stop the tap", ""),
    ],
)
def test_stop_tokens_of_the_person(text: str, speech: str, flag: str) -> None:
    assert (parse_turn(text).speech, parse_turn(text).flag) == (speech, flag)


@given(st.text(max_size=300))
def test_nothing_that_is_written_raises(text: str) -> None:
    assert invalid(parse_control(text).flag) or parse_control(text).say in Say
    json.dumps([parse_turn(text).commands, parse_turn(f"<action>{text}</action>").commands])


def test_commands_are_split_at_lines_and_between_brackets_only() -> None:
    assert split_commands("[Walk] <a, b> (1), [Put] <a> (1) <b> (2) @place_spot=0.5:0.2\n\n [Wait] 3") == (
        "[Walk] <a, b> (1)",
        "[Put] <a> (1) <b> (2) @place_spot=0.5:0.2",
        "[Wait] 3",
    )
