"""What is let go of in the air: where it lands, and what it would strike with a part of it only."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from actions.manipulation.dropping import Fall, fall
from actions.verbs import pick
from actions.world import ActionWorld
from assistcore.world.poses import Pose
from humans.rotations import quat_wxyz_from_rotvec
from tests.actions.manipulation.checks import planned, play
from tests.actions.manipulation.scenes import at, box, mug, table, thing, world
from tests.actions.manipulation.test_grab_and_put import command

TOP_M = 0.75


@pytest.fixture(scope="module")
def holding() -> ActionWorld:
    """A mug in the hand, a low block and a tall box on the table."""
    low = thing("block_1", "block", at(0.65, 0.6, TOP_M), (box("b", (0.03, 0.03, 0.05), (0, 0, 0.05)),))
    tall = thing("box_1", "box", at(0.65, -0.6, TOP_M), (box("b", (0.03, 0.06, 0.15), (0, 0, 0.15)),))
    w = world(table(), mug("mug_1", 0.65, 0.0), low, tall, xy=(-0.6, 0.3))
    return play(w, planned(pick.plan(w, command("pick", "mug_1"))).segments)


def falling_from(w: ActionWorld, pose: Pose) -> Fall:
    there = w.fork()
    there.state = w.state.with_(poses={**w.state.poses, "mug_1": pose})
    return fall(there)


def test_it_lands_on_the_level_ground_below(holding: ActionWorld) -> None:
    onto_the_table = falling_from(holding, at(0.65, 0.0, TOP_M + 0.2))
    assert onto_the_table.edge == "" and onto_the_table.poses["mug_1"].position_m[2] == pytest.approx(TOP_M, abs=0.008)
    onto_the_floor = falling_from(holding, at(-0.6, 0.9, TOP_M + 0.2))
    assert onto_the_floor.edge == "" and onto_the_floor.poses["mug_1"].position_m[2] == pytest.approx(0.0, abs=0.008)


def test_what_stands_below_a_part_of_it_is_an_edge(holding: ActionWorld) -> None:
    """A jar fell on the lid of another one, and stayed where the hand went home."""
    found = falling_from(holding, at(0.68, 0.62, TOP_M + 0.2))
    assert found.edge == "block_1" and found.poses["mug_1"].position_m[2] == pytest.approx(TOP_M + 0.1, abs=0.008)


def test_what_stands_taller_beside_it_stops_it_on_one_side(holding: ActionWorld) -> None:
    """A pot held aslant came down on a taller box beside it and threw that at the hand."""
    w, x, y, z = quat_wxyz_from_rotvec(np.radians([0.0, 50.0, 0.0])).tolist()
    beside = replace(at(0.56, -0.6, TOP_M + 0.33), quat_wxyz=(w, x, y, z))
    found = falling_from(holding, beside)
    assert found.edge == "box_1" and found.poses["mug_1"].position_m[2] > TOP_M + 0.25
