"""What the two Fetch games share: a gripper that is sent along the axes, a red ball, and solvers that play the physics ahead."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.games._arm_drawing import SIDE_PX, pictured
from assistworld.engines.puzzle.games._arm_scene import (
    METRES_PER_UNIT,
    REACH_HIGH,
    REACH_LOW,
    Physics,
    Vec3,
    gripped,
    moved,
    physics_faults,
)
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Tolerance, Unsolved
from assistworld.engines.puzzle.spaces import Choice, Real, Row

FINE_M = 0.004
"""A solver does not correct less."""
AXES = (
    "The robot stands behind the table; x points away from it, y to its left, z up. The left half of the picture is seen from the robot's "
    "right, in front of it, the right half from its left. Shadows lie straight below things."
)


@dataclass(frozen=True, kw_only=True)
class ArmConfig(Config):
    """tolerance_cm: largest distance to the red ball at the end."""

    tolerance_cm: float

    def __post_init__(self) -> None:
        if not 0.5 <= self.tolerance_cm <= 12:
            raise InputError("game of the gripper", [Problem("tolerance_cm", f"is {self.tolerance_cm}", "0.5 to 12")])


MOST_DRAWS = 10_000
"""Beginnings that are drawn until one can be solved within the limit of steps."""


def too_few_steps(max_steps: int) -> InputError:
    """The error of a limit within which none of the beginnings that were drawn can be solved."""
    fix = "more: nothing that was drawn can be reached within so few"
    return InputError("game of the gripper", [Problem("max_steps", f"is {max_steps}", fix)])


@dataclass(frozen=True)
class ArmState:
    """target_m: the middle of the red ball."""

    physics: Physics
    target_m: Vec3


_EXPLORED: tuple[Vec3, ...] = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


class ArmGame(Puzzle[ArmConfig, ArmState]):
    """`oracle` goes along the axis that is furthest off, one axis at a time, and looks where it got. `explore_first` first goes one unit
    along each axis and back, as far as there are steps, which shows how far a unit is.

    More steps than needed are made by shorter moves, and by staying in place at the end. `noise`: standard deviation, units, of errors
    that are added to moves and corrected by those after them.
    """

    strategies = ("oracle", "explore_first")
    state_type = ArmState
    with_cube: ClassVar[bool]

    @abstractmethod
    def next_action(self, state: ArmState, units: float) -> Action | None:
        """What the oracle does; moves of at most `units`. None where it is done."""

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        part = Real(-1.0, 1.0)
        space = Row((("x", part), ("y", part), ("z", part)), square=True)
        unit = round(METRES_PER_UNIT * 100)
        move = Function(space, f"Moves the gripper by x, y and z, in units of {unit} cm, as far as it reaches.")
        if not self.with_cube:
            return {"move": move}
        meaning = "Opens or closes the fingers, which stay so until told otherwise."
        return {"move": move, "gripper": Function(Choice({0: "open", 1: "close"}), meaning)}

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (SIDE_PX, 2 * SIDE_PX, 3)

    def apply(self, state: ArmState, action: Action) -> Effect[ArmState]:
        if action.name == "gripper":
            close = action.payload == 1
            return Effect(replace(state, physics=gripped(state.physics, close)), f"The fingers {'closed' if close else 'opened'}.")
        physics, ends = moved(state.physics, action.payload)  # type: ignore[arg-type]
        limit = f" It is at the end of its reach along {' and '.join(ends)}." if ends else ""
        return Effect(replace(state, physics=physics), f"The gripper moved.{limit}")

    @abstractmethod
    def judged_m(self, state: ArmState) -> Vec3:
        """The point whose distance to the ball counts."""

    @property
    @abstractmethod
    def judged(self) -> str:
        """What this point is, for the instructions."""

    def tolerances(self) -> tuple[Tolerance, ...]:
        return (Tolerance(self.judged, self.config.tolerance_cm, "cm"),)

    def errors(self, state: ArmState) -> tuple[float, ...]:
        return (100 * math.dist(self.judged_m(state), state.target_m),)

    def draw(self, state: ArmState) -> Picture:
        return pictured(state.physics, state.target_m)

    def plan(self, state: ArmState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        best = self._played(state, strategy == "explore_first", 1.0, rng, options)
        wanted = options.num_steps or 0
        for units in (0.85, 0.7, 0.6, 0.5, 0.4, 0.3):
            if len(best) >= wanted:
                break
            try:
                slower = self._played(state, strategy == "explore_first", units, rng, options)
            except Unsolved:
                break
            best = slower if len(best) < len(slower) <= wanted else best
        return best + [Action("move", (0.0, 0.0, 0.0))] * (wanted - len(best))

    def faults(self, state: ArmState) -> Sequence[str]:
        found = physics_faults(state.physics, self.with_cube)
        for axis, at, low, high in zip("xyz", state.target_m, REACH_LOW, REACH_HIGH, strict=True):
            if not low <= at <= high:
                found.append(f"target_m has {axis} {at}, expected {low} to {high}")
        return found

    def _played(self, state: ArmState, explore: bool, units: float, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        """The oracle's actions, each chosen after the physics of those before it. Raises Unsolved at the limit."""
        actions = list[Action]()
        if explore:
            shortest = len(self._played(state, False, units, rng, options))
            spare = (options.limit - shortest - 1) // 2
            for x, y, z in _EXPLORED[: max(0, spare)]:
                actions += [Action("move", (x, y, z)), Action("move", (0.0 - x, 0.0 - y, 0.0 - z))]
        for action in actions:
            state = self.apply(state, action).state
        while (wanted := self.next_action(state, units)) is not None:
            if len(actions) >= options.limit:
                raise Unsolved(f"{self.name}: {options.limit} actions are not enough")
            action = wanted
            if options.noise and action.name == "move" and len(actions) < options.limit // 2:
                units_given: Vec3 = action.payload  # type: ignore[assignment]
                action = Action("move", tuple(_kept(unit + float(rng.normal(0, options.noise))) for unit in units_given))
            actions.append(action)
            state = self.apply(state, action).state
        return actions


def towards(at: Vec3, wanted: Vec3, units: float, axes: Sequence[int] = (0, 1, 2)) -> Action | None:
    """A move along the axis that is furthest off; None where none is off by more than a few millimetres."""
    off = [wanted[axis] - at[axis] if axis in axes else 0.0 for axis in range(3)]
    worst = max(range(3), key=lambda axis: abs(off[axis]))
    if abs(off[worst]) <= FINE_M:
        return None
    step = _kept(min(units, max(-units, off[worst] / METRES_PER_UNIT)))
    return Action("move", tuple(step if axis == worst else 0.0 for axis in range(3)))


def steps_between(a: Vec3, b: Vec3) -> int:
    """Moves along single axes from one point to another."""
    return sum(math.ceil((abs(p - q) - FINE_M) / METRES_PER_UNIT) for p, q in zip(a, b, strict=True) if abs(p - q) > FINE_M)


def drawn(rng: np.random.Generator, low: Vec3, high: Vec3) -> Vec3:
    """A uniform point of a box."""
    x, y, z = rng.uniform(low, high).tolist()
    return (x, y, z)


def _kept(units: float) -> float:
    return round(min(1.0, max(-1.0, units)), 2) + 0.0
