"""Sliding Block: push ten blocks of a tray, one cell at a time, into the arrangement of a second picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from assistcore.world.errors import InfrastructureError, InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import BLACK, WHITE, Colour, blank, stamp_letters
from assistworld.engines.puzzle.games._klotski import (
    COLUMNS,
    FIRST,
    ROWS,
    SIZES,
    Arrangement,
    Move,
    faults,
    moved,
    moves,
    shortest,
    shuffled,
)
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened, Unsolved
from assistworld.engines.puzzle.spaces import Choice, Row, Whole

CELL_PX = 50
MARGIN_PX = 5
TITLE_PX = 30
GAP_PX = 10
BOARD_PX = COLUMNS * CELL_PX
DIRECTIONS = {0: "up", 1: "right", 2: "down", 3: "left"}
TRAY: Colour = (226, 219, 207)
COLOURS: tuple[Colour, ...] = (
    (196, 62, 58), (222, 140, 45), (58, 122, 178), (64, 148, 132), (110, 94, 168),
    (72, 140, 76), (178, 92, 132), (140, 112, 84), (98, 110, 120), (160, 146, 40),
)  # fmt: skip
_TARGET_SHUFFLE = 60
"""Moves from the first arrangement to the target, enough that targets differ."""
_LEAST_MOVES = 4


@dataclass(frozen=True, kw_only=True)
class SlidingConfig(Config):
    """`num_shuffle_moves`: random moves from the target to the arrangement at the beginning."""

    num_shuffle_moves: int

    def __post_init__(self) -> None:
        if self.num_shuffle_moves < _LEAST_MOVES:
            raise InputError("sliding_block", [Problem("num_shuffle_moves", f"is {self.num_shuffle_moves}", f"at least {_LEAST_MOVES}")])
        if self.max_steps <= _LEAST_MOVES:
            raise InputError("sliding_block", [Problem("max_steps", f"is {self.max_steps}", f"more than {_LEAST_MOVES}")])


@dataclass(frozen=True)
class SlidingState:
    """Where the blocks are and where they are to be: cells of their upper left corners, row times 4 plus column, block 1 first."""

    blocks: Arrangement
    target: Arrangement


class SlidingBlock(Puzzle[SlidingConfig, SlidingState]):
    """Arrangements at least 4 moves apart, and near enough for the limit of steps."""

    name = "sliding_block"
    title = "Sliding Block"
    presets = {"easy": SlidingConfig(max_steps=20, num_shuffle_moves=30), "hard": SlidingConfig(max_steps=30, num_shuffle_moves=90)}
    tightened = (Tightened("num_shuffle_moves", "more"),)
    strategies = ("bfs",)
    state_type = SlidingState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        space = Row((("block", Whole(1, len(SIZES))), ("direction", Choice(DIRECTIONS))))
        return {"move": Function(space, "Pushes a block by one cell; every cell that it moves onto must be empty.")}

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (TITLE_PX + ROWS * CELL_PX + GAP_PX, 2 * BOARD_PX + 2 * GAP_PX, 3)

    def task(self) -> str:
        return (
            "The picture shows two trays of 5 rows and 4 columns with ten numbered blocks. Push the blocks of the tray on the right, "
            "titled Current, until each block with its number lies where it lies in the tray on the left, titled Target, then stop."
        )

    def new(self, streams: Streams) -> SlidingState:
        rng = streams("blocks")
        target = shuffled(FIRST, _TARGET_SHUFFLE, rng)
        for _ in range(1000):
            blocks = shuffled(target, self.config.num_shuffle_moves, rng)
            way = shortest(blocks, target, self.config.max_steps - 1)
            if way is not None and len(way) >= _LEAST_MOVES:
                return SlidingState(blocks, target)
        raise InfrastructureError("make a sliding block puzzle", f"no arrangement {_LEAST_MOVES} moves or more away in 1000 shuffles")

    def apply(self, state: SlidingState, action: Action) -> Effect[SlidingState]:
        move = _move_of(action)
        after = moved(state.blocks, move)
        if after is None:
            what = f"Block {move[0] + 1} cannot move {DIRECTIONS[move[1]]}: another block or the edge of the tray is in the way."
            return Effect(state, what, done=False)
        return Effect(SlidingState(after, state.target), f"Block {move[0] + 1} moved {DIRECTIONS[move[1]]}.")

    def solved(self, state: SlidingState) -> bool:
        return state.blocks == state.target

    def draw(self, state: SlidingState) -> Picture:
        picture = _titles(self.image_shape[:2]).copy()
        picture[TITLE_PX : TITLE_PX + ROWS * CELL_PX, :BOARD_PX] = _tray(state.target)
        picture[TITLE_PX : TITLE_PX + ROWS * CELL_PX, BOARD_PX + 2 * GAP_PX :] = _tray(state.blocks)
        return picture

    def plan(self, state: SlidingState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        way = shortest(state.blocks, state.target, options.limit)
        if way is None:
            raise Unsolved(f"sliding_block: the target is more than {options.limit} moves away")
        return [_action_of(move) for move in way]

    def pairs(self, state: SlidingState) -> Sequence[tuple[Action, Action]]:
        return [(_action_of(move), _action_of((move[0], (move[1] + 2) % 4))) for move, _ in moves(state.blocks)]

    def goal(self, state: SlidingState) -> SlidingState:
        return SlidingState(state.target, state.target)

    def text(self, state: SlidingState) -> str:
        both = zip(_rows(state.target), _rows(state.blocks), strict=True)
        return "\n".join(["Target  Current", *(f"{left}    {right}" for left, right in both), "0 is block 10, . is empty"])

    def faults(self, state: SlidingState) -> Sequence[str]:
        return [f"{name}: {fault}" for name, at in (("blocks", state.blocks), ("target", state.target)) for fault in faults(at)]


def _move_of(action: Action) -> Move:
    block, direction = action.payload  # type: ignore[misc, union-attr, str-unpack]
    return int(block) - 1, int(direction)  # type: ignore[arg-type]


def _action_of(move: Move) -> Action:
    return Action("move", (move[0] + 1, move[1]))


def _rows(at: Arrangement) -> list[str]:
    cells = [["."] * COLUMNS for _ in range(ROWS)]
    for number, (cell, (height, width)) in enumerate(zip(at, SIZES, strict=True), 1):
        for row in range(height):
            for column in range(width):
                cells[cell // COLUMNS + row][cell % COLUMNS + column] = str(number % 10)
    return ["".join(row) for row in cells]


@lru_cache(maxsize=4)
def _titles(size: tuple[int, int]) -> Picture:
    picture = blank(*size, WHITE)
    for text, middle in (("Target", BOARD_PX / 2), ("Current", 2 * GAP_PX + BOARD_PX * 1.5)):
        stamp_letters(picture, text, 18, (TITLE_PX / 2, middle), BLACK)
    return picture


@lru_cache(maxsize=16)
def _block(number: int) -> Picture:
    """A block with its number, its dark rim included."""
    rows, columns = SIZES[number]
    picture = blank(rows * CELL_PX, columns * CELL_PX, TRAY)
    picture[1:-1, 1:-1] = BLACK
    picture[3:-3, 3:-3] = COLOURS[number]
    stamp_letters(picture, str(number + 1), 22, (rows * CELL_PX / 2, columns * CELL_PX / 2), WHITE)
    return picture


@lru_cache(maxsize=64)
def _tray(at: Arrangement) -> Picture:
    """A tray with its blocks; shared, so not to be written to."""
    picture = blank(ROWS * CELL_PX, BOARD_PX, TRAY)
    for number, (cell, (rows, columns)) in enumerate(zip(at, SIZES, strict=True)):
        top, left = cell // COLUMNS * CELL_PX, cell % COLUMNS * CELL_PX
        picture[top : top + rows * CELL_PX, left : left + columns * CELL_PX] = _block(number)
    picture.setflags(write=False)
    return picture


PUZZLE = SlidingBlock
