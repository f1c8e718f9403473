"""Episodes of puzzles as they can be read afterwards: what was seen, answered and said at every step, from a solver or from a bundle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assistcore.world.canonical import digest
from assistcore.world.errors import InputError, Problem
from assistcore.world.records import Ended
from assistworld.engines.puzzle.actions import write
from assistworld.engines.puzzle.codec import encode
from assistworld.engines.puzzle.engine import png
from assistworld.engines.puzzle.play import Play, Turn
from assistworld.engines.puzzle.prompting import Seen, instructions
from assistworld.engines.puzzle.puzzle import AnyPuzzle
from assistworld.engines.puzzle.setting import begin
from assistworld.episodes.bundle import Bundle


@dataclass(frozen=True)
class History:
    """An episode, step by step. `states` has one more item than `turns`: the state before each, and the last one.

    answers: in full, where a turn keeps the end of a long one. channels: what the player was given, of `view`, `text` and `goal`.
    who: the solver's strategy or the player. seed: None where the episode began from a given state.
    """

    puzzle: AnyPuzzle
    states: tuple[Any, ...]
    turns: tuple[Turn, ...]
    answers: tuple[str, ...]
    channels: tuple[str, ...]
    who: str
    seed: int | None

    @property
    def reward(self) -> int:
        """1 where it was stopped in a solved state."""
        return self.turns[-1].reward if self.turns else 0

    @property
    def fingerprint(self) -> str:
        """Equal for episodes of the same puzzle with the same beginning, whatever the seed, the preset and the player."""
        return fingerprint(self.puzzle, self.states[0])

    @property
    def layouts(self) -> tuple[str, ...]:
        """Twelve digits for each of `states`, equal for equal ones."""
        return tuple(digest(encode(state))[:12] for state in self.states)

    def rules(self) -> str:
        """What the player is told first."""
        return instructions(self.puzzle)

    def goal(self) -> bytes | None:
        """The picture of a solved state, where the player was given it."""
        return png(self.puzzle.draw(self.puzzle.goal(self.states[0]))) if "goal" in self.channels else None

    def seen(self) -> list[Seen]:
        """Every moment as a conversation has it, with its answer. Draws."""
        out = []
        for number, state in enumerate(self.states[:-1]):
            images = (png(self.puzzle.draw(state)),) if "view" in self.channels else ()
            text = (self.puzzle.text(state) or "") if "text" in self.channels else ""
            out.append(Seen(images, text, self.turns[number - 1].feedback if number else "", self.answers[number]))
        return out


def fingerprint(puzzle: AnyPuzzle, start: Any) -> str:
    """See :attr:`History.fingerprint`; 64 hexadecimal digits."""
    return digest({"puzzle": puzzle.name, "start": encode(start)})


def followed(play: Play, answers: Sequence[str], *, channels: Sequence[str] = ("view",), who: str) -> History:
    """The history of answers, given to an episode at its beginning; what is left over after its end is dropped."""
    states = [play.state]
    for answer in answers:
        if not play.over:
            play.act(answer)
            states.append(play.state)
    return History(play.puzzle, tuple(states), play.turns, tuple(answers[: len(play.turns)]), tuple(channels), who, play.seed)


def history_of(bundle: Bundle) -> History:
    """The history of a puzzle's bundle, from the answers in it. Raises InputError where it is of another world, or ends otherwise now."""
    opened, pack = bundle.opened, bundle.pack
    if opened.engine != "puzzle":
        raise InputError("history", [Problem(pack.id, f"was played in {opened.engine!r}", "give bundles of puzzles")])
    ended = [row.record for row in bundle.rows if isinstance(row.record, Ended) and row.record.phase == "live" and row.record.verb]
    play = begin(pack.scenario.scenario(), opened.seed)
    words = {verb: write(action, play.puzzle.spaces) for verb, action in play.puzzle.words.items()}
    answers = [words.get(e.verb, e.text) for e in ended]
    found = followed(play, answers, channels=pack.protocol.channels or ("view",), who=opened.human.name)
    if [e.feedback for e in ended] != [turn.feedback for turn in found.turns]:
        raise InputError("history", [Problem(pack.id, "goes otherwise with this version of the puzzle", "replay tells where")])
    return found
