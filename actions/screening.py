"""Screening of motions before they are committed (seed B.1.2): body, eye volume, carried things, own limbs, every frame.

The contact rules are those of `assistcore.house.contacts`. A pair that is already deeper than its bound in the pose before the segment (by
at most the checker's 5 mm) may stay so deep, so that a motion can leave a light touch.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from actions.frames import CapsuleTrack, camera_track, capsule_track, trunk_transforms
from actions.motions import Segment
from actions.world import ActionWorld
from assistcore.house import frame_kernels, narrowphase
from assistcore.house.clearance import CHECKED_M, PLANNED_M, TOUCH_RADIUS_M, Allowed, Hit
from assistcore.house.collision import CollisionWorld
from assistcore.house.contacts import ANYTHING, BODY, EYE, body_hits, bound_m, bounds_m, floors, touched_points
from assistcore.house.frame_kernels import Bounds, Movers
from assistcore.house.stage import StageModel
from assistcore.house.state import HouseState
from assistcore.world.errors import AssistWorldError
from assistcore.world.poses import Pose, matrices_from_rows
from humans.camera import EYE_RADIUS_M
from humans.proxies import ADJACENT_PAIRS

F64 = NDArray[np.float64]

SEEN_M = 0.10
"""Obstacles beyond this are not looked at; frames that move less than the least slack are skipped."""


class Violation(NamedTuple):
    """The first frame that may not be committed, and the pair that forbids it."""

    frame: int
    hit: Hit

    def __str__(self) -> str:
        h = self.hit
        x, y, z = h.point_m
        what = f"own {h.link}" if h.owner == BODY else h.owner
        return f"{h.mine} in {what} by {-1000.0 * h.distance_m:.0f} mm at ({x:.2f}, {y:.2f}, {z:.2f}) in frame {self.frame}"


def collision_world(world: ActionWorld) -> CollisionWorld:
    """The collision world, placed at the scratch state. Raises AssistWorldError for another implementation."""
    scene = world.scene()
    if not isinstance(scene, CollisionWorld):
        raise AssistWorldError(f"planning needs a CollisionWorld, got {type(scene).__name__}")
    return scene


def floor_keys(world: ActionWorld) -> frozenset[str]:
    """Entities on which soles may rest, cached per stage."""
    cached = world.caches.get("floors")
    if isinstance(cached, tuple) and cached[0] is world.stage:
        keys: frozenset[str] = cached[1]
        return keys
    keys = _floors(world.stage)
    world.caches["floors"] = (world.stage, keys)
    return keys


def _floors(stage: StageModel) -> frozenset[str]:
    return floors(stage)


Grace = dict[tuple[str, str, str], float]
"""Depth that a pair of limb and obstacle link may keep."""


class _Rules(NamedTuple):
    allowed: Allowed
    tolerance_m: float
    floor: frozenset[str]
    grace: Grace

    def slack_m(self, hit: Hit) -> float:
        """How far the pair is from being a violation (negative: it is one)."""
        bound = bound_m(hit, self.allowed, self.tolerance_m, self.floor)
        return hit.distance_m + max(bound, self.grace.get((hit.mine, hit.owner, hit.link), 0.0))


def _pose_hits(scene: CollisionWorld, names: tuple[str, ...], a: F64, b: F64, radius: F64, eye: F64, margin: float) -> list[Hit]:
    return scene.capsules((*names, EYE), np.vstack([a, eye]), np.vstack([b, eye]), np.append(radius, EYE_RADIUS_M), margin_m=margin)


def _grace(world: ActionWorld, scene: CollisionWorld, rules: _Rules) -> Grace:
    """Depth of the contacts that the pose before the segment already has, where they are light; kept while that state is asked about."""
    kept, asked = _kept(world), (rules.allowed, rules.tolerance_m)
    if asked not in kept:
        kept[asked] = _light_contacts(world, scene, rules)
    return cast("Grace", kept[asked])


def _kept(world: ActionWorld) -> dict[object, object]:
    """What is derived from the state now: another state begins anew."""
    kept = cast("tuple[HouseState, dict[object, object]] | None", world.caches.get("screening"))
    if kept is None or kept[0] is not world.state:
        kept = (world.state, {})
        world.caches["screening"] = kept
    return kept[1]


def _light_contacts(world: ActionWorld, scene: CollisionWorld, rules: _Rules) -> Grace:
    kept = _kept(world)
    if "contacts" not in kept:
        kept["contacts"] = _contacts(world, scene)
    out: dict[tuple[str, str, str], float] = {}
    for hit in cast("list[Hit]", kept["contacts"]):
        if -CHECKED_M <= hit.distance_m < -bound_m(hit, rules.allowed, rules.tolerance_m, rules.floor) and hit.mine != EYE:
            key = (hit.mine, hit.owner, hit.link)
            out[key] = max(out.get(key, 0.0), -hit.distance_m + 1e-4)
    return out


def _contacts(world: ActionWorld, scene: CollisionWorld) -> list[Hit]:
    """What body, eye and held thing touch now, allowed or not."""
    body = world.state.body
    T = trunk_transforms(world.body, body.pose_rad[None], body.translation_m[None])
    shapes, eye = capsule_track(world.body, T), camera_track(world.body, T)
    hits = _pose_hits(scene, shapes.names, shapes.a_m[0], shapes.b_m[0], shapes.radius_m, eye, 0.0)
    hits += body_hits(shapes.names, shapes.a_m[0], shapes.b_m[0], shapes.radius_m, ADJACENT_PAIRS)
    held = world.state.held
    if held is not None and held.entity in world.state.poses:
        hits += scene.entity(held.entity, world.state.poses[held.entity].matrix())
    return hits


def screen(world: ActionWorld, segment: Segment, tolerance_m: float = PLANNED_M) -> Violation | None:
    """The first violation of a segment that would start at `world.state`, or None when every frame may be committed. Changes no state."""
    if not len(segment):
        return None
    scene = collision_world(world)
    rules = _Rules(segment.allowed, tolerance_m, floor_keys(world), {})
    rules = rules._replace(grace=_grace(world, scene, rules))
    T = trunk_transforms(world.body, segment.pose_rad, segment.translation_m)
    shapes, eyes = capsule_track(world.body, T), camera_track(world.body, T)
    own = _own_violation(shapes.names, shapes.a_m, shapes.b_m, shapes.radius_m, rules)
    last = len(segment) if own is None else own.frame
    for k in _doubtful(world, scene, segment, rules, shapes, eyes, last):
        _place(world, scene, segment, k)
        hits = _pose_hits(scene, shapes.names, shapes.a_m[k], shapes.b_m[k], shapes.radius_m, eyes[k : k + 1], SEEN_M)
        for key in sorted(segment.carried):
            hits += scene.entity(key, Pose.from_array(segment.carried[key][k]).matrix(), ignore=frozenset(segment.carried), margin_m=SEEN_M)
        hits += _driven_hits(scene, segment)
        bad = [(slack, hit) for slack, hit in ((rules.slack_m(hit), hit) for hit in hits) if slack < 0.0]
        if bad:
            return Violation(k, min(bad)[1])
    return own


def _doubtful(
    world: ActionWorld, scene: CollisionWorld, segment: Segment, rules: _Rules, shapes: CapsuleTrack, eyes: F64, last: int
) -> Iterator[int]:
    """The frames before `last` that must be looked at closely, in order. One frame alone is looked at without asking."""
    if last <= 1:
        yield from range(last)
        return
    frames = _Frames(world, scene, segment, rules, shapes, eyes, last)
    k = frames.doubtful(0)
    while k < last:
        yield k
        k = frames.doubtful(k + 1)


class _Frames:
    """The frames of a segment before `last`, as arrays for the compiled loop that finds those in which something may be too deep."""

    def __init__(
        self, world: ActionWorld, scene: CollisionWorld, segment: Segment, rules: _Rules, shapes: CapsuleTrack, eyes: F64, last: int
    ) -> None:
        ends = (np.concatenate([points[:last], eyes[:last, None]], axis=1) for points in (shapes.a_m, shapes.b_m))
        self._a, self._b = (np.ascontiguousarray(points) for points in ends)
        self._radius = np.append(shapes.radius_m, EYE_RADIUS_M)
        self._every = bool(segment.joints)
        tracks = {key: np.asarray(segment.carried[key][:last], np.float64) for key in sorted(segment.carried)}
        self._moved_m = np.empty(last)
        frame_kernels.KERNELS.ready()
        reach_m = max((_reach_m(world, key) for key in tracks), default=0.0)
        frame_kernels.steps(self._a, self._b, np.array(list(tracks.values())).reshape(-1, last, 7), reach_m, self._moved_m)
        owners = _driven(scene, segment)
        self._bounds = _bounds(world, scene, rules, (*shapes.names, EYE, *tracks, *owners), frozenset(tracks))
        roots = {key: matrices_from_rows(track) for key, track in tracks.items()}
        parts, T = scene.movements(roots, {joint: values[:last] for joint, values in segment.joints.items()})
        rows = [scene.pieces_of(key) for key in (*tracks, *owners)]
        bodies = np.array([(r[0], r[-1] + 1) if len(r) else (0, 0) for r in rows], np.int64).reshape(-1, 2)
        still = _still(scene, segment) if owners else frozenset()
        skip = [scene.skipped(frozenset(tracks))] * len(tracks) + [scene.skipped(still | {owner}) for owner in owners]
        margins = np.array([SEEN_M] * len(tracks) + [0.0] * len(owners))
        self._movers = Movers(parts, T, bodies, np.array(skip, np.bool_).reshape(len(rows), len(scene.owner)), margins)
        self._local, now = scene.bodies()
        self._world = deepcopy(now) if len(parts) else now

    def doubtful(self, k: int) -> int:
        """The first frame from k on that must be looked at closely, or `last`."""
        return frame_kernels.first_doubtful(
            k, self._a, self._b, self._radius, self._moved_m, SEEN_M, self._every, self._local, self._world, self._movers, self._bounds
        )


def _bounds(world: ActionWorld, scene: CollisionWorld, rules: _Rules, mine: tuple[str, ...], carried: frozenset[str]) -> Bounds:
    """The bounds of a segment, kept like its grace."""
    kept, asked = _kept(world), (rules.allowed, rules.tolerance_m, mine, carried)
    if asked not in kept:
        kept[asked] = _bounds_anew(scene, rules, mine, carried)
    return cast("Bounds", kept[asked])


def _bounds_anew(scene: CollisionWorld, rules: _Rules, mine: tuple[str, ...], carried: frozenset[str]) -> Bounds:
    kind = np.zeros(len(scene.owner), np.int64)
    columns: list[tuple[F64, F64]] = []

    def add(owner: str, rows: NDArray[np.int64], allowed: Allowed) -> None:
        kind[rows] = len(columns)
        anywhere, touching = (
            bounds_m(mine, owner, allowed, rules.tolerance_m, rules.floor, touching=touching) for touching in (False, True)
        )
        columns.append((anywhere, touching))

    allowed = rules.allowed
    named = sorted({key for key in (allowed.target, allowed.held, allowed.seat, allowed.support) if key in scene.stage.by_key})
    add(ANYTHING, np.arange(len(kind)), Allowed())  # nothing is said about it
    if rules.floor:
        add(min(rules.floor), np.concatenate([scene.pieces_of(key) for key in sorted(rules.floor)]), Allowed())
    for key in named:
        add(key, scene.pieces_of(key), allowed)
    for (name, owner, link), depth_m in rules.grace.items():
        if owner == BODY or name not in mine:
            continue
        rows = np.array([row for row in scene.pieces_of(owner) if scene.link[row] == link], np.int64)
        anywhere, touched = (column.copy() for column in columns[int(kind[rows[0]])])
        for column in (anywhere, touched):
            column[mine.index(name)] = max(column[mine.index(name)], depth_m)
        kind[rows] = len(columns)
        columns.append((anywhere, touched))
    points = np.array(touched_points(allowed), np.float64).reshape(-1, 3)
    everywhere_m, touched_m = (np.column_stack(columns) for columns in zip(*columns, strict=True))
    mask = np.isin(np.array(scene.owner, dtype=object), list(carried)) if carried else np.zeros(len(kind), np.bool_)
    return Bounds(kind, everywhere_m, touched_m, points, TOUCH_RADIUS_M, scene.hidden, mask)


def _reach_m(world: ActionWorld, key: str) -> float:
    """Distance from the root to the farthest corner of an entity."""
    low, high = world.stage.entity(key).box_m
    return float(np.linalg.norm(np.maximum(np.abs(low), np.abs(high))))


def _place(world: ActionWorld, scene: CollisionWorld, segment: Segment, k: int) -> None:
    if not segment.carried and not segment.joints:
        return
    state = world.state
    poses = {**state.poses, **{key: Pose.from_array(track[k]) for key, track in segment.carried.items()}}
    joints = {**state.joints, **{key: float(track[k]) for key, track in segment.joints.items()}}
    scene.place(poses, joints, state.removed)


def _driven(scene: CollisionWorld, segment: Segment) -> tuple[str, ...]:
    """What the driven joints belong to."""
    return tuple(sorted({scene.stage.joint_owner[joint][0] for joint in segment.joints}))


def _still(scene: CollisionWorld, segment: Segment) -> frozenset[str]:
    """What a driven leaf or drawer may run into, because it belongs there or comes along."""
    return scene.fixed.union(segment.carried)


def _driven_hits(scene: CollisionWorld, segment: Segment) -> list[Hit]:
    """Movable things that a driven leaf or drawer runs into; what rides on it is in `carried`."""
    owners = _driven(scene, segment)
    return [hit for owner in owners for hit in scene.entity(owner, scene.root(owner), ignore=_still(scene, segment))]


@lru_cache(maxsize=8)
def _own_pairs(names: tuple[str, ...]) -> NDArray[np.int64]:
    """Rows (m, 2) of the pairs of limbs that are not adjacent."""
    pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    apart = [(i, j) for i, j in pairs if (min(names[i], names[j]), max(names[i], names[j])) not in ADJACENT_PAIRS]
    return np.array(apart, np.int64).reshape(-1, 2)


def _own_violation(names: tuple[str, ...], a: F64, b: F64, radius: F64, rules: _Rules) -> Violation | None:
    """The first frame in which two limbs that are not adjacent meet."""
    gaps = np.empty(len(a))
    narrowphase.KERNELS.ready()
    narrowphase.least_gaps(np.ascontiguousarray(a), np.ascontiguousarray(b), radius, _own_pairs(names), gaps)
    for k in np.flatnonzero(gaps < 1e-6).tolist():
        if k and float(max(np.abs(a[k] - a[k - 1]).max(), np.abs(b[k] - b[k - 1]).max())) == 0.0:
            continue
        bad = [h for h in body_hits(names, a[k], b[k], radius, ADJACENT_PAIRS) if rules.slack_m(h) < 0.0]
        if bad:
            return Violation(k, min(bad))
    return None
