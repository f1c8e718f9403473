"""The few calls of Kit that the physics back end makes, as a protocol, so that all of its logic runs without Kit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pxr import Usd


class Simulation(Protocol):
    """PhysX on one USD stage. `KitSimulation` is the real one."""

    def open(self, file: Path) -> Usd.Stage:
        """Open a USD file in place of the stage before and give its `Usd.Stage`. Raises InfrastructureError."""
        ...

    def stage(self) -> Usd.Stage | None:
        """The open `Usd.Stage`, None where there is none."""
        ...

    def start(self, scene_path: str, step_seconds: float) -> None:
        """Let PhysX read the stage and begin. It may step twice while it does. Bodies that are not kinematic move from then on."""
        ...

    def running(self) -> bool:
        """Whether it has been started and not stopped since, by whomever."""
        ...

    def step(self, steps: int) -> None:
        """Advance physics alone and write poses back to the stage."""
        ...

    def stop(self) -> None:
        """Forget everything that PhysX has read. Idempotent. Attributes go back to what they were at the start."""
        ...

    def tensor_rows(self, paths: Sequence[str]) -> NDArray[np.float32]:
        """Poses as PhysX itself has them, shape (n, 7), in the order of the paths: x, y, z, then the quaternion as x, y, z, w."""
        ...
