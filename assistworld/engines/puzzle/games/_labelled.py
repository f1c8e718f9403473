"""Pictures in which things are labelled: what counting and pointing ask about, fitted to one size. Cached, so not to be written to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assistworld.engines.puzzle.canvas import Colour, blank
from assistworld.engines.puzzle.datasets.lvis import lvis_images
from assistworld.engines.puzzle.datasets.masks import Mask
from assistworld.engines.puzzle.datasets.refcoco import references
from assistworld.engines.puzzle.datasets.referring import Located, expressions
from assistworld.engines.puzzle.datasets.stills import still_ids, still_rgb, stills
from assistworld.engines.puzzle.puzzle import Picture

HEIGHT_PX, WIDTH_PX = 336, 448
PADDING: Colour = (128, 128, 128)
Point = tuple[float, float]
"""Column and row as shares of the picture, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Labelled:
    """A picture of HEIGHT_PX x WIDTH_PX and a mask of the same size: n where thing n is, from 1; and a point on each thing."""

    picture: Picture
    ids: NDArray[np.int32]
    points: tuple[Point, ...]


@lru_cache(maxsize=16)
def count_questions(folder: str, annotations: str) -> dict[tuple[str, str], int]:
    """Every (picture, what is to be counted) with the right number: of the stills, or of LVIS where `annotations` is a file.

    Raises InputError.
    """
    if annotations:
        listed = lvis_images(annotations, folder).items()
        return {(name, what): len(parts) for name, image in listed for what, parts in sorted(image.instances.items())}
    found = Counter[tuple[str, str]]()
    for still in stills().values():
        for thing in still.things:
            found[still.name, thing.plural] += 1
            if thing.colour:
                found[still.name, f"{thing.colour} {thing.plural}"] += 1
    return {
        (name, what): count
        for (name, what), count in found.items()
        if not any(what.endswith(f" {plural}") and found[name, plural] == count for plural in _plurals(name))
    }


def _plurals(name: str) -> frozenset[str]:
    return frozenset(thing.plural for thing in stills()[name].things)


@lru_cache(maxsize=48)
def counted(folder: str, annotations: str, name: str, what: str) -> Labelled:
    """The picture of a question, the things that are to be counted labelled. Raises InputError."""
    if annotations:
        image = lvis_images(annotations, folder)[name]
        return fitted(image.rgb(folder), image.masks(what))
    ids, things = still_ids(name), stills()[name].things
    wanted = [n for n, thing in enumerate(things, 1) if what in (thing.plural, f"{thing.colour} {thing.plural}")]
    return fitted(still_rgb(name), [ids == n for n in wanted])


@dataclass(frozen=True)
class Referred:
    """A thing that is meant: its picture, the number of its mask, what is said, its share of the picture, and how many are of its noun."""

    picture: str
    number: int
    expressions: tuple[str, ...]
    share: float
    alike: int


@lru_cache(maxsize=8)
def still_references() -> tuple[Referred, ...]:
    """Things of the stills for which there is an expression."""
    found = list[Referred]()
    for still in stills().values():
        if not still.things:
            continue
        ids = still_ids(still.name)
        rows, columns = np.indices(ids.shape)
        sizes = np.bincount(ids.ravel(), minlength=len(still.things) + 1).astype(float)
        x = np.bincount(ids.ravel(), columns.ravel(), len(sizes)) / np.maximum(sizes, 1)
        y = np.bincount(ids.ravel(), rows.ravel(), len(sizes)) / np.maximum(sizes, 1)
        located = [Located(thing.noun, thing.colour, x[n], y[n]) for n, thing in enumerate(still.things, 1)]
        said: dict[int, list[str]] = {}
        for number, text in expressions(located, ids.shape[1], ids.shape[0]):
            said.setdefault(number, []).append(text)
        nouns = Counter(thing.noun for thing in still.things)
        for number, texts in sorted(said.items()):
            alike = nouns[still.things[number].noun] - 1
            found.append(Referred(still.name, number + 1, tuple(texts), sizes[number + 1] / ids.size, alike))
    return tuple(found)


@lru_cache(maxsize=48)
def referred(folder: str, images: str, split: str, name: str, number: int) -> Labelled:
    """The picture of a reference with the mask of what is meant: a still and the number of a thing, or the id of a RefCOCO reference.

    Raises InputError, KeyError for a reference that is not there.
    """
    if folder:
        reference = references(folder, images, split)[name]
        return fitted(reference.rgb(images), [reference.mask()])
    if not 1 <= number <= len(stills()[name].things):
        raise KeyError(number)
    return fitted(still_rgb(name), [still_ids(name) == number])


def fitted(pixels: NDArray[np.uint8], masks: list[Mask]) -> Labelled:
    """A picture with its masks, made as large as fits, in the middle of grey."""
    from PIL import Image

    height, width = pixels.shape[:2]
    scale = min(HEIGHT_PX / height, WIDTH_PX / width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    top, left = (HEIGHT_PX - size[1]) // 2, (WIDTH_PX - size[0]) // 2
    image = Image.fromarray(pixels)
    picture = blank(HEIGHT_PX, WIDTH_PX, PADDING)
    picture[top : top + size[1], left : left + size[0]] = np.array(
        image if image.size == size else image.resize(size, Image.Resampling.LANCZOS)
    )
    ids, points = np.zeros((HEIGHT_PX, WIDTH_PX), np.int32), list[Point]()
    rows = np.minimum((np.arange(size[1]) + 0.5) * height / size[1], height - 1).astype(int)
    columns = np.minimum((np.arange(size[0]) + 0.5) * width / size[0], width - 1).astype(int)
    for number, mask in enumerate(masks, 1):
        small = mask if size == (width, height) else mask[np.ix_(rows, columns)]
        ids[top : top + size[1], left : left + size[0]][small] = number
        row, column = _middle(small if small.any() else mask, small.shape)
        points.append((round((left + column + 0.5) / WIDTH_PX, 5), round((top + row + 0.5) / HEIGHT_PX, 5)))
    picture.setflags(write=False)
    ids.setflags(write=False)
    return Labelled(picture, ids, tuple(points))


def _middle(mask: Mask, shape: tuple[int, ...]) -> tuple[int, int]:
    """The pixel in the middle of a mask, or the one deepest inside it where the middle is not on it; scaled to `shape`."""
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return shape[0] // 2, shape[1] // 2
    row, column = round(float(rows.mean())), round(float(columns.mean()))
    if not mask[row, column]:
        from scipy.ndimage import distance_transform_edt

        deep = distance_transform_edt(np.pad(mask, 1))
        row, column = (int(n) - 1 for n in np.unravel_index(int(np.argmax(deep)), deep.shape))
    return min(row * shape[0] // mask.shape[0], shape[0] - 1), min(column * shape[1] // mask.shape[1], shape[1] - 1)


def number_at(ids: NDArray[np.int32], point: Point) -> int:
    """Which thing is at a point; 0 for none."""
    column, row = min(int(point[0] * WIDTH_PX), WIDTH_PX - 1), min(int(point[1] * HEIGHT_PX), HEIGHT_PX - 1)
    return int(ids[row, column])
