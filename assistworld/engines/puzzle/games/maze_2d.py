"""Maze 2D: lead a blue disc through a maze seen from above to a red square."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import BLACK, BLUE, RED, WHITE, disc, stamp
from assistworld.engines.puzzle.games._mazes import Cell, Walls, check_size, faults, maze, neighbours, way
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened
from assistworld.engines.puzzle.spaces import Choice

CELL_PX = 25
DIRECTIONS = {0: "right", 1: "up", 2: "left", 3: "down"}


@dataclass(frozen=True, kw_only=True)
class MazeConfig(Config):
    """Size in cells, walls included; odd."""

    width: int
    height: int

    def __post_init__(self) -> None:
        check_size(self.width, self.height, self.max_steps)


@dataclass(frozen=True)
class MazeState:
    """The maze, and the cells (row, column) of the player and of the target."""

    walls: Walls
    player: Cell
    target: Cell


class Maze2D(Puzzle[MazeConfig, MazeState]):
    """Ends are at least as many moves apart as the maze is wide, and near enough for the limit of steps."""

    name = "maze_2d"
    title = "Maze 2D"
    presets = {"easy": MazeConfig(max_steps=20, width=9, height=9), "hard": MazeConfig(max_steps=30, width=11, height=11)}
    tightened = (Tightened("width", "more"), Tightened("height", "more"))
    strategies = ("bfs",)
    state_type = MazeState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        return {"move": Function(Choice(DIRECTIONS), "Moves the blue disc by one cell; walls stop it.")}

    @cached_property
    def words(self) -> Mapping[str, Action]:
        return {f"move_{name}": Action("move", direction) for direction, name in DIRECTIONS.items()}

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (self.config.height * CELL_PX, self.config.width * CELL_PX, 3)

    def task(self) -> str:
        return (
            "The picture shows a maze from above: dark cells are walls, white cells are free. "
            "Lead the blue disc to the red square, then stop."
        )

    def new(self, streams: Streams) -> MazeState:
        config = self.config
        least = max(config.width, config.height) - 1
        return MazeState(*maze(config.width, config.height, streams("maze"), least, config.max_steps - 1))

    def apply(self, state: MazeState, action: Action) -> Effect[MazeState]:
        direction = int(action.payload)  # type: ignore[arg-type]
        there = dict(neighbours(state.walls, state.player)).get(direction)
        if there is None:
            return Effect(state, f"There is a wall {_beside(direction)}; the disc did not move.", done=False)
        return Effect(MazeState(state.walls, there, state.target), f"The disc moved {DIRECTIONS[direction]}.")

    def solved(self, state: MazeState) -> bool:
        return state.player == state.target

    def draw(self, state: MazeState) -> Picture:
        picture = _floor(state.walls, state.target).copy()
        row, column = state.player
        stamp(picture, disc(CELL_PX, 0.36 * CELL_PX), row * CELL_PX, column * CELL_PX, BLUE)
        return picture

    def plan(self, state: MazeState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        return [Action("move", direction) for direction in way(state.walls, state.player, state.target)]

    def pairs(self, state: MazeState) -> Sequence[tuple[Action, Action]]:
        return [(Action("move", there), Action("move", (there + 2) % 4)) for there, _ in neighbours(state.walls, state.player)]

    def goal(self, state: MazeState) -> MazeState:
        return MazeState(state.walls, state.target, state.target)

    def text(self, state: MazeState) -> str:
        rows = [list(row) for row in state.walls]
        rows[state.target[0]][state.target[1]] = "T"
        rows[state.player[0]][state.player[1]] = "P"
        legend = "# wall, . free, P player, T target" + (" (the player is on the target)" if self.solved(state) else "")
        return "\n".join(["".join(row) for row in rows] + [legend])

    def focus(self, state: MazeState) -> tuple[float, float, float]:
        row, column = state.player
        return (row + 0.5) * CELL_PX, (column + 0.5) * CELL_PX, 2.6 * CELL_PX

    def faults(self, state: MazeState) -> Sequence[str]:
        size = (len(state.walls), len(state.walls[0]) if state.walls else 0)
        if size != (self.config.height, self.config.width):
            return [f"walls have {size[0]} rows of {size[1]}, the configuration says {self.config.height} of {self.config.width}"]
        return faults(state.walls, state.player, state.target)


def _beside(direction: int) -> str:
    return {0: "to the right", 1: "above", 2: "to the left", 3: "below"}[direction]


@lru_cache(maxsize=32)
def _floor(walls: Walls, target: Cell) -> Picture:
    """The maze without the player; shared, so not to be written to."""
    cells = np.array([[BLACK if cell == "#" else WHITE for cell in row] for row in walls], np.uint8)
    picture = cells.repeat(CELL_PX, 1).repeat(CELL_PX, 0)
    top, left = target[0] * CELL_PX, target[1] * CELL_PX
    picture[top + 3 : top + CELL_PX - 3, left + 3 : left + CELL_PX - 3] = RED
    picture.setflags(write=False)
    return picture


PUZZLE = Maze2D
