"""The contact sheet of all puzzles, `docs/puzzles/contact_sheet.jpg`: beginning, middle and goal, easy and hard, drawn from real episodes.

`python -m assistworld.studies.gallery puzzles` makes it anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistcore.world.errors import AssistWorldError
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.puzzle import AnyPuzzle, Picture
from assistworld.engines.puzzle.registry import PUZZLES, make
from assistworld.engines.puzzle.solving import solve

if TYPE_CHECKING:
    from PIL import Image

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "puzzles"
SEEDS = {"easy": 5, "hard": 7}
CELL_PX, HEIGHT_PX, STRIP_PX, GAP_PX, HEAD_PX = 300, 190, 110, 10, 30
MOMENTS = ("beginning", "middle", "goal")
_INK, _PAPER = (30, 30, 34), (250, 249, 246)


def make_sheet(folder: Path = FOLDER, only: Sequence[str] = ()) -> list[Path]:
    """Write the sheet as JPEG, one row for each puzzle. Returns its path in a list. Raises UnknownName for a puzzle that there is not."""
    from PIL import Image

    rows = [_row(name) for name in list(only) or PUZZLES.names()]
    sheet = Image.new("RGB", (rows[0].width, sum(row.height for row in rows)), _PAPER)
    top = 0
    for row in rows:
        sheet.paste(row, (0, top))
        top += row.height
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "contact_sheet.jpg"
    sheet.save(path, "JPEG", quality=82)
    return [path]


def _row(name: str) -> Image.Image:
    """Both presets of a puzzle beside one another; pictures that are very wide stand below one another."""
    from PIL import Image, ImageDraw, ImageFont

    group_px = 3 * (CELL_PX + GAP_PX) + GAP_PX
    shown = {preset: moments(make(name, preset), seed) for preset, seed in SEEDS.items()}
    wide = max(pictures[0].shape[1] / pictures[0].shape[0] for pictures in shown.values()) > 4
    box = (group_px - 2 * GAP_PX, STRIP_PX) if wide else (CELL_PX, HEIGHT_PX)
    thumbs = {preset: [_fitted(picture, box) for picture in pictures] for preset, pictures in shown.items()}
    heights = [max(pair[0].height, pair[1].height) for pair in zip(*thumbs.values(), strict=True)]
    row = Image.new("RGB", (2 * group_px, HEAD_PX + 2 * GAP_PX + (sum(heights) + 2 * GAP_PX if wide else max(heights))), _PAPER)
    pen, font = ImageDraw.Draw(row), ImageFont.load_default(17)
    for group, (preset, pictures) in enumerate(thumbs.items()):
        left, top = GAP_PX + group * group_px, HEAD_PX
        pen.text((left, GAP_PX // 2), f"{make(name).title}, {preset}: {', '.join(MOMENTS)}", _INK, font)
        for number, picture in enumerate(pictures):
            x = left if wide else left + number * (CELL_PX + GAP_PX) + (CELL_PX - picture.width) // 2
            row.paste(picture, (x, top if wide else top + (max(heights) - picture.height) // 2))
            top += heights[number] + GAP_PX if wide else 0
    return row


def moments(puzzle: AnyPuzzle, seed: int) -> tuple[Picture, Picture, Picture]:
    """The pictures of one episode: as it begins, halfway through a solution, solved."""
    play = Play(puzzle, seed=seed)
    return play.picture(), puzzle.draw(halfway(puzzle, play.state)), puzzle.draw(puzzle.goal(play.state))


def halfway(puzzle: AnyPuzzle, state: Any) -> Any:
    """The state nearest to the middle of a way to the solution that is neither the first nor, where there is such a one, solved.

    The way is the longest that a strategy takes; one of a single answer is padded.
    """
    ways = [_way(puzzle, state, strategy, None) for strategy in puzzle.strategies]
    way = max(ways, key=len)
    if len(way) < 2:
        way = _way(puzzle, state, puzzle.strategies[0], 3)
    play, states = Play(puzzle, state=state), []
    for answer in way:
        play.act(answer)
        states.append(play.state)
    middle = (len(states) - 1) / 2
    between = sorted((abs(number - middle), number) for number, s in enumerate(states[:-1]) if s not in (state, states[-1]))
    unsolved = [number for _, number in between if not puzzle.solved(states[number])]
    return states[(unsolved or [number for _, number in between])[0]]


def _way(puzzle: AnyPuzzle, state: Any, strategy: str, num_steps: int | None) -> list[str]:
    try:
        return solve(puzzle, state, strategy=strategy, num_steps=num_steps)[:-1]
    except AssistWorldError:  # a strategy that is too long for this episode
        return []


def _fitted(picture: Picture, box: tuple[int, int]) -> Image.Image:
    """As large as it fits into a width and a height."""
    from PIL import Image

    image = Image.fromarray(picture)
    scale = min(box[0] / image.width, box[1] / image.height)
    return image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))), Image.Resampling.LANCZOS)
