"""What is let go of in the air falls straight down; neither the person's own limbs nor an edge that throws it at them may be in its way."""

from __future__ import annotations

import numpy as np

from actions.frames import capsule_track, trunk_transforms
from actions.screening import collision_world, floor_keys
from actions.world import ActionWorld
from assistcore.house import narrowphase
from assistcore.house.clearance import CHECKED_M
from humans.proxies import HAND_CAPSULES

STEP_M = 0.02
EDGE_M = 0.02
"""So far round what falls the ground is looked at: closer to an edge it may land on the edge."""
LINE_M = 0.004


def limb_below(world: ActionWorld) -> str:
    """The limb on which the held thing would fall with all that rides on it or is attached to it, empty for none.

    The hand that lets go is round the thing and no obstacle to it; to what overhangs it (a lid held from below its rim) it is one.
    """
    held = world.state.held
    if held is None:
        return ""
    scene, body = collision_world(world), world.state.body
    T = trunk_transforms(world.body, body.pose_rad[None], body.translation_m[None])
    shapes = capsule_track(world.body, T)
    round_it = HAND_CAPSULES[held.hand] if held.second is None else (*HAND_CAPSULES["left"], *HAND_CAPSULES["right"])
    narrowphase.KERNELS.ready()
    for key in falling(world):
        rows = [i for i, name in enumerate(shapes.names) if key != held.entity or name not in round_it]
        a, b, radius = (np.ascontiguousarray(v) for v in (shapes.a_m[0, rows], shapes.b_m[0, rows], shapes.radius_m[rows]))
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


def edge_below(world: ActionWorld) -> str:
    """What the held thing would land on the edge of, partly over the floor, empty for none: from there it bounces at the feet."""
    held = world.state.held
    if held is None:
        return ""
    low, high = world.stage.entity(held.entity).box_m
    root = world.state.root(world.stage, held.entity)
    corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T @ root[:3, :3].T + root[:3, 3]
    least, most = corners[:, :2].min(axis=0) - EDGE_M, corners[:, :2].max(axis=0) + EDGE_M
    x, y = np.meshgrid(*(np.linspace(least[i], most[i], 5) for i in (0, 1)))
    top = np.stack([x.ravel(), y.ravel(), np.full(x.size, corners[:, 2].min())], axis=1)
    ground = top.copy()
    ground[:, 2] = min(room.floor_m for room in world.stage.rooms) + LINE_M if world.stage.rooms else LINE_M
    names = tuple(str(i) for i in range(len(top)))
    own = frozenset(falling(world)) | floor_keys(world)
    hits = collision_world(world).capsules(names, top, ground, np.full(len(top), LINE_M), ignore=own)
    struck = {hit.mine for hit in hits}
    return hits[0].owner if 0 < len(struck) < len(names) else ""


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
