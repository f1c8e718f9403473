"""The stills that come with the package: rooms of our own scenes, and tables and floors spread with things, each with its mask."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistcore.world.errors import InfrastructureError

MEDIA = Path(__file__).resolve().parents[1] / "media"


@dataclass(frozen=True)
class Thing:
    """One thing of a still in words; `colour` is empty where none is said of this sort of thing."""

    noun: str
    plural: str
    colour: str


@dataclass(frozen=True)
class Still:
    """One still. Pixels of its mask with value n show thing n of `things`, counted from 1."""

    name: str
    room: str
    things: tuple[Thing, ...]


@cache
def stills() -> Mapping[str, Still]:
    """All stills by name, in the order of the list. Raises InfrastructureError where the package lacks them."""
    file = MEDIA / "stills.json"
    try:
        entries = json.loads(file.read_text("utf-8"))["stills"]
    except (OSError, ValueError, KeyError) as error:
        raise InfrastructureError("read the stills of the puzzles", f"{file}: {error}") from error
    found = [Still(e["name"], e["room"], tuple(Thing(t["noun"], t["plural"], t["colour"]) for t in e["things"])) for e in entries]
    return {still.name: still for still in found}


def still_rgb(name: str) -> NDArray[np.uint8]:
    """The picture of a still, shape (h, w, 3)."""
    from PIL import Image

    with Image.open(MEDIA / f"{name}.jpg") as image:
        return np.array(image.convert("RGB"))


@lru_cache(maxsize=64)
def still_ids(name: str) -> NDArray[np.uint8]:
    """The mask of a still that has things, shape (h, w); shared, so not to be written to."""
    from PIL import Image

    with Image.open(MEDIA / f"{name}.png") as image:
        ids = np.array(image)
    ids.setflags(write=False)
    return ids
