"""Draw a strip: six frames through the person's eyes above the same six from beside."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistworld.engines.house.drawing import HousePainter
from assistworld.studies.strips.cameras import best_camera
from assistworld.studies.strips.playing import Run, moments

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine

GAP_PX = 3
PAPER = 255


def draw(engine: HouseEngine, painter: HousePainter, run: Run, *, width: int, height: int) -> NDArray[np.uint8]:
    """The strip of a run, shape (2 height + gap, 6 width + gaps, 3), sRGB. `painter` draws pictures of `width` x `height`."""
    painter.load(engine.stage, engine.body)
    picked = moments(run)
    watched = picked if run.situation.walks else picked[:: len(picked) // 2] + picked[-1:]
    camera = best_camera(engine.stage, engine.body, run.about, watched, width=width, height=height, close=run.situation.close)
    eyes, beside = [], []
    for moment in picked:
        eyes.append(painter.picture(moment.snapshot, "fpv").rgb)
        view = painter.view(moment.snapshot, "fpv")
        beside.append(painter.pictures.draw(replace(view, camera=camera, body_hidden_faces=None)).rgb)
    return _tiled([eyes, beside], width, height)


def _tiled(rows: list[list[NDArray[np.uint8]]], width: int, height: int) -> NDArray[np.uint8]:
    columns = len(rows[0])
    out = np.full((len(rows) * (height + GAP_PX) - GAP_PX, columns * (width + GAP_PX) - GAP_PX, 3), PAPER, dtype=np.uint8)
    for r, row in enumerate(rows):
        for c, picture in enumerate(row):
            y, x = r * (height + GAP_PX), c * (width + GAP_PX)
            out[y : y + height, x : x + width] = picture
    return out
