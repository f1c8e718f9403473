"""What the two mental rotations share: a solid beside its target orientation, turned until they agree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar, Generic, TypeVar

import numpy as np

from assistcore.world import poses
from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import stamp_letters
from assistworld.engines.puzzle.games import _rotations as rotations
from assistworld.engines.puzzle.games._raster import Lens, Plate, exposed
from assistworld.engines.puzzle.games._rotations import Orientation, Turn
from assistworld.engines.puzzle.games._solids import Solid
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Tolerance
from assistworld.engines.puzzle.spaces import Real, Row

SIDE_PX = 256
LEAST_START_DEG = 45.0
"""Episodes begin at least this far from the target."""
_NAMES = ("yaw", "pitch", "roll")
_TOP, _BOTTOM, _LINE, _INK = (226, 233, 242), (196, 203, 213), (90, 96, 108), (60, 66, 78)
STRATEGIES = ("axis-angle", "by-axis", "pad1_axis-angle", "pad1_by-axis", "pad3_axis-angle", "pad3_by-axis")


@dataclass(frozen=True, kw_only=True)
class TurningConfig(Config):
    """tolerance_deg: largest angle, along the shortest rotation, between the orientation at the end and the target's."""

    tolerance_deg: float

    def __post_init__(self) -> None:
        if not 0 < self.tolerance_deg < LEAST_START_DEG:
            allowed = f"more than 0 and less than {LEAST_START_DEG:g}"
            raise InputError("mental rotation", [Problem("tolerance_deg", f"is {self.tolerance_deg}", allowed)])


@dataclass(frozen=True)
class Oriented:
    """Orientations of the two solids, (w, x, y, z)."""

    current: Orientation
    target: Orientation


C = TypeVar("C", bound=TurningConfig)
S = TypeVar("S", bound=Oriented)


