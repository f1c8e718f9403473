"""Stir on small synthetic stages: the head goes round inside the vessel; what it lacks is said with its code."""

from __future__ import annotations

import numpy as np
import pytest

from actions.tools.tips import held_tool
from actions.verbs import pick, stir
from actions.world import ActionWorld
from assistcore.house.stage import Entity
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose, inverse
from tests.actions.manipulation.checks import held_steadily, planned, play, speeds
from tests.actions.manipulation.scenes import drawer, mug, table, world
from tests.actions.tools.scenes import command, spoon, told, vessel


def holding(*things: object) -> ActionWorld:
    """A table with a spoon, which is taken, and things."""
    w = world(table(), spoon(), *things)  # type: ignore[arg-type]
    return play(w, planned(pick.plan(w, command("pick", "spoon_1"))).segments)


@pytest.mark.parametrize(
    "target",
    [
        vessel("bowl_1", 0.65, 0.1),
        vessel("bowl_1", 0.7, -0.05, radius=0.1, height=0.12),
        vessel("bowl_1", 0.62, 0.3, radius=0.09, height=0.05),
    ],
    ids=["bowl", "pot", "pan"],
)
def test_the_head_goes_round_inside(target: Entity) -> None:
    w = holding(target)
    plan = planned(stir.plan(w, command("stir", "bowl_1", "spoon_1")))
    after = play(w, plan.segments)
    hand, joint = speeds(w, plan.segments)
    assert hand <= 2.5 and joint <= 10.0 and held_steadily(w, plan.segments) < 1e-6
    assert told(after, "bowl_1", "stirred") is True
    low, high = np.asarray(target.regions[0].low_m), np.asarray(target.regions[0].high_m)
    tool = held_tool(w, "tip")
    assert tool is not None
    rows = next(s.carried["spoon_1"] for s in plan.segments if s.phase == "stir")
    T = inverse(w.state.root(w.stage, "bowl_1"))
    tips = np.stack([(T @ Pose.from_array(row).matrix() @ tool.T_object_tip)[:3, 3] for row in rows])
    deep = tips[tips[:, 2] < high[2]]
    turned = np.unwrap(np.arctan2(deep[:, 1], deep[:, 0]))
    assert (np.abs(deep[:, :2]) < 1.2 * high[:2]).all() and (deep[:, 2] > low[2]).all()
    assert abs(turned[-1] - turned[0]) > 2.0 * np.pi * 2.9, "three turns"


def test_what_stirring_lacks_is_said() -> None:
    w = holding(vessel("bowl_1", 0.65, 0.1), mug("mug_1", 0.7, 0.4), vessel("cup_1", 0.75, 0.3, radius=0.02), drawer())

    def code(*keys: str) -> str:
        result = stir.plan(w, command("stir", *keys))
        assert isinstance(result, Refusal), result
        return result.code

    assert code("mug_1", "spoon_1") == Code.NOT_AFFORDED
    assert code("bowl_1", "mug_1") == Code.NOT_HELD
    assert code("cup_1", "spoon_1") == Code.DOES_NOT_FIT
    assert code("drawer_1", "spoon_1") == Code.CLOSED
    assert code("bowl_9", "spoon_1") == Code.UNKNOWN_ENTITY
