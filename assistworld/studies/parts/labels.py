"""Every labelled thing of the flat: the frame that `[LookAt]` commits shows its print so that character recognition reads every line.

A case is ok when each printed line of one of the thing's labels is read in a frame marked `look_hold`, 640 x 480, as the assistant gets it
(JPEG). Compared without spaces, case and punctuation marks other than `$ % & + /`; characters that look the same in print (`SAME`) count
as equal.
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
from assistworld.studies.sampling import label_trial
from assistworld.studies.trials import play, shared_engine

if TYPE_CHECKING:
    from assistcore.world.snapshots import Snapshot

SEED = 22
PACKAGES = ("assistworld/engines", "actions", "humans", "assistcore")
CASES = 44
"""Labelled things of the flat, in the scene's order; a test compares the number with the scene."""
SAME = str.maketrans({"$": "5", "o": "0", "q": "0", "l": "1", "i": "1", "|": "1", "!": "1", "s": "5"})
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
    pictures = [o.data for o in engine.draw(held, "fpv")]
    texts = [line for picture in pictures for line in read(picture)]
    missing = unread([label.lines for label in engine.stage.entity(key).labels], texts)
    ok = bool(result["ok"] and held and not missing)
    return {**result, "ok": ok, "entity": key, "held_frames": len(held), "read": texts, "missing": missing}


def unread(labels: Sequence[Sequence[str]], texts: Sequence[str]) -> list[str]:
    """The lines that were not read, of the label of which most was read."""
    found = [normal(text) for text in texts]
    every = "".join(found)
    missing = [[line for line in lines if not any(normal(line) in text for text in (*found, every))] for lines in labels]
    return min(missing, key=len)


def normal(text: str) -> str:
    """A text as it is compared."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in plain if c.isalnum() or c in _KEPT).translate(SAME)


def read(jpeg: bytes) -> list[str]:
    """The lines that character recognition finds in a picture, top to bottom, at both sizes."""
    from PIL import Image

    image = Image.open(io.BytesIO(jpeg)).convert("RGB")
    larger = image.resize((image.width * _ENLARGED, image.height * _ENLARGED), Image.Resampling.BICUBIC)
    return [text for picture in (image, larger) for text in _recognise(np.asarray(picture))]


def _recognise(rgb: NDArray[np.uint8]) -> list[str]:
    found, _ = _reader()(rgb[..., ::-1].copy())
    rows = sorted((float(np.mean([p[1] for p in box])), str(text)) for box, text, _ in found or ())
    return [text for _, text in rows]


@cache
def _reader() -> Any:
    from rapidocr_onnxruntime import RapidOCR

    return RapidOCR(intra_op_num_threads=2)
