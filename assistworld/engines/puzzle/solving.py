"""Solutions as action texts: a strategy's plan, padded with reversible pairs where that is asked, and exactly one stop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from assistcore.world.errors import InputError, Problem, nearest
from assistcore.world.randomness import stream
from assistworld.engines.puzzle.actions import Action, write
from assistworld.engines.puzzle.puzzle import STOP, AnyPuzzle, SolveOptions, Unsolved


def solve(
    puzzle: AnyPuzzle,
    state: Any,
    *,
    strategy: str | None = None,
    seed: int = 0,
    num_steps: int | None = None,
    noise: float = 0.0,
    steps_left: int | None = None,
) -> list[str]:
    """The actions that solve the puzzle from a state, as text, `stop` last. The same seed gives the same actions.

    strategy: one of `puzzle.strategies`; None for the first. num_steps: least number of actions before `stop`. noise: see the puzzle.
    steps_left: most answers, `stop` included; None for the puzzle's limit.

    Raises:
        InputError: an unknown strategy, more steps asked for than are left, or a noise that is no amount.
        Unsolved: no solution within the steps that are left.
    """
    chosen = puzzle.strategies[0] if strategy is None else strategy
    if chosen not in puzzle.strategies:
        raise InputError(f"solve {puzzle.name}", [Problem("strategy", f"is {chosen!r}", nearest(chosen, puzzle.strategies))])
    limit = (puzzle.config.max_steps if steps_left is None else steps_left) - 1
    if num_steps is not None and not isinstance(num_steps, int):
        raise InputError(f"solve {puzzle.name}", [Problem("num_steps", f"is {num_steps!r:.80}", "a whole number")])
    if not isinstance(noise, int | float) or not 0.0 <= noise < math.inf:
        raise InputError(f"solve {puzzle.name}", [Problem("noise", f"is {noise!r:.80}", "0 or a larger number")])
    if num_steps is not None and not 0 <= num_steps <= limit:
        raise InputError(f"solve {puzzle.name}", [Problem("num_steps", f"is {num_steps}", f"0 to {limit}, since stop takes one step")])
    rng = stream(seed, f"solve/{puzzle.name}/{chosen}")
    actions = puzzle.plan(state, chosen, rng, SolveOptions(num_steps, limit, noise))
    if num_steps is not None and len(actions) < num_steps:
        actions = padded(puzzle, state, actions, rng, num_steps, limit)
    if len(actions) > limit:
        raise Unsolved(f"{puzzle.name}, strategy {chosen}: {len(actions)} actions and stop, but {limit + 1} steps are left")
    return [write(action, puzzle.spaces) for action in (*actions, STOP)]


def padded(puzzle: AnyPuzzle, state: Any, actions: Sequence[Action], rng: np.random.Generator, num_steps: int, limit: int) -> list[Action]:
    """The actions with pairs of :meth:`Puzzle.pairs` put in at random places until there are `num_steps`, or one more.

    Raises Unsolved where one more does not fit or where no state on the way has a pair.
    """
    longer, states = list(actions), [state]
    for action in actions:
        states.append(puzzle.apply(states[-1], action).state)
    while len(longer) < num_steps:
        places = rng.permutation(len(states)).tolist()
        place = next((p for p in places if puzzle.pairs(states[p])), None)
        if place is None or len(longer) + 2 > limit:
            lack = "no reversible pair" if place is None else f"no room for a pair within {limit} actions"
            raise Unsolved(f"{puzzle.name}: {len(longer)} actions cannot be padded to {num_steps}, there is {lack}")
        pairs = puzzle.pairs(states[place])
        away, back = pairs[int(rng.integers(len(pairs)))]
        longer[place:place] = [away, back]
        states[place + 1 : place + 1] = [puzzle.apply(states[place], away).state, states[place]]
    return longer
