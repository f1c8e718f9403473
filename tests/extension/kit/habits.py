"""The bad habits of an RTX camera sensor, whatever it looks at: nothing at first, late frames, and noise after it has moved."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Shot = TypeVar("Shot")


@dataclass(frozen=True, eq=False)
class Frame:
    """A finished frame: colours (h, w, 4) uint8, plane depth (h, w, 1), ids (h, w, 1) of the sensor's own, and what each id stands for."""

    rgba: NDArray[np.uint8]
    depth_m: NDArray[np.float32]
    ids: NDArray[np.uint32]
    labels: Mapping[str, str]


class Eye(Protocol[Shot]):
    """What a sensor looks at."""

    def now(self) -> tuple[Shot, Hashable]:
        """What there is to see now, and where from."""
        ...

    def develop(self, shot: Shot, height: int, width: int) -> Frame:
        """The picture of what there was to see."""
        ...


class LateSensor(Generic[Shot]):
    """blind: renders after it was opened in which there is nothing. late: renders by which a frame is behind. size: (height, width)."""

    def __init__(self, eye: Eye[Shot], size: tuple[int, int], *, blind: int = 4, late: int = 1) -> None:
        self._eye, self._size, self._blind, self._late = eye, size, blind, late
        self._queue: list[tuple[Shot, bool, list[Frame]]] = []
        self._renders = 0
        self._from: Hashable = None

    def render(self) -> None:
        """A frame is taken of what there is now."""
        shot, where = self._eye.now()
        self._queue = [*self._queue, (shot, where != self._from, [])][-(self._late + 1) :]
        self._renders, self._from = self._renders + 1, where

    def read(self, annotator: str) -> tuple[Any, Mapping[str, Any]]:
        """What the sensor has."""
        height, width = self._size
        if self._renders <= self._blind:
            early: list[Any] = [None, np.zeros(0), {"data": np.zeros(0)}, np.zeros((height, width, 4), np.uint8)]
            return early[(self._renders - 1) % len(early)], {}
        shot, moved, made = self._queue[0]
        if not made:
            made.append(self._eye.develop(shot, height, width))
        frame = made[0]
        if annotator == "distance_to_image_plane":
            return frame.depth_m, {}
        if annotator == "instance_id_segmentation":
            return frame.ids, {"idToLabels": frame.labels}
        rgba = frame.rgba.copy()
        if moved:
            rgba[..., :3] = np.random.default_rng(self._renders).integers(0, 255, (height, width, 3))
        return rgba, {}
