"""The full counts of the puzzles: a case counts what it says, names what fails, and its digest covers all that decides an episode."""

from __future__ import annotations

from typing import Any

import pytest

from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.puzzle import Unsolved
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve
from assistworld.studies.parts import puzzles
from tests.engines.puzzle.walking import CASES, NAMES
from tests.repository.tree import PACKAGES, imports, modules


def test_every_puzzle_and_preset_is_a_case() -> None:
    assert set(puzzles.ROWS) == set(CASES) and puzzles.CASES == len(CASES) >= 2 * len(NAMES)


def test_a_case_counts_what_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "EPISODES", 10)
    found = puzzles.case(puzzles.ROWS.index(("maze_2d", "easy")))
    assert found["ok"] and found["solved"] == 10 and found["strategies"] == {"bfs": 20} and found["stop_at_once"] == 0
    assert 0 < found["steps"]["median"] <= found["steps"]["most"] <= found["max_steps"] == 20


def test_what_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:

    def lame(puzzle: Any, state: Any, **options: Any) -> list[str]:
        if options["seed"] == 3:
            raise Unsolved("too far")
        return solve(puzzle, state, **options) if options["seed"] != 4 else ["('move', 9)"]

    monkeypatch.setattr(puzzles, "solve", lame)
    monkeypatch.setattr(puzzles, "EPISODES", 6)
    monkeypatch.setattr(puzzles, "random_answers", lambda puzzle, rng: solve_anyhow())

    def solve_anyhow() -> list[str]:
        play = Play(make("maze_2d"), seed=0)
        return solve(play.puzzle, play.state)

    found = puzzles.case(puzzles.ROWS.index(("maze_2d", "easy")))
    assert not found["ok"] and found["solved"] == 4 and found["random"] >= 1
    told = "\n".join(found["faults"])
    assert "seed 3: too far" in told and "seed 4: ('move', 9)" in told and "a random policy solves" in told


def test_the_digest_covers_everything_that_the_puzzles_import() -> None:
    """A result is refused when code changed that decides an episode; what is imported for types or at first use counts as well."""
    known = modules()
    waiting = [name for name in known if name.startswith("assistworld.engines.puzzle")]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in reached or name not in known:
            continue
        reached.add(name)
        waiting += [found.target for found in imports(known[name]) if found.target.split(".")[0] in PACKAGES]
    covered = tuple(package.removesuffix(".py").replace("/", ".") for package in puzzles.PACKAGES)
    loose = sorted(
        name for name in reached if not name.startswith(covered) and name not in ("assistcore", "assistworld", "assistworld.engines")
    )
    assert not loose, f"not in PACKAGES of assistworld/studies/parts/puzzles.py: {loose}"
