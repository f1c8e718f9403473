"""The tool verbs in the flat: the independent checker at every tick, the result read from the graph, save and restore in the middle."""

from __future__ import annotations

import numpy as np
import pytest

from assistcore.house.clearance import Allowed
from assistcore.house.visibility import see
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


@pytest.mark.rotating(2)
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


@pytest.mark.rotating(2)
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


MILK = {"move": "milk_carton_1", "onto": "dining_table_1", "spot": (0.5, 0.45)}
WATER = {"move": "water_bottle_1", "onto": "dining_table_1", "spot": (0.2, 0.18)}
JUICE = {"move": "juice_carton_1", "onto": "kitchen_counter_1", "region": "middle", "spot": (0.3, 0.3)}
COFFEE = (
    {"set": "red_mug_1", "attribute": "contents", "value": "coffee"},
    {"set": "red_mug_1", "attribute": "volume_ml", "value": 300},
)
POURS = {
    "carton over a mug on the worktop": ("milk_carton_1", "red_mug_1", (MILK,)),
    "carton over a mug on the low coffee table": ("milk_carton_1", "blue_mug_1", (MILK,)),
    "carton over a bowl on the table": ("juice_carton_1", "blue_bowl_1", (JUICE,)),
    "kettle over a mug": ("kettle_1", "red_mug_1", ()),
    "mug over a bowl": ("red_mug_1", "blue_bowl_1", COFFEE),
    "kettle over the sink": ("kettle_1", "kitchen_sink_1", ()),
}


@pytest.mark.rotating(2)
@pytest.mark.parametrize("name", POURS)
def test_pour(flat: HouseEngine, checker: MotionChecker, name: str) -> None:
    source, target, changes = POURS[name]
    stand(flat, "kitchen", *changes)
    before = flat.graph().value(source, "volume_ml")
    named = {key: flat.stage.entity(key).ref.surface for key in (source, target)}
    watched(flat, checker, f"[Grab] {named[source]}", f"[Pour] {named[target]} {named[source]}")
    graph = flat.graph()
    assert graph.value(target, "provenance") == source
    left, come = graph.value(source, "volume_ml"), graph.value(target, "volume_ml")
    assert isinstance(before, int) and isinstance(left, int) and left < before
    assert target == "kitchen_sink_1" or come == before - left


def test_a_spill_is_offered_and_seen_only_while_it_is_there(flat: HouseEngine) -> None:
    stand(flat, "kitchen", MILK)
    assert all(o.key != "spill_2" for o in flat.offer("human")) and not _seen_from_above(flat, "spill_2")
    for text in ("[Grab] <milk_carton>", "[Pour] <red_mug> <milk_carton>", "[Pour] <red_mug> <milk_carton>"):
        outcome = act(flat, text)
        assert isinstance(outcome, Outcome) and outcome.status is Status.DONE, outcome
    assert flat.graph().value("spill_2", "present") is True
    assert any(o.key == "spill_2" for o in flat.offer("human")) and _seen_from_above(flat, "spill_2")


def _seen_from_above(engine: HouseEngine, key: str) -> bool:
    """Whether something on a worktop shows to an eye half a metre over it."""
    x, y, z = engine.stage.entity(key).pose.position_m
    return see(engine.stage, engine.state, np.array([x, y - 0.1, z + 0.5]), np.eye(3)).sees(key)


def test_pour_goes_on_from_the_middle(flat: HouseEngine) -> None:
    stand(flat, "kitchen")
    act(flat, "[Grab] <kettle> (1)")
    assert goes_on_from_the_middle(flat, "[Pour] <red_mug> (1) <kettle> (1)", 0.5)


def on(key: str) -> dict[str, object]:
    """A scenario change that makes a spill or stain be there."""
    return {"set": key, "attribute": "present", "value": True}


WET = {"set": "sponge_1", "attribute": "wet", "value": True}
TOWEL = {"move": "blue_towel_1", "onto": "sideboard_1", "spot": (0.5, 0.3)}
WIPES: dict[str, tuple[str, str, str, tuple[dict, ...]]] = {
    "spill at the end of the table": ("kitchen", "sponge_1", "spill_1", (on("spill_1"),)),
    "stain under the window": ("kitchen", "sponge_1", "stain_1", (on("stain_1"), WET, {"remove": "banana_1"})),
    "spill before the microwave": ("kitchen", "sponge_1", "spill_3", (on("spill_3"),)),
    "plate": ("kitchen", "sponge_1", "white_plate_1", (WET, {"set": "white_plate_1", "attribute": "clean", "value": False})),
    "worktop": ("kitchen", "sponge_1", "kitchen_counter_1", ()),
    "spill on the low table with a towel": ("living_room", "blue_towel_1", "spill_4", (on("spill_4"), TOWEL)),
}


