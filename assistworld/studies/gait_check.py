"""Independent checks of walking: feet that stand do not slide, and the body faces where it goes.

Both are measured on what is shown: stances on the skinned soles, foot-flat to heel-off; the heading against the way travelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from humans.model import BodyModel

F64 = NDArray[np.float64]

SLIDE_LIMIT_M = 0.015
FLAT_M = 0.004
"""A foot is flat while both heel and ball are this near the floor; lifting either ends the stance."""
HEADING_LIMIT_RAD = float(np.radians(35.0))
MOVING_M_S = 0.25
"""Below this speed a person shifts weight or takes a side step, and has no direction of travel."""
BACK_STEP_RAD = float(np.radians(165.0))
BACK_STEP_M = 0.41
BACK_STEP_M_S = 0.7
"""A step straight back, this short and slow, leaves a tight place and is no walk; anything longer or faster is walking backwards."""
TICK_RATE_HZ = 12.0
_SOLE_M = 0.010
"""Vertices of a foot this low at rest are its sole."""


@dataclass(frozen=True)
class Measure:
    """One broken bound of walking: what, the value and the bound."""

    what: str
    value: float
    bound: float


class Sole:
    """One foot's sole on the skin: vertex rows of all of it, and which of these are the heel and the ball."""

    def __init__(self, body: BodyModel, side: str) -> None:
        from humans.model import JOINT

        ankle, ball = JOINT[f"{side}_ankle"], JOINT[f"{side}_foot"]
        mine = np.isin(body.dominant_joint(), [ankle, ball])
        height = body.template_m[:, 1] - body.floor_y_m
        self.rows = np.flatnonzero(mine & (height < _SOLE_M))
        along = body.template_m[self.rows, 2]
        middle = float(body.rest_joints_m[ball, 2])
        heel, toe = float(along.min()), float(along.max())
        self.heel = np.flatnonzero(along < heel + 0.25 * (toe - heel))
        self.ball = np.flatnonzero(np.abs(along - middle) < 0.03)

    def flat(self, skin_m: F64, floor_m: float) -> bool:
        """Whether heel and ball are on the floor; `skin_m` (n, 3) has the sole's rows alone."""
        return bool(skin_m[self.heel, 2].min() < floor_m + FLAT_M and skin_m[self.ball, 2].min() < floor_m + FLAT_M)

    def centroid_m(self, skin_m: F64) -> F64:
        """Mean of the sole over the ground, shape (2,)."""
        middle: F64 = skin_m[:, :2].mean(axis=0)
        return middle


class FeetChecker:
    """Follows the stances of both feet. A stance slides by the largest distance between two of its sole centroids."""

    def __init__(self, body: BodyModel, floor_m: float) -> None:
        self._body = body
        self._soles = {side: Sole(body, side) for side in ("left", "right")}
        self._rows = np.concatenate([sole.rows for sole in self._soles.values()])
        self._floor_m = floor_m
        self._stances: dict[str, list[F64]] = {side: [] for side in self._soles}
        self._told: dict[str, bool] = dict.fromkeys(self._soles, False)
        self.stances = 0
        self.worst_m = 0.0

    def watch(self, bones: F64) -> Iterator[Measure]:
        """The stances that have slid too far with this frame, each said once. `bones`: the joints' world transforms (52, 4, 4)."""
        from humans.kinematics import skin

        both_m = skin(self._body, bones, rows=self._rows)
        for side, sole in self._soles.items():
            skin_m, both_m = both_m[: len(sole.rows)], both_m[len(sole.rows) :]
            stance = self._stances[side]
            if not sole.flat(skin_m, self._floor_m):
                stance.clear()
                self._told[side] = False
                continue
            here = sole.centroid_m(skin_m)
            self.stances += not stance
            slid = max((float(np.linalg.norm(here - p)) for p in stance), default=0.0)
            if not stance or float(np.linalg.norm(here - stance[-1])) > 1e-6:
                stance.append(here)
            self.worst_m = max(self.worst_m, slid)
            if slid > SLIDE_LIMIT_M and not self._told[side]:
                self._told[side] = True
                yield Measure(f"{side} foot slides m", slid, SLIDE_LIMIT_M)


class HeadingChecker:
    """Compares the heading with the way travelled from frame to frame, while the person moves."""

    def __init__(self) -> None:
        self._last: tuple[F64, float] | None = None
        self._back_m = 0.0
        self.worst_rad = 0.0

    def watch(self, xy_m: tuple[float, float], heading_rad: float) -> Iterator[Measure]:
        """A frame whose travel is too far from its heading, if it is."""
        here = np.asarray(xy_m, dtype=np.float64)
        if self._last is not None:
            before, heading_before = self._last
            step = here - before
            length = float(np.linalg.norm(step))
            facing = heading_before + 0.5 * _wrap(heading_rad - heading_before)
            offset = abs(_wrap(float(np.arctan2(step[1], step[0])) - facing))
            back = length > 0.0 and offset >= BACK_STEP_RAD
            self._back_m = self._back_m + length if back else 0.0
            speed = length * TICK_RATE_HZ
            stepping_back = back and self._back_m <= BACK_STEP_M and speed <= BACK_STEP_M_S
            if speed > MOVING_M_S and not stepping_back:
                self.worst_rad = max(self.worst_rad, offset)
                if offset > HEADING_LIMIT_RAD:
                    yield Measure("heading off the way rad", offset, HEADING_LIMIT_RAD)
        self._last = (here, heading_rad)


def _wrap(angle: float) -> float:
    return float((angle + np.pi) % (2 * np.pi) - np.pi)
