"""Maze 2D, Sliding Block and Matchstick Equation by rules of their own."""

from __future__ import annotations

import itertools
from collections import deque

import numpy as np
import pytest

from assistcore.world.errors import InputError
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.games import _klotski as klotski
from assistworld.engines.puzzle.games import _matches as matches
from assistworld.engines.puzzle.games import _mazes as mazes
from assistworld.engines.puzzle.games.matchstick_equation import EquationState
from assistworld.engines.puzzle.games.maze_2d import MazeState
from assistworld.engines.puzzle.games.sliding_block import SlidingState
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.registry import make

WALLS = ("#####", "#...#", "#.###", "#...#", "#####")


@pytest.mark.parametrize("seed", range(6))
def test_a_maze_has_one_way_between_any_two_rooms(seed: int) -> None:
    walls = mazes.carve(11, 7, np.random.default_rng(seed))
    cells = mazes.rooms(walls)
    open_cells = sum(row.count(".") for row in walls)
    assert (len(walls), len(walls[0])) == (7, 11) and len(cells) == 15
    assert open_cells == 2 * len(cells) - 1, "a tree of 15 rooms has 14 passages"
    assert set(mazes.distances(walls, cells[0])) >= set(cells)


def test_directions_of_the_maze_and_its_walls() -> None:
    puzzle = make("maze_2d", width=5, height=5)
    state = MazeState(WALLS, (1, 1), (3, 3))
    right, up, left, down = (Action("move", n) for n in range(4))
    assert puzzle.apply(state, right).state.player == (1, 2) and puzzle.apply(state, down).state.player == (2, 1)
    for blocked in (up, left):
        effect = puzzle.apply(state, blocked)
        assert not effect.done and effect.state == state and "wall" in effect.message
    assert mazes.way(WALLS, (1, 1), (3, 3)) == [3, 3, 0, 0]
    assert str(puzzle.text(state)).splitlines()[:2] == ["#####", "#P..#"]
    assert tuple(puzzle.draw(state)[37, 37]) == (35, 98, 217) and tuple(puzzle.draw(state)[87, 87]) == (214, 48, 49)


@pytest.mark.parametrize("width", [4, 8, 3, 101, -9])
def test_sizes_that_no_maze_has_are_refused(width: int) -> None:
    with pytest.raises(InputError, match=str(width)):
        make("maze_2d", width=width)


def test_a_maze_from_a_file_must_be_one() -> None:
    puzzle = make("maze_2d", width=5, height=5)
    assert "no open cell" in puzzle.faults(MazeState(WALLS, (2, 2), (3, 3)))[0]
    assert "no way" in puzzle.faults(MazeState(("#####", "#...#", "#####", "#...#", "#####"), (1, 1), (3, 3)))[0]
    assert "edge" in puzzle.faults(MazeState((".####", *WALLS[1:]), (1, 1), (3, 3)))[0]


def test_blocks_fill_eighteen_of_twenty_cells_and_stay_on_the_board() -> None:
    at = klotski.FIRST
    assert klotski.faults(at) == [] and klotski.occupied(at).bit_count() == 18
    for seed in range(5):
        assert klotski.faults(klotski.shuffled(at, 40, np.random.default_rng(seed))) == []
    assert "on each other" in klotski.faults((1, 1, *at[2:]))[0]
    assert "block 1" in klotski.faults((3, *at[1:]))[0]


def breadth_first(start: klotski.Arrangement, goal: klotski.Arrangement) -> int:
    """The length of a shortest way, by plain breadth-first search."""
    far, queue = {start: 0}, deque([start])
    while queue:
        at = queue.popleft()
        if at == goal:
            return far[at]
        for _, after in klotski.moves(at):
            if after not in far:
                far[after] = far[at] + 1
                queue.append(after)
    raise AssertionError("not reached")


@pytest.mark.parametrize("seed", range(5))
def test_the_search_finds_shortest_ways(seed: int) -> None:
    rng = np.random.default_rng(seed)
    goal = klotski.shuffled(klotski.FIRST, 30, rng)
    start = klotski.shuffled(goal, 14, rng)
    way = klotski.shortest(start, goal, 30)
    assert way is not None and len(way) == breadth_first(start, goal)
    at: klotski.Arrangement | None = start
    for move in way:
        assert at is not None
        at = klotski.moved(at, move)
    assert at == goal and klotski.shortest(start, goal, len(way) - 1) is None