@pytest.mark.rotating(2)
@pytest.mark.parametrize("name", WIPES)
def test_wipe(flat: HouseEngine, checker: MotionChecker, name: str) -> None:
    spot, tool, target, changes = WIPES[name]
    stand(flat, spot, *changes)
    named = {key: flat.stage.entity(key).ref.surface for key in (tool, target)}
    watched(flat, checker, f"[Wipe] {named[tool]} {named[target]}")
    graph = flat.graph()
    assert graph.has("held", tool) and graph.value(tool, "used") is True
    if "patch" in flat.stage.entity(target).roles:
        assert graph.value(target, "present") is False and target not in {o.key for o in flat.offer("human")}
    if target.startswith("spill"):
        assert graph.value(tool, "wet") is True, "it has soaked it up"
    if target == "white_plate_1":
        assert graph.value(target, "clean") is True and graph.value(target, "wet") is True


def test_wipe_goes_on_from_the_middle(flat: HouseEngine) -> None:
    stand(flat, "kitchen", on("spill_1"))
    assert goes_on_from_the_middle(flat, "[Wipe] <sponge> (1) <spill> (1)", 0.8)


def runs(key: str) -> dict[str, object]:
    """A scenario change that switches a device on."""
    return {"set": key, "attribute": "running", "value": True}


COOKS: dict[str, tuple[str, str, tuple[dict, ...]]] = {
    "apple in the pan": ("kitchen", "apple_1", ({"move": "apple_1", "into": "frying_pan_1"}, runs("hob_1"))),
    "lemon in the pot": ("kitchen", "lemon_1", ({"move": "lemon_1", "into": "cooking_pot_1"}, runs("hob_1"))),
    "bread in the oven, from the hall": ("hall", "bread_1", ({"move": "bread_1", "into": "oven_1"}, runs("oven_1"))),
    "apple in the microwave": ("kitchen", "apple_2", ({"move": "apple_2", "into": "microwave_1"}, runs("microwave_1"))),
    "banana on the bare hob": ("living_room", "banana_1", ({"move": "banana_1", "onto": "hob_1", "spot": (0.5, 0.2)}, runs("hob_1"))),
}


@pytest.mark.rotating(2)
@pytest.mark.parametrize("name", COOKS)
def test_cook(flat: HouseEngine, checker: MotionChecker, name: str) -> None:
    spot, key, changes = COOKS[name]
    stand(flat, spot, *changes)
    watched(flat, checker, f"[Cook] {flat.stage.entity(key).ref.surface}")
    graph = flat.graph()
    assert graph.has("cooked", key) and graph.value(key, "burnt") is None
    assert graph.value("human_1", "room") == ("kitchen")


def test_food_left_on_heat_burns_while_the_person_does_something_else(flat: HouseEngine) -> None:
    stand(flat, "kitchen", {"move": "apple_1", "into": "frying_pan_1"}, runs("hob_1"))
    for text in ("[Walk] <sofa>", "[Wait] 250", "[Walk] <hob>"):
        outcome = act(flat, text)
        assert isinstance(outcome, Outcome) and outcome.status is Status.DONE
    assert flat.graph().has("cooked", "apple_1") and not flat.graph().has("burnt", "apple_1")
    act(flat, "[Wait] 60")
    assert flat.graph().has("burnt", "apple_1")


def test_heat_ends_with_the_switch(flat: HouseEngine) -> None:
    stand(flat, "kitchen", {"move": "apple_2", "into": "microwave_1"}, runs("microwave_1"))
    act(flat, "[Wait] 30")
    outcome = act(flat, "[TurnOff] <microwave>")
    assert isinstance(outcome, Outcome) and outcome.status is Status.DONE
    act(flat, "[Wait] 600")
    graph = flat.graph()
    heated = graph.value("apple_2", "heated_ticks")
    assert isinstance(heated, int) and 30 * 12 <= heated < 60 * 12
    assert graph.value("apple_2", "heating_since") is None and graph.value("apple_2", "cooked") is None


def test_cook_goes_on_from_the_middle(flat: HouseEngine) -> None:
    stand(flat, "hall", {"move": "bread_1", "into": "oven_1"}, runs("oven_1"))
    assert goes_on_from_the_middle(flat, "[Cook] <bread> (1)", 0.5)


def test_the_tap_rinses_what_is_in_the_sink(flat: HouseEngine) -> None:
    stand(
        flat, "kitchen", {"move": "white_plate_1", "into": "kitchen_sink_1"}, {"set": "white_plate_1", "attribute": "clean", "value": False}
    )
    outcome = act(flat, "[TurnOn] <kitchen_sink>")
    assert isinstance(outcome, Outcome) and outcome.status is Status.DONE, outcome
    graph = flat.graph()
    assert graph.value("white_plate_1", "clean") is True and graph.value("white_plate_1", "wet") is True


def test_a_wash_cycle_runs_its_course(flat: HouseEngine) -> None:
    dirty = {"set": "white_towel_1", "attribute": "clean", "value": False}
    stand(flat, "bathroom", {"move": "white_towel_1", "into": "washing_machine_1"}, dirty)
    outcome = act(flat, "[TurnOn] <washing_machine>")
    assert isinstance(outcome, Outcome) and outcome.status is Status.DONE, outcome
    for _ in range(2):
        act(flat, "[Wait] 301")
    graph = flat.graph()
    assert graph.value("washing_machine_1", "running") is False and graph.has("off", "washing_machine_1")
    assert graph.value("white_towel_1", "clean") is True and graph.value("white_towel_1", "wet") is True
