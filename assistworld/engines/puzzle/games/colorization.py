"""Colorization: a disc of a picture has a wrong colour; turn its hue and change its saturation until it blends in again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import cast

import numpy as np

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import BLACK, WHITE, Colour, blank, disc, stamp
from assistworld.engines.puzzle.games._hues import MOST_SATURATION, hsv_of, rgb_of
from assistworld.engines.puzzle.games._photos import fault_of, square, unsuited
from assistworld.engines.puzzle.games._spots import DISC_PX, SIDE_PX, Spot, drawn_spot, places, spot_at
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened, Tolerance
from assistworld.engines.puzzle.spaces import Whole

WHEEL_PX, MARGIN_PX = 100, 14
"""Radius of the colour wheel, and the paper around it."""
LEFT_PX = 2 * (WHEEL_PX + MARGIN_PX)
FIRST_DISTANCE_PX = 40.0
"""Least distance on the wheel that an episode begins with."""
LEAST_FIRST_SATURATION = 60
LARGEST_TURN, LARGEST_CHANGE = 45, 60
"""Steps of the solver: degrees of hue, and units of saturation."""
PAPER: Colour = (246, 245, 241)


@dataclass(frozen=True, kw_only=True)
class ColorizationConfig(Config):
    """accuracy_radius_px: how far on the colour wheel, whose radius is 100 pixels, the dot may be from its goal. folder of pictures,
    sub-folders included, empty for the stills of the package.
    """

    accuracy_radius_px: float
    folder: str = ""

    def __post_init__(self) -> None:
        if not 2.0 <= self.accuracy_radius_px < FIRST_DISTANCE_PX:
            fix = f"2 to below {FIRST_DISTANCE_PX:g}"
            raise InputError("colorization", [Problem("accuracy_radius_px", f"is {self.accuracy_radius_px}", fix)])
        if self.max_steps < 12:
            raise InputError("colorization", [Problem("max_steps", f"is {self.max_steps}", "at least 12")])


@dataclass(frozen=True)
class ColorizationState:
    """The picture; the disc with its own mean colour; and the colour it has now: hue in degrees, 0 to 359, and saturation, 0 to 255."""

    picture: str
    spot: Spot
    hue_deg: int
    saturation: int


class Colorization(Puzzle[ColorizationConfig, ColorizationState]):
    """Every pixel of the disc keeps its brightness and its difference from the mean, so that at the goal the picture is the original."""

    name = "colorization"
    title = "Colorization"
    presets = {
        "easy": ColorizationConfig(max_steps=20, accuracy_radius_px=16.0),
        "hard": ColorizationConfig(max_steps=30, accuracy_radius_px=11.0),
    }
    tightened = (Tightened("accuracy_radius_px", "less"),)
    strategies = ("rotate",)
    state_type = ColorizationState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        saturate = "Adds to the saturation of the disc (0 is grey, 255 a pure colour): the dot moves outwards, or inwards if negative."
        return {
            "rotate": Function(Whole(-360, 360, "degrees"), "Turns the hue of the disc: the dot goes counter-clockwise round the wheel."),
            "saturate": Function(Whole(-MOST_SATURATION, MOST_SATURATION), saturate),
        }

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (SIDE_PX, LEFT_PX + SIDE_PX, 3)

    def task(self) -> str:
        return (
            "On the right is a picture in which one disc, ringed in black and white, has a wrong colour. On the left is a colour wheel of "
            f"{WHEEL_PX} pixels radius: hue goes round it, saturation grows from the middle to the rim, and the ringed dot marks the "
            "mean colour that the disc has now. Change hue and saturation until the disc has the colour that belongs there and "
            "goes on what surrounds it, then stop. Errors are the distance of the dot from its right place on the wheel."
        )

    def new(self, streams: Streams) -> ColorizationState:
        rng, found = streams("colour"), drawn_spot(self.config.folder, streams("picture"))
        if found is None:
            raise unsuited(self.config.folder)
        name, spot = found
        while True:
            hue, saturation = int(rng.integers(360)), int(rng.integers(LEAST_FIRST_SATURATION, MOST_SATURATION + 1))
            state = ColorizationState(name, spot, hue, saturation)
            if _distance_px(state) >= FIRST_DISTANCE_PX:
                return state

    def apply(self, state: ColorizationState, action: Action) -> Effect[ColorizationState]:
        change = cast(int, action.payload)
        if action.name == "rotate":
            return Effect(replace(state, hue_deg=(state.hue_deg + change) % 360), f"The hue was turned by {change} degrees.")
        saturation = min(max(state.saturation + change, 0), MOST_SATURATION)
        if saturation == state.saturation and change:
            return Effect(
                state, f"The saturation is {saturation} already, as {'large' if change > 0 else 'small'} as it can be.", done=False
            )
        return Effect(replace(state, saturation=saturation), f"The saturation was changed by {saturation - state.saturation}.")

    def tolerances(self) -> tuple[Tolerance, ...]:
        return (Tolerance("the dot on the colour wheel", self.config.accuracy_radius_px, "pixels"),)

    def errors(self, state: ColorizationState) -> tuple[float, ...]:
        return (_distance_px(state),)

    def draw(self, state: ColorizationState) -> Picture:
        picture = np.empty(self.image_shape, np.uint8)
        picture[:, :LEFT_PX] = _wheel()
        picture[:, LEFT_PX:] = square(self.config.folder, state.picture, SIDE_PX)
        _recolour(picture[:, LEFT_PX:], state)
        x, y = _place(state.hue_deg, state.saturation)
        column, row = round(LEFT_PX / 2 + x), round(SIDE_PX / 2 - y)
        for radius, colour in ((7.0, BLACK), (5.5, WHITE)):
            stamp(picture, disc(15, radius), row - 7, column - 7, colour)
        dot = rgb_of(np.array([[state.hue_deg, state.saturation, 230.0]]))[0].tolist()
        stamp(picture, disc(15, 4.0), row - 7, column - 7, (dot[0], dot[1], dot[2]))
        return picture

    def plan(self, state: ColorizationState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        turn = (state.spot.hue_deg - state.hue_deg + 180) % 360 - 180
        change = state.spot.saturation - state.saturation
        turns, changes = _steps(turn, LARGEST_TURN, rng), _steps(change, LARGEST_CHANGE, rng)
        if len(turns) + len(changes) > options.limit:  # few steps are left: both differences at once
            turns, changes = [turn] if turn else [], [change] if change else []
        return [Action("rotate", part) for part in turns] + [Action("saturate", part) for part in changes]

    def pairs(self, state: ColorizationState) -> Sequence[tuple[Action, Action]]:
        found = [(Action("rotate", turn), Action("rotate", -turn)) for turn in (-60, -25, 25, 60)]
        inside = [change for change in (-40, -20, 20, 40) if 0 <= state.saturation + change <= MOST_SATURATION]
        return found + [(Action("saturate", change), Action("saturate", -change)) for change in inside]

    def goal(self, state: ColorizationState) -> ColorizationState:
        return replace(state, hue_deg=state.spot.hue_deg, saturation=state.spot.saturation)

    def faults(self, state: ColorizationState) -> Sequence[str]:
        found = fault_of(self.config.folder, state.picture, SIDE_PX)
        if not found and not self._is_spot(state.picture, state.spot):
            found.append(f"spot {state.spot} is none of this picture")
        if not 0 <= state.hue_deg < 360:
            found.append(f"hue_deg is {state.hue_deg}, expected 0 to 359")
        if not 0 <= state.saturation <= MOST_SATURATION:
            found.append(f"saturation is {state.saturation}, expected 0 to {MOST_SATURATION}")
        return found

    def _is_spot(self, picture: str, spot: Spot) -> bool:
        there = any((row, column) == (spot.row, spot.column) for row, column, _ in places(self.config.folder, picture))
        return there and spot == spot_at(self.config.folder, picture, spot.row, spot.column)


def _place(hue_deg: float, saturation: float) -> tuple[float, float]:
    """Where a colour lies on the wheel: pixels to the right and up from its middle."""
    far, angle = WHEEL_PX * saturation / MOST_SATURATION, math.radians(hue_deg)
    return far * math.cos(angle), far * math.sin(angle)


def _distance_px(state: ColorizationState) -> float:
    return math.dist(_place(state.hue_deg, state.saturation), _place(state.spot.hue_deg, state.spot.saturation))


def _steps(total: int, largest: int, rng: np.random.Generator) -> list[int]:
    """Parts of a difference in its direction, each from half of the largest step to all of it, the last one less."""
    parts = list[int]()
    while total:
        part = min(abs(total), int(rng.integers(largest // 2, largest + 1)))
        parts.append(part if total > 0 else -part)
        total -= parts[-1]
    return parts


def _recolour(picture: Picture, state: ColorizationState) -> None:
    """Give the disc its colour, and a ring around it."""
    top, left = state.spot.row - DISC_PX, state.spot.column - DISC_PX
    size = 2 * DISC_PX + 1
    window, inside = picture[top : top + size, left : left + size], disc(size, DISC_PX)
    hsv = hsv_of(window)
    hsv[..., 0] = (hsv[..., 0] + state.hue_deg - state.spot.hue_deg) % 360.0
    hsv[..., 1] = np.clip(hsv[..., 1] + state.saturation - state.spot.saturation, 0, MOST_SATURATION)
    if (state.hue_deg, state.saturation) != (state.spot.hue_deg, state.spot.saturation):
        window[inside] = rgb_of(hsv)[inside]
    around = 2 * DISC_PX + 9
    outer, middle, inner = (disc(around, DISC_PX + edge) for edge in (3.0, 1.8, 0.6))
    stamp(picture, outer & ~middle, top - 4, left - 4, WHITE)
    stamp(picture, middle & ~inner, top - 4, left - 4, BLACK)


@lru_cache(maxsize=1)
def _wheel() -> Picture:
    """The colour wheel on paper; shared, so not to be written to."""
    panel = blank(SIDE_PX, LEFT_PX, PAPER)
    rows, columns = np.mgrid[0:SIDE_PX, 0:LEFT_PX]
    x, y = columns - LEFT_PX / 2, SIDE_PX / 2 - rows
    far = np.hypot(x, y)
    hue = np.degrees(np.arctan2(y, x)) % 360.0
    colours = rgb_of(np.stack([hue, np.minimum(far / WHEEL_PX, 1.0) * MOST_SATURATION, np.full(far.shape, 230.0)], -1))
    panel[far <= WHEEL_PX] = colours[far <= WHEEL_PX]
    panel.setflags(write=False)
    return panel


PUZZLE = Colorization
