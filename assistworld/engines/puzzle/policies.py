"""Policies that see nothing: the floor under every score."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assistworld.engines.puzzle.actions import sample, write
from assistworld.engines.puzzle.puzzle import STOP, AnyPuzzle


def random_answers(puzzle: AnyPuzzle, rng: np.random.Generator) -> Iterator[str]:
    """Uniform actions until `stop` at a step that was drawn uniformly from all steps of the episode."""
    others = {name: space for name, space in puzzle.spaces.items() if name != "stop"}
    for _ in range(int(rng.integers(puzzle.config.max_steps))):
        yield write(sample(others, rng), puzzle.spaces)
    yield write(STOP, puzzle.spaces)
