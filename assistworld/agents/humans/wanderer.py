"""The person of a puzzle who does as much as its solver, aimlessly, and stops unsolved: a control that must fail. Privileged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistworld.agents.humans.scripted import ScriptedHuman

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack


def make(pack: TaskPack | None, seed: int) -> ScriptedHuman:
    """A person who plays random moves that the puzzle allows, as many as its solver needs, and then stops where that is no solution.

    Raises ValueError without a pack, InputError for a scenario that there is not.
    """
    from assistworld.engines.puzzle.policies import wandering
    from assistworld.engines.puzzle.setting import begin

    if pack is None:
        raise ValueError("the wanderer plays a pack's puzzle; it was given no pack")
    play = begin(pack.scenario.scenario(), seed)
    return ScriptedHuman(wandering(play.puzzle, play.state, seed), name="wanderer")
