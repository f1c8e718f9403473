"""Whether a placement can be reached, decided by sampling everything: stances at 5 cm and 15 degrees, all postures, resting places at 5 cm
and 15 degrees, all swivels of the elbow.

`reachable`: a release pose was found that is clear (2 mm) in body, eyes, arm, hand and thing, with real ways: a wide way for the walking
body to the stance, the thing led straight over the place or in at the opening in 2 cm steps, from carrying to there and from the release
home again with every sampled pose clear (`ways`). The first such pose ends the search. Parts of the space are tried at random first, then
all of it in order.

`unreachable`: with every bound loosened (`LOOSE`: reach, joint limits, depth) and without asking for any way of hand or feet, the
whole space holds no release pose; `reason` is the condition at which the last candidates fell.

`border`: anything between, for example a release pose without a straight way. Such a placement counts as neither.

Shared with the planner are facts only: the collision world, the floor's clearance, postures, arm kinematics and what the command means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.surroundings import Place
from actions.screening import collision_world
from actions.world import ActionWorld
from assistcore.world.commands import PlaceSpot
from assistworld.studies.reachability.contacts import Flags, House, Thing, body_in, own_body_in
from assistworld.studies.reachability.figures import Arms, arm_capsules, arm_rows, figures, put_away, solve_arms, still_rows
from assistworld.studies.reachability.rests import Rests, candidates, dropped, floor_candidates, free, not_shut_in, outward, sideways
from assistworld.studies.reachability.stances import HEADINGS, STEP_M, Ground, frames, placed
from assistworld.studies.reachability.ways import Release, Ways
from humans.camera import EYE_RADIUS_M
from humans.proxies import CAPSULE, rig

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Kind = Literal["reachable", "unreachable", "border"]

CLEAR_M = 0.002
ROUNDS, DRAWN = 60, 12_000
"""Random rounds, and how many triples of stance, posture and resting place each draws."""
LOOSE_ROUNDS = 30
EACH = 8
"""Release poses of one random round whose ways are looked at."""
BLOCK = 400
SOME = 400
"""Resting places, drawn at random from all, among which the random rounds look."""


MOST_BODIES = 80_000
"""Postures at stances that a proof looks at; where there are more within reach, it is not given (`TOO_MANY`)."""
TOO_MANY = "too many postures within reach for a proof"
BORDER = "a release pose within the loosened bounds"


class Bounds(NamedTuple):
    """What a release pose must keep: depth in the house, distance left to the wrist's place, excess over joint limits, gap to things."""

    deeper_m: float
    residual_m: float
    strain_rad: float
    apart_m: float


STRICT = Bounds(CLEAR_M, 0.001, 0.02, 0.003)
LOOSE = Bounds(0.012, 0.03, 0.15, -0.006)


@dataclass(frozen=True, eq=False)
class Verdict:
    """What the sampler found. `release` with a reachable placement; `reason` says at what an unreachable one fails."""

    kind: Kind
    reason: str
    release: Release | None = None
    posture: str = ""
    looked_at: int = 0


@dataclass(frozen=True, eq=False)
class Space:
    """The sampled space of one command under some bounds."""

    rests: Rests
    bounds: Bounds
    reason: str = ""

    def wrists(self, thing: Thing) -> F64:
        """Wrist frames (n, 4, 4) of the resting places."""
        return np.asarray(self.rests.roots @ np.linalg.inv(thing.wrist_object))


def decide(world: ActionWorld, places: Sequence[Place], *, spot: PlaceSpot | None = None, beside: str = "", seed: int = 0) -> Verdict:
    """Decide for the held thing and the regions that a command may use, or the floor beside something."""
    return Search(world, places, spot, beside, seed).verdict()


