"""What is let go of in the air falls straight down; neither the person's own limbs nor an edge that throws it at them may be in its way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.frames import capsule_track, trunk_transforms
from actions.manipulation.attitudes import turned_box
from actions.manipulation.entries import moved
from actions.screening import collision_world
from actions.world import ActionWorld
from assistcore.house import narrowphase
from assistcore.house.clearance import CHECKED_M
from assistcore.world.poses import Pose
from humans.proxies import HAND_CAPSULES

F64 = NDArray[np.float64]

STEP_M = 0.02
FALL_M = 0.005
EDGE_M = 0.02
"""So far round what falls the ground is looked at, at places so far apart: closer to an edge it may land on the edge."""
LEVEL_M = 0.04
"""Ground that differs by more has an edge."""
LINE_M = 0.004
"""Ground is looked for so far below what falls, which may have thin parts."""


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
        for down in np.arange(0.0, max(STEP_M, float(root[2, 3])), STEP_M).tolist():
            s = scene.solids_of(key, moved(root, up_m=-down))
            pairs, found = narrowphase.close_capsules(
                a, b, radius, s.corners_m, s.corner_rows, s.faces, s.face_rows, s.edges, s.edge_rows, s.low_m, s.high_m,
                np.zeros(len(s.low_m), np.bool_), -CHECKED_M,
            )  # fmt: skip
            if len(pairs):
                return shapes.names[rows[int(pairs[int(np.argmin(found[:, 0])), 0])]]
    return ""


class Fall(NamedTuple):
    """Where things that fell straight down are when they strike something, and what they strike where the ground is uneven (empty where it
    is level): there they tip, and are thrown at the person or throw that."""

    poses: dict[str, Pose]
    edge: str


def fall(world: ActionWorld) -> Fall:
    """How the held thing falls, with what rides on it or is attached to any of these."""
    state, keys = world.state, falling(world)
    roots = {key: state.root(world.stage, key) for key in keys}
    low, high = _boxes(world, roots)
    bottom, by_m, struck = float(low[2]), 0.0, ""
    scene = collision_world(world)
    for down in np.arange(FALL_M, max(bottom, FALL_M) + FALL_M, FALL_M).tolist():
        hits = [hit for key, root in roots.items() for hit in scene.entity(key, moved(root, up_m=-down), ignore=frozenset(keys))]
        if hits:
            struck = min(hits).owner
            break
        by_m = down
    grounds = _grounds_m(world, low, high)
    stopped = bottom - by_m > float(grounds.max()) + LEVEL_M
    return Fall(
        {key: Pose.from_matrix(moved(root, up_m=-by_m)) for key, root in roots.items()},
        struck if stopped or np.ptp(grounds) > LEVEL_M else "",
    )


def _grounds_m(world: ActionWorld, low: F64, high: F64) -> F64:
    """Heights (n,) of what lies below a box with these corners (3,) and a little round it."""
    scene, floor = collision_world(world), min((room.floor_m for room in world.stage.rooms), default=0.0)
    spans = [(float(low[i]) - EDGE_M, float(high[i]) + EDGE_M) for i in (0, 1)]
    xs, ys = (np.linspace(a, b, 1 + int(np.ceil((b - a) / EDGE_M))).tolist() for a, b in spans)
    tops = [scene.support_m(x, y, float(low[2]) - LINE_M) for x in xs for y in ys]
    return np.array([floor if top is None else top for top in tops])


def _boxes(world: ActionWorld, roots: Mapping[str, F64]) -> tuple[F64, F64]:
    """Least and greatest corner (3,) of what stands at these root transforms (4, 4)."""
    ends = [np.array(turned_box(*world.stage.entity(key).box_m, T[:3, :3])) + T[:3, 3] for key, T in roots.items()]
    return np.min([low for low, _ in ends], axis=0), np.max([high for _, high in ends], axis=0)


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
