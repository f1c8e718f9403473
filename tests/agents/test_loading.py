"""Agents by name, the controls, and the scripted assistants."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from assistcore.world.registry import UnknownName
from assistcore.world.replies import Queue, Reply, Say, Turn
from assistcore.world.views import AssistantView, Family, Utterance
from assistworld.agents import ASSISTANTS, HUMANS, load_assistant, load_human
from assistworld.agents.humans.scripted import ScriptedHuman
from assistworld.agents.script import SILENT_POLLS, Script
from taskpacks.schema import Line
from tests.agents.flats import view


def poll(*said: str, tick: int = 0) -> AssistantView:
    """A poll at which the person's words are heard."""
    heard = tuple(Utterance(tick, "human", s) for s in said)
    return AssistantView(tick, Family.ASK, "", (), heard, heard)


def lines(*said: str) -> list[Line]:
    return [Line(say=s) for s in said]


def test_names_and_descriptions() -> None:
    assert set(ASSISTANTS.names()) >= {"oracle", "silent", "wrong", "early", "me"}
    assert set(HUMANS.names()) >= {"rule", "nothing", "scripted", "me"}
    for entry in (*ASSISTANTS.entries(), *HUMANS.entries()):
        assert len(entry.description) > 20, entry


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="rule"):
        load_human("rules")


@pytest.mark.parametrize("name", ["rule", "nothing", "scripted", "me"])
def test_humans_say_who_they_are(name: str) -> None:
    human = load_human(name)
    assert human.name == name
    assert human.privileged is (name == "scripted")


@pytest.mark.parametrize("name", ["oracle", "wrong", "early"])
def test_scripted_assistants_need_a_pack_and_are_privileged(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        load_assistant(name)
    proof = SimpleNamespace(oracle=lines("one"), wrong=lines("two"), early=lines("three"))
    pack: Any = SimpleNamespace(proof=proof)
    assistant = load_assistant(name, pack)
    assert assistant.privileged
    assert assistant.reply(poll("Please help.")).text == {"oracle": "one", "wrong": "two", "early": "three"}[name]


def test_the_do_nothing_person_does_nothing() -> None:
    human = load_human("nothing")
    assert human.turn(view("Take the red mug.")) == Turn()


def test_the_silent_assistant_is_silent() -> None:
    assistant = load_assistant("silent")
    assert not assistant.privileged
    assert {assistant.reply(poll("Hello?", tick=t)) for t in range(20)} == {Reply(Say.SILENT)}


def test_a_script_speaks_on_each_report_and_then_declares() -> None:
    script = Script("oracle", lines("Take the red mug.", "Put it on the table."))
    assert script.reply(poll("I need help.")).text == "Take the red mug."
    assert script.reply(poll()).say is Say.SILENT
    assert script.reply(poll("Done.")).text == "Put it on the table."
    assert script.reply(poll()).say is Say.SILENT
    assert script.reply(poll("Done.")).say is Say.DONE


def test_a_script_goes_on_when_nobody_speaks() -> None:
    script = Script("oracle", lines("Take the red mug.", "Put it on the table."))
    script.reply(poll())
    replies = [script.reply(poll()) for _ in range(SILENT_POLLS)]
    assert [r.text for r in replies if r.text] == ["Put it on the table."]


def test_a_line_for_the_next_poll_waits_for_nobody() -> None:
    script = Script("wrong", [Line(say="Take the red mug."), Line(say="Quick!", after="poll")])
    script.reply(poll())
    assert script.reply(poll()).text == "Quick!"


def test_a_scripted_person_performs_its_list() -> None:
    human = ScriptedHuman(["[Open] <fridge> (1)", "[Close] <fridge> (1)"])
    assert human.turn(view()) == Turn(Queue.APPEND, commands=("[Open] <fridge> (1)",))
    assert human.turn(view(idle=False)) == Turn()
    assert human.turn(view()).commands == ("[Close] <fridge> (1)",)
    assert human.turn(view()) == Turn()
