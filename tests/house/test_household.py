"""The process rules of a home: what heat, water and machines do, the same by single steps and by jumps to what is due."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin

import pytest

from assistcore.house.household import BURN_TICKS, COOK_TICKS, CYCLE_TICKS, Cycle, Heat, Rinse, Spill, Vessel
from assistcore.house.processes import CycleRecord, Rule, advance, next_due
from assistcore.world.canonical import Value
from assistcore.world.graph import SceneGraph, fold

HEAT = Heat(frozenset({"hob_1", "oven_1"}), ("apple_1",))
RINSE = Rinse(frozenset({"sink_1"}))
MACHINES: tuple[Rule, ...] = (CycleRecord(), Cycle(frozenset({"washer_1"}), frozenset({"dryer_1"})))
Facts = Mapping[tuple[str, str], Value]


def stepped(facts: Facts, rules: tuple[Rule, ...], until: int, doing: Mapping[int, Facts] | None = None) -> tuple[SceneGraph, list[object]]:
    """Every tick on its own; `doing` sets facts at a tick, before the rules act."""
    graph = SceneGraph(dict(facts))
    seen: list[object] = []
    for tick in range(1, until + 1):
        graph = SceneGraph({**graph.values, **(doing or {}).get(tick, {})})
        changes = advance(graph, tick, 1, rules)
        graph = fold(graph, changes)
        seen += changes
    return graph, seen


def jumped(facts: Facts, rules: tuple[Rule, ...], until: int) -> tuple[SceneGraph, list[object]]:
    """From one due tick to the next."""
    graph, tick = SceneGraph(dict(facts)), 0
    seen: list[object] = []
    while (due := next_due(graph, tick, rules)) is not None and due <= until:
        changes = advance(graph, due, due - tick, rules)
        graph, tick = fold(graph, changes), due
        seen += changes
    return graph, seen


PAN: Facts = {("apple_1", "inside"): ("pan_1",), ("pan_1", "on"): ("hob_1",), ("hob_1", "running"): True}


def test_food_in_a_pan_on_the_hob_cooks_then_burns() -> None:
    graph, seen = stepped(PAN, (HEAT,), BURN_TICKS + 5)
    assert [(c.tick, c.kind) for c in seen] == [(1, "heating_since"), (1 + COOK_TICKS, "cooked"), (1 + BURN_TICKS, "burnt")]  # type: ignore[attr-defined]
    assert graph.has("cooked", "apple_1") and graph.has("burnt", "apple_1")


def test_jumps_give_what_single_steps_give() -> None:
    assert jumped(PAN, (HEAT,), 2 * BURN_TICKS) == stepped(PAN, (HEAT,), 2 * BURN_TICKS)


def test_heat_adds_up_over_two_stays() -> None:
    half = COOK_TICKS // 2
    doing: dict[int, Facts] = {1 + half: {("hob_1", "running"): False}, 500 + half: {("hob_1", "running"): True}}
    graph, seen = stepped(PAN, (HEAT,), 500 + COOK_TICKS, doing)
    at = [c.tick for c in seen if c.kind == "cooked"]  # type: ignore[attr-defined]
    assert at == [500 + half + COOK_TICKS - half]


@pytest.mark.parametrize(
    "facts",
    [
        {**PAN, ("hob_1", "running"): False},
        {("apple_1", "on"): ("table_1",), ("hob_1", "running"): True},
        {("apple_1", "inside"): ("oven_1",), ("oven_1", "running"): True, ("oven_1", "closed"): False},
        {("apple_1", "inside"): ("oven_1",), ("oven_1", "closed"): True, ("hob_1", "running"): True},
    ],
    ids=["hob off", "not on it", "oven open", "another one runs"],
)
def test_what_is_not_on_heat_stays_raw(facts: Facts) -> None:
    graph, seen = stepped(facts, (HEAT,), BURN_TICKS)
    assert not seen and next_due(graph, 1, (HEAT,)) is None


def test_water_wets_and_cleans_what_is_under_it() -> None:
    facts: Facts = {
        ("plate_1", "inside"): ("sink_1",),
        ("plate_1", "clean"): False,
        ("cup_1", "inside"): ("box_1",),
        ("sink_1", "running"): True,
    }
    graph, _ = stepped(facts, (RINSE,), 2)
    assert graph.value("plate_1", "clean") is True and graph.value("plate_1", "wet") is True and graph.value("cup_1", "wet") is None
    still, seen = stepped({**facts, ("sink_1", "running"): False}, (RINSE,), 2)
    assert not seen and still.value("plate_1", "clean") is False


def load(machine: str, **more: Value) -> dict[tuple[str, str], Value]:
    """A running machine with a dirty wet towel in it."""
    return {
        ("towel_1", "inside"): (machine,), ("towel_1", "clean"): False, ("towel_1", "wet"): True,
        (machine, "running"): True, (machine, "off"): False, (machine, "open"): False,
        **{(machine, k): v for k, v in more.items()},
    }  # fmt: skip


def test_a_wash_ends_by_itself_with_clean_wet_things() -> None:
    graph, seen = stepped(load("washer_1"), MACHINES, CYCLE_TICKS + 5)
    assert graph.value("towel_1", "clean") is True and graph.value("towel_1", "wet") is True
    assert graph.value("washer_1", "running") is False and graph.value("washer_1", "off") is True
    assert jumped(load("washer_1"), MACHINES, CYCLE_TICKS + 5) == (graph, seen)


def test_a_dryer_dries_and_does_not_clean() -> None:
    graph, _ = stepped(load("dryer_1"), MACHINES, CYCLE_TICKS + 5)
    assert graph.value("towel_1", "wet") is False and graph.value("towel_1", "clean") is False


@pytest.mark.parametrize(
    "doing",
    [
        {9: {("washer_1", "open"): True}, 20: {("washer_1", "open"): False}},
        {9: {("washer_1", "running"): False, ("washer_1", "off"): True}},
        {9: {("towel_1", "inside"): ("basket_1",)}},
    ],
    ids=["door opened", "stopped early", "taken out"],
)
def test_a_wash_that_was_not_whole_cleans_nothing(doing: dict[int, Facts]) -> None:
    graph, _ = stepped(load("washer_1"), MACHINES, CYCLE_TICKS + 5, doing)
    assert graph.value("towel_1", "clean") is False


def test_what_is_put_in_later_is_not_washed() -> None:
    facts = {**load("washer_1"), ("sock_1", "inside"): ("basket_1",), ("sock_1", "clean"): False}
    graph, _ = stepped(facts, MACHINES, CYCLE_TICKS + 5, {30: {("sock_1", "inside"): ("washer_1",)}})
    assert graph.value("sock_1", "clean") is False and graph.value("towel_1", "clean") is True


CUP = Vessel("cup_1", 0.08, 0.10, 300)
SPILL = Spill((CUP,), (("spill_1", (0.1, 0.0, 0.74)), ("spill_2", (0.3, 0.0, 0.0))))


def cup(tilt_rad: float, z_m: float = 0.80, **more: Value) -> dict[tuple[str, str], Value]:
    """A cup with 250 ml of tea, tilted about x."""
    half = round(1e6 * sin(0.5 * tilt_rad))
    place = (0, 0, round(1000 * z_m), round(1e6 * cos(0.5 * tilt_rad)), half, 0, 0)
    facts: dict[str, Value] = {"place": place, "volume_ml": 250, "contents": "tea", **more}
    return {("cup_1", kind): value for kind, value in facts.items()}


def test_a_vessel_that_is_tipped_over_runs_out_onto_the_nearest_place_below() -> None:
    graph, seen = stepped(cup(pi / 2), (SPILL,), 3)
    assert graph.value("cup_1", "volume_ml") == 0 and graph.value("spill_1", "volume_ml") == 250
    assert graph.value("spill_1", "contents") == "tea" and graph.has("present", "spill_1") and not graph.has("present", "spill_2")
    assert len({c.tick for c in seen}) == 1 and next_due(graph, 3, (SPILL,)) is None  # type: ignore[attr-defined]
    low, _ = stepped(cup(pi, z_m=0.03), (SPILL,), 1)
    assert low.has("present", "spill_2") and not low.has("present", "spill_1")


def test_a_tilted_vessel_keeps_what_stands_under_its_lip() -> None:
    """At 45 degrees the level through the lower lip cuts a triangle of half the width times the width off the full cup."""
    graph, _ = stepped(cup(pi / 4), (SPILL,), 1)
    assert graph.value("cup_1", "volume_ml") == int(300 * (1 - 0.5 * 0.08 / 0.10)) and graph.value("spill_1", "volume_ml") == 70


@pytest.mark.parametrize(
    "facts",
    [cup(0.0), cup(0.25), cup(pi, sealed=True), {**cup(pi), ("lid_1", "attached"): ("cup_1",)}, cup(pi, volume_ml=0)],
    ids=["upright", "a little tilted", "sealed", "lid on", "empty"],
)
def test_what_is_upright_sealed_lidded_or_empty_does_not_spill(facts: Facts) -> None:
    graph, seen = stepped(facts, (SPILL,), 2)
    assert not seen and next_due(graph, 2, (SPILL,)) is None
