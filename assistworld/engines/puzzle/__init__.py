"""Seventeen visual puzzles with solvers: pure state machines, played as Gymnasium environments or one by one.

A puzzle is a :class:`~assistworld.engines.puzzle.puzzle.Puzzle` (one file below `games`), an episode of it a
:class:`~assistworld.engines.puzzle.play.Play`. :func:`register` makes `gymnasium.make("assistworld/maze_2d-easy-v0")` work; so does
`gymnasium.make("assistworld.engines.puzzle.gym_ids:assistworld/maze_2d-easy-v0")` by itself. :func:`make` is the engine of packs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistworld.engines.puzzle.engine import PuzzleEngine


def register() -> tuple[str, ...]:
    """Register `assistworld/<puzzle>-<preset>-v0` with Gymnasium (the `train` extra) and return the ids. Doing it again changes nothing.

    Raises InfrastructureError where Gymnasium is not installed.
    """
    from assistworld.engines.puzzle.gym_env import register_all

    return register_all()


def make() -> PuzzleEngine:
    """The engine that packs name `puzzle`."""
    from assistworld.engines.puzzle.engine import PuzzleEngine

    return PuzzleEngine()
