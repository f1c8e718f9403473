"""A walk that is given up ends within about one stride, on planted feet, wherever it was (RULES, Outcomes: `stopped` is at a safe pose)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistcore.house.clearance import Allowed
from assistcore.world.engine import Step
from assistcore.world.outcomes import Status

pytest.importorskip("mujoco")

from assistworld.engines.house import make
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.motion_check import MotionChecker
from tests.engines.house.acting import act, begin, stand

STRIDE_TICKS = 24
"""Two steps at the cadence of walking take 14 ticks; braking, the last of the swing and a foot that turns in the air are slower."""
WALKS = {
    "across the kitchen": ("kitchen", (), "[Walk] <dining_table> (1)", 36),
    "through two doors": ("hall", (), "[Walk] <sofa> (1)", 110),
    "straight on": ("hall", (), "[Forward] 1.5", 25),
    "a turn": ("kitchen", (), "[TurnLeft] 120", 30),
    "about": ("kitchen", (), "[TurnAround]", 34),
    "with a full hand": ("kitchen", ("[Grab] <red_mug> (1)",), "[Walk] <kitchen_door> (1)", 30),
}


class Watched:
    """An engine whose every frame is checked."""

    def __init__(self, engine: HouseEngine) -> None:
        self.engine = engine
        self.checker = MotionChecker(engine.stage, engine.body)

    def restart(self) -> None:
        """The next frame follows the state now."""
        self.checker.forget()
        self.checker.faults.clear()
        self.checker.watch(0, self.engine.state, Allowed())

    def tick(self) -> Step:
        motion = self.engine.motion
        running = motion is not None and motion.segment < len(motion.plan.segments)
        allowed = motion.plan.segments[motion.segment].allowed if motion is not None and running else Allowed()
        step = self.engine.tick()
        self.checker.watch(step.snapshot.tick, self.engine.state, allowed)
        return step


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    engine = make()
    stand(engine, "kitchen")
    yield Watched(engine)
    engine.close()


def stopped(watched: Watched, text: str, after: int) -> int | None:
    """Ticks from the order to stop, given after so many ticks, to the outcome; None where the command had ended by then."""
    engine = watched.engine
    assert begin(engine, text) is None
    for _ in range(after):
        if watched.tick().outcome is not None:
            return None
    engine.stop()
    for ticks in range(1, 100):
        step = watched.tick()
        if step.outcome is not None:
            assert step.outcome.status in (Status.STOPPED, Status.DONE) and (ticks == 1 or step.outcome.status is Status.STOPPED)
            return ticks
    raise AssertionError(f"{text} goes on for 100 ticks")


@pytest.mark.rotating(2)
@pytest.mark.parametrize("name", WALKS)
def test_a_walk_stops_within_a_stride_at_every_moment(watched: Watched, sample_seed: int, name: str) -> None:
    spot, before, text, length = WALKS[name]
    stand(watched.engine, spot)
    for earlier in before:
        act(watched.engine, earlier)
    start = watched.engine.save()
    stops = 0
    every = max(4, length // 12)
    for after in range(sample_seed % every, length, every):
        watched.engine.restore(start)
        watched.restart()
        ticks = stopped(watched, text, after)
        assert ticks is None or ticks <= STRIDE_TICKS, f"stopped after {after}: {ticks} ticks"
        stops += ticks is not None
        assert begin(watched.engine, "[TurnRight] 40") is None
        while watched.tick().outcome is None:
            pass
        assert not watched.checker.faults, f"stopped after {after}: {[str(f) for f in watched.checker.faults[:3]]}"
    assert stops >= length // every - 2


def test_a_stop_goes_on_bit_for_bit_from_a_saved_state(watched: Watched) -> None:
    engine = watched.engine
    stand(engine, "hall")
    assert begin(engine, "[Walk] <sofa> (1)") is None
    for _ in range(40):
        engine.tick()
    engine.stop()
    digests: list[str] = []
    middle = b""
    while not engine.idle():
        if len(digests) == 5:
            middle = engine.save()
        engine.tick()
        digests.append(engine.digest())
    engine.restore(middle)
    again = []
    while not engine.idle():
        engine.tick()
        again.append(engine.digest())
    assert len(again) > 2 and again == digests[5:]


def test_a_stop_that_would_strike_something_waits_for_a_better_step(watched: Watched) -> None:
    """Between door posts the closing foot may find no place: the person goes on and stops behind them."""
    engine = watched.engine
    longest = 0
    for after in range(52, 70, 2):
        stand(engine, "hall")
        watched.restart()
        longest = max(longest, stopped(watched, "[Walk] <sofa> (1)", after) or 0)
        assert not watched.checker.faults
    assert longest <= 2 * STRIDE_TICKS
