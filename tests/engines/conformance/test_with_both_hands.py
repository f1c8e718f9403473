"""A crate that is broader than a hand spans: taken, carried, set down and dropped between both palms; one hand comes off for a switch.

What is measured is the state alone: the independent checker at every tick, where both wrists are on the crate, and a second engine that
goes on from a saved moment.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from actions.manipulation.dropping import limb_below
from actions.manipulation.parting import one_hand_off
from assistcore.house.stage import Entity
from assistcore.house.state import HouseState
from assistcore.world.poses import inverse
from assistworld.engines.house.engine import HouseEngine
from humans.kinematics import joint_transforms
from humans.model import JOINT
from tests.actions.manipulation import scenes
from tests.actions.manipulation.scenes import at, box, thing
from tests.engines.conformance import rooms
from tests.engines.conformance.geometry import CHECKS, Seen
from tests.engines.conformance.kits import AWAY, KITS
from tests.engines.conformance.rooms import Set, engine_in
from tests.engines.conformance.situations import Situation
from tests.engines.conformance.test_every_verb import begun, played

DRIFT_M = 1e-6


def crate(
    x: float = AWAY, y: float = AWAY, z: float = 0.0, yaw: float = 0.0, half: tuple[float, float, float] = (0.11, 0.15, 0.07)
) -> Entity:
    """A closed crate, 0.37 m from corner to corner unless said otherwise."""
    return thing("crate_1", "crate", at(x, y, z, yaw), (box("body", half, (0, 0, half[2])),), 1.5)


def _on_a_pillar(x: float, y: float, z: float, yaw: float = 0.0) -> Set:
    return Set((rooms.pillar(x, y, z, 0.25), crate(x, y, z, yaw)))


def _to_a_table(x: float, y: float, height: float) -> Set:
    return Set((scenes.table(x=x, y=y, height=height), crate()), held="crate_1")


def _with_crate(verb: str, x: float, y: float, z: float) -> Set:
    return KITS[verb](x, y, z).room(crate(), held="crate_1")


CASES = (
    Situation("pick", "before", partial(_on_a_pillar, 0.70, 0.05, 0.75), ("crate_1",)),
    Situation("pick", "askew and low", partial(_on_a_pillar, 0.65, 0.20, 0.55, 0.5), ("crate_1",)),
    Situation("pick", "behind, high", partial(_on_a_pillar, -1.60, -0.70, 0.95, 1.2), ("crate_1",)),
    Situation("place", "a table", partial(_to_a_table, 0.9, 0.1, 0.75), ("crate_1", "table_1")),
    Situation("place", "a low table, a walk away", partial(_to_a_table, -2.0, 1.0, 0.5), ("crate_1", "table_1")),
    Situation("navigate_to", "a table", partial(_to_a_table, 3.0, 1.5, 0.75), ("table_1",)),
    Situation("release", "on the floor", lambda: Set((crate(),), held="crate_1"), ("crate_1",)),
)
ONE_COMES_OFF = (
    Situation("turn_on", "a lamp", partial(_with_crate, "turn_on", 0.70, 0.05, 0.75), ("lamp_1",)),
    Situation("squat", "here", lambda: Set((crate(),), held="crate_1"), ()),
)


def off_m(house: HouseEngine, state: HouseState) -> float:
    """How far the wrists are from where they were laid on what both hands hold."""
    held = state.held
    assert held is not None and held.second is not None
    bones = joint_transforms(house.body, state.body.pose_rad, state.body.translation_m)
    root = state.root(house.stage, held.entity)
    other = "left" if held.hand == "right" else "right"
    wanted = {held.hand: root @ inverse(held.wrist_object.matrix()), other: root @ held.second.matrix()}
    return max(float(np.abs(bones[JOINT[f"{side}_wrist"]] - T).max()) for side, T in wanted.items())


@pytest.mark.parametrize("case", CASES, ids=[f"{s.verb}-{s.name}" for s in CASES])
def test_both_hands_stay_where_they_are_on_it(case: Situation) -> None:
    house = begun(case)
    states = played(house)
    CHECKS[case.verb](Seen(house, case.args, states[0], tuple(states[1:])))
    held = [s for s in states if s.held is not None]
    assert held and all(s.held is not None and s.held.second is not None for s in held)
    assert max(off_m(house, s) for s in held) < DRIFT_M


@pytest.mark.parametrize("case", ONE_COMES_OFF, ids=[s.verb for s in ONE_COMES_OFF])
def test_one_hand_comes_off_for_what_needs_it_and_the_other_goes_on_holding(case: Situation) -> None:
    house = begun(case)
    states = played(house)
    CHECKS[case.verb](Seen(house, case.args, states[0], tuple(states[1:])))
    assert states[0].held is not None and states[0].held.second is not None
    assert states[-1].held is not None and states[-1].held.second is None


@pytest.mark.parametrize("case", [CASES[0], CASES[3]], ids=["pick", "place"])
def test_another_engine_goes_on_from_the_middle(case: Situation) -> None:
    house = begun(case)
    saved, digests = [], [house.digest()]
    planned = sum(len(s) for s in house.motion.plan.segments) if house.motion is not None else 0
    while not house.idle():
        if len(digests) - 1 in {planned // 4, planned // 2, planned - 1}:
            saved.append((len(digests) - 1, house.save()))
        house.tick()
        digests.append(house.digest())
    other = engine_in(case.room())
    assert len(saved) == 3
    for at_tick, data in saved:
        other.restore(data)
        assert other.digest() == digests[at_tick]
        for tick in range(at_tick + 1, len(digests)):
            other.tick()
            assert other.digest() == digests[tick], f"saved at tick {at_tick}, other at {tick}"


def _lidded(overhang_m: float) -> HouseEngine:
    """A crate on a pillar with a lid on it that stands out over its sides, taken with both hands and turned away from the pillar."""
    lid = thing("lid_1", "lid", at(0.70, 0.05, 0.89), (box("body", (0.11 + overhang_m, 0.15 + overhang_m, 0.01), (0, 0, 0.01)),), 0.3)
    house = engine_in(_on_a_pillar(0.70, 0.05, 0.75).but(lid))
    for command in (rooms.command("pick", "crate_1"), rooms.command("turn", "left", 120.0)):
        assert house.begin(command) is None
        played(house)
    return house


@pytest.mark.parametrize("overhang_m", [0.004, 0.015])
def test_hands_spring_apart_where_a_lid_would_fall_on_them(overhang_m: float) -> None:
    """A box's lid went through the hand under its rim (script 1 of seed 30, annex, storage_box_1)."""
    house = _lidded(overhang_m)
    assert limb_below(house._world())
    assert house.begin(rooms.command("release", "crate_1")) is None
    state = played(house)[-1]
    assert state.held is None and state.poses["crate_1"].array()[2] == pytest.approx(0.0, abs=2e-3)
    assert state.poses["lid_1"].array()[2] == pytest.approx(0.14, abs=2e-3)


def test_one_hand_does_not_let_a_lid_fall_on_itself() -> None:
    house = _lidded(0.004)
    world = house._world()
    ways = one_hand_off(world)
    assert isinstance(ways, list) and house.state.held is not None
    for segment in ways[0]:
        world.advance(segment)
    assert limb_below(world) == f"{house.state.held.hand}_hand"
    world.state = world.state.with_(riding=())
    assert limb_below(world) == ""


def test_a_thing_that_one_hand_spans_is_held_by_one() -> None:
    house = engine_in(Set((rooms.pillar(0.7, 0.0, 0.75, 0.25), crate(0.7, 0.0, 0.75, half=(0.04, 0.15, 0.05)))))
    assert house.begin(rooms.command("pick", "crate_1")) is None
    states = played(house)
    assert states[-1].held is not None and states[-1].held.second is None
