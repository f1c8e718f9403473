"""Patches that fill a square grid: cutting one up, and finding how patches fill it. Cells are (row, column)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

Cell: TypeAlias = tuple[int, int]
Patch: TypeAlias = tuple[Cell, ...]
"""Cells in reading order; the first row and the first column are 0."""

LEAST_CELLS = 3


def largest_side(size: int) -> int:
    """Rows and columns that one patch may cover, so that all of them can be shown beside the grid."""
    return size // 2 + 1


def normal(cells: Sequence[Cell]) -> tuple[Patch, Cell]:
    """A patch with its upper left corner at (0, 0), and where that corner was."""
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple(sorted((r - top, c - left) for r, c in cells)), (top, left)


def at(patch: Patch, corner: Cell) -> Patch:
    """The cells that a patch covers when its corner lies on a cell."""
    return tuple((r + corner[0], c + corner[1]) for r, c in patch)


def fits(patch: Patch, corner: Cell, size: int, taken: frozenset[Cell]) -> bool:
    """Whether a patch lies on the grid and on no taken cell."""
    return all(0 <= r < size and 0 <= c < size and (r, c) not in taken for r, c in at(patch, corner))


def is_patch(cells: Patch) -> bool:
    """Whether cells are connected, in reading order, without repetition, and begin in row 0 and column 0."""
    if not cells or cells != normal(cells)[0] or len(set(cells)) != len(cells):
        return False
    left, near = set(cells), [cells[0]]
    while near:
        cell = near.pop()
        if cell in left:
            left.remove(cell)
            near += _beside(cell)
    return not left


def cut(size: int, count: int, rng: np.random.Generator) -> tuple[Patch, ...]:
    """A grid cut into connected patches, in random order."""
    while True:
        pieces = _grown(size, count, rng)
        if pieces is not None:
            return tuple(normal(pieces[n])[0] for n in rng.permutation(count).tolist())


class _Growing:
    """A patch that grows: its cells, and those beside it that it may still take (some of them taken by others meanwhile)."""

    def __init__(self, first: Cell, side: int) -> None:
        self.cells, self.side = [first], side
        self.top, self.left = first
        self.bottom, self.right = first
        self.near = _beside(first)

    def take(self, cell: Cell) -> bool:
        """Take a cell, unless the patch would cover too many rows or columns."""
        r, c = cell
        top, bottom, left, right = min(self.top, r), max(self.bottom, r), min(self.left, c), max(self.right, c)
        if bottom - top >= self.side or right - left >= self.side:
            return False
        self.top, self.bottom, self.left, self.right = top, bottom, left, right
        self.cells.append(cell)
        self.near += _beside(cell)
        return True


def _grown(size: int, count: int, rng: np.random.Generator) -> list[list[Cell]] | None:
    """Patches grown from random cells until the grid is full; None where one is too small or a cell is out of reach of all.

    The next cell goes to a patch that is at most two cells larger than the smallest that can still grow.
    """
    draw = random.Random(int(rng.integers(2**62))).random
    free = {divmod(n, size) for n in range(size**2)}
    growing = [_Growing(divmod(n, size), largest_side(size)) for n in rng.permutation(size**2)[:count].tolist()]
    free -= {patch.cells[0] for patch in growing}
    pieces = [patch.cells for patch in growing]
    while free and growing:
        least = min(len(patch.cells) for patch in growing) + 2
        able = [patch for patch in growing if len(patch.cells) <= least]
        patch = able[int(draw() * len(able))]
        near = patch.near
        n = int(draw() * len(near))
        near[n], near[-1] = near[-1], near[n]
        cell = near.pop()  # whether it is taken or out of reach, it stays so for this patch
        if cell in free and patch.take(cell):
            free.remove(cell)
        if not near:
            growing.remove(patch)
    return pieces if not free and all(len(piece) >= LEAST_CELLS for piece in pieces) else None


def _beside(cell: Cell) -> list[Cell]:
    r, c = cell
    return [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]


def filling(patches: Sequence[Patch], placed: Sequence[Cell | None], size: int) -> list[Cell] | None:
    """Corners at which all patches fill the grid, those that are placed where they are; None where there is no such filling.

    A backtracking search: the first free cell is covered in every possible way, in the order of the patches.
    """
    taken = [cell for patch, corner in zip(patches, placed, strict=True) if corner is not None for cell in at(patch, corner)]
    if len(set(taken)) != len(taken):
        return None
    corners = list(placed)
    return [corner for corner in corners if corner is not None] if _fill(patches, corners, frozenset(taken), size) else None


def _fill(patches: Sequence[Patch], corners: list[Cell | None], taken: frozenset[Cell], size: int) -> bool:
    free = next(((r, c) for r in range(size) for c in range(size) if (r, c) not in taken), None)
    if free is None:
        return all(corner is not None for corner in corners)
    for n, patch in enumerate(patches):
        if corners[n] is None:
            first = patch[0]  # the first cell in reading order must cover the first free cell
            corner = (free[0] - first[0], free[1] - first[1])
            if fits(patch, corner, size, taken):
                corners[n] = corner
                if _fill(patches, corners, taken.union(at(patch, corner)), size):
                    return True
                corners[n] = None
    return False
