"""Ways of the hand between two keys: straight, with the elbow out, and by way of other places; each is worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.keys import TRUNK, Key, both, key_at
from actions.manipulation.posture import at_stance
from assistcore.world.poses import inverse
from humans.kinematics import joint_transforms
from humans.kneeling import kneels
from humans.postures import Posture, blend_posture, lean_posture, solve_posture
from humans.rotations import matrix_from_rotvec, rotvec_from_matrix, slerp_rotvec

if TYPE_CHECKING:
    from actions.manipulation.reach import Standing

F64 = NDArray[np.float64]
Item = TypeVar("Item", covariant=True)
Via = tuple[Key, ...]
"""Intermediate keys."""

FLARE_RAD = 0.7
LOW_M = 0.8
HIGH_M = 1.3
DRAWN_M = 1.2
"""Up to this height the hand is drawn straight back to the body before it goes down to a low place."""
DEEP_M, SQUAT_LEAN_RAD = 0.2, 0.5
"""From a squat of that depth one gets up, and into it down, with the trunk leaning no more than that where the head or knees strike."""


@dataclass(frozen=True, eq=False)
class Lazy(Sequence[Item], Generic[Item]):
    """Items that are made when they are asked for."""

    makers: Sequence[Callable[[], Item]]

    def __len__(self) -> int:
        return len(self.makers)

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> Lazy[Item]: ...
    def __getitem__(self, at: int | slice) -> Item | Lazy[Item]:
        return Lazy(self.makers[at]) if isinstance(at, slice) else self.makers[at]()


def ways_between(here: Standing, a: Key, b: Key) -> Sequence[tuple[Via, float]]:
    """Intermediate keys with how far the elbow flares (radians): the plain way, elbow out, then by way of each via."""
    plain, *others = vias(here, a, b).makers
    return Lazy([partial(_flared, plain, 0.0), partial(_flared, plain, FLARE_RAD), *(partial(_flared, via, 0.0) for via in others)])


def _flared(via: Callable[[], Via], flare_rad: float) -> tuple[Via, float]:
    return via(), flare_rad


def vias(here: Standing, a: Key, b: Key) -> Lazy[Via]:
    """Intermediate keys to try on the way from a to b: none, the hand raised close to the body, higher, out to the side."""
    own = _Between(here, a, b)
    plans = own.plans()
    if not here.figure.pair or here.figure.link is not None:
        return Lazy([partial(own.keys, plan) for plan in plans])
    if a.second is None or b.second is None:
        return Lazy([partial(own.keys, plan) for plan in plans[:1]])
    other = _Between(replace(here, figure=here.figure.opposite), a.second, b.second)
    return Lazy([partial(_paired, own, one, other, two) for one, two in zip(plans, other.plans(), strict=False) if len(one) == len(two)])


@dataclass(frozen=True)
class _Place:
    """Where the hand is half-way, stance frame; `deep`: in a posture nearer the deep one of the two ends than the upright one."""

    point_m: tuple[float, float, float]
    deep: bool = False


_Plan = tuple[_Place, ...]


@dataclass(frozen=True, eq=False)
class _Between:
    """Two keys and what all keys half-way between them have in common."""

    here: Standing
    a: Key
    b: Key

    def plans(self) -> list[_Plan]:
        """The places of every way, the plain way (none) first."""
        s = 1.0 if self.here.figure.side == "left" else -1.0
        ends = (self.a, self.b)
        heights = [float(k.T_wrist[2, 3]) for k in ends]
        low = max(heights)
        ways: list[_Plan] = [
            (),
            (_Place((0.20, 0.27 * s, min(max(1.02, low + 0.03), 1.35))),),
            (_Place((0.26, 0.22 * s, min(max(1.15, low + 0.10), 1.50))),),
            (_Place((0.12, 0.36 * s, min(max(1.00, low + 0.05), 1.40))),),
            (_Place((0.30, 0.10 * s, min(max(1.05, low + 0.06), 1.45))),),
            (_Place((-0.03, 0.33 * s, 0.98)),),
        ]
        if max(k.posture.heel_rad for k in ends) > 0.0:
            # from or to the floor: the hand passes ahead of the knees
            ways[1:1] = [(_Place(p),) for p in ((0.46, 0.16 * s, 0.74), (0.40, 0.34 * s, 0.74), (0.55, 0.0, 0.80))]
        if min(heights) < LOW_M < max(heights):
            # to or from a low place: close to the body first, then down beside the knees, so that nothing on a counter is struck
            down, lower, top = max(min(heights) + 0.12, 0.55), min(max(heights), 1.0), min(max(heights), DRAWN_M)
            for ahead, out, up in ((0.10, 0.42, top), (0.22, 0.30, top), (0.22, 0.30, lower)):
                near, beside = _Place((ahead, out * s, up)), _Place((ahead + 0.04, (out + 0.08) * s, down), deep=True)
                ways.insert(1, (near, beside) if heights[0] > heights[1] else (beside, near))
        if max(heights) > HIGH_M:
            # to or from a high place: drawn back to the body first, straight up there, then over it
            back, over = (_Place((0.14, 0.36 * s, z)) for z in (min(max(min(heights), 1.0), HIGH_M), max(heights) + 0.04))
            ways.insert(2, (back, over) if heights[0] < heights[1] else (over, back))
        across = [s * float((inverse(self.here.T_stance) @ k.T_wrist)[1, 3]) for k in ends]
        if min(across) < 0.12:
            # one end lies across the body: swing wide round the belly
            wide, side = _Place((0.43, 0.06 * s, min(max(1.0, low), 1.3))), _Place((0.30, 0.28 * s, 1.02))
            ways.insert(1, (wide, side) if across[0] < across[1] else (side, wide))
        return ways

    def keys(self, plan: _Plan) -> Via:
        """The keys with the hand at each place: half-way orientation, fingers and gaze, posture nearer the upright or the deep one."""
        return tuple(self._key(place) for place in plan)

    def _key(self, place: _Place) -> Key:
        a, b = self.a, self.b
        posture, trunk = self._deep if place.deep else self._upright
        T = np.eye(4)
        T[:3, :3] = self._turn
        T[:3, 3] = self.here.world_point(*place.point_m)
        fingers, head, swivel_rad = 0.5 * (a.fingers + b.fingers), 0.5 * (a.head + b.head), 0.5 * (a.swivel_rad + b.swivel_rad)
        return key_at(self.here.figure, posture, trunk, T, fingers, head, swivel_rad)

    @cached_property
    def _turn(self) -> F64:
        ends = (rotvec_from_matrix(self.a.T_wrist[:3, :3]), rotvec_from_matrix(self.b.T_wrist[:3, :3]))
        return matrix_from_rotvec(slerp_rotvec(*ends, 0.5))

    @cached_property
    def _upright(self) -> tuple[Posture, F64]:
        return self._blended(0.35, 0.65)

    @cached_property
    def _deep(self) -> tuple[Posture, F64]:
        return self._blended(0.8, 0.2)

    def _blended(self, downwards: float, upwards: float) -> tuple[Posture, F64]:
        """The posture at a share of the way, one share where b is the deeper one, and its trunk (4, 4), world."""
        down = [k.posture.trunk_pitch_rad + 2.0 * k.posture.pelvis_drop_m for k in (self.a, self.b)]
        posture = blend_posture(self.a.posture, self.b.posture, downwards if down[1] > down[0] else upwards)
        figure = self.here.figure
        return posture, joint_transforms(figure.body, *solve_posture(figure.body, posture, figure.other))[TRUNK]


def _paired(own: _Between, plan: _Plan, other: _Between, plan_other: _Plan) -> Via:
    return tuple(map(both, own.keys(plan), other.keys(plan_other)))


def squat_first(here: Standing, a: Key, b: Key) -> Key | None:
    """Between standing and a deep squat: down (or not yet up) with the trunk as upright as it goes, so that the head passes what stands
    over a low place. None between other postures."""
    deep, high = (k.posture for k in sorted((a, b), key=lambda k: -k.posture.pelvis_drop_m))
    if here.figure.pair and here.figure.link is None:
        return None
    if kneels(deep) or kneels(high) or deep.pelvis_drop_m - high.pelvis_drop_m < DEEP_M or deep.trunk_pitch_rad <= SQUAT_LEAN_RAD:
        return None
    squat = min(deep.pelvis_drop_m / 0.42, 1.0)
    low = lean_posture(here.figure.body, (0.0, 0.0), 0.0, SQUAT_LEAN_RAD, squat, 0.0, deep.heel_rad)
    posture = at_stance(low, (here.home.x_m, here.home.y_m), here.home.heading_rad)
    s = 1.0 if here.figure.side == "left" else -1.0
    T = (a if a.posture is high else b).T_wrist.copy()
    T[:3, 3] = here.world_point(0.28, 0.32 * s, max(1.05 - low.pelvis_drop_m, LOW_M - 0.2))
    trunk = joint_transforms(here.figure.body, *solve_posture(here.figure.body, posture, here.figure.other))[TRUNK]
    return key_at(here.figure, posture, trunk, T, 0.5 * (a.fingers + b.fingers), 0.5 * (a.head + b.head))
