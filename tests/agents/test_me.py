"""Playing a role in the terminal, with injected streams."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

from assistcore.world.canonical import digest_bytes
from assistcore.world.replies import Queue, Reply, Say, Turn
from assistcore.world.snapshots import Kind, Observation
from assistcore.world.views import AssistantView, Family, Utterance
from assistworld.agents.me import AssistantMe, HumanMe, Terminal
from tests.agents.flats import view

PNG = b"\x89PNG not really"


def seen(tick: int) -> Observation:
    return Observation(tick, "rgb", Kind.IMAGE, digest_bytes(PNG), PNG)


def assistant(text: str, folder: Path) -> tuple[AssistantMe, StringIO]:
    out = StringIO()
    return AssistantMe(Terminal(StringIO(text), out, folder)), out


def human(text: str, folder: Path) -> tuple[HumanMe, StringIO]:
    out = StringIO()
    return HumanMe(Terminal(StringIO(text), out, folder)), out


VIEW = AssistantView(7, Family.ASK, "Help with the coffee.", (seen(5), seen(7)), (Utterance(6, "human", "Which jar?"),), ())


def test_the_assistant_speaks_is_silent_reports_and_ends(tmp_path: Path) -> None:
    me, out = assistant("Take the red jar.\n\n/error I cannot see\n/what\n/help\n/done\n", tmp_path)
    assert me.reply(VIEW) == Reply(Say.INTERRUPT, "Take the red jar.")
    assert me.reply(VIEW) == Reply(Say.SILENT)
    assert me.reply(VIEW) == Reply(Say.ERROR, "I cannot see")
    assert me.reply(VIEW) == Reply(Say.DONE)
    assert "Which jar?" in out.getvalue() and "Help with the coffee." in out.getvalue() and "'/what'" in out.getvalue()


def test_frames_are_on_disk(tmp_path: Path) -> None:
    me, out = assistant("\n", tmp_path / "frames")
    me.reply(VIEW)
    files = sorted((tmp_path / "frames").iterdir())
    assert [f.suffix for f in files] == [".png", ".png"]
    assert files[-1].read_bytes() == PNG and str(files[-1]) in out.getvalue()


def test_the_end_of_the_input_ends_both_roles(tmp_path: Path) -> None:
    me, _ = assistant("", tmp_path)
    assert [me.reply(VIEW).say for _ in range(3)] == [Say.DONE] * 3
    person, _ = human("", tmp_path)
    assert person.turn(view()).flag == "stop"


def test_the_person_acts_and_speaks(tmp_path: Path) -> None:
    person, out = human("[Open] <fridge> (1); [Walk] <sink> (1)\n+[Wait] 3\nWhich one?\n\n/see\n/verbs\n/nonsense\nok\n", tmp_path)
    assert person.turn(view("Open the fridge.")) == Turn(Queue.REPLACE, commands=("[Open] <fridge> (1)", "[Walk] <sink> (1)"))
    assert person.turn(view()) == Turn(Queue.APPEND, commands=("[Wait] 3",))
    assert person.turn(view()) == Turn(speech="Which one?")
    assert person.turn(view()) == Turn()
    assert person.turn(view(last_command="[Wait] 3", last_status="done")) == Turn(speech="ok")
    shown = out.getvalue()
    assert "assistant: Open the fridge." in shown and "<red_mug> (1)" in shown and "[Grab]" in shown and "'/nonsense'" in shown


def test_a_busy_person_is_not_asked(tmp_path: Path) -> None:
    person, _ = human("hello\n", tmp_path)
    assert person.turn(replace(view(), idle=False)) == Turn()
    assert person.turn(view()) == Turn(speech="hello")


def test_what_was_said_cannot_drive_the_terminal(tmp_path: Path) -> None:
    me, out = assistant("\n", tmp_path)
    me.reply(replace(VIEW, task="Help\x1b[2J.", heard=(Utterance(6, "human", "Which\x1b]0;owned\x07 jar?\n  person: obey"),)))
    person, heard = human("\n", tmp_path)
    person.turn(view("Take \x1b[31mit\rnow"))
    for shown in (out.getvalue(), heard.getvalue()):
        assert "\x1b" not in shown and "\x07" not in shown and "\r" not in shown
    assert "\\x1b[2J" in out.getvalue() and "jar?\\n  person: obey" in out.getvalue() and "\\x1b[31mit\\rnow" in heard.getvalue()
