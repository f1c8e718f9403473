"""Attributes are written by changes only; looks and processes are functions of what is written; waiting may skip."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistcore.house.attributes import ATTRIBUTES, SHOWN, apply, initial, look_of, looks
from assistcore.house.processes import advance, next_due
from assistcore.house.read_graph import read_graph
from assistcore.house.relations import PREDICATES
from assistcore.house.stage import StageModel
from assistcore.house.state import HouseState
from assistcore.world.errors import AssistWorldError
from assistcore.world.graph import Change
from tests.house import stages


def kitchen() -> StageModel:
    oven = replace(stages.cabinet("oven_1"), attributes={"running": False})
    timer = stages.block("timer_1", at=(1.0, 0.0, 0.05), attributes={"ringing": False})
    pie = stages.block("pie_1", (0.08, 0.08, 0.03), (0.0, 0.0, 0.06))
    return stages.stage(stages.floor(), oven, timer, pie)


def start(model: StageModel, **joints: float) -> HouseState:
    return stages.state_of(model, joints=joints, attributes=initial(model))


def test_initial_attributes_come_from_the_stage() -> None:
    assert initial(kitchen()) == {"oven_1": {"running": False}, "timer_1": {"ringing": False}}


def test_apply_writes_once_shares_nothing_and_refuses_a_stale_change() -> None:
    table = initial(kitchen())
    on = Change(5, "oven_1", "running", False, True, "test")
    after = apply(table, [on])
    assert after["oven_1"]["running"] is True and table["oven_1"]["running"] is False
    assert after["timer_1"] is table["timer_1"]
    assert apply(table, []) is table
    assert apply(after, [Change(6, "oven_1", "running", True, None, "test")])["oven_1"] == {}
    with pytest.raises(AssistWorldError, match="oven_1 from False, but it is True"):
        apply(after, [on])
    with pytest.raises(AssistWorldError, match="cannot be"):
        apply(table, [Change(5, "oven_1", "seen", None, ("a",), "test")])


def test_looks_depend_on_attributes_alone() -> None:
    assert look_of({"running": True}) == "running"
    assert look_of({"cut": True, "cooked": True, "clean": True, "volume_ml": 100}) == "cooked+cut"
    assert look_of({"clean": False, "wet": True}) == "dirty+wet"
    assert looks({"lamp_1": {"running": True}, "cup_1": {"clean": True}}) == {"lamp_1": "running"}
    assert list(SHOWN) == sorted(SHOWN)
    assert len({a.name for a in ATTRIBUTES}) == len(ATTRIBUTES) and len({p.name for p in PREDICATES}) == len(PREDICATES)


def test_off_is_the_opposite_of_running() -> None:
    model = kitchen()
    graph = read_graph(model, start(model))
    assert graph.has("off", "oven_1") and not graph.has("running", "oven_1")
    assert graph.value("timer_1", "off") is None


def switched(state: HouseState, on: bool) -> HouseState:
    facts = state.attributes["oven_1"]
    return state.with_(attributes=apply(state.attributes, [Change(0, "oven_1", "running", facts["running"], on, "test")]))


def passed(model: StageModel, state: HouseState, tick: int, elapsed: int) -> HouseState:
    return state.with_(attributes=apply(state.attributes, advance(read_graph(model, state), tick, elapsed)))


def test_a_device_keeps_the_record_of_its_cycle() -> None:
    model = kitchen()
    state = passed(model, switched(start(model), True), 100, 1)
    assert state.attributes["oven_1"] == {"running": True, "cycle_started": 100, "cycle_contents": "pie_1", "cycle_valid": True}
    assert passed(model, state, 101, 1).attributes == state.attributes
    opened = passed(model, state.with_(joints={"oven_1_hinge": -1.6}), 150, 1)
    assert opened.attributes["oven_1"]["cycle_valid"] is False
    ended = passed(model, switched(state, False), 700, 1)
    assert ended.attributes["oven_1"] == {"running": False, "cycle_contents": "pie_1", "cycle_valid": True, "cycle_ended": 700}


def test_a_cycle_that_begins_with_an_open_door_is_not_valid() -> None:
    model = kitchen()
    state = passed(model, switched(start(model, oven_1_hinge=-1.6), True), 3, 1)
    assert state.attributes["oven_1"]["cycle_valid"] is False


def test_skipping_ahead_gives_what_single_ticks_give() -> None:
    model = kitchen()
    state = switched(start(model), True)
    state = state.with_(attributes=apply(state.attributes, [Change(0, "timer_1", "rings_at", None, 37, "test")]))
    slow, rang_at = state, None
    for tick in range(1, 61):
        slow = passed(model, slow, tick, 1)
        rang_at = rang_at or (tick if slow.attributes["timer_1"]["ringing"] else None)
    assert rang_at == 37
    fast, tick, stops = state, 0, []
    while (due := next_due(read_graph(model, fast), tick)) is not None:
        fast, tick = passed(model, fast, due, due - tick), due
        stops.append(due)
    assert stops == [1, 37]
    assert fast.attributes == slow.attributes
