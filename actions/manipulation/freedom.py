"""Which postures and arms are clear of what stands round the person, many at once, before any single one is screened.

A cheap necessary test: the committed frames are screened exactly (`actions.screening`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.ik import arm_chain
from actions.manipulation.posture import Rung
from actions.screening import collision_world, floor_keys
from actions.world import ActionWorld
from assistcore.house import narrowphase
from assistcore.house.clearance import PLANNED_M, Allowed
from assistcore.house.collision import CollisionWorld
from assistcore.house.contacts import violations
from assistcore.house.state import Hand
from humans.model import JOINT, BodyModel
from humans.proxies import ADJACENT_PAIRS, ARM_CAPSULES, CAPSULE, CAPSULE_NAMES, rig

F64 = NDArray[np.float64]
Flags = NDArray[np.bool_]

HEAD_M = 0.05
"""How far the head may be from where the posture alone has it once it looks at something."""
_CHAIN = ("collar", "shoulder", "elbow", "wrist")


@dataclass(frozen=True, eq=False)
class Freedom:
    """Obstacle tests for a person who stands in `world` at T_stance (4, 4), world from stance frame, and uses one arm.

    `ignore`: the thing to be taken hold of.
    """

    world: ActionWorld
    T_stance: F64
    side: Hand
    ignore: frozenset[str]
    head_m: float = HEAD_M
    """So deep the head of a posture may be in something, as it will turn."""
    pair: bool = False
    """Whether the other arm moves too: where it is, the posture does not say."""

    @cached_property
    def scene(self) -> CollisionWorld:
        """The collision world at the person's state."""
        return collision_world(self.world)

    def posture(self, option: Rung) -> bool:
        """Whether trunk, legs, head and the idle arm meet nothing."""
        names, rows = _resting(self.side, self.pair)
        R, t = self.T_stance[:3, :3], self.T_stance[:3, 3]
        a, b, radius = (numbers[rows] for numbers in (option.shapes.a_m, option.shapes.b_m, option.shapes.radius_m))
        hits = self.scene.capsules(names, a @ R.T + t, b @ R.T + t, radius, ignore=self.ignore, margin_m=-PLANNED_M)
        hits = [hit for hit in hits if hit.mine not in ("head", "neck") or hit.distance_m < -self.head_m]
        return not violations(hits, Allowed(), PLANNED_M, floor_keys(self.world))

    def arms(self, option: Rung, local: F64) -> Flags:
        """Whether arms (n, 4, 3, 3) of a posture meet nothing, the person's own limbs included, shape (n,)."""
        a, b, radius = arm_capsules(self.world.body, self.side, self.T_stance @ option.trunk, local)
        out = self._off_limbs(option, a, b)
        out[out] = self._clear(a[out], b[out], radius)
        return out

    def _off_limbs(self, option: Rung, a: F64, b: F64) -> Flags:
        """Whether the arm's capsules, ends (n, 3, 3), keep off the other limbs of a posture, shape (n,)."""
        R, t, shapes = self.T_stance[:3, :3], self.T_stance[:3, 3], option.shapes
        rows = [CAPSULE[name] for name in ARM_CAPSULES[self.side]]
        ends = [np.tile(points @ R.T + t, (len(a), 1, 1)) for points in (shapes.a_m, shapes.b_m)]
        ends[0][:, rows], ends[1][:, rows] = a, b
        gaps = np.empty(len(a))
        narrowphase.KERNELS.ready()
        narrowphase.least_gaps(ends[0], ends[1], shapes.radius_m, _own_pairs(self.side, self.pair), gaps)
        return gaps >= -PLANNED_M

    def hands(self, wrists: F64) -> Flags:
        """Whether hands at world wrist frames (n, 4, 4) meet nothing, shape (n,)."""
        a, b, radius = hand_capsules(self.world.body, self.side, wrists)
        return self._clear(a[:, None], b[:, None], np.array([radius]))

    def _clear(self, a: F64, b: F64, radius: F64) -> Flags:
        n, k = a.shape[:2]
        if not n:
            return np.ones(0, np.bool_)
        names = tuple(str(i) for i in range(n) for _ in range(k))
        hits = self.scene.capsules(names, a.reshape(-1, 3), b.reshape(-1, 3), np.tile(radius, n), ignore=self.ignore, margin_m=-PLANNED_M)
        out = np.ones(n, np.bool_)
        out[[int(hit.mine) for hit in hits]] = False
        return out


@lru_cache(maxsize=4)
def _resting(side: Hand, pair: bool) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Names and rows of the capsules that a posture has at rest: all but the reaching arm, or both arms of a pair."""
    moving = ARM_CAPSULES["left"] + ARM_CAPSULES["right"] if pair else ARM_CAPSULES[side]
    names = tuple(name for name in CAPSULE_NAMES if name not in moving)
    return names, np.array([CAPSULE[name] for name in names])


@lru_cache(maxsize=4)
def _own_pairs(side: Hand, pair: bool) -> NDArray[np.int64]:
    """Rows (m, 2) of pairs of an arm's capsules and others of the body that must not meet; the head turns, so it is left out, and so is
    the other arm of a pair."""
    mine = [CAPSULE[name] for name in ARM_CAPSULES[side]]
    loose = ("head", "neck", *(ARM_CAPSULES["left" if side == "right" else "right"] if pair else ()))
    others = [i for i, name in enumerate(CAPSULE_NAMES) if name not in loose and i not in mine]
    pairs = [tuple(sorted((i, j))) for i in mine for j in others]
    apart = [p for p in pairs if tuple(sorted((CAPSULE_NAMES[p[0]], CAPSULE_NAMES[p[1]]))) not in ADJACENT_PAIRS]
    return np.array(sorted(apart), np.int64)


def hand_capsules(body: BodyModel, side: Hand, wrists: F64) -> tuple[F64, F64, float]:
    """End points (n, 3) of the hand's capsule at wrist frames (n, 4, 4), and its radius."""
    r, row = rig(body), CAPSULE[f"{side}_hand"]
    a, b = (wrists[:, :3, :3] @ offset + wrists[:, :3, 3] for offset in (r.offset_a_m[row], r.offset_b_m[row]))
    return a, b, float(r.radius_m[row])


def arm_capsules(body: BodyModel, side: Hand, trunk: F64, local: F64) -> tuple[F64, F64, F64]:
    """End points (n, 3, 3) and radii (3,) of upper arm, forearm and hand for arms (n, 4, 3, 3) on a trunk (4, 4)."""
    r, chain = rig(body), arm_chain(body, side)
    rows = [CAPSULE[name] for name in ARM_CAPSULES[side]]
    R, p = np.tile(trunk[:3, :3], (len(local), 1, 1)), np.tile(trunk[:3, 3], (len(local), 1))
    frames: dict[int, tuple[F64, F64]] = {}
    for k, name in enumerate(_CHAIN):
        p = p + R @ chain.bones_m[k]
        R = R @ local[:, k]
        frames[JOINT[f"{side}_{name}"]] = (R, p)

    def ends(joints: NDArray[np.int64], offsets: F64) -> F64:
        return np.stack([frames[int(joints[i])][0] @ offsets[i] + frames[int(joints[i])][1] for i in rows], axis=1)

    return ends(r.joint_a, r.offset_a_m), ends(r.joint_b, r.offset_b_m), r.radius_m[rows]
