"""Seventeen visual puzzles with solvers: pure state machines, played as Gymnasium environments or one by one.

A puzzle is a :class:`~assistworld.engines.puzzle.puzzle.Puzzle` (one file below `games`), an episode of it a
:class:`~assistworld.engines.puzzle.play.Play`. :func:`register` makes `gymnasium.make("assistworld/maze_2d-easy-v0")` work; so does
`gymnasium.make("assistworld.engines.puzzle.gym_ids:assistworld/maze_2d-easy-v0")` by itself.
"""

from __future__ import annotations

from typing import NoReturn

from assistcore.world.errors import InfrastructureError


def register() -> tuple[str, ...]:
    """Register `assistworld/<puzzle>-<preset>-v0` with Gymnasium (the `train` extra) and return the ids. Doing it again changes nothing.

    Raises ImportError where Gymnasium is not installed.
    """
    from assistworld.engines.puzzle.gym_env import register_all

    return register_all()


def make() -> NoReturn:
    """Puzzles are no engine for packs yet. Raises InfrastructureError, which says how they are played."""
    how = 'play them with assistworld.engines.puzzle.play.Play or gymnasium.make("assistworld/maze_2d-easy-v0") after register()'
    raise InfrastructureError("open the puzzles", f"packs cannot be played in puzzles yet; {how}")
