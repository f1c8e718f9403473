"""What a puzzle is: a pure state machine with words, a picture and solvers. It knows no episode, no step count and no Gymnasium."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from assistcore.world.errors import AssistWorldError, InputError, Problem
from assistcore.world.randomness import stream
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.spaces import Space, Word

Picture: TypeAlias = NDArray[np.uint8]
"""Shape (height, width, 3), sRGB."""

STOP = Action("stop", "stop")


@dataclass(frozen=True, kw_only=True)
class Config:
    """Parameters of a puzzle. Every puzzle adds its own; `max_steps` counts every answer, malformed ones and `stop` included."""

    max_steps: int


@dataclass(frozen=True)
class Tightened:
    """A parameter in which hard differs from easy, and the direction in which it is harder."""

    parameter: str
    harder: Literal["more", "less"]


@dataclass(frozen=True)
class Tolerance:
    """What may be off by how much at `stop`. `unit` is that of :meth:`Puzzle.errors`, and the one that the player is told."""

    what: str
    limit: float
    unit: str


@dataclass(frozen=True)
class Function:
    """An action that a puzzle offers: what it takes and what it does, as a sentence of the instructions."""

    payload: Space
    meaning: str


@dataclass(frozen=True)
class SolveOptions:
    """How a solver goes about it. `num_steps`: least number of actions before stop; `limit`: most; `noise`: as the puzzle defines it."""

    num_steps: int | None
    limit: int
    noise: float = 0.0


class Unsolved(AssistWorldError):
    """A strategy found no solution within the steps that are left."""


C = TypeVar("C", bound=Config)
S = TypeVar("S")


@dataclass(frozen=True)
class Effect(Generic[S]):
    """What an action did. `done` is False where the puzzle refused it: the state is then the one before, and the message says why."""

    state: S
    message: str
    done: bool = True


class Streams:
    """Named random streams of one seed: `streams("walls")` is an independent generator, whatever else is drawn."""

    def __init__(self, seed: int, name: str) -> None:
        self.seed, self.name = seed, name

    def __call__(self, purpose: str) -> np.random.Generator:
        """The generator of one purpose, from its beginning."""
        return stream(self.seed, f"puzzle/{self.name}/{purpose}")


class Puzzle(ABC, Generic[C, S]):
    """One kind of puzzle with one configuration.

    States are frozen dataclasses of plain values (numbers, text, tuples, such dataclasses), so that they compare, are saved exactly and
    cannot be changed by accident. What is dear to make from a state is cached outside it.
    """

    name: ClassVar[str]
    """Name of its module below `games`, and the first part of its Gymnasium id."""
    title: ClassVar[str]
    presets: ClassVar[Mapping[str, Config]]
    """`easy` and `hard`; also `standard` where the seed paper has no parameter."""
    tightened: ClassVar[tuple[Tightened, ...]]
    """All parameters in which `hard` differs from `easy`, besides the step limit."""
    strategies: ClassVar[tuple[str, ...]]
    """Names that :meth:`plan` takes; the first is the default."""
    state_type: ClassVar[type[Any]]

    def __init__(self, config: C) -> None:
        """Raises InputError for a limit that leaves no step besides that of `stop`."""
        if config.max_steps < 2:
            raise InputError(self.name, [Problem("max_steps", f"is {config.max_steps}", "at least 2, since stop takes one")])
        self.config = config

    @property
    @abstractmethod
    def functions(self) -> Mapping[str, Function]:
        """The actions besides `stop`."""

    @cached_property
    def spaces(self) -> Mapping[str, Space]:
        """Name to payload space of every action, `stop` last."""
        return {**{name: function.payload for name, function in self.functions.items()}, "stop": Word("stop")}

    @property
    @abstractmethod
    def image_shape(self) -> tuple[int, int, int]:
        """Height, width, 3: the shape of every picture."""

    @abstractmethod
    def task(self) -> str:
        """What the picture shows and what is to be reached, without tolerances, actions and step limit: those are added."""

    @abstractmethod
    def new(self, streams: Streams) -> S:
        """A state to begin with: not solved, and solvable within `config.max_steps`, `stop` included."""

    @property
    def words(self) -> Mapping[str, Action]:
        """Actions that can be told aloud, by their verb in :mod:`~assistworld.engines.puzzle.vocabulary`; needed for guided play only."""
        return {}

    @abstractmethod
    def apply(self, state: S, action: Action) -> Effect[S]:
        """What an action of :attr:`spaces` (but `stop`) does. Never raises."""

    @abstractmethod
    def draw(self, state: S) -> Picture:
        """A new picture of the state, shape `image_shape`."""

    @abstractmethod
    def plan(self, state: S, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        """Actions after which the state is solved, without `stop`, at most `options.limit`. Raises Unsolved where there are none.

        A plan shorter than `options.num_steps` is padded with :meth:`pairs` afterwards.
        """

    def tolerances(self) -> tuple[Tolerance, ...]:
        """What may be off at the end; empty where the solution is exact."""
        return ()

    def errors(self, state: S) -> tuple[float, ...]:
        """By how much the state is off, one number for each of :meth:`tolerances`, in its unit."""
        return ()

    def solved(self, state: S) -> bool:
        """Whether `stop` now would be rewarded. A puzzle without tolerances must say so itself."""
        limits = self.tolerances()
        if not limits:
            raise NotImplementedError(f"{type(self).__name__} has no tolerances and must define solved()")
        return all(error <= limit.limit for error, limit in zip(self.errors(state), limits, strict=True))

    def pairs(self, state: S) -> Sequence[tuple[Action, Action]]:
        """Pairs of actions that lead away and exactly back; solvers are padded with them."""
        return ()

    def goal(self, state: S) -> S:
        """A solved state of the same episode, whose picture is the goal image. Default: where the first strategy ends."""
        limit = self.config.max_steps - 1
        for action in self.plan(state, self.strategies[0], stream(0, f"goal/{self.name}"), SolveOptions(None, limit)):
            state = self.apply(state, action).state
        return state

    def text(self, state: S) -> str | None:
        """The picture as text, for puzzles that can be written; else None."""
        return None

    def focus(self, state: S) -> tuple[float, float, float] | None:
        """Where a lamp in the player's hand lights the picture: row, column and radius in pixels; None where there is no such place."""
        return None

    def faults(self, state: S) -> Sequence[str]:
        """What is wrong with a state that came from a file; empty for one that :meth:`new` and :meth:`apply` could have made."""
        return ()


AnyPuzzle: TypeAlias = Puzzle[Any, Any]
