"""Printed matter drawn with Pillow: labels, cards, covers. Fonts are the system's DejaVu; only the resulting pixels are kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
Rgb = tuple[int, int, int]
_FOLDERS = ("/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/TTF", "/usr/share/fonts/dejavu-sans-fonts")


@lru_cache(maxsize=256)
def _font(pixels: int, bold: bool = True, serif: bool = False) -> Any:
    from PIL import ImageFont

    name = f"DejaVu{'Serif' if serif else 'Sans'}{'-Bold' if bold else ''}.ttf"
    for folder in _FOLDERS:
        if (Path(folder) / name).is_file():
            return ImageFont.truetype(str(Path(folder) / name), pixels)
    raise FileNotFoundError(f"font {name} not found in {', '.join(_FOLDERS)}; install the package fonts-dejavu-core")


def _fit(draw: Any, text: str, width: int, height: int, serif: bool, bold: bool = True) -> int:
    """Size of the largest font in which `text` fits into width x height pixels (height is that of a capital)."""
    size = max(8, int(height / 0.73))
    long = draw.textlength(text, font=_font(size, bold, serif))
    while size > 8 and long > width:
        size = max(8, min(size - 1, int(size * width / long)))
        long = draw.textlength(text, font=_font(size, bold, serif))
    return size


def print_label(
    lines: Sequence[str],
    size_px: tuple[int, int],
    paper: Rgb = (250, 248, 240),
    ink: Rgb = (24, 24, 28),
    weights: Sequence[float] = (),
    border: bool = True,
    serif: bool = False,
    left: bool = False,
    band: Rgb | None = None,
) -> U8:
    """A label with `lines` from top to bottom, each as large as its share of the height (`weights`) and the width allow.

    `band` paints a coloured bar behind the first line (its ink becomes the paper colour). `left` aligns to the left edge.
    """
    from PIL import Image, ImageDraw

    w, h = size_px
    image = Image.new("RGB", size_px, paper)
    draw = ImageDraw.Draw(image)
    if border:
        inset = max(2, h // 60)
        draw.rectangle([inset, inset, w - 1 - inset, h - 1 - inset], outline=ink, width=max(2, h // 90))
    share = np.asarray(weights if weights else [1.0] * len(lines), dtype=np.float64)
    if len(share) != len(lines):
        raise ValueError(f"{len(lines)} lines {list(lines)} but {len(share)} weights")
    share = share / share.sum()
    margin_x, margin_y = int(w * 0.07), int(h * 0.06)
    sizes = [
        _fit(draw, line, w - 2 * margin_x, int((h - 2 * margin_y) * part * 0.62), serif) for line, part in zip(lines, share, strict=True)
    ]
    if left:  # a list is written in one size below its heading
        sizes = [sizes[0], *[min(sizes[1:], default=0)] * (len(sizes) - 1)]
    top = float(margin_y)
    for k, (line, part) in enumerate(zip(lines, share, strict=True)):
        room = (h - 2 * margin_y) * part
        colour = ink
        if band is not None and k == 0:
            draw.rectangle([0, 0, w, int(top + room)], fill=band)
            colour = paper
        font = _font(sizes[k], True, serif)
        x = margin_x if left else w // 2
        draw.text((x, top + room / 2), line, fill=colour, font=font, anchor="lm" if left else "mm")
        top += room
    return np.asarray(image, dtype=np.uint8)


def wrap(label: U8, around_px: int, height_px: int, background: Rgb, copies: int = 1) -> U8:
    """A cylinder's wrapping: the label at the front (u = 0.5) and, with two copies, at the back as well."""
    image = np.empty((height_px, around_px, 3), np.uint8)
    image[:] = background
    h, w = label.shape[:2]
    if h > height_px or w > around_px:
        raise ValueError(f"label of {w} x {h} pixels does not fit a wrapping of {around_px} x {height_px}")
    y = (height_px - h) // 2
    for k in range(copies):
        x = (around_px // 2 - w // 2 + k * around_px // 2) % around_px
        columns = (np.arange(w) + x) % around_px
        image[y : y + h, columns] = label
    return image


def screen(kind: str, size_px: tuple[int, int]) -> U8:
    """What a display or dial panel shows: `clock`, `phone`, `laptop`, `dial`, `touch`."""
    from PIL import Image, ImageDraw

    w, h = size_px
    image = Image.new("RGB", size_px, (16, 18, 22))
    draw = ImageDraw.Draw(image)
    if kind == "clock":
        draw.text((w // 2, h // 2), "12:00", fill=(120, 230, 170), font=_font(int(h * 0.6)), anchor="mm")
    elif kind == "phone":
        draw.rectangle([0, 0, w, h], fill=(44, 62, 96))
        draw.text((w // 2, h // 4), "9:41", fill=(240, 244, 250), font=_font(w // 4), anchor="mm")
        for k in range(4):
            draw.rounded_rectangle(
                [w * (0.08 + 0.23 * k), h * 0.82, w * (0.23 + 0.23 * k), h * 0.82 + w * 0.15],
                w // 30,
                fill=[(80, 190, 120), (240, 170, 70), (70, 140, 230), (220, 80, 90)][k],
            )
    elif kind == "laptop":
        draw.rectangle([0, 0, w, h], fill=(58, 86, 112))
        draw.rectangle([w * 0.08, h * 0.1, w * 0.7, h * 0.8], fill=(244, 244, 240))
        for k in range(7):
            draw.rectangle(
                [w * 0.12, h * (0.2 + 0.08 * k), w * (0.4 + 0.03 * ((k * 5) % 8)), h * (0.2 + 0.08 * k) + 4], fill=(140, 144, 150)
            )
    elif kind == "touch":
        _touch_keys(draw, w, h)
    elif kind == "dial":
        draw.rectangle([0, 0, w, h], fill=(60, 62, 66))
        draw.rectangle([w * 0.06, h * 0.25, w * 0.62, h * 0.75], fill=(222, 206, 160))
        for k in range(9):
            draw.line([w * (0.1 + 0.06 * k), h * 0.3, w * (0.1 + 0.06 * k), h * 0.5], fill=(60, 50, 40), width=2)
        draw.line([w * 0.33, h * 0.27, w * 0.33, h * 0.73], fill=(200, 50, 40), width=4)
    else:
        raise ValueError(f"screen kind {kind!r} is none of clock, phone, laptop, dial, touch")
    return np.asarray(image, dtype=np.uint8)


def _touch_keys(draw: Any, w: int, h: int) -> None:
    """A power key and four plates with minus, level and plus."""
    pale, red, r, y = (196, 200, 206), (226, 84, 62), h * 0.28, h / 2
    draw.rounded_rectangle([1, 1, w - 2, h - 2], h // 4, outline=(92, 95, 102), width=2)
    x = h * 0.7
    draw.arc([x - r, y - r, x + r, y + r], -50, 230, fill=red, width=4)
    draw.line([x, y - r * 1.2, x, y - r * 0.2], fill=red, width=4)
    for k in range(4):
        x = h * 1.7 + k * (w - h * 1.5) / 4
        draw.line([x - r * 0.5, y, x + r * 0.5, y], fill=pale, width=3)
        draw.text((x + h * 0.45, y), "0", fill=red, font=_font(int(h * 0.5)), anchor="mm")
        draw.line([x + h * 0.9 - r * 0.5, y, x + h * 0.9 + r * 0.5, y], fill=pale, width=3)
        draw.line([x + h * 0.9, y - r * 0.5, x + h * 0.9, y + r * 0.5], fill=pale, width=3)
