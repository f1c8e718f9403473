"""The scene `annex` on one warm engine: play commands under the independent checker, save and restore on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from assistcore.house.clearance import Allowed
from assistcore.house.mating import connector_frame
from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Outcome, Refusal, Status
from assistcore.world.poses import inverse
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.motion_check import MotionChecker

TICKS = 4000


@lru_cache(maxsize=2)
def engine(number: int = 0) -> HouseEngine:
    """An engine that every test resets; 1 is a second one, to restore into."""
    del number
    return HouseEngine()


def at(spot: str, *changes: Mapping[str, object], number: int = 0) -> HouseEngine:
    """The annex anew, the person at a spot."""
    house = engine(number)
    house.reset(Scenario("annex", {"spot": spot}, changes), 0)
    return house


@lru_cache(maxsize=1)
def checker_of(house: HouseEngine) -> MotionChecker:
    """One checker for the stage; it forgets before every run."""
    return MotionChecker(house.stage, house.body)


def refused(house: HouseEngine, text: str) -> Refusal:
    """The refusal of a command, which has changed nothing; `can` says the same."""
    parsed = house.parse(text)
    if isinstance(parsed, Refusal):
        return parsed
    before = house.digest()
    could, refusal = house.can(parsed.command), house.begin(parsed.command)
    assert refusal is not None, f"{text} was begun"
    assert could == refusal and house.digest() == before
    return refusal


def done(house: HouseEngine, *texts: str, watched: bool = True) -> Outcome:
    """Plays commands to their end under the checker; each must be done and without a fault."""
    checker = checker_of(house)
    checker.forget()
    checker.faults.clear()
    checker.watch(0, house.state, Allowed())
    tick, outcome = 0, None
    for text in texts:
        parsed = house.parse(text)
        assert not isinstance(parsed, Refusal), parsed
        could, refusal = house.can(parsed.command), house.begin(parsed.command)
        assert refusal is None and could is None, f"{text}: {refusal}"
        for _ in range(TICKS):
            motion = house.motion
            playing = motion is not None and motion.segment < len(motion.plan.segments)
            allowed = motion.plan.segments[motion.segment].allowed if motion is not None and playing else Allowed()
            step = house.tick()
            tick += 1
            if watched:
                checker.watch(tick, house.state, allowed)
            if step.outcome is not None:
                break
        outcome = step.outcome
        assert outcome is not None and outcome.status is Status.DONE, f"{text}: {outcome}"
    assert not checker.faults, "; ".join(map(str, checker.faults[:6]))
    assert outcome is not None
    return outcome


def mated_within(house: HouseEngine, child: str, plug: str, parent: str, socket: str, angle_deg: float = 0.0) -> tuple[float, float]:
    """How far plug and socket frames are apart now: metres, and radians up to the connector's equivalent turns (from geometry)."""
    stage, state = house.stage, house.state
    a, b = stage.entity(child).connector(plug), stage.entity(parent).connector(socket)
    assert a is not None and b is not None
    mine = state.root(stage, child) @ connector_frame(stage.entity(child), a)
    theirs = state.root(stage, parent) @ connector_frame(stage.entity(parent), b)
    R = inverse(theirs)[:3, :3] @ mine[:3, :3]
    tilt = float(np.arccos(np.clip(R[2, 2], -1.0, 1.0)))
    turn = float(np.arctan2(R[1, 0], R[0, 0])) - np.radians(angle_deg)
    period = 2.0 * np.pi / max(a.turns, b.turns)
    off = abs((turn + 0.5 * period) % period - 0.5 * period)
    return float(np.linalg.norm(mine[:3, 3] - theirs[:3, 3])), max(tilt, off)


def resumed(spot: str, texts: Sequence[str], share: float) -> tuple[bytes, bytes]:
    """The last command saved in the middle and restored into another engine: the bytes at the end of it there and here."""
    house, other = at(spot), at(spot, number=1)
    done(house, *texts[:-1], watched=False) if len(texts) > 1 else None
    parsed = house.parse(texts[-1])
    assert not isinstance(parsed, Refusal)
    assert house.begin(parsed.command) is None
    assert house.motion is not None
    for _ in range(int(share * sum(len(s) for s in house.motion.plan.segments))):
        house.tick()
    other.restore(house.save())
    assert other.digest() == house.digest()
    while not house.idle():
        house.tick()
        other.tick()
    assert other.digest() == house.digest() and other.graph().digest() == house.graph().digest()
    return other.save(), house.save()
