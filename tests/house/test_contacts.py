"""How deep pairs may be: the same answer as from exact lengths, also where a contact lies on the edge of the touched place."""

from __future__ import annotations

import numpy as np

from assistcore.house.clearance import PLANNED_M, TOUCH_M, TOUCH_RADIUS_M, Allowed, Hit
from assistcore.house.contacts import bound_m

NOWHERE = frozenset[str]()


def test_a_touch_is_allowed_up_to_its_radius_to_the_last_bit() -> None:
    rng = np.random.default_rng(5)
    answers = set()
    for share in (0.5, 1.0 - 1e-9, 1.0 - 1e-15, 1.0, 1.0 + 1e-15, 1.0 + 1e-9, 2.0):
        for _ in range(60):
            there, way = rng.uniform(-5.0, 5.0, 3), rng.normal(size=3)
            point = there + share * TOUCH_RADIUS_M * way / np.linalg.norm(way)
            inside = float(np.linalg.norm(np.subtract(tuple(point), tuple(there)))) <= TOUCH_RADIUS_M
            answers.add((share, inside))
            allowed = Allowed(target="cup", point_m=(9.0, 9.0, 9.0), other_m=tuple(there.tolist()), hands=("left",))
            hit = Hit(-0.004, "left_hand", "cup", "", tuple(point.tolist()))
            assert bound_m(hit, allowed, PLANNED_M, NOWHERE) == (TOUCH_M if inside else PLANNED_M)
    assert len(answers) > 7, "none of the points is a close call"


def test_only_the_named_hands_touch() -> None:
    allowed = Allowed(target="cup", point_m=(0.0, 0.0, 0.0), hands=("left",))
    bounds = {name: bound_m(Hit(0.0, name, "cup", "", (0.0, 0.0, 0.0)), allowed, PLANNED_M, NOWHERE) for name in ("left", "left_hand",
              "right_hand", "left_lower_arm", "hand", "_hand", "left_hand_hand")}  # fmt: skip
    assert {name for name, bound in bounds.items() if bound == TOUCH_M} == {"left", "left_hand"}
