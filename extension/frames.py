"""From a sensor to a finished frame: nothing that is empty, black for want of a picture, or of an earlier state gets through.

What counts as no picture: None, an array without elements or of another size, a mapping around one, and RGBA in which everything is zero,
alpha too. A dark room is a picture: its alpha is not zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.scene import F32, U8
from extension import stamp
from extension.cameras import Annotator, Cameras
from extension.conversions import height_width
from extension.errors import CameraNotReady, StaleFrame

CHANNELS: Mapping[Annotator, int] = {"rgba": 4, "distance_to_image_plane": 1, "instance_id_segmentation": 1}


@dataclass(frozen=True)
class Patience:
    """How many renders a frame may take. warm_up: until there is a valid frame of the right state. settle: more of them after the first
    that shows the right state, of which the last is taken: the first after a camera has moved is noise, and light gathers over several."""

    warm_up: int = 64
    settle: int = 4


@dataclass(frozen=True, eq=False)
class Frame:
    """A finished frame, bands cut off. ids: what the sensor calls them, (h, w); labels: prim path by id. discarded: renders thrown away."""

    rgb: U8
    depth_m: F32
    ids: NDArray[np.int64]
    labels: Mapping[int, str]
    discarded: int


def as_image(raw: Any, height: int, width: int, channels: int) -> NDArray[Any] | str:
    """An array (height, width, channels) on the host, or in words why there is none yet."""
    if isinstance(raw, Mapping):
        raw = raw.get("data")
    if raw is None:
        return "nothing"
    array = np.asarray(raw.numpy() if hasattr(raw, "numpy") else raw)
    if array.size == 0:
        return f"an empty buffer of shape {array.shape}"
    if array.size != height * width * channels:
        return f"a buffer of shape {array.shape}, not ({height}, {width}, {channels})"
    return array.reshape(height, width, channels)


def rgba_of(raw: Any, height: int, width: int) -> NDArray[np.uint8] | str:
    """Colours (height, width, 4), or in words why there are none yet."""
    image = as_image(raw, height, width, 4)
    if isinstance(image, str):
        return image
    return image.astype(np.uint8) if image.any() else "black and transparent everywhere"


class FrameTaker:
    """Renders until the camera shows the state that is asked for, within a budget."""

    def __init__(self, cameras: Cameras, camera: str, stamps: str, patience: Callable[[], Patience]) -> None:
        self._cameras, self._camera, self._stamps, self._patience = cameras, camera, stamps, patience
        self._size = (0, 0)

    def take(self, width: int, height: int, number: int) -> Frame:
        """A frame of the state stamped `number`. Raises CameraNotReady or StaleFrame, each with the camera and the count."""
        if self._size != (width, height):
            self._open(width, height)
        right, last, stale = 0, "nothing", -1
        patience = self._patience()
        tries = patience.warm_up + patience.settle
        for n in range(tries):
            if n and n == patience.warm_up // 2 and not right:
                self._open(width, height)  # A sensor that only repeats itself is replaced once.
            self._cameras.render()
            found = self._read(width, height + 2 * stamp.BAND_PX, number)
            if isinstance(found, int):
                stale, right, last = found, 0, f"of state {found}"
            elif isinstance(found, str):
                last = found
            elif right < patience.settle:
                right += 1
            else:
                rgba, depth, ids, labels = found
                return Frame(stamp.cut(rgba)[..., :3].copy(), stamp.cut(depth), stamp.cut(ids), labels, n)
        if stale >= 0:
            raise StaleFrame(self._camera, tries, number, stale)
        raise CameraNotReady(self._camera, tries, last)

    def _open(self, width: int, height: int) -> None:
        self._cameras.open(self._camera, width, height + 2 * stamp.BAND_PX)
        self._size = (width, height)

    def forget(self) -> None:
        """The stage was replaced: the next frame needs a new sensor."""
        self._cameras.close()
        self._size = (0, 0)

    def _read(
        self, width: int, height: int, number: int
    ) -> tuple[NDArray[np.uint8], F32, NDArray[np.int64], Mapping[int, str]] | str | int:
        """What the sensor has: a frame, in words why there is none, or the number of the other state that it shows."""
        h, w = height_width(width, height)
        try:
            rgba = rgba_of(self._cameras.read("rgba")[0], h, w)
            depth = as_image(self._cameras.read("distance_to_image_plane")[0], h, w, CHANNELS["distance_to_image_plane"])
            raw, info = self._cameras.read("instance_id_segmentation")
        except RuntimeError as error:  # how CameraSensor says that a buffer has another size yet
            return str(error)
        ids = as_image(raw, h, w, CHANNELS["instance_id_segmentation"])
        if isinstance(rgba, str) or isinstance(depth, str) or isinstance(ids, str):
            return next(x for x in (rgba, depth, ids) if isinstance(x, str))
        labels = info.get("idToLabels", {})
        flat = ids[..., 0].astype(np.int64)
        shown = stamp.number_of(flat, labels, self._stamps)
        if shown is None:
            return "a picture without the stage's own marks in its instance ids"
        if shown != number:
            return shown
        return rgba, depth[..., 0].astype(np.float32), flat, {int(k): str(v) for k, v in labels.items() if str(k).lstrip("-").isdigit()}
