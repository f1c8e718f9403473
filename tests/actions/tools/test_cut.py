"""Cut on small synthetic stages: the stroke bites and keeps every limit; what it lacks is said with its code."""

from __future__ import annotations

import numpy as np
import pytest

from actions.tools.tips import held_tool
from actions.tools.touch import gap_m
from actions.verbs import cut, pick
from actions.world import ActionWorld
from assistcore.house.stage import Region
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose
from tests.actions.manipulation.checks import held_steadily, planned, play, same_state, speeds
from tests.actions.manipulation.scenes import at, box, drawer, mug, shelf, table, thing, world
from tests.actions.tools.scenes import command, knife, loaf, told


def holding(*things: object, **more: object) -> ActionWorld:
    """A table with a knife, which is taken, and things."""
    w = world(table(), knife(), *things, **more)  # type: ignore[arg-type]
    return play(w, planned(pick.plan(w, command("pick", "knife_1"))).segments)


@pytest.mark.parametrize(
    "target",
    [
        loaf("loaf_1", 0.65, 0.1),
        loaf("loaf_1", 0.62, 0.05, half=(0.04, 0.11, 0.05)),
        loaf("loaf_1", 0.7, -0.05, half=(0.02, 0.02, 0.012), yaw=0.7),
        loaf("loaf_1", 0.75, 0.3, half=(0.035, 0.035, 0.035), yaw=2.0),
    ],
    ids=["small", "long", "flat", "cube aside"],
)
def test_the_edge_bites_within_every_limit(target: object) -> None:
    w = holding(target)
    before = w.state
    plan = planned(cut.plan(w, command("cut", "loaf_1", "knife_1")))
    assert same_state(w.state, before), "planning changes nothing"
    after = play(w, plan.segments)
    hand, joint = speeds(w, plan.segments)
    assert hand <= 2.5 and joint <= 10.0
    assert held_steadily(w, plan.segments) < 1e-6
    assert told(after, "loaf_1", "cut") is True and after.state.held is not None
    assert _deepest(w, plan.segments) < -0.003, "the edge presses into the thing"


def _deepest(w: ActionWorld, segments: tuple) -> float:
    """Least distance of knife and loaf over the frames of the cut itself."""
    scratch, least = w.fork(), np.inf
    for segment in segments:
        if segment.phase == "cut":
            tool = held_tool(scratch, "edge")
            assert tool is not None
            for row in segment.carried["knife_1"]:
                T_tip = Pose.from_array(row).matrix() @ tool.T_object_tip
                least = min(least, gap_m(scratch, tool, T_tip, frozenset({"loaf_1"})))
        scratch.advance(segment)
    return float(least)


def code(result: object) -> str:
    assert isinstance(result, Refusal), result
    return result.code


def test_what_cutting_lacks_is_said() -> None:
    box_1 = thing("box_1", "box", at(0.7, -0.55, 0.75), (box("floor", (0.08, 0.08, 0.004), (0, 0, 0.004)),),
                  regions=(Region("inside", "interior", "base", (-0.08, -0.08, 0.008), (0.08, 0.08, 0.2)),))  # fmt: skip
    w = holding(loaf("loaf_1", 0.65, 0.1), mug("mug_1", 0.7, 0.4), box_1, loaf("loaf_2", 0.7, -0.55, 0.758),
                drawer(), loaf("loaf_3", 1.0, -2.0, 0.62), shelf(), loaf("loaf_4", 0.95, 2.0, 0.85))  # fmt: skip
    assert code(cut.plan(w, command("cut", "mug_1", "knife_1"))) == Code.NOT_AFFORDED
    assert code(cut.plan(w, command("cut", "loaf_1", "mug_1"))) == Code.NOT_HELD
    assert code(cut.plan(w, command("cut", "knife_1", "knife_1"))) == Code.BAD_ARGUMENT
    assert code(cut.plan(w, command("cut", "loaf_9", "knife_1"))) == Code.UNKNOWN_ENTITY
    inside = cut.plan(w, command("cut", "loaf_2", "knife_1"))
    assert code(inside) == Code.NOT_AFFORDED and "box_1" in inside.fact  # type: ignore[union-attr]
    assert code(cut.plan(w, command("cut", "loaf_3", "knife_1"))) == Code.CLOSED
    w.state = w.state.with_(attributes={"loaf_1": {"cut": True}})
    assert code(cut.plan(w, command("cut", "loaf_1", "knife_1"))) == Code.ALREADY


def test_a_mug_in_the_hand_cuts_nothing() -> None:
    w = world(table(), mug("mug_1", 0.65, -0.1), loaf("loaf_1", 0.65, 0.2))
    w = play(w, planned(pick.plan(w, command("pick", "mug_1"))).segments)
    assert code(cut.plan(w, command("cut", "loaf_1", "mug_1"))) == Code.NOT_AFFORDED


def test_out_of_reach_is_refused() -> None:
    w = holding(table("table_2", 3.0, 3.0, half=(1.3, 1.3)), loaf("loaf_1", 3.0, 3.0))
    assert code(cut.plan(w, command("cut", "loaf_1", "knife_1"))) in (Code.OUT_OF_REACH, Code.PATH_BLOCKED)
