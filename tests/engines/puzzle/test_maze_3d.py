"""Maze 3D by rules of its own: turns, walls, and what can be seen from where."""

from __future__ import annotations

import numpy as np
import pytest

from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.games import _corridors as corridors
from assistworld.engines.puzzle.games import _mazes as mazes
from assistworld.engines.puzzle.games.maze_3d import Maze3DState
from assistworld.engines.puzzle.puzzle import AnyPuzzle
from assistworld.engines.puzzle.registry import make

WALLS = ("#######", "#.....#", "###.#.#", "#.#.#.#", "#.#.#.#", "#...#.#", "#######")
RIGHT, UP, LEFT, DOWN = range(4)


def moved(puzzle: AnyPuzzle, state: Maze3DState, *actions: tuple[str, int]) -> Maze3DState:
    for name, payload in actions:
        state = puzzle.apply(state, Action(name, payload)).state
    return state


def red_pixels(picture: np.ndarray) -> int:
    """Pixels far redder than any brick."""
    red, green, blue = (picture[..., channel].astype(int) for channel in range(3))
    return int(((red > 90) & (green < red * 0.5) & (blue < red * 0.5)).sum())


def test_turns_are_seen_from_above() -> None:
    puzzle = make("maze_3d")
    east = Maze3DState(WALLS, (1, 1), RIGHT, (1, 5))
    assert moved(puzzle, east, ("turn", 1)).heading == UP and moved(puzzle, east, ("turn", 2)).heading == DOWN
    assert moved(puzzle, east, ("turn", 3)).heading == LEFT
    assert moved(puzzle, east, ("move", 0), ("move", 0), ("turn", 2), ("move", 0)).player == (2, 3)
    blocked = puzzle.apply(moved(puzzle, east, ("turn", 1)), Action("move", 0))
    assert not blocked.done and "wall" in blocked.message and blocked.state.player == (1, 1)


def test_the_ball_is_seen_along_a_corridor_and_not_through_walls() -> None:
    puzzle = make("maze_3d")
    ahead = Maze3DState(WALLS, (1, 1), RIGHT, (1, 5))
    near = moved(puzzle, ahead, *[("move", 0)] * 3)
    there = moved(puzzle, near, ("move", 0))
    away, behind_walls = moved(puzzle, ahead, ("turn", 3)), Maze3DState(WALLS, (3, 1), RIGHT, (1, 5))
    far_red, near_red, there_red = (red_pixels(puzzle.draw(state)) for state in (ahead, near, there))
    assert 0 < far_red < near_red < there_red and puzzle.solved(there)
    assert red_pixels(puzzle.draw(away)) == red_pixels(puzzle.draw(behind_walls)) == 0


@pytest.mark.parametrize("heading", range(4))
def test_walls_stand_where_small_steps_along_a_ray_meet_them(heading: int) -> None:
    """Against a march in steps of a hundredth of a cell."""
    closed = np.array([[cell == "#" for cell in row] for row in WALLS])
    ahead, right = corridors._axes(heading)
    rays = (ahead + right * np.linspace(-0.95, 0.95, 41, dtype=np.float32)[:, None]).astype(np.float32)
    for cell in mazes.distances(WALLS, (1, 1)):
        eye = (np.array(cell) + 0.5 - corridors.BACK * ahead).astype(np.float32)
        depth, hit, _ = corridors._walls_hit(closed, eye, rays)
        for ray, found, wall in zip(rays, depth, hit, strict=True):
            march = eye + np.arange(0, 800)[:, None] * 0.01 * ray
            cells = np.floor(march).astype(int).clip(0, 6)
            first = int(np.argmax(closed[cells[:, 0], cells[:, 1]]))
            assert abs(first * 0.01 - found) <= 0.0101 + 1e-4, f"cell {cell}, ray {ray}"
            assert closed[tuple(wall)]


def test_a_heading_that_is_none_is_a_fault() -> None:
    assert "heading is 4" in make("maze_3d").faults(Maze3DState(WALLS, (1, 1), 4, (1, 5)))[0]
