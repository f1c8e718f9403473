"""Small furnished stages and scratch worlds for the navigation tests."""

from __future__ import annotations

import numpy as np

from actions.world import ActionWorld
from assistcore.house.collision import CollisionWorld
from assistcore.house.state import BodyState, Held, HouseState
from assistcore.world.poses import Pose
from humans.model import load_body
from humans.postures import stand
from tests.house.shapes import block, box_piece, floor, hinged_door, stage, thing, wall, walls_round


def world_at(model, xy, heading=0.0, *, joints=None) -> ActionWorld:
    """A scratch world with the person standing idle."""
    body = load_body()
    pose, translation = stand(body, xy, heading)
    state = HouseState(
        poses={e.key: e.pose for e in model.entities if e.kind == "movable"},
        joints={j.key: j.initial for e in model.entities for j in e.joints} | dict(joints or {}),
        body=BodyState(pose, translation, (float(xy[0]), float(xy[1])), float(heading)),
    )
    return ActionWorld(model, body, CollisionWorld(model), state)


def holding(world: ActionWorld, key: str, hand="right") -> ActionWorld:
    """The same world with a movable below the hanging hand, its z axis ahead."""
    side = 1.0 if hand == "left" else -1.0
    world.state = world.state.with_(held=Held(key, hand, Pose((0.14 * side, -0.03, 0.0))))
    return world


def open_room(size=6.0):
    """A square room with nothing in it but a table and a sofa."""
    return stage(
        floor((0, 0), (size, size)),
        *walls_round((0, 0), (size, size)),
        block("table_1", (2.6, 2.2, 0.0), (3.4, 3.8, 0.75)),
        block("sofa_1", (0.3, 4.6, 0.0), (2.4, 5.5, 0.8)),
        thing("mug_1", [box_piece((0.08, 0.08, 0.1))], (2.8, 2.5, 0.8), kind="movable"),
    )


def two_rooms(door=1.0, initial=0.0, doors=1):
    """Rooms side by side along x (4 m x 4 m each), joined by a doorway at y 1.5 to 1.5 + door with a hinged leaf that opens to +x."""
    parts = [floor((0, 0), (4.0 * (doors + 1) + 0.1 * doors, 4.0))]
    parts += walls_round((0, 0), (4.0 * (doors + 1) + 0.1 * doors, 4.0))
    for k in range(doors):
        x = 4.0 * (k + 1) + 0.1 * k
        n = 20 + 2 * k
        parts += [wall(f"wall_{n}", (x, 0), (x + 0.1, 1.5)), wall(f"wall_{n + 1}", (x, 1.5 + door), (x + 0.1, 4.0))]
        leaf = hinged_door(f"door_{k + 1}", (0, 0), door - 0.02, initial=initial)
        parts.append(_turned(leaf, (x + 0.05, 1.51, 0.0), 0.5 * np.pi, -0.5 * np.pi))
    return stage(*parts)


def _turned(entity, position, yaw, open_at):
    from dataclasses import replace

    from assistcore.world.poses import yaw_quat_wxyz

    link = entity.links[0]
    joint = replace(link.joint, open_at=open_at)
    pose = Pose(tuple(float(v) for v in position), tuple(float(v) for v in yaw_quat_wxyz(yaw)))
    return replace(entity, pose=pose, links=(replace(link, joint=joint),))


def gap_wall(gap, *, at=3.0, size=6.0, top=2.6, lintel=None):
    """A room cut by a wall along y with one gap in its middle."""
    y0, y1 = 0.5 * (size - gap), 0.5 * (size + gap)
    parts = [
        floor((0, 0), (size, size)),
        *walls_round((0, 0), (size, size)),
        wall("wall_20", (at, 0), (at + 0.1, y0), top),
        wall("wall_21", (at, y1), (at + 0.1, size), top),
    ]
    if lintel is not None:
        parts.append(wall("wall_22", (at, y0), (at + 0.1, y1), top, lintel))
    return stage(*parts)
