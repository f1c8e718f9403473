"""Doors and rooms (RULES, Contacts; seed B.2.1): doors in a row, handles on either side, what stands behind a leaf, a leaf ajar."""

from __future__ import annotations

import pytest

from actions.motions import Plan
from assistcore.house.state import BodyState, HouseState
from assistcore.world.outcomes import Refusal
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.doorways import Doorways, room_at
from tests.engines.house.annex import at


def begun(house: HouseEngine, text: str) -> Plan:
    """The plan of a command that begins."""
    parsed = house.parse(text)
    assert not isinstance(parsed, Refusal), parsed
    refusal = house.begin(parsed.command)
    assert refusal is None, refusal
    assert house.motion is not None
    return house.motion.plan


def states(state: HouseState, plan: Plan) -> list[HouseState]:
    """The planned states, frame by frame: body and joints."""
    out = []
    for segment in plan.segments:
        for k in range(len(segment)):
            x, y = segment.xy_m[k].tolist()
            body = BodyState(segment.pose_rad[k], segment.translation_m[k], (x, y), float(segment.heading_rad[k]))
            state = state.with_(body=body, joints={**state.joints, **{j: float(v[k]) for j, v in segment.joints.items()}})
            out.append(state)
    return out


def test_a_route_through_three_closed_doors_opens_each_before_it_is_passed() -> None:
    house = at("kitchen")
    row = ["kitchen_door_1", "office_door_1", "archive_door_1"]
    assert all(house.state.open_fraction(house.stage, house.stage.entity(key).joints[0].key) == 0.0 for key in row)
    watch = Doorways(house.stage, house.state)
    plan = begun(house, "[Walk] <archive> (1)")
    for tick, state in enumerate(states(house.state, plan)):
        watch.watch(tick, state)
    assert watch.problems == [] and watch.opened == row and plan.notes["doors"] == row
    assert room_at(house.stage, *plan.segments[-1].xy_m[-1].tolist()) == "archive"


@pytest.mark.rotating(1)
@pytest.mark.parametrize("room", ["corridor", "office"])
def test_a_handle_is_taken_on_the_side_where_the_person_is(room: str) -> None:
    house = at(room)
    plan = begun(house, "[OpenDoor] <office_door> (1)")
    first = next(s for s in plan.segments if s.joints)
    assert room_at(house.stage, *first.xy_m[0].tolist()) == room
    joint = house.stage.entity("office_door_1").joints[0]
    assert states(house.state, plan)[-1].joints[joint.key] == pytest.approx(joint.open_at, abs=1e-6)


def test_a_leaf_ajar_is_opened_the_rest_of_the_way() -> None:
    house = at("kitchen", {"set_open": "kitchen_door_1", "fraction": 0.3})
    plan = begun(house, "[Walk] <corridor> (1)")
    assert plan.notes["doors"] == ["kitchen_door_1"]
    moving = next(s for s in plan.segments if s.joints)
    joint = house.stage.entity("kitchen_door_1").joints[0]
    first = moving.joints[joint.key][0] / joint.open_at
    assert 0.3 <= first < 0.4, "from where it was, not from shut"
