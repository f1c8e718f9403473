"""What planners ask of the collision world, and the closed list of contacts that are allowed (RULES, Contacts)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from assistcore.world.poses import Pose

F64 = NDArray[np.float64]

PLANNED_M = 0.002
"""Planned contacts penetrate at most 2 mm (seed B.1.2, manipulation trajectories)."""
CHECKED_M = 0.005
"""The independent checker accepts at most 5 mm."""
TOUCH_RADIUS_M = 0.22
TOUCH_M = 0.008
SEAT_M = 0.030


@dataclass(frozen=True)
class Allowed:
    """Which contacts a pose may have beyond the standing exemptions (adjacent body segments; soles and floor).

    `target`: entity whose contact with the hand capsules of `hands` is allowed within `TOUCH_RADIUS_M` of `point_m`, down to `TOUCH_M`;
    where both hands take hold of it, also round `other_m`, where the other hand does.
    `held`: entity in the hand (its contact with that hand is free; it is tested against everything else as geometry of its own).
    `seat`: entity whose contact with thighs and back is allowed down to `SEAT_M`. `support`: entity on which the held object is set down.
    """

    target: str = ""
    point_m: tuple[float, float, float] | None = None
    hands: tuple[str, ...] = ()
    held: str = ""
    seat: str = ""
    support: str = ""
    other_m: tuple[float, float, float] | None = None


class Hit(NamedTuple):
    """One close pair. `distance_m` is signed (negative: penetration). `mine` is the capsule name or the moved entity; `owner`, `link` the
    obstacle."""

    distance_m: float
    mine: str
    owner: str
    link: str
    point_m: tuple[float, float, float]


class Clearance(Protocol):
    """The one collision world. Obstacles are the stage's convex pieces at the placed poses and joints; the body is never in it."""

    def place(self, poses: Mapping[str, Pose], joints: Mapping[str, float], removed: frozenset[str]) -> None:
        """Move the obstacles (cheap where little changed)."""

    def capsules(self, names: tuple[str, ...], a_m: F64, b_m: F64, radius_m: F64, *, ignore: frozenset[str], margin_m: float) -> list[Hit]:
        """Obstacles nearer than `margin_m` to any capsule: a, b shape (k, 3), radius (k,)."""

    def entity(self, key: str, root: F64, *, ignore: frozenset[str], margin_m: float) -> list[Hit]:
        """Obstacles nearer than `margin_m` to the pieces of movable `key` placed at `root` (4, 4)."""

    def support_m(self, x_m: float, y_m: float, below_m: float) -> float | None:
        """Height of the highest obstacle surface under a point, or None."""
