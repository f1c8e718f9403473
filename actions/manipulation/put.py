"""Setting the held thing down at a spot: approach, release, retreat, idle stance (seed B.1.2, B.2.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.approach import STRUCK_STAGE
from actions.manipulation.crowding import clear_elbow, free_hands
from actions.manipulation.entries import LIFT_M, Mouth, any_way, entries, mouth_of, moved, retreats
from actions.manipulation.free_space import sideways
from actions.manipulation.freedom import Freedom
from actions.manipulation.grab import Failure, collision, unreached
from actions.manipulation.grasp import sign_of
from actions.manipulation.keys import Key
from actions.manipulation.kneeling import ascents, descents, why_not_down
from actions.manipulation.parting import let_go_of_both
from actions.manipulation.placing import Spot, spots
from actions.manipulation.posture import Rung
from actions.manipulation.reach import (
    Blocked,
    Choice,
    Standing,
    after,
    budget_of,
    home_key,
    key_for,
    moved_key,
    open_fingers,
    plain,
    rank,
    screen_key,
    standing,
    way,
    works,
)
from actions.manipulation.surroundings import Place, enclosure, support_of
from actions.manipulation.sweeps import palm
from actions.motions import LetGo, Segment
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.world.commands import PlaceSpot
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose, inverse
from humans.kneeling import kneels

F64 = NDArray[np.float64]

TRIED = 8
MOST = 240
ENOUGH = 60
"""With so many choices the deeper postures are not looked at."""
LOOKS_EACH, WAYS_EACH = 5, 2
"""Resting keys that are looked at, and ways that are planned, for places within CELL_M of each other."""
MOTIONS_EACH = 14
"""Motions that are planned from one stance before another one is tried."""
CELL_M = 0.06
OTHERS = 4
"""Other postures that are looked at for a frame on the way."""
HEAD_M = 0.008
"""How deep the head of a posture may be in something: `clear_elbow` has the gaze go straight ahead where it strikes."""
CAME_WAYS = 3
"""Ways that are tried for the empty hand back by way of the carry pose."""
BACK_DROP_M = 0.0015
DROPS_M = (0.0, 0.04, 0.08, 0.11)
"""How far a thing may fall into an open-topped drawer or basket whose sides keep the hand from the bottom."""
SHELF_DROPS_M, ENOUGH_HANDS = (0.02, 0.045), 12
"""The same for a shelf where the hand has room at fewer than so many places."""
LEAST_INWARD, BACKWARD_COST = 0.35, 3.0
"""Share of the finger direction that should point into an enclosure, and the cost of less."""
CAREFUL = 60
"""Choices that a careful look goes through, and motions it plans, at one stance."""


def plan_put(
    world: ActionWorld,
    key: str,
    place: Place,
    spot: PlaceSpot | None,
    viewer_xy: tuple[float, float] | None = None,
    keep: Callable[[F64], bool] = lambda _: True,
) -> list[Segment] | Failure:
    """Set the held `key` down in a region from where the person stands. Changes nothing.

    `viewer_xy`: from where a place spot's left and right are meant (the person's place unless given). `keep`: which places, root
    transforms (4, 4), will do.
    """
    held = world.state.held
    if held is None or held.entity != key:
        return Failure(0, Refusal(Code.NOT_HELD, f"{key} is not in the hand", f"take {key} first"))
    here = standing(world, held.hand)
    found = spots(world, key, place, spot, viewer_xy)
    if isinstance(found, Refusal):
        return Failure(0, found)
    found = [s for s in found if keep(s.T_object)]
    if not found:
        return Failure(0, Refusal(Code.NO_FREE_SPACE, f"there is no free place for {key} at {place.entity} where it is asked for"))
    if place.region.kind == "interior" and not sideways(place):
        found = [Spot(moved(s.T_object, up_m=drop), s.cost + 3.0 * drop) for drop in DROPS_M for s in found]
    elif sideways(place):
        found = [*found, *_dropped(here, key, place, found)]
    return put_at(here, key, place.entity, found, mouth_of(place))


def _dropped(here: Standing, key: str, place: Place, found: list[Spot]) -> list[Spot]:
    """A little above these places on a shelf, where the hand that holds the thing would meet the board."""
    held = here.world.state.held
    if held is None:
        return []
    wrists = np.stack([s.T_object @ inverse(held.wrist_object.matrix()) for s in found])
    free, _ = free_hands(here, wrists, Allowed(held=key, support=place.entity, target=place.entity))
    if int(free.sum()) >= ENOUGH_HANDS:
        return []
    low, high = here.world.stage.entity(key).box_m
    room = place.region.high_m[2] - place.region.low_m[2] - float(high[2] - low[2]) - LIFT_M[-1]
    return [Spot(moved(s.T_object, up_m=drop), s.cost + 3.0 * drop) for drop in SHELF_DROPS_M if drop < room for s in found]


def put_back(world: ActionWorld, key: str, T_object: F64) -> list[Segment] | Failure:
    """Set the held thing down exactly where it was taken from, from where the person stands. Changes nothing."""
    held = world.state.held
    if held is None or held.entity != key:
        return Failure(0, Refusal(Code.NOT_HELD, f"{key} is not in the hand", f"take {key} first"))
    T = T_object.copy()
    T[2, 3] += BACK_DROP_M
    there = world.fork()
    there.state = world.state.with_(poses={**world.state.poses, key: Pose.from_matrix(T)}, held=None)
    place = enclosure(there, key)
    opening = mouth_of(place) if place is not None else None
    support = support_of(there, key) or (place.entity if place is not None else "")
    return put_at(standing(world, held.hand), key, support, [Spot(T, 0.0)], opening)


def put_at(here: Standing, key: str, support: str, found: list[Spot], opening: Mouth | None) -> list[Segment] | Failure:
    """The first of these resting places that the whole put reaches."""
    held = here.world.state.held
    if held is None:
        raise ValueError(f"{key} is not held")
    if (struck := screen_key(here, here.start, Allowed(held=key, support=support, target=support))) is not None:
        return Failure(STRUCK_STAGE, collision(f"standing before {support} with {key}", struck))
    wrists = np.stack([s.T_object @ inverse(held.wrist_object.matrix()) for s in found])
    costs = np.array([2.0 * s.cost for s in found])
    if opening is not None:
        # best fingers first, so that the hand can come out again
        inward = wrists[:, :3, 0] @ (-sign_of(held.hand) * opening.out)
        costs = costs + 1.5 * (1.0 - inward) + BACKWARD_COST * (inward <= LEAST_INWARD)
    rules = Allowed(held=key, support=support, target=support)
    free, crowded = free_hands(here, wrists, rules)
    if crowded is not None and not free.any():
        return Failure(2, collision(f"setting down {key}", crowded))
    free &= [
        ok and any_way(entries(here.world, key, T, opening, support)) and (here.figure.pair or any_way(retreats(here.world, T, opening)))
        for T, ok in zip(wrists, free, strict=True)
    ]
    if not free.any():
        return Failure(2, Refusal(Code.OUT_OF_REACH, f"{support}: there is no room to bring {key} over the place", "clear it first"))
    found, wrists, costs = [s for s, ok in zip(found, free, strict=True) if ok], wrists[free], costs[free]
    budget, pair = budget_of(here.world), here.figure.pair
    along = frozenset({key, *(r.entity for r in here.world.state.riding)})
    clear = Freedom(here.world, here.T_stance, here.figure.side, along, HEAD_M, pair)
    enough, inside = MOST if budget.careful else ENOUGH, opening is not None
    choices, nearest = rank(here, wrists, costs, inside=inside, most=MOST, free=clear, kneel=not pair, enough=enough, dense=budget.careful)
    if not choices:
        return Failure(1, unreached(support, nearest))
    total = budget.motions
    budget.motions = each = min(total, CAREFUL if budget.careful else MOTIONS_EACH)
    try:
        return _first_of(here, key, support, choices, found, wrists, opening)
    finally:
        budget.motions += total - each


@dataclass
class _Cell:
    """Resting places close to each other: how often one was looked at, and how many ways to one were planned."""

    at_m: F64
    looks: int = 0
    ways: int = 0


def _cell(seen: list[_Cell], at_m: F64) -> _Cell:
    for cell in seen:
        if float(np.linalg.norm(cell.at_m - at_m)) < CELL_M:
            return cell
    seen.append(_Cell(at_m))
    return seen[-1]


def _first_of(
    here: Standing, key: str, support: str, choices: list[Choice], found: list[Spot], wrists: F64, opening: Mouth | None
) -> list[Segment] | Failure:
    """The first choice whose whole way works: few ways are planned, many resting keys looked at, a few for each place."""
    best = Failure(1, Refusal(Code.OUT_OF_REACH, f"{support} is out of reach from here"))
    rules = Allowed(held=key, support=support, target=support)
    budget, seen, tried = budget_of(here.world), list[_Cell](), 0
    looks, ways, most = (CAREFUL, CAREFUL, CAREFUL) if budget.careful else (LOOKS_EACH, WAYS_EACH, TRIED)
    for choice in choices:
        if tried >= most or budget.keys <= 0 or budget.motions <= 0:
            break
        point = found[choice.index].T_object[:3, 3]
        cell = _cell(seen, point[:2])
        if cell.looks >= looks or cell.ways >= ways:
            continue
        cell.looks += 1
        budget.keys -= 1
        rest = clear_elbow(here, key_for(here, choice, wrists[choice.index], here.start.fingers, point), rules)
        if isinstance(rest, Blocked):
            best = best if best.stage >= 2 else Failure(2, collision(f"setting down {key}", rest))
            continue
        cell.ways += 1
        tried += 1
        outcome = _attempt(here, key, support, rest, choice, opening)
        if not isinstance(outcome, Failure):
            return outcome
        best = outcome if outcome.stage > best.stage else best
    return best


def _attempt(here: Standing, key: str, support: str, rest: Key, choice: Choice, opening: Mouth | None) -> list[Segment] | Failure:
    """The way to a resting key, the release and the way back."""
    rules = Allowed(held=key, support=support, target=support)
    best: Failure | None = None
    for entry in entries(here.world, key, rest.T_wrist, opening, support):
        through: list[Key] = []
        for T in entry:
            found = _key_near(here, rest, choice.rung, T, rules, opening is not None)
            if isinstance(found, Blocked):
                best = best or Failure(3, collision(f"setting down {key}", found))
            if not isinstance(found, Key):
                break
            through.append(found)
        if len(through) < len(entry):
            continue
        lowered = _lower(here, through, rest, rules)
        if isinstance(lowered, Blocked):
            best = best or Failure(3, collision(f"setting down {key}", lowered))
            continue
        return _release(here, key, rest, choice, lowered, opening)  # how the hand comes off does not depend on how it came
    return best or Failure(2, Refusal(Code.OUT_OF_REACH, f"{support}: there is no room to bring {key} over the place"))


def _lower(here: Standing, through: list[Key], rest: Key, rules: Allowed) -> Segment | Blocked:
    """The way from the stance to the resting key; for one on the knees these come down first."""
    if not kneels(rest.posture):
        return way(here, [here.start, *through, rest], plain(here, "lower", rules), level=True)
    worst: Blocked | None = None
    for down in descents(here, rest.posture, rules):
        lowered = way(here, [here.start, *down, *through, rest], plain(here, "lower", rules), via_at=len(down), level=True)
        if isinstance(lowered, Segment):
            return lowered
        worst = worst or lowered
    return worst or why_not_down(here, rest.posture, rules)


def _home(there: Standing, first: list[Key], came: Key, touch: Allowed) -> Segment | Blocked:
    """The way of the open hand from the thing back to the stance, up from the knees last; else by way of where the hand `came` from."""
    make, via_at = plain(there, "retreat", touch, settle=True, canonical_end=True), len(first) - 1
    if not kneels(first[0].posture):
        back = way(there, [*first, home_key(there)], make, via_at=via_at)
        if isinstance(back, Segment) or not back.mine.startswith(there.figure.side):
            return back
        # the hand keeps its turn where it must, else it takes the way that it came
        ends = [home_key(there)] if back.fixed else [replace(came, fingers=first[-1].fingers), home_key(there)]
        again = way(there, [*first, *ends], make, via_at=via_at, most=CAME_WAYS, level=back.fixed)
        return again if isinstance(again, Segment) else back
    worst: Blocked | None = None
    for kneel, up in ascents(there, first[0].posture):
        back = way(there, [*first, kneel, up, home_key(there)], make, via_at=via_at)
        if not isinstance(back, Blocked):
            return back
        worst = worst or back
    return worst or Blocked("there is no way up from the knees", "nothing", -np.inf)


def _key_near(here: Standing, rest: Key, rung: Rung, T_wrist: F64, rules: Allowed, inside: bool) -> Key | Blocked | None:
    """A clear key with the hand elsewhere: in the posture of another key, else in one to which the body moves with planted feet and knees.

    None where nothing reaches it.
    """
    same = moved_key(here, rest, rung, T_wrist)
    first = clear_elbow(here, same, rules, strain_rad=0.25) if works(same, residual_m=0.02, strain_rad=0.25) else None
    if isinstance(first, Key):
        return first
    along = frozenset({rules.held, *(r.entity for r in here.world.state.riding)} - {""})
    pair = here.figure.pair
    clear = Freedom(here.world, here.T_stance, here.figure.side, along, HEAD_M, pair)
    only = partial(_like, rung)
    others, _ = rank(here, T_wrist[None], np.zeros(1), inside=inside, free=clear, kneel=not pair, only=only, enough=OTHERS)
    for choice in others:
        key = key_for(here, choice, T_wrist, rest.fingers, rest.T_wrist[:3, 3])
        if screen_key(here, key, rules) is None:
            return key
    return first


def _like(a: Rung, b: Rung) -> bool:
    """Whether the body gets from one posture to the other without getting up from the knees or moving on them."""
    if not (kneels(a.posture) or kneels(b.posture)):
        return True
    return abs(a.posture.pelvis_drop_m - b.posture.pelvis_drop_m) + abs(a.posture.pelvis_back_m - b.posture.pelvis_back_m) < 1e-6


def _release(here: Standing, key: str, rest: Key, choice: Choice, lowered: Segment, opening: Mouth | None) -> list[Segment] | Failure:
    """The hand opens, moves off the thing and goes home while that settles."""
    last = len(lowered) - 1
    put = replace(lowered, effects=(*lowered.effects, (last, LetGo(key))))
    there = after(here, put)
    if here.figure.link is not None:
        parted = let_go_of_both(there, key, rest, here.start)
        return parted if isinstance(parted, Failure) else [put, parted]
    touch = Allowed(target=key, point_m=palm(rest.T_wrist, here.figure.side), hands=(here.figure.side,))
    opened = replace(rest, fingers=open_fingers(here))
    worst: Blocked | None = None
    for away in retreats(here.world, rest.T_wrist, opening):
        offs: list[Key] = []
        for T in away:
            off = _key_near(there, opened, choice.rung, T, touch, opening is not None)
            if not isinstance(off, Key):
                worst = worst or off
                break
            offs.append(off)
        if len(offs) < len(away):
            continue
        back = _home(there, [rest, opened, *offs], here.start, touch)
        if not isinstance(back, Blocked):
            return [put, back]
        worst = back
    if worst is None:
        return Failure(3, Refusal(Code.OUT_OF_REACH, f"the hand cannot come away from {key}"))
    return Failure(4, collision(f"letting go of {key}", worst))
