"""Where one can sit on a thing: edges of its live top at seat height, with room for thighs, and the stance before each of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.screening import collision_world
from actions.stance import Candidates, candidates_of
from actions.world import ActionWorld
from assistcore.house import narrowphase
from assistcore.house.collision import Solids
from humans.model import JOINT, BodyModel
from humans.postures import ANKLE_BACK_M, MAX_DROP_M, idle_pelvis_height_m

F64 = NDArray[np.float64]

LOWEST_M, HIGHEST_M = 0.30, 0.66
"""Tops in this range are sat on; a lower one is squatted on, a higher one is climbed."""
STEP_M = 0.02
ACROSS_M = 0.05
BONES_M = 0.11
"""Half the width of the top that the sit bones and thighs need."""
LEVEL_M = 0.045
LEAST_DEPTH_M = 0.24
BEHIND_M = 0.125
"""From the hips to a backrest: half the depth of the pelvis and a little more."""
DEPTHS_M = (0.33, 0.29, 0.25, 0.21, 0.17, 0.13)
"""How far behind the front edge the hips may come to rest."""
BEFORE_M = (0.25, 0.35, 0.15, 0.41, 0.0)
"""How far before the seat the person turns its back to it; the rest is a step back."""
HEEL_M = 0.115
KNEE_OVER_M = 0.04
SINK_M = 0.006
SLOPE_M = 0.05
"""How much lower than the hips the thigh may be where it leaves the seat: its flesh gives way so far."""
SIT_BONES_M = 0.100
"""Lowest point of the pelvis below the hip joints (its capsule)."""
NO_BACK_COST_M = 1.5
ASIDE_COST = 0.6


class Place(NamedTuple):
    """One way to sit: hips over hip_m (3,), facing heading_rad, feet below stance_m; `depth_m` behind the edge; `backed` by a rest.

    `cost_m` orders places: the way there, the distance from the middle of the seat, and a missing backrest.
    """

    hip_m: F64
    heading_rad: float
    stance_m: tuple[float, float]
    depth_m: float
    backed: bool
    cost_m: float

    def ahead(self, by_m: float) -> tuple[float, float]:
        """A ground point straight before the stance."""
        c, s = float(np.cos(self.heading_rad)), float(np.sin(self.heading_rad))
        return (self.stance_m[0] + by_m * c, self.stance_m[1] + by_m * s)


class Seats(NamedTuple):
    """All places of a seat, best first; `tops_m` says which heights its top has where one might sit, for a refusal."""

    places: list[Place]
    tops_m: tuple[float, float] | None


def seats(world: ActionWorld, key: str) -> Seats:
    """Where to sit on an entity as it stands now. Places whose floor cannot be reached or stood on are left out."""
    scene = collision_world(world)
    root = world.state.root(world.stage, key)
    solids = scene.solids_of(key, root)
    low, high = world.stage.entity(key).box_m
    check = candidates_of(world)
    places: list[Place] = []
    heights: list[float] = []
    for k in range(4):
        axis, sign = k // 2, 1.0 if k % 2 else -1.0
        ahead, across = np.zeros(3), np.zeros(3)
        ahead[axis], across[1 - axis] = sign, 1.0
        edge = float(high[axis] if sign > 0 else -low[axis])
        deep = float(high[axis] - low[axis])
        facing = root[:3, :3] @ ahead
        if abs(float(facing[2])) > 0.1:
            continue
        for aside in _offsets(float(low[1 - axis]), float(high[1 - axis])):
            front = root[:3, :3] @ (ahead * edge + across * aside) + root[:3, 3]
            side = root[:3, :3] @ across
            found = _rows(solids, front, facing, side, deep)
            if found is None:
                continue
            start, depth, top, backed = found
            heights.append(top)
            middle = abs(aside - 0.5 * float(low[1 - axis] + high[1 - axis]))
            place = _place(world.body, front - start * facing, facing, depth, top, backed)
            if place is not None and (cost := _cost(check, place)) < np.inf:
                places.append(place._replace(cost_m=cost + ASIDE_COST * middle + (0.0 if backed else NO_BACK_COST_M)))
    places.sort(key=lambda p: (round(p.cost_m, 6), p.stance_m))
    return Seats(places, (min(heights), max(heights)) if heights else None)


def _offsets(low: float, high: float) -> list[float]:
    """Places along an edge, the middle first, as far towards its ends as the sit bones find room."""
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    count = int(max(0.0, half - BONES_M) / ACROSS_M)
    return [middle + ACROSS_M * k for n in range(count + 1) for k in ((0,) if n == 0 else (n, -n))]


def top_m(solids: Solids, x: float, y: float) -> float:
    """Height of the highest top of these bodies on a vertical line, minus infinity beside them."""
    none = np.zeros(len(solids.low_m), np.bool_)
    s = solids
    narrowphase.KERNELS.ready()
    return float(narrowphase.top_below(x, y, 1e9, s.corners_m, s.corner_rows, s.faces, s.face_rows, s.low_m, s.high_m, none))


def _rows(solids: Solids, front: F64, facing: F64, side: F64, deep_m: float) -> tuple[float, float, float, bool] | None:
    """Of three lines inwards a person's width apart: start of the level top, its depth, its height, whether a rest is behind."""
    inwards = np.arange(0.5 * STEP_M, deep_m, STEP_M)[:, None]
    kept = []
    for shift in (0.0, -BONES_M, BONES_M):
        places = (front + shift * side)[:2] - inwards * facing[:2]
        line = _level(np.array([top_m(solids, x, y) for x, y in places.tolist()]))
        if line is None:
            return None
        kept.append(line)
    start, end = max(line[0] for line in kept), min(line[1] for line in kept)
    tops_m = [line[2] for line in kept]
    if end - start < LEAST_DEPTH_M or max(tops_m) - min(tops_m) > LEVEL_M:
        return None
    return start, end - start, tops_m[0], kept[0][3]


