"""Raise in the annex: signs that lie on tables are stood up by their poles; what cannot be raised is refused."""

from __future__ import annotations

import numpy as np
import pytest

from assistcore.house.constraints import assembly_root
from assistcore.world.outcomes import Code
from assistcore.world.poses import inverse
from tests.engines.house.annex import at, done, refused, resumed

RAISED = [
    ("workshop", "[Raise] <base> (3)", "base_3"),
    ("mail_room", "[Raise] <base> (4)", "base_4"),
    ("laundry", "[StandUpright] <base> (5)", "base_5"),
    ("hall", "[Erect] <base> (6)", "base_6"),
    ("hall", "[Raise] <panel> (4)", "panel_4"),
]


@pytest.mark.rotating(2)
@pytest.mark.parametrize(("spot", "text", "named"), RAISED)
def test_a_lying_sign_stands_up_as_one(spot: str, text: str, named: str) -> None:
    house = at(spot)
    start = house.state
    root = assembly_root(start.attached, named)
    assert not house.graph().has("raised", root)
    done(house, text)
    state, stage = house.state, house.stage
    assert house.graph().has("raised", root) and state.attached == start.attached
    assert float(np.degrees(np.arccos(state.root(stage, root)[2, 2]))) < 1.0
    for row in state.attached:
        now = inverse(state.root(stage, row.parent)) @ state.root(stage, row.child)
        assert float(np.abs(now - row.parent_child.matrix()).max()) < 1e-9


REFUSED = [
    ("workshop", (), "[Raise] <base> (1)", Code.ALREADY),
    ("workshop", (), "[Raise] <frame> (1)", Code.NOT_AFFORDED),
    ("workshop", (), "[Raise] <pole> (1)", Code.NOT_AFFORDED),
    ("workshop", (), "[Raise] <base> (9)", Code.UNKNOWN_ENTITY),
    ("mail_room", ("[Grab] <parcel> (3)",), "[Raise] <base> (4)", Code.HAND_FULL),
]


@pytest.mark.parametrize(("spot", "before", "text", "code"), REFUSED)
def test_each_missing_fact_has_its_code(spot: str, before: tuple[str, ...], text: str, code: str) -> None:
    house = at(spot)
    if before:
        done(house, *before, watched=False)
    found = refused(house, text)
    assert found.code == code and found.fact, found


def test_what_lies_on_the_floor_is_refused_with_what_stopped_the_best_try() -> None:
    """One grip cannot lead it all the way: the arm ends short, or the person's own legs are in the way of the pole."""
    house = at("workshop")
    found = refused(house, "[Raise] <base> (2)")
    assert found.code in {Code.OUT_OF_REACH, Code.TRAJECTORY_COLLISION} and found.fact, found


@pytest.mark.rotating(1)
@pytest.mark.parametrize("share", [0.5, 0.7, 0.95])
def test_saved_in_the_middle_it_goes_on_the_same(share: float) -> None:
    there, here = resumed("mail_room", ("[Raise] <base> (4)",), share)
    assert there == here
