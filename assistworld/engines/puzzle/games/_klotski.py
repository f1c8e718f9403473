"""Ten blocks on a board of 5 rows and 4 columns: where they fit, how they move, the shortest way between two arrangements.

An arrangement is the cell (row times 4 plus column) of the upper left corner of every block, block 1 first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

ROWS, COLUMNS = 5, 4
CELLS = ROWS * COLUMNS
SIZES: tuple[tuple[int, int], ...] = ((2, 2), (1, 2), (2, 1), (2, 1), (2, 1), (2, 1), (1, 1), (1, 1), (1, 1), (1, 1))
"""Rows and columns that each block covers."""
STEPS: tuple[tuple[int, int], ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Up, right, down, left, in the order of the actions."""

Arrangement: TypeAlias = tuple[int, ...]
Move: TypeAlias = tuple[int, int]
"""Block (0 to 9) and direction."""

FIRST: Arrangement = (1, 8, 0, 3, 12, 10, 13, 17, 18, 19)
"""3114 / 3114 / 226. / 576. / 58 9 10 in rows (seed paper, figure 13): the square on top between two upright blocks."""


def _places(rows: int, columns: int) -> dict[int, int]:
    """Cell of the upper left corner to the bits of the covered cells, for every place on the board."""
    return {
        row * COLUMNS + column: sum(1 << ((row + r) * COLUMNS + column + c) for r in range(rows) for c in range(columns))
        for row in range(ROWS - rows + 1)
        for column in range(COLUMNS - columns + 1)
    }


def _shifted(rows: int, columns: int) -> dict[int, tuple[int, ...]]:
    """Cell of the upper left corner to the cell one step up, right, down, left; -1 beyond the edge."""
    found = {}
    for cell in _places(rows, columns):
        row, column = divmod(cell, COLUMNS)
        inside = [(row + dr, column + dc) for dr, dc in STEPS]
        found[cell] = tuple(r * COLUMNS + c if 0 <= r <= ROWS - rows and 0 <= c <= COLUMNS - columns else -1 for r, c in inside)
    return found


COVERED = tuple(_places(*size) for size in SIZES)
SHIFTED = tuple(_shifted(*size) for size in SIZES)
_APART = [[abs(a // COLUMNS - b // COLUMNS) + abs(a % COLUMNS - b % COLUMNS) for b in range(CELLS)] for a in range(CELLS)]


def occupied(at: Arrangement) -> int:
    """The bits of all covered cells."""
    bits = 0
    for covered, cell in zip(COVERED, at, strict=True):
        bits |= covered[cell]
    return bits


def moved(at: Arrangement, move: Move) -> Arrangement | None:
    """The arrangement after a move; None where the edge or another block is in the way."""
    block, direction = move
    there = SHIFTED[block][at[block]][direction]
    if there < 0 or COVERED[block][there] & (occupied(at) ^ COVERED[block][at[block]]):
        return None
    return (*at[:block], there, *at[block + 1 :])


def moves(at: Arrangement) -> Iterator[tuple[Move, Arrangement]]:
    """Every possible move with the arrangement after it."""
    bits = occupied(at)
    for block, cell in enumerate(at):
        covered = COVERED[block]
        others = bits ^ covered[cell]
        for direction, there in enumerate(SHIFTED[block][cell]):
            if there >= 0 and not covered[there] & others:
                yield (block, direction), (*at[:block], there, *at[block + 1 :])


def shuffled(at: Arrangement, count: int, rng: np.random.Generator) -> Arrangement:
    """After `count` random moves, none of which takes the one before it back unless nothing else is possible."""
    draws = rng.random(count).tolist()
    last: Move | None = None
    for draw in draws:
        possible = list(moves(at))
        onward = [(move, after) for move, after in possible if last is None or move != (last[0], (last[1] + 2) % 4)] or possible
        last, at = onward[int(draw * len(onward))]
    return at


def shortest(start: Arrangement, goal: Arrangement, most: int) -> list[Move] | None:
    """A shortest sequence of moves; None where it would be longer than `most`.

    A*, whose estimate is the sum of the distances that the blocks have to go: a move takes one block one cell, so it never exceeds what
    is needed, and it changes by one with each move, so states can be kept in lists by total length.
    """
    estimate = sum(_APART[a][b] for a, b in zip(start, goal, strict=True))
    waiting: defaultdict[int, list[tuple[Arrangement, int]]] = defaultdict(list)
    waiting[estimate].append((start, 0))
    came: dict[Arrangement, tuple[int, Arrangement, Move]] = {start: (0, start, (0, 0))}
    total = estimate
    while waiting and total <= most:
        if not waiting[total]:
            del waiting[total]
            total += 1
            continue
        at, length = waiting[total].pop()
        if came[at][0] < length:
            continue
        if at == goal:
            return _traced(came, start, goal)
        left = total - length
        for move, after in moves(at):
            if after not in came or came[after][0] > length + 1:
                came[after] = (length + 1, at, move)
                block = move[0]
                ahead = left - _APART[at[block]][goal[block]] + _APART[after[block]][goal[block]]
                waiting[length + 1 + ahead].append((after, length + 1))
    return None


def _traced(came: dict[Arrangement, tuple[int, Arrangement, Move]], start: Arrangement, goal: Arrangement) -> list[Move]:
    found = []
    at = goal
    while at != start:
        _, at, move = came[at]
        found.append(move)
    return found[::-1]


def faults(at: Arrangement) -> list[str]:
    """What is wrong with an arrangement from a file."""
    if len(at) != len(SIZES):
        return [f"{len(at)} blocks where there are {len(SIZES)}"]
    found = [f"block {n + 1} does not fit at cell {cell}" for n, cell in enumerate(at) if cell not in COVERED[n]]
    if not found and occupied(at).bit_count() != sum(rows * columns for rows, columns in SIZES):
        found.append("blocks lie on each other")
    return found
