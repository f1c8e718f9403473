"""Errors of the Isaac back end: each names what was asked for, what came, and what to do about it."""

from __future__ import annotations

from assistcore.world.errors import InfrastructureError


class CameraNotReady(InfrastructureError):
    """A camera gave no valid picture within its budget of renders."""

    def __init__(self, camera: str, tries: int, last: str) -> None:
        self.camera, self.tries = camera, tries
        super().__init__(
            "draw",
            f"camera {camera} not ready after {tries} renders, the last one was {last}; see docs/isaac_sim.md, 'the camera is not ready'",
        )


class StaleFrame(InfrastructureError):
    """Pictures came, all of them of an earlier state."""

    def __init__(self, camera: str, tries: int, wanted: int, shown: int) -> None:
        self.camera, self.wanted, self.shown = camera, wanted, shown
        super().__init__(
            "draw",
            f"camera {camera} still shows state {shown} after {tries} renders, not {wanted}; see docs/isaac_sim.md, 'stale frames'",
        )


class PhysicsSceneError(InfrastructureError):
    """The stage's physics scene is not the one that was set up."""

    def __init__(self, what: str) -> None:
        super().__init__("start PhysX", what)
