"""Square pictures for puzzles that are made of one: stills of the package, or those of a folder. Cached, so not to be written to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.datasets.images import image_files, load_image
from assistworld.engines.puzzle.datasets.stills import still_rgb, stills
from assistworld.engines.puzzle.puzzle import Picture

TRIES = 200


def names(folder: str) -> tuple[str, ...]:
    """The pictures there are: in a folder, or with the package where `folder` is empty. Raises InputError."""
    return image_files(folder) if folder else tuple(stills())


@lru_cache(maxsize=128)
def square(folder: str, name: str, side_px: int) -> Picture:
    """The middle of a picture, shape (side_px, side_px, 3). Raises InputError where a file is gone or broken."""
    from PIL import Image

    if not folder and name not in stills():
        raise InputError("picture of the package", [Problem(name, "is none", "a name of media/stills.json")])
    pixels = load_image(folder, name) if folder else still_rgb(name)
    height, width = pixels.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    cut = Image.fromarray(pixels[top : top + side, left : left + side])
    found = np.array(cut.resize((side_px, side_px), Image.Resampling.LANCZOS))
    found.setflags(write=False)
    return found


def drawn(folder: str, side_px: int, rng: np.random.Generator, good: Callable[[Picture], bool]) -> str:
    """A random picture that is good for a puzzle. Raises InputError where none of 200 is."""
    for name, picture in tried(folder, side_px, rng):
        if good(picture):
            return name
    raise unsuited(folder)


def tried(folder: str, side_px: int, rng: np.random.Generator) -> Iterator[tuple[str, Picture]]:
    """Up to 200 random pictures with their names; files that cannot be read are passed over. Raises InputError where none can be."""
    every = names(folder)
    many = len(every) > 10 * TRIES
    numbers = (rng.integers(len(every), size=TRIES) if many else rng.permutation(len(every))[:TRIES]).tolist()
    last: InputError | None = None
    readable = False
    for number in numbers:
        try:
            picture = square(folder, every[number], side_px)
        except InputError as error:
            last = error
            continue
        readable = True
        yield every[number], picture
    if last is not None and not readable:
        raise last


def unsuited(folder: str) -> InputError:
    """What to raise where no picture is good for a puzzle."""
    return InputError("pictures", [Problem(folder or "media", f"none of {TRIES} pictures suits this puzzle", "more varied ones")])


def fault_of(folder: str, name: str, side_px: int) -> list[str]:
    """Why a picture that a saved state names cannot be had; empty where it can."""
    try:
        square(folder, name, side_px)
    except InputError as error:
        return [str(error)]
    return []
