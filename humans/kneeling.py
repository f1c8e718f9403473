"""Kneeling on both knees, toes on the floor: upright, sat back on the heels and between, leaning forward (InteractiveWorld B.2.2).

The feet stay where `stand` puts them and roll over their balls, so one kneels down and gets up again without a step; the knees come to
rest ahead of the stance. Kneeling brings the shoulders to the height of low shelves with an upright trunk and free thighs.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from humans.kinematics import joint_transforms, skin
from humans.model import JOINT, BodyModel
from humans.postures import DEEPER_M, KNEEL_HEEL_RAD, MAX_DROP_M, Posture, centre_of_mass, solve_posture
from humans.proxies import CAPSULE, rig

KNEES_APART_RAD = -0.05
"""How far the knees turn out on top of what flexed legs do anyway."""
SAT_BACK_M = 0.02
"""Pelvis ahead of the stance where one sits on the heels."""
MOST_SAT = 0.6
"""Farther back the thighs would lie on the calves."""
BEHIND_KNEES_M = 0.03
"""The centre of mass stays so far behind the knees."""
SOFT_M = 0.004
"""How far the skin of the knee gives on the floor."""
ARMS_RAD = -0.9
"""Swings the free arms back to where they hang: the legs, not the trunk, are bent."""
REST_M = 0.03
"""About the height of the knee joints over the floor."""
_STEPS, _ROUNDS = 30, 3


def kneel_posture(body: BodyModel, xy_m: ArrayLike, heading_rad: float, lean_rad: float, sat: float) -> Posture:
    """Knees on the floor, trunk pitched by lean_rad (-0.2..1.2), sat back by `sat` (0 thighs upright .. MOST_SAT near the heels).

    Someone who leans far sits back as far as balance asks, whatever `sat`. Raises ValueError when a number is out of range.
    """
    if not 0.0 <= sat <= MOST_SAT:
        raise ValueError(f"sat {sat} is outside 0..{MOST_SAT}")
    if not -0.2 <= lean_rad <= 1.2:
        raise ValueError(f"lean_rad {lean_rad} is outside -0.2..1.2")
    x, y = (float(v) for v in np.asarray(xy_m, np.float64))
    return replace(_kneeling(body, float(lean_rad), float(sat)), x_m=x, y_m=y, heading_rad=float(heading_rad))


def kneels(posture: Posture) -> bool:
    """Whether a posture rests on the knees."""
    return posture.heel_rad >= KNEEL_HEEL_RAD - 1e-9


@lru_cache(maxsize=256)
def _kneeling(body: BodyModel, lean_rad: float, sat: float) -> Posture:
    upright = _on_knees(body, lean_rad, 0.0)
    while sat <= MOST_SAT:
        found = _on_knees(body, lean_rad, sat)
        if float(centre_of_mass(body, found)[0]) <= _knees_at(body, upright)[0] - BEHIND_KNEES_M:
            return found
        sat += 0.05
    return _on_knees(body, lean_rad, MOST_SAT)


def _on_knees(body: BodyModel, lean_rad: float, sat: float) -> Posture:
    """The pelvis so far ahead of the stance as `sat` says, and so low that the knees rest."""
    ahead = (1.0 - sat) * _upright_ahead_m(body) + sat * SAT_BACK_M
    start = Posture(0.0, 0.0, 0.0, 0.0, lean_rad, -ahead, heel_rad=KNEEL_HEEL_RAD, knees_out_rad=KNEES_APART_RAD, arm_raise_rad=ARMS_RAD)
    return _lowered(body, start)


@lru_cache(maxsize=8)
def _upright_ahead_m(body: BodyModel) -> float:
    """How far ahead of the stance the hips are over the resting knees."""
    ahead = 0.35
    for _ in range(6):
        posture = _lowered(body, Posture(0.0, 0.0, 0.0, pelvis_back_m=-ahead, heel_rad=KNEEL_HEEL_RAD, knees_out_rad=KNEES_APART_RAD))
        ahead += float(_knees_at(body, posture)[0]) - ahead
    return ahead


def _lowered(body: BodyModel, posture: Posture) -> Posture:
    """The posture with its pelvis so low that the knees rest: on their skin, the capsules not below the floor."""
    height = REST_M
    for _ in range(_ROUNDS):
        found = _with_knees_at(body, posture, height)
        height -= _gap_m(body, found)
    return _with_knees_at(body, posture, height)


def _with_knees_at(body: BodyModel, posture: Posture, height_m: float) -> Posture:
    """The posture with its pelvis so low that the knee joints are at a height (bisection)."""
    low, high = 0.25, MAX_DROP_M + DEEPER_M
    for _ in range(_STEPS):
        middle = 0.5 * (low + high)
        if float(_knees_at(body, replace(posture, pelvis_drop_m=middle))[1]) > height_m:
            low = middle
        else:
            high = middle
    return replace(posture, pelvis_drop_m=0.5 * (low + high))


def _gap_m(body: BodyModel, posture: Posture) -> float:
    """How far knees could still go down."""
    bones = joint_transforms(body, *solve_posture(body, posture))
    own = np.isin(body.dominant_joint(), [JOINT[f"{side}_{name}"] for side in ("left", "right") for name in ("hip", "knee")])
    r = rig(body)
    rows = [CAPSULE[f"{side}_{name}"] for side in ("left", "right") for name in ("thigh", "shin")]
    ends = [
        float((bones[joint[i]] @ [*offset[i], 1.0])[2] - r.radius_m[i])
        for joint, offset in ((r.joint_a, r.offset_a_m), (r.joint_b, r.offset_b_m))
        for i in rows
    ]
    return min(float(skin(body, bones)[own, 2].min()) + SOFT_M, min(ends))


def _knees_at(body: BodyModel, posture: Posture) -> tuple[float, float]:
    """How far ahead of the stance, and how high, the middle of the knees is (of a posture at the origin, facing +x)."""
    at = joint_transforms(body, *solve_posture(body, posture))[[JOINT["left_knee"], JOINT["right_knee"]], :3, 3].mean(axis=0)
    return float(at[0]), float(at[2])
