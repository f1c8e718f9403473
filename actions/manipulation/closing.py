"""Closing the fingers on a thing: the wrist is shifted and turned about a grasp until the hand holds it (seed B.2.2, hand adaptation).

What comes out depends on the hand's frame in the thing's own frame only, so it is found once for each grasp of an asset.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.firmness import Firmness, firmness
from actions.manipulation.grasp import Grasp, Target
from actions.manipulation.holds import above_support
from assistcore.world.poses import inverse, transform_points
from humans.hands import Plane, wrap
from humans.model import BodyModel
from humans.rotations import matrix_from_rotvec

F64 = NDArray[np.float64]

FLOOR_M = -0.001
"""Fingers that close stay above what the thing stands on but for this."""
WISHES = (
    (0.0, 0.0, 0.0, 0.0, 0.0), (0.0, -0.012, 0.0, 0.0, 0.0), (0.0, 0.012, 0.0, 0.0, 0.0), (0.012, 0.0, 0.0, 0.0, 0.0),
    (-0.012, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, -0.012, 0.0, 0.0), (0.0, 0.0, 0.012, 0.0, 0.0), (0.0, 0.0, 0.0, 10.0, 0.0),
    (0.0, 0.0, 0.0, -10.0, 0.0), (0.0, 0.0, 0.0, 20.0, 0.0), (0.0, 0.0, 0.0, -20.0, 0.0), (0.0, 0.0, 0.0, 0.0, 15.0),
    (0.0, 0.0, 0.0, 0.0, -15.0), (0.012, -0.012, 0.0, 0.0, 0.0), (-0.012, -0.012, 0.0, 0.0, 0.0), (0.0, -0.024, 0.0, 0.0, 0.0),
)  # fmt: skip
"""Shifts along the fingers, out of the palm and to the thumb (metres); yaw about the thumb's axis and roll about the fingers (degrees)."""
HOPEFUL = 2
"""Digits that must touch after a few wishes for the rest to be tried."""
PATIENCE = 7
AGAIN = 2
"""How often the wishes are tried anew from the best of them."""


class Closed(NamedTuple):
    """A closed hand: wrist frame (4, 4) in the object frame, finger rotations (45,), how firm it is, and how many wraps it took."""

    T_object_wrist: F64
    pose_rad: F64
    firmness: Firmness
    wraps: int


def close_on(body: BodyModel, target: Target, grasp: Grasp, caches: dict[str, object], *, standing: bool) -> Closed:
    """The firmest way to close a hand at or near a grasp. `standing`: the thing stands on a level support."""
    T = inverse(target.T_object) @ grasp.T_wrist
    key = f"manipulation.closed:{id(target.shape)}:{grasp.side}:{grasp.family}:{grasp.kind}:{standing}:{np.round(T, 6).tobytes().hex()}"
    found = caches.get(key)
    if not isinstance(found, Closed):
        found = caches[key] = _close(body, target, grasp, T, standing)
    return found


def _close(body: BodyModel, target: Target, grasp: Grasp, T: F64, standing: bool) -> Closed:
    up = target.T_object[2, :3]
    corners = target.shape.corners_m
    bottom = float((corners @ up).min()) if standing and corners is not None else -np.inf
    low = bottom + float(target.T_object[2, 3])
    point = transform_points(inverse(target.T_object), grasp.point_m[None])[0]
    distance, floor = target.shape.surface, Plane(up, bottom + FLOOR_M)

    def closed(frame: F64, count: int) -> Closed:
        grip = wrap(body, grasp.family, grasp.side, frame, distance, floor if standing else None)
        return Closed(frame, grip.pose_rad, firmness(body, grasp.side, frame, grip.pose_rad, distance, grasp.kind), count)

    best: Closed | None = None
    count = 0
    for round_ in range(1 + AGAIN):
        start = T if best is None else best.T_object_wrist
        for k, wish in enumerate(WISHES if best is None else WISHES[1:], 1):
            frame = _wished(start, point, wish, 1.0 if grasp.side == "left" else -1.0)
            if standing and best is not None and not above_support(target, grasp.side, target.T_object @ frame, low):
                continue
            count += 1
            found = closed(frame, count)
            if best is None or found.firmness.score > best.firmness.score:
                best = found
            if best.firmness.firm or (round_ == 0 and k >= PATIENCE and len(best.firmness.digits) < HOPEFUL):
                break
        if best is None or best.firmness.firm or len(best.firmness.digits) < HOPEFUL or start is best.T_object_wrist:
            break
    if best is None:
        raise ValueError("no wish")
    return best._replace(wraps=count)


def _wished(T: F64, point: F64, wish: tuple[float, ...], sign: float) -> F64:
    """A wrist frame shifted in its own axes and turned about a point."""
    R = T[:3, :3]
    turn = matrix_from_rotvec(R[:, 2] * np.radians(wish[3])) @ matrix_from_rotvec(R[:, 0] * np.radians(wish[4]))
    out = T.copy()
    out[:3, :3] = turn @ R
    out[:3, 3] = point + turn @ (T[:3, 3] - point)
    out[:3, 3] += sign * wish[0] * out[:3, 0] - wish[1] * out[:3, 1] + wish[2] * out[:3, 2]
    return out
