"""The idle body as rigid capsules: cheap checks of stances and, before any gait is made, of whole tracks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.frames import capsule_track, trunk_transforms
from actions.navigation.grid import carried_keys
from actions.navigation.walking import standing
from actions.screening import Violation, collision_world, floor_keys
from actions.world import ActionWorld
from assistcore.house.contacts import SOLES
from assistcore.house.state import Hand
from humans.gait import RootTrack
from humans.model import JOINT

F64 = NDArray[np.float64]

SURE_M = 0.02
"""An idle body this deep in something along a track will not pass there walking either."""


class Shapes(NamedTuple):
    """Idle capsules at the origin facing +x (carrying what is carried), and the shoulders."""

    names: tuple[str, ...]
    a_m: F64
    b_m: F64
    radius_m: F64
    shoulders: dict[Hand, F64]


def idle_shapes(world: ActionWorld) -> Shapes:
    """The capsules of the idle stance."""
    pose, translation = standing(world, (0.0, 0.0), 0.0)
    T = trunk_transforms(world.body, pose[None], translation[None])
    shapes = capsule_track(world.body, T)
    shoulders: dict[Hand, F64] = {
        "left": T[0, JOINT["left_shoulder"], :3, 3],
        "right": T[0, JOINT["right_shoulder"], :3, 3],
    }
    return Shapes(shapes.names, shapes.a_m[0], shapes.b_m[0], shapes.radius_m, shoulders)


def placed(points: F64, xy: tuple[float, float], heading: float) -> F64:
    """Points (n, 3) of the stance at the origin, moved to a stance."""
    c, s = float(np.cos(heading)), float(np.sin(heading))
    turned: F64 = points @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    turned += np.array([xy[0], xy[1], 0.0])
    return turned


def sweep(world: ActionWorld, track: RootTrack) -> Violation | None:
    """The first frame (counted from the second of the track) at which the idle body is `SURE_M` deep in something; feet are left out."""
    scene = collision_world(world)
    shapes = idle_shapes(world)
    use = [k for k, name in enumerate(shapes.names) if name not in SOLES]
    names, a_m, b_m, radius_m = tuple(shapes.names[k] for k in use), shapes.a_m[use], shapes.b_m[use], shapes.radius_m[use]
    ignore = floor_keys(world) | carried_keys(world)
    last: F64 | None = None
    for k in range(1, len(track.heading_rad)):
        here = np.array([*track.xy_m[k], 0.3 * track.heading_rad[k]])
        if last is not None and float(np.linalg.norm(here - last)) < 0.04:
            continue
        last = here
        xy, heading = (float(here[0]), float(here[1])), float(track.heading_rad[k])
        hits = scene.capsules(names, placed(a_m, xy, heading), placed(b_m, xy, heading), radius_m, ignore=ignore, margin_m=-SURE_M)
        if hits:
            return Violation(k - 1, min(hits))
    return None
