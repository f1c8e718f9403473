"""Slabs are laid down, what stands well stays upright, and tall things stick out of open baskets but not out of drawers."""

from __future__ import annotations

import numpy as np
import pytest

from actions.manipulation.attitudes import attitudes, turned_box
from actions.manipulation.placing import fits
from actions.manipulation.surroundings import regions_of
from actions.world import ActionWorld
from assistcore.house.stage import Entity, Region
from tests.actions.manipulation import scenes
from tests.actions.postures import furniture
from tests.actions.postures.watching import does


def slab(half: tuple[float, float, float]) -> Entity:
    """A box on the table, standing on the side that its last half size belongs to."""
    return scenes.thing("book_1", "book", scenes.at(0.62, -0.15, 0.75), (scenes.box("body", half, (0.0, 0.0, half[2])),))


HAND_IN_THE_FLOOR = pytest.mark.xfail(strict=True, reason="as it is gripped now, the hand would be 20 mm in the floor: it is refused")


@pytest.mark.parametrize("half", [(0.018, 0.075, 0.10), pytest.param((0.075, 0.018, 0.10), marks=HAND_IN_THE_FLOOR)])
def test_a_book_on_its_edge_is_laid_on_the_floor(half: tuple[float, float, float]) -> None:
    world = does(scenes.world(scenes.table(), slab(half), furniture.chair(x=-1.5, yaw=np.pi)), "pick", "book_1").world
    seen = does(world, "place_on_floor", "book_1", "chair_1")
    assert not seen.faults, seen.faults[:5]
    root = seen.world.state.poses["book_1"].matrix()
    assert abs(root[2, int(np.argmin(half))]) > 0.99, "its thin side is vertical"
    low, _ = turned_box(*seen.world.stage.entity("book_1").box_m, root[:3, :3])
    assert -0.002 < root[2, 3] + low[2] < 0.01


@pytest.mark.parametrize("half", [(0.03, 0.04, 0.12), (0.075, 0.10, 0.018), (0.035, 0.1, 0.14)])
def test_what_stands_or_lies_well_has_one_attitude(half: tuple[float, float, float]) -> None:
    world = scenes.world(scenes.table(), slab(half))
    assert len(attitudes(world, "book_1")) == 1


def basket(joints: bool) -> ActionWorld:
    """A box of 0.15 m, open at the top, and a bottle of 0.25 m; with a lid's door that could be shut, or without."""
    region = Region("inside", "interior", "base", (-0.15, -0.15, 0.01), (0.15, 0.15, 0.16), doors=("lid",) if joints else ())
    box = scenes.fixed(
        "basket_1", "basket", scenes.at(1.0, 0.0, 0.0), (scenes.box("floor", (0.15, 0.15, 0.005), (0, 0, 0.005)),), regions=(region,)
    )
    bottle = scenes.thing("bottle_1", "bottle", scenes.at(0.0, 1.0, 0.0), (scenes.cylinder("body", 0.04, 0.25),))
    return scenes.world(box, bottle)


@pytest.mark.parametrize("shuts", [False, True])
def test_a_bottle_sticks_out_of_what_is_open_at_the_top(shuts: bool) -> None:
    world = basket(shuts)
    refusal = fits(world, "bottle_1", regions_of(world, "basket_1")[0])
    assert (refusal is None) == (not shuts)
    assert refusal is None or "needs 0.25, has 0.15" in refusal.fact
