"""Jigsaw: put the shuffled square pieces of a picture in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import cast

import numpy as np

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import WHITE
from assistworld.engines.puzzle.games._ordering import Order, order_faults, reordered, shuffled, sorting, swapped, swaps
from assistworld.engines.puzzle.games._photos import drawn, fault_of, square
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened
from assistworld.engines.puzzle.spaces import Permutation, Row, Whole

ABOUT_PX = 336
"""The side of the picture, less what the pieces do not divide."""
LEAST_DIFFERENCE = 9.0
"""Mean difference (of 255) that any two pieces have: pieces that look alike could not be told apart."""


@dataclass(frozen=True, kw_only=True)
class JigsawConfig(Config):
    """Rows and columns of pieces; folder of pictures, sub-folders included, empty for the stills of the package."""

    rows: int
    columns: int
    folder: str = ""

    def __post_init__(self) -> None:
        wrong = [Problem(name, f"is {getattr(self, name)}", "2 to 6") for name in ("rows", "columns") if not 2 <= getattr(self, name) <= 6]
        if self.max_steps < self.rows * self.columns:
            fix = f"at least {self.rows * self.columns}: a swap for each piece but one, and stop"
            wrong.append(Problem("max_steps", f"is {self.max_steps}", fix))
        if wrong:
            raise InputError("jigsaw", wrong)


@dataclass(frozen=True)
class JigsawState:
    """The picture, and for each place, row by row, the number of the piece that lies there; piece n belongs to place n."""

    picture: str
    order: Order


class Jigsaw(Puzzle[JigsawConfig, JigsawState]):
    """Pieces are not turned, and no two look alike."""

    name = "jigsaw"
    title = "Jigsaw"
    presets = {"easy": JigsawConfig(max_steps=20, rows=2, columns=2), "hard": JigsawConfig(max_steps=30, rows=3, columns=3)}
    tightened = (Tightened("rows", "more"), Tightened("columns", "more"))
    strategies = ("reorder", "swap")
    state_type = JigsawState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        rows, columns = self.config.rows, self.config.columns
        place = Row((("row", Whole(0, rows - 1)), ("column", Whole(0, columns - 1))))
        order = (
            f"Lays all pieces anew at once. Places are numbered row * {columns} + column; list, from the first place to the last, at which "
            "place the piece lies now that is to come there."
        )
        return {
            "swap": Function(Row((("one place", place), ("another place", place)), distinct=True), "Exchanges the pieces at two places."),
            "reorder": Function(Permutation(rows * columns), order),
        }

    @property
    def image_shape(self) -> tuple[int, int, int]:
        high, wide = self._piece_px
        return (high * self.config.rows, wide * self.config.columns, 3)

    def task(self) -> str:
        rows, columns = self.config.rows, self.config.columns
        return (
            f"The picture was cut into {rows} rows and {columns} columns of pieces, which were shuffled; white lines separate them. Rows "
            "and columns are numbered from 0 at the upper left. Put the pieces in order so that the picture is whole, then stop."
        )

    def new(self, streams: Streams) -> JigsawState:
        picture = drawn(self.config.folder, ABOUT_PX, streams("picture"), self._told_apart)
        return JigsawState(picture, shuffled(self._count, streams("order")))

    def apply(self, state: JigsawState, action: Action) -> Effect[JigsawState]:
        if action.name == "swap":
            one, other = cast(tuple[tuple[int, int], tuple[int, int]], action.payload)
            order = swapped(state.order, self._place(*one), self._place(*other))
            return Effect(replace(state, order=order), f"The pieces at {one} and {other} were swapped.")
        places = cast(tuple[int, ...], action.payload)
        return Effect(replace(state, order=reordered(state.order, places)), "The pieces were laid anew.")

    def solved(self, state: JigsawState) -> bool:
        return state.order == tuple(range(self._count))

    def draw(self, state: JigsawState) -> Picture:
        high, wide = self._piece_px
        pieces = self._pieces(square(self.config.folder, state.picture, ABOUT_PX))
        picture = np.empty(self.image_shape, np.uint8)
        for place, piece in enumerate(state.order):
            row, column = divmod(place, self.config.columns)
            picture[row * high : (row + 1) * high, column * wide : (column + 1) * wide] = pieces[piece]
        for row in range(1, self.config.rows):
            picture[row * high - 1 : row * high + 1] = WHITE
        for column in range(1, self.config.columns):
            picture[:, column * wide - 1 : column * wide + 1] = WHITE
        return picture

    def plan(self, state: JigsawState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        if self.solved(state):
            return []
        if strategy == "reorder":
            return [Action("reorder", sorting(state.order))]
        return [self._swap(*pair) for pair in swaps(state.order, rng)]

    def pairs(self, state: JigsawState) -> Sequence[tuple[Action, Action]]:
        return [(self._swap(a, b), self._swap(a, b)) for a, b in combinations(range(self._count), 2)]

    def goal(self, state: JigsawState) -> JigsawState:
        return replace(state, order=tuple(range(self._count)))

    def faults(self, state: JigsawState) -> Sequence[str]:
        return [*order_faults(state.order, self._count), *fault_of(self.config.folder, state.picture, ABOUT_PX)]

    @property
    def _count(self) -> int:
        return self.config.rows * self.config.columns

    @property
    def _piece_px(self) -> tuple[int, int]:
        return ABOUT_PX // self.config.rows, ABOUT_PX // self.config.columns

    def _place(self, row: int, column: int) -> int:
        return row * self.config.columns + column

    def _swap(self, a: int, b: int) -> Action:
        return Action("swap", (divmod(a, self.config.columns), divmod(b, self.config.columns)))

    def _pieces(self, picture: Picture) -> list[Picture]:
        high, wide = self._piece_px
        corners = [divmod(place, self.config.columns) for place in range(self._count)]
        return [picture[row * high : (row + 1) * high, column * wide : (column + 1) * wide] for row, column in corners]

    def _told_apart(self, picture: Picture) -> bool:
        small = [piece[::4, ::4].astype(np.int16) for piece in self._pieces(picture)]
        return all(float(np.abs(a - b).mean()) >= LEAST_DIFFERENCE for a, b in combinations(small, 2))


PUZZLE = Jigsaw
