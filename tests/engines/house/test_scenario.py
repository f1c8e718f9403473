"""The house's scenario: everything wrong in one report with JSON pointers and the nearest name; what is right comes true."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assistcore.world.engine import Scenario
from assistcore.world.errors import AssistWorldError, InputError
from assistworld.engines.house.engine import HouseEngine


def test_every_problem_is_in_one_report(flat: HouseEngine) -> None:
    wrong = Scenario(
        "flat",
        {"spot": "kitchn"},
        [
            {"remove": "red_mugg_1"},
            {"move": "red_mug_1", "onto": "dining_tabel_1"},
            {"move": "red_mug_1"},
            {"set_open": "sofa_1"},
            {"remove": "fridge_1"},
            {"teleport": "red_mug_1"},
            {"set_open": "fridge_1", "fraction": 1.5},
            {"move": "red_mug_1", "into": "fridge_1", "region": "shelf_77"},
            {"set": "kettel_1", "attribute": "running", "value": True},
            {"remove": "apple_1"},
        ],
    )
    with pytest.raises(InputError) as caught:
        flat.reset(wrong, 0)
    found = {p.where: str(p) for p in caught.value.problems}
    assert set(found) == {
        "scenario#/human/spot",
        *(f"scenario#/changes/{i}" for i in (0, 1, 2, 3, 4, 5, 7, 8)),
        "scenario#/changes/6/fraction",
    }
    assert "did you mean 'kitchen'" in found["scenario#/human/spot"]
    assert "did you mean 'red_mug_1'" in found["scenario#/changes/0"]
    assert "did you mean 'dining_table_1'" in found["scenario#/changes/1"]
    assert "did you mean 'kettle_1'" in found["scenario#/changes/8"]
    assert "exactly one of onto, into" in found["scenario#/changes/2"]
    assert "is a fixture" in found["scenario#/changes/4"]
    assert "1.5" in found["scenario#/changes/6/fraction"]
    assert "shelf_1" in found["scenario#/changes/7"], "what it has is named"
    text = str(caught.value)
    assert "10 problem(s)" in text and all(where in text for where in found)


def test_unknown_keys_are_refused_with_their_place(flat: HouseEngine) -> None:
    with pytest.raises(InputError) as caught:
        flat.reset(Scenario("flat", {"spot": "hall", "mood": "good"}, [{"remove": "apple_1", "why": "eaten"}]), 0)
    assert [p.where for p in caught.value.problems] == ["scenario#/human/mood", "scenario#/changes/0/why"]


def test_an_unknown_scene_is_named(flat: HouseEngine) -> None:
    with pytest.raises(AssistWorldError, match="did you mean 'flat'"):
        flat.reset(Scenario("flta"), 0)


def test_what_does_not_fit_is_refused_with_both_sizes(flat: HouseEngine) -> None:
    with pytest.raises(InputError, match=r"cereal_box_1 needs 0\.\d\d m, drawer_1 inside has 0\.\d\d m"):
        flat.reset(Scenario("flat", {}, [{"move": "cereal_box_1", "into": "drawer_1"}]), 0)


def test_changes_come_true(flat: HouseEngine) -> None:
    changes: list[dict[str, Any]] = [
        {"move": "red_mug_1", "onto": "dining_table_1", "spot": [0.7, 0.6], "yaw_deg": 40},
        {"move": "apple_1", "into": "fridge_1", "region": "shelf_3"},
        {"set_open": "fridge_1"},
        {"set_open": "kitchen_door_1", "fraction": 0.5},
        {"remove": "banana_1"},
        {"set": "kettle_1", "attribute": "running", "value": True},
    ]
    flat.reset(Scenario("flat", {"xy_m": [8.7, 6.1], "heading_deg": 90}, changes), 0)
    graph = flat.graph()
    assert graph.has("on", "red_mug_1", "dining_table_1")
    assert graph.has("inside", "apple_1", "fridge_1")
    assert graph.has("open", "fridge_1") and graph.value("fridge_1", "joint") == 1000
    assert graph.value("kitchen_door_1", "joint") == 500
    assert graph.value("kettle_1", "running") is True
    assert graph.value("banana_1", "place") is None and "banana_1" not in flat.state.poses
    assert flat.state.body.xy_m == (8.7, 6.1) and flat.state.body.heading_rad == pytest.approx(1.5707963)
    assert graph.value("human_1", "room") == "kitchen"


def test_changes_leave_everything_else_where_it_was(flat: HouseEngine) -> None:
    flat.reset(Scenario("flat"), 0)
    before = dict(flat.state.poses)
    flat.reset(Scenario("flat", {}, [{"move": "red_mug_1", "onto": "dining_table_1"}]), 0)
    assert {key for key, pose in flat.state.poses.items() if pose != before[key]} == {"red_mug_1"}


def test_a_drawer_that_is_opened_takes_along_what_is_in_it(flat: HouseEngine) -> None:
    """It was left behind where the closed drawer had been, under the table top."""
    flat.reset(Scenario("flat"), 0)
    shut = flat.state.poses["passport_1"].position_m
    flat.reset(Scenario("flat", {}, [{"set_open": "drawer_3", "fraction": 0.5}]), 0)
    slide = next(j for j in flat.stage.entity("drawer_3").joints)
    moved = np.subtract(flat.state.poses["passport_1"].position_m, shut)
    assert np.linalg.norm(moved) == pytest.approx(0.5 * abs(slide.open_at - slide.closed_at), abs=1e-6) and moved[2] == pytest.approx(0.0)
    assert flat.graph().has("inside", "passport_1", "drawer_3")
