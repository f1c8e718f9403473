"""Postures in the flat: every seat, save and restore at every tick, and what a seated person does, under the independent checker."""

from __future__ import annotations

import pytest

from assistcore.house.clearance import Allowed
from assistcore.world.commands import Command
from assistcore.world.engine import Scenario, Step
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Outcome, Status
from assistworld.engines.house.engine import HouseEngine
from assistworld.engines.house.scenes import load_scene
from assistworld.studies.motion_check import MotionChecker
from tests.engines.house.acting import act, begin, stand


def done(engine: HouseEngine, *texts: str) -> MotionChecker:
    """Plays commands that must all be done without a broken bound."""
    checker, ticks = MotionChecker(engine.stage, engine.body), 0
    checker.watch(0, engine.state, Allowed())

    def watch(step: Step) -> None:
        nonlocal ticks
        ticks += 1
        checker.watch(ticks, engine.state, shown[0])
        motion = engine.motion
        if motion is not None and motion.segment < len(motion.plan.segments):
            shown[0] = motion.plan.segments[motion.segment].allowed

    shown = [Allowed()]
    for text in texts:
        assert begin(engine, text) is None, text
        motion = engine.motion
        shown[0] = motion.plan.segments[0].allowed if motion is not None and motion.plan.segments else Allowed()
        outcome = None
        while outcome is None:
            step = engine.tick()
            watch(step)
            outcome = step.outcome
        assert outcome.status is Status.DONE, (text, outcome)
    assert not checker.faults, [str(f) for f in checker.faults[:5]]
    return checker


SEATS = [(scene, e.key) for scene in ("flat", "annex") for e in load_scene(scene).entities if "seat" in e.roles]


@pytest.mark.parametrize("spot", ["its room", "start"])
@pytest.mark.parametrize(("scene", "seat"), SEATS)
def test_every_seat_of_every_scene_can_be_sat_on(flat: HouseEngine, scene: str, seat: str, spot: str) -> None:
    """Three chairs stood so near to their tables that nobody came before them."""
    stage = load_scene(scene)
    doors = [{"set_open": e.key} for e in stage.entities if e.kind == "door"]
    flat.reset(Scenario(scene, {"spot": stage.entity(seat).room if spot == "its room" else spot}, doors), 0)
    assert flat.can(Command("sit", (EntityRef.from_key(seat),))) is None


@pytest.mark.rotating(2)
@pytest.mark.parametrize("seat", [key for scene, key in SEATS if scene == "flat"])
def test_the_seats_of_the_flat_are_sat_on(flat: HouseEngine, seat: str) -> None:
    entity = load_scene("flat").entity(seat)
    stand(flat, entity.room)
    done(flat, f"[Sit] {entity.ref.surface}")
    assert flat.graph().has("sitting", "human_1", seat)
    done(flat, "[Wait] 2", "[LookScan]")
    assert flat.graph().has("sitting", "human_1", seat)
    done(flat, "[StandUp]", "[Squat]")
    assert not flat.graph().value("human_1", "sitting")


def test_the_laptop_of_the_flat_is_typed_on_and_its_phone_answered(flat: HouseEngine) -> None:
    stand(flat, "bedroom")
    assert begin(flat, "[UseComputer] <laptop>") is None
    seats = {s.posture for s in flat.motion.plan.segments if s.phase == "type"} if flat.motion is not None else set()
    assert seats == {"sitting:desk_chair_1"}
    stand(flat, "bedroom")
    done(flat, "[UseComputer] <laptop>")
    assert flat.graph().has("running", "laptop_1")
    done(flat, "[Grab] <phone>", "[AnswerPhone] <phone>", "[Wait] 1", "[Sit] <bed>", "[Put] <phone> <desk>")
    assert flat.graph().has("on", "phone_1", "desk_1")


def test_a_seated_person_who_is_sent_somewhere_gets_up(flat: HouseEngine) -> None:
    stand(flat, "living_room")
    done(flat, "[Sit] <armchair>", "[Walk] <sideboard>")
    assert not flat.graph().value("human_1", "sitting")


def test_a_posture_goes_on_from_every_saved_tick(flat: HouseEngine) -> None:
    stand(flat, "living_room")
    for text in ("[Sit] <armchair>", "[LookScan]", "[StandUp]", "[Squat]"):
        assert begin(flat, text) is None
        saved, straight = [], []
        while not flat.idle():
            flat.tick()
            saved.append(flat.save())
            straight.append(flat.digest())
        end = saved[-1]
        for k in range(0, len(saved), 12):
            flat.reset(Scenario("flat", {"spot": "kitchen"}, []), 3)
            flat.restore(saved[k])
            assert flat.digest() == straight[k]
            while not flat.idle():
                flat.tick()
                k += 1
                assert flat.digest() == straight[k]
        flat.restore(end)


def test_stopping_on_the_way_down_ends_on_the_seat_or_on_the_feet(flat: HouseEngine) -> None:
    stand(flat, "living_room")
    assert begin(flat, "[Sit] <armchair>") is None
    while not flat.idle():
        motion = flat.motion
        if motion is not None and motion.segment < len(motion.plan.segments) and motion.plan.segments[motion.segment].phase == "lower":
            flat.stop()
        flat.tick()
    posture = flat.state.body.posture
    assert posture in ("standing", "sitting:armchair_1")
    assert isinstance(act(flat, "[Walk] <sideboard>"), Outcome)
