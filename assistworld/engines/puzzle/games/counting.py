"""Counting: say how many things of a sort a picture shows; marks help to keep track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import cast

import numpy as np

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import BLACK, RED, WHITE, Colour, disc, letters, stamp, stamp_letters
from assistworld.engines.puzzle.games._labelled import HEIGHT_PX, WIDTH_PX, Labelled, Point, count_questions, counted, number_at
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened
from assistworld.engines.puzzle.spaces import Real, Row, Whole, Word

FOOT_PX = 32
LARGEST_GUESS = 99
FOOT: Colour = (240, 239, 235)
UNDO = Action("undo", "undo")


@dataclass(frozen=True, kw_only=True)
class CountingConfig(Config):
    """min_count, max_count: how many there are. annotations: an LVIS file, and folder: of its pictures; both empty for the stills of the
    package.
    """

    min_count: int
    max_count: int
    annotations: str = ""
    folder: str = ""

    def __post_init__(self) -> None:
        wrong = []
        if not 1 <= self.min_count <= self.max_count <= LARGEST_GUESS:
            fix = f"1 <= min_count <= max_count <= {LARGEST_GUESS}"
            wrong.append(Problem("min_count, max_count", f"are {self.min_count}, {self.max_count}", fix))
        if self.max_steps < self.max_count + 2:
            fix = f"at least {self.max_count + 2}: a mark for each, a guess and stop"
            wrong.append(Problem("max_steps", f"is {self.max_steps}", fix))
        if bool(self.annotations) != bool(self.folder):
            wrong.append(Problem("annotations, folder", f"are {self.annotations!r}, {self.folder!r}", "give both or none"))
        if wrong:
            raise InputError("counting", wrong)


@dataclass(frozen=True)
class CountingState:
    """The picture, what is to be counted in it, the marks (shares of its width and height), and the last guess, if there is one."""

    picture: str
    what: str
    marks: tuple[Point, ...]
    guess: tuple[int, ...]


class Counting(Puzzle[CountingConfig, CountingState]):
    """Only the last guess counts. Marks are for the player and are not judged.

    The seed paper counts up to 20 in 20 steps and up to 30 in 30; here two fewer, so that all things can be marked before the guess.
    """

    name = "counting"
    title = "Counting"
    presets = {
        "easy": CountingConfig(max_steps=20, min_count=2, max_count=18),
        "hard": CountingConfig(max_steps=30, min_count=5, max_count=28),
    }
    tightened = (Tightened("min_count", "more"), Tightened("max_count", "more"))
    strategies = ("mark_all", "guess_only")
    state_type = CountingState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        share = Real(0, 1, "share of the photograph, without the strip below it")
        point = Row((("x", share), ("y", share)))
        return {
            "mark": Function(point, "Puts a numbered dot there; x goes from left to right, y from top to bottom."),
            "undo": Function(Word("undo"), "Takes the last dot away."),
            "guess": Function(Whole(0, LARGEST_GUESS), "Says how many there are; the last guess counts, and it may be changed."),
        }

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (HEIGHT_PX + FOOT_PX, WIDTH_PX, 3)

    def task(self) -> str:
        return (
            "The strip below the photograph says what to count and the guess so far. Count all of them that are at least partly seen, "
            "guess their number, then stop. Dots may be used to keep track."
        )

    def new(self, streams: Streams) -> CountingState:
        config = self.config
        fitting = _between(config.folder, config.annotations, config.min_count, config.max_count)
        if not fitting:
            raise InputError(
                "counting", [Problem("min_count, max_count", "fit no picture", f"not {config.min_count} to {config.max_count}")]
            )
        rng = streams("question")
        number = int(rng.integers(len(fitting)))
        picture, what = fitting[number][int(rng.integers(len(fitting[number])))]
        return CountingState(picture, what, (), ())

    def apply(self, state: CountingState, action: Action) -> Effect[CountingState]:
        if action.name == "guess":
            guess = cast(int, action.payload)
            return Effect(replace(state, guess=(guess,)), f"The guess is {guess} now.")
        if action.name == "mark":
            marks = (*state.marks, cast(Point, action.payload))
            return Effect(replace(state, marks=marks), f"Dot {len(marks)} was put there.")
        if not state.marks:
            return Effect(state, "There is no dot to take away.", done=False)
        return Effect(replace(state, marks=state.marks[:-1]), f"Dot {len(state.marks)} was taken away.")

    def solved(self, state: CountingState) -> bool:
        return state.guess == (count_questions(self.config.folder, self.config.annotations)[state.picture, state.what],)

    def draw(self, state: CountingState) -> Picture:
        picture = np.empty(self.image_shape, np.uint8)
        picture[:HEIGHT_PX], picture[HEIGHT_PX:] = self._counted(state).picture, FOOT
        for number, (x, y) in enumerate(state.marks, 1):
            _dot(picture, number, round(min(max(y * HEIGHT_PX, 9), HEIGHT_PX - 10)), round(min(max(x * WIDTH_PX, 9), WIDTH_PX - 10)))
        line = f"count: {state.what}    guess: {state.guess[0] if state.guess else 'none yet'}"
        pixels = next((size for size in (16, 14, 12, 10) if letters(line, size).shape[1] < WIDTH_PX - 12), 8)
        words = letters(line, pixels)[:, : WIDTH_PX - 12]
        stamp(picture, words, HEIGHT_PX + (FOOT_PX - words.shape[0]) // 2, 6, BLACK)
        return picture

    def plan(self, state: CountingState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        found = self._counted(state)
        guess = [] if self.solved(state) else [Action("guess", len(found.points))]
        if strategy == "guess_only":
            return guess
        marked = {number_at(found.ids, mark) for mark in state.marks}
        points = [point for number, point in enumerate(found.points, 1) if number not in marked]
        points.sort(key=lambda point: (round(4 * point[1]), point[0]))  # row by row, as one counts
        return [Action("mark", point) for point in points[: options.limit - len(guess)]] + guess

    def pairs(self, state: CountingState) -> Sequence[tuple[Action, Action]]:
        return [(Action("mark", point), UNDO) for point in self._counted(state).points]

    def goal(self, state: CountingState) -> CountingState:
        found = self._counted(state).points
        return replace(state, marks=found, guess=(len(found),))

    def faults(self, state: CountingState) -> Sequence[str]:
        found = [f"mark {mark} is outside 0 to 1" for mark in state.marks if not (0 <= mark[0] <= 1 and 0 <= mark[1] <= 1)]
        if len(state.guess) > 1 or any(not 0 <= guess <= LARGEST_GUESS for guess in state.guess):
            found.append(f"guess is {state.guess}, expected none or one from 0 to {LARGEST_GUESS}")
        if (state.picture, state.what) not in count_questions(self.config.folder, self.config.annotations):
            found.append(f"{state.what!r} of picture {state.picture!r} is none of the questions there are")
        return found

    def _counted(self, state: CountingState) -> Labelled:
        return counted(self.config.folder, self.config.annotations, state.picture, state.what)


@lru_cache(maxsize=16)
def _between(folder: str, annotations: str, low: int, high: int) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Questions by their number, from the least on, so that each number there is comes up alike."""
    by_number: dict[int, list[tuple[str, str]]] = {}
    for question, count in count_questions(folder, annotations).items():
        if low <= count <= high:
            by_number.setdefault(count, []).append(question)
    return tuple(tuple(by_number[count]) for count in sorted(by_number))


def _dot(picture: Picture, number: int, row: int, column: int) -> None:
    stamp(picture, disc(19, 9.4), row - 9, column - 9, WHITE)
    stamp(picture, disc(19, 8.2), row - 9, column - 9, RED)
    stamp_letters(picture, str(number), 10, (row + 0.5, column + 0.5), WHITE)


PUZZLE = Counting
