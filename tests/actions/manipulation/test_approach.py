"""Walks to stances: planned once for a command, and whole turns on the way make no other place of a stance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.segments import segment_of
from actions.motions import Segment
from actions.stance import Stance
from actions.travel import forget_walks, travel
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.world.outcomes import Refusal
from tests.actions.manipulation.scenes import table, world

STANCE = Stance((0.1, 0.4), 0.0, 0.0, 0.0, 0.5)


def test_whole_turns_do_not_make_another_place() -> None:
    wound = world(table(), xy=(-0.8, 0.3))
    body = wound.state.body
    wound.state = wound.state.with_(body=replace(body, heading_rad=body.heading_rad + 4.0 * np.pi))
    asked: list[ActionWorld] = []

    def attempt(there: ActionWorld) -> list[Segment]:
        asked.append(there)
        body = there.state.body
        return [segment_of(there, "key", body.pose_rad[None], body.translation_m[None], allowed=Allowed())]

    steps = with_stance(wound, Goal("table_1", np.array([0.6, 0.0, 0.75]), here=False), attempt)
    assert not isinstance(steps, Refusal) and len(steps) > 1
    assert len(asked) == 1, "what was planned for the stance holds after the walk"
    assert abs(steps[-1].heading_rad[0] - steps[-2].heading_rad[-1]) < 1e-6, "no jump by whole turns"


def test_a_walk_is_planned_once_for_a_command() -> None:
    here = world(table(), xy=(-0.8, 0.3))
    first, again = (travel(here, STANCE) for _ in range(2))
    forget_walks(here)
    anew = travel(here, STANCE)
    assert not isinstance(first, Refusal) and not isinstance(again, Refusal) and not isinstance(anew, Refusal)
    assert first[0] is again[0] and first[0] is not anew[0]
    assert np.array_equal(first[0].pose_rad, anew[0].pose_rad)
