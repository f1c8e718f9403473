"""Small stages for the tests of the checks."""

from __future__ import annotations

from functools import cache

import numpy as np

from assets_bake.flat import build_flat
from assets_bake.pieces import box_piece
from assistcore.house.stage import Entity, Link, Region, Room, StageModel, Surface, VisualPart
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose

SQUARE = ((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0))
_TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)


def block(
    key: str, size: tuple[float, float, float], at: tuple[float, float, float], kind: str = "movable", room: str = "hall", **more
) -> Entity:
    """A box standing with its bottom middle at `at`."""
    piece = box_piece("body", size, (0.0, 0.0, size[2] / 2))
    link = Link("body", np.eye(4), (), (piece,))
    return Entity(EntityRef.from_key(key), kind, key.rsplit("_", 1)[0], key, room, Pose(at), (link,), mass_kg=0.3, **more)  # type: ignore[arg-type]


def floor(room: str = "hall") -> Entity:
    """A slab under the square."""
    return block("floor_1", (4.4, 3.4, 0.1), (2.0, 1.5, -0.1), kind="structure", room=room)


def textured(key: str, texture: str) -> Entity:
    """A movable whose surface names a texture."""
    made = block(key, (0.1, 0.1, 0.1), (1.0, 1.0, 0.0))
    part = VisualPart(
        "part", _TRIANGLE, np.array([[0, 1, 2]], np.int32), _TRIANGLE * 0 + np.float32(1), _TRIANGLE[:, :2], Surface(texture=texture)
    )
    link = made.links[0]
    return Entity(
        made.ref,
        made.kind,
        made.category,
        made.asset,
        made.room,
        made.pose,
        (Link(link.key, link.T_root_link, (part,), link.pieces),),
        mass_kg=0.3,
    )


def stage(*entities: Entity, rooms: tuple[Room, ...] = (Room("hall", "hall", SQUARE),)) -> StageModel:
    """A stage with a floor."""
    return StageModel("test", rooms, (floor(rooms[0].key if rooms else ""), *entities))


def region(name: str, low: tuple[float, float, float], high: tuple[float, float, float], kind: str = "interior") -> Region:
    """A region of the body link, open above."""
    return Region(name, kind, "body", low, high)  # type: ignore[arg-type]


@cache
def built_flat() -> StageModel:
    """The flat as the bake composes it, unsettled; built once a test run."""
    return build_flat()
