"""Every labelled thing of the flat: the frame that `[LookAt]` commits shows its print so that character recognition reads every line.

A case is ok when each printed line of one of the thing's labels is read in a frame marked `look_hold`, 640 x 480, as the assistant gets it
(JPEG), from text that lies on the thing itself. Compared without spaces, case and punctuation marks other than `$ % & + /`; characters that
look the same in print (`SAME`) count as equal. Words with a digit (prices, weights, dates) must be read exactly; of a
word of letters one in
four may be misread, as character recognition does on tilted and bent print.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assistcore.world.engine import Step
from assistworld.studies.digests import HOUSE_ENGINE
from assistworld.studies.sampling import label_trial
from assistworld.studies.trials import play, shared_engine

if TYPE_CHECKING:
    from assistcore.world.snapshots import Snapshot
    from assistworld.engines.house.drawing import HousePainter

Box = tuple[int, int, int, int]

SEED = 22
PACKAGES = (*HOUSE_ENGINE, "actions", "humans", "assistcore")
CASES = 44
"""Labelled things of the flat, in the scene's order; a test compares the number with the scene."""
SAME = str.maketrans({"$": "5", "o": "0", "q": "0", "l": "1", "i": "1", "|": "1", "!": "1", "s": "5", "g": "9"})
MARK = "look_hold"
_KEPT = "$%&+/"
_ENLARGED = 2
"""The picture is read as it is and enlarged this much, as someone does who reads small print."""


def labelled() -> tuple[str, ...]:
    """Keys of the things with a label, in the scene's order."""
    return tuple(e.key for e in shared_engine().stage.entities if e.kind == "movable" and e.labels)


def case(number: int) -> dict[str, Any]:
    """Look at thing `number` from a random place in its room. Its covers are open; everything else is as the scene is."""
    key = labelled()[number]
    engine = shared_engine()
    held: list[Snapshot] = []

    def keep(step: Step) -> None:
        if MARK in step.marks:
            held.append(step.snapshot)

    result = play(label_trial(SEED, number, key), on_step=keep)
    shown = zip(held, engine.draw(held, "fpv"), strict=True)
    texts = [line for snapshot, picture in shown for line in read(picture.data, box_of(key, snapshot))]
    missing = unread([label.lines for label in engine.stage.entity(key).labels], texts)
    ok = bool(result["ok"] and held and not missing)
    return {**result, "ok": ok, "entity": key, "held_frames": len(held), "read": texts, "missing": missing}


def unread(labels: Sequence[Sequence[str]], texts: Sequence[str]) -> list[str]:
    """The lines that were not read, of the label of which most was read."""
    every = "".join(normal(text) for text in texts)
    missing = [[line for line in lines if not all(_word_read(word, every) for word in line.split())] for lines in labels]
    return min(missing, key=len)


def _word_read(word: str, text: str) -> bool:
    """Whether a word stands in the text that was read: exactly if it has a digit or few letters, else with one letter in four misread."""
    wanted = normal(word)
    if wanted in text or not wanted:
        return True
    slips = 0 if any(c.isdigit() for c in word) else len(wanted) // 4
    return slips > 0 and _fewest_slips(wanted, text) <= slips


def _fewest_slips(wanted: str, text: str) -> int:
    """The smallest edit distance between a word and any stretch of a text (Sellers 1980)."""
    row = [0] * (len(text) + 1)
    for i, c in enumerate(wanted, 1):
        new = [i]
        for j, d in enumerate(text, 1):
            new.append(min(row[j - 1] + (c != d), row[j] + 1, new[j - 1] + 1))
        row = new
    return min(row)


def normal(text: str) -> str:
    """A text as it is compared."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in plain if c.isalnum() or c in _KEPT).translate(SAME)


def box_of(key: str, snapshot: Snapshot) -> Box | None:
    """Left, top, right and bottom of a thing in the picture, pixels; None where it does not show."""
    engine = shared_engine()
    painter = _painter()
    painter.load(engine.stage, engine.body)
    number = next(i for i, e in enumerate(engine.stage.entities) if e.key == key)
    rows, columns = np.nonzero(painter.picture(snapshot).ids == number)
    return (int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())) if len(rows) else None


def read(jpeg: bytes, box: Box | None) -> list[str]:
    """The lines that character recognition finds in a part of a picture, top to bottom, at both sizes."""
    from PIL import Image

    if box is None:
        return []
    image = Image.open(io.BytesIO(jpeg)).convert("RGB")
    larger = image.resize((image.width * _ENLARGED, image.height * _ENLARGED), Image.Resampling.BICUBIC)
    return [t for picture, scale in ((image, 1), (larger, _ENLARGED)) for t in _recognise(np.asarray(picture), box, scale)]


def _recognise(rgb: NDArray[np.uint8], box: Box, scale: int) -> list[str]:
    found, _ = _reader()(rgb[..., ::-1].copy())
    left, top, right, bottom = (scale * v for v in box)
    rows = []
    for corners, text, _ in found or ():
        x, y = np.mean(corners, axis=0)
        if left <= x <= right and top <= y <= bottom:
            rows.append((float(y), str(text)))
    return [text for _, text in sorted(rows)]


@cache
def _painter() -> HousePainter:
    from assistworld.engines.house.drawing import HousePainter

    return HousePainter(width=640, height=480)


@cache
def _reader() -> Any:
    from rapidocr_onnxruntime import RapidOCR

    return RapidOCR(intra_op_num_threads=2)
