"""The tool verbs in the flat: the independent checker at every tick, the result read from the graph, save and restore in the middle."""

from __future__ import annotations

import pytest

from assistcore.house.clearance import Allowed
from assistcore.world.engine import Step
from assistcore.world.outcomes import Outcome, Status
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.motion_check import MotionChecker
from tests.engines.house.acting import act, begin, stand

KNIFE = {"move": "knife_1", "onto": "dining_table_1", "spot": (0.2, 0.18), "yaw_deg": 80}


@pytest.fixture(scope="module")
def checker(flat: HouseEngine) -> MotionChecker:
    """The independent checker of the flat."""
    stand(flat)
    return MotionChecker(flat.stage, flat.body)


def watched(engine: HouseEngine, checker: MotionChecker, *texts: str) -> None:
    """Play commands, each of which must be done, with every tick checked."""
    checker.forget()
    checker.faults.clear()
    tick = 0

    def each(step: Step) -> None:
        nonlocal tick
        tick += 1
        motion = engine.motion
        running = motion is not None and motion.segment < len(motion.plan.segments)
        checker.watch(tick, engine.state, motion.plan.segments[motion.segment].allowed if motion and running else Allowed())

    for text in texts:
        outcome = act(engine, text, each)
        assert isinstance(outcome, Outcome) and outcome.status is Status.DONE, (text, outcome)
        assert not checker.faults, (text, [str(f) for f in checker.faults[:4]])


def goes_on_from_the_middle(engine: HouseEngine, text: str, share: float) -> bool:
    """Whether a command saved at a share of its way continues bit for bit."""
    start = engine.save()
    assert begin(engine, text) is None
    digests = []
    while not engine.idle():
        engine.tick()
        digests.append(engine.digest())
    engine.restore(start)
    assert begin(engine, text) is None
    at = int(share * len(digests))
    for _ in range(at):
        engine.tick()
    middle = engine.save()
    engine.restore(start)
    engine.restore(middle)
    rest = []
    while not engine.idle():
        engine.tick()
        rest.append(engine.digest())
    return len(rest) > 5 and rest == digests[at:]


CUTS = {
    "bread on its board": ("bread_1", ()),
    "apple at the end of the table": ("apple_1", ()),
    "banana under the window": ("banana_1", ()),
    "orange on the coffee table": ("orange_1", ({"move": "orange_1", "onto": "coffee_table_1", "spot": (0.3, 0.3)},)),
    "lemon on the worktop": ("lemon_1", ({"move": "lemon_1", "onto": "kitchen_counter_1", "region": "left", "spot": (0.9, 0.2)},)),
}


@pytest.mark.parametrize("name", CUTS)
def test_cut(flat: HouseEngine, checker: MotionChecker, name: str) -> None:
    target, changes = CUTS[name]
    stand(flat, "kitchen", KNIFE, *changes)
    handle = flat.stage.entity(target).ref.surface
    watched(flat, checker, "[Grab] <knife> (1)", f"[Cut] {handle} <knife> (1)")
    assert flat.graph().has("cut", target) and flat.graph().has("held", "knife_1")
    assert flat.graph().value("knife_1", "used") is True


def test_cut_goes_on_from_the_middle(flat: HouseEngine) -> None:
    stand(flat, "kitchen", KNIFE)
    act(flat, "[Grab] <knife> (1)")
    assert goes_on_from_the_middle(flat, "[Cut] <apple> (2) <knife> (1)", 0.55)


SPOON = {"move": "spoon_1", "onto": "dining_table_1", "spot": (0.2, 0.18), "yaw_deg": 80}
WOODEN = {"move": "wooden_spoon_1", "onto": "dining_table_1", "spot": (0.2, 0.18), "yaw_deg": 80}
STIRS = {
    "mug on the worktop": ("spoon_1", "red_mug_1"),
    "bowl on the table": ("spoon_1", "blue_bowl_1"),
    "mug on the low coffee table": ("spoon_1", "blue_mug_1"),
    "deep pot on the hob": ("wooden_spoon_1", "cooking_pot_1"),
    "pan on the hob": ("wooden_spoon_1", "frying_pan_1"),
}


@pytest.mark.parametrize("name", STIRS)
def test_stir(flat: HouseEngine, checker: MotionChecker, name: str) -> None:
    tool, target = STIRS[name]
    stand(flat, "kitchen", SPOON if tool == "spoon_1" else WOODEN)
    named = {key: flat.stage.entity(key).ref.surface for key in (tool, target)}
    watched(flat, checker, f"[Grab] {named[tool]}", f"[Stir] {named[target]} {named[tool]}")
    assert flat.graph().has("stirred", target) and flat.graph().has("held", tool)


def test_stir_goes_on_from_the_middle(flat: HouseEngine) -> None:
    stand(flat, "kitchen", SPOON)
    act(flat, "[Grab] <spoon> (1)")
    assert goes_on_from_the_middle(flat, "[Stir] <blue_bowl> (1) <spoon> (1)", 0.6)
