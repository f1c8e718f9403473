"""Which regions a thing may be put on or in, and the whole put from anywhere: stance, reach, release (seed B.3.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.approach import HOPELESS_STAGE, NO_WAY_STAGE, Goal, Shared, differ, once_more, scattered, with_stance
from actions.manipulation.commands import describe
from actions.manipulation.free_space import TIGHT_M, sideways
from actions.manipulation.grab import Failure
from actions.manipulation.placing import Spot, chosen_point, fits, front_place, spots
from actions.manipulation.put import plan_put
from actions.manipulation.reach import Budget
from actions.manipulation.surroundings import AJAR, Place, closed_above, how_shut, how_to_open, regions_of, shut
from actions.motions import Segment
from actions.stance import Stance
from actions.world import ActionWorld
from assistcore.house.stage import Region
from assistcore.world.commands import Arg, PlaceSpot
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Code, Refusal

F64 = NDArray[np.float64]

ASIDE_TURN_RAD = 0.6
LOW_M, KNEELING_M = 0.7, 1.15
"""Before a place below LOW_M one may kneel, which takes room: so far away one then stands."""
LOOKED_AT = 32
FINE_M, TURNED_RAD = 0.05, tuple(np.radians((35.0, -35.0, 17.5, -17.5, 52.5, -52.5)).tolist())
"""Spacing of stances where none of the coarser ones does, and how the body is turned aside at these."""
MOST_AGAIN, LOOKS_AGAIN = 6, 30
"""Stances from which a second, careful look is taken, and with those from which the hand does not come to the place then either: these
cost little and do not count."""
MOST_SCATTERED, LOOKS_SCATTERED = 12, 60
"""The same once that has failed too, for stances all round the place."""
OTHERS, APART_M = 3, 0.35
"""So many other places of a region, so far from each other, stances are looked for before."""
SPENT, SPENT_EACH = (64, 0, 300, 80), (24, 0, 100, 30)
"""Motions, finger wraps, screened keys and stances that a put may try in all, shared out among the regions; at least so many for each."""
ORDER = (Code.DOES_NOT_FIT, Code.NO_FREE_SPACE, Code.OUT_OF_REACH, Code.PATH_BLOCKED, Code.TRAJECTORY_COLLISION)
"""Refusals, those that came farther last."""


def put_on(world: ActionWorld, key: str, surface: str, spot: PlaceSpot | None) -> list[Segment] | Refusal:
    """Segments that set `key` down on a surface region of `surface`."""
    if surface == key:
        return Refusal(Code.BAD_ARGUMENT, f"{key} cannot be put on itself")
    entity = world.stage.entity(surface)
    places = [p for p in regions_of(world, surface) if p.region.kind == "surface"] or _top_of(world, surface)
    if not places:
        inner = " (things go in it)" if any(r.kind == "interior" for r in entity.regions) else ""
        return Refusal(
            Code.NOT_AFFORDED, f"{surface} is {describe(entity)} without a surface to put things on{inner}", "name another support"
        )
    if entity.kind == "movable" and (refusal := closed_above(world, surface)):
        return refusal
    return _first(world, key, places, spot)


def put_inside(world: ActionWorld, key: str, container: str, region: str | float | None, spot: PlaceSpot | None) -> list[Segment] | Refusal:
    """Segments that set `key` down in an interior region of `container` (named, numbered from 1, or any that is free)."""
    if container == key:
        return Refusal(Code.BAD_ARGUMENT, f"{key} cannot be put into itself")
    entity = world.stage.entity(container)
    places = [p for p in regions_of(world, container) if p.region.kind == "interior"]
    if not places:
        return Refusal(Code.NOT_AFFORDED, f"{container} is {describe(entity)} that holds nothing", "name a container")
    if region is not None:
        chosen = _named(places, region)
        if chosen is None:
            names = ", ".join(p.region.name for p in places)
            return Refusal(Code.BAD_ARGUMENT, f"{container} has no region {region!r}", f"regions: {names}")
        places = [chosen]
    if entity.kind == "movable" and (refusal := closed_above(world, container)):
        return refusal
    ready = [p for p in places if shut(world, p) is None]
    if ready:
        return _first(world, key, _by_height(world, ready), spot)
    ajar = [p for p in places if shut(world, p, AJAR) is None]
    steps = _first(world, key, _by_height(world, ajar), spot) if ajar else None
    if steps is not None and not isinstance(steps, Refusal):
        return steps
    owner = shut(world, places[0]) or container
    said = how_shut(world, owner) if owner == container else f"{container}: {how_shut(world, owner)}"
    return Refusal(Code.CLOSED, said, how_to_open(world, owner))


def region_name(argument: Arg | None) -> str | float | None:
    """A region argument as a name (`<shelf_2>`, `<shelf> (2)`) or as a number counted from 1 (`<region> (2)`)."""
    if not isinstance(argument, EntityRef):
        return argument if isinstance(argument, str | float) else None
    if argument.name in ("region", "slot") and argument.index > 0:
        return float(argument.index)
    return argument.key if argument.index > 0 else argument.name


def _named(places: list[Place], region: str | float) -> Place | None:
    if isinstance(region, str):
        return next((p for p in places if p.region.name == region), None)
    index = int(region) - 1
    return places[index] if 0 <= index < len(places) else None


def _by_height(world: ActionWorld, places: list[Place]) -> list[Place]:
    """Regions near chest height first: an automatic choice is comfortable."""
    return sorted(places, key=lambda p: abs(float((p.T_region @ [*_middle(p.region), 1.0])[2]) - 1.05))


def _middle(region: Region) -> list[float]:
    return [0.5 * (a + b) for a, b in zip(region.low_m, region.high_m, strict=True)]


def _top_of(world: ActionWorld, key: str) -> list[Place]:
    """The top of a flat-topped thing without declared regions (a book, a box, a tray)."""
    entity = world.stage.entity(key)
    if entity.kind == "structure" or any(r.kind == "interior" and r.opening[2] > 0.7 for r in entity.regions):
        return []
    low, high = entity.box_m
    if entity.kind != "movable" and "surface" not in entity.roles:
        return []
    up = float(world.state.root(world.stage, key)[2, 2])
    if up < 0.98 or min(high[0] - low[0], high[1] - low[1]) < 0.05:
        return []
    top = Region("top", "surface", entity.links[0].key, (low[0], low[1], high[2]), (high[0], high[1], high[2] + 0.4))
    return [Place(key, top, world.state.root(world.stage, key))]


def _first(world: ActionWorld, key: str, places: list[Place], spot: PlaceSpot | None) -> list[Segment] | Refusal:
    """The first region in which the whole chain works, else the refusal that came farthest."""
    worst: Refusal | None = None
    came: list[tuple[int, Place, Stance]] = []
    shared = Shared(Budget(*SPENT))
    for place in places:
        shared.begin(SPENT, len(places), SPENT_EACH)
        result = _into(world, key, place, spot, shared)
        if not isinstance(result, Refusal):
            return result
        came += [(stage, place, stance) for stage, stance in shared.came]
        if worst is None or _rank(result, ORDER) > _rank(worst, ORDER):
            worst = result
    if worst is None:
        raise ValueError("no places to try")
    hopeful = sorted((row for row in came if row[0] != NO_WAY_STAGE), key=lambda row: -row[0])
    looks = [(stance, place) for _, place, stance in hopeful[:LOOKS_AGAIN]]
    return (
        _carefully(world, key, spot, looks, MOST_AGAIN)
        or _carefully(world, key, spot, _scattered(world, key, places, spot, looks), MOST_SCATTERED)
        or worst
    )


def _carefully(
    world: ActionWorld, key: str, spot: PlaceSpot | None, looks: Sequence[tuple[Stance, Place]], most: int
) -> list[Segment] | None:
    """The whole chain for the first of these stances, each for a region, from which a second, careful look finds one."""
    counted = 0
    for stance, place in looks:
        if counted >= most:
            break
        again = once_more(world, stance, lambda there, place=place: _attempt(there, key, place, spot, world))  # type: ignore[misc]
        if not isinstance(again, Failure):
            return again
        counted += again.stage > HOPELESS_STAGE
    return None


def _scattered(
    world: ActionWorld, key: str, places: Sequence[Place], spot: PlaceSpot | None, looked: Sequence[tuple[Stance, Place]]
) -> list[tuple[Stance, Place]]:
    """Stances all round these regions, one of each in turn, from which nobody has looked carefully yet."""
    rows: list[tuple[int, Stance, Place]] = []
    for place in places:
        found = fits(world, key, place, 2.0 * TIGHT_M) or spots(world, key, place, spot)
        if isinstance(found, Refusal):
            continue
        before = [stance for stance, other in looked if other is place]
        fresh = [s for s in scattered(world, _goal(world, place, found, spot)) if all(differ(s, other) for other in before)]
        rows += [(n, stance, place) for n, stance in enumerate(fresh)]
    rows.sort(key=lambda row: row[0])
    return [(stance, place) for _, stance, place in rows[:LOOKS_SCATTERED]]


def _rank(refusal: Refusal, order: tuple[str, ...]) -> int:
    return order.index(refusal.code) if refusal.code in order else len(order)


def _into(world: ActionWorld, key: str, place: Place, spot: PlaceSpot | None, shared: Shared) -> list[Segment] | Refusal:
    found = fits(world, key, place, 2.0 * TIGHT_M) or spots(world, key, place, spot)
    if isinstance(found, Refusal):
        return fits(world, key, place) or found
    best: Refusal | None = None
    budget = shared.budget
    for goal in _goals(world, place, found, spot):
        result = with_stance(world, replace(goal, shared=shared), lambda there: _attempt(there, key, place, spot, world))
        if not isinstance(result, Refusal):
            return result
        if best is None or (_rank(result, ORDER) > _rank(best, ORDER) and shared.tried):
            best = result
        if min(budget.motions, budget.keys, budget.stances) <= 0:
            break
    return best or Refusal(Code.OUT_OF_REACH, f"{place.entity} is out of reach")


def _goals(world: ActionWorld, place: Place, found: list[Spot], spot: PlaceSpot | None) -> Iterator[Goal]:
    """Where to stand, in turn: before the best place; before a shelf turned with the carrying shoulder towards it; before other places,
    far from that one; on a finer grid, also with the body turned aside."""
    first = _goal(world, place, found, spot)
    yield from (replace(first, turn_rad=turn) for turn in _turns(world, place))
    others = [replace(first, point_m=point) for point in (_far_apart(found, first.point_m) if spot is None else [])]
    yield from others
    yield replace(first, turned_rad=TURNED_RAD, rings_m=FINE_M, looked_at=2 * LOOKED_AT)


def _far_apart(found: list[Spot], first: F64) -> list[F64]:
    """Places that are far from the first one and from each other, the farthest next."""
    points, chosen = np.array([s.T_object[:3, 3] for s in found]), [first]
    for _ in range(OTHERS):
        away = np.min([np.linalg.norm((points - c)[:, :2], axis=1) for c in chosen], axis=0)
        if float(away.max()) < APART_M:
            break
        chosen.append(points[int(np.argmax(away))])
    return chosen[1:]


def _turns(world: ActionWorld, place: Place) -> tuple[float, ...]:
    """How far the person stands turned away from the place: not at all; before a shelf also with the carrying shoulder towards it."""
    held = world.state.held
    if not sideways(place) or held is None:
        return (0.0,)
    return (0.0, ASIDE_TURN_RAD if held.hand == "right" else -ASIDE_TURN_RAD)


def _attempt(there: ActionWorld, key: str, place: Place, spot: PlaceSpot | None, start: ActionWorld) -> list[Segment] | Failure:
    if spot is None:
        return plan_put(there, key, place, None)
    # a named spot is meant as the person faced the target when the command was given
    return plan_put(there, key, place, spot, viewer_xy=start.state.body.xy_m)


def _goal(world: ActionWorld, place: Place, found: list[Spot], spot: PlaceSpot | None) -> Goal:
    """Stand at the near side of a surface, in front of an opening."""
    if sideways(place):
        out = place.opening[:2] / max(float(np.linalg.norm(place.opening[:2])), 1e-9)
        point = front_place(place, found).T_object[:3, 3]
        return Goal(
            place.entity,
            point,
            (float(out[0]), float(out[1])),
            np.radians(60.0),
            near_m=0.36,
            far_m=0.80 if point[2] > LOW_M else KNEELING_M,
            comfort_m=_comfort_m(float(point[2])),
            looked_at=LOOKED_AT,
        )
    point = found[0].T_object[:3, 3]
    if spot is not None:
        local = chosen_point(place, spot, world.state.body.xy_m, np.full(2, 0.05))
        point = (place.T_region @ np.array([local[0], local[1], place.region.low_m[2], 1.0]))[:3]
    return Goal(place.entity, point, looked_at=LOOKED_AT)


def _comfort_m(height_m: float) -> float:
    """How far from a place on a shelf one stands: close to a high one, with room for the knees before a low one."""
    return float(np.interp(height_m, (0.4, 0.8, 1.2, 1.5), (0.64, 0.54, 0.50, 0.42)))
