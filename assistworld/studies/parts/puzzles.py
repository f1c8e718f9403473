"""Every puzzle and preset: 70 episodes solved, every strategy in 20, no stop at once and hardly any blind answers that succeed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from assistcore.world.errors import AssistWorldError
from assistworld.engines.puzzle.actions import write
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.policies import random_answers
from assistworld.engines.puzzle.puzzle import STOP, AnyPuzzle
from assistworld.engines.puzzle.registry import make, presets
from assistworld.engines.puzzle.solving import solve

PACKAGES = ("assistworld/engines/puzzle", "assistcore/models", "assistcore/world")
"""The puzzles and what they stand on; nothing else decides how an episode of them goes."""
EPISODES, SOLVED_BY_EACH = 70, 20
BLIND_SHARE = 0.1
"""A random policy must stay below this."""
ROWS = tuple((name, preset) for name, listed in presets().items() for preset in listed)
CASES = len(ROWS)


def case(number: int) -> dict[str, Any]:
    """Puzzle and preset `number`: how often each policy succeeds in the episodes of seeds 0, 1, 2 ..."""
    name, preset = ROWS[number]
    puzzle = make(name, preset)
    default = [_solved(puzzle, seed, None) for seed in range(EPISODES)]
    found: dict[str, Any] = {
        "puzzle": name,
        "preset": preset,
        "max_steps": puzzle.config.max_steps,
        "solved": sum(not fault for _, fault in default),
        "steps": {"median": int(np.median([steps for steps, _ in default])), "most": max(steps for steps, _ in default)},
        "strategies": {},
        "stop_at_once": sum(_reward(puzzle, seed, [write(STOP, puzzle.spaces)]) for seed in range(EPISODES)),
        "random": sum(_reward(puzzle, seed, random_answers(puzzle, np.random.default_rng(seed))) for seed in range(EPISODES)),
    }
    faults = [f"seed {seed}: {fault}" for seed, (_, fault) in enumerate(default) if fault]
    for strategy in puzzle.strategies:
        tried = [(seed, _solved(puzzle, seed, strategy)[1]) for seed in range(SOLVED_BY_EACH)]
        found["strategies"][strategy] = sum(not fault for _, fault in tried)
        faults += [f"{strategy}, seed {seed}: {fault}" for seed, fault in tried if fault]
    if found["stop_at_once"]:
        faults.append(f"{found['stop_at_once']} of {EPISODES} episodes begin solved")
    if found["random"] >= BLIND_SHARE * EPISODES:
        faults.append(f"a random policy solves {found['random']} of {EPISODES}")
    return {"ok": not faults, **found, **({"faults": faults} if faults else {})}


def _solved(puzzle: AnyPuzzle, seed: int, strategy: str | None) -> tuple[int, str]:
    """The steps of a solution, `stop` included, and what is wrong with it; empty for nothing."""
    play = Play(puzzle, seed=seed)
    try:
        answers = solve(puzzle, play.state, strategy=strategy, seed=seed)
    except AssistWorldError as error:
        return 0, str(error)
    for answer in answers:
        turn = play.act(answer)
        if turn.kind not in ("done", "stopped"):
            return len(answers), f"{answer}: {turn.feedback}"
    stops = sum(turn.kind == "stopped" for turn in play.turns)
    return len(answers), "" if play.reward and stops == 1 else f"reward {play.reward} after {stops} stops"


def _reward(puzzle: AnyPuzzle, seed: int, answers: Iterator[str] | Sequence[str]) -> int:
    play = Play(puzzle, seed=seed)
    for answer in answers:
        if not play.over:
            play.act(answer)
    return play.reward


def totals(cases: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """All together."""
    return {
        "environments": len({c["puzzle"] for c in cases if "puzzle" in c}),
        "episodes": EPISODES * len(cases),
        "solved": sum(c.get("solved", 0) for c in cases),
        "stop_at_once": sum(c.get("stop_at_once", 0) for c in cases),
        "random": sum(c.get("random", 0) for c in cases),
    }
