"""The Physics protocol: the thin part of a back end that moves bodies. It holds no semantic fact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from assistcore.house.stage import StageModel
from assistcore.house.state import Attachment
from assistcore.world.poses import Pose

STEPS_PER_TICK = 5
STEP_SECONDS = 1.0 / 60.0
REST_SPEED_M_S = 1e-3
"""A body is at rest below this speed (seed B.1.2)."""


class Physics(Protocol):
    """Load a stage, place bodies, switch them between kinematic and dynamic, drive joints, step. Deterministic."""

    name: str

    def load(self, stage: StageModel, poses: Mapping[str, Pose], joints: Mapping[str, float], removed: frozenset[str]) -> None:
        """Build the model; movables named in `poses` start there instead of at their stage pose; `removed` ones are absent."""

    def poses(self) -> dict[str, Pose]:
        """World pose of the root of every present movable."""

    def joints(self) -> dict[str, float]:
        """Value of every joint: radians or metres."""

    def set_pose(self, entity: str, pose: Pose) -> None:
        """Put a movable somewhere, at zero velocity."""

    def set_kinematic(self, entity: str, kinematic: bool) -> None:
        """A kinematic body stays where `set_pose` puts it and is not pushed."""

    def set_attached(self, attached: tuple[Attachment, ...]) -> None:
        """From now on each child is a rigid part of its parent's body: it has no motion of its own, and `set_pose` of it has no effect."""

    def set_joint(self, joint: str, value: float) -> None:
        """Put a joint somewhere; joints are always driven, never free."""

    def step(self, steps: int) -> None:
        """Advance by `steps` of 1/60 s."""

    def at_rest(self) -> bool:
        """Whether every dynamic body is below the rest speed."""

    def save(self) -> bytes:
        """Whole dynamic state."""

    def restore(self, state: bytes) -> None:
        """Inverse of `save`."""

    def close(self) -> None:
        """Release the model. Idempotent."""
