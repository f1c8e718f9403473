"""The puzzles behind the `Engine` protocol, so that packs are played in them. One command is one answer: it takes one tick and one step."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from assistcore.world.canonical import Value, canonical_json, digest, digest_bytes
from assistcore.world.commands import Command, How, Parsed
from assistcore.world.engine import Abilities, Role, Scenario, Step, VerbInfo
from assistcore.world.errors import InfrastructureError, InputError, Problem, VersionError
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Outcome, Refusal, Status
from assistcore.world.snapshots import Kind, Observation, Snapshot
from assistcore.world.sources import code_version
from assistcore.world.views import Offered
from assistworld.engines.puzzle.actions import Action, Malformed, read, write
from assistworld.engines.puzzle.codec import decode, encode
from assistworld.engines.puzzle.play import Play, Turn
from assistworld.engines.puzzle.prompting import instructions
from assistworld.engines.puzzle.puzzle import AnyPuzzle, Picture
from assistworld.engines.puzzle.setting import begin
from assistworld.engines.puzzle.vocabulary import FAULTS, NOT_ALLOWED, OVER, SUBJECT, UNREADABLE, VOCABULARY, WORDS

FORMAT = 1
_SPOKEN = re.compile(r"^\s*\[(\w+)\]\s*$")
_UNLIT = 118
"""Grey of what a lamp does not reach; no wall and no floor has it."""


class PuzzleEngine:
    """State: the episode of the puzzle with all its turns, the tick, and the answer that is about to be taken."""

    name = "puzzle"
    vocabulary = VOCABULARY
    abilities = Abilities("exact", "bitwise")
    tick_seconds = Fraction(1)

    def __init__(self) -> None:
        self._play: Play | None = None
        self._tick = 0
        self._running: Command | None = None
        self._stopping = False
        self._goals: dict[str, Picture] = {}

    @property
    def version(self) -> str:
        """The code of the puzzles."""
        return code_version("assistworld/engines/puzzle")

    @property
    def play(self) -> Play:
        """The episode of the puzzle. Raises InfrastructureError before the first reset."""
        if self._play is None:
            raise InfrastructureError("puzzle", "nothing was reset yet")
        return self._play

    def summary(self) -> Mapping[str, Any]:
        """See `Described`: no rooms; the rules as the player is told them."""
        puzzle = self.play.puzzle
        return {"puzzle": puzzle.name, "config": encode(puzzle.config), "rules": instructions(puzzle), "verbs": sorted(puzzle.words)}

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        """See `Engine`. Raises InputError: see :func:`~assistworld.engines.puzzle.setting.begin`."""
        self._play = begin(scenario, seed)
        self._tick, self._running, self._stopping, self._goals = 0, None, False, {}
        return self._snapshot()

    def offer(self, role: Role) -> tuple[Offered, ...]:
        """Nothing is named in a puzzle."""
        return ()

    def parse(self, text: str) -> Parsed | Refusal:
        """An action as text, or a word such as `[MoveRight]` that this puzzle has. Text without an action is an answer too, and takes a
        step: nothing is refused here."""
        puzzle = self.play.puzzle
        if (spoken := _SPOKEN.match(text)) and (verb := self._word(spoken[1])) is not None:
            return Parsed(Command(verb.name), How.STRICT, f"[{verb.surface[0]}]")
        asked = read(text, puzzle.spaces)
        if isinstance(asked, Malformed):
            return Parsed(Command(UNREADABLE, (text,)), How.REPAIRED, text)
        written = write(asked, puzzle.spaces)
        return Parsed(_command(asked, puzzle), How.STRICT if written == text.strip() else How.REPAIRED, written)

    def _word(self, surface: str) -> VerbInfo | None:
        """The word of this puzzle that is spoken so."""
        words = self.play.puzzle.words
        return next((verb for verb in WORDS if verb.name in words and verb.surface[0].lower() == surface.lower()), None)

    def can(self, command: Command) -> Refusal | None:
        """What would come of it. See `begin`, which takes answers that fail as well: they cost a step."""
        if refusal := self._over():
            return refusal
        turn = Play(self.play.puzzle, state=self.play.state).act(self._text(command))
        return _status(turn, command)[2]

    def begin(self, command: Command) -> Refusal | None:
        """See `Engine`. Refused only after the end."""
        if self._running is not None:
            return Refusal(Code.BUSY, "an answer is being taken")
        if refusal := self._over():
            return refusal
        self._running = command
        return None

    def _over(self) -> Refusal | None:
        return Refusal(OVER, f"the puzzle ended at step {self.play.step}") if self.play.over else None

    def stop(self) -> None:
        """See `Engine`: an answer that was not taken yet is dropped."""
        self._stopping = self._running is not None

    def idle(self) -> bool:
        """See `Engine`."""
        return self._running is None

    def tick(self) -> Step:
        """See `Engine`. Waiting takes no step of the puzzle."""
        before = self.graph()
        self._tick += 1
        command, stopping = self._running, self._stopping
        self._running, self._stopping = None, False
        if command is None:
            return Step((), None, self._snapshot(), finished=self.play.over)
        if stopping:
            return Step((), Outcome(Status.STOPPED, command, None, self._tick - 1, self._tick), self._snapshot())
        turn = self.play.act(self._text(command))
        changes = before.difference(self.graph(), tick=self._tick, cause=turn.action or UNREADABLE)
        outcome = Outcome(*_status(turn, command), self._tick - 1, self._tick)
        return Step(changes, outcome, self._snapshot(), feedback=turn.feedback, finished=self.play.over)

    def graph(self) -> SceneGraph:
        """See `Engine`. Steps are left out: two equal graphs are two equal positions."""
        play = self.play
        stopped = bool(play.turns) and play.turns[-1].kind == "stopped"
        layout = digest(encode(play.state))[:12]
        facts: dict[str, Value] = {"layout": layout, "solved": bool(play.puzzle.solved(play.state)), "stopped": stopped}
        return SceneGraph({(SUBJECT, kind): value for kind, value in facts.items()})

    def digest(self) -> str:
        """See `Engine`."""
        return digest_bytes(self.save())

    def save(self) -> bytes:
        """See `Engine`."""
        running = None if self._running is None else [self._running.verb, list(self._running.args)]
        state = {"format": FORMAT, "tick": self._tick, "running": running, "stopping": self._stopping, "play": self.play.save()}
        return canonical_json(state).encode("ascii")

    def restore(self, state: bytes) -> None:
        """See `Engine`."""
        data = json.loads(state)
        if data.get("format") != FORMAT:
            raise VersionError("puzzle state", str(data.get("format")), str(FORMAT))
        self._play = Play.restore(data["play"])
        self._tick, self._stopping = data["tick"], data["stopping"]
        self._running = None if data["running"] is None else Command(data["running"][0], tuple(data["running"][1]))

    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        """See `Engine`. Raises InputError for a channel that this puzzle does not have."""
        puzzle = self.play.puzzle
        states = [decode(puzzle.state_type, json.loads(s.looks[SUBJECT]), f"snapshot {s.tick}") for s in snapshots]
        if channel == "text":
            drawn = [(Kind.TEXT, self._written(state).encode("utf-8")) for state in states]
        else:
            drawn = [(Kind.IMAGE, png(self._picture(state, channel))) for state in states]
        return tuple(Observation(s.tick, channel, kind, digest_bytes(data), data) for s, (kind, data) in zip(snapshots, drawn, strict=True))

    def close(self) -> None:
        """Nothing is held."""

    def _written(self, state: Any) -> str:
        text = self.play.puzzle.text(state)
        if text is None:
            raise self._without("text", "cannot be written")
        return text

    def _picture(self, state: Any, channel: str) -> Picture:
        puzzle = self.play.puzzle
        if channel == "goal":
            if "goal" not in self._goals:
                self._goals["goal"] = puzzle.draw(puzzle.goal(self.play.start))
            return self._goals["goal"]
        picture = puzzle.draw(state)
        if channel == "lamp":
            focus = puzzle.focus(state)
            if focus is None:
                raise self._without("lamp", "has no player whom one could light")
            rows, columns = np.ogrid[: picture.shape[0], : picture.shape[1]]
            row, column, radius = focus
            picture[(rows - row) ** 2 + (columns - column) ** 2 > radius**2] = _UNLIT
        return picture

    def _without(self, channel: str, why: str) -> InputError:
        name = self.play.puzzle.name
        return InputError(f"puzzle {name}", [Problem(f"channel {channel}", f"{name} {why}", "choose another channel")])

    def _text(self, command: Command) -> str:
        """A command as the answer that it stands for."""
        play = self.play
        if command.verb == UNREADABLE:
            return str(command.args[0])
        action = play.puzzle.words.get(command.verb)
        return write(action, play.puzzle.spaces) if action is not None else f"({command.verb!r}, {command.args[0]})"

    def _snapshot(self) -> Snapshot:
        return Snapshot(self._tick, looks={SUBJECT: canonical_json(encode(self.play.state))})


def _command(action: Action, puzzle: AnyPuzzle) -> Command:
    return Command(action.name, (puzzle.spaces[action.name].write(action.payload),))


def _status(turn: Turn, command: Command) -> tuple[Status, Command, Refusal | None]:
    if turn.kind in ("done", "stopped"):
        return Status.DONE, command, None
    code = NOT_ALLOWED if turn.kind == "refused" else FAULTS[turn.fault]
    return Status.FAILED, command, Refusal(code, turn.message)


def png(picture: Picture) -> bytes:
    """A picture as PNG."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(picture).save(out, "PNG", compress_level=6)
    return out.getvalue()
