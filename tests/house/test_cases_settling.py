"""A command whose thing never comes to rest says so (RULES, Outcomes: `done` is read back; BEHAVIOR-1K#1047 waits for a fall)."""

from __future__ import annotations

import pytest

from assistcore.world.commands import Parsed
from assistcore.world.engine import Scenario, Step
from assistcore.world.outcomes import Code, Status

pytest.importorskip("mujoco")

from assistworld.engines.house.engine import SETTLE_LIMIT_TICKS, HouseEngine
from assistworld.engines.house.physics_mujoco import MujocoPhysics


class Restless(MujocoPhysics):
    """Never at rest once told so."""

    never = False

    def at_rest(self) -> bool:
        return super().at_rest() and not self.never


def run(house: HouseEngine, text: str) -> Step:
    parsed = house.parse(text)
    assert isinstance(parsed, Parsed) and house.begin(parsed.command) is None
    while (step := house.tick()).outcome is None:
        pass
    return step


def test_what_never_comes_to_rest_is_a_failure_with_its_reason_and_later_commands_wait() -> None:
    physics = Restless()
    house = HouseEngine(physics=physics)
    house.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    thing = next(o for o in house.offer("human") if o.movable and o.visible and o.key.startswith("red_mug"))
    assert run(house, f"[Grab] {thing.handle}").outcome.status is Status.DONE  # type: ignore[union-attr]
    assert run(house, "[TurnAround]").outcome.status is Status.DONE  # type: ignore[union-attr]
    physics.never = True
    outcome = run(house, "[Drop]").outcome
    assert outcome is not None and outcome.status is Status.FAILED and outcome.refusal is not None
    assert outcome.refusal.code == Code.POSTCONDITION_FAILED and "within 6 s" in outcome.refusal.fact
    assert SETTLE_LIMIT_TICKS <= outcome.ended - outcome.began < SETTLE_LIMIT_TICKS + 60
    parsed = house.parse("[TurnLeft] 30")
    assert isinstance(parsed, Parsed)
    busy = house.begin(parsed.command)
    assert busy is not None and busy.code == Code.BUSY
    waited = run(house, "[Wait] 1").outcome
    assert waited is not None and waited.status is Status.DONE and waited.ended - waited.began == 12
    physics.never = False
    for _ in range(24):
        house.tick()
    assert run(house, "[TurnLeft] 30").outcome.status is Status.DONE  # type: ignore[union-attr]
    house.close()
