"""Kneeling: knees and toes on the floor, balance, and the way down and up without a step."""

from __future__ import annotations

import numpy as np
import pytest

from assistcore.house.contacts import SOLE_M, body_hits
from humans.kinematics import joint_transforms, skin
from humans.kneeling import MOST_SAT, kneel_posture, kneels
from humans.model import JOINT, load_body
from humans.postures import Posture, blend_posture, centre_of_mass, lean_posture, solve_posture
from humans.proxies import ADJACENT_PAIRS, capsules

BODY = load_body()
HALF_TOE_M = 0.20
"""How far the toes reach ahead of the stance: the feet of the idle stance are about its middle."""


def transforms(posture: Posture) -> np.ndarray:
    return joint_transforms(BODY, *solve_posture(BODY, posture))


@pytest.mark.parametrize("sat", [0.0, 0.3, MOST_SAT])
@pytest.mark.parametrize("lean", [0.0, 0.5, 0.9])
def test_knees_and_toes_rest_on_the_floor(lean: float, sat: float) -> None:
    posture = kneel_posture(BODY, (0.4, -0.3), 1.1, lean, sat)
    bones, shapes = transforms(posture), capsules(BODY, transforms(posture))
    own = np.isin(BODY.dominant_joint(), [JOINT[f"{side}_{name}"] for side in ("left", "right") for name in ("hip", "knee")])
    assert -0.006 < float(skin(BODY, bones)[own, 2].min()) < 0.012
    low = np.minimum(shapes.a_m, shapes.b_m)[:, 2] - shapes.radius_m
    for name, height in zip(shapes.names, low, strict=True):
        assert height > (-SOLE_M if name.endswith("foot") else -0.002), name
    assert kneels(posture)


@pytest.mark.parametrize(("lean", "sat"), [(0.1, 0.6), (0.9, 0.6), (0.3, 0.3), (0.0, 0.0)])
def test_no_limb_meets_another_and_the_weight_is_between_toes_and_knees(lean: float, sat: float) -> None:
    posture = kneel_posture(BODY, (0.0, 0.0), 0.0, lean, sat)
    bones = transforms(posture)
    shapes = capsules(BODY, bones)
    assert [h for h in body_hits(shapes.names, shapes.a_m, shapes.b_m, shapes.radius_m, ADJACENT_PAIRS) if h.distance_m < -0.002] == []
    assert HALF_TOE_M - 0.05 < float(centre_of_mass(BODY, posture)[0]) < float(bones[JOINT["left_knee"], 0, 3])


@pytest.mark.parametrize("sat", [0.0, 0.3, 0.6])
def test_the_way_down_keeps_the_feet_and_stays_above_the_floor(sat: float) -> None:
    stance = (0.0, 0.0)
    up, squat = Posture(0.0, 0.0, 0.0), lean_posture(BODY, stance, 0.0, 0.5, 1.2, heel_rad=0.75)
    keys = [up, squat, kneel_posture(BODY, stance, 0.0, 0.1, sat)]
    ball = transforms(up)[JOINT["left_foot"], :3, 3]
    for a, b in zip(keys, keys[1:], strict=False):
        for t in np.linspace(0.0, 1.0, 9):
            bones = transforms(blend_posture(a, b, float(t)))
            assert float(skin(BODY, bones)[:, 2].min()) > -0.006
            assert float(np.linalg.norm(bones[JOINT["left_foot"], :2, 3] - ball[:2])) < 0.015


def test_what_nobody_can_kneel_is_refused_with_the_number() -> None:
    with pytest.raises(ValueError, match="sat"):
        kneel_posture(BODY, (0.0, 0.0), 0.0, 0.0, 1.0)
    with pytest.raises(ValueError, match="lean_rad"):
        kneel_posture(BODY, (0.0, 0.0), 0.0, 1.5, 0.0)
