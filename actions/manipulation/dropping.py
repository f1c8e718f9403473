"""What is let go of in the air falls straight down; the person's own limbs must not be in its way."""

from __future__ import annotations

import numpy as np

from actions.frames import capsule_track, trunk_transforms
from actions.screening import collision_world
from actions.world import ActionWorld
from assistcore.house import narrowphase
from assistcore.house.clearance import CHECKED_M
from humans.proxies import HAND_CAPSULES

STEP_M = 0.02


def limb_below(world: ActionWorld) -> str:
    """The limb on which the held thing would fall with all that rides on it or is attached to it, empty for none.

    The hand that lets go is round the thing and no obstacle to it.
    """
    held = world.state.held
    if held is None:
        return ""
    scene, body = collision_world(world), world.state.body
    T = trunk_transforms(world.body, body.pose_rad[None], body.translation_m[None])
    shapes = capsule_track(world.body, T)
    rows = [i for i, name in enumerate(shapes.names) if name not in HAND_CAPSULES[held.hand]]
    a, b, radius = (np.ascontiguousarray(v) for v in (shapes.a_m[0, rows], shapes.b_m[0, rows], shapes.radius_m[rows]))
    narrowphase.KERNELS.ready()
    for key in falling(world):
        root = world.state.root(world.stage, key)
        for fallen in np.arange(0.0, max(STEP_M, float(root[2, 3])), STEP_M):
            lowered = root.copy()
            lowered[2, 3] -= fallen
            s = scene.solids_of(key, lowered)
            pairs, found = narrowphase.close_capsules(
                a, b, radius, s.corners_m, s.corner_rows, s.faces, s.face_rows, s.edges, s.edge_rows, s.low_m, s.high_m,
                np.zeros(len(s.low_m), np.bool_), -CHECKED_M,
            )  # fmt: skip
            if len(pairs):
                return shapes.names[rows[int(pairs[int(np.argmin(found[:, 0])), 0])]]
    return ""


def falling(world: ActionWorld) -> list[str]:
    """The held thing, what rides on it and what is attached to any of these."""
    state = world.state
    if state.held is None:
        return []
    keys = [state.held.entity]
    for key in keys:  # grows while it is gone through
        more = (*(r.entity for r in state.riding if r.carrier == key), *(a.child for a in state.attached if a.parent == key))
        keys += [k for k in more if k not in keys]
    return keys
