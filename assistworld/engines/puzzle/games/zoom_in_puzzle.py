"""Zoom-In Puzzle: put views of a picture in order, from the widest to the closest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from typing import TypeAlias, cast

import numpy as np

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import Colour, blank, stamp_letters
from assistworld.engines.puzzle.games._ordering import Order, order_faults, reordered, shuffled, sorting, swapped, swaps
from assistworld.engines.puzzle.games._photos import drawn, fault_of, square
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened
from assistworld.engines.puzzle.spaces import Permutation, Row, Whole

SOURCE_PX = 384
PANEL_PX, HEAD_PX, GAP_PX = 192, 20, 6
LEAST_RATIO, MOST_RATIO = 0.5, 0.85
"""Side of a view as a share of that before it: above, two views could hardly be told apart; below, the last ones are blur."""
LEAST_DETAIL = 12.0
"""Least standard deviation (of 255) in the nine parts of a picture: views of an even wall have no order that can be seen."""
PAPER: Colour = (246, 245, 241)
LABEL: Colour = (70, 68, 64)
View: TypeAlias = tuple[int, int, int]
"""Top row, left column and side of a square part of the picture, in its pixels."""


@dataclass(frozen=True, kw_only=True)
class ZoomConfig(Config):
    """views: number of views. widest: side of the first one as a share of the picture's. ratio, spread: the side of a view as a share of
    that before it is drawn evenly from `ratio - spread` to `ratio + spread`. nested: each view lies within that before it; else anywhere
    in the picture. folder of pictures, sub-folders included, empty for the stills of the package.
    """

    views: int
    widest: float = 0.9
    ratio: float = 0.72
    spread: float = 0.08
    nested: bool = True
    folder: str = ""

    def __post_init__(self) -> None:
        wrong = []
        if not 3 <= self.views <= 7:
            wrong.append(Problem("views", f"is {self.views}", "3 to 7"))
        if not 0.6 <= self.widest <= 1.0:
            wrong.append(Problem("widest", f"is {self.widest}", "0.6 to 1"))
        if self.spread < 0 or self.ratio - self.spread < LEAST_RATIO or self.ratio + self.spread > MOST_RATIO:
            fix = f"ratio - spread at least {LEAST_RATIO:g}, ratio + spread at most {MOST_RATIO:g}"
            wrong.append(Problem("ratio, spread", f"are {self.ratio}, {self.spread}", fix))
        if self.max_steps < self.views:
            wrong.append(Problem("max_steps", f"is {self.max_steps}", f"at least {self.views}: a swap for each view but one, and stop"))
        if wrong:
            raise InputError("zoom_in_puzzle", wrong)


@dataclass(frozen=True)
class ZoomState:
    """The picture, its views from the widest to the closest, and for each place, from the left, the number of the view that is there."""

    picture: str
    views: tuple[View, ...]
    order: Order


class ZoomInPuzzle(Puzzle[ZoomConfig, ZoomState]):
    """The whole picture stands on the left; views are numbered from 1 for the player."""

    name = "zoom_in_puzzle"
    title = "Zoom-In Puzzle"
    presets = {"easy": ZoomConfig(max_steps=20, views=4), "hard": ZoomConfig(max_steps=30, views=5)}
    tightened = (Tightened("views", "more"),)
    strategies = ("reorder", "swap")
    state_type = ZoomState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        count = self.config.views
        place = Whole(1, count)
        order = "Lays all views anew at once: list, from the left, at which place the view is now that is to come there."
        return {
            "swap": Function(Row((("i", place), ("j", place)), distinct=True), "Exchanges the views at two places."),
            "reorder": Function(Permutation(count, first=1), order),
        }

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (PANEL_PX + HEAD_PX, (self.config.views + 1) * (PANEL_PX + GAP_PX) - GAP_PX, 3)

    def task(self) -> str:
        count = self.config.views
        return (
            f"On the left is a picture, to the right of it {count} views of parts of it, all enlarged to the same size and shuffled. "
            f"Their places are numbered 1 to {count} from the left. Put the views in order, from the one that shows the largest part of "
            "the picture (place 1) to the one that shows the smallest, then stop."
        )

    def new(self, streams: Streams) -> ZoomState:
        picture = drawn(self.config.folder, SOURCE_PX, streams("picture"), _detailed)
        return ZoomState(picture, self._views(streams("views")), shuffled(self.config.views, streams("order")))

    def apply(self, state: ZoomState, action: Action) -> Effect[ZoomState]:
        if action.name == "swap":
            i, j = cast(tuple[int, int], action.payload)
            return Effect(replace(state, order=swapped(state.order, i - 1, j - 1)), f"The views at places {i} and {j} were swapped.")
        places = cast(tuple[int, ...], action.payload)
        return Effect(replace(state, order=reordered(state.order, [place - 1 for place in places])), "The views were laid anew.")

    def solved(self, state: ZoomState) -> bool:
        return state.order == tuple(range(self.config.views))

    def draw(self, state: ZoomState) -> Picture:
        picture = _frame(self.config.views).copy()
        panels = [_panel(self.config.folder, state.picture, (0, 0, SOURCE_PX))]
        panels += [_panel(self.config.folder, state.picture, state.views[number]) for number in state.order]
        for place, panel in enumerate(panels):
            left = place * (PANEL_PX + GAP_PX)
            picture[HEAD_PX:, left : left + PANEL_PX] = panel
        return picture

    def plan(self, state: ZoomState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        if self.solved(state):
            return []
        if strategy == "reorder":
            return [Action("reorder", tuple(place + 1 for place in sorting(state.order)))]
        return [Action("swap", (a + 1, b + 1)) for a, b in swaps(state.order, rng)]

    def pairs(self, state: ZoomState) -> Sequence[tuple[Action, Action]]:
        return [(Action("swap", pair), Action("swap", pair)) for pair in combinations(range(1, self.config.views + 1), 2)]

    def goal(self, state: ZoomState) -> ZoomState:
        return replace(state, order=tuple(range(self.config.views)))

    def faults(self, state: ZoomState) -> Sequence[str]:
        found = order_faults(state.order, self.config.views)
        if len(state.views) != self.config.views:
            found.append(f"there are {len(state.views)} views, the configuration says {self.config.views}")
        outside = [view for view in state.views if min(view) < 0 or view[2] < 8 or max(view[:2]) + view[2] > SOURCE_PX]
        found += [f"view {view} is not within the {SOURCE_PX} pixels of the picture" for view in outside]
        found += [f"view {after} is not smaller than {before}" for before, after in pairwise(state.views) if after[2] >= before[2]]
        return [*found, *fault_of(self.config.folder, state.picture, SOURCE_PX)]

    def _views(self, rng: np.random.Generator) -> tuple[View, ...]:
        config = self.config
        around, side, found = (0, 0, SOURCE_PX), round(config.widest * SOURCE_PX), list[View]()
        for _ in range(config.views):
            room = around if config.nested else (0, 0, SOURCE_PX)
            top, left = (room[:2] + rng.integers(0, room[2] - side + 1, size=2)).tolist()
            around = (top, left, side)
            found.append(around)
            side = round(side * float(rng.uniform(config.ratio - config.spread, config.ratio + config.spread)))
        return tuple(found)


def _detailed(picture: Picture) -> bool:
    parts = [part for rows in np.array_split(picture, 3) for part in np.array_split(rows, 3, axis=1)]
    return min(float(part[::3, ::3].std(axis=(0, 1)).mean()) for part in parts) >= LEAST_DETAIL


@lru_cache(maxsize=256)
def _panel(folder: str, name: str, view: View) -> Picture:
    """A view enlarged; shared, so not to be written to."""
    from PIL import Image

    top, left, side = view
    cut = Image.fromarray(square(folder, name, SOURCE_PX)[top : top + side, left : left + side])
    panel = np.array(cut.resize((PANEL_PX, PANEL_PX), Image.Resampling.BICUBIC))
    panel.setflags(write=False)
    return panel


@lru_cache(maxsize=8)
def _frame(views: int) -> Picture:
    """Paper with the headings; shared, so not to be written to."""
    picture = blank(PANEL_PX + HEAD_PX, (views + 1) * (PANEL_PX + GAP_PX) - GAP_PX, PAPER)
    for place, word in enumerate(("picture", *(str(n) for n in range(1, views + 1)))):
        stamp_letters(picture, word, 14, (HEAD_PX / 2 + 1, place * (PANEL_PX + GAP_PX) + PANEL_PX / 2), LABEL)
    picture.setflags(write=False)
    return picture


PUZZLE = ZoomInPuzzle
