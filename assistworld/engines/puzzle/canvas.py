"""Small drawing helpers that puzzles share: blank pictures, discs, letters. Colours are sRGB triples 0 to 255."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assistworld.engines.puzzle.puzzle import Picture

if TYPE_CHECKING:
    from PIL import ImageFont

Colour: TypeAlias = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (20, 20, 24)
RED: Colour = (214, 48, 49)
BLUE: Colour = (35, 98, 217)


def blank(height: int, width: int, colour: Colour = WHITE) -> Picture:
    """A picture of one colour."""
    picture = np.empty((height, width, 3), np.uint8)
    picture.reshape(height, -1)[:] = np.tile(np.array(colour, np.uint8), width)  # row by row: some ten times faster than pixel by pixel
    return picture


@lru_cache(maxsize=64)
def disc(size: int, radius: float) -> NDArray[np.bool_]:
    """A mask of a disc in the middle of a square, shape (size, size)."""
    offsets = np.arange(size) - (size - 1) / 2
    return np.asarray(offsets[:, None] ** 2 + offsets[None, :] ** 2 <= radius**2)


def stamp(picture: Picture, mask: NDArray[np.bool_], top: int, left: int, colour: Colour) -> None:
    """Colour the pixels of a mask whose upper left corner lies at a pixel of the picture."""
    picture[top : top + mask.shape[0], left : left + mask.shape[1]][mask] = colour


@lru_cache(maxsize=16)
def font(pixels: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font that comes with Pillow, so that pictures do not depend on what a machine has installed."""
    from PIL import ImageFont

    return ImageFont.load_default(pixels)


@lru_cache(maxsize=512)
def letters(text: str, pixels: int) -> NDArray[np.bool_]:
    """A mask of a short text, tight around it."""
    from PIL import Image, ImageDraw

    left, top, right, bottom = (round(edge) for edge in font(pixels).getbbox(text, mode="1"))
    image = Image.new("1", (max(right - left, 1), max(bottom - top, 1)))
    ImageDraw.Draw(image).text((-left, -top), text, fill=1, font=font(pixels))
    return np.asarray(image, dtype=np.bool_)


def stamp_letters(picture: Picture, text: str, pixels: int, centre: tuple[float, float], colour: Colour) -> None:
    """Write a short text around a centre (row, column), inside the picture."""
    mask = letters(text, pixels)
    top, left = round(centre[0] - mask.shape[0] / 2), round(centre[1] - mask.shape[1] / 2)
    stamp(picture, mask, top, left, colour)
