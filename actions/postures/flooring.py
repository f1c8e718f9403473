"""Setting what is held down on the floor beside something (seed Table 5, place_on_floor)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.approach import Goal, Shared, with_stance
from actions.manipulation.placing import Spot, spots
from actions.manipulation.put import plan_put
from actions.manipulation.reach import Budget
from actions.manipulation.surroundings import Place
from actions.motions import Segment
from actions.screening import collision_world, floor_keys
from actions.world import ActionWorld
from assistcore.house.placed import placed
from assistcore.house.relations import NEAR_M, near, rows
from assistcore.house.stage import Region
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose

F64 = NDArray[np.float64]

BESIDE_M = (0.04, 0.42)
"""How far from the anchor's outline the strip of floor begins and ends that counts as beside it."""
PAST_M = 0.25
"""How far the strip goes on past the corners of the anchor."""
OVER_M = 0.5
MARGIN_M = 0.06
"""Kept from the bound of `near`."""
STRIPS = 4
SPENT, SPENT_EACH = (96, 0, 300, 80), (36, 0, 100, 24)
"""Motions, wraps, keys and stances that a put on the floor may try in all, shared out among the strips; so many at least for each."""
SPREAD_RAD = float(np.radians(55.0))
NEAR_SPOT_M, FAR_SPOT_M, COMFORT_M = 0.34, 0.72, 0.45


class Strip(NamedTuple):
    """A strip of floor along one side of an anchor, and the level direction (2,) away from it."""

    place: Place
    outward: tuple[float, float]


def put_on_floor(world: ActionWorld, key: str, anchor: str) -> list[Segment] | Refusal:
    """The whole put: to a stance, down with hips and knees, release, up again. Changes nothing."""
    found: list[tuple[float, int, Strip, Spot]] = []
    worst: Refusal | None = None
    beside = _beside_test(world, key, anchor)
    low, high = world.stage.entity(key).box_m
    for wider_m in (0.0, float((high - low)[:2].min())):
        places = _beside(world, anchor, wider_m)
        if isinstance(places, Refusal):
            return places
        for n, strip in enumerate(places):
            free = spots(world, key, strip.place, None)
            if isinstance(free, Refusal):
                worst = worst or free
            elif (first := next((s for s in free if beside(s.T_object)), None)) is not None:
                found.append((first.cost, n, strip, first))
        if found:
            break
    if not found:
        return worst or Refusal(Code.NO_FREE_SPACE, f"there is no floor beside {anchor}", "name something that stands on the floor")
    chosen = sorted(found, key=lambda row: row[:2])[:STRIPS]
    shared = Shared(Budget(*SPENT))
    for _, _, strip, spot in chosen:
        shared.begin(SPENT, len(chosen), SPENT_EACH)
        steps = _put(world, key, strip, spot.T_object[:3, 3], beside, shared)
        if not isinstance(steps, Refusal):
            return steps
        worst = worst or steps
    return worst or Refusal(Code.OUT_OF_REACH, f"the floor beside {anchor} is out of reach")


def _put(world: ActionWorld, key: str, strip: Strip, point: F64, beside: Callable[[F64], bool], shared: Shared) -> list[Segment] | Refusal:
    """From before the strip, facing the anchor: knees and elbows then have room; else from anywhere round the spot."""
    last: Refusal | None = None
    for facing, spread in ((strip.outward, SPREAD_RAD), (None, float(np.pi))):
        goal = Goal(strip.place.entity, point, facing, spread, near_m=NEAR_SPOT_M, far_m=FAR_SPOT_M, comfort_m=COMFORT_M, shared=shared)
        steps = with_stance(world, goal, lambda there: plan_put(there, key, strip.place, None, keep=beside))
        if not isinstance(steps, Refusal):
            return steps
        last = last or steps
    return last or Refusal(Code.OUT_OF_REACH, f"the floor is out of reach at {strip.place.entity}")


def _beside_test(world: ActionWorld, key: str, anchor: str) -> Callable[[F64], bool]:
    """Whether the thing is near the anchor with its root at T (4, 4): the middle of a long side may be far from every leg of a table."""
    known: dict[bytes, bool] = {}

    def beside(T: F64) -> bool:
        name = T.tobytes()
        if name not in known:
            now = placed(world.stage, world.state.with_(poses={**world.state.poses, key: Pose.from_matrix(T)}, held=None))
            known[name] = bool(near(now, rows(now, [key]), rows(now, [anchor])).any())
        return known[name]

    return beside


def _beside(world: ActionWorld, anchor: str, wider_m: float = 0.0) -> list[Strip] | Refusal:
    """The strips of floor along the sides of an anchor that stands on the floor, or not far above it.

    `wider_m`: how much farther they reach out, at most the smaller side of the thing, whose near edge then still counts as beside.
    """
    box = collision_world(world).box_m(anchor)
    if box is None:
        return Refusal(Code.NOT_AFFORDED, f"{anchor} has no extent to be beside of", "name a thing or a piece of furniture")
    low, high = box
    middle = 0.5 * (low + high)
    floor = _floor_under(world, float(middle[0]), float(middle[1]))
    level = floor[1] if floor is not None else 0.0
    rise = max(0.0, float(low[2]) - level)
    reach = NEAR_M - MARGIN_M
    if rise >= reach:
        fact = f"no floor is within {NEAR_M:.1f} m of {anchor}, which stands {rise:.2f} m above it"
        return Refusal(Code.NOT_AFFORDED, fact, "name something that stands on the floor")
    near, far = BESIDE_M[0], min(BESIDE_M[1], float(np.sqrt(reach**2 - rise**2))) + wider_m
    on = min(PAST_M, float(np.sqrt(max(0.0, reach**2 - rise**2 - near**2)))) + wider_m
    sides = (
        ((low[0] - far, low[1] - on), (low[0] - near, high[1] + on), (-1.0, 0.0)),
        ((high[0] + near, low[1] - on), (high[0] + far, high[1] + on), (1.0, 0.0)),
        ((low[0] - on, low[1] - far), (high[0] + on, low[1] - near), (0.0, -1.0)),
        ((low[0] - on, high[1] + near), (high[0] + on, high[1] + far), (0.0, 1.0)),
    )  # fmt: skip
    out: list[Strip] = []
    for a, b, outward in sides:
        found = _floor_under(world, 0.5 * float(a[0] + b[0]), 0.5 * float(a[1] + b[1]))
        if found is None:
            continue
        owner, z = found
        link = world.stage.entity(owner).links[0].key
        region = Region("floor", "surface", link, (float(a[0]), float(a[1]), z), (float(b[0]), float(b[1]), z + OVER_M))
        out.append(Strip(Place(owner, region, np.eye(4)), outward))
    return out or Refusal(Code.NO_FREE_SPACE, f"there is no floor beside {anchor}", "name something that stands on the floor")


def _floor_under(world: ActionWorld, x: float, y: float) -> tuple[str, float] | None:
    """The floor below a point and its height, or None."""
    scene = collision_world(world)
    found: list[tuple[float, str]] = []
    for key in sorted(floor_keys(world)):
        box = scene.box_m(key)
        if box is not None and box[0][0] <= x <= box[1][0] and box[0][1] <= y <= box[1][1]:
            found.append((float(box[1][2]), key))
    if not found:
        return None
    height, owner = max(found)
    return owner, height
