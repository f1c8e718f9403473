"""Saved in the middle of any verb, early, half-way, while things settle, and before the last tick: another engine goes on bit for bit."""

from __future__ import annotations

import pytest

from tests.engines.conformance.rooms import engine_in
from tests.engines.conformance.situations import SITUATIONS, Situation
from tests.engines.conformance.test_every_verb import NAMES, begun

FIRST = {s.verb: (s, n) for s, n in reversed(list(zip(SITUATIONS, NAMES, strict=True)))}
"""One situation for each verb."""
LONGEST = 8000


@pytest.mark.rotating(4)
@pytest.mark.parametrize("situation", [s for s, _ in FIRST.values()], ids=[n for _, n in FIRST.values()])
def test_another_engine_goes_on_from_every_kind_of_moment(situation: Situation) -> None:
    house = begun(situation)
    planned = sum(len(segment) for segment in house.motion.plan.segments) if house.motion is not None else 0
    wanted = {0, 1, planned // 3, planned // 2, planned - 1, planned}
    saved, digests = [], [house.digest()]
    while not house.idle() and len(digests) < LONGEST:
        settles = house.motion is not None and house.motion.settling == 1
        if len(digests) - 1 in wanted or settles:
            saved.append((len(digests) - 1, house.save()))
        house.tick()
        digests.append(house.digest())
    graph = house.graph().digest()
    other = engine_in(situation.room())
    for at, data in saved:
        other.restore(data)
        assert other.digest() == digests[at]
        for tick in range(at + 1, len(digests)):
            other.tick()
            assert other.digest() == digests[tick], f"saved at tick {at}, other at {tick}"
        assert other.idle() and other.graph().digest() == graph
