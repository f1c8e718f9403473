"""`Cameras` on Isaac Sim 6.2: the RTX camera sensor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assistcore.world.errors import InfrastructureError
from extension.cameras import ANNOTATORS, Annotator
from extension.conversions import height_width

if TYPE_CHECKING:
    from isaacsim.sensors.experimental.rtx import CameraSensor


class KitCameras:
    """A `CameraSensor` with colours, depth and instance ids, rendered on demand."""

    def __init__(self) -> None:
        self._sensor: CameraSensor | None = None

    def open(self, path: str, width: int, height: int) -> None:
        """See `Cameras`."""
        from isaacsim.sensors.experimental.rtx import CameraSensor

        self.close()
        self._sensor = CameraSensor(path, resolution=height_width(width, height), annotators=list(ANNOTATORS))

    def render(self) -> None:
        """See `Cameras`. One update of the app with its player held, so that physics does not step along."""
        from isaacsim.core.rendering_manager import RenderingManager

        RenderingManager.render()

    def read(self, annotator: Annotator) -> tuple[Any, Mapping[str, Any]]:
        """See `Cameras`."""
        if self._sensor is None:
            raise InfrastructureError("draw", "no camera is open")
        data, info = self._sensor.get_data(annotator)
        return data, info

    def close(self) -> None:
        """See `Cameras`. The render product goes with the last reference to the sensor."""
        self._sensor = None
