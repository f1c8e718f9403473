"""The films that come with the package: a camera goes forward through rooms of our own scenes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistcore.world.errors import InfrastructureError

MEDIA = Path(__file__).resolve().parents[1] / "media"


@dataclass(frozen=True)
class Films:
    """names: of the films. frames: how many each has. side_px: of every frame, which is square."""

    names: tuple[str, ...]
    frames: int
    side_px: int


@cache
def films() -> Films:
    """What there is. Raises InfrastructureError where the package lacks it."""
    file = MEDIA / "films.json"
    try:
        manifest = json.loads(file.read_text("utf-8"))
        return Films(tuple(str(film["name"]) for film in manifest["films"]), int(manifest["frames"]), int(manifest["side_px"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InfrastructureError("read the films of the puzzles", f"{file}: {error}") from error


@lru_cache(maxsize=64)
def film_frames(name: str) -> NDArray[np.uint8]:
    """All frames of a film in time, shape (frames, side_px, side_px, 3); shared, so not to be written to. Raises InfrastructureError."""
    from PIL import Image

    listed = films()
    try:
        with Image.open(MEDIA / f"{name}.jpg") as image:
            strip = np.array(image.convert("RGB")).reshape(listed.frames, listed.side_px, listed.side_px, 3)
    except (OSError, ValueError) as error:
        raise InfrastructureError("read a film of the puzzles", f"{name}: {error}") from error
    strip.setflags(write=False)
    return strip
