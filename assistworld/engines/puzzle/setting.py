"""A scenario of the task interface as a puzzle with a state to begin with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assistcore.world.engine import Scenario
from assistcore.world.errors import AssistWorldError, InputError, Problem, nearest
from assistworld.engines.puzzle.play import Play, state_of
from assistworld.engines.puzzle.registry import PUZZLES, make

KEYS = ("preset", "seed", "parameters", "state")


def begin(scenario: Scenario, seed: int) -> Play:
    """The episode that a scenario describes: `scene` names the puzzle, `human` how it is set.

    human: `preset` (easy), `parameters` that override those of the preset, and what it begins with: `seed` (default: the episode's) or a
    `state` as `Play.save` writes it. `changes` must be empty.

    Raises InputError with every problem found.
    """
    human = scenario.human
    problems = list(_problems(scenario, human))
    if problems:
        raise InputError("puzzle scenario", problems)
    try:
        puzzle = make(scenario.scene, human.get("preset", "easy"), **human.get("parameters", {}))
    except InputError as error:
        raise InputError("puzzle scenario", [Problem(f"scenario#/human/{p.where}", p.what, p.fix) for p in error.problems]) from error
    except AssistWorldError as error:
        raise InputError("puzzle scenario", [Problem("scenario#/human", str(error))]) from error
    if "state" in human:
        return Play(puzzle, state=state_of(puzzle, human["state"], "scenario#/human/state"))
    return Play(puzzle, seed=human.get("seed", seed))


def _problems(scenario: Scenario, human: Mapping[str, Any]) -> Iterator[Problem]:
    if scenario.scene not in PUZZLES.names():
        yield Problem("scenario#/scene", f"no puzzle {scenario.scene!r}", nearest(scenario.scene, PUZZLES.names()))
    if scenario.changes:
        yield Problem("scenario#/changes", f"has {len(scenario.changes)} changes", "a puzzle takes none; give a state in human")
    yield from (Problem(f"scenario#/human/{key}", "is unknown", nearest(key, KEYS)) for key in human if key not in KEYS)
    if "seed" in human and "state" in human:
        yield Problem("scenario#/human", "has a seed and a state", "give one of them")
    if not isinstance(human.get("seed", 0), int) or isinstance(human.get("seed", 0), bool):
        yield Problem("scenario#/human/seed", f"is {human['seed']!r}", "a whole number")
    if not isinstance(human.get("preset", ""), str):
        yield Problem("scenario#/human/preset", f"is {human['preset']!r}", "easy, hard or standard")
    if not isinstance(human.get("parameters", {}), dict):
        yield Problem("scenario#/human/parameters", f"is {human['parameters']!r}", "a mapping of parameters")
