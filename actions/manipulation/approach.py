"""Where to stand for a manipulation: stances are tried until the whole chain of walk, reach and carry works (seed B.2.1, B.2.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.grab import Failure
from actions.manipulation.reach import BUDGET, MOTIONS, Budget, budget_of, idle_pose
from actions.manipulation.segments import segment_of
from actions.motions import Segment
from actions.navigation.walking import carried_tracks, standing
from actions.screening import screen
from actions.stance import RINGS_M, Candidates, Stance, candidates_of, stances
from actions.travel import barred, travel
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.state import BodyState
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose, wrap_angle
from humans.model import N_JOINTS
from humans.rotations import slerp_rotvec

F64 = NDArray[np.float64]
Attempt = Callable[[ActionWorld], "list[Segment] | Failure"]

TRIED = 8
"""Stances at which the manipulation itself is planned before it is given up."""
QUICK, EACH = (12, 40, 80), (40, 60, 150)
"""Motions, finger wraps and screened poses that a thorough search spends on each stance, first and in its second round."""
CAREFUL = Budget(60, 0, 60, careful=True)
"""The same for each stance of a second round of puts."""
HOPELESS_STAGE = 1
"""An attempt that ended here did not even bring the hand to the thing; more of the same is not tried."""
STRUCK_STAGE = -1
"""The stage of an attempt at a stance where the person cannot stand with what is carried: it costs next to nothing and does not count."""
NO_WAY_STAGE, LOST = 9, 16
"""The stage of an attempt that only the walk there kept from working, and how many stances of a budget that costs."""
THOROUGH = 14
"""Stances of that second round."""
ASIDE_RAD = tuple(np.radians((35.0, -35.0)).tolist())
COMFORT_M = 0.48
FARTHER_M = 0.25
FEW = 3
"""With fewer near stances, farther ones are looked at too."""
NEAR_M, FAR_M = 0.32, 0.74
HERE_FAR_M = 0.70
HERE_TURN_RAD = np.radians(55.0)
EASE_RAD = 1e-3
SAME = 1e-9
WHOLE_TURN_RAD = 2.0 * np.pi
"""A walk counts on the turns that it makes; a stance does not."""
SAME_PLACE_M, SAME_TURN_RAD = 0.04, 0.15
APART_M = 1.1
"""Stances this many rings from each other differ."""
SCATTER_M, SCATTER_RAD, CLOSE_M, SCATTERED = 0.05, (0.0, 0.3, -0.3, 0.6, -0.6), 0.12, 120
"""Spacing of scattered stances, how far the body is turned, their least clearance, and how many are kept of each turn."""
SCATTER_APART_M, SCATTER_APART_RAD = 0.14, 0.5
"""How far apart, or turned by how much, stances are that differ much."""


@dataclass(eq=False)
class Shared:
    """One budget for several goals, and the stances that were tried for any of them."""

    budget: Budget
    tried: list[Stance] = field(default_factory=list)
    nowhere: Refusal | None = None
    """Why there is no stance, once that was asked."""
    came: list[tuple[int, Stance]] = field(default_factory=list)
    """The stage to which the attempt at each stance came."""

    def begin(self, whole: Sequence[int], parts: int, least: Sequence[int]) -> None:
        """Nothing tried yet, and an equal part of `whole` to spend, but `least` at least: motions, finger wraps, screened keys, stances."""
        motions, wraps, keys, stances = (max(few, total // parts) for few, total in zip(least, whole, strict=True))
        self.budget = Budget(motions, wraps, keys, stances)
        self.tried.clear()
        self.came.clear()

    def is_new(self, stance: Stance) -> bool:
        """Whether no stance that hardly differs was tried."""
        return all(differ(stance, other) for other in self.tried)


@dataclass(frozen=True, eq=False)
class Goal:
    """What a manipulation needs of a stance. `facing`: outward horizontal direction of the contact, with the allowed spread."""

    target: str
    point_m: F64
    facing: tuple[float, float] | None = None
    spread_rad: float = np.pi
    near_m: float = NEAR_M
    far_m: float = FAR_M
    comfort_m: float = COMFORT_M
    turn_rad: float = 0.0
    turned_rad: tuple[float, ...] = ()
    """How else the body may be turned: the best stance of each turn comes first, then the next of each."""
    here: bool = True
    """Whether the present stance may do."""
    avoid: Callable[[tuple[float, float]], bool] | None = None
    """Places where nobody should stand."""
    thorough: bool = False
    """Whether more places, also with the body turned aside, are tried with a budget each once the first ones have failed."""
    looked_at: int = TRIED
    """Stances that are looked at: those from which the hand does not even come to the place do not count as tried."""
    shared: Shared | None = None
    """What goals of one command have in common."""
    rings_m: float = RINGS_M
    """Spacing of the stances."""


def at_stance(world: ActionWorld, xy_m: tuple[float, float], heading_rad: float) -> ActionWorld:
    """A fork whose person stands canonically somewhere else, carrying what it carries."""
    there = world.fork()
    pose, translation = standing(world, xy_m, heading_rad)
    tracks = carried_tracks(world, pose[None], translation[None])
    poses = {**world.state.poses, **{key: Pose.from_array(track[0]) for key, track in tracks.items()}}
    there.state = world.state.with_(body=BodyState(pose, translation, xy_m, heading_rad), poses=poses)
    return there


def recover(world: ActionWorld) -> list[Segment]:
    """Frames from a pose left by an interruption to the canonical stance; none when the person stands canonically."""
    pose, translation = idle_pose(world)
    now = world.state.body.pose_rad.reshape(N_JOINTS, 3)
    goal = pose.reshape(N_JOINTS, 3)
    gap = float(np.linalg.norm(goal - now, axis=1).max())
    if gap < EASE_RAD and float(np.abs(translation - world.state.body.translation_m).max()) < EASE_RAD:
        return []
    n = max(4, int(np.ceil(12.0 * 1.875 * gap / 4.0)))
    t = np.arange(1, n + 1) / n
    share = t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    rows = np.stack([slerp_rotvec(now, goal, float(s)).reshape(-1) for s in share])
    places = world.state.body.translation_m + share[:, None] * (translation - world.state.body.translation_m)
    held = world.state.held
    rules = Allowed(held=held.entity) if held is not None else Allowed()
    return [segment_of(world, "recover", rows, places, allowed=rules, canonical_end=True)]


def _ranked(world: ActionWorld, goal: Goal, check: Candidates | None = None) -> list[Stance]:
    """Stances for a goal, the most comfortable of the near ones first; farther ones where there are none."""
    check = check or candidates_of(world)
    found: list[Stance] = []
    for near, far in ((goal.near_m, goal.far_m), (goal.far_m + 0.05, goal.far_m + FARTHER_M)):
        found += stances(
            world,
            goal.point_m.tolist(),
            near_m=near,
            far_m=far,
            target=goal.target,
            facing=goal.facing,
            spread_rad=goal.spread_rad,
            turn_rad=goal.turn_rad,
            count=40,
            candidates=check,
            rings_m=goal.rings_m,
        )
        if goal.avoid is not None:
            found = [s for s in found if not goal.avoid(s.xy_m)] or found
        if len(found) >= FEW:
            break
    return _most_comfortable_first(goal, found)


def _most_comfortable_first(goal: Goal, found: Sequence[Stance]) -> list[Stance]:
    return sorted(found, key=lambda s: (round(s.cost_m + 2.5 * abs(s.reach_m - goal.comfort_m), 6), s.xy_m))


def scattered(world: ActionWorld, goal: Goal) -> list[Stance]:
    """All stances for a goal that are worth a look once the usual ones have failed: on a fine grid near and far, closer to a front than
    one would stand, the body turned either way. The most comfortable ones, and in between some that differ much."""
    check = candidates_of(world)
    found = [
        stance
        for turn in SCATTER_RAD
        for stance in stances(
            world,
            goal.point_m.tolist(),
            near_m=goal.near_m,
            far_m=goal.far_m + FARTHER_M,
            target=goal.target,
            facing=goal.facing,
            spread_rad=goal.spread_rad,
            turn_rad=turn,
            count=SCATTERED,
            candidates=check,
            rings_m=SCATTER_M,
            clear_m=CLOSE_M,
        )
    ]
    near = _first_of_alike(_most_comfortable_first(goal, found), SAME_PLACE_M, SAME_TURN_RAD)
    apart = _first_of_alike(near, SCATTER_APART_M, SCATTER_APART_RAD)
    return list(dict.fromkeys(stance for pair in zip_longest(near, apart) for stance in pair if stance is not None))


def _first_of_alike(found: Sequence[Stance], apart_m: float, turned_rad: float = np.inf) -> list[Stance]:
    """Stances in order, without those that hardly differ from an earlier one."""
    out: list[Stance] = []
    for stance in found:
        if all(differ(stance, other, apart_m, turned_rad) for other in out):
            out.append(stance)
    return out


def differ(a: Stance, b: Stance, apart_m: float = SAME_PLACE_M, turned_rad: float = SAME_TURN_RAD) -> bool:
    """Whether two stances are so far apart, or turned by so much."""
    far = float(np.hypot(a.xy_m[0] - b.xy_m[0], a.xy_m[1] - b.xy_m[1])) > apart_m
    return far or abs(wrap_angle(a.heading_rad - b.heading_rad)) > turned_rad


def _near_enough(world: ActionWorld, goal: Goal) -> bool:
    body = world.state.body
    line = goal.point_m[:2] - np.asarray(body.xy_m)
    turn = abs(wrap_angle(float(np.arctan2(line[1], line[0])) - body.heading_rad))
    if goal.avoid is not None and goal.avoid(body.xy_m):
        return False
    ok = goal.here and float(np.linalg.norm(line)) <= HERE_FAR_M and turn <= HERE_TURN_RAD and body.posture == "standing"
    if ok and goal.facing is not None:
        away = -line / max(float(np.linalg.norm(line)), 1e-9)
        ok = float(away @ np.asarray(goal.facing)) >= np.cos(goal.spread_rad)
    return bool(ok)


def with_stance(world: ActionWorld, goal: Goal, attempt: Attempt) -> list[Segment] | Refusal:
    """The whole chain for the first stance from which it works; else the refusal of the attempt that came farthest."""
    outer = world.caches.get(BUDGET)
    world.caches[BUDGET] = goal.shared.budget if goal.shared is not None else Budget(MOTIONS)
    try:
        return _with_stance(world, goal, attempt)
    finally:
        if outer is None:
            del world.caches[BUDGET]
        else:
            world.caches[BUDGET] = outer


def _with_stance(world: ActionWorld, goal: Goal, attempt: Attempt) -> list[Segment] | Refusal:
    first = recover(world)
    start = world.fork()
    for segment in first:
        if (hit := screen(start, segment)) is not None:
            return Refusal(Code.TRAJECTORY_COLLISION, f"coming back to a stance: {hit}")
        start.advance(segment)
    best: Failure | None = None
    if goal.thorough:
        world.caches[BUDGET] = Budget(*QUICK)
    if _near_enough(start, goal):
        outcome = attempt(start.fork())
        if not isinstance(outcome, Failure):
            return [*first, *outcome]
        best = outcome
    check = candidates_of(start)
    ranked = _in_turn([_apart(start, goal, turn, check) for turn in (0.0, *goal.turned_rad)])
    if goal.shared is not None:
        ranked = [s for s in ranked if goal.shared.is_new(s)]
    came: list[tuple[int, Stance]] = []
    for stance in ranked:
        if sum(stage > HOPELESS_STAGE for stage, _ in came) >= TRIED or len(came) >= goal.looked_at:
            break
        if goal.thorough:
            world.caches[BUDGET] = Budget(*QUICK)
        if budget_of(start).motions <= 0 or budget_of(start).stances <= 0:
            break
        if goal.shared is not None:
            goal.shared.tried.append(stance)
        outcome = _tried(start, stance, attempt)
        if not isinstance(outcome, Failure):
            return [*first, *outcome]
        best = outcome if best is None or outcome.stage > best.stage else best
        if outcome.stage == STRUCK_STAGE:
            continue
        budget_of(start).stances -= LOST + 1 if outcome.stage == NO_WAY_STAGE else 1
        came.append((outcome.stage, stance))
        if goal.shared is not None:
            goal.shared.came.append((outcome.stage, stance))
    for stance in _again(start, goal, ranked, came, check) if goal.thorough else ():
        world.caches[BUDGET] = Budget(*EACH, careful=True)
        outcome = _tried(start, stance, attempt)
        if not isinstance(outcome, Failure):
            return [*first, *outcome]
        best = outcome if best is None or outcome.stage > best.stage else best
    if best is not None:
        return best.refusal
    if goal.shared is None:
        return _unreachable(start, goal)
    goal.shared.nowhere = goal.shared.nowhere or _unreachable(start, goal)
    return goal.shared.nowhere


def once_more(world: ActionWorld, stance: Stance, attempt: Attempt) -> list[Segment] | Failure:
    """A careful look from a stance at which the first one has failed."""
    outer = world.caches.get(BUDGET)
    world.caches[BUDGET] = replace(CAREFUL)
    try:
        first = recover(world)
        start = world.fork()
        for segment in first:
            start.advance(segment)
        outcome = _tried(start, stance, attempt)
        return outcome if isinstance(outcome, Failure) else [*first, *outcome]
    finally:
        if outer is None:
            del world.caches[BUDGET]
        else:
            world.caches[BUDGET] = outer


def _tried(start: ActionWorld, stance: Stance, attempt: Attempt) -> list[Segment] | Failure:
    """The walk to a stance and the manipulation there."""
    if (known := barred(start, stance)) is not None:
        return Failure(9, known)
    ahead = at_stance(start, stance.xy_m, stance.heading_rad)
    outcome = attempt(ahead)
    return outcome if isinstance(outcome, Failure) else _walked(start, stance, attempt, ahead, outcome)


def _again(start: ActionWorld, goal: Goal, ranked: Sequence[Stance], came: Sequence[tuple[int, Stance]], check: Candidates) -> list[Stance]:
    """Stances of the second round: those first from which the first one came farthest, and among them places where the body is turned
    aside, so that one shoulder comes forward."""
    hopeful = [s for stage, s in sorted(came, key=lambda pair: -pair[0]) if stage > HOPELESS_STAGE]
    tried = [s for _, s in came]
    fresh = [s for s in ranked if s not in tried]
    return _in_turn([hopeful + fresh] + [_apart(start, goal, turn, check) for turn in ASIDE_RAD])[:THOROUGH]


def _apart(start: ActionWorld, goal: Goal, turn_rad: float, check: Candidates) -> list[Stance]:
    """Stances for a goal with the body turned further, those left out that hardly differ from a better one."""
    ranked = _ranked(start, replace(goal, turn_rad=goal.turn_rad + turn_rad), check)
    return _first_of_alike(ranked, APART_M * goal.rings_m)


def _in_turn(ways: Sequence[Sequence[Stance]]) -> list[Stance]:
    """The first of each list, then the second of each, and so on."""
    return [way[k] for k in range(max(map(len, ways))) for way in ways if k < len(way)]


def _walked(start: ActionWorld, stance: Stance, attempt: Attempt, ahead: ActionWorld, steps: list[Segment]) -> list[Segment] | Failure:
    """The walk to a stance and the steps planned for it; planned again where the walk ends otherwise (a door has moved on the way)."""
    trip = travel(start, stance)
    if isinstance(trip, Refusal):
        return Failure(NO_WAY_STAGE, trip)
    there = start.fork()
    for segment in trip:
        there.advance(segment)
    if _same_place(there, ahead):
        turned = WHOLE_TURN_RAD * round((there.state.body.heading_rad - ahead.state.body.heading_rad) / WHOLE_TURN_RAD)
        return [*trip, *(replace(s, heading_rad=s.heading_rad + turned) for s in steps)]
    budget = budget_of(start)
    budget.motions, budget.wraps, budget.keys = Budget(MOTIONS).motions, Budget(MOTIONS).wraps, Budget(MOTIONS).keys
    outcome = attempt(there)
    return outcome if isinstance(outcome, Failure) else [*trip, *outcome]


def _same_place(a: ActionWorld, b: ActionWorld) -> bool:
    """Whether two scratch worlds are one and the same: body to the last bit but rounding and whole turns, things and joints untouched."""
    one, two = a.state, b.state
    if one.joints != two.joints or abs(wrap_angle(one.body.heading_rad - two.body.heading_rad)) > SAME:
        return False
    held = one.held.entity if one.held is not None else ""
    riding = {held, *(r.entity for r in one.riding)}
    if any(one.poses[key] != two.poses[key] for key in one.poses if key not in riding):
        return False
    return bool(
        np.abs(one.body.pose_rad - two.body.pose_rad).max() < SAME and np.abs(one.body.translation_m - two.body.translation_m).max() < SAME
    )


def _unreachable(world: ActionWorld, goal: Goal) -> Refusal:
    """Why there is no stance: a walk towards the nearest one says what is in the way."""
    x, y = float(goal.point_m[0]), float(goal.point_m[1])
    dx, dy = goal.facing or (world.state.body.xy_m[0] - x, world.state.body.xy_m[1] - y)
    size = max(float(np.hypot(dx, dy)), 1e-9)
    spot = (x + goal.comfort_m * dx / size, y + goal.comfort_m * dy / size)
    trip = travel(world, Stance(spot, float(np.arctan2(-dy, -dx)), 0.0, 0.0, goal.comfort_m))
    if isinstance(trip, Refusal):
        return replace(trip, fact=f"there is no place to stand in reach of {goal.target}: {trip.fact}")
    return Refusal(Code.PATH_BLOCKED, f"there is no place to stand in reach of {goal.target}", "clear the floor around it")
