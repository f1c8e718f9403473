"""Pictures from a folder, as the LLaVA pretraining images are laid out: JPEG and PNG files in numbered sub-folders."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistcore.world.errors import InputError, Problem

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp"})
LEAST_SIDE_PX = 96
"""A smaller picture would be mostly blur."""
MOST_PIXELS = 64_000_000


@lru_cache(maxsize=8)
def image_files(folder: str) -> tuple[str, ...]:
    """Paths of all pictures below a folder, relative to it, sorted. Raises InputError where there is none."""
    root = Path(folder)
    found = tuple(sorted(f.relative_to(root).as_posix() for f in root.rglob("*") if f.suffix.lower() in ENDINGS)) if root.is_dir() else ()
    if not found:
        what = f"holds no picture ({', '.join(sorted(ENDINGS))})" if root.is_dir() else "is no folder"
        raise InputError("pictures from a folder", [Problem(folder, what, "a folder such as that of the LLaVA pretraining images")])
    return found


def load_image(folder: str, name: str) -> NDArray[np.uint8]:
    """A picture of a folder, shape (h, w, 3), turned as its EXIF says.

    Raises InputError naming the file for one that is outside the folder, cannot be read, or is too small or too large.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    file = Path(folder) / name
    if not file.resolve().is_relative_to(Path(folder).resolve()) or not file.is_file():
        raise InputError("picture from a folder", [Problem(str(file), "is no file in this folder")])
    try:
        with Image.open(file) as image:
            if not LEAST_SIDE_PX <= min(image.size) or image.size[0] * image.size[1] > MOST_PIXELS:
                fix = f"sides of at least {LEAST_SIDE_PX} pixels, at most {MOST_PIXELS} pixels together"
                raise InputError("picture from a folder", [Problem(str(file), f"is {image.size[0]} x {image.size[1]}", fix)])
            return np.array(ImageOps.exif_transpose(image).convert("RGB"))
    except (OSError, ValueError, SyntaxError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("picture from a folder", [Problem(str(file), f"cannot be read: {error}")]) from error
