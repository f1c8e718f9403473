"""Push and pull in the annex: five and more situations under the checker, what rides along, every refusal, save and restore on the way."""

from __future__ import annotations

import re

import numpy as np
import pytest

from assistcore.house.constraints import riders_of
from assistcore.world.outcomes import Code
from assistcore.world.poses import inverse
from tests.engines.house.annex import at, done, refused, resumed

MOVED = [
    ("mail_room", (), "[Push] <cart> (1) <sorting_table> (1)", "cart_1"),
    ("mail_room", (), "[PushRack] <cart> (1) <hall> (1)", "cart_1"),
    ("mail_room", (), "[Push] <cart> (1) <workbench> (1)", "cart_1"),
    ("workshop", (), "[Push] <rack> (1) <mail_room> (1)", "rack_1"),
    ("workshop", (), "[Push] <rack> (1) <trestle_table> (1)", "rack_1"),
    ("hall", ("[OpenDoor] <break_room_door> (1)",), "[Push] <cart> (1) <break_room> (1)", "cart_1"),
    ("mail_room", (), "[Pull] <cart> (1) <sorting_table> (1)", "cart_1"),
    ("mail_room", (), "[Pull] <cart> (1) <hall> (1)", "cart_1"),
    ("mail_room", (), "[PullRack] <cart> (1) <workshop> (1)", "cart_1"),
    ("workshop", (), "[Pull] <rack> (1) <workbench> (1)", "rack_1"),
    ("hall", ("[OpenDoor] <hall_door> (1)",), "[Pull] <cart> (1) <corridor> (1)", "cart_1"),
]


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("spot", "before", "text", "fixture"), MOVED)
def test_a_fixture_arrives_with_what_stands_on_it(spot: str, before: tuple[str, ...], text: str, fixture: str) -> None:
    house = at(spot)
    if before:
        done(house, *before)
    stage, start = house.stage, house.state
    riders = riders_of(stage, start, fixture)
    assert riders
    done(house, text)
    state, goal = house.state, text.split("<")[2].split(">")[0]
    parsed = house.parse(text)
    key = parsed.command.entities()[1].key  # type: ignore[union-attr]
    graph = house.graph()
    near = graph.value(fixture, "near")
    assert graph.value(fixture, "room") == goal or (isinstance(near, tuple) and key in near)
    assert float(np.linalg.norm(np.subtract(state.poses[fixture].position_m, start.poses[fixture].position_m))) > 0.3
    assert state.held is None and float(state.root(stage, fixture)[2, 2]) > 0.999
    for r in riders:
        now = inverse(state.root(stage, fixture)) @ state.root(stage, r.entity)
        assert float(np.abs(now - r.carrier_object.matrix()).max()) < 0.005, r.entity


def test_the_hand_keeps_the_bar_all_the_way() -> None:
    from actions.frames import WRIST, trunk_transforms

    house = at("mail_room")
    parsed = house.parse("[Push] <cart> (1) <sorting_table> (1)")
    assert house.begin(parsed.command) is None  # type: ignore[union-attr]
    worst = 0.0
    while not house.idle():
        house.tick()
        held = house.state.held
        if held is not None:
            body = house.state.body
            T = trunk_transforms(house.body, body.pose_rad[None], body.translation_m[None])[0, WRIST[held.hand]]
            worst = max(worst, float(np.abs(inverse(T) @ house.state.root(house.stage, "cart_1") - held.wrist_object.matrix()).max()))
    assert worst < 1e-6


REFUSED = [
    ("mail_room", ("[Grab] <parcel> (3)",), "[Push] <cart> (1) <hall> (1)", Code.HAND_FULL, "parcel_3"),
    ("mail_room", (), "[Push] <sorting_table> (1) <hall> (1)", Code.NOT_AFFORDED, "wheels"),
    ("mail_room", (), "[Pull] <parcel> (3) <hall> (1)", Code.NOT_AFFORDED, "wheels"),
    ("mail_room", (), "[Push] <cart> (1) <cart> (1)", Code.BAD_ARGUMENT, "itself"),
    ("mail_room", (), "[Push] <cart> (1)", Code.PARSE_ERROR, "destination"),
    ("mail_room", (), "[Push] <cart> (1) <moon> (1)", Code.UNKNOWN_ENTITY, "moon"),
    ("mail_room", (), "[Push] <cart> (1) <break_room> (1)", Code.DOOR_CLOSED, "break_room_door_1"),
    ("mail_room", (), "[Pull] <cart> (1) <mail_room> (1)", Code.ALREADY, "already"),
]


@pytest.mark.parametrize(("spot", "before", "text", "code", "word"), REFUSED)
def test_each_missing_fact_has_its_code(spot: str, before: tuple[str, ...], text: str, code: str, word: str) -> None:
    house = at(spot)
    if before:
        done(house, *before, watched=False)
    found = refused(house, text)
    assert found.code == code and word in found.fact, found


def test_nobody_turns_a_fixture_where_there_is_no_room_for_it() -> None:
    found = refused(at("workshop"), "[Pull] <rack> (1) <hall> (1)")
    assert found.code == Code.PATH_BLOCKED and "cannot turn" in found.fact and re.search(r"\d\.\d\d m", found.fact)


def test_a_walk_leads_through_four_closed_doors() -> None:
    house = at("hall")
    doors = ("hall_door_1", "office_door_1", "archive_door_1", "store_room_door_1")
    assert all(house.graph().has("closed", door) for door in doors)
    done(house, "[Walk] <packing_table> (1)")
    assert house.graph().value("human_1", "room") == "store_room" and all(house.graph().has("open", door) for door in doors)


@pytest.mark.rotating(2)
@pytest.mark.parametrize("share", [0.35, 0.6, 0.95])
@pytest.mark.parametrize(
    ("spot", "text"),
    [("mail_room", "[Push] <cart> (1) <sorting_table> (1)"), ("workshop", "[Pull] <rack> (1) <workbench> (1)")],
)
def test_saved_in_the_middle_it_goes_on_the_same(spot: str, text: str, share: float) -> None:
    there, here = resumed(spot, (text,), share)
    assert there == here
