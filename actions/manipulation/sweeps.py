"""Straight ways of the hand and of what it carries at a resting place, looked at before any posture or arm is solved.

Where the hand is follows from the wrist frame alone, and where the carried thing is from the hand. So a way in or out that strikes
something here does so from every stance, and one query a place decides what would take a motion each. The committed frames are screened
exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.freedom import hand_capsules
from actions.manipulation.grasp import sign_of
from actions.screening import collision_world, floor_keys
from actions.world import ActionWorld
from assistcore.house.clearance import CHECKED_M, PLANNED_M, Allowed, Hit
from assistcore.house.contacts import bound_m
from assistcore.house.state import Hand
from assistcore.world.poses import inverse

F64 = NDArray[np.float64]

STEP_M = 0.015
"""Spacing of the looked-at places on a way."""
PALM_M = 0.09
"""The middle of the palm along the fingers from the wrist."""
LOOSE_M = 0.0002
"""So much deeper than its bound before a contact rules a way out: the frames fall between the looked-at places."""


@dataclass(eq=False)
class Tries:
    """Ways to one place of which those that are clear are wanted, `most` at most. Each is looked at once, when somebody gets that far."""

    left: list[list[F64]]
    most: int
    found: list[list[F64]] = field(default_factory=list)

    def clear(self, test: Callable[[list[F64]], bool]) -> Iterator[list[F64]]:
        """The clear ways in order; the test is the same for whoever asks."""
        k = 0
        while True:
            while k == len(self.found) and len(self.found) < self.most and self.left:
                way = self.left.pop(0)
                if test(way):
                    self.found.append(way)
            if k == len(self.found):
                return
            yield self.found[k]
            k += 1


@dataclass(eq=False)
class Kept:
    """What is known of ways among one placement of the obstacles, by resting place and kind."""

    obstacles: tuple[object, ...]
    ways: dict[tuple[object, ...], Tries] = field(default_factory=dict)


def kept(world: ActionWorld) -> Kept:
    """The memory of a world's ways for what is held as it is held; empty once an obstacle has moved."""
    held = world.state.held
    along = carried(world)
    grip = None if held is None else (held.entity, held.hand, held.wrist_object)
    now: tuple[object, ...] = (grip, along, collision_world(world).obstacle_key(along))
    found = cast("Kept | None", world.caches.get("ways at places"))
    if found is None or found.obstacles != now:
        found = Kept(now)
        world.caches["ways at places"] = found
    return found


def carried(world: ActionWorld) -> frozenset[str]:
    """The held thing and what rides on it."""
    state = world.state
    return frozenset() if state.held is None else frozenset({state.held.entity, *(r.entity for r in state.riding)})


def palm(T_wrist: F64, side: Hand) -> tuple[float, float, float]:
    """The middle of the palm of a hand with its wrist frame (4, 4) here: where it touches what it takes or lets go of."""
    x, y, z = (T_wrist[:3, 3] + PALM_M * sign_of(side) * T_wrist[:3, 0]).tolist()
    return float(x), float(y), float(z)


def line(frames: Sequence[F64]) -> F64:
    """Frames (n, 4, 4) along straight lines from frame to frame, the first one left out; orientations are kept from each line's end."""
    out = []
    for a, b in zip(frames, frames[1:], strict=False):
        n = max(1, int(np.ceil(float(np.linalg.norm(b[:3, 3] - a[:3, 3])) / STEP_M)))
        for k in range(1, n + 1):
            T = b.copy()
            T[:3, 3] = a[:3, 3] + (b[:3, 3] - a[:3, 3]) * k / n
            out.append(T)
    return np.stack(out)


def hands_clear(world: ActionWorld, wrists: F64) -> NDArray[np.bool_]:
    """At which wrist frames (n, 4, 4) the hand that holds something meets nothing else, shape (n,)."""
    out = np.ones(len(wrists), np.bool_)
    for hit in _hand_hits(world, wrists, carried(world)):
        if hit.distance_m < -PLANNED_M:
            out[int(hit.mine)] = False
    return out


def carried_in(world: ActionWorld, wrists: F64, rules: Allowed) -> bool:
    """Whether the hand and what it carries keep their bounds at wrist frames (n, 4, 4), the last of them looked at first."""
    held = world.state.held
    if held is None:
        raise ValueError("nothing is held")
    scene, along, floor = collision_world(world), carried(world), floor_keys(world)
    if any(_deep(_own(hit, held.hand), rules, floor) for hit in _hand_hits(world, wrists, along)):
        return False
    back = inverse(world.state.root(world.stage, held.entity))
    places = {key: held.wrist_object.matrix() @ back @ world.state.root(world.stage, key) for key in sorted(along)}
    for T in wrists[::-1]:
        for key, in_wrist in places.items():
            if any(_deep(hit, rules, floor) for hit in scene.entity(key, T @ in_wrist, ignore=along)):
                return False
    return True


def comes_off(world: ActionWorld, T_rest: F64, wrists: F64) -> bool:
    """Whether the open hand keeps its bounds at wrist frames (n, 4, 4) once the held thing is let go of with the wrist at T_rest (4, 4).

    A light touch at rest may stay as it is.
    """
    held = world.state.held
    if held is None:
        raise ValueError("nothing is held")
    along, floor = carried(world), floor_keys(world)
    now = world.state.root(world.stage, held.entity) @ inverse(T_rest @ held.wrist_object.matrix())
    touch = Allowed(target=held.entity, point_m=palm(now @ T_rest, held.hand), hands=(held.hand,))
    if any(_deep(_own(hit, held.hand), touch, floor) for hit in _hand_hits(world, wrists, along)):
        return False
    # the thing where it is now, and the hand as it is to the thing where it will be
    at_rest = {h.owner: -h.distance_m for h in _hand_hits(world, (now @ T_rest)[None], frozenset()) if h.owner in along}
    for hit in _hand_hits(world, now @ wrists, frozenset()):
        light = hit.distance_m >= -min(at_rest.get(hit.owner, 0.0), CHECKED_M)
        if hit.owner in along and not light and _deep(_own(hit, held.hand), touch, floor):
            return False
    return True


def _hand_hits(world: ActionWorld, wrists: F64, ignore: frozenset[str]) -> list[Hit]:
    """What the hand meets at wrist frames (n, 4, 4); `mine` is the number of the frame."""
    held = world.state.held
    if held is None:
        raise ValueError("nothing is held")
    a, b, radius = hand_capsules(world.body, held.hand, wrists)
    n = len(wrists)
    hits = collision_world(world).capsules(tuple(map(str, range(n))), a, b, np.full(n, radius), ignore=ignore)
    return hits


def _own(hit: Hit, side: str) -> Hit:
    return hit._replace(mine=f"{side}_hand")


def _deep(hit: Hit, rules: Allowed, floor: frozenset[str]) -> bool:
    return hit.distance_m + bound_m(hit, rules, PLANNED_M, floor) < -LOOSE_M
