"""Referring Dot-Pointing: put a dot onto the one thing in a picture that is described."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import cast

import numpy as np

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import BLACK, RED, WHITE, Colour, disc, letters, stamp
from assistworld.engines.puzzle.datasets.refcoco import references
from assistworld.engines.puzzle.games._labelled import (
    HEIGHT_PX,
    WIDTH_PX,
    Labelled,
    Point,
    Referred,
    number_at,
    referred,
    still_references,
)
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened, Unsolved
from assistworld.engines.puzzle.spaces import Real, Row

LINE_PX = 20
FOOT_PX = 2 * LINE_PX + 8
LARGEST_SHARE = 0.3
"""A larger thing would be met by chance."""
DEFAULT_MARKS = 3
FOOT: Colour = (240, 239, 235)


@dataclass(frozen=True, kw_only=True)
class PointingConfig(Config):
    """largest_share: of the picture that the meant thing fills. fewest_alike: other things in the picture of its sort (stills) or category
    (RefCOCO). folder: a RefCOCO data set, images: its pictures, split: which part of it; folder and images empty for the stills of the
    package.
    """

    largest_share: float
    fewest_alike: int
    folder: str = ""
    images: str = ""
    split: str = "val"

    def __post_init__(self) -> None:
        wrong = []
        if not 0.001 <= self.largest_share <= LARGEST_SHARE:
            wrong.append(Problem("largest_share", f"is {self.largest_share}", f"0.001 to {LARGEST_SHARE:g}"))
        if not 0 <= self.fewest_alike <= 20:
            wrong.append(Problem("fewest_alike", f"is {self.fewest_alike}", "0 to 20"))
        if self.max_steps < 2:
            wrong.append(Problem("max_steps", f"is {self.max_steps}", "at least 2"))
        if bool(self.folder) != bool(self.images):
            wrong.append(Problem("folder, images", f"are {self.folder!r}, {self.images!r}", "give both or none"))
        if wrong:
            raise InputError("referring_dot_pointing", wrong)


@dataclass(frozen=True)
class PointingState:
    """The picture, or the id of a RefCOCO reference; the number of the thing in it, 0 for RefCOCO; what is said; the dot, or none."""

    picture: str
    number: int
    expression: str
    mark: tuple[Point, ...]


class ReferringDotPointing(Puzzle[PointingConfig, PointingState]):
    """Judged by the exact mask of the thing. The seed paper has one setting, `standard`; hard has smaller things among more of their sort.

    `noise` of a solver: standard deviation, as a share of the picture, of the marks before the last.
    """

    name = "referring_dot_pointing"
    title = "Referring Dot-Pointing"
    presets = {
        "easy": PointingConfig(max_steps=20, largest_share=0.06, fewest_alike=0),
        "hard": PointingConfig(max_steps=20, largest_share=0.012, fewest_alike=3),
        "standard": PointingConfig(max_steps=20, largest_share=LARGEST_SHARE, fewest_alike=0),
    }
    tightened = (Tightened("largest_share", "less"), Tightened("fewest_alike", "more"))
    strategies = ("mark",)
    state_type = PointingState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        share = Real(0, 1, "share of the photograph, without the strip below it")
        meaning = "Puts the dot there, in place of the one before; x goes from left to right, y from top to bottom."
        return {"mark": Function(Row((("x", share), ("y", share))), meaning)}

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (HEIGHT_PX + FOOT_PX, WIDTH_PX, 3)

    def task(self) -> str:
        return (
            "The strip below the photograph describes one thing in it. Put the dot onto that thing, on a part of it that is seen, then "
            "stop. The dot can be moved as often as there are steps; its middle counts."
        )

    def new(self, streams: Streams) -> PointingState:
        fitting = _fitting(self.config)
        if not fitting:
            raise InputError("referring_dot_pointing", [Problem("largest_share, fewest_alike", "fit no thing there is", "other limits")])
        rng = streams("reference")
        meant = fitting[int(rng.integers(len(fitting)))]
        return PointingState(meant.picture, meant.number, meant.expressions[int(rng.integers(len(meant.expressions)))], ())

    def apply(self, state: PointingState, action: Action) -> Effect[PointingState]:
        mark = cast(Point, action.payload)
        return Effect(replace(state, mark=(mark,)), f"The dot is at ({mark[0]:.3g}, {mark[1]:.3g}) now.")

    def solved(self, state: PointingState) -> bool:
        return bool(state.mark) and number_at(self._meant(state).ids, state.mark[0]) == 1

    def draw(self, state: PointingState) -> Picture:
        picture = np.empty(self.image_shape, np.uint8)
        picture[:HEIGHT_PX], picture[HEIGHT_PX:] = self._meant(state).picture, FOOT
        for x, y in state.mark:
            row, column = round(min(max(y * HEIGHT_PX, 6), HEIGHT_PX - 7)), round(min(max(x * WIDTH_PX, 6), WIDTH_PX - 7))
            for radius, colour in ((6.2, WHITE), (4.8, RED)):
                stamp(picture, disc(13, radius), row - 6, column - 6, colour)
        for number, line in enumerate(_lines(state.expression)):
            words = letters(line, 15)[:, : WIDTH_PX - 12]
            stamp(picture, words, HEIGHT_PX + 6 + number * LINE_PX, 6, BLACK)
        return picture

    def plan(self, state: PointingState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        if self.solved(state) and not options.num_steps:
            return []
        meant = self._meant(state)
        count = min(DEFAULT_MARKS if options.num_steps is None else max(options.num_steps, 1), options.limit)
        if count < 1:
            raise Unsolved("referring_dot_pointing: no step is left for a mark")
        rows, columns = np.nonzero(meant.ids)
        pick = int(rng.integers(len(rows)))
        first = np.array([(columns[pick] + 0.5) / WIDTH_PX, (rows[pick] + 0.5) / HEIGHT_PX])
        last = np.array(meant.points[0])
        ways = [first + (last - first) * n / max(count - 1, 1) + rng.normal(0.0, options.noise, 2) for n in range(count - 1)]
        marks = [np.clip(way, 0.0, 1.0).round(4).tolist() for way in ways]
        return [Action("mark", (x, y)) for x, y in marks] + [Action("mark", meant.points[0])]

    def goal(self, state: PointingState) -> PointingState:
        return replace(state, mark=(self._meant(state).points[0],))

    def faults(self, state: PointingState) -> Sequence[str]:
        found = []
        if len(state.mark) > 1 or any(not (0 <= x <= 1 and 0 <= y <= 1) for x, y in state.mark):
            found.append(f"mark is {state.mark}, expected none or one within 0 to 1")
        known = {(one.picture, one.number): one for one in _all(self.config.folder, self.config.images, self.config.split)}
        meant = known.get((state.picture, state.number))
        if meant is None or state.expression not in meant.expressions:
            found.append(f"{state.expression!r} for thing {state.number} of {state.picture!r} is none of the references there are")
        return found

    def _meant(self, state: PointingState) -> Labelled:
        return referred(self.config.folder, self.config.images, self.config.split, state.picture, state.number)


@lru_cache(maxsize=8)
def _all(folder: str, images: str, split: str) -> tuple[Referred, ...]:
    """Everything that can be referred to, of the stills or of a RefCOCO data set. Raises InputError."""
    if not folder:
        return still_references()
    listed = references(folder, images, split).items()
    return tuple(
        Referred(name, 0, one.sentences, float(one.mask().sum()) / (one.height * one.width), one.alike)
        for name, one in listed
        if one.sentences
    )


@lru_cache(maxsize=16)
def _fitting(config: PointingConfig) -> tuple[Referred, ...]:
    every = _all(config.folder, config.images, config.split)
    return tuple(one for one in every if 0 < one.share <= config.largest_share and one.alike >= config.fewest_alike)


def _lines(text: str) -> list[str]:
    """A text as one or two lines that fit the strip."""
    words, lines = text.split(), [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if len(lines) < 2 and letters(longer, 15).shape[1] > WIDTH_PX - 12:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


PUZZLE = ReferringDotPointing
