"""Where one may stand to take hold of a thing."""

from __future__ import annotations

import numpy as np

from actions.manipulation.approach import Goal
from actions.manipulation.surroundings import centre_of, enclosure
from actions.world import ActionWorld

COMFORT_M, LOW_COMFORT_M = 0.55, 0.70
"""Distance to what is taken out of an enclosure; from farther where the body bends down before it (LOW_M, heights). What is lower still
is reached from a squat, close by."""
LOW_M = (0.4, 0.8)


def grab_goal(world: ActionWorld, key: str) -> Goal:
    """Anywhere round a thing, or in front of the opening of what it is in."""
    place = enclosure(world, key)
    point = centre_of(world, key)
    if place is not None and place.opening[2] < 0.7:
        out = place.opening[:2] / max(float(np.linalg.norm(place.opening[:2])), 1e-9)
        comfort = LOW_COMFORT_M if LOW_M[0] < float(point[2]) < LOW_M[1] else COMFORT_M
        return Goal(key, point, (float(out[0]), float(out[1])), np.radians(50.0), near_m=0.35, far_m=0.80, comfort_m=comfort, thorough=True)
    return Goal(key, point, thorough=True)
