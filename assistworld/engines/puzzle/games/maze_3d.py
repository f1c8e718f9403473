"""Maze 3D: walk through a maze that is seen from inside, to a red ball."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from assistcore.world.errors import InfrastructureError
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.games._corridors import SIDE_PX, view
from assistworld.engines.puzzle.games._mazes import Cell, Walls, carve, check_size, faults, neighbours, rooms, way
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened
from assistworld.engines.puzzle.spaces import Choice

TURNS = {1: "left", 2: "right", 3: "around"}
_QUARTERS = {1: 1, 2: 3, 3: 2}
"""Quarter turns to the left."""
_TURN_BY = {quarters: turn for turn, quarters in _QUARTERS.items()}
HEADINGS = ("right", "up", "left", "down")
"""On a map from above; the directions of `_mazes.STEPS`."""


@dataclass(frozen=True, kw_only=True)
class Maze3DConfig(Config):
    """Size in cells, walls included; odd."""

    width: int
    height: int

    def __post_init__(self) -> None:
        check_size(self.width, self.height, self.max_steps)


@dataclass(frozen=True)
class Maze3DState:
    """The maze, the cells (row, column) of the player and of the target, and which way the player looks (index into HEADINGS)."""

    walls: Walls
    player: Cell
    heading: int
    target: Cell


class Maze3D(Puzzle[Maze3DConfig, Maze3DState]):
    """The ball is at least as many moves away as the maze is wide, less one; moves and turns together fit the limit of steps."""

    name = "maze_3d"
    title = "Maze 3D"
    presets = {"easy": Maze3DConfig(max_steps=20, width=7, height=7), "hard": Maze3DConfig(max_steps=30, width=9, height=9)}
    tightened = (Tightened("width", "more"), Tightened("height", "more"))
    strategies = ("bfs",)
    state_type = Maze3DState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        return {
            "move": Function(Choice({0: "ahead"}), "Walks one cell ahead; walls stop you."),
            "turn": Function(Choice(TURNS), "Turns on the spot, by a quarter to the left or right, or around."),
        }

    @cached_property
    def words(self) -> Mapping[str, Action]:
        turns = {1: "face_left", 2: "face_right", 3: "face_back"}
        return {"step_forward": Action("move", 0)} | {name: Action("turn", turn) for turn, name in turns.items()}

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (SIDE_PX, SIDE_PX, 3)

    def task(self) -> str:
        return (
            "You stand in a maze of corridors with brick walls and see what is ahead of you. Somewhere in it a red ball floats above a red "
            "tile. Walk onto the red tile, then stop. You stand in the middle of a square cell; two floor tiles are as wide as a cell."
        )

    def new(self, streams: Streams) -> Maze3DState:
        config, rng = self.config, streams("maze")
        for _ in range(1000):
            walls = carve(config.width, config.height, rng)
            cells = rooms(walls)
            player, target = (cells[n] for n in rng.choice(len(cells), size=2, replace=False).tolist())
            state = Maze3DState(walls, player, int(rng.integers(4)), target)
            moves = way(walls, player, target)
            if len(moves) >= max(config.width, config.height) - 1 and len(list(_walk(state))) < config.max_steps:
                return state
        size = f"{config.width} x {config.height}"
        raise InfrastructureError("make a maze", f"no way within {config.max_steps} steps in 1000 mazes of {size}")

    def apply(self, state: Maze3DState, action: Action) -> Effect[Maze3DState]:
        if action.name == "turn":
            turn = int(action.payload)  # type: ignore[arg-type]
            return Effect(replace(state, heading=(state.heading + _QUARTERS[turn]) % 4), f"You turned {TURNS[turn]}.")
        there = dict(neighbours(state.walls, state.player)).get(state.heading)
        if there is None:
            return Effect(state, "There is a wall ahead; you did not move.", done=False)
        return Effect(replace(state, player=there), "You walked one cell ahead.")

    def solved(self, state: Maze3DState) -> bool:
        return state.player == state.target

    def draw(self, state: Maze3DState) -> Picture:
        return view(state.walls, state.player, state.heading, state.target)

    def plan(self, state: Maze3DState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        return list(_walk(state))

    def pairs(self, state: Maze3DState) -> Sequence[tuple[Action, Action]]:
        return [(Action("turn", there), Action("turn", back)) for there, back in ((1, 2), (2, 1), (3, 3))]

    def faults(self, state: Maze3DState) -> Sequence[str]:
        size = (len(state.walls), len(state.walls[0]) if state.walls else 0)
        if size != (self.config.height, self.config.width):
            return [f"walls have {size[0]} rows of {size[1]}, the configuration says {self.config.height} of {self.config.width}"]
        wrong = [] if 0 <= state.heading < 4 else [f"heading is {state.heading}, expected 0 to 3 ({', '.join(HEADINGS)})"]
        return wrong + faults(state.walls, state.player, state.target)


def _walk(state: Maze3DState) -> Iterator[Action]:
    """The shortest way as turns and moves."""
    heading = state.heading
    for direction in way(state.walls, state.player, state.target):
        if direction != heading:
            yield Action("turn", _TURN_BY[(direction - heading) % 4])
            heading = direction
        yield Action("move", 0)


PUZZLE = Maze3D
