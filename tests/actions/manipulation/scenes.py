"""Small synthetic stages for the manipulation tests: a floor, a table, things on it, a shelf, a drawer, a cabinet, a room door."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from actions.world import ActionWorld
from assistcore.house.collision import CollisionWorld
from assistcore.house.stage import (
    Control,
    ConvexPiece,
    Entity,
    Handle,
    Joint,
    Label,
    Link,
    Region,
    Room,
    StageModel,
    Surface,
    VisualPart,
)
from assistcore.house.state import BodyState, HouseState
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose
from humans.model import load_body
from humans.postures import stand

F64 = NDArray[np.float64]
Point = tuple[float, float, float]


def box(name: str, half: Point, centre: Point = (0.0, 0.0, 0.0)) -> ConvexPiece:
    """A box piece with its centre in the link frame."""
    T = np.eye(4)
    T[:3, 3] = centre
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64) * half
    return ConvexPiece(name, corners, T, half)


def seen(pieces: tuple[ConvexPiece, ...]) -> tuple[VisualPart, ...]:
    """What rays meet of box pieces: two triangles for each side."""
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))], np.int32)
    parts = []
    for piece in pieces:
        if piece.half_extents_m is None:
            continue
        corners = (piece.vertices_m + piece.T_link_piece[:3, 3]).astype(np.float32)
        parts.append(VisualPart(piece.name, corners, faces, np.zeros_like(corners), np.zeros((8, 2), np.float32), Surface()))
    return tuple(parts)


def cylinder(name: str, radius: float, height: float, sides: int = 16) -> ConvexPiece:
    """A prism standing on the origin."""
    a = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    ring = np.stack([radius * np.cos(a), radius * np.sin(a)], axis=1)
    points = np.concatenate([np.c_[ring, np.zeros(sides)], np.c_[ring, np.full(sides, height)]])
    return ConvexPiece(name, points, np.eye(4))


def at(x: float, y: float, z: float, yaw: float = 0.0) -> Pose:
    """An upright pose."""
    return Pose((x, y, z), (float(np.cos(yaw / 2)), 0.0, 0.0, float(np.sin(yaw / 2))))


def fixed(key: str, category: str, pose: Pose, pieces: tuple[ConvexPiece, ...], **more: object) -> Entity:
    """A fixture with one link."""
    links = more.pop("links", None) or (Link("base", np.eye(4), seen(pieces), pieces),)
    kind = more.pop("kind", "fixture")
    return Entity(EntityRef.from_key(key), kind, category, category, "kitchen", pose, links, **more)  # type: ignore[arg-type]


def thing(key: str, category: str, pose: Pose, pieces: tuple[ConvexPiece, ...], mass: float = 0.3, **more: object) -> Entity:
    """A movable with one link."""
    link = Link("base", np.eye(4), seen(pieces), pieces)
    return Entity(EntityRef.from_key(key), "movable", category, key, "kitchen", pose, (link,), mass_kg=mass, **more)  # type: ignore[arg-type]


def floor(size: float = 6.0) -> Entity:
    """The floor, its top at z = 0."""
    return fixed("floor_1", "floor", at(0, 0, 0), (box("floor", (size, size, 0.05), (0, 0, -0.05)),), kind="structure")


def table(key: str = "table_1", x: float = 0.85, y: float = 0.0, height: float = 0.75, half: tuple[float, float] = (0.35, 0.6)) -> Entity:
    """A table with legs and a surface region."""
    hx, hy = half
    top = box("top", (hx, hy, 0.02), (0, 0, height - 0.02))
    legs = tuple(
        box(f"leg{i}", (0.025, 0.025, (height - 0.04) / 2), (sx * (hx - 0.04), sy * (hy - 0.04), (height - 0.04) / 2))
        for i, (sx, sy) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1)))
    )
    region = Region("top", "surface", "base", (-hx, -hy, height), (hx, hy, height + 0.5))
    return fixed(key, "table", at(x, y, 0), (top, *legs), roles=frozenset({"surface"}), regions=(region,))


def mug(key: str, x: float, y: float, z: float = 0.75, radius: float = 0.04, height: float = 0.1) -> Entity:
    """A mug-like cylinder standing at a place."""
    return thing(key, "mug", at(x, y, z), (cylinder("body", radius, height),), roles=frozenset({"drinkable"}))


def shelf(key: str = "shelf_1", x: float = 1.0, y: float = 2.0) -> Entity:
    """An open bookcase of three boards, its opening towards -x."""
    pieces, regions = [], []
    for i, z in enumerate((0.35, 0.85, 1.3)):
        pieces.append(box(f"board{i}", (0.16, 0.4, 0.012), (0, 0, z - 0.012)))
        high = 0.42 if i < 2 else 0.36
        regions.append(Region(f"level{i}", "interior", "base", (-0.15, -0.38, z), (0.15, 0.38, z + high), opening=(-1.0, 0.0, 0.0)))
    pieces += [box(f"side{s}", (0.16, 0.012, 0.84), (0, s * 0.41, 0.84)) for s in (-1, 1)]
    pieces += [box("back", (0.01, 0.42, 0.84), (0.17, 0, 0.84)), box("roof", (0.16, 0.4, 0.012), (0, 0, 1.68))]
    return fixed(key, "shelf", at(x, y, 0), tuple(pieces), roles=frozenset({"container"}), regions=tuple(regions))


def drawer(key: str = "drawer_1", x: float = 1.0, y: float = -2.0, z: float = 0.6) -> Entity:
    """A drawer that slides towards -x; its interior rides on the sliding link."""
    w, d, h = 0.2, 0.22, 0.075
    pieces = (
        box("bottom", (d, w, 0.006), (0, 0, 0.006)), box("front", (0.01, w + 0.02, h), (-d - 0.01, 0, h)),
        box("rear", (0.006, w, h), (d, 0, h)),
        box("left", (d, 0.006, h), (0, w, h)), box("right", (d, 0.006, h), (0, -w, h)),
        box("bar", (0.008, 0.06, 0.008), (-d - 0.06, 0, h)),
        box("post1", (0.02, 0.006, 0.006), (-d - 0.04, 0.05, h)), box("post2", (0.02, 0.006, 0.006), (-d - 0.04, -0.05, h)),
    )  # fmt: skip
    joint = Joint(f"{key}_slide", "slide", (-1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.34)
    handle = Handle((-d - 0.06, 0.0, h), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    slide = Link("box", np.eye(4), (), pieces, joint, handle)
    region = Region("inside", "interior", "box", (-d + 0.01, -w + 0.01, 0.012), (d - 0.01, w - 0.01, 0.14), (joint.key,), (0.0, 0.0, 1.0))
    return fixed(key, "drawer", at(x, y, z), (), links=(slide,), roles=frozenset({"openable", "container"}), regions=(region,))


def carcass(key: str = "chest_1", x: float = 1.0, y: float = -2.0, z: float = 0.6) -> Entity:
    """The chest round `drawer`."""
    pieces = (
        box("roof", (0.25, 0.26, 0.012), (0, 0, z + 0.19)), box("base", (0.25, 0.26, 0.29), (0, 0, 0.29)),
        box("left", (0.25, 0.012, 0.1), (0, 0.25, z + 0.07)), box("right", (0.25, 0.012, 0.1), (0, -0.25, z + 0.07)),
        box("back", (0.01, 0.26, 0.1), (0.25, 0, z + 0.07)),
    )  # fmt: skip
    region = Region("top", "surface", "base", (-0.25, -0.26, z + 0.202), (0.25, 0.26, z + 0.7))
    return fixed(key, "chest", at(x, y, 0), pieces, roles=frozenset({"surface"}), regions=(region,))


def cabinet(key: str = "cabinet_1", x: float = -1.5, y: float = 0.0, low: float = 1.35, hinge_left: bool = True) -> Entity:
    """A wall cabinet whose front faces +x, with one hinged door."""
    w, d, h = 0.25, 0.16, 0.3
    pieces = (
        box("floor", (d, w, 0.01), (0, 0, low)), box("roof", (d, w, 0.01), (0, 0, low + 2 * h)),
        box("back", (0.01, w, h), (-d, 0, low + h)),
        box("left", (d, 0.01, h), (0, w, low + h)), box("right", (d, 0.01, h), (0, -w, low + h)),
    )  # fmt: skip
    s = 1.0 if hinge_left else -1.0
    leaf = (
        box("leaf", (0.01, w, h), (d + 0.014, 0, low + h)), box("bar", (0.007, 0.007, 0.06), (d + 0.065, -s * (w - 0.04), low + 0.12)),
        box("post1", (0.02, 0.005, 0.005), (d + 0.044, -s * (w - 0.04), low + 0.165)),
        box("post2", (0.02, 0.005, 0.005), (d + 0.044, -s * (w - 0.04), low + 0.075)),
    )  # fmt: skip
    joint = Joint(f"{key}_hinge", "hinge", (0.0, 0.0, s), (d + 0.004, s * w, 0.0), 0.0, 1.75)
    handle = Handle((d + 0.065, -s * (w - 0.04), low + 0.12), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    region = Region("inside", "interior", "base", (-d + 0.015, -w + 0.02, low + 0.01), (d - 0.01, w - 0.02, low + 2 * h - 0.02),
                    (joint.key,), (1.0, 0.0, 0.0))  # fmt: skip
    links = (Link("base", np.eye(4), (), pieces), Link("door", np.eye(4), (), leaf, joint, handle))
    return fixed(key, "cabinet", at(x, y, 0), (), links=links, roles=frozenset({"openable", "container"}), regions=(region,))


def room_door(key: str = "kitchen_door_1", x: float = 0.0, y: float = 3.0) -> Entity:
    """A door leaf in a wall along x; the hinge is at -x, it opens towards +y."""
    leaf = (
        box("leaf", (0.42, 0.02, 1.0), (0.0, 0.0, 1.01)),
        box("lever", (0.06, 0.01, 0.01), (0.33, -0.06, 1.0)), box("neck", (0.01, 0.02, 0.01), (0.38, -0.04, 1.0)),
        box("lever_back", (0.06, 0.01, 0.01), (0.33, 0.06, 1.0)), box("neck_back", (0.01, 0.02, 0.01), (0.38, 0.04, 1.0)),
    )  # fmt: skip
    joint = Joint(f"{key}_hinge", "hinge", (0.0, 0.0, 1.0), (-0.43, 0.0, 0.0), 0.0, 1.5)
    handle = Handle((0.33, -0.06, 1.0), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0))
    links = (Link("leaf", np.eye(4), (), leaf, joint, handle),)
    return fixed(key, "door", at(x, y, 0), (), links=links, kind="door", roles=frozenset({"openable"}), connects=("kitchen", "hall"))


def lamp(key: str = "lamp_1", x: float = 0.75, y: float = 0.35, z: float = 0.75) -> Entity:
    """A table device with a button on its front (towards -x)."""
    control = Control("base", (-0.06, 0.0, 0.05), (-1.0, 0.0, 0.0))
    return fixed(key, "lamp", at(x, y, z), (box("foot", (0.06, 0.06, 0.06), (0, 0, 0.06)), box("pole", (0.01, 0.01, 0.2), (0, 0, 0.3))),
                 roles=frozenset({"device"}), control=control, attributes={"running": False})  # fmt: skip


def packet(key: str, x: float, y: float, z: float = 0.75, yaw: float = 0.0) -> Entity:
    """A cardboard box with a label on its -x face."""
    label = Label("base", (-0.0305, 0.0, 0.12), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.08, 0.06), ("Oats", "Best before 12 May"))
    return thing(key, "packet", at(x, y, z, yaw), (box("body", (0.03, 0.06, 0.1), (0, 0, 0.1)),), 0.5, labels=(label,))


def world(*entities: Entity, xy: tuple[float, float] = (0.0, 0.0), heading: float = 0.0) -> ActionWorld:
    """A stage of these entities (and a floor) with a person standing in it."""
    room = Room("kitchen", "Kitchen", ((-6.0, -6.0), (6.0, -6.0), (6.0, 6.0), (-6.0, 6.0)))
    stage = StageModel("synthetic", (room,), (floor(), *entities))
    body = load_body()
    pose, translation = stand(body, xy, heading)
    poses = {e.key: e.pose for e in stage.entities if e.kind == "movable"}
    joints = {j.key: j.initial for e in stage.entities for j in e.joints}
    attributes = {e.key: dict(e.attributes) for e in stage.entities if e.attributes}
    state = HouseState(poses, joints, BodyState(pose, translation, xy, heading), attributes=attributes)
    return ActionWorld(stage, body, CollisionWorld(stage), state)
