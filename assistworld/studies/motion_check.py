"""The independent checker of committed motion (RULES, Contacts): MuJoCo's own distances, capsules regenerated from each frame's skeleton.

It shares with the planner only the closed list of exempt contacts. It knows nothing of plans: it is shown the state after every tick.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistcore.house.clearance import CHECKED_M, Allowed
from assistcore.house.contacts import EYE, floors, violations
from assistcore.house.stage import StageModel
from assistcore.house.state import BodyState, HouseState
from assistworld.studies.contact_check import MujocoWorld
from assistworld.studies.gait_check import FeetChecker, HeadingChecker

if TYPE_CHECKING:
    from humans.model import BodyModel

F64 = NDArray[np.float64]

TICK_RATE_HZ = 12.0
JOINT_SPEED_LIMIT_RAD_S = 10.0
HAND_SPEED_LIMIT_M_S = 2.5
_FAST_COSINE = float(np.cos(JOINT_SPEED_LIMIT_RAD_S / TICK_RATE_HZ)) + 1e-9
"""A joint that turns faster than the limit turns by an angle whose cosine is below this."""


@dataclass(frozen=True)
class Fault:
    """One broken bound: what, where in time, the value and the bound."""

    tick: int
    what: str
    value: float
    bound: float

    def __str__(self) -> str:
        return f"tick {self.tick}: {self.what} {self.value:.4f}, bound {self.bound:.4f}"


@dataclass
class MotionChecker:
    """Watches one person in one stage. Call `watch` after every tick; `faults` collects every broken bound."""

    stage: StageModel
    body: BodyModel
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._world = MujocoWorld(self.stage)
        self._floors = floors(self.stage)
        self._last: tuple[F64, F64] | None = None
        self._posed: BodyState | None = None
        self._shown: HouseState | None = None
        self.feet = FeetChecker(self.body, min((room.floor_m for room in self.stage.rooms), default=0.0))
        self.heading = HeadingChecker()

    def forget(self) -> None:
        """The next frame follows none: what came before was another episode."""
        self._last, self._posed, self._shown = None, None, None
        self.feet = FeetChecker(self.body, min((room.floor_m for room in self.stage.rooms), default=0.0))
        self.heading = HeadingChecker()

    def watch(self, tick: int, state: HouseState, allowed: Allowed) -> None:
        """Check the frame of this tick against contacts and, with the frames before, against speed limits, sliding feet and heading."""
        from humans.camera import EYE_RADIUS_M, head_camera
        from humans.kinematics import joint_transforms
        from humans.model import JOINT
        from humans.proxies import capsules

        walking = self.heading.watch(state.body.xy_m, state.body.heading_rad)
        self.faults += [Fault(tick, m.what, m.value, m.bound) for m in walking]
        if self._shown is not None and same_place(state, self._shown):
            return  # Nothing that could touch has moved.
        bones = joint_transforms(self.body, state.body.pose_rad, state.body.translation_m)
        if state.body is not self._posed:
            self._posed = state.body
            self._speeds(tick, bones, [JOINT["left_wrist"], JOINT["right_wrist"]])
            self.faults += [Fault(tick, m.what, m.value, m.bound) for m in self.feet.watch(bones)]
        self._shown = state
        self._world.place(self.stage, state)
        shapes = capsules(self.body, bones)
        held = state.held.entity if state.held is not None else ""
        seat = state.body.posture.partition(":")[2]
        seen = replace(allowed, held=allowed.held or held, seat=allowed.seat or seat)
        eye, _ = head_camera(self.body, bones)
        a_m, b_m = np.vstack((shapes.a_m, eye)), np.vstack((shapes.b_m, eye))
        found = self._world.capsule_hits((*shapes.names, EYE), a_m, b_m, np.append(shapes.radius_m, EYE_RADIUS_M), state.removed)
        hits = [hit for hit in found if hit.mine != EYE or hit.owner != held]
        if held:
            hits += self._world.entity_hits(held, state.removed)
        for hit in violations(hits, seen, CHECKED_M, self._floors):
            self.faults.append(Fault(tick, f"{hit.mine} in {hit.owner}/{hit.link} by", -hit.distance_m, CHECKED_M))

    def _speeds(self, tick: int, bones: F64, wrists: list[int]) -> None:
        local = _local_rotations(self.body.parents, bones)
        hands = bones[wrists, :3, 3]
        if self._last is not None:
            before, hands_before = self._last
            cosine = (np.einsum("jab,jab->j", before, local) - 1.0) / 2.0
            for joint in np.flatnonzero(cosine[1:] < _FAST_COSINE) + 1:
                speed = float(np.arccos(np.clip(cosine[joint], -1.0, 1.0))) * TICK_RATE_HZ
                if speed > JOINT_SPEED_LIMIT_RAD_S:
                    name = self.body.joint_names[int(joint)]
                    self.faults.append(Fault(tick, f"joint {name} rad/s", speed, JOINT_SPEED_LIMIT_RAD_S))
            speeds = np.linalg.norm(hands - hands_before, axis=1) * TICK_RATE_HZ
            for side, value in zip(("left", "right"), speeds, strict=True):
                if value > HAND_SPEED_LIMIT_M_S:
                    self.faults.append(Fault(tick, f"{side} hand m/s", float(value), HAND_SPEED_LIMIT_M_S))
        self._last = (local, hands)


def same_place(state: HouseState, before: HouseState) -> bool:
    """Whether nothing has moved from one state to the next: states share what did not change."""
    return state.body is before.body and state.poses is before.poses and state.joints is before.joints and state.held is before.held


def _local_rotations(parents: NDArray[np.int64], bones: F64) -> F64:
    world = bones[:, :3, :3]
    local = world.copy()
    local[1:] = np.swapaxes(world[parents[1:]], 1, 2) @ world[1:]
    return local
