"""Instance masks as COCO and LVIS write them: polygons, run lengths, or run lengths packed into text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


def mask_of(segmentation: Any, height: int, width: int) -> Mask:
    """A mask of shape (height, width).

    segmentation: a list of polygons `[x0, y0, x1, y1, ...]` in pixels, or `{"size": [height, width], "counts": ...}` with run lengths
    down the columns, beginning with the pixels outside, as a list or packed into text. Raises ValueError for anything else.
    """
    if isinstance(segmentation, dict):
        if [int(n) for n in segmentation.get("size", ())] != [height, width]:
            raise ValueError(f"a mask of size {segmentation.get('size')!r} for a picture of {[height, width]}")
        counts = segmentation.get("counts")
        return _from_runs(unpacked(counts) if isinstance(counts, str | bytes) else [int(n) for n in counts or ()], height, width)
    if not isinstance(segmentation, list) or not segmentation:
        raise ValueError(f"a segmentation that is neither polygons nor run lengths: {segmentation!r:.60}")
    from PIL import Image, ImageDraw

    image = Image.new("1", (width, height))
    for polygon in segmentation:
        if len(polygon) < 6 or len(polygon) % 2:
            raise ValueError(f"a polygon of {len(polygon)} numbers, expected an even number from 6 on")
        ImageDraw.Draw(image).polygon([(float(x), float(y)) for x, y in zip(polygon[::2], polygon[1::2], strict=True)], fill=1)
    return np.array(image, dtype=np.bool_)


def unpacked(text: str | bytes) -> list[int]:
    """Run lengths from COCO's packed text: groups of five bits from character 48 on, low ones first, bit 6 where a number goes on, bit 5 of
    the last group its sign; from the fourth number on it is the difference to that two before.
    """
    data = text.encode("ascii") if isinstance(text, str) else text
    found, at = list[int](), 0
    while at < len(data):
        number, shift, more = 0, 0, True
        while more:
            if at >= len(data) or not 48 <= data[at] < 112:
                raise ValueError(f"packed run lengths that end or break at character {at}")
            group = data[at] - 48
            number |= (group & 0x1F) << shift
            more, at, shift = bool(group & 0x20), at + 1, shift + 5
            if not more and group & 0x10:
                number -= 1 << shift
        found.append(number + (found[-2] if len(found) > 2 else 0))
    return found


def _from_runs(runs: list[int], height: int, width: int) -> Mask:
    if sum(runs) != height * width or min(runs, default=0) < 0:
        raise ValueError(f"run lengths of {sum(runs)} pixels for a picture of {height} x {width}")
    values = np.arange(len(runs)) % 2 == 1
    return np.repeat(values, runs).reshape(width, height).T.copy()
