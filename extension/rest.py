"""When bodies are at rest, and which wake each other: the same rule on every back end, from poses alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from assistcore.house.physics import REST_SPEED_M_S, STEP_SECONDS
from assistcore.house.stage import Entity
from assistcore.world.poses import Pose

F64 = NDArray[np.float64]
Box = tuple[F64, F64]

REST_STEPS = 12
REST_M = REST_SPEED_M_S * STEP_SECONDS * REST_STEPS
"""At rest: for twelve steps no point of any awake body is farther from where it was than the rest speed brings it (0.2 mm)."""
STILL_M, STILL_RAD = 1e-3, float(np.radians(0.5))
"""A body that has moved less than this since it last rested has not moved: it goes back to the exact pose that it had."""
WEARY_STEPS, WEARY_M = 1200, 0.02 * STEP_SECONDS * REST_STEPS
"""What still trembles after 20 s, slower than 2 cm/s, is put to rest where it is."""
TOUCH_M = 0.004
"""Boxes closer than this may lean on each other: one that wakes, wakes the other."""


def apart(a: Pose, b: Pose) -> tuple[float, float]:
    """Distance, metres, and angle, radians, between two poses; quaternions need no exact unit length."""
    shift = float(np.linalg.norm(np.subtract(a.position_m, b.position_m)))
    length = float(np.linalg.norm(a.quat_wxyz) * np.linalg.norm(b.quat_wxyz))
    cosine = abs(float(np.dot(a.quat_wxyz, b.quat_wxyz))) / length
    return shift, 2.0 * float(np.arccos(min(1.0, cosine)))


def moved(now: Pose, then: Pose) -> bool:
    """Whether a body is somewhere else, or only back where it was to within what contacts do by themselves."""
    shift, turn = apart(now, then)
    return shift >= STILL_M or turn >= STILL_RAD


def box_of(entity: Entity, pose: Pose) -> Box:
    """World box, low and high corner (3,), metres, around an entity's own box."""
    low, high = entity.box_m
    T = pose.matrix()
    centre, half = T[:3, :3] @ (0.5 * (low + high)) + T[:3, 3], np.abs(T[:3, :3]) @ (0.5 * (high - low))
    return centre - half, centre + half


def touching(boxes: Mapping[str, Box], place: Box, margin_m: float = TOUCH_M) -> list[str]:
    """Keys of the boxes within a margin of another one, sorted."""
    low, high = place[0] - margin_m, place[1] + margin_m
    return sorted(key for key, (a, b) in boxes.items() if bool(((b > low) & (a < high)).all()))


class RestWatch:
    """Counts the steps for which every awake body stays where it is."""

    def __init__(self, radius_m: Mapping[str, float]) -> None:
        self._radius_m = radius_m
        self.restart()

    def restart(self) -> None:
        """Something new is awake: counting begins anew."""
        self._slow = self._weary = self.awake = 0
        self._from: dict[str, Pose] = {}

    def look(self, poses: Mapping[str, Pose]) -> bool:
        """Take the poses of the awake bodies after a step. Returns whether they are at rest."""
        self.awake += 1
        farthest = max((self._reach(key, pose) for key, pose in poses.items()), default=0.0)
        fresh = self._slow == 0 or set(poses) != set(self._from)
        self._slow = 1 if fresh or farthest >= REST_M else self._slow + 1
        self._weary = 1 if fresh or farthest >= WEARY_M else self._weary + 1
        if self._slow == 1:
            self._from = dict(poses)
        return self._slow > REST_STEPS or (self.awake >= WEARY_STEPS and self._weary > 1)

    def _reach(self, key: str, pose: Pose) -> float:
        then = self._from.get(key)
        if then is None:
            return float("inf")
        shift, turn = apart(pose, then)
        return shift + self._radius_m[key] * turn


def radius_of(entities: Iterable[Entity]) -> dict[str, float]:
    """Distance of each entity's farthest corner from its root, metres: turns angles into lengths."""
    return {e.key: float(np.linalg.norm(np.maximum(np.abs(e.box_m[0]), np.abs(e.box_m[1])))) for e in entities}
