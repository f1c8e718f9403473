"""The posture ladder (seed B.2.2): upright, mild lean, deep lean, squat; shelf insertion keeps the trunk upright and flexes the legs.

Everything about a rung is kept in the stance frame (x ahead, y left, z up, origin on the floor below the body), so that candidates at any
stance cost one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.ik import arm_chain
from assistcore.house.clearance import PLANNED_M
from assistcore.house.contacts import body_hits
from assistcore.house.state import Hand
from humans.kinematics import joint_transforms
from humans.kneeling import kneel_posture
from humans.model import JOINT, BodyModel
from humans.postures import MAX_FORWARD_M, Posture, lean_posture, solve_posture
from humans.proxies import ADJACENT_PAIRS, CAPSULE, Capsules, capsules

F64 = NDArray[np.float64]

COUNTER = ((0.0, 0.0), (0.15, 0.0), (0.30, 0.0), (0.45, 0.0), (0.62, 0.0), (0.80, 0.05))
"""(lean, squat) for targets at counter height and above: upright to a strong lean."""
LOW = ((0.70, 0.15), (0.90, 0.30), (1.10, 0.45), (1.40, 0.10), (1.30, 0.55), (1.50, 0.30), (1.10, 0.80), (0.90, 0.90),
       (1.30, 0.80), (1.20, 0.90), (1.10, 1.0))  # fmt: skip
"""For low targets: 40 to 86 degrees of lean with hips, knees and ankles flexed (seed B.2.2)."""
INSERTION = ((0.0, 0.0), (0.12, 0.25), (0.15, 0.50), (0.25, 0.75), (0.35, 1.0), (0.55, 1.0), (0.75, 1.0))
"""For shelves and other interiors: legs flexed, trunk more upright."""
LOW_M = 0.8
BACK_RAD = -1.2
"""In the deepest squats the idle arm is swung back, past the thighs."""
FAR_M = MAX_FORWARD_M
FAR = ((0.45, 0.0), (0.62, 0.0), (0.80, 0.05), (0.95, 0.10))
"""After all others: strong leans with the weight on the balls of the feet, for what lies deep on a counter or shelf."""
FAR_LOW = ((1.10, 0.45), (1.30, 0.80), (1.30, 1.00), (1.40, 0.90))
"""The same for what is near the floor."""
DEEP = ((0.9, 1.25), (1.1, 1.35), (1.25, 1.4), (1.35, 1.43), (1.5, 1.43))
"""For the floor, after all others: (lean, squat) on the balls of the feet, the trunk between the knees."""
DEEP_HEEL_RAD, DEEP_M, DEEP_ARMS_RAD = 0.7, 0.42, 0.5
DEEP_FORWARD_M = 0.05
"""Their heels, the height below which they are looked at, and how far the idle arm swings ahead, past the knees."""
KNEEL = ((0.15, 0.6), (0.40, 0.6), (0.65, 0.6), (0.90, 0.6), (0.05, 0.3), (0.30, 0.3), (0.55, 0.3), (0.0, 0.0), (0.2, 0.05))
"""On both knees, for low shelves and drawers: (lean, how far one sits back)."""
KNEEL_M = 0.80
"""The height below which they are looked at."""
DENSE = tuple((lean, squat) for lean in (0.3, 0.62, 1.1, 0.0, 0.45, 0.95, 0.15, 1.3, 0.8, 1.5) for squat in (0.25, 0.0, 0.75, 0.5, 1.0))
"""All leans with all squats, for a second look where the ladder's postures have failed."""
TRUNK = ("spine", "pelvis", "left_thigh", "right_thigh", "head")
YAW_RAD = 0.30
"""How far the trunk turns to bring the reaching shoulder forward on the second pass."""


@dataclass(frozen=True, eq=False)
class Rung:
    """A posture in the stance frame with what the arms need of it: trunk (spine3) transform (4, 4) and shoulder points (3,) by side."""

    posture: Posture
    trunk: F64
    shoulder_m: dict[str, F64]
    touching: frozenset[str]
    """Limbs that meet others in this posture with hanging arms."""
    trunk_a_m: F64
    trunk_b_m: F64
    trunk_radius_m: F64
    """Capsules of TRUNK in the trunk frame: end points (5, 3), radii (5,)."""
    shapes: Capsules
    """All capsules in the stance frame, with hanging arms."""


@lru_cache(maxsize=1024)
def rung(body: BodyModel, lean_rad: float, squat: float, yaw_rad: float = 0.0, forward_m: float = 0.0, heel_rad: float = 0.0) -> Rung:
    """One rung, solved once per body; `forward_m` and `heel_rad` as in `lean_posture`."""
    raise_rad = DEEP_ARMS_RAD if heel_rad > 0.0 else BACK_RAD if lean_rad > 1.0 and squat >= 0.8 else 0.0
    leaning = lean_posture(body, (0.0, 0.0), 0.0, lean_rad, squat, forward_m, heel_rad)
    return _rung(body, replace(leaning, trunk_yaw_rad=yaw_rad, arm_raise_rad=raise_rad))


