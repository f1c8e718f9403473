"""Matchstick Equation: an equation of matchsticks is wrong; move a stick or two so that it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from assistcore.world.errors import InfrastructureError, InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import Colour, blank, stamp_letters
from assistworld.engines.puzzle.games._matches import MatchMove, holds, is_equation, moves, room, segments, solutions
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened, Unsolved
from assistworld.engines.puzzle.spaces import Row, Whole, Word

HEIGHT_PX, WIDTH_PX = 80, 300
MOST_SIGNS = 8
"""Two digits for each of three numbers, an operator, the equals sign."""
SIGN_PX = 36
LARGEST_TERM = 20
TABLE: Colour = (247, 243, 234)
WOOD: Colour = (196, 143, 82)
HEAD: Colour = (168, 32, 36)
LABEL: Colour = (110, 106, 100)
UNDO = Action("undo", "undo")


@dataclass(frozen=True, kw_only=True)
class EquationConfig(Config):
    """`break_moves`: sticks that were moved to spoil the equation, and that may be moved to mend it."""

    break_moves: int

    def __post_init__(self) -> None:
        if not 1 <= self.break_moves <= 3:
            raise InputError("matchstick_equation", [Problem("break_moves", f"is {self.break_moves}", "1 to 3")])
        if self.max_steps <= self.break_moves:
            raise InputError("matchstick_equation", [Problem("max_steps", f"is {self.max_steps}", f"more than {self.break_moves}")])


@dataclass(frozen=True)
class EquationState:
    """The equation now, such as `8+3=11`, and what it was before each move that was not undone, oldest first."""

    equation: str
    before: tuple[str, ...]


class MatchstickEquation(Puzzle[EquationConfig, EquationState]):
    """Equations that no fewer moves than `break_moves` mend. After every move all signs can be read."""

    name = "matchstick_equation"
    title = "Matchstick Equation"
    presets = {"easy": EquationConfig(max_steps=20, break_moves=1), "hard": EquationConfig(max_steps=30, break_moves=2)}
    tightened = (Tightened("break_moves", "more"),)
    strategies = ("bfs", "dfs", "sos")
    state_type = EquationState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        sign, segment = Whole(0, MOST_SIGNS - 1), Whole(0, 6)
        row = Row((("src_idx", sign), ("src_seg", segment), ("dst_idx", sign), ("dst_seg", segment)), square=True)
        move = "Takes the stick from segment src_seg of sign src_idx and lays it on the empty segment dst_seg of sign dst_idx."
        return {"move": Function(row, move), "undo": Function(Word("undo"), "Takes the last move back, which can then be made again.")}

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (HEIGHT_PX, WIDTH_PX, 3)

    def task(self) -> str:
        count = self.config.break_moves
        return (
            "The picture shows an equation laid with matchsticks. It is wrong. Move "
            f"{'one stick' if count == 1 else f'at most {count} sticks'} so that the left side equals the right side, then stop. "
            "Signs are numbered from 0, as written below them. Segments of a digit: 0 top, 1 upper right, 2 lower right, 3 bottom, "
            "4 lower left, 5 upper left, 6 middle. Segments of a plus or minus: 0 lying, 1 upright. The sticks of the equals sign stay. "
            "After every move each sign must be readable."
        )

    def new(self, streams: Streams) -> EquationState:
        rng = streams("equation")
        for _ in range(1000):
            equation = _spoilt(_true_equation(rng), self.config.break_moves, rng)
            if equation is not None and not solutions(equation, self.config.break_moves - 1):
                return EquationState(equation, ())
        raise InfrastructureError("make an equation", f"no equation needs {self.config.break_moves} moves in 1000 tries")

    def apply(self, state: EquationState, action: Action) -> Effect[EquationState]:
        if action.name == "undo":
            if not state.before:
                return Effect(state, "There is no move to undo.", done=False)
            return Effect(EquationState(state.before[-1], state.before[:-1]), "The last move was undone.")
        if len(state.before) >= self.config.break_moves:
            return Effect(state, f"All {self.config.break_moves} moves are used up; undo one first.", done=False)
        move: MatchMove = action.payload  # type: ignore[assignment]
        after = dict(moves(state.equation)).get(move)
        if after is None:
            return Effect(state, _why_not(state.equation, move), done=False)
        left = self.config.break_moves - len(state.before) - 1
        return Effect(EquationState(after, (*state.before, state.equation)), f"The stick was moved; moves left: {left}.")

    def solved(self, state: EquationState) -> bool:
        return holds(state.equation)

    def draw(self, state: EquationState) -> Picture:
        picture = blank(HEIGHT_PX, WIDTH_PX, TABLE)
        left = (WIDTH_PX - SIGN_PX * len(state.equation)) // 2
        for number, sign in enumerate(state.equation):
            picture[:, left + number * SIGN_PX : left + (number + 1) * SIGN_PX] = _sign(sign, number)
        return picture

    def plan(self, state: EquationState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        undone = self._solvable(state)
        start = (*state.before, state.equation)[len(state.before) - undone]
        budget = self.config.break_moves - len(state.before) + undone
        found = solutions(start, budget)
        limit = options.limit - undone
        if strategy == "dfs":
            return [UNDO] * undone + _depth_first(start, budget, len(found[0]), limit, rng)
        way = [Action("move", move) for move in found[0]]
        return [UNDO] * undone + (_with_detours(start, way, budget, limit, rng) if strategy == "sos" else way)

    def pairs(self, state: EquationState) -> Sequence[tuple[Action, Action]]:
        if len(state.before) >= self.config.break_moves:
            return ()
        return [(Action("move", move), UNDO) for move, _ in moves(state.equation)]

    def text(self, state: EquationState) -> str:
        numbers = " ".join(str(number) for number in range(len(state.equation)))
        return f"number: {numbers}\nsign:   {' '.join(state.equation)}"

    def faults(self, state: EquationState) -> Sequence[str]:
        found = [f"{text!r:.40} is no equation" for text in (*state.before, state.equation) if not is_equation(text)]
        if found:
            return found
        if len(state.equation) > MOST_SIGNS:
            found.append(f"{state.equation!r} has more than {MOST_SIGNS} signs")
        if len(state.before) > self.config.break_moves:
            found.append(f"{len(state.before)} moves were made, {self.config.break_moves} are allowed")
        steps = pairwise((*state.before, state.equation))
        found += [f"no move leads from {a!r} to {b!r}" for a, b in steps if b not in {after for _, after in moves(a)}]
        return found

    def _solvable(self, state: EquationState) -> int:
        """Moves to undo until the rest of the budget is enough. Raises Unsolved where none is."""
        for undone in range(len(state.before) + 1):
            start = (*state.before, state.equation)[len(state.before) - undone]
            if solutions(start, self.config.break_moves - len(state.before) + undone):
                return undone
        raise Unsolved(f"matchstick_equation: {self.config.break_moves} moves do not mend {state.equation}")


def _true_equation(rng: np.random.Generator) -> str:
    a, b = sorted(rng.integers(0, LARGEST_TERM + 1, size=2).tolist(), reverse=True)
    if rng.random() < 0.5:
        return f"{a}-{b}={a - b}"
    return f"{a}+{b}={a + b}" if rng.random() < 0.5 else f"{b}+{a}={a + b}"


def _spoilt(equation: str, count: int, rng: np.random.Generator) -> str | None:
    """After `count` random moves; None where one has no move."""
    for _ in range(count):
        possible = [after for _, after in moves(equation)]
        if not possible:
            return None
        equation = possible[int(rng.integers(len(possible)))]
    return None if holds(equation) else equation


def _why_not(equation: str, move: MatchMove) -> str:
    """Why a move is refused."""
    for number, segment in (move[:2], move[2:]):
        if number >= len(equation):
            return f"There is no sign {number}: the equation has the signs 0 to {len(equation) - 1}."
        if equation[number] == "=":
            return f"Sign {number} is the equals sign; its sticks stay."
        if segment >= room(equation[number]):
            return f"Sign {number} is a plus or minus and has the segments 0 and 1 only, not {segment}."
    if move[1] not in segments(equation[move[0]]):
        return f"No stick lies on segment {move[1]} of sign {move[0]}."
    if move[3] in segments(equation[move[2]]):
        return f"A stick lies on segment {move[3]} of sign {move[2]} already."
    return "Illegal move: a sign could no longer be read."


def _depth_first(start: str, budget: int, depth: int, limit: int, rng: np.random.Generator) -> list[Action]:
    """A depth-first search with its dead ends and undos. Of a dead end it looks at three moves at most, and at none that the limit has
    no room for."""
    spare, equation, trace = limit - depth, start, list[Action]()
    while not holds(equation):
        possible = list(moves(equation))
        for number in rng.permutation(len(possible)).tolist():
            move, after = possible[number]
            if solutions(after, depth - 1):
                trace.append(Action("move", move))
                equation, depth, budget = after, depth - 1, budget - 1
                break
            beyond = list(moves(after)) if budget > 1 else []
            looked = rng.permutation(len(beyond)).tolist()[: min(3, (spare - 2) // 2)] if spare >= 2 else []
            if spare >= 2:
                spare -= 2 + 2 * len(looked)
                tried = [step for n in looked for step in (Action("move", beyond[n][0]), UNDO)]
                trace += [Action("move", move), *tried, UNDO]
    return trace


def _with_detours(start: str, way: Sequence[Action], budget: int, limit: int, rng: np.random.Generator) -> list[Action]:
    """The way with random moves and their undos before each of its steps, as far as the limit has room."""
    spare, equation, found = limit - len(way), start, list[Action]()
    for made, step in enumerate(way):
        for _ in range(int(rng.integers(1, 4))):
            length = min(int(rng.integers(1, budget - made + 1)), spare // 2)
            detour, there = list[Action](), equation
            for _ in range(length):
                possible = list(moves(there))
                if possible:
                    move, there = possible[int(rng.integers(len(possible)))]
                    detour.append(Action("move", move))
            found += [*detour, *[UNDO] * len(detour)]
            spare -= 2 * len(detour)
        found.append(step)
        equation = dict(moves(equation))[step.payload]  # type: ignore[index]
    return found


_BARS: dict[int, tuple[int, int, int, int]] = {
    0: (8, 10, 26, 13), 1: (26, 13, 29, 32), 2: (26, 36, 29, 55), 3: (8, 55, 26, 58),
    4: (5, 36, 8, 55), 5: (5, 13, 8, 32), 6: (8, 33, 26, 36),
}  # fmt: skip
"""Left, top, right, bottom of a digit's sticks in pixels, right and bottom included."""
_OPERATOR_BARS = {0: (8, 33, 26, 36), 1: (16, 25, 19, 44)}
_EQUALS_BARS = {0: (8, 28, 26, 31), 1: (8, 38, 26, 41)}


@lru_cache(maxsize=128)
def _sign(sign: str, number: int) -> Picture:
    """A sign with its number below; shared, so not to be written to."""
    picture = blank(HEIGHT_PX, SIGN_PX, TABLE)
    bars = _EQUALS_BARS if sign == "=" else _OPERATOR_BARS if sign in "+-" else _BARS
    for segment in sorted(segments(sign)):
        left, top, right, bottom = bars[segment]
        picture[top : bottom + 1, left : right + 1] = WOOD
        if right - left > bottom - top:
            picture[top : bottom + 1, left : left + 4] = HEAD
        else:
            picture[top : top + 4, left : right + 1] = HEAD
    stamp_letters(picture, str(number), 12, (70, SIGN_PX / 2), LABEL)
    picture.setflags(write=False)
    return picture


PUZZLE = MatchstickEquation
