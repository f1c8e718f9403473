"""Whether the hand gets from carrying to a release pose and home again: joint paths of the whole body, every sampled pose clear.

The thing is led straight over, or out of the opening, at 2 cm steps; between that and carrying, trunk and arm go together or one after the
other, also by way of the hand drawn to the body. After the release the open hand comes straight off the thing and goes home alike.
Of a thing in both hands the other arm keeps its hold in every pose; how that hand comes off is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from actions.frames import WRIST, camera_track, capsule_track, trunk_transforms
from actions.manipulation.ik import arm_chain, arm_joints, close_arm, descend_collar
from actions.screening import collision_world
from actions.world import ActionWorld
from assistcore.world.poses import Pose
from assistworld.studies.reachability.contacts import House, Thing, body_in, own_body_in, thing_in
from assistworld.studies.reachability.figures import Figures, solve_arms
from humans.arms import arm_overlay
from humans.camera import EYE_RADIUS_M
from humans.kneeling import kneels
from humans.model import JOINT, N_JOINTS
from humans.postures import MAX_HEEL_RAD, Posture, blend_posture, lean_posture, solve_posture, stand
from humans.proxies import CAPSULE
from humans.rotations import matrix_from_rotvec, rotvec_from_matrix

F64 = NDArray[np.float64]

CLEAR_M = 0.002
OUT_STEP_M = 0.02
SQUATS = ((0.5, 1.2), (0.3, 1.0))
"""(lean, squat) on the toes on the way to the knees and up from them."""
OFF_M = 0.12
ROUGH, STEPS = 4, 18
"""Poses between two keys: a first look, and all that must be clear."""
FOLLOWED_M, FOLLOWED_RAD = 0.01, 0.2
"""Within this distance, and this far beyond joint limits, a hand that is led counts as where it should be."""
LEAST_UP_M, LEAST_OUT_M = 0.035, 0.05
"""How much of the straight way off the arm must follow; what is beyond its reach is left out."""
TUCKS_M = ((0.30, 0.24, 1.08), (0.24, 0.34, 1.02), (0.36, 0.14, 1.22), (0.08, 0.38, 1.10), (0.46, 0.16, 0.80), (0.42, 0.06, 1.20))
"""Ahead, to the hand's own side, up: where the hand may be drawn to on the way."""
_REST_COLLAR_RAD = np.radians(5.0)


@dataclass(frozen=True, eq=False)
class Release:
    """A release pose: stance (3,), posture (its place in `Figures`), elbow swivel, arm (4, 3, 3), thing (4, 4), and how it is led off."""

    stance: F64
    figure: int
    swivel_rad: float
    local: F64
    root: F64
    away: F64
    lift_m: float
    length_m: float


@dataclass(frozen=True, eq=False)
class _Pose:
    """A standing posture with the reaching arm's local rotations (4, 3, 3)."""

    posture: Posture
    local: F64


