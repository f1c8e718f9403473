"""Policies that see nothing: the floor under every score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from assistcore.world.randomness import stream
from assistworld.engines.puzzle.actions import sample, write
from assistworld.engines.puzzle.puzzle import STOP, AnyPuzzle, Unsolved
from assistworld.engines.puzzle.solving import solve


def random_answers(puzzle: AnyPuzzle, rng: np.random.Generator) -> Iterator[str]:
    """Uniform actions until `stop` at a step that was drawn uniformly from all steps of the episode."""
    others = {name: space for name, space in puzzle.spaces.items() if name != "stop"}
    for _ in range(int(rng.integers(puzzle.config.max_steps))):
        yield write(sample(others, rng), puzzle.spaces)
    yield write(STOP, puzzle.spaces)


def wandering(puzzle: AnyPuzzle, state: Any, seed: int) -> list[str]:
    """Random moves that the puzzle allows, as many as a solution has (one more where they end in one), and a stop.

    Raises Unsolved where no such wandering ends without a solution.
    """
    rng = stream(seed, f"wander/{puzzle.name}")
    others = {name: space for name, space in puzzle.spaces.items() if name != "stop"}
    wanted, done = max(1, len(solve(puzzle, state)) - 1), list[str]()
    for _ in range(4000):
        if len(done) >= wanted and not puzzle.solved(state):
            return [*done, write(STOP, puzzle.spaces)]
        action = sample(others, rng)
        effect = puzzle.apply(state, action)
        if effect.done and len(done) < puzzle.config.max_steps - 1:
            done.append(write(action, puzzle.spaces))
            state = effect.state
    raise Unsolved(f"{puzzle.name}: 4000 random moves were no {wanted} allowed ones that end unsolved")
