"""One episode of a puzzle: steps, feedback, stop, truncation, reward, saving. It draws nothing until it is asked to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assistcore.world.errors import AssistWorldError, InputError, Problem, VersionError
from assistworld.engines.puzzle.actions import Action, Malformed, read, write
from assistworld.engines.puzzle.codec import decode, encode
from assistworld.engines.puzzle.puzzle import AnyPuzzle, Picture, Streams
from assistworld.engines.puzzle.registry import make_saved
from assistworld.engines.puzzle.spaces import shown

FORMAT = 1


@dataclass(frozen=True)
class Turn:
    """One answer and what came of it.

    `kind`: done; refused by the puzzle; malformed, with `fault` telling how; stopped. `action` is the action as written, None where the
    answer held none. `reward` is 1 only for a stop in a solved state. `truncated`: the limit was reached without a stop.
    """

    step: int
    steps_left: int
    given: str
    action: str | None
    kind: Literal["done", "refused", "malformed", "stopped"]
    fault: str
    message: str
    reward: int
    terminated: bool
    truncated: bool

    @property
    def feedback(self) -> str:
        """What the player is told: what the action did, and the steps that remain."""
        if self.terminated:
            return self.message
        steps = f"Step {self.step} of {self.step + self.steps_left}; {self.steps_left} left."
        return f"{self.message} {steps}" + (" The episode ends without a stop." if self.truncated else "")


class Play:
    """An episode. Every answer costs one step, whatever it is; the episode ends with `stop` or at the limit of the puzzle."""

    def __init__(self, puzzle: AnyPuzzle, *, seed: int | None = None, state: Any = None) -> None:
        """Begin from a seed, or from a state of the puzzle. Raises AssistWorldError where neither or both are given.

        Raises InputError for a seed that is no whole number.
        """
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer)):
            raise InputError(f"an episode of {puzzle.name}", [Problem("seed", f"is {seed!r:.80}", "a whole number")])
        if (seed is None) == (state is None):
            raise AssistWorldError("an episode begins from a seed or from a state; give one of them")
        self.puzzle, self.seed = puzzle, None if seed is None else int(seed)
        self.state: Any = puzzle.new(Streams(self.seed, puzzle.name)) if self.seed is not None else state
        self.start: Any = self.state
        self.turns: tuple[Turn, ...] = ()

    @property
    def step(self) -> int:
        """Answers so far."""
        return len(self.turns)

    @property
    def steps_left(self) -> int:
        """Answers that remain."""
        return int(self.puzzle.config.max_steps) - self.step

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return bool(self.turns) and (self.turns[-1].terminated or self.turns[-1].truncated)

    @property
    def reward(self) -> int:
        """1 after a stop in a solved state, else 0."""
        return self.turns[-1].reward if self.turns else 0

    def picture(self) -> Picture:
        """A new picture of the state now."""
        return self.puzzle.draw(self.state)

    def act(self, given: object) -> Turn:
        """Take one answer: text, an Action, or a pair of name and payload. Never raises for what it says.

        Raises AssistWorldError where the episode is over.
        """
        if self.over:
            raise AssistWorldError(f"this episode of {self.puzzle.name} ended at step {self.step}; begin another one")
        asked = read(given, self.puzzle.spaces)
        turn = self._turn(_kept(given), asked)
        self.turns = (*self.turns, turn)
        return turn

    def _turn(self, given: str, asked: Action | Malformed) -> Turn:
        step, left = self.step + 1, self.steps_left - 1
        if isinstance(asked, Malformed):
            return Turn(step, left, given, None, "malformed", asked.kind, _sentence(asked.message), 0, False, left == 0)
        written = write(asked, self.puzzle.spaces)
        if asked.name == "stop":
            solved = bool(self.puzzle.solved(self.state))
            message = "Stopped: the puzzle is solved." if solved else "Stopped: the puzzle is not solved."
            return Turn(step, left, given, written, "stopped", "", message, int(solved), True, False)
        effect = self.puzzle.apply(self.state, asked)
        if effect.done:
            self.state = effect.state
        return Turn(step, left, given, written, "done" if effect.done else "refused", "", _sentence(effect.message), 0, False, left == 0)

    def save(self) -> dict[str, Any]:
        """The episode as JSON: exactly the state, the configuration, and what has happened."""
        return {
            "format": FORMAT,
            "puzzle": self.puzzle.name,
            "config": encode(self.puzzle.config),
            "seed": self.seed,
            "start": encode(self.start),
            "state": encode(self.state),
            "turns": [encode(turn) for turn in self.turns],
        }

    @classmethod
    def restore(cls, data: Mapping[str, Any], where: str = "saved episode") -> Play:
        """The episode that was saved, in any process.

        Raises:
            VersionError: written by another format.
            UnknownName: a puzzle that is not registered here.
            InputError: a field that is missing, of a wrong type, or a state that the puzzle cannot be in.
        """
        if missing := [key for key in ("format", "puzzle", "config", "state") if key not in data]:
            raise InputError(where, [Problem(f"{where}#/{key}", "is missing") for key in missing])
        if data["format"] != FORMAT:
            raise VersionError(where, str(data["format"]), str(FORMAT))
        puzzle = make_saved(str(data["puzzle"]), data["config"], f"{where}#/config")
        play = cls(puzzle, state=state_of(puzzle, data["state"], f"{where}#/state"))
        play.start = state_of(puzzle, data.get("start", data["state"]), f"{where}#/start")
        play.seed, play.turns = _seed_of(data.get("seed"), f"{where}#/seed"), _turns_of(data.get("turns", []), puzzle, f"{where}#/turns")
        return play


def state_of(puzzle: AnyPuzzle, data: object, where: str) -> Any:
    """A state as it was encoded, checked by the puzzle. Raises InputError."""
    state = decode(puzzle.state_type, data, where)
    if faults := puzzle.faults(state):
        raise InputError(f"not a state of {puzzle.name}", [Problem(where, fault) for fault in faults])
    return state


def _seed_of(data: object, where: str) -> int | None:
    if data is not None and type(data) is not int:
        raise InputError("not a saved episode", [Problem(where, f"is {data!r:.80}", "a whole number or null")])
    return data


def _turns_of(data: object, puzzle: AnyPuzzle, where: str) -> tuple[Turn, ...]:
    """The answers of a saved episode, whose steps must count up from 1 to where the limit of the puzzle allows."""
    if not isinstance(data, list):
        raise InputError("not a saved episode", [Problem(where, f"is {data!r:.80}", "expected a list")])
    turns = tuple(decode(Turn, turn, f"{where}/{n}") for n, turn in enumerate(data))
    most = int(puzzle.config.max_steps)
    if len(turns) > most:
        raise InputError("not a saved episode", [Problem(where, f"has {len(turns)} answers", f"at most {most}, the limit of the puzzle")])
    wrong = [Problem(f"{where}/{n}", *_misplaced(turn, n + 1, most)) for n, turn in enumerate(turns) if _misplaced(turn, n + 1, most)]
    over = [n for n, turn in enumerate(turns[:-1]) if turn.terminated or turn.truncated]
    wrong += [Problem(f"{where}/{n}", "ends the episode and is not the last") for n in over]
    if wrong:
        raise InputError("not a saved episode", wrong)
    return turns


def _misplaced(turn: Turn, step: int, most: int) -> tuple[str, ...]:
    """What of an answer cannot be where it is, and what is expected there; empty where it can."""
    stopped, left = turn.kind == "stopped", most - step
    wanted = {"step": step, "steps_left": left, "terminated": stopped, "truncated": left == 0 and not stopped}
    for name, value in wanted.items():
        if getattr(turn, name) != value:
            return f"has {name} {getattr(turn, name)}", f"expected {value}"
    most_reward = 1 if stopped else 0
    return () if 0 <= turn.reward <= most_reward else (f"has reward {turn.reward}", f"expected 0 to {most_reward}")


def _kept(given: object) -> str:
    """An answer as the episode keeps it: its end, where the action is, up to 4000 characters."""
    if not isinstance(given, str):
        return shown(given, 4000)
    return given if len(given) <= 4000 else f"...{given[-4000:]}"


def _sentence(message: str) -> str:
    text = message[:1].upper() + message[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
