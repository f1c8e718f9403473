"""What is out of the question where space is short, seen before any arm is solved: hand frames and postures that strike something anyway.

Both are necessary conditions of a whole key that is clear: hand capsules follow from the wrist frame alone, trunk, legs and the other arm
from the posture alone. They decide in one query what would take one screened key for every candidate.
`clear_elbow` then looks for room for the elbow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.keys import Key, key_at, look_from
from actions.manipulation.posture import Rung, at_stance
from actions.manipulation.reach import OTHER_SWIVELS_RAD, Blocked, Standing, screen_key, works
from actions.screening import Violation, collision_world, floor_keys
from assistcore.house.clearance import PLANNED_M, Allowed, Hit
from assistcore.house.contacts import body_hits, bound_m
from humans.kinematics import joint_transforms
from humans.model import JOINT
from humans.postures import solve_posture
from humans.proxies import ADJACENT_PAIRS, ARM_CAPSULES, CAPSULE, capsules, rig

F64 = NDArray[np.float64]
LOOKING = frozenset({"head", "eye"})
"""What moves with the gaze."""
LOOSE_M = 0.004
"""Deeper than the bound by this before something is given up unseen: a light touch that lasts from before the motion may be allowed."""


def free_hands(here: Standing, wrists: F64, rules: Allowed) -> tuple[NDArray[np.bool_], Blocked | None]:
    """Which wrist frames (n, 4, 4) keep the hand's capsule clear, and the lightest contact of the others."""
    r, side = rig(here.figure.body), here.figure.side
    row = CAPSULE[f"{side}_hand"]
    a, b = (wrists[:, :3, :3] @ offset + wrists[:, :3, 3] for offset in (r.offset_a_m[row], r.offset_b_m[row]))
    scene = collision_world(here.world)
    names = tuple(str(i) for i in range(len(wrists)))
    hits = scene.capsules(names, a, b, np.full(len(wrists), r.radius_m[row]), ignore=_along(here), margin_m=0.0)
    free = np.ones(len(wrists), np.bool_)
    lightest: Hit | None = None
    for hit in hits:
        own = hit._replace(mine=f"{side}_hand")
        if _deep(here, own, rules):
            free[int(hit.mine)] = False
            lightest = own if lightest is None or own.distance_m > lightest.distance_m else lightest
    return free, None if lightest is None else Blocked.of(Violation(0, lightest))


def free_postures(here: Standing, options: Sequence[Rung], rules: Allowed) -> tuple[frozenset[Rung], Blocked | None]:
    """Which postures keep trunk, legs and the idle arm clear at this stance, and the lightest contact of the others."""
    scene = collision_world(here.world)
    free: set[Rung] = set()
    lightest: Hit | None = None
    mine = {*ARM_CAPSULES[here.figure.side], "head"}
    body, other = here.figure.body, here.figure.other
    for option in options:
        posture = at_stance(option.posture, (here.home.x_m, here.home.y_m), here.home.heading_rad)
        shapes = capsules(body, joint_transforms(body, *solve_posture(body, posture, other)))
        rows = [i for i, name in enumerate(shapes.names) if name not in mine]
        names = tuple(shapes.names[i] for i in rows)
        hits = scene.capsules(names, shapes.a_m[rows], shapes.b_m[rows], shapes.radius_m[rows], ignore=_along(here), margin_m=0.0)
        bad = [hit for hit in hits if _deep(here, hit, rules)]
        if bad:
            lightest = max([min(bad), *([lightest] if lightest else [])], key=lambda h: h.distance_m)
        else:
            free.add(option)
    return frozenset(free), None if lightest is None else Blocked.of(Violation(0, lightest))


@lru_cache(maxsize=256)
def carries_clear(here: Standing, option: Rung) -> bool:
    """Whether the arm that carries something, and what it carries, stay clear of the person's own trunk and legs in a posture."""
    held, body = here.world.state.held, here.figure.body
    if here.figure.other is None or held is None:
        return True
    posture = at_stance(option.posture, (here.home.x_m, here.home.y_m), here.home.heading_rad)
    bones = joint_transforms(body, *solve_posture(body, posture, here.figure.other))
    shapes = capsules(body, bones)
    arm = {f"{held.hand}_{part}" for part in ("lower_arm", "hand")}
    rest = [i for i, name in enumerate(shapes.names) if not name.startswith(here.figure.side) or name.endswith(("thigh", "shin"))]
    a, b, radius = shapes.a_m[rest], shapes.b_m[rest], shapes.radius_m[rest]
    hits = body_hits(tuple(shapes.names[i] for i in rest), a, b, radius, ADJACENT_PAIRS)
    if any(h.distance_m < -PLANNED_M and (h.mine in arm or h.link in arm) for h in hits):
        return False
    low, high = here.world.stage.entity(held.entity).box_m
    root = bones[JOINT[f"{held.hand}_wrist"]] @ held.wrist_object.matrix()
    centre = (root @ np.append(0.5 * (low + high), 1.0))[:3]
    own = [
        i for i in range(len(rest)) if not shapes.names[rest[i]].startswith(held.hand) or shapes.names[rest[i]].endswith(("thigh", "shin"))
    ]
    return all(_to_segment(centre, a[i], b[i]) > radius[i] + 0.5 * float(np.sort(high - low)[1]) for i in own)


def _to_segment(point: F64, a: F64, b: F64) -> float:
    along = b - a
    t = float(np.clip((point - a) @ along / max(float(along @ along), 1e-12), 0.0, 1.0))
    return float(np.linalg.norm(a + t * along - point))


def clear_elbow(here: Standing, key: Key, rules: Allowed, *, strain_rad: float = 0.1) -> Key | Blocked:
    """The key, with the gaze straight ahead where the head strikes something and the elbow swivelled elsewhere where the arm does.

    What it strikes as it is where nothing helps.
    """
    first = screen_key(here, key, rules)
    if first is None:
        return key
    if first.mine in LOOKING:
        key = replace(key, head=look_from(here.figure, key.posture, None))
        ahead = screen_key(here, key, rules)
        if ahead is None:
            return key
        first = first if ahead.mine in LOOKING else ahead
    if any(name in first.text for name in ARM_CAPSULES[here.figure.side][:2]):
        body = here.figure.body
        trunk = joint_transforms(body, *solve_posture(body, key.posture, here.figure.other))[JOINT["spine3"]]
        for swivel in OTHER_SWIVELS_RAD:
            other = key_at(here.figure, key.posture, trunk, key.T_wrist, key.fingers, key.head, float(swivel))
            if works(other, residual_m=max(0.001, key.residual_m), strain_rad=strain_rad) and screen_key(here, other, rules) is None:
                return other
    return first


def _along(here: Standing) -> frozenset[str]:
    """What moves with the hand: it is not where the world says."""
    state = here.world.state
    return frozenset() if state.held is None else frozenset({state.held.entity, *(r.entity for r in state.riding)})


def _deep(here: Standing, hit: Hit, rules: Allowed) -> bool:
    return hit.distance_m + bound_m(hit, rules, PLANNED_M, floor_keys(here.world)) < -LOOSE_M
