"""A lying assembly as one thing on a hinge: the lower edge of its base is the axis, a long part is the handle (seed B.3.1, Raise)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from actions.frames import pose_rows
from actions.manipulation.handles import Drive
from actions.manipulation.reach import BUDGET
from actions.world import ActionWorld
from assistcore.house.collision import CollisionWorld
from assistcore.house.constraints import parts_of
from assistcore.house.stage import ConvexPiece, Entity, Handle, Joint, Link, joint_matrix
from assistcore.world.poses import Pose, inverse, transform_points

F64 = NDArray[np.float64]

JOINT_KEY = "raised"
SHARES = (0.4, 0.25, 0.6)
"""Where on the long part a hand takes it, from its lower end."""
LONG = 3.0
"""A part that is so much longer than wide is taken hold of."""


@dataclass(frozen=True, eq=False)
class Lever:
    """The hinge (in the root's frame) with its end value, the parts with their transforms in the root's frame, and the part to be held."""

    root: str
    joint: Joint
    end_rad: float
    parts: dict[str, F64]
    held: str

    def tracks(self, world: ActionWorld, values: F64) -> dict[str, F64]:
        """Root poses (n, 7) of every part at hinge values (n,)."""
        T = world.state.root(world.stage, self.root)
        roots = np.stack([T @ joint_matrix(self.joint, float(v)) for v in values])
        return {key: pose_rows(roots @ rel) for key, rel in self.parts.items()}


def lever_of(world: ActionWorld, root: str) -> Lever | None:
    """The lever of a lying assembly, or None where no part is long enough to be taken."""
    stage, state = world.stage, world.state
    T = state.root(stage, root)
    parts = {key: inverse(T) @ state.root(stage, key) for key in (root, *parts_of(state.attached, root))}
    long = [(float(np.ptp(np.stack(stage.entity(k).box_m), axis=0).max()), k) for k in parts if k != root and _slender(stage.entity(k))]
    if not long:
        return None
    low, high = stage.entity(root).box_m
    corners = np.array([(x, y, low[2]) for x in (low[0], high[0]) for y in (low[1], high[1])])
    heights = transform_points(T, corners)[:, 2]
    a, b = np.sort(np.argsort(np.round(heights, 5), kind="stable")[:2])
    axis = corners[b] - corners[a]
    axis = axis / float(np.linalg.norm(axis))
    up = T[:3, :3].T @ np.array([0.0, 0.0, 1.0])
    up = up - (up @ axis) * axis
    z = np.array([0.0, 0.0, 1.0])
    angle = float(np.arctan2(np.cross(z, up) @ axis, z @ up))
    # turning the root by the inverse of what brings its z to `up` in its own frame brings its z upright
    x, y, w = (float(v) for v in axis)
    i, j, k = (float(v) for v in 0.5 * (corners[a] + corners[b]))
    return Lever(root, Joint(JOINT_KEY, "hinge", (x, y, w), (i, j, k), 0.0, angle), angle, parts, max(long)[1])


def _slender(entity: Entity) -> bool:
    low, high = entity.box_m
    size = np.sort(high - low)
    return bool(size[2] > LONG * size[1])


def drives(world: ActionWorld, lever: Lever) -> list[Drive]:
    """The lever as a driven thing in a world of its own, one for each place where it may be taken."""
    there = _merged(world, lever)
    entity = there.stage.entity(lever.held)
    link = entity.links[0]
    part = world.stage.entity(lever.held)
    low, high = part.box_m
    axis = int(np.argmax(high - low))
    rel = lever.parts[lever.held]
    up = (world.state.root(world.stage, lever.root)[:3, :3].T @ np.array([0.0, 0.0, 1.0])).astype(np.float64)
    out = []
    for share in SHARES:
        local = 0.5 * (low + high)
        local[axis] = low[axis] + share * (high[axis] - low[axis])
        point = rel[:3, :3] @ local + rel[:3, 3]
        along = rel[:3, axis]
        normal = up - (up @ along) * along
        out.append(Drive(there, entity, link, lever.joint, Handle(_triple(point), _triple(normal), _triple(along))))
    return out


def _triple(v: F64) -> tuple[float, float, float]:
    x, y, z = (float(c) for c in v)
    return (x, y, z)


def _merged(world: ActionWorld, lever: Lever) -> ActionWorld:
    """The world with the assembly as one hinged thing that has the key of the part to be held."""
    stage, state = world.stage, world.state
    pieces: list[ConvexPiece] = []
    for key, rel in lever.parts.items():
        for link in stage.entity(key).links:
            for piece in link.pieces:
                name = f"{key}_{piece.name}"
                if piece.half_extents_m is not None:
                    pieces.append(replace(piece, name=name, T_link_piece=rel @ link.T_root_link @ piece.T_link_piece))
                else:
                    corners = transform_points(rel @ link.T_root_link @ piece.T_link_piece, piece.vertices_m)
                    pieces.append(replace(piece, name=name, vertices_m=corners, T_link_piece=np.eye(4)))
    held = stage.entity(lever.held)
    one = replace(
        held,
        kind="fixture",
        pose=Pose.from_matrix(state.root(stage, lever.root)),
        links=(Link("body", np.eye(4), (), tuple(pieces), lever.joint),),
        regions=(),
        labels=(),
        connectors=(),
        mated=None,
        asset=f"lever of {lever.root}",
    )
    rest = tuple(e for e in stage.entities if e.key not in lever.parts)
    merged = replace(stage, entities=(*rest, one))
    known = world.caches.get("lever")
    asked = (lever.root, tuple(lever.parts), tuple(v.tobytes() for v in lever.parts.values()), one.pose, state.removed)
    if isinstance(known, tuple) and known[0] == asked and known[1] is stage:
        merged, collision = known[2], known[3]
    else:
        collision = CollisionWorld(merged)
        world.caches["lever"] = (asked, stage, merged, collision)
    poses = {k: p for k, p in state.poses.items() if k not in lever.parts}
    attached = tuple(a for a in state.attached if a.child not in lever.parts)
    there = state.with_(poses=poses, joints={**state.joints, JOINT_KEY: 0.0}, attached=attached)
    return ActionWorld(merged, world.body, collision, there, world.seed, world.number, {BUDGET: world.caches.get(BUDGET)})
