"""All verbs of the registry in five situations and more, under the independent checker; the promise of each is measured in the state."""

from __future__ import annotations

from collections import Counter

import pytest

from actions.verb import all_verbs
from assistcore.house.clearance import Allowed
from assistcore.house.state import HouseState
from assistcore.world.outcomes import Status
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.motion_check import MotionChecker
from tests.engines.conformance.geometry import CHECKS, Seen
from tests.engines.conformance.rooms import command, engine_in
from tests.engines.conformance.situations import SITUATIONS, Situation

LEAST = 5
TICKS = 8000
NAMES = [f"{s.verb}-{s.name}" for s in SITUATIONS]


def test_every_verb_has_its_situations_and_its_measure() -> None:
    verbs = {info.name for info in all_verbs()}
    counts = Counter(s.verb for s in SITUATIONS)
    assert set(counts) == verbs == set(CHECKS) and len(set(NAMES)) == len(NAMES)
    assert not {verb: n for verb, n in counts.items() if n < LEAST}


def begun(situation: Situation) -> HouseEngine:
    """An engine in which the situation's command has just begun; `can` had said so."""
    house = engine_in(situation.room())
    asked = command(situation.verb, *situation.args)
    assert house.can(asked) is None
    assert house.begin(asked) is None
    return house


def played(house: HouseEngine) -> list[HouseState]:
    """The states from the begun command to its end, which is done; none breaks a rule of contact."""
    checker, states = MotionChecker(house.stage, house.body), [house.state]
    checker.watch(0, house.state, Allowed())
    for tick in range(1, TICKS):
        motion = house.motion
        playing = motion is not None and motion.segment < len(motion.plan.segments)
        allowed = motion.plan.segments[motion.segment].allowed if motion is not None and playing else Allowed()
        step = house.tick()
        states.append(house.state)
        checker.watch(tick, house.state, allowed)
        if step.outcome is not None:
            break
    assert step.outcome is not None and step.outcome.status is Status.DONE, step.outcome
    assert house.idle() and not checker.faults, "; ".join(map(str, checker.faults[:5]))
    return states


@pytest.mark.rotating(5)
@pytest.mark.parametrize("situation", SITUATIONS, ids=NAMES)
def test_it_is_done_and_its_promise_can_be_measured(situation: Situation) -> None:
    house = begun(situation)
    start, *states = played(house)
    check = CHECKS[situation.verb]
    check(Seen(house, situation.args, start, tuple(states)))
