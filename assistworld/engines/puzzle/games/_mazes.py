"""Mazes on a grid of square cells, walls being cells themselves: carving, distances, ways. Cells are (row, column) from the upper left."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from assistcore.world.errors import InfrastructureError, InputError, Problem

Cell: TypeAlias = tuple[int, int]
Walls: TypeAlias = tuple[str, ...]
"""Rows of `#` (wall) and `.` (floor)."""

STEPS: tuple[Cell, ...] = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""Right, up, left, down, in the order of the actions."""


def check_size(width: int, height: int, max_steps: int) -> None:
    """Raises InputError for sizes that no maze has, or a limit of steps in which none is interesting."""
    problems = [
        Problem(name, f"is {value}", "an odd number from 5 to 99")
        for name, value in (("width", width), ("height", height))
        if value % 2 == 0 or not 5 <= value <= 99
    ]
    if not problems and max_steps <= max(width, height):
        problems.append(Problem("max_steps", f"is {max_steps}", f"more than {max(width, height)} for a maze of {width} x {height} cells"))
    if problems:
        raise InputError("size of a maze", problems)


def carve(width: int, height: int, rng: np.random.Generator) -> Walls:
    """A perfect maze: rooms at odd rows and columns, one way between any two."""
    rows = [["#"] * width for _ in range(height)]
    draws = iter(rng.random(width * height).tolist())
    stack = [(1 + 2 * int(next(draws) * (height // 2)), 1 + 2 * int(next(draws) * (width // 2)))]
    rows[stack[0][0]][stack[0][1]] = "."
    while stack:
        row, column = stack[-1]
        fresh = [
            (dr, dc)
            for dr, dc in STEPS
            if 0 < row + 2 * dr < height and 0 < column + 2 * dc < width and rows[row + 2 * dr][column + 2 * dc] == "#"
        ]
        if not fresh:
            stack.pop()
            continue
        dr, dc = fresh[int(next(draws) * len(fresh))]
        rows[row + dr][column + dc] = rows[row + 2 * dr][column + 2 * dc] = "."
        stack.append((row + 2 * dr, column + 2 * dc))
    return tuple("".join(row) for row in rows)


def rooms(walls: Walls) -> list[Cell]:
    """The cells at odd rows and columns, which are never walls."""
    return [(row, column) for row in range(1, len(walls), 2) for column in range(1, len(walls[0]), 2)]


def neighbours(walls: Walls, cell: Cell) -> Iterator[tuple[int, Cell]]:
    """The open cells beside one, each with the number of its direction."""
    for direction, (dr, dc) in enumerate(STEPS):
        there = (cell[0] + dr, cell[1] + dc)
        if walls[there[0]][there[1]] == ".":
            yield direction, there


def distances(walls: Walls, start: Cell) -> dict[Cell, int]:
    """Moves from a cell to every other."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        for _, there in neighbours(walls, cell):
            if there not in found:
                found[there] = found[cell] + 1
                queue.append(there)
    return found


def way(walls: Walls, start: Cell, target: Cell) -> list[int]:
    """The directions of a shortest way."""
    far = distances(walls, target)
    cell, directions = start, []
    while cell != target:
        direction, cell = min(neighbours(walls, cell), key=lambda step: far[step[1]])
        directions.append(direction)
    return directions


def ends(walls: Walls, rng: np.random.Generator, least: int, most: int) -> tuple[Cell, Cell] | None:
    """Two rooms from `least` to `most` moves apart: a random start that has such targets, and one of them; None where none has."""
    cells = rooms(walls)
    for number in rng.permutation(len(cells)).tolist():
        far = distances(walls, cells[number])
        if targets := [target for target in cells if least <= far[target] <= most]:
            return cells[number], targets[int(rng.integers(len(targets)))]
    return None


def maze(width: int, height: int, rng: np.random.Generator, least: int, most: int) -> tuple[Walls, Cell, Cell]:
    """A maze with start and target. Raises InfrastructureError where a thousand mazes have no such ends, which no sane size does."""
    for _ in range(1000):
        walls = carve(width, height, rng)
        if found := ends(walls, rng, least, most):
            return walls, *found
    raise InfrastructureError("make a maze", f"no two rooms {least} to {most} moves apart in 1000 mazes of {width} x {height}")


def faults(walls: Walls, *cells: Cell) -> list[str]:
    """What is wrong with a maze from a file and cells in it."""
    width = len(walls[0]) if walls else 0
    if not width or any(len(row) != width or set(row) - {"#", "."} for row in walls):
        return ["walls are not equally long rows of '#' and '.'"]
    edge = walls[0] + walls[-1] + "".join(row[0] + row[-1] for row in walls)
    found = ["the outer edge is open"] if "." in edge else []
    inside = [(row, column) for row, column in cells if 0 <= row < len(walls) and 0 <= column < width and walls[row][column] == "."]
    found += [f"{cell} is no open cell" for cell in cells if cell not in inside]
    if not found and len(set(cells) - set(distances(walls, cells[0]))):
        found.append("there is no way between the cells")
    return found
