"""Answers kept while a command is planned: the ones planning again would give, and the budget left as planning again leaves it."""

from __future__ import annotations

from collections.abc import Iterator

from actions.manipulation.drive import plan_drive
from actions.manipulation.known import ByCost, ByState, Replay
from actions.manipulation.reach import BUDGET, Budget, budget_of
from actions.world import ActionWorld
from assistcore.world.engine import Scenario
from assistworld.studies.trials import shared_engine


def world() -> ActionWorld:
    engine = shared_engine()
    engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    assert engine.parts is not None
    return ActionWorld(engine.stage, engine.body, engine.parts.collision, engine.state)


def spend(here: ActionWorld, wanted: int) -> int:
    """How many of the wanted motions the budget lets one try."""
    tried = 0
    while tried < wanted and budget_of(here).motions > 0:
        budget_of(here).motions -= 1
        tried += 1
    return tried


def test_a_state_is_the_same_only_where_every_number_is() -> None:
    state = world().state
    kept = ByState[str]()
    assert kept.get(state, "asked", lambda: "first") == "first"
    assert kept.get(state.with_(poses=dict(state.poses)), "asked", lambda: "made again") == "first"
    assert kept.get(state, "asked otherwise", lambda: "other") == "other"
    joint = next(iter(state.joints))
    assert kept.get(state.with_(joints={**state.joints, joint: 1e-12}), "asked", lambda: "another joint") == "another joint"


def test_a_kept_answer_costs_what_it_cost_and_is_made_again_where_the_budget_ends_within_it() -> None:
    here, kept = world(), ByCost[int]()
    for before, found, left in ((9, 4, 5), (5, 4, 1), (4, 4, 0), (2, 2, 0), (9, 4, 5)):
        here.caches[BUDGET] = Budget(before)
        assert kept.get(here, "asked", lambda: spend(here, 4)) == found
        assert budget_of(here).motions == left


def test_a_search_that_its_budget_cut_off_is_not_kept() -> None:
    here, kept = world(), ByCost[int]()
    here.caches[BUDGET] = Budget(2)
    assert kept.get(here, "asked", lambda: spend(here, 4)) == 2
    here.caches[BUDGET] = Budget(9)
    assert kept.get(here, "asked", lambda: spend(here, 4)) == 4


def test_values_are_made_once_and_only_when_somebody_gets_that_far() -> None:
    made: list[int] = []

    def source() -> Iterator[int]:
        for k in range(4):
            made.append(k)
            yield k

    values = Replay(source())
    one, other = iter(values), iter(values)
    assert next(one) == 0 and made == [0]
    assert [next(other), next(other)] == [0, 1] and made == [0, 1]
    assert list(one) == [1, 2, 3] and list(values) == [0, 1, 2, 3] and made == [0, 1, 2, 3]


def test_a_door_is_planned_the_same_after_another_one() -> None:
    """Nothing that was kept for one command reaches the next."""
    here = world()
    first = plan_drive(here, "fridge_1", True)
    plan_drive(here, "oven_1", True)
    again = plan_drive(here, "fridge_1", True)
    assert isinstance(first, list) and isinstance(again, list) and len(first) == len(again)
    assert all(a.pose_rad.tobytes() == b.pose_rad.tobytes() for a, b in zip(first, again, strict=True))