class Search:
    """The search for one command."""

    def __init__(self, world: ActionWorld, places: Sequence[Place], spot: PlaceSpot | None, beside: str, seed: int) -> None:
        scene = collision_world(world)
        self._world = world
        self._thing = Thing(scene, world.state)
        self._house = House(scene, frozenset(self._thing.keys))
        both = self._thing.object_second is not None
        self._other_arm = arm_rows(self._thing.other) if both else np.zeros(0, np.int64)
        """Capsules that the ways look at: those of the other arm where it holds the thing too."""
        self._options = figures(world.body, self._thing.side)
        self._ground = Ground(world, self._house, self._thing)
        self.ways = Ways(world, self._house, self._thing, self._options)
        self._places, self._spot, self._beside = places, spot, beside
        self._rng = np.random.default_rng(seed)
        self._looked = 0

    def verdict(self) -> Verdict:
        """Random rounds, then the whole space."""
        strict = self._space(STRICT, SOME)
        if len(strict.rests):
            for _ in range(ROUNDS):
                if (found := self._round(strict)) is not None:
                    return self._reached(found)
        loose = self._space(LOOSE, SOME)
        if not len(loose.rests):
            return Verdict("unreachable", loose.reason)
        for _ in range(LOOSE_ROUNDS):
            rest, stances, figure = self._drawn(loose)
            if len(self._poses(stances, figure, loose.wrists(self._thing)[rest], LOOSE).row):
                return Verdict("border", BORDER, looked_at=self._looked)
        return self._exhaust(self._space(LOOSE, None))

    def _reached(self, release: Release) -> Verdict:
        p = self._options.postures[release.figure]
        text = f"lean {p.trunk_pitch_rad:.2f}, drop {p.pelvis_drop_m:.2f} m, yaw {p.trunk_yaw_rad:.1f}, heel {p.heel_rad:.2f}"
        return Verdict("reachable", "", release, text, self._looked)

    def _space(self, bounds: Bounds, most: int | None) -> Space:
        """Resting places, in random order, that keep the bounds for the thing and the hand alone; all of them or about as many as asked."""
        kept: list[Rests] = []
        reason = 0
        places = self._places or (None,)
        for place in places:
            roots = self._candidates(place)
            enough, count = (len(roots) if most is None else 1 + most // len(places)), 0
            reason = max(reason, min(len(roots), 1))
            for first in range(0, len(roots), BLOCK):
                rests, at = self._kept(place, roots[first : first + BLOCK], bounds)
                reason = max(reason, at)
                if rests is not None:
                    kept.append(rests)
                    count += len(rests)
                if count >= enough:
                    break
        if not kept:
            names = ("it does not fit" if self._places else "no floor beside it", "no free space", "shut in", "no room for the hand")
            empty = np.zeros(0)
            return Space(Rests(np.zeros((0, 4, 4)), np.zeros((0, 3)), empty, empty), bounds, names[reason])
        columns = zip(*((r.roots, r.away, r.lift_m, r.length_m) for r in kept), strict=True)
        return Space(Rests(*(np.concatenate(c) for c in columns)), bounds)

    def _candidates(self, place: Place | None) -> F64:
        """Roots (n, 4, 4) over a region, or beside the thing that is named, in random order."""
        if place is not None:
            roots = candidates(self._world, self._thing.key, place, self._spot)
        else:
            roots = floor_candidates(self._world, self._house, self._thing.key, self._beside)
        return roots[np.random.default_rng(len(roots)).permutation(len(roots))]

    def _kept(self, place: Place | None, roots: F64, bounds: Bounds) -> tuple[Rests | None, int]:
        """Those that keep the bounds, or none and how far they came."""
        house, thing, loose = self._house, self._thing, bounds is LOOSE
        deeper = bounds.deeper_m if loose else 0.001
        roots = dropped(place, roots[free(house, thing, roots, deeper, bounds.apart_m)])
        if not len(roots):
            return None, 1
        roots = roots[free(house, thing, roots, deeper, -deeper)]
        rests = not_shut_in(house, thing, place, roots) if loose else outward(house, thing, place, roots, bounds.deeper_m)
        if not len(rests):
            return None, 2
        rests = rests.some(self._hand_free(rests.roots @ np.linalg.inv(thing.wrist_object), bounds.deeper_m))
        return (rests, 3) if len(rests) else (None, 3)

    def _hand_free(self, wrists: F64, deeper_m: float) -> Flags:
        r, row = rig(self._world.body), np.array([CAPSULE[f"{self._thing.side}_hand"]])
        a, b = (wrists[:, :3, :3] @ offset[row[0]] + wrists[:, :3, 3] for offset in (r.offset_a_m, r.offset_b_m))
        return ~body_in(self._house, a[:, None], b[:, None], r.radius_m[row], row, deeper_m)

    # Random rounds.

    def _round(self, space: Space) -> Release | None:
        """The first release pose with its ways among random stances, postures and resting places."""
        rest, stances, figure = self._drawn(space)
        wrists = space.wrists(self._thing)[rest]
        found = self._poses(stances, figure, wrists, space.bounds)
        seen: set[tuple[float, ...]] = set()
        for n, k in enumerate(found.row.tolist()):
            mark = (*np.round(stances[k], 2).tolist(), int(figure[k]))
            if mark in seen or len(seen) >= EACH or not self._ground.walkable(stances[k]):
                continue
            seen.add(mark)
            release = self._release(space, int(rest[k]), stances[k], int(figure[k]), found, n)
            if self.ways.clear(release):
                return release
        return None

    def _drawn(self, space: Space) -> tuple[I64, F64, I64]:
        """Random resting places (n,), stances (n, 3) on the grid and postures (n,), the shoulder girdle within reach of the wrist."""
        rng, options = self._rng, self._options
        rest, figure = rng.integers(len(space.rests), size=4 * DRAWN), rng.integers(len(options.postures), size=4 * DRAWN)
        wrist = space.wrists(self._thing)[rest, :3, 3]
        square = options.reach_m**2 - (wrist[:, 2] - options.collar_m[figure, 2]) ** 2
        near = np.flatnonzero(square > 0.0)[:DRAWN]
        rest, figure, wrist, n = rest[near], figure[near], wrist[near], len(near)
        step = 2.0 * np.pi / HEADINGS
        heading = step * rng.integers(HEADINGS, size=n)
        away, aside = rng.uniform(0.1, 1.0, n) * np.sqrt(square[near]), heading + rng.normal(0.0, 0.7, n)
        collar = placed(options.collar_m[figure][:, None], np.column_stack([np.zeros((n, 2)), heading]))[:, 0, :2]
        xy = wrist[:, :2] - away[:, None] * np.column_stack([np.cos(aside), np.sin(aside)]) - collar
        stances = np.column_stack([np.round(xy / STEP_M) * STEP_M, heading])
        stances[: n // 100] = self._ground.start
        near = np.flatnonzero(np.linalg.norm(placed(options.collar_m[figure][:, None], stances)[:, 0] - wrist, axis=1) <= options.reach_m)
        near = near[self._ground.known(stances[near])]
        return rest[near], stances[near], figure[near]

    def _release(self, space: Space, rest: int, stance: F64, figure: int, arms: Arms, n: int) -> Release:
        r = space.rests
        return Release(
            stance, figure, float(arms.swivel_rad[n]), arms.local[n], r.roots[rest], r.away[rest], float(r.lift_m[rest]),
            float(r.length_m[rest]),
        )  # fmt: skip

    def _poses(self, stances: F64, figure: I64, wrists: F64, bounds: Bounds) -> Arms:
        """Release poses among triples of stance (n, 3), posture (n,) and wrist (n, 4, 4); rows of the answer are rows of the question."""
        keep = np.flatnonzero(self._ground.idle_free(stances, bounds.deeper_m))
        keep = keep[self._bodies_free(stances[keep], figure[keep], bounds.deeper_m)]
        found = self._arms(stances[keep], figure[keep], wrists[keep], bounds)
        return Arms(keep[found.row], found.swivel_rad, found.local)

    def _bodies_free(self, stances: F64, figure: I64, deeper_m: float) -> Flags:
        """Whether trunk, legs, head, eyes and an idle arm are clear at stances (n, 3) in postures (n,)."""
        options = self._options
        rows = np.setdiff1d(still_rows(self._thing.side), self._other_arm)
        out = np.ones(len(stances), np.bool_)
        for first in range(0, len(stances), 4000):
            at, which = stances[first : first + 4000], figure[first : first + 4000]
            a, b = placed(options.a_m[which][:, rows], at), placed(options.b_m[which][:, rows], at)
            bad = body_in(self._house, a, b, options.radius_m[rows], rows, deeper_m)
            eye = placed(options.eye_m[which][:, None], at)
            bad[self._house.capsules(eye, eye, np.array([EYE_RADIUS_M]), min(0.0, CLEAR_M - deeper_m)).pose] = True
            out[first : first + 4000] = ~bad
        return out

    def _arms(self, stances: F64, figure: I64, wrists: F64, bounds: Bounds) -> Arms:
        """Arms that reach, clear of the house and of the own body."""
        options, side = self._options, self._thing.side
        trunk = frames(options.trunk[figure], stances)
        Rt = np.swapaxes(trunk[:, :3, :3], 1, 2)
        target = np.einsum("nij,nj->ni", Rt, wrists[:, :3, 3] - trunk[:, :3, 3])
        arms = solve_arms(options.chain, target, Rt @ wrists[:, :3, :3], residual_m=bounds.residual_m, strain_rad=bounds.strain_rad)
        a, b, radius = arm_capsules(self._world.body, side, trunk[arms.row], arms.local)
        good = np.flatnonzero(~body_in(self._house, a, b, radius, arm_rows(side), bounds.deeper_m))
        which = figure[arms.row[good]]
        whole_a, whole_b = (placed(points[which], stances[arms.row[good]]) for points in (options.a_m, options.b_m))
        whole_a[:, arm_rows(side)], whole_b[:, arm_rows(side)] = a[good], b[good]
        put_away(whole_a, whole_b, self._other_arm)
        good = good[~own_body_in(whole_a, whole_b, options.radius_m, bounds.deeper_m)]
        self._looked += len(good)
        return Arms(arms.row[good], arms.swivel_rad[good], arms.local[good])

    # The whole space.

    def _exhaust(self, loose: Space) -> Verdict:
        """Every stance, posture and resting place in order, with loosened bounds."""
        from scipy.spatial import cKDTree

        wrists, stages = loose.wrists(self._thing), ["no room to stand"]
        tree = cKDTree(wrists[:, :3, 3])
        for stances, figure in self._pairs(wrists, tree, loose.bounds, stages):
            for block in range(0, len(stances), BLOCK):
                part = slice(block, block + BLOCK)
                rows, rest = self._within_reach(stances[part], figure[part], tree, loose.bounds)
                for first in range(0, len(rows), 20_000):
                    some = slice(first, first + 20_000)
                    at, which = stances[part][rows[some]], figure[part][rows[some]]
                    if len(self._arms(at, which, wrists[rest[some]], loose.bounds).row):
                        return Verdict("border", BORDER, looked_at=self._looked)
        return Verdict("border" if stages[-1] == TOO_MANY else "unreachable", stages[-1], looked_at=self._looked)

    def _pairs(self, wrists: F64, tree: Any, bounds: Bounds, stages: list[str]) -> Iterator[tuple[F64, I64]]:
        """Stances (n, 3) with postures (n,) that are clear and bring the shoulder within reach of some wrist."""
        options = self._options
        far = np.linalg.norm(options.collar_m[:, :2], axis=1)
        turns = 2.0 * np.pi * np.arange(HEADINGS) / HEADINGS
        places = self._ground.places(wrists[:, :3, 3], float(far.max()) + options.reach_m)
        reach, left = options.reach_m + bounds.residual_m, MOST_BODIES
        for xy in places:
            stances = np.column_stack([np.tile(xy, (HEADINGS, 1)), turns])
            stances = stances[self._ground.idle_free(stances, bounds.deeper_m)]
            if not len(stances):
                continue
            _stage(stages, "out of reach")
            axis = np.column_stack([np.tile(xy, (len(far), 1)), options.collar_m[:, 2]])
            close = np.flatnonzero(tree.query(axis)[0] <= reach + far)  # whatever the heading
            rows, figure = np.repeat(np.arange(len(stances)), len(close)), np.tile(close, len(stances))
            collar = placed(options.collar_m[figure][:, None], stances[rows])[:, 0]
            near = np.flatnonzero(np.isfinite(tree.query(collar, distance_upper_bound=reach)[0])) if len(close) else close
            if not len(near):
                continue
            _stage(stages, "no room for the body")
            left -= len(near)
            if left < 0:
                _stage(stages, TOO_MANY)
                return
            near = near[self._bodies_free(stances[rows[near]], figure[near], bounds.deeper_m)]
            if len(near):
                _stage(stages, "no room for the arm")
                yield stances[rows[near]], figure[near]

    def _within_reach(self, stances: F64, figure: I64, tree: Any, bounds: Bounds) -> tuple[I64, I64]:
        """Rows of stances, and of the wrists of a tree, that are within reach of each other."""
        collar = placed(self._options.collar_m[figure][:, None], stances)[:, 0]
        found = tree.query_ball_point(collar, self._options.reach_m + bounds.residual_m, return_sorted=True)
        counts = np.array([len(f) for f in found], np.int64)
        return np.repeat(np.arange(len(found)), counts), np.concatenate([np.asarray(f, np.int64) for f in found])


_ORDER = ("no room to stand", "out of reach", "no room for the body", "no room for the arm", TOO_MANY)


def _stage(stages: list[str], name: str) -> None:
    if _ORDER.index(name) > _ORDER.index(stages[-1]):
        stages.append(name)


__all__ = ["Verdict", "decide", "sideways"]
