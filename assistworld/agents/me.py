"""Play a role in the terminal: what the role is shown is printed, frames are written to a folder, a line is read back.

The streams are injectable. The end of the input ends the role cleanly: an assistant declares done, a person stops.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from assistcore.world.replies import Queue, Reply, Say, Turn
from assistcore.world.snapshots import Observation
from assistcore.world.text import printable
from assistcore.world.views import AssistantView, HumanView, Offered, Utterance
from assistworld.agents.grounding.speech import alternatives, plain

FRAMES = Path("runs") / "me"
ASSISTANT_HELP = (
    "Say something to the person, or press Enter to stay silent. `/done` ends the episode, `/error TEXT` reports an error,\n"
    "`/help` repeats this."
)
HUMAN_HELP = (
    "Lines that start with `[`, or in a puzzle with `(`, are commands, several separated by `;` (they replace what is queued; with `+` in\n"
    "front they are added).\n"
    "Anything else is said aloud. Enter waits, `/see` lists what you can name, `/verbs` the commands, `/help` repeats this."
)


class Terminal:
    """Prints, reads lines, and keeps frames on disk by tick and channel."""

    def __init__(self, source: TextIO | None = None, sink: TextIO | None = None, frames: Path | str | None = None) -> None:
        self._source, self._sink = source, sink
        self._folder = Path(frames) if frames is not None else FRAMES
        self.ended = False

    def say(self, text: str) -> None:
        """Print lines at once; what a terminal would obey is shown as escapes."""
        print("\n".join(printable(line) for line in text.split("\n")), file=self._sink or sys.stdout, flush=True)

    def read(self, prompt: str) -> str | None:
        """The next line without its end; None at the end of the input."""
        if self.ended:
            return None
        print(prompt, end="", file=self._sink or sys.stdout, flush=True)
        line = (self._source or sys.stdin).readline()
        if not line:
            self.ended = True
            self.say("")
            return None
        return line.strip()

    def frames(self, role: str, observations: Sequence[Observation]) -> None:
        """Write observations as files and say where the last one is."""
        written: Path | None = None
        for number, seen in enumerate(observations):
            if not seen.data:
                continue
            self._folder.mkdir(parents=True, exist_ok=True)
            written = self._folder / f"{role}-{seen.tick:06d}-{number:02d}-{plain(seen.channel).replace(' ', '-')}{seen.suffix}"
            written.write_bytes(seen.data)
        if written is not None:
            self.say(f"  [{len(observations)} new frames, the last: {written}]")

    def heard(self, speaker: str, heard: Iterable[Utterance]) -> None:
        """Print what was said to this role."""
        for utterance in heard:
            self.say(f"  {speaker}: {printable(utterance.text)}")


class AssistantMe:
    """The assistant's role in the terminal."""

    name = "me"
    privileged = False

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._greeted = False

    def reply(self, view: AssistantView) -> Reply:
        """One line: speech, silence, an error report or done."""
        terminal = self._terminal
        if not self._greeted:
            self._greeted = True
            terminal.say(f"You are the assistant. {view.task}".rstrip())
            terminal.say(ASSISTANT_HELP)
        terminal.frames("assistant", view.observations)
        terminal.heard("person", view.heard)
        while True:
            line = terminal.read("you> ")
            if line is None or line in {"/done", "$done$"}:
                return Reply(Say.DONE)
            if line == "/help":
                terminal.say(ASSISTANT_HELP)
            elif line.startswith("/error"):
                return Reply(Say.ERROR, line.removeprefix("/error").strip() or "error")
            elif line.startswith("/"):
                terminal.say(f"  no such command {line.split()[0]!r}; {ASSISTANT_HELP}")
            else:
                return Reply(Say.INTERRUPT, line) if line else Reply(Say.SILENT)


class HumanMe:
    """The person's role in the terminal."""

    name = "me"
    privileged = False

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._greeted = False

    def turn(self, view: HumanView) -> Turn:
        """One line: commands, speech, or waiting. While commands run the person is only asked when something was said."""
        terminal = self._terminal
        if not self._greeted:
            self._greeted = True
            terminal.say(f"You are the person. {view.task}".rstrip())
            terminal.say(HUMAN_HELP)
        terminal.frames("person", view.observations)
        terminal.heard("assistant", view.heard)
        if view.last_status and view.idle:
            terminal.say(printable(f"  {view.last_command}: {view.last_status} {view.last_fact}").rstrip())
        if not view.idle and not view.heard:
            return Turn()
        while True:
            line = terminal.read("you> ")
            if line is None:
                return Turn(flag="stop")
            answer = self._line(line, view)
            if answer is not None:
                return answer

    def _line(self, line: str, view: HumanView) -> Turn | None:
        match line:
            case "/help":
                self._terminal.say(HUMAN_HELP)
            case "/see":
                self._terminal.say("\n".join(_seen(o) for o in view.offers if o.visible or o.held) or "  nothing")
                self._terminal.say("  known: " + ", ".join(o.handle for o in view.offers if not o.visible))
            case "/verbs":
                self._terminal.say("\n".join(f"  {entry.example}  {entry.meaning}" for entry in view.legend))
            case _ if line.startswith("/"):
                self._terminal.say(f"  no such command {line.split()[0]!r}; {HUMAN_HELP}")
            case _ if line.lstrip("+ ").startswith(("[", "(")):
                commands = tuple(c.strip() for c in line.lstrip("+ ").split(";") if c.strip())
                return Turn(Queue.APPEND if line.startswith("+") else Queue.REPLACE, commands=commands)
            case _:
                return Turn(speech=line)
        return None


def _seen(offer: Offered) -> str:
    """An offer on a line: handle, description, state, what can be done with it."""
    state = f" ({alternatives(offer.state, 'and')})" if offer.state else ""
    return f"  {offer.handle}  {offer.description}{state}{' in your hand' if offer.held else ''}"