class Ways:
    """Checks the ways of one command's release poses."""

    def __init__(self, world: ActionWorld, house: House, thing: Thing, options: Figures) -> None:
        self._world, self._house, self._thing, self._options = world, house, thing, options
        self._body, self._side = world.body, thing.side
        self._joints = arm_joints(thing.side)

    def clear(self, release: Release) -> bool:
        """Whether there is a way to the release pose with the thing and home from it without."""
        x, y, heading = (float(v) for v in release.stance)
        posture = replace(self._options.postures[release.figure], x_m=x, y_m=y, heading_rad=heading)
        rest = _Pose(posture, release.local)
        over = self._led_off(rest, release)
        if over is None:
            return False
        carrying = _Pose(Posture(x, y, heading), self._arm_of(self._world.state.body.pose_rad))
        if not self._some_way(carrying, over, carried=True):
            return False
        there = self._world.fork()
        key = self._thing.key
        poses = dict(self._world.state.poses)
        back = np.linalg.inv(self._world.state.root(self._world.stage, key))
        for one in self._thing.keys:
            poses[one] = Pose.from_matrix(release.root @ back @ self._world.state.root(self._world.stage, one))
        there.state = self._world.state.with_(poses=poses, held=None, riding=())
        left = House(collision_world(there), frozenset())
        try:
            return self._comes_off(rest, release, left)
        finally:
            collision_world(self._world)

    def _arm_of(self, pose_rad: F64) -> F64:
        return np.asarray(matrix_from_rotvec(pose_rad.reshape(N_JOINTS, 3)[self._joints]))

    def _led_off(self, rest: _Pose, release: Release) -> _Pose | None:
        """The end of the straight way off with the thing in the hand, or None where that is not clear."""
        n = max(2, int(np.ceil(release.length_m / OUT_STEP_M)))
        along = np.concatenate([[0.0, 0.0], np.linspace(0.0, release.length_m, n + 1)[1:]])
        wrists = np.tile(release.root @ np.linalg.inv(self._thing.wrist_object), (len(along), 1, 1))
        wrists[:, :3, 3] += along[:, None] * release.away
        wrists[1:, 2, 3] += release.lift_m
        local, good = self._follow(rest, wrists, release.swivel_rad, FOLLOWED_M, FOLLOWED_RAD)
        least = LEAST_UP_M if release.away[2] > 0.9 else LEAST_OUT_M
        count = int(np.argmin(good)) if not good.all() else len(good)
        if along[max(count - 1, 0)] < min(least, release.length_m):
            return None
        local[0] = rest.local
        if not self._clear([_Pose(rest.posture, one) for one in local[:count]], self._house, carried=True):
            return None
        return _Pose(rest.posture, local[count - 1])

    def _follow(self, rest: _Pose, wrists: F64, swivel: float, residual_m: float, strain_rad: float) -> tuple[F64, NDArray[np.bool_]]:
        """Arms (n, 4, 3, 3) at wrist frames (n, 4, 4) from one posture, and which of them are within reach and limits."""
        chain, trunk = self._options.chain, self._trunk(rest.posture)
        Rt = trunk[:3, :3].T
        target = (wrists[:, :3, 3] - trunk[:3, 3]) @ Rt.T
        collar = descend_collar(chain, target, matrix_from_rotvec(np.array([0.0, 0.0, -chain.sign * _REST_COLLAR_RAD])))[0]
        arm = close_arm(chain, collar, target, Rt @ wrists[:, :3, :3], np.full(len(target), swivel))
        return arm.local.copy(), (arm.residual_m <= residual_m) & (arm.strain_rad <= strain_rad)

    def _trunk(self, posture: Posture) -> F64:
        pose, translation = solve_posture(self._body, posture)
        return np.asarray(trunk_transforms(self._body, pose[None], translation[None])[0, JOINT["spine3"]])

    def _comes_off(self, rest: _Pose, release: Release, left: House) -> bool:
        """Whether the open hand comes off the thing that was set down, and home."""
        wrist = release.root @ np.linalg.inv(self._thing.wrist_object)
        home = _Pose(Posture(rest.posture.x_m, rest.posture.y_m, rest.posture.heading_rad), self._hanging)
        for direction in self._directions(wrist, release):
            n = max(2, int(np.ceil((OFF_M if release.lift_m == 0.0 else max(OFF_M, release.length_m)) / OUT_STEP_M)))
            wrists = np.tile(wrist, (n + 1, 1, 1))
            wrists[:, :3, 3] += OUT_STEP_M * np.arange(n + 1)[:, None] * direction
            local, good = self._follow(rest, wrists, release.swivel_rad, 0.02, 0.3)
            local[0] = rest.local
            count = int(np.argmin(good)) if not good.all() else len(good)
            if count < 5:
                continue
            off = [_Pose(rest.posture, one) for one in local[:count]]
            if self._clear(off, left, carried=False) and self._some_way(off[-1], home, carried=False, house=left):
                return True
        return False

    @cached_property
    def _hanging(self) -> F64:
        return self._arm_of(stand(self._body, (0.0, 0.0), 0.0)[0])

    def _directions(self, wrist: F64, release: Release) -> list[F64]:
        """Unit directions in which a hand may come off: with the way off, back along the fingers, off the palm, up, and between these."""
        sign = 1.0 if self._side == "left" else -1.0
        palm, fingers, up = -wrist[:3, 1], sign * wrist[:3, 0], np.array([0.0, 0.0, 1.0])
        found = [release.away, -fingers, -palm, up, -fingers - palm, up - palm, up - fingers, release.away - palm, release.away - fingers]
        found += [2.0 * release.away + 0.3 * up, 2.0 * release.away - 0.4 * palm, -fingers + 0.4 * up, -2.0 * fingers - palm + up]
        return [d / np.linalg.norm(d) for d in found if float(np.linalg.norm(d)) > 0.2]

    def _some_way(self, a: _Pose, b: _Pose, *, carried: bool, house: House | None = None) -> bool:
        there = house or self._house
        return any(all(self._clear(_blended(keys, n), there, carried=carried) for n in (ROUGH, STEPS)) for keys in self._ways(a, b))

    def _ways(self, a: _Pose, b: _Pose) -> Iterator[list[_Pose]]:
        """Keys of ways between poses of one stance: all together; trunk or arm first; by way of the hand drawn near, trunk in between.

        To the knees and from them by way of a squat on the toes.
        """
        if kneels(a.posture) or kneels(b.posture):
            yield from self._kneeling_ways(a, b)
            return
        yield [a, b]
        yield [a, _Pose(b.posture, a.local), b]
        yield [a, _Pose(a.posture, b.local), b]
        deep = max(a.posture.pelvis_drop_m + a.posture.trunk_pitch_rad, b.posture.pelvis_drop_m + b.posture.trunk_pitch_rad) > 0.3
        for tuck in self._tucks(a, b):
            yield [a, _Pose(a.posture, tuck), _Pose(b.posture, tuck), b]
            if deep:
                half = blend_posture(a.posture, b.posture, 0.5)
                yield [a, _Pose(half, tuck), b]

    def _kneeling_ways(self, a: _Pose, b: _Pose) -> Iterator[list[_Pose]]:
        low = b.posture if kneels(b.posture) else a.posture
        knees = replace(low, trunk_pitch_rad=min(low.trunk_pitch_rad, 0.1), trunk_yaw_rad=0.0)
        for lean, squat in SQUATS:
            toes = lean_posture(self._body, (low.x_m, low.y_m), low.heading_rad, lean, squat, 0.0, MAX_HEEL_RAD)
            for tuck in (a.local, b.local, *self._tucks(a, b)):
                through = [_Pose(toes, tuck), _Pose(knees, tuck)]
                yield [a, *(through if kneels(b.posture) else reversed(through)), b]

    def _tucks(self, a: _Pose, b: _Pose) -> Iterator[F64]:
        """Arms that hold the hand near the body, turned as at one of the ends, relative to the trunk."""
        upright = Posture(0.0, 0.0, 0.0)
        trunk = self._trunk(upright)
        s = 1.0 if self._side == "left" else -1.0
        for end in (a, b):
            hand = np.eye(4)
            hand[:3, :3] = trunk[:3, :3] @ end.local[0] @ end.local[1] @ end.local[2] @ end.local[3]
            for ahead, out, up in TUCKS_M:
                for turn in (0.0, 0.7, -0.7):
                    T = hand.copy()
                    c, sn = np.cos(turn), np.sin(turn)
                    T[:3, :3] = np.array([[c, -sn, 0.0], [sn, c, 0.0], [0.0, 0.0, 1.0]]) @ T[:3, :3]
                    T[:3, 3] = [ahead, s * out, up]
                    local, good = self._follow(_Pose(upright, end.local), T[None], 1.15, 0.003, 0.1)
                    if good[0]:
                        yield local[0]
                        break

    def _clear(self, way: list[_Pose], house: House, *, carried: bool) -> bool:
        """Whether every pose of a way is clear: body, eyes, own limbs, and what is carried."""
        poses, shift = self._dressed(way)
        T = self._holding(poses, shift) if carried else trunk_transforms(self._body, poses, shift)
        if T is None:
            return False
        shapes, eye = capsule_track(self._body, T), camera_track(self._body, T)
        a, b, radius = shapes.a_m, shapes.b_m, shapes.radius_m
        spared = None if carried else np.isin(house.owner, list(self._thing.keys))
        if body_in(house, a, b, radius, np.arange(len(radius)), CLEAR_M, spared=spared).any():
            return False
        skip = house.skip | np.isin(house.owner, list(self._thing.keys))
        if len(house.capsules(eye[:, None], eye[:, None], np.array([EYE_RADIUS_M]), 0.0, skip=skip).pose):
            return False
        if own_body_in(a, b, radius, CLEAR_M).any():
            return False
        if not carried:
            return True
        roots = T[:, WRIST[self._side]] @ self._thing.wrist_object
        if thing_in(house, self._thing, roots, CLEAR_M).any():
            return False
        rows = np.array([i for name, i in CAPSULE.items() if not name.endswith("_hand")])
        return not self._thing.meets_capsules(roots, a[:, rows], b[:, rows], radius[rows], CLEAR_M).any()

    def _holding(self, poses: F64, shift: F64) -> F64 | None:
        """Transforms (n, joints, 4, 4) of poses (n, 156) with the thing. Where both hands hold it the other arm is written into poses at
        its hold; None, and nothing written, where that is out of reach in one."""
        T, hold = trunk_transforms(self._body, poses, shift), self._thing.object_second
        if hold is None:
            return T
        wrists, trunk = T[:, WRIST[self._side]] @ self._thing.wrist_object @ hold, T[:, JOINT["spine3"]]
        Rt = np.swapaxes(trunk[:, :3, :3], 1, 2)
        target = np.einsum("nij,nj->ni", Rt, wrists[:, :3, 3] - trunk[:, :3, 3])
        chain = arm_chain(self._body, self._thing.other)
        arms = solve_arms(chain, target, Rt @ wrists[:, :3, :3], residual_m=FOLLOWED_M, strain_rad=FOLLOWED_RAD)
        rows, first = np.unique(arms.row, return_index=True)  # the least effort comes first
        if len(rows) < len(T):
            return None
        poses.reshape(len(T), N_JOINTS, 3)[:, arm_joints(self._thing.other)] = rotvec_from_matrix(arms.local[first])
        return trunk_transforms(self._body, poses, shift)

    def _dressed(self, way: list[_Pose]) -> tuple[F64, F64]:
        solved = [solve_posture(self._body, p.posture) for p in way]
        poses = np.stack([pose for pose, _ in solved]).reshape(len(way), N_JOINTS, 3).copy()
        poses[:, self._joints] = rotvec_from_matrix(np.stack([p.local for p in way]))
        return poses.reshape(len(way), -1), np.stack([shift for _, shift in solved])

    def body_at(self, release: Release) -> tuple[F64, F64]:
        """Pose (156,) and translation (3,) of the release pose, the fingers as they carry."""
        x, y, heading = (float(v) for v in release.stance)
        posture = replace(self._options.postures[release.figure], x_m=x, y_m=y, heading_rad=heading)
        overlay = arm_overlay(self._world.state.body.pose_rad, (self._side,))
        pose, translation = solve_posture(self._body, posture, overlay)
        rows = pose.reshape(N_JOINTS, 3).copy()
        rows[self._joints] = rotvec_from_matrix(release.local)
        pose = rows.reshape(-1)
        self._holding(pose[None], translation[None])
        return pose, translation


def _blended(keys: list[_Pose], steps: int) -> list[_Pose]:
    """Sampled poses from key to key, without the first: postures blended, each arm joint along its shortest arc."""
    out = []
    for a, b in zip(keys, keys[1:], strict=False):
        turn = rotvec_from_matrix(np.swapaxes(a.local, 1, 2) @ b.local)
        for t in np.linspace(0.0, 1.0, steps + 1)[1:]:
            posture = a.posture if a.posture == b.posture else blend_posture(a.posture, b.posture, float(t))
            out.append(_Pose(posture, a.local @ matrix_from_rotvec(t * turn)))
    return out
