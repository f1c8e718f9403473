"""Videos from a folder: files as Something-Something v2 has them (`1.webm`, `2.webm`, ...), or a sub-folder of pictures for each video.

Files need OpenCV (`pip install opencv-python-headless`); folders of pictures need nothing.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assistcore.world.errors import InputError, Problem

ENDINGS = frozenset({".webm", ".mp4", ".avi", ".mkv", ".mov"})
PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp"})
MOST_FRAMES = 64
"""Of a longer video this many are kept, evenly; Something-Something has 2 to 6 s at 12 frames a second. A frame takes 150 kB of memory."""
MOST_READ = 600
"""Of a file that is longer still, the beginning is taken."""
LEAST_SIDE_PX = 32

T = TypeVar("T")


@lru_cache(maxsize=4)
def video_names(folder: str) -> tuple[str, ...]:
    """Files and folders of pictures directly below a folder, by number where they have one. Raises InputError where there is none."""
    root = Path(folder)
    if not root.is_dir():
        raise InputError("videos from a folder", [Problem(folder, "is no folder", "that of the videos of Something-Something v2")])
    with os.scandir(root) as listed:
        found = [
            entry.name for entry in listed if Path(entry.name).suffix.lower() in ENDINGS or (entry.is_dir() and _pictures(Path(entry)))
        ]
    if not found:
        fix = f"files ending in {', '.join(sorted(ENDINGS))}, or sub-folders of pictures"
        raise InputError("videos from a folder", [Problem(folder, "holds no video", fix)])
    return tuple(sorted(found, key=_number_first))


@lru_cache(maxsize=8)
def video_frames(folder: str, name: str, side_px: int) -> NDArray[np.uint8]:
    """The middles of the frames in time, shape (n, side_px, side_px, 3); shared, so not to be written to.

    Raises InputError naming the video for one that is outside the folder, cannot be read, or has fewer than two frames.
    """
    video = Path(folder) / name
    if video.resolve().parent != Path(folder).resolve() or not video.exists():
        raise InputError("video from a folder", [Problem(str(video), "is no video in this folder")])
    frames = _of_pictures(video, side_px) if video.is_dir() else _of_file(video, side_px)
    if len(frames) < 2:
        raise InputError("video from a folder", [Problem(str(video), f"has {len(frames)} frames that can be read", "at least 2")])
    stacked = np.stack(frames)
    stacked.setflags(write=False)
    return stacked


def _number_first(name: str) -> tuple[int, str]:
    number = re.match(r"\d{1,18}", name)
    return (int(number.group()) if number else -1, name)


def _pictures(folder: Path) -> list[Path]:
    return sorted((file for file in folder.iterdir() if file.suffix.lower() in PICTURES), key=lambda file: _number_first(file.name))


def _of_pictures(folder: Path, side_px: int) -> list[NDArray[np.uint8]]:
    from PIL import Image, UnidentifiedImageError

    frames = []
    for file in _evenly(_pictures(folder)):
        try:
            with Image.open(file) as image:
                frames.append(_square(np.array(image.convert("RGB")), side_px, file))
        except (OSError, SyntaxError, UnidentifiedImageError, Image.DecompressionBombError) as error:
            raise InputError("video from a folder", [Problem(str(file), f"cannot be read: {error}")]) from error
    return frames


def _of_file(file: Path, side_px: int) -> list[NDArray[np.uint8]]:
    try:
        import cv2
    except ModuleNotFoundError as error:
        fix = "pip install opencv-python-headless, or give a folder of pictures for each video"
        raise InputError("video from a folder", [Problem(str(file), "cannot be read without OpenCV", fix)]) from error

    reader = cv2.VideoCapture(str(file))
    frames: list[NDArray[np.uint8]] = []
    try:
        while len(frames) < MOST_READ:
            read, bgr = reader.read()
            if not read:
                break
            frames.append(_square(np.asarray(bgr[..., ::-1], dtype=np.uint8), side_px, file))
    finally:
        reader.release()
    return _evenly(frames)


def _evenly(items: list[T]) -> list[T]:
    if len(items) <= MOST_FRAMES:
        return items
    return [items[n] for n in np.linspace(0, len(items) - 1, MOST_FRAMES).round().astype(int).tolist()]


def _square(rgb: NDArray[np.uint8], side_px: int, file: Path) -> NDArray[np.uint8]:
    from PIL import Image

    height, width = rgb.shape[:2]
    side = min(height, width)
    if side < LEAST_SIDE_PX:
        raise InputError("video from a folder", [Problem(str(file), f"is {width} x {height} pixels", f"at least {LEAST_SIDE_PX}")])
    top, left = (height - side) // 2, (width - side) // 2
    cut = Image.fromarray(np.ascontiguousarray(rgb[top : top + side, left : left + side]))
    return np.array(cut.resize((side_px, side_px), Image.Resampling.LANCZOS if side < side_px else Image.Resampling.BOX))
