"""Ways of the hand between two keys: back to the body before it goes down to a low place, or up to a high one."""

from __future__ import annotations

from functools import partial

import numpy as np

from actions.manipulation.keys import Key
from actions.manipulation.posture import rung
from actions.manipulation.reach import Choice, Standing, key_for, standing
from actions.manipulation.vias import Lazy, vias
from tests.actions.manipulation.scenes import table, world


def key_at(here: Standing, lean: float, squat: float, ahead: float, up: float) -> Key:
    """The right hand at a point ahead, in a posture."""
    T = here.start.T_wrist.copy()
    T[:3, 3] = here.world_point(ahead, -0.15, up)
    return key_for(here, Choice(0, rung(here.figure.body, lean, squat), 0.0, 0.0), T, here.start.fingers, None)


def ahead_and_up(here: Standing, key: Key) -> tuple[float, float]:
    """Where the hand of a key is in the stance frame, seen from the side."""
    x, _, z = (np.linalg.inv(here.T_stance) @ key.T_wrist[:, 3])[:3].tolist()
    return float(x), float(z)


def test_the_hand_is_drawn_back_before_it_goes_down_to_a_low_place() -> None:
    here = standing(world(table(x=2.0)), "right")
    ways = vias(here, key_at(here, 0.0, 0.0, 0.43, 1.15), key_at(here, 0.9, 0.6, 0.6, 0.5))
    firsts = [ahead_and_up(here, way[0]) for way in ways if len(way) == 2]
    assert any(x < 0.25 and z > 1.1 for x, z in firsts), "straight back, over what stands on a counter"
    assert any(x < 0.15 and z > 1.1 for x, z in firsts), "farther back, for what is long"


def test_the_hand_is_drawn_back_before_it_goes_up_to_a_high_place() -> None:
    here = standing(world(table(x=2.0)), "right")
    ways = vias(here, key_at(here, 0.0, 0.0, 0.43, 1.15), key_at(here, 0.0, 0.0, 0.5, 1.5))
    pairs = [tuple(ahead_and_up(here, key) for key in way) for way in ways if len(way) == 2]
    assert any(back[0] < 0.2 and back[1] < 1.2 and over[0] < 0.2 and over[1] > 1.5 for back, over in pairs)


def test_a_way_is_worked_out_when_it_is_asked_for() -> None:
    made: list[int] = []

    def item(k: int) -> int:
        made.append(k)
        return k

    items = Lazy([partial(item, k) for k in range(5)])
    assert len(items[1:]) == 4 and not made
    assert items[1:][2] == 3 and made == [3]
    assert list(items[:2]) == [0, 1] and made == [3, 0, 1]
