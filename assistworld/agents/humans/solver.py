"""The person of a puzzle who knows the solution and plays it: the oracle of packs in which nobody helps. Privileged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistworld.agents.humans.scripted import ScriptedHuman

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack


def make(pack: TaskPack | None, seed: int, strategy: str = "") -> ScriptedHuman:
    """A person who plays what a solver of the puzzle finds. strategy: one of the puzzle's; empty for the default.

    Raises ValueError without a pack, InputError for a scenario or a strategy that there is not, Unsolved where there is no solution.
    """
    from assistworld.engines.puzzle.setting import begin
    from assistworld.engines.puzzle.solving import solve

    if pack is None:
        raise ValueError("the solver plays a pack's puzzle; it was given no pack")
    play = begin(pack.scenario.scenario(), seed)
    return ScriptedHuman(solve(play.puzzle, play.state, strategy=strategy or None, seed=seed), name="solver")
