"""The stage model: a furnished house as plain data, read from a USD stage (`usd.py`) and used by every back end.

Frames: world is metres, Z up. An entity has a root frame; every link has a frame of its own, given relative to the entity root at joint
zero.
Visual meshes and convex pieces are in their link's frame. A link without joint moves rigidly with the root.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assistcore.world.canonical import digest, scaled
from assistcore.world.errors import AssistWorldError, nearest
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
F64 = NDArray[np.float64]


@dataclass(frozen=True)
class Surface:
    """How a visual part looks. `rgb` is sRGB in [0, 1] (multiplied with the texture); `texture` is a key of `StageModel.textures`."""

    rgb: tuple[float, float, float] = (0.8, 0.8, 0.8)
    texture: str = ""
    roughness: float = 0.7
    emissive: float = 0.0
    opacity: float = 1.0


@dataclass(frozen=True, eq=False)
class VisualPart:
    """A triangle mesh in its link's frame: vertices (n, 3) metres, faces (m, 3), normals (n, 3), uvs (n, 2) with v up."""

    name: str
    vertices_m: F32
    faces: I32
    normals: F32
    uvs: F32
    surface: Surface


@dataclass(frozen=True, eq=False)
class ConvexPiece:
    """A convex collision piece in its link's frame: the corner points of its hull, shape (n, 3), metres. `half_extents_m` is set for boxes.

    For a box, `T_link_piece` (4, 4) places its centre; for hulls it is the identity and the vertices say all.
    """

    name: str
    vertices_m: F64
    T_link_piece: F64
    half_extents_m: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Joint:
    """A hinge or slide of a link about/along `axis` through `anchor_m` (both in the entity root frame). Values: radians or metres; 0 is
    the modelled pose.

    `closed_at` and `open_at` are the two ends of its range, in either order.
    """

    key: str
    kind: Literal["hinge", "slide"]
    axis: tuple[float, float, float]
    anchor_m: tuple[float, float, float]
    closed_at: float
    open_at: float
    initial: float = 0.0

    @cached_property
    def turning(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Unit axis (3,), its cross product matrix (3, 3) and the square of that. Shared: read only."""
        axis = np.asarray(self.axis, dtype=np.float64)
        axis = axis / np.linalg.norm(axis)
        x, y, z = axis
        K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return axis, K, K @ K


@dataclass(frozen=True)
class Handle:
    """Where a hand takes hold of a link: `point_m` and outward `normal` in the link frame at joint zero; `along` is the bar's direction."""

    point_m: tuple[float, float, float]
    normal: tuple[float, float, float]
    along: tuple[float, float, float] = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Control:
    """A button, switch or tap that a finger presses: point and outward normal in its link frame. `device` says what it switches."""

    link: str
    point_m: tuple[float, float, float]
    normal: tuple[float, float, float]


@dataclass(frozen=True)
class Region:
    """A place that holds things, an axis-aligned box in the frame of `link`.

    `surface`: things stand on its floor, open above. `interior`: things inside; `door` names the joint keys that close it (none: always
    open);
    `opening` is the outward unit direction through which a hand enters.
    """

    name: str
    kind: Literal["surface", "interior"]
    link: str
    low_m: tuple[float, float, float]
    high_m: tuple[float, float, float]
    doors: tuple[str, ...] = ()
    opening: tuple[float, float, float] = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Connector:
    """A place where one thing is mated to another. A `plug` goes into a `socket` that has the same `fits`.

    Its frame, `point_m` and `quat_wxyz` in the link frame, has z along the axis of the connection (out of the socket, into the plug's own
    body). Mated, the frame of the plug is on the frame of the socket, all six degrees of freedom; `turns` equivalent turns about z count
    as the same. `closes` names interior regions that nobody reaches into while something is mated here (a lid).
    """

    name: str
    kind: Literal["plug", "socket"]
    fits: str
    link: str = "body"
    point_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    quat_wxyz: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    turns: int = 1
    closes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mating:
    """What a placed entity is mated to in the scene as baked: its own plug, the parent's key and its socket."""

    plug: str
    parent: str
    socket: str


@dataclass(frozen=True)
class Label:
    """Printed text: centre, outward normal and up direction of the printed area in the link frame, its size in metres, and the text, line
    by line."""

    link: str
    centre_m: tuple[float, float, float]
    normal: tuple[float, float, float]
    up: tuple[float, float, float]
    size_m: tuple[float, float]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Tip:
    """The end of a tool that does the work, in the root frame: a cutting `edge`, a stirring `tip`, a wiping `face`, or the `rim`
    that is poured from and into, the `spout` that a tap's water leaves.

    `out` is the unit direction in which it works (out of the edge, tip or face; out of the mouth), `along` a direction across it: the
    edge's run, the face's length. `size_m` is its length and width: of an edge or face, or the diameters of a rim or spout.
    """

    kind: Literal["edge", "tip", "face", "rim", "spout"]
    point_m: tuple[float, float, float]
    out: tuple[float, float, float]
    along: tuple[float, float, float]
    size_m: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Link:
    """One rigid part of an entity. `T_root_link` (4, 4) at joint zero. `parent` is empty for links of the root."""

    key: str
    T_root_link: F64
    parts: tuple[VisualPart, ...]
    pieces: tuple[ConvexPiece, ...]
    joint: Joint | None = None
    handle: Handle | None = None
    parent: str = ""


GraspHint = Literal["auto", "pinch", "wrap", "edge", "bar"]
"""`bar`: by its handle only."""


@dataclass(frozen=True, eq=False)
class Entity:
    """One named thing. `kind`: `structure` (walls, floors, ceilings; not offered), `fixture` (stays where it is), `door`, `movable`.

    `roles` are affordances: surface, container, openable, device, seat, tap, heat, cold, lamp, door, label, food, tool, drinkable ...
    `adjectives` are words for colour, material and size that a person would use; `nouns` further names (`cupboard` for `cabinet`).
    """

    ref: EntityRef
    kind: Literal["structure", "fixture", "door", "movable"]
    category: str
    asset: str
    room: str
    pose: Pose
    links: tuple[Link, ...]
    mass_kg: float = 0.0
    roles: frozenset[str] = frozenset()
    adjectives: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    regions: tuple[Region, ...] = ()
    labels: tuple[Label, ...] = ()
    control: Control | None = None
    grasp: GraspHint = "auto"
    attributes: Mapping[str, bool | int | str] = field(default_factory=dict)
    connects: tuple[str, ...] = ()
    """For doors: the two rooms it joins."""
    tips: tuple[Tip, ...] = ()
    """Working ends, for tools and vessels."""
    grip_m: tuple[float, float, float] | None = None
    """Where a hand takes hold of it, root frame; None: about its middle."""
    connectors: tuple[Connector, ...] = ()
    mated: Mating | None = None

    @cached_property
    def key(self) -> str:
        """`name_index`."""
        return self.ref.key

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The joints of its links, in order."""
        return tuple(link.joint for link in self.links if link.joint is not None)

    def link(self, key: str) -> Link:
        """The link with this key. Raises AssistWorldError naming the nearest."""
        for link in self.links:
            if link.key == key:
                return link
        raise AssistWorldError(f"entity {self.key} has no link {key!r}; {nearest(key, [x.key for x in self.links])}")

    def connector(self, name: str) -> Connector | None:
        """The connector with this name, or None."""
        return next((c for c in self.connectors if c.name == name), None)

    @cached_property
    def box_m(self) -> tuple[F64, F64]:
        """Low and high corner, each shape (3,), of the convex pieces at joint zero, in the root frame."""
        points = [
            (p.vertices_m @ p.T_link_piece[:3, :3].T + p.T_link_piece[:3, 3]) @ link.T_root_link[:3, :3].T + link.T_root_link[:3, 3]
            for link in self.links
            for p in link.pieces
        ]
        every = np.concatenate(points) if points else np.zeros((1, 3))
        return every.min(axis=0), every.max(axis=0)


@dataclass(frozen=True)
class Room:
    """A room: its floor polygon (counter-clockwise, metres), floor and ceiling height."""

    key: str
    title: str
    polygon_m: tuple[tuple[float, float], ...]
    floor_m: float = 0.0
    ceiling_m: float = 2.6


@dataclass(frozen=True)
class LampLight:
    """A lamp's light: world position, colour, intensity; `entity` is the device that switches it (empty: always on)."""

    position_m: tuple[float, float, float]
    rgb: tuple[float, float, float]
    intensity: float
    room: str
    entity: str = ""


@dataclass(frozen=True)
class WindowLight:
    """Daylight through an opening: centre, inward normal, width and height, room."""

    centre_m: tuple[float, float, float]
    normal: tuple[float, float, float]
    size_m: tuple[float, float]
    room: str


@dataclass(frozen=True, eq=False)
class StageModel:
    """A whole scene. `entities` is closed: nothing is created during an episode. `spots` are named places to stand: (x, y, heading)."""

    name: str
    rooms: tuple[Room, ...]
    entities: tuple[Entity, ...]
    textures: Mapping[str, NDArray[np.uint8]] = field(default_factory=dict)
    lamps: tuple[LampLight, ...] = ()
    windows: tuple[WindowLight, ...] = ()
    spots: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)

    @cached_property
    def by_key(self) -> dict[str, Entity]:
        """Entities by key."""
        return {e.key: e for e in self.entities}

    @cached_property
    def patches(self) -> tuple[str, ...]:
        """Keys of spills and stains, which are there to be seen only while their attribute `present` is true."""
        return tuple(e.key for e in self.entities if "patch" in e.roles)

    @cached_property
    def joint_owner(self) -> dict[str, tuple[str, str]]:
        """Joint key to (entity key, link key)."""
        return {link.joint.key: (e.key, link.key) for e in self.entities for link in e.links if link.joint is not None}

    def entity(self, key: str) -> Entity:
        """The entity with this key. Raises AssistWorldError with the nearest match."""
        found = self.by_key.get(key)
        if found is None:
            raise AssistWorldError(f"scene {self.name!r} has no entity {key!r}; {nearest(key, list(self.by_key))}")
        return found

    def canonical(self) -> object:
        """The description that digests cover: integers (millimetres, millionths, grams), never bytes of a USD, mesh or image."""
        return {
            "name": self.name,
            "rooms": [[r.key, [[scaled(x, 1e3), scaled(y, 1e3)] for x, y in r.polygon_m]] for r in self.rooms],
            "entities": [_canonical(e) for e in sorted(self.entities, key=lambda e: e.key)],
        }

    def digest(self) -> str:
        """SHA-256 of the canonical description."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        return digest(self.canonical())


def _canonical(e: Entity) -> list[object]:
    return [
        e.key,
        e.kind,
        e.asset,
        e.room,
        [scaled(v, 1e3) for v in e.pose.position_m] + [scaled(v, 1e6) for v in e.pose.quat_wxyz],
        scaled(e.mass_kg, 1e3),
        sorted(e.roles),
        [[scaled(v, 1e3) for v in corner] for corner in e.box_m],
        [[j.key, j.kind, scaled(j.closed_at, 1e6), scaled(j.open_at, 1e6)] for j in e.joints],
        [[lab.link, list(lab.lines)] for lab in e.labels],
        sorted([k, v] for k, v in e.attributes.items()),
        *([[c.name, c.kind, c.fits] for c in e.connectors],) * bool(e.connectors),
    ]


def joint_matrix(joint: Joint, value: float) -> F64:
    """Rigid motion (4, 4), in the entity root frame, that the joint at `value` applies to its link at joint zero."""
    T = np.eye(4)
    axis, K, KK = joint.turning
    if joint.kind == "slide":
        T[:3, 3] = axis * value
        return T
    T[:3, :3] = np.eye(3) + np.sin(value) * K + (1 - np.cos(value)) * KK
    anchor = np.asarray(joint.anchor_m, dtype=np.float64)
    T[:3, 3] = anchor - T[:3, :3] @ anchor
    return T


def link_matrix(entity: Entity, link: Link, root: F64, joints: Mapping[str, float]) -> F64:
    """World transform (4, 4) of a link, from the entity's root transform (4, 4) and joint values (missing: the joint's initial value)."""
    T = link.T_root_link
    hop: Link | None = link
    while hop is not None:
        if hop.joint is not None:
            T = joint_matrix(hop.joint, joints.get(hop.joint.key, hop.joint.initial)) @ T
        hop = entity.link(hop.parent) if hop.parent else None
    return root @ T
