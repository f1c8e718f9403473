"""Mental Rotation 2D: turn a round picture until it stands like the one beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import cast

import numpy as np

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import Colour, blank, disc, stamp_letters
from assistworld.engines.puzzle.games._photos import drawn, fault_of, square
from assistworld.engines.puzzle.puzzle import (
    Config,
    Effect,
    Function,
    Picture,
    Puzzle,
    SolveOptions,
    Streams,
    Tightened,
    Tolerance,
    Unsolved,
)
from assistworld.engines.puzzle.spaces import Whole

SIDE_PX = 224
HEAD_PX = 20
LEAST_FIRST_DEG = 30
"""Least angle that an episode begins with."""
LARGEST_TOLERANCE_DEG = 20.0
LEAST_CHANGE = 18.0
"""Mean difference (of 255) that a quarter, a half and three quarters of a turn make: a picture without it stands in several ways alike."""
PAPER: Colour = (246, 245, 241)
LABEL: Colour = (70, 68, 64)


@dataclass(frozen=True, kw_only=True)
class Rotation2DConfig(Config):
    """tolerance_deg: angle that may be off; folder of pictures, sub-folders included, empty for the stills of the package."""

    tolerance_deg: float
    folder: str = ""

    def __post_init__(self) -> None:
        if not 0.5 <= self.tolerance_deg <= LARGEST_TOLERANCE_DEG:
            fix = f"0.5 to {LARGEST_TOLERANCE_DEG:g}"
            raise InputError("mental_rotation_2d", [Problem("tolerance_deg", f"is {self.tolerance_deg}", fix)])
        if self.max_steps < 2:
            raise InputError("mental_rotation_2d", [Problem("max_steps", f"is {self.max_steps}", "at least 2")])


@dataclass(frozen=True)
class Rotation2DState:
    """The picture, and how far it is turned now and in the goal: whole degrees counter-clockwise, 0 to 359."""

    picture: str
    angle_deg: int
    target_deg: int


class MentalRotation2D(Puzzle[Rotation2DConfig, Rotation2DState]):
    """Both pictures are turned, so that neither shows which way is up, and cut round, so that corners do not tell."""

    name = "mental_rotation_2d"
    title = "Mental Rotation 2D"
    presets = {"easy": Rotation2DConfig(max_steps=20, tolerance_deg=10.0), "hard": Rotation2DConfig(max_steps=30, tolerance_deg=5.0)}
    tightened = (Tightened("tolerance_deg", "less"),)
    strategies = ("partition",)
    state_type = Rotation2DState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        return {"rotate": Function(Whole(-180, 180, "degrees"), "Turns the left picture by that angle; positive is counter-clockwise.")}

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (SIDE_PX + HEAD_PX, 2 * SIDE_PX, 3)

    def task(self) -> str:
        return (
            "There are two round pictures of the same view: the left one can be turned about its middle, the right one is the target. "
            "Turn the left one until it stands like the right one, then stop."
        )

    def new(self, streams: Streams) -> Rotation2DState:
        picture, rng = drawn(self.config.folder, SIDE_PX, streams("picture"), _one_way_up), streams("angles")
        angle, away = int(rng.integers(360)), int(rng.integers(LEAST_FIRST_DEG, 361 - LEAST_FIRST_DEG))
        return Rotation2DState(picture, angle, (angle + away) % 360)

    def apply(self, state: Rotation2DState, action: Action) -> Effect[Rotation2DState]:
        angle = cast(int, action.payload)
        return Effect(replace(state, angle_deg=(state.angle_deg + angle) % 360), f"The left picture was turned by {angle} degrees.")

    def tolerances(self) -> tuple[Tolerance, ...]:
        return (Tolerance("the left picture", self.config.tolerance_deg, "degrees"),)

    def errors(self, state: Rotation2DState) -> tuple[float, ...]:
        return (float(abs(_missing(state))),)

    def draw(self, state: Rotation2DState) -> Picture:
        picture = _frame().copy()
        picture[HEAD_PX:, :SIDE_PX] = _turned(self.config.folder, state.picture, state.angle_deg)
        picture[HEAD_PX:, SIDE_PX:] = _turned(self.config.folder, state.picture, state.target_deg)
        return picture

    def plan(self, state: Rotation2DState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        missing = _missing(state)
        count = options.num_steps if options.num_steps is not None else int(missing != 0)
        if count == 0 and missing:
            count = 1
        if count > options.limit:
            raise Unsolved(f"mental_rotation_2d: {count} turns, but {options.limit} are left")
        return [Action("rotate", part) for part in _parts(missing, count, rng)]

    def goal(self, state: Rotation2DState) -> Rotation2DState:
        return replace(state, angle_deg=state.target_deg)

    def faults(self, state: Rotation2DState) -> Sequence[str]:
        angles = (("angle_deg", state.angle_deg), ("target_deg", state.target_deg))
        found = [f"{name} is {angle}, expected 0 to 359" for name, angle in angles if not 0 <= angle < 360]
        return [*found, *fault_of(self.config.folder, state.picture, SIDE_PX)]


def _missing(state: Rotation2DState) -> int:
    """Degrees from now to the target, -180 to below 180."""
    return (state.target_deg - state.angle_deg + 180) % 360 - 180


def _parts(total: int, count: int, rng: np.random.Generator) -> list[int]:
    """Random whole parts with that sum, none above 180 in size; shares of an even split and up to 20 degrees to either side of them."""
    parts = list[int]()
    for left in range(count, 0, -1):
        share = round(total / left)
        part = total if left == 1 else share + int(rng.integers(-20, 21))
        parts.append(max(-180, min(180, part)))
        total -= parts[-1]
    return parts


@lru_cache(maxsize=64)
def _turned(folder: str, name: str, angle_deg: int) -> Picture:
    """A picture turned counter-clockwise and cut round; shared, so not to be written to."""
    from PIL import Image

    image = Image.fromarray(square(folder, name, SIDE_PX)).rotate(angle_deg, Image.Resampling.BILINEAR)
    picture = np.array(image)
    picture[~disc(SIDE_PX, SIDE_PX / 2 - 4)] = PAPER
    picture.setflags(write=False)
    return picture


def _one_way_up(picture: Picture) -> bool:
    small = picture[::4, ::4].astype(np.int16)
    inside = disc(small.shape[0], small.shape[0] / 2 - 1)
    return all(float(np.abs(small - np.rot90(small, quarters))[inside].mean()) >= LEAST_CHANGE for quarters in (1, 2, 3))


@lru_cache(maxsize=1)
def _frame() -> Picture:
    """Paper with the two headings; shared, so not to be written to."""
    picture = blank(SIDE_PX + HEAD_PX, 2 * SIDE_PX, PAPER)
    for number, word in enumerate(("now", "target")):
        stamp_letters(picture, word, 14, (HEAD_PX / 2 + 1, (number + 0.5) * SIDE_PX), LABEL)
    picture.setflags(write=False)
    return picture


PUZZLE = MentalRotation2D
