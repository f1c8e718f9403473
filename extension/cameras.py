"""The few calls of Kit that pictures need, as a protocol, so that the wait for a valid frame runs without Kit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

Annotator = Literal["rgba", "distance_to_image_plane", "instance_id_segmentation"]
ANNOTATORS: tuple[Annotator, ...] = ("rgba", "distance_to_image_plane", "instance_id_segmentation")


class Cameras(Protocol):
    """One camera prim with a sensor on it. `KitCameras` is the real one."""

    def open(self, path: str, width: int, height: int) -> None:
        """Put a sensor of this size on a camera prim, in place of the one before."""
        ...

    def render(self) -> None:
        """Render the stage as it is now, without stepping physics."""
        ...

    def read(self, annotator: Annotator) -> tuple[Any, Mapping[str, Any]]:
        """What the sensor has: an array, or whatever it gives while it warms up, and its notes."""
        ...

    def close(self) -> None:
        """Take the sensor away. Idempotent."""
        ...
