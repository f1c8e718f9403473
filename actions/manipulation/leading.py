"""How far a link can be led from one stance: by the handle, then by the free edge or by pushing a face, with either hand, to its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

import numpy as np

from actions.manipulation.follow import Track, plainly, widely
from actions.manipulation.grab import Failure, unreached
from actions.manipulation.handles import Drive, drives_of
from actions.manipulation.known import ByCost, ByState, Replay
from actions.manipulation.link_holds import Holds, bar_holds, push_holds
from actions.manipulation.posture import Rung
from actions.manipulation.pulling import POSTURES, Led, Taken, along, take_hold
from actions.manipulation.reach import BUDGET, MOTIONS, Budget, Nearest, Standing, budget_of, standing
from actions.motions import Segment
from actions.world import ActionWorld
from assistcore.house.state import Hand
from assistcore.world.outcomes import Code, Refusal

COAST_SHARE = 0.1
"""Share of the whole range that a link may go on by itself once the hand has left it."""
WHOLE = 0.999
LEAST = 0.12
"""Less of the remaining way than this is not worth a hold."""
HOLDS = 3
"""Ways to hold it that are planned in full before another stance is looked at."""
NEARLY = 0.8
SAME_HAND = 0.08
"""What it is worth that the hand can go from one hold straight to the next."""
HOLD_COST = 0.07
KEPT, MOST_KEPT = "manipulation.holds", 512
PLAIN_SHARE = 0.3
CHANGES = 2
"""Changes of the hold at one stance."""


@dataclass(frozen=True, eq=False)
class Part:
    """A stretch of the way from one stance: its segments, what share it is of the way that was left, and for how many holds."""

    segments: tuple[Segment, ...]
    share: float
    holds: int

    @property
    def worth(self) -> float:
        """The share, less for a hand that has to change its hold."""
        return self.share - HOLD_COST * (self.holds - 1)


class Found(NamedTuple):
    """A way to lead the link: from which standing, by what, how, and how far."""

    here: Standing
    drive: Drive
    holds: Holds
    track: Track


@dataclass(frozen=True, eq=False)
class Leads:
    """What is known of leading the joint of one entity to one end, while a command is planned."""

    key: str
    end: float
    parts: ByState[tuple[Part | Failure, Budget]] = field(default_factory=ByState)
    tracks: ByState[Replay[Found | Nearest]] = field(default_factory=ByState)
    others: dict[tuple[Found, frozenset[Rung]], Track | Nearest] = field(default_factory=dict)
    alongs: ByCost[Led | Failure] = field(default_factory=ByCost)
    takes: ByCost[Taken | Failure] = field(default_factory=ByCost)

    def here(self, world: ActionWorld, coast: float) -> Part | Failure:
        """`lead_here` with a budget of its own."""

        def plan() -> tuple[Part | Failure, Budget]:
            world.caches[BUDGET] = Budget(MOTIONS)
            return lead_here(world, self, coast), budget_of(world)

        part, left = self.parts.get(world.state, coast, plan)
        world.caches[BUDGET] = replace(left)
        return part

    def tracked(self, world: ActionWorld, start: float) -> Iterator[Found | Nearest]:
        """`_tracks`: the same whatever may coast."""
        return iter(self.tracks.get(world.state, start, lambda: Replay(_tracks(world, self.key, start, self.end))))

    def other(self, found: Found, start: float, banned: frozenset[Rung]) -> Track | Nearest:
        """A track from other postures."""
        if (found, banned) not in self.others:
            self.others[found, banned] = plainly(found.here, found.drive, found.holds, start, self.end, banned)
        return self.others[found, banned]

    def along(self, here: Standing, track: Track, goal: float, before: Led | None) -> Led | Failure:
        """`pulling.along`; the reach is the same wherever the link is let go."""
        return self.alongs.get(here.world, (here, track, goal, before), lambda: along(here, track, goal, before, self._take))

    def _take(self, here: Standing, track: Track) -> Taken | Failure:
        return self.takes.get(here.world, (here, track), lambda: take_hold(here, track))


def lead_here(world: ActionWorld, leads: Leads, coast: float = COAST_SHARE) -> Part | Failure:
    """Lead the entity's joint towards its end as far as can be from where the person stands. Changes nothing.

    `coast`: the share of the whole range that it may go by itself right after the hand.
    """
    key, end = leads.key, leads.end
    drives = drives_of(world, key)
    if not drives:
        return Failure(0, Refusal(Code.NOT_AFFORDED, f"{key} has nothing that opens"))
    joint = drives[0].joint
    start = world.state.joints.get(joint.key, joint.initial)
    there, held, value = world, list[Led](), start
    first: Failure | None = None
    while len(held) <= CHANGES and abs(end - value) > 1e-9:
        found = _hold(there, leads, value, coast, held[-1] if held else None)
        if isinstance(found, Failure):
            first = found
            break
        held.append(found)
        there = _after(found)
        value = there.state.joints[joint.key]
    if not held:
        return first or Failure(0, Refusal(Code.HAND_FULL, "both hands are busy"))
    return Part(_in_turn(held), abs(value - start) / max(abs(end - start), 1e-9), len(held))


def _after(led: Led) -> ActionWorld:
    """The world once the hand is home again."""
    there = led.now.world.fork()
    for segment in led.home:
        there.advance(segment)
    return there


def _in_turn(held: Sequence[Led]) -> tuple[Segment, ...]:
    """The segments of holds, one after the other; where the hand goes on to the next one it does not go home first."""
    out: list[Segment] = []
    for k, led in enumerate(held):
        onward = k + 1 < len(held) and held[k + 1].direct
        out += [*led.come, *led.led, *(() if onward else led.home)]
    return tuple(out)


def _hold(world: ActionWorld, leads: Leads, start: float, coast: float, before: Led | None) -> Led | Failure:
    """The hold that leads farthest, of those that work."""
    key = leads.key
    if not free_sides(world, drives_of(world, key)[0]):
        return Failure(0, Refusal(Code.HAND_FULL, "both hands are busy", "put down first what they hold"))
    tracks: list[tuple[float, int, Found]] = []
    near: Nearest | None = None
    best: Failure | None = None
    for order, found in enumerate(leads.tracked(world, start)):
        if isinstance(found, Nearest):
            near = found if near is None or found.residual_m < near.residual_m else near
        elif found.track.share < WHOLE:
            same = before is not None and before.now.figure.side == found.here.figure.side
            tracks.append((-round(found.track.share + SAME_HAND * same, 3), order, found))
        else:
            outcome = _led(found, leads, start, coast, before)
            if not isinstance(outcome, Failure):
                return outcome
            best = outcome if best is None or outcome.stage > best.stage else best
    for _, _, hold in sorted(tracks, key=lambda row: row[:2])[:HOLDS]:
        if hold.track.share < LEAST:
            short = f"the handle of {key} can be followed over {100.0 * hold.track.share:.0f} % of its way only"
            return best or Failure(2, Refusal(Code.OUT_OF_REACH, short))
        outcome = _led(hold, leads, start, coast, before)
        if not isinstance(outcome, Failure):
            return outcome
        best = outcome if best is None or outcome.stage > best.stage else best
        if budget_of(world).motions <= 0:
            break
    return best or Failure(1, unreached(f"the handle of {key}", near or Nearest()))


def _led(found: Found, leads: Leads, start: float, coast: float, before: Led | None) -> Led | Failure:
    """One hold in full; where what it takes is in the way of a posture, another posture is looked for that leads about as far."""
    track, best, end = found.track, None, leads.end
    joint = track.drive.joint
    banned: frozenset[Rung] = frozenset()
    for tried in range(1, POSTURES + 1):
        last = float(track.values[-1])
        left = abs(end - last) / max(abs(joint.open_at - joint.closed_at), 1e-9)
        for goal in (end, last) if 0.0 < left <= coast else (last,):
            outcome = leads.along(found.here, track, goal, before)
            if not isinstance(outcome, Failure):
                return outcome
            best = outcome if best is None or outcome.stage > best.stage else best
        if tried == POSTURES:
            break
        banned |= {track.first}
        other = leads.other(found, start, banned)
        if not isinstance(other, Track) or other.share < NEARLY * track.share:
            break
        track = other
    return best or Failure(1, Refusal(Code.OUT_OF_REACH, f"the handle of {track.drive.entity.key} is out of reach"))


def _tracks(world: ActionWorld, key: str, start: float, end: float) -> Iterator[Found | Nearest]:
    """Every hold of either free hand: the handle, the pushed face, the free edge; a turned trunk only where the others lead nowhere."""
    drives = drives_of(world, key)
    sides = free_sides(world, drives[0])
    if not sides:
        return
    heres = {side: standing(world, side) for side in sides}
    farthest = 0.0
    ways = _ways(world, drives, sides, float(np.sign(end - start)))
    for wide in (False, True):
        if farthest >= PLAIN_SHARE:
            return
        for side, drive, holds in ways:
            found = (widely if wide else plainly)(heres[side], drive, holds, start, end)
            farthest = max(farthest, found.share if isinstance(found, Track) else 0.0)
            yield Found(heres[side], drive, holds, found) if isinstance(found, Track) else found


def _ways(world: ActionWorld, drives: Sequence[Drive], sides: Sequence[Hand], way: float) -> Replay[tuple[Hand, Drive, Holds]]:
    """The holds of either hand, made once one after the other: a handle that leads the whole way needs no pushed face."""

    def each() -> Iterator[tuple[Hand, Drive, Holds | None]]:
        for push in (None, way):
            for side in sides:
                yield side, drives[0], _kept(world, drives[0], side, push)
        for drive in drives[1:]:
            for side in sides:
                held = _kept(world, drive, side, None)
                yield side, drive, None if held is None else replace(held, fixed=True)

    return Replay((side, drive, holds) for side, drive, holds in each() if holds is not None)


def _kept(world: ActionWorld, drive: Drive, side: Hand, push: float | None) -> Holds | None:
    """Holds of the handle, or (with the sign of the way) of the pushed face: the same wherever link and person are."""
    kept = cast("dict[object, Holds | None]", world.caches.setdefault(KEPT, {}))
    asked = (world.stage, world.body, drive.entity.key, drive.joint.key, drive.handle, side, push)
    if asked not in kept:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[asked] = bar_holds(drive, side, world.body) if push is None else push_holds(drive, side, world.body, 0.0, push)
    return kept[asked]


def free_sides(world: ActionWorld, drive: Drive) -> tuple[Hand, ...]:
    """Hands that hold nothing, the nearer one to the handle first."""
    held = world.state.held
    if held is not None and held.second is not None:
        return ()
    if held is not None:
        return ("left",) if held.hand == "right" else ("right",)
    body = world.state.body
    point, _, _ = drive.frame_at(world.state.joints.get(drive.joint.key, drive.joint.initial))
    left = -np.sin(body.heading_rad) * (point[0] - body.xy_m[0]) + np.cos(body.heading_rad) * (point[1] - body.xy_m[1])
    return ("left", "right") if left > 0.08 else ("right", "left")
