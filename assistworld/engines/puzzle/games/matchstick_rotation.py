"""Matchstick Rotation: lay a matchstick onto its outline with moves whose unit of length is hidden."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import Colour, blank
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
from assistworld.engines.puzzle.spaces import Real, Row

SIDE_PX = 400
LENGTH_PX, WIDTH_PX = 80.0, 9.0
OUTLINE_PX = 15.0
"""Outer width of the outline, so that a stick on it leaves a rim."""
SHORTEST_SCALE, LONGEST_SCALE = 0.3, 3.0
"""Pixels that one unit of a move may stand for."""
FARTHEST = 1200.0
"""Units in one move: enough to cross the picture with the shortest unit."""
FIRST_DISTANCE_PX, FIRST_ANGLE_DEG = 60.0, 25.0
"""Least offset that an episode begins with."""
PAPER: Colour = (250, 248, 242)
GRID: Colour = (228, 226, 220)
WOOD: Colour = (190, 132, 70)
RIM: Colour = (44, 120, 190)
INSIDE: Colour = (214, 232, 247)


@dataclass(frozen=True, kw_only=True)
class RotationConfig(Config):
    """Tolerances for the middle of the stick in pixels of the picture, and for its direction in degrees."""

    position_tolerance_px: float
    angle_tolerance_deg: float

    def __post_init__(self) -> None:
        limits = {"position_tolerance_px": FIRST_DISTANCE_PX, "angle_tolerance_deg": FIRST_ANGLE_DEG}
        wrong = [(name, limit) for name, limit in limits.items() if not 0.5 <= getattr(self, name) < limit]
        if self.max_steps < 4:
            wrong.append(("max_steps", math.inf))
        if wrong:
            fixes = [Problem(name, f"is {getattr(self, name)}", f"0.5 to below {limit:g}; max_steps at least 4") for name, limit in wrong]
            raise InputError("matchstick_rotation", fixes)


@dataclass(frozen=True)
class Stick:
    """Column and row of its middle in pixels; its direction in degrees, counter-clockwise from the right, 0 to below 180."""

    x_px: float
    y_px: float
    angle_deg: float


@dataclass(frozen=True)
class RotationState:
    """The stick, the outline, and how many pixels one unit of a move is: the player is not told that."""

    stick: Stick
    outline: Stick
    px_per_unit: float


class MatchstickRotation(Puzzle[RotationConfig, RotationState]):
    """The two ends of a stick are alike: directions are compared modulo 180 degrees. Moves are in units of hidden length, turns in degrees.

    `noise` of a solver: standard deviation, in pixels, of where each move but the last one ends.
    """

    name = "matchstick_rotation"
    title = "Matchstick Rotation"
    presets = {
        "easy": RotationConfig(max_steps=20, position_tolerance_px=10.0, angle_tolerance_deg=15.0),
        "hard": RotationConfig(max_steps=30, position_tolerance_px=5.0, angle_tolerance_deg=10.0),
    }
    tightened = (Tightened("position_tolerance_px", "less"), Tightened("angle_tolerance_deg", "less"))
    strategies = ("unit_first", "stochastic")
    state_type = RotationState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        way = Real(-FARTHEST, FARTHEST, "units")
        row = Row((("dx", way), ("dy", way), ("dtheta", Real(-180, 180, "degrees"))), square=True)
        meaning = (
            "Moves the stick dx units to the right and dy units down, and turns it by dtheta degrees counter-clockwise about its middle. "
            "How long a unit is in the picture is not known; it is the same in the whole episode."
        )
        return {"move": Function(row, meaning)}

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (SIDE_PX, SIDE_PX, 3)

    def task(self) -> str:
        return (
            f"The picture, {SIDE_PX} by {SIDE_PX} pixels with grid lines every 50 pixels, shows a brown stick and the blue outline of one. "
            "Lay the stick onto the outline, then stop. The two ends of the stick are alike."
        )

    def new(self, streams: Streams) -> RotationState:
        rng = streams("sticks")
        scale = float(rng.uniform(SHORTEST_SCALE, LONGEST_SCALE))
        while True:
            stick, outline = (_drawn(rng) for _ in range(2))
            far = math.hypot(stick.x_px - outline.x_px, stick.y_px - outline.y_px)
            if far >= FIRST_DISTANCE_PX and _turn(stick, outline) >= FIRST_ANGLE_DEG:
                return RotationState(stick, outline, scale)

    def apply(self, state: RotationState, action: Action) -> Effect[RotationState]:
        dx, dy, turn = (float(part) for part in action.payload)  # type: ignore[union-attr, arg-type]
        stick, scale = state.stick, state.px_per_unit
        there = Stick(stick.x_px + scale * dx, stick.y_px + scale * dy, _wrapped(stick.angle_deg + turn))
        if not (0.0 <= there.x_px <= SIDE_PX and 0.0 <= there.y_px <= SIDE_PX):
            return Effect(state, "The middle of the stick would leave the picture; it did not move.", done=False)
        return Effect(replace(state, stick=there), "The stick moved.")

    def tolerances(self) -> tuple[Tolerance, ...]:
        return (
            Tolerance("the middle of the stick", self.config.position_tolerance_px, "pixels"),
            Tolerance("the direction of the stick", self.config.angle_tolerance_deg, "degrees"),
        )

    def errors(self, state: RotationState) -> tuple[float, ...]:
        stick, outline = state.stick, state.outline
        return (math.hypot(stick.x_px - outline.x_px, stick.y_px - outline.y_px), _turn(stick, outline))

    def draw(self, state: RotationState) -> Picture:
        picture = _table(state.outline).copy()
        _lay(picture, state.stick, LENGTH_PX, WIDTH_PX, WOOD)
        return picture

    def plan(self, state: RotationState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        if options.limit < 1:
            raise Unsolved("matchstick_rotation: no step is left for a move")
        wanted = {"unit_first": 3, "stochastic": 5}[strategy] if options.num_steps is None else max(options.num_steps, 1)
        found = list[Action]()
        for left in range(min(wanted, options.limit) - 1, 0, -1):
            move = _unit_move(state) if strategy == "unit_first" else _part_of_the_way(state, left, rng)
            noisy = tuple(round(part + float(n), 3) for part, n in zip(move, _noise(state, options.noise, rng), strict=True))
            action = Action("move", noisy)
            effect = self.apply(state, action)
            if not effect.done:  # noise led out of the picture: the move without it stays inside
                action = Action("move", move)
                effect = self.apply(state, action)
            state = effect.state
            found.append(action)
        return [*found, Action("move", _last_move(state))]

    def goal(self, state: RotationState) -> RotationState:
        return replace(state, stick=state.outline)

    def faults(self, state: RotationState) -> Sequence[str]:
        found = [
            f"the {name} is at ({stick.x_px:g}, {stick.y_px:g}), outside the picture of {SIDE_PX} pixels"
            for name, stick in (("stick", state.stick), ("outline", state.outline))
            if not (0.0 <= stick.x_px <= SIDE_PX and 0.0 <= stick.y_px <= SIDE_PX)
        ]
        found += [
            f"the direction of the {name} is {stick.angle_deg:g} degrees, not 0 to below 180"
            for name, stick in (("stick", state.stick), ("outline", state.outline))
            if not 0.0 <= stick.angle_deg < 180.0
        ]
        if not SHORTEST_SCALE <= state.px_per_unit <= LONGEST_SCALE:
            found.append(f"px_per_unit is {state.px_per_unit:g}, not {SHORTEST_SCALE:g} to {LONGEST_SCALE:g}")
        return found


def _drawn(rng: np.random.Generator) -> Stick:
    margin = LENGTH_PX / 2 + 10
    x, y = rng.uniform(margin, SIDE_PX - margin, size=2).tolist()
    return Stick(x, y, float(rng.uniform(0, 180)))


def _wrapped(angle_deg: float) -> float:
    """Modulo 180, and below it also where rounding would make it 180."""
    turned = angle_deg % 180.0
    return 0.0 if turned >= 180.0 else turned


def _turn(a: Stick, b: Stick) -> float:
    """Degrees between two directions, 0 to 90."""
    between = abs(a.angle_deg - b.angle_deg) % 180.0
    return min(between, 180.0 - between)


def _offset(state: RotationState) -> tuple[float, float, float]:
    """Units right, units down and degrees counter-clockwise (-90 to 90) from the stick to its outline."""
    stick, outline = state.stick, state.outline
    turn = (outline.angle_deg - stick.angle_deg + 90.0) % 180.0 - 90.0
    return (outline.x_px - stick.x_px) / state.px_per_unit, (outline.y_px - stick.y_px) / state.px_per_unit, turn


def _last_move(state: RotationState) -> tuple[float, float, float]:
    dx, dy, turn = _offset(state)
    return round(dx, 3), round(dy, 3), round(turn, 2)


def _unit_move(state: RotationState) -> tuple[float, float, float]:
    """One unit towards the outline without turning; along one axis or the diagonal, so that its length can be measured in the picture."""
    dx, dy, _ = _offset(state)
    far = max(math.hypot(dx, dy), 1e-9)
    steps = [(round(dx / far) * 1.0, round(dy / far) * 1.0), (1.0, 0.0), (-1.0, 0.0)]
    x, y = next((x, y) for x, y in steps if (x or y) and _stays(state, x, y))
    return x, y, 0.0


def _stays(state: RotationState, dx: float, dy: float) -> bool:
    x, y = state.stick.x_px + state.px_per_unit * dx, state.stick.y_px + state.px_per_unit * dy
    return 0.0 <= x <= SIDE_PX and 0.0 <= y <= SIDE_PX


def _part_of_the_way(state: RotationState, left: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """A random part of what is missing, about an even share of it."""
    dx, dy, turn = _offset(state)
    a, b = (rng.uniform(0.4, 1.2, size=2) / (left + 1)).tolist()
    return round(a * dx, 3), round(a * dy, 3), round(b * turn, 2)


def _noise(state: RotationState, sigma_px: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Units right, units down, degrees."""
    if sigma_px <= 0:
        return np.zeros(3)
    return np.array([*rng.normal(0.0, sigma_px / state.px_per_unit, size=2), rng.normal(0.0, sigma_px)])


