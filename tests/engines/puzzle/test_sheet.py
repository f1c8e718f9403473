"""The contact sheet: a beginning, a middle and a goal that differ, of every puzzle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from assistworld.engines.puzzle.play import Play
from assistworld.studies.puzzle_sheet import SEEDS, halfway, make_sheet
from tests.engines.puzzle.walking import CASES, puzzle_of


@pytest.mark.parametrize(("name", "preset"), [case for case in CASES if case[1] in SEEDS])
def test_the_moments_of_a_puzzle_are_three_states(name: str, preset: str) -> None:
    puzzle = puzzle_of(name, preset)
    start = Play(puzzle, seed=SEEDS[preset]).state
    middle = halfway(puzzle, start)
    pictures = [puzzle.draw(state).tobytes() for state in (start, middle, puzzle.goal(start))]
    assert len(set(pictures)) == 3 and not puzzle.faults(middle)
    assert not puzzle.solved(middle) or name == "referring_dot_pointing", "a dot may lie on the thing before it lies in its middle"


def test_a_sheet_is_drawn(tmp_path: Path) -> None:
    (path,) = make_sheet(tmp_path, ["maze_2d"])
    with Image.open(path) as sheet:
        assert sheet.width == 1880 and 200 < sheet.height < 260
        assert len(np.unique(np.asarray(sheet).reshape(-1, 3)[::97], axis=0)) > 20