@lru_cache(maxsize=64)
def kneeling(body: BodyModel, lean_rad: float, sat: float, yaw_rad: float = 0.0) -> Rung:
    """A rung on both knees, as in `kneel_posture`."""
    return _rung(body, replace(kneel_posture(body, (0.0, 0.0), 0.0, lean_rad, sat), trunk_yaw_rad=yaw_rad))


def _rung(body: BodyModel, posture: Posture) -> Rung:
    transforms = joint_transforms(body, *solve_posture(body, posture))
    shapes = capsules(body, transforms)
    hits = body_hits(shapes.names, shapes.a_m, shapes.b_m, shapes.radius_m, ADJACENT_PAIRS)
    touching = frozenset(name for h in hits if h.distance_m < -PLANNED_M for name in (h.mine, h.link))
    shoulders = {s: transforms[JOINT[f"{s}_shoulder"], :3, 3] for s in ("left", "right")}
    trunk = transforms[JOINT["spine3"]]
    rows = [CAPSULE[name] for name in TRUNK]
    a, b = ((points[rows] - trunk[:3, 3]) @ trunk[:3, :3] for points in (shapes.a_m, shapes.b_m))
    return Rung(posture, trunk, shoulders, touching, a, b, shapes.radius_m[rows], shapes)


def stance_matrix(xy_m: tuple[float, float], heading_rad: float) -> F64:
    """World from stance frame (4, 4)."""
    T = np.eye(4)
    c, s = np.cos(heading_rad), np.sin(heading_rad)
    T[:2, :2] = [[c, -s], [s, c]]
    T[:2, 3] = xy_m
    return T


def at_stance(posture: Posture, xy_m: tuple[float, float], heading_rad: float) -> Posture:
    """The same posture standing elsewhere."""
    return replace(posture, x_m=float(xy_m[0]), y_m=float(xy_m[1]), heading_rad=float(heading_rad))


def ladder(height_m: float, inside: bool) -> tuple[tuple[float, float], ...]:
    """(lean, squat) rungs in order of preference for a hand target at this height."""
    if inside:
        return INSERTION + LOW if height_m < 0.75 else INSERTION
    return COUNTER + LOW if height_m < LOW_M else COUNTER


def rungs(
    body: BodyModel,
    side: Hand,
    wrists_m: F64,
    *,
    inside: bool,
    slack_m: float = 0.0,
    turned: bool = True,
    kneel: bool = False,
    dense: bool = False,
) -> Iterator[Rung]:
    """Rungs from which some wrist point (n, 3), stance frame, is within reach of arm and shoulder girdle, plus `slack_m` (cheap bound).

    `turned`: also those with the trunk turned to bring the shoulder forward. `kneel`: for low targets those on the knees too. `dense`: many
    more leans and squats, the trunk turned either way.
    """
    chain = arm_chain(body, side)
    reach = chain.span_m[1] + 0.5 * float(np.linalg.norm(chain.bones_m[1])) * chain.collar_rad * 2.0
    turn = -chain.sign * YAW_RAD
    other = "right" if side == "left" else "left"
    yaws = (0.0, turn) if turned else (0.0,)
    height = float(np.median(wrists_m[:, 2]))
    near = [(*step, yaw, 0.0) for yaw in yaws for step in ladder(height, inside)]
    if inside:
        near += [(*step, yaw, 0.0) for yaw in yaws for step in COUNTER[1:]]  # last: where there is room for the head
    far = [(*step, yaw, FAR_M) for yaw in yaws for step in (FAR + FAR_LOW if height < LOW_M else FAR)]
    deep = (
        [(*step, yaw, DEEP_FORWARD_M, DEEP_HEEL_RAD) for yaw in yaws for step in DEEP] if height < DEEP_M and (dense or not inside) else []
    )
    if dense:
        near = [(*step, yaw, forward) for forward in (0.0, FAR_M) for yaw in (turn, 0.0, -turn) for step in DENSE]
    steps = [rung(body, *numbers) for numbers in near]
    if kneel and height < KNEEL_M:
        steps += [kneeling(body, *step, yaw) for yaw in yaws for step in KNEEL]
    steps += [rung(body, *numbers) for numbers in (*far, *deep)]
    steps = [step for step in steps if not any(name.startswith(other) for name in step.touching)]
    shoulders = np.array([step.shoulder_m[side] for step in steps]).reshape(-1, 1, 3)
    within = (np.linalg.norm(wrists_m - shoulders, axis=2) <= reach + slack_m).any(axis=1)
    yield from (steps[i] for i in np.flatnonzero(within))