@lru_cache(maxsize=32)
def _table(outline: Stick) -> Picture:
    """Paper, grid and outline; shared, so not to be written to."""
    picture = blank(SIDE_PX, SIDE_PX, PAPER)
    picture[50::50], picture[:, 50::50] = GRID, GRID
    _lay(picture, outline, LENGTH_PX + OUTLINE_PX - WIDTH_PX, OUTLINE_PX, RIM)
    _lay(picture, outline, LENGTH_PX + 1, WIDTH_PX + 1, INSIDE)
    picture.setflags(write=False)
    return picture


def _lay(picture: Picture, stick: Stick, length_px: float, width_px: float, colour: Colour) -> None:
    """Blend a stick with round ends into a picture; pixels on its edge in proportion."""
    reach = math.ceil(length_px / 2 + width_px)
    top, left = max(int(stick.y_px) - reach, 0), max(int(stick.x_px) - reach, 0)
    window = picture[top : int(stick.y_px) + reach + 1, left : int(stick.x_px) + reach + 1]
    rows = np.arange(window.shape[0])[:, None] + top + 0.5 - stick.y_px
    columns = np.arange(window.shape[1])[None, :] + left + 0.5 - stick.x_px
    c, s = math.cos(math.radians(stick.angle_deg)), math.sin(math.radians(stick.angle_deg))
    along, across = columns * c - rows * s, columns * s + rows * c
    past = np.maximum(np.abs(along) - (length_px - width_px) / 2, 0.0)
    share = np.clip(width_px / 2 + 0.5 - np.hypot(past, across), 0.0, 1.0)[..., None]
    window[:] = (window * (1.0 - share) + np.array(colour) * share + 0.5).astype(np.uint8)


PUZZLE = MatchstickRotation
