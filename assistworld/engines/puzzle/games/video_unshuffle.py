"""Video Unshuffle: put frames of a film in the order of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from typing import Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.canvas import Colour, blank, stamp_letters
from assistworld.engines.puzzle.datasets.films import film_frames, films
from assistworld.engines.puzzle.datasets.videos import video_frames, video_names
from assistworld.engines.puzzle.games._ordering import Order, order_faults, reordered, shuffled, sorting, swapped, swaps
from assistworld.engines.puzzle.puzzle import Config, Effect, Function, Picture, Puzzle, SolveOptions, Streams, Tightened
from assistworld.engines.puzzle.spaces import Permutation, Row, Whole

SIDE_PX, HEAD_PX, GAP_PX = 224, 20, 6
CELL_PX = 8
TRIES = 200
PAPER: Colour = (246, 245, 241)
LABEL: Colour = (70, 68, 64)
Chosen: TypeAlias = tuple[int, ...]
"""Numbers of frames of a film, rising."""


@dataclass(frozen=True, kw_only=True)
class VideoConfig(Config):
    """num_frames: frames shown. sampling: `even`, at equal steps of time from a random first frame; `salient`, those of a film of which the
    two most alike neighbours differ most. min_frame_diff: least difference of neighbours, 0 to 1: the mean over areas of 8 x 8 pixels.
    folder: of videos as in Something-Something v2, empty for the films of the package.
    """

    num_frames: int
    sampling: Literal["even", "salient"] = "even"
    min_frame_diff: float = 0.04
    folder: str = ""

    def __post_init__(self) -> None:
        wrong = []
        if not 3 <= self.num_frames <= 8:
            wrong.append(Problem("num_frames", f"is {self.num_frames}", "3 to 8"))
        if self.sampling not in ("even", "salient"):
            wrong.append(Problem("sampling", f"is {self.sampling!r}", "'even' or 'salient'"))
        if not 0 < self.min_frame_diff <= 0.5:
            wrong.append(Problem("min_frame_diff", f"is {self.min_frame_diff}", "more than 0, at most 0.5"))
        if self.max_steps < self.num_frames:
            wrong.append(
                Problem("max_steps", f"is {self.max_steps}", f"at least {self.num_frames}: a swap for each frame but one, and stop")
            )
        if wrong:
            raise InputError("video_unshuffle", wrong)


@dataclass(frozen=True)
class VideoState:
    """film: its name, or a file or folder below the configured one. frames: those shown, in the order of time. order: for each place, from
    the left, the index in `frames` of the one that is there."""

    film: str
    frames: Chosen
    order: Order


class VideoUnshuffle(Puzzle[VideoConfig, VideoState]):
    """Places are numbered from 1 for the player. In the films of the package the camera only goes forward, which makes time visible."""

    name = "video_unshuffle"
    title = "Video Unshuffle"
    presets = {"easy": VideoConfig(max_steps=20, num_frames=4), "hard": VideoConfig(max_steps=30, num_frames=5)}
    tightened = (Tightened("num_frames", "more"),)
    strategies = ("reorder", "swap")
    state_type = VideoState

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        count = self.config.num_frames
        place = Whole(1, count)
        order = "Lays all frames anew at once: list, from the left, at which place the frame is now that is to come there."
        return {
            "swap": Function(Row((("i", place), ("j", place)), distinct=True), "Exchanges the frames at two places."),
            "reorder": Function(Permutation(count, first=1), order),
        }

    @property
    def image_shape(self) -> tuple[int, int, int]:
        return (SIDE_PX + HEAD_PX, self.config.num_frames * (SIDE_PX + GAP_PX) - GAP_PX, 3)

    def task(self) -> str:
        count = self.config.num_frames
        forward = "" if self.config.folder else "The camera goes forward all the time. "
        return (
            f"The picture shows {count} frames of one film side by side, shuffled. Their places are numbered 1 to {count} from the left. "
            f"{forward}Put the frames in the order of time, the earliest at place 1, then stop."
        )

    def new(self, streams: Streams) -> VideoState:
        film, frames = self._chosen(streams("film"))
        return VideoState(film, frames, shuffled(self.config.num_frames, streams("order")))

    def apply(self, state: VideoState, action: Action) -> Effect[VideoState]:
        if action.name == "swap":
            i, j = cast(tuple[int, int], action.payload)
            return Effect(replace(state, order=swapped(state.order, i - 1, j - 1)), f"The frames at places {i} and {j} were swapped.")
        places = cast(tuple[int, ...], action.payload)
        return Effect(replace(state, order=reordered(state.order, [place - 1 for place in places])), "The frames were laid anew.")

    def solved(self, state: VideoState) -> bool:
        return state.order == tuple(range(self.config.num_frames))

    def draw(self, state: VideoState) -> Picture:
        film = _film(self.config.folder, state.film)
        picture = _paper(self.config.num_frames).copy()
        for place, number in enumerate(state.order):
            left = place * (SIDE_PX + GAP_PX)
            picture[HEAD_PX:, left : left + SIDE_PX] = film[state.frames[number]]
        return picture

    def plan(self, state: VideoState, strategy: str, rng: np.random.Generator, options: SolveOptions) -> list[Action]:
        if self.solved(state):
            return []
        if strategy == "reorder":
            return [Action("reorder", tuple(place + 1 for place in sorting(state.order)))]
        return [Action("swap", (a + 1, b + 1)) for a, b in swaps(state.order, rng)]

    def pairs(self, state: VideoState) -> Sequence[tuple[Action, Action]]:
        return [(Action("swap", pair), Action("swap", pair)) for pair in combinations(range(1, self.config.num_frames + 1), 2)]

    def goal(self, state: VideoState) -> VideoState:
        return replace(state, order=tuple(range(self.config.num_frames)))

    def faults(self, state: VideoState) -> Sequence[str]:
        found = order_faults(state.order, self.config.num_frames)
        if len(state.frames) != self.config.num_frames:
            found.append(f"there are {len(state.frames)} frames, the configuration says {self.config.num_frames}")
        if any(after <= before for before, after in pairwise(state.frames)):
            found.append(f"frames {list(state.frames)} do not rise")
        if not self.config.folder and state.film not in films().names:
            return [*found, f"film {state.film!r} is none of the package"]
        try:
            count = len(_film(self.config.folder, state.film))
        except InputError as error:
            return [*found, str(error)]
        if state.frames and not 0 <= min(state.frames) <= max(state.frames) < count:
            found.append(f"frames {list(state.frames)} are not within the {count} of the film")
        return found

    def _chosen(self, rng: np.random.Generator) -> tuple[str, Chosen]:
        """A random film and frames of it that can be told apart. Raises InputError where none of 200 films has such."""
        config = self.config
        names = video_names(config.folder) if config.folder else films().names
        last = ""
        for number in rng.integers(len(names), size=TRIES).tolist():
            try:
                frames = _sampled(_differences(config.folder, names[number]), config, rng)
            except InputError as error:
                last = f"; the last one that cannot be read: {error}"
                continue
            if frames is not None:
                return names[number], frames
        what = f"none of {TRIES} videos has {config.num_frames} frames that differ by {config.min_frame_diff:g}{last}"
        raise InputError("video_unshuffle", [Problem(config.folder or "media", what, "a smaller min_frame_diff, or other videos")])


def _sampled(differ: NDArray[np.float64], config: VideoConfig, rng: np.random.Generator) -> Chosen | None:
    """Frames by the sampling of a configuration; None where neighbours are too alike. differ: (n, n), difference of any two frames."""
    count = len(differ)
    if count < config.num_frames:
        return None
    if config.sampling == "salient":
        frames = _most_different(differ, config.num_frames)
    else:
        longest = (count - 1) // (config.num_frames - 1)
        step = int(rng.integers((longest + 1) // 2, longest + 1))
        first = int(rng.integers(count - step * (config.num_frames - 1)))
        frames = tuple(first + step * n for n in range(config.num_frames))
    return frames if min(differ[a, b] for a, b in pairwise(frames)) >= config.min_frame_diff else None


def _most_different(differ: NDArray[np.float64], wanted: int) -> Chosen:
    """The rising frames whose least difference of neighbours is largest, by dynamic programming over the last one."""
    count = len(differ)
    best = np.full((wanted, count), -np.inf)
    before = np.zeros((wanted, count), np.int64)
    best[0] = np.inf
    earlier = np.triu(np.ones((count, count), np.bool_), 1)
    for k in range(1, wanted):
        reached = np.where(earlier, np.minimum(best[k - 1][:, None], differ), -np.inf)
        before[k], best[k] = reached.argmax(0), reached.max(0)
    frames = [int(best[-1].argmax())]
    for k in range(wanted - 1, 0, -1):
        frames.append(int(before[k, frames[-1]]))
    return tuple(frames[::-1])


def _film(folder: str, name: str) -> NDArray[np.uint8]:
    return video_frames(folder, name, SIDE_PX) if folder else film_frames(name)


@lru_cache(maxsize=128)
def _differences(folder: str, name: str) -> NDArray[np.float64]:
    """Mean difference, 0 to 1, of any two frames of a film, by areas of 8 x 8 pixels; shape (n, n), shared."""
    film = _film(folder, name)
    cells = SIDE_PX // CELL_PX
    coarse = film.reshape(len(film), cells, CELL_PX, cells, CELL_PX, 3).mean(axis=(2, 4), dtype=np.float32).reshape(len(film), -1) / 255
    differ = np.stack([np.abs(coarse - one).mean(1) for one in coarse]).astype(np.float64)
    differ.setflags(write=False)
    return differ


@lru_cache(maxsize=8)
def _paper(count: int) -> Picture:
    """The ground with the numbers of the places; shared, so not to be written to."""
    picture = blank(SIDE_PX + HEAD_PX, count * (SIDE_PX + GAP_PX) - GAP_PX, PAPER)
    for place in range(count):
        stamp_letters(picture, str(place + 1), 14, (HEAD_PX / 2 + 1, place * (SIDE_PX + GAP_PX) + SIDE_PX / 2), LABEL)
    picture.setflags(write=False)
    return picture


PUZZLE = VideoUnshuffle