def _level(tops: F64) -> tuple[float, float, float, bool] | None:
    """Start, end and height of the first level stretch of a profile inwards, and whether it ends at something higher."""
    over = np.flatnonzero(tops >= LOWEST_M)
    if not len(over) or tops[over[0]] > HIGHEST_M:
        return None
    first = int(over[0])
    height = float(tops[min(first + 2, len(tops) - 1)])
    last = first
    while last < len(tops) and abs(float(tops[last]) - height) < LEVEL_M:
        last += 1
    rest = last < len(tops) and float(tops[last]) > height
    return first * STEP_M, last * STEP_M, height, bool(rest)


def _place(body: BodyModel, edge: F64, facing: F64, depth: float, top: float, backed: bool) -> Place | None:
    """Hips as far back as the seat and the knees allow; None where the legs cannot do it."""
    rest = body.rest_joints_m
    thigh = float(np.linalg.norm(rest[JOINT["left_knee"]] - rest[JOINT["left_hip"]]))
    knee = float(rest[JOINT["left_knee"], 1] - body.floor_y_m)
    hip = top + SIT_BONES_M - SINK_M
    if idle_hips_m(body) - hip > MAX_DROP_M:
        return None
    fall = hip - knee
    # the thigh slopes down to the knee: a high seat is sat on nearer its edge
    for back in DEPTHS_M:
        if back > depth - BEHIND_M or (fall > 0.0 and fall * back / thigh > SLOPE_M):
            continue
        over = float(np.sqrt(max(0.0, thigh**2 - fall**2)))
        feet = max(back + HEEL_M, over - KNEE_OVER_M)
        point = edge - back * facing
        xy = point + (feet + ANKLE_BACK_M) * facing
        return Place(
            np.array([point[0], point[1], hip]), float(np.arctan2(facing[1], facing[0])), (float(xy[0]), float(xy[1])), back, backed, 0.0
        )
    return None


def idle_hips_m(body: BodyModel) -> float:
    """Height of the hip joints in the idle stance."""
    rest = body.rest_joints_m
    return idle_pelvis_height_m(body) - float(rest[0, 1] - rest[JOINT["left_hip"], 1])


def _cost(check: Candidates, place: Place) -> float:
    """Route cost to the place where one turns before it; infinite where nobody can stand there or before the seat."""
    if check.idle_hits(place.stance_m, place.heading_rad):
        return float("inf")
    best = float("inf")
    for n, before in enumerate(BEFORE_M):
        xy = place.ahead(before)
        cost = check.route_cost_m(xy) + 0.1 * n
        if cost < best and not check.idle_hits(xy, place.heading_rad):
            best = cost
    return best
