"""The house on PhysX and RTX: the same engine, action layer and scenes, with Isaac Sim's `Physics` and `Pictures` below."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from assistcore.house.physics import Physics
from assistcore.pictures.protocol import Pictures
from assistcore.world.engine import Abilities
from assistworld.engines.house.engine import HouseEngine
from assistworld.engines.house.person import Person
from assistworld.engines.house.scenes import scene_file
from extension import settings
from extension.frames import Patience
from extension.kit_cameras import KitCameras
from extension.kit_host import KitHost
from extension.kit_simulation import KitSimulation
from extension.physics import IsaacPhysics
from extension.pictures import IsaacPictures

PROMISES = Abilities(restore="at_rest", repeat="tolerance")
"""PhysX repeats itself on one machine more often than not; nothing here promises it."""


class IsaacHouse(HouseEngine):
    """`HouseEngine` under the name of its back end, with Isaac Sim's version beside its own."""

    name = "isaac"

    @property
    def version(self) -> str:
        """See `HouseEngine`."""
        return f"{super().version}+isaacsim-{isaac_version()}"


def isaac_version() -> str:
    """The installed version of Isaac Sim, `unknown` for a binary installation."""
    try:
        return metadata.version("isaacsim-kernel")
    except metadata.PackageNotFoundError:
        return "unknown"


def patience() -> Patience:
    """How long to wait for a frame, as the extension's settings have it now. Raises InputError for wrong ones."""
    found = settings.read(KitHost().setting)
    return Patience(found.warm_up_renders, found.settle_renders)


def make(
    *,
    physics: Physics | None = None,
    pictures: Pictures | None = None,
    width: str = "640",
    height: str = "480",
    body: str = "",
    gait: str = "",
) -> IsaacHouse:
    """The engine, inside a process in which Isaac Sim's application runs. Numbers are words, since they come from a command line.

    Pictures are `width` by `height` pixels. `body` and `gait` are files of the user's own, as for the embedded house.
    """
    simulation = KitSimulation()
    return IsaacHouse(
        physics=physics or IsaacPhysics(simulation, scene_file),
        pictures=pictures or IsaacPictures(KitCameras(), simulation.stage, patience),
        abilities=PROMISES,
        width=int(width),
        height=int(height),
        person=Person(Path(body) if body else None, Path(gait) if gait else None),
    )