def test_a_blocked_block_says_so() -> None:
    puzzle = make("sliding_block")
    state = SlidingState(klotski.FIRST, klotski.FIRST)
    effect = puzzle.apply(state, Action("move", (1, 0)))
    assert not effect.done and "Block 1 cannot move up" in effect.message and effect.state == state
    assert puzzle.apply(state, Action("move", (4, 2))).state.blocks == (1, 8, 0, 7, *klotski.FIRST[4:])
    assert str(puzzle.text(state)).splitlines()[1:6] == ["3114    3114", "3114    3114", "226.    226.", "576.    576.", "5890    5890"]


def test_signs_of_matches_are_told_apart_by_one_stick() -> None:
    """The known pairs that differ by one stick, found from the segments alone."""
    pairs = {frozenset(p) for p in itertools.combinations("0123456789", 2) if len(matches.segments(p[0]) ^ matches.segments(p[1])) == 1}
    assert pairs == {frozenset(p) for p in ("17", "39", "56", "59", "68", "89", "08")}
    assert {len(matches.segments(digit)) for digit in "1"} == {2} and len(matches.segments("8")) == 7


@pytest.mark.parametrize("equation", ["8+3=11", "6-5=1", "20-19=1", "7+7=14"])
def test_moves_of_matches_are_all_there_are(equation: str) -> None:
    """Against trying every stick on every segment, with no table."""
    found = set()
    for i, sign in enumerate(equation):
        for j, there in enumerate(equation):
            if "=" in (sign, there):
                continue
            for a, b in itertools.product(range(matches.room(sign)), range(matches.room(there))):
                if a not in matches.segments(sign) or b in matches.segments(there):
                    continue
                lying = {n: set(matches.segments(s)) for n, s in enumerate(equation)}
                lying[i].remove(a)
                lying[j].add(b)
                made = [s if s == "=" else matches.sign_of(s, frozenset(lying[n])) for n, s in enumerate(equation)]
                if None not in made:
                    found.add(((i, a, j, b), "".join(str(s) for s in made)))
    assert set(matches.moves(equation)) == found and found


@pytest.mark.parametrize(("equation", "true"), [("8+3=11", True), ("8-3=5", True), ("3-8=5", False), ("05+1=6", True), ("1+1=3", False)])
def test_an_equation_holds_by_arithmetic(equation: str, true: bool) -> None:
    assert matches.holds(equation) is true


def test_moves_of_the_equation_are_rationed_and_undo_gives_them_back() -> None:
    puzzle = make("matchstick_equation")
    play = Play(puzzle, state=EquationState("6-5=0", ()))
    told = []
    for answer in (
        "('undo', 'undo')", "('move', [7, 0, 0, 0])", "('move', [3, 0, 0, 1])", "('move', [1, 5, 0, 1])", "('move', [0, 1, 0, 4])",
        "('move', [0, 4, 0, 5])", "('move', [0, 2, 1, 1])", "('move', [4, 4, 4, 6])", "('move', [0, 4, 0, 1])", "('undo', 'undo')",
    ):  # fmt: skip
        told.append(play.act(answer).message)
    assert "no move to undo" in told[0] and "no sign 7" in told[1] and "equals sign" in told[2] and "segments 0 and 1" in told[3]
    assert "No stick lies" in told[4] and "lies on segment 5" in told[5] and "no longer be read" in told[6]
    assert "moves left: 0" in told[7] and "used up" in told[8] and "undone" in told[9]
    assert play.state == EquationState("6-5=0", ())


@pytest.mark.parametrize("seed", range(8))
def test_no_fewer_moves_mend_an_equation_than_it_was_broken_by(seed: int) -> None:
    for preset, moves_needed in (("easy", 1), ("hard", 2)):
        state = Play(make("matchstick_equation", preset), seed=seed).state
        assert matches.solutions(state.equation, moves_needed - 1) == []
        assert {len(way) for way in matches.solutions(state.equation, moves_needed)} == {moves_needed}


def test_a_depth_first_search_shows_dead_ends_and_undoes_them() -> None:
    from assistworld.engines.puzzle.solving import solve

    puzzle = make("matchstick_equation", "hard")
    traces = [solve(puzzle, Play(puzzle, seed=seed).state, strategy="dfs", seed=seed) for seed in range(20)]
    undone = [sum("undo" in answer for answer in trace) for trace in traces]
    assert max(undone) > 3 and all(len(trace) - 1 - 2 * count == 2 for trace, count in zip(traces, undone, strict=True))
