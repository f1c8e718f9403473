"""Patch Reassembly: put differently shaped patches onto a grid so that they fill it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import cast

import numpy as np

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import BLACK, Colour, blank, stamp_letters
from assistworld.engines.puzzle.games._patches import LEAST_CELLS, Cell, Patch, at, cut, filling, fits, is_patch, largest_side
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened, Unsolved
from assistworld.engines.puzzle.spaces import Row, Whole

CELL_PX = 32
MARGIN_PX = 24
PARKED_A_ROW = 3
MOST_PATCHES = 9
TABLE: Colour = (244, 243, 240)
EMPTY: Colour = (255, 255, 255)
LINES: Colour = (170, 168, 164)
LABEL: Colour = (90, 88, 84)
COLOURS: tuple[Colour, ...] = (
    (230, 97, 84), (92, 150, 220), (112, 178, 92), (238, 188, 70), (160, 120, 200),
    (240, 146, 62), (92, 190, 186), (226, 130, 178), (150, 140, 120),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PatchConfig(Config):
    """Cells along a side of the grid, and the number of patches that it is cut into."""

    size: int
    patches: int

    def __post_init__(self) -> None:
        wrong = []
        if not 4 <= self.size <= 10:
            wrong.append(Problem("size", f"is {self.size}", "4 to 10"))
        most = min(MOST_PATCHES, self.size**2 // (LEAST_CELLS + 1))
        if not 4 <= self.patches <= most:  # no patch reaches two corners of the grid
            wrong.append(Problem("patches", f"is {self.patches}", f"4 to {most} for this size"))
        if self.max_steps <= self.patches:
            wrong.append(Problem("max_steps", f"is {self.max_steps}", f"more than {self.patches}, one for each patch and one for stop"))
        if wrong:
            raise InputError("patch_reassembly", wrong)


@dataclass(frozen=True)
class PatchState:
    """The patches, and for each the cell on which its upper left corner lies; None while it is parked beside the grid."""

    patches: tuple[Patch, ...]
    corners: tuple[Cell | None, ...]


class PatchReassembly(Puzzle[PatchConfig, PatchState]):
    """Patches are never turned. A patch that lies on the grid may be placed anew without being removed first."""

    name = "patch_reassembly"
    title = "Patch Reassembly"
    presets = {"easy": PatchConfig(max_steps=20, size=6, patches=5), "hard": PatchConfig(max_steps=30, size=8, patches=6)}
    tightened = (Tightened("size", "more"), Tightened("patches", "more"))
    strategies = ("backtracking",)
    state_type = PatchState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        patch, line = Whole(0, self.config.patches - 1), Whole(0, self.config.size - 1)
        place = (
            "Places patch pid, or moves it if it lies on the grid, so that the upper left corner of its bounding box, marked with a dot, "
            "lies on the cell in that row and column. Refused where it would leave the grid or cover another patch."
        )
        return {
            "place": Function(Row((("pid", patch), ("row", line), ("col", line))), place),
            "remove": Function(patch, "Takes that patch off the grid and parks it."),
        }

    @property
    def image_shape(self) -> tuple[int, int, int]:
        slot, rows = _slot_px(self.config.size), -(-self.config.patches // PARKED_A_ROW)
        return (2 * MARGIN_PX + self.config.size * CELL_PX + rows * slot, MARGIN_PX + PARKED_A_ROW * slot, 3)

    def task(self) -> str:
        size, count = self.config.size, self.config.patches
        return (
            f"The picture shows an empty grid of {size} rows and {size} columns, both numbered from 0 at the upper left, and below it "
            f"{count} parked patches with their numbers, 0 to {count - 1}. Place all of them so that the grid is full, then stop. "
            "Patches are not turned."
        )

    def new(self, streams: Streams) -> PatchState:
        return PatchState(cut(self.config.size, self.config.patches, streams("patches")), (None,) * self.config.patches)

    def apply(self, state: PatchState, action: Action) -> Effect[PatchState]:
        if action.name == "remove":
            patch = cast(int, action.payload)
            if state.corners[patch] is None:
                return Effect(state, f"Patch {patch} is parked already.", done=False)
            return Effect(_with(state, patch, None), f"Patch {patch} was parked.")
        patch, row, column = cast(tuple[int, int, int], action.payload)
        if not fits(state.patches[patch], (row, column), self.config.size, _taken(state, patch)):
            return Effect(state, f"Patch {patch} cannot be placed at ({row}, {column}).", done=False)
        return Effect(_with(state, patch, (row, column)), f"Patch {patch} was placed at ({row}, {column}).")

    def solved(self, state: PatchState) -> bool:
        return len(_taken(state, None)) == self.config.size**2

    def draw(self, state: PatchState) -> Picture:
        size, slot = self.config.size, _slot_px(self.config.size)
        picture = _board(size, *self.image_shape[:2]).copy()
        for number, (patch, corner) in enumerate(zip(state.patches, state.corners, strict=True)):
            if corner is not None:
                _lay(picture, patch, MARGIN_PX + corner[0] * CELL_PX, MARGIN_PX + corner[1] * CELL_PX, number)
                continue
            top = 2 * MARGIN_PX + size * CELL_PX + number // PARKED_A_ROW * slot
            left = MARGIN_PX + number % PARKED_A_ROW * slot
            _lay(picture, patch, top, left, number)
            _dot(picture, top + 3, left + 3)
            stamp_letters(picture, f"patch {number}", 13, (top - 10, left + 2.0 * CELL_PX - 8), LABEL)
        return picture

    def plan(self, state: PatchState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        goal = self._filled(state)
        away = [n for n, corner in enumerate(state.corners) if corner not in (None, goal[n])]
        order = [n for n in rng.permutation(len(goal)).tolist() if state.corners[n] != goal[n]]
        actions = [Action("remove", n) for n in away] + [Action("place", (n, *goal[n])) for n in order]
        while len(actions) < (options.num_steps or 0):
            actions = self._longer(state, actions, rng)
        return actions

    def goal(self, state: PatchState) -> PatchState:
        return replace(state, corners=tuple(self._filled(state)))

    def text(self, state: PatchState) -> str:
        size = self.config.size
        rows = [["."] * size for _ in range(size)]
        for number, (patch, corner) in enumerate(zip(state.patches, state.corners, strict=True)):
            for r, c in at(patch, corner) if corner is not None else ():
                rows[r][c] = str(number)
        head = "   " + " ".join(str(n) for n in range(size))
        lines = [head, *(f"{n:>2} " + " ".join(row) for n, row in enumerate(rows)), "parked:"]
        for number, (patch, corner) in enumerate(zip(state.patches, state.corners, strict=True)):
            if corner is None:
                lines += [f"patch {number}", *_written(patch, str(number))]
        return "\n".join(lines)

    def faults(self, state: PatchState) -> Sequence[str]:
        size, count = self.config.size, self.config.patches
        if len(state.patches) != count or len(state.corners) != count:
            return [f"there are {len(state.patches)} patches and {len(state.corners)} corners, the configuration says {count}"]
        side = largest_side(size)
        found = []
        for number, patch in enumerate(state.patches):
            if not is_patch(patch):
                found.append(f"patch {number} is not one piece that begins in row 0 and column 0")
            elif max(map(max, patch)) >= side:
                found.append(f"patch {number} covers more than {side} rows or columns")
        if found:
            return found
        for number, corner in enumerate(state.corners):
            if corner is not None and not fits(state.patches[number], corner, size, _taken(state, number)):
                found.append(f"patch {number} at {corner} leaves the grid or covers another patch")
        if not found and filling(state.patches, (None,) * count, size) is None:
            found.append("the patches do not fill the grid")
        return found

    def _filled(self, state: PatchState) -> list[Cell]:
        """Corners of all patches in a full grid, those that lie well already where they are. Raises Unsolved."""
        found = filling(state.patches, state.corners, self.config.size)
        if found is None:
            found = filling(state.patches, (None,) * self.config.patches, self.config.size)
        if found is None:
            raise Unsolved("patch_reassembly: the patches do not fill the grid")
        return found

    def _longer(self, start: PatchState, actions: list[Action], rng: np.random.Generator) -> list[Action]:
        """The actions with one more: a patch is first placed somewhere wrong. Where nothing allows that, one is parked and placed again."""
        places = [n for n, action in enumerate(actions) if action.name == "place"]
        for number in rng.permutation(len(places)).tolist():
            spot = places[number]
            patch = cast(tuple[int, int, int], actions[spot].payload)[0]
            wrong = self._mistakes(self._after(start, actions[:spot]), patch, actions[spot])
            if wrong:
                return [*actions[:spot], wrong[int(rng.integers(len(wrong)))], *actions[spot:]]
        end = self._after(start, actions)
        patch = int(rng.integers(len(end.corners)))
        corner = cast(Cell, end.corners[patch])  # the actions fill the grid
        return [*actions, Action("remove", patch), Action("place", (patch, *corner))]

    def _mistakes(self, state: PatchState, patch: int, right: Action) -> list[Action]:
        size, taken = self.config.size, _taken(state, patch)
        corners = [(r, c) for r in range(size) for c in range(size) if (r, c) != state.corners[patch]]
        return [
            action
            for action in (Action("place", (patch, *corner)) for corner in corners if fits(state.patches[patch], corner, size, taken))
            if action != right
        ]

    def _after(self, state: PatchState, actions: Sequence[Action]) -> PatchState:
        for action in actions:
            state = self.apply(state, action).state
        return state


def _with(state: PatchState, patch: int, corner: Cell | None) -> PatchState:
    return replace(state, corners=(*state.corners[:patch], corner, *state.corners[patch + 1 :]))


def _taken(state: PatchState, besides: int | None) -> frozenset[Cell]:
    """Cells that are covered, those of one patch left out."""
    return frozenset(
        cell
        for number, (patch, corner) in enumerate(zip(state.patches, state.corners, strict=True))
        if corner is not None and number != besides
        for cell in at(patch, corner)
    )


def _written(patch: Patch, mark: str) -> list[str]:
    """A patch as lines; dots are cells of its bounding box that it does not cover."""
    rows, columns = max(r for r, _ in patch) + 1, max(c for _, c in patch) + 1
    return [" ".join(mark if (r, c) in patch else "." for c in range(columns)) for r in range(rows)]


def _slot_px(size: int) -> int:
    return largest_side(size) * CELL_PX + MARGIN_PX


def _lay(picture: Picture, patch: Patch, top: int, left: int, number: int) -> None:
    """Draw a patch, its number on the cell in the middle of its list."""
    cells = set(patch)
    for n, (r, c) in enumerate(patch):
        inside = tuple((r + down, c + right) in cells for down, right in _SIDES)
        y, x = top + r * CELL_PX, left + c * CELL_PX
        picture[y : y + CELL_PX, x : x + CELL_PX] = _tile(number, inside, n == len(patch) // 2)


_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))


@lru_cache(maxsize=512)
def _tile(number: int, inside: tuple[bool, ...], named: bool) -> Picture:
    """One cell of a patch; dark edges where the patch does not go on. Shared, so not to be written to."""
    tile = blank(CELL_PX, CELL_PX, COLOURS[number])
    tile[0], tile[:, 0] = _LIGHT[number], _LIGHT[number]
    for goes_on, edge in zip(inside, (tile[:2], tile[-2:], tile[:, :2], tile[:, -2:]), strict=True):
        if not goes_on:
            edge[:] = BLACK
    if named:
        stamp_letters(tile, str(number), 17, (CELL_PX / 2, CELL_PX / 2), BLACK)
    return tile


_LIGHT = tuple(tuple(round(0.8 * part + 51) for part in colour) for colour in COLOURS)


def _dot(picture: Picture, top: int, left: int) -> None:
    picture[top : top + 6, left : left + 6] = BLACK


@lru_cache(maxsize=8)
def _board(size: int, height_px: int, width_px: int) -> Picture:
    """The empty grid with its numbers; shared, so not to be written to."""
    picture = blank(height_px, width_px, TABLE)
    span = size * CELL_PX
    picture[MARGIN_PX : MARGIN_PX + span + 1, MARGIN_PX : MARGIN_PX + span + 1] = EMPTY
    for n in range(size + 1):
        line = MARGIN_PX + n * CELL_PX
        picture[line, MARGIN_PX : MARGIN_PX + span + 1] = LINES
        picture[MARGIN_PX : MARGIN_PX + span + 1, line] = LINES
    for n in range(size):
        middle = MARGIN_PX + (n + 0.5) * CELL_PX
        stamp_letters(picture, str(n), 13, (MARGIN_PX / 2, middle), LABEL)
        stamp_letters(picture, str(n), 13, (middle, MARGIN_PX / 2), LABEL)
    picture.setflags(write=False)
    return picture


PUZZLE = PatchReassembly
