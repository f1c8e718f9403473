"""Small stages built in code for collision and navigation tests."""

from __future__ import annotations

import numpy as np

from assistcore.house.stage import ConvexPiece, Entity, Joint, Link, Room, StageModel
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose, yaw_quat_wxyz


def box_piece(size, centre=(0.0, 0.0, 0.0), name="box"):
    """A box piece of full size (x, y, z) at a centre in its link frame."""
    half = tuple(0.5 * s for s in size)
    T = np.eye(4)
    T[:3, 3] = centre
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) * half
    return ConvexPiece(name, corners, T, half)


def hull_piece(points, name="hull"):
    """A hull piece of points (n, 3)."""
    return ConvexPiece(name, np.asarray(points, float), np.eye(4))


def thing(key, pieces, position=(0.0, 0.0, 0.0), *, kind="fixture", category="", yaw=0.0, joint=None, handle=None, **more):
    """An entity with one link (driven by `joint` when given)."""
    ref = EntityRef.from_key(key)
    link = Link("body", np.eye(4), (), tuple(pieces), joint=joint, handle=handle)
    pose = Pose(tuple(float(v) for v in position), tuple(float(v) for v in yaw_quat_wxyz(yaw)))
    return Entity(ref, kind, category or ref.name, ref.name, more.pop("room", "room"), pose, (link,), **more)


def block(key, low, high, **more):
    """A solid box given by its corners in the world."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    return thing(key, [box_piece(high - low)], tuple(0.5 * (low + high)), **more)


def floor(low, high, key="floor_1"):
    """A floor slab with its top at z = 0."""
    return block(key, (*low, -0.1), (*high, 0.0), kind="structure", category="floor")


def wall(key, low, high, top=2.6, bottom=0.0):
    """A wall from corner to corner (x, y)."""
    return block(key, (*low, bottom), (*high, top), kind="structure", category="wall")


def walls_round(low, high, thick=0.1, start=1):
    """Four walls outside a rectangle."""
    (x0, y0), (x1, y1) = low, high
    t = thick
    return [
        wall(f"wall_{start}", (x0 - t, y0 - t), (x1 + t, y0)),
        wall(f"wall_{start + 1}", (x0 - t, y1), (x1 + t, y1 + t)),
        wall(f"wall_{start + 2}", (x0 - t, y0), (x0, y1)),
        wall(f"wall_{start + 3}", (x1, y0), (x1 + t, y1)),
    ]


def hinged_door(key, hinge, width, *, height=2.0, thick=0.04, connects=("a", "b"), initial=0.0):
    """A door leaf along +x from its hinge when closed, opening towards +y by 90 degrees."""
    joint = Joint(f"{key}_hinge", "hinge", (0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 0.0, 0.5 * np.pi, initial)
    leaf = box_piece((width, thick, height), (0.5 * width, 0.0, 0.5 * height))
    return thing(
        key, [leaf], (*hinge, 0.0), kind="door", category="door", joint=joint, connects=connects, roles=frozenset({"door", "openable"})
    )


def stage(*entities, rooms=None, name="test"):
    """A stage model of these entities."""
    return StageModel(name, tuple(rooms or ()), tuple(entities))


def room(key, low, high):
    """A rectangular room."""
    (x0, y0), (x1, y1) = low, high
    return Room(key, key.replace("_", " "), ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
