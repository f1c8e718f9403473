"""Screening of motions before they are committed (seed B.1.2): body, eye volume, carried things, own limbs, every frame.

The contact rules are those of `assistcore.house.contacts`. A pair that is already deeper than its bound in the pose before the segment (by
at most the checker's 5 mm) may stay so deep, so that a motion can leave a light touch.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from actions.frames import camera_track, capsule_track, trunk_transforms
from actions.motions import Segment
from actions.world import ActionWorld
from assistcore.house import narrowphase
from assistcore.house.clearance import CHECKED_M, PLANNED_M, Allowed, Hit
from assistcore.house.collision import CollisionWorld
from assistcore.house.contacts import BODY, EYE, body_hits, bound_m, floors
from assistcore.house.stage import StageModel
from assistcore.house.state import HouseState
from assistcore.world.errors import AssistWorldError
from assistcore.world.poses import Pose
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
    asked = (rules.allowed, rules.tolerance_m)
    kept = cast("tuple[HouseState, dict[object, Grace]] | None", world.caches.get("grace"))
    if kept is None or kept[0] is not world.state:
        kept = (world.state, {})
        world.caches["grace"] = kept
    if asked not in kept[1]:
        kept[1][asked] = _light_contacts(world, scene, rules)
    return kept[1][asked]


def _light_contacts(world: ActionWorld, scene: CollisionWorld, rules: _Rules) -> Grace:
    body = world.state.body
    T = trunk_transforms(world.body, body.pose_rad[None], body.translation_m[None])
    shapes, eye = capsule_track(world.body, T), camera_track(world.body, T)
    out: dict[tuple[str, str, str], float] = {}
    hits = _pose_hits(scene, shapes.names, shapes.a_m[0], shapes.b_m[0], shapes.radius_m, eye, 0.0)
    hits += body_hits(shapes.names, shapes.a_m[0], shapes.b_m[0], shapes.radius_m, ADJACENT_PAIRS)
    held = world.state.held
    if held is not None and held.entity in world.state.poses:
        hits += scene.entity(held.entity, world.state.poses[held.entity].matrix())
    for hit in hits:
        if -CHECKED_M <= hit.distance_m < -bound_m(hit, rules.allowed, rules.tolerance_m, rules.floor) and hit.mine != EYE:
            key = (hit.mine, hit.owner, hit.link)
            out[key] = max(out.get(key, 0.0), -hit.distance_m + 1e-4)
    return out


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
    carried = frozenset(segment.carried)
    tracks = [shapes.a_m, shapes.b_m, eyes[:, None], *(track[:, None, :3] for track in segment.carried.values())]
    reach = max((_reach_m(world, key) for key in carried), default=0.0)
    moves = np.max([np.linalg.norm(t[1:] - t[:-1], axis=-1).max(axis=-1) for t in tracks], axis=0).tolist()
    spin = _spins(segment)
    slack = -1.0
    for k in range(last):
        if k:
            slack -= moves[k - 1] + spin[k - 1] * reach
        if slack > 0.0 and not segment.joints:
            continue
        _place(world, scene, segment, k)
        hits = _pose_hits(scene, shapes.names, shapes.a_m[k], shapes.b_m[k], shapes.radius_m, eyes[k : k + 1], SEEN_M)
        for key in sorted(carried):
            hits += scene.entity(key, Pose.from_array(segment.carried[key][k]).matrix(), ignore=carried, margin_m=SEEN_M)
        hits += _driven_hits(scene, segment)
        slacks = [(rules.slack_m(hit), hit) for hit in hits]
        bad = [(s, hit) for s, hit in slacks if s < 0.0]
        if bad:
            return Violation(k, min(bad)[1])
        slack = -1.0 if _near_carried(slacks, carried) else _least_slack(slacks, carried)
    return own


def _near_carried(slacks: list[tuple[float, Hit]], carried: frozenset[str]) -> bool:
    """Whether a limb is close to a carried thing (both move: no frame may be skipped)."""
    return any(slack < 0.03 and hit.owner in carried for slack, hit in slacks)


def _least_slack(slacks: list[tuple[float, Hit]], carried: frozenset[str]) -> float:
    """How far anything may move before a frame can be a violation; half-way where a limb and a carried thing may move at each other."""
    seen_m = 0.5 * SEEN_M if carried else SEEN_M
    return min([seen_m] + [0.5 * s if hit.owner in carried else s for s, hit in slacks])


def _spins(segment: Segment) -> list[float]:
    """Largest rotation (radians) of a carried thing between neighbouring frames."""
    n = len(segment)
    out = np.zeros(max(0, n - 1))
    for track in segment.carried.values():
        q = track[:, 3:]
        out = np.maximum(out, 2.0 * np.arccos(np.clip(np.abs(np.einsum("nc,nc->n", q[1:], q[:-1])), 0.0, 1.0)))
    return [float(v) for v in out]


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


def _driven_hits(scene: CollisionWorld, segment: Segment) -> list[Hit]:
    """Movable things that a driven leaf or drawer runs into; what rides on it is in `carried`."""
    hits: list[Hit] = []
    for owner in sorted({scene.stage.joint_owner[joint][0] for joint in segment.joints}):
        root = scene.root(owner)
        still = frozenset(e.key for e in scene.stage.entities if e.kind != "movable") | frozenset(segment.carried)
        hits += scene.entity(owner, root, ignore=still)
    return hits


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