class Turning(Puzzle[C, S], Generic[C, S]):
    """A puzzle about one solid. Strategies turn about one axis, or about yaw, pitch and roll one after the other (`by-axis`).

    `pad1_` goes once around yaw before it turns, in quarters, `pad3_` once around each axis, which shows the solid from all sides; there,
    `by-axis` corrects an axis after its round. Rounds for which no steps are left are left out. More steps than the strategy needs split
    its turns at random. `noise`: standard deviation, degrees, of errors in all turns but the last, which makes up for them.
    """

    order: ClassVar[tuple[int, int, int]]
    """Which of yaw (0), pitch (1), roll (2) the payload has first, second, third."""

    @abstractmethod
    def solid(self, state: S) -> Solid:
        """The solid, within a distance of 1 from its centre; shared."""

    @abstractmethod
    def turned(self, state: S, current: Orientation) -> S:
        """The state with another orientation."""

    @abstractmethod
    def what(self) -> str:
        """What is turned, for the instructions: `The figure of cubes`."""

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        degrees = Real(-180.0, 180.0, "degrees")
        parts = tuple((f"d{_NAMES[axis]}", degrees) for axis in self.order)
        meaning = (
            "Turns the right one about the axes of the picture, which stay fixed: first by yaw about the vertical axis (positive brings "
            "its front to the right), then by pitch about the horizontal axis (positive brings its top towards you), then by roll about "
            "the line of sight (positive is anticlockwise)."
        )
        return {"rotate": Function(Row(parts, square=True), meaning)}

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (SIDE_PX, 2 * SIDE_PX, 3)

    def task(self) -> str:
        return (
            f"{self.what()} is shown twice: on the left in the orientation that is wanted, on the right as it is now. Turn the right one "
            "until it is oriented like the left one, then stop. How far it is off is the angle of the one rotation that would bring them "
            "together."
        )

    def tolerances(self) -> tuple[Tolerance, ...]:
        return (Tolerance("the orientation", self.config.tolerance_deg, "degrees"),)

    def errors(self, state: S) -> tuple[float, ...]:
        return (rotations.angle_deg(rotations.between(state.current, state.target)),)

    def apply(self, state: S, action: Action) -> Effect[S]:
        given: Sequence[float] = action.payload  # type: ignore[assignment]
        turn = self._turn(given)
        told = ", ".join(f"{name} {degrees:g}" for name, degrees in zip(_NAMES, turn, strict=True))
        return Effect(self.turned(state, rotations.after(turn, state.current)), f"Turned by {told} degrees.")

    def draw(self, state: S) -> Picture:
        solid = self.solid(state)
        picture = np.empty(self.image_shape, np.uint8)
        picture[:, :SIDE_PX] = _shown_before(solid, state.target)
        picture[:, SIDE_PX:] = _shown(solid, state.current)
        picture[:, SIDE_PX - 1 : SIDE_PX + 1] = _LINE
        for text, column in (("target", SIDE_PX / 2), ("current", 1.5 * SIDE_PX)):
            stamp_letters(picture, text, 13, (12, column), _INK)
        return picture

    def goal(self, state: S) -> S:
        return self.turned(state, state.target)

    def plan(self, state: S, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        whole = rotations.between(state.current, state.target)
        rounds, _, manner = strategy.rpartition("_")
        corrections = [turn for turn in _by_axis(whole) if any(turn)] if manner == "by-axis" else [rotations.turn_of(whole)]
        count = {"pad1": 1, "pad3": 3}.get(rounds, 0)
        count = max(0, min(count, (options.limit - len(corrections)) // 4))
        spare = max(0, (options.num_steps or 0) - 4 * count - len(corrections))
        if manner == "by-axis":
            parts = [_split(turn, 1 + n, rng) for turn, n in zip(corrections, _dealt(spare, len(corrections), rng), strict=True)]
            turns = [turn for axis, part in enumerate(_padded_to(parts, 3)) for turn in (*_round(axis, count), *part)]
        else:
            turns = [turn for axis in range(3) for turn in _round(axis, count)]
            turns += [rotations.turn_of(rotations.share_of(whole, part)) for part in rotations.shares(1 + spare, rng, even=False)]
        return self._rounded(state, turns, rng, options.noise)

    def faults(self, state: S) -> Sequence[str]:
        return [
            f"{what} is no unit quaternion: {quat}"
            for what, quat in (("current", state.current), ("target", state.target))
            if abs(float(np.linalg.norm(quat)) - 1) > 1e-9
        ]

    def _turn(self, payload: Sequence[float]) -> Turn:
        """Yaw, pitch, roll of a payload."""
        yaw, pitch, roll = (float(payload[self.order.index(axis)]) for axis in range(3))
        return (yaw, pitch, roll)

    def _rounded(self, state: S, turns: Sequence[Turn], rng: np.random.Generator, noise: float) -> list[Action]:
        """Turns to a hundredth of a degree, with errors where asked; the last is what is then still missing."""
        current, actions = state.current, list[Action]()
        for number, exact in enumerate(turns):
            last = number == len(turns) - 1
            if last:
                exact = rotations.turn_of(rotations.between(current, state.target)) if noise else exact
            elif noise:
                exact = tuple(degrees + float(rng.normal(0, noise)) for degrees in exact)  # type: ignore[assignment]
            turn = tuple(round(min(180.0, max(-180.0, degrees)), 2) + 0.0 for degrees in exact)
            current = rotations.after(turn, current)  # type: ignore[arg-type]
            actions.append(Action("rotate", tuple(turn[axis] for axis in self.order)))
        return actions


def orientations(rng: np.random.Generator) -> Oriented:
    """A uniform target, and a uniform start that is far enough from it."""
    target = rotations.plain(rotations.random_quat(rng))
    while True:
        current = rotations.plain(rotations.random_quat(rng))
        if rotations.angle_deg(rotations.between(current, target)) >= LEAST_START_DEG:
            return Oriented(current, target)


def _by_axis(whole: rotations.F64) -> list[Turn]:
    yaw, pitch, roll = rotations.turn_of(whole)
    return [(yaw, 0.0, 0.0), (0.0, pitch, 0.0), (0.0, 0.0, roll)]


def _round(axis: int, count: int) -> Sequence[Turn]:
    return list(rotations.full_turn(axis)) if axis < count else []


def _padded_to(parts: list[list[Turn]], count: int) -> list[list[Turn]]:
    return parts + [[] for _ in range(count - len(parts))]


def _dealt(spare: int, parts: int, rng: np.random.Generator) -> list[int]:
    """How many of `spare` more steps each part gets."""
    return np.bincount(rng.integers(parts, size=spare), minlength=parts).tolist() if parts else []


def _split(turn: Turn, count: int, rng: np.random.Generator) -> list[Turn]:
    parts = rotations.shares(count, rng, even=False)
    return [(turn[0] * part, turn[1] * part, turn[2] * part) for part in parts]


@lru_cache(maxsize=1)
def _lens() -> Lens:
    return Lens(np.array((0.0, 0.0, 4.2)), np.eye(3), 0.52, SIDE_PX, SIDE_PX)


@lru_cache(maxsize=1)
def _backdrop() -> Plate:
    return Plate.blank(_lens(), _TOP, _BOTTOM)


def _shown(solid: Solid, orientation: Orientation) -> Picture:
    return exposed(_backdrop(), _lens(), solid.placed(poses.matrix_from_quat_wxyz(np.array(orientation)))).picture


@lru_cache(maxsize=64)
def _shown_before(solid: Solid, orientation: Orientation) -> Picture:
    """The target, which stays the same for an episode; shared, so not to be written to. A solid is known by its identity."""
    return _shown(solid, orientation)
