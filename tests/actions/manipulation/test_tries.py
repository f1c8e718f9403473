"""Refused grabs: a second search does not repeat the first."""

from __future__ import annotations

import pytest

from actions.manipulation import grab
from actions.manipulation.grab import Failure, Tries, plan_grab
from actions.world import ActionWorld
from tests.actions.manipulation.scenes import mug, table, world


@pytest.fixture
def wedged() -> ActionWorld:
    """A mug 20 mm deep in another, within reach."""
    return world(table(), mug("mug_1", 0.65, -0.1), mug("mug_2", 0.65, -0.04), xy=(0.2, -0.1))


def test_a_search_with_edges_makes_no_attempt_again(wedged: ActionWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    attempt, made = grab._attempt, list[object]()

    def counted(*asked: object) -> object:
        made.append(asked)
        return attempt(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(grab, "_attempt", counted)
    tries = Tries()
    first = plan_grab(wedged, "mug_1", edges=False, tries=tries)
    attempts = len(made)
    again = plan_grab(wedged, "mug_1", edges=True, tries=tries)
    assert attempts and len(made) == attempts
    alone = plan_grab(wedged, "mug_1", edges=True)
    assert len(made) == 2 * attempts
    assert isinstance(first, Failure) and isinstance(again, Failure) and isinstance(alone, Failure)
    assert (again.stage, again.refusal) == (alone.stage, alone.refusal) == (first.stage, first.refusal)
