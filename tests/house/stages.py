"""Small synthetic stages, shared by tests: boxes, spheres, a table, open-top boxes, a drawer, a door. Z up, metres, kilograms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import (
    ConvexPiece,
    Entity,
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
from assistcore.world.poses import Pose, yaw_quat_wxyz

F64 = NDArray[np.float64]
Vec3 = tuple[float, float, float]
Kind = Literal["structure", "fixture", "door", "movable"]

BOX_FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]],
    np.int32,
)
"""Outward triangles of a box whose corners are ordered x slowest, z fastest."""


def box_corners(centre: Vec3, half: Vec3) -> F64:
    """Corners (8, 3) of an axis-aligned box, x slowest, z fastest."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
    return np.asarray(centre) + signs * np.asarray(half)


def mesh(name: str, vertices: F64, faces: NDArray[np.int32], rgb: Vec3 = (0.7, 0.7, 0.7)) -> VisualPart:
    """A visual part with flat normals: every face has vertices of its own."""
    corners = vertices[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-20)
    flat = corners.reshape(-1, 3).astype(np.float32)
    index = np.arange(len(flat), dtype=np.int32).reshape(-1, 3)
    return VisualPart(
        name, flat, index, np.repeat(normal, 3, axis=0).astype(np.float32), np.zeros((len(flat), 2), np.float32), Surface(rgb)
    )


def box_piece(name: str, centre: Vec3, half: Vec3, yaw_rad: float = 0.0) -> ConvexPiece:
    """A box piece; its vertices are in the piece frame, `T_link_piece` places its centre."""
    T = Pose(centre, tuple(float(v) for v in yaw_quat_wxyz(yaw_rad))).matrix()  # type: ignore[arg-type]
    return ConvexPiece(name, box_corners((0.0, 0.0, 0.0), half), T, half)


def sphere_points(radius: float, centre: Vec3 = (0.0, 0.0, 0.0), n: int = 48) -> F64:
    """Points on a sphere, nearly even (Fibonacci), shape (n, 3); the poles are among them."""
    k = np.arange(n)
    z = 1.0 - 2.0 * k / (n - 1)
    ring = np.sqrt(np.maximum(0.0, 1.0 - z * z))
    angle = k * np.pi * (3.0 - np.sqrt(5.0))
    return np.asarray(centre) + radius * np.stack([ring * np.cos(angle), ring * np.sin(angle), z], axis=1)


def hull_faces(points: F64) -> NDArray[np.int32]:
    """Outward triangles of the convex hull of points."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    faces = hull.simplices.copy()
    corners = points[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flip = np.einsum("ij,ij->i", normal, hull.equations[:, :3]) < 0
    faces[flip] = faces[flip][:, ::-1]
    return faces.astype(np.int32)


def boxes_link(key: str, boxes: Sequence[tuple[Vec3, Vec3]], rgb: Vec3 = (0.7, 0.7, 0.7), **more: Any) -> Link:
    """A link of boxes (centre, half extents), collision and picture alike."""
    parts = tuple(mesh(f"{key}_{i}", box_corners(c, h), BOX_FACES, rgb) for i, (c, h) in enumerate(boxes))
    pieces = tuple(box_piece(f"{key}_{i}", c, h) for i, (c, h) in enumerate(boxes))
    return Link(key, np.eye(4), parts, pieces, **more)


def entity(key: str, kind: Kind, links: Sequence[Link], at: Vec3 = (0.0, 0.0, 0.0), yaw_rad: float = 0.0, **more: Any) -> Entity:
    """An entity with its root at a place and yaw."""
    quat = tuple(float(v) for v in yaw_quat_wxyz(yaw_rad))
    ref = EntityRef.from_key(key)
    given: dict[str, object] = {"category": ref.name, "asset": f"test/{ref.name}", "room": "kitchen", **more}
    return Entity(ref, kind, pose=Pose(at, quat), links=tuple(links), **given)  # type: ignore[arg-type]


def floor(half: float = 4.0) -> Entity:
    """A floor slab whose top is at z = 0."""
    return entity("floor_1", "structure", [boxes_link("base", [((0, 0, -0.05), (half, half, 0.05))], (0.5, 0.4, 0.3))])


def table(key: str = "table_1", at: Vec3 = (0.0, 0.0, 0.0), half: tuple[float, float] = (0.6, 0.4), top_m: float = 0.75) -> Entity:
    """A table: a 4 cm slab on four legs; its surface region is the top."""
    x, y = half
    legs = [
        ((sx * (x - 0.05), sy * (y - 0.05), (top_m - 0.04) / 2), (0.025, 0.025, (top_m - 0.04) / 2)) for sx in (-1, 1) for sy in (-1, 1)
    ]
    link = boxes_link("base", [((0.0, 0.0, top_m - 0.02), (x, y, 0.02)), *legs], (0.6, 0.45, 0.3))
    region = Region("top", "surface", "base", (-x, -y, top_m), (x, y, top_m + 0.4))
    return entity(key, "fixture", [link], at, roles=frozenset({"surface"}), regions=(region,))


def block(
    key: str, half: Vec3 = (0.04, 0.04, 0.05), at: Vec3 = (0.0, 0.0, 0.0), yaw_rad: float = 0.0, mass_kg: float = 0.3, **more: Any
) -> Entity:
    """A movable box; its root is its centre."""
    return entity(key, "movable", [boxes_link("base", [((0.0, 0.0, 0.0), half)], (0.8, 0.2, 0.2))], at, yaw_rad, mass_kg=mass_kg, **more)


def ball(key: str, radius: float = 0.04, at: Vec3 = (0.0, 0.0, 0.0), mass_kg: float = 0.15, **more: Any) -> Entity:
    """A movable ball (hull of 48 points); its root is its centre."""
    points = sphere_points(radius)
    link = Link("base", np.eye(4), (mesh("ball", points, hull_faces(points), (0.2, 0.6, 0.2)),), (ConvexPiece("ball", points, np.eye(4)),))
    return entity(key, "movable", [link], at, mass_kg=mass_kg, **more)


def tray_boxes(half: Vec3, wall: float = 0.01) -> list[tuple[Vec3, Vec3]]:
    """Bottom and four walls of an open-top box with outer half extents, its centre at the origin."""
    x, y, z = half
    w = wall / 2
    return [
        ((0.0, 0.0, -z + w), (x, y, w)),
        ((x - w, 0.0, 0.0), (w, y, z)),
        ((-x + w, 0.0, 0.0), (w, y, z)),
        ((0.0, y - w, 0.0), (x, w, z)),
        ((0.0, -y + w, 0.0), (x, w, z)),
    ]


def open_box(
    key: str, half: Vec3 = (0.15, 0.12, 0.08), at: Vec3 = (0.0, 0.0, 0.0), yaw_rad: float = 0.0, wall: float = 0.01, mass_kg: float = 0.5
) -> Entity:
    """A movable open-top box with one interior region."""
    x, y, z = half
    region = Region("inside", "interior", "base", (-x + wall, -y + wall, -z + wall), (x - wall, y - wall, z))
    return entity(
        key,
        "movable",
        [boxes_link("base", tray_boxes(half, wall), (0.7, 0.6, 0.4))],
        at,
        yaw_rad,
        mass_kg=mass_kg,
        regions=(region,),
        roles=frozenset({"container"}),
    )


def drawer(key: str = "drawer_1", at: Vec3 = (0.0, 0.0, 0.5), closed_at: float = 0.0, open_at: float = 0.4) -> Entity:
    """A drawer that slides along its +x out of a shell that is not modelled; the interior rides on the sliding link."""
    joint = Joint(f"{key}_slide", "slide", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), closed_at, open_at, initial=closed_at)
    half: Vec3 = (0.2, 0.2, 0.08)
    link = boxes_link("tray", tray_boxes(half), (0.5, 0.5, 0.6), joint=joint)
    region = Region("inside", "interior", "tray", (-0.19, -0.19, -0.07), (0.19, 0.19, 0.08), doors=(joint.key,))
    return entity(key, "fixture", [link], at, regions=(region,), roles=frozenset({"container", "openable"}))


def cabinet(key: str = "cabinet_1", at: Vec3 = (0.0, 0.0, 0.0), half: Vec3 = (0.25, 0.25, 0.3), swing_rad: float = 1.6) -> Entity:
    """A floor cabinet with its opening towards +x, closed by a hinged door (hinge at +x, -y); the root is the floor centre."""
    x, y, z = half
    w = 0.01
    shell = [
        ((0.0, 0.0, w), (x, y, w)),
        ((0.0, 0.0, 2 * z - w), (x, y, w)),
        ((-x + w, 0.0, z), (w, y, z)),
        ((0.0, y - w, z), (x, w, z)),
        ((0.0, -y + w, z), (x, w, z)),
    ]
    joint = Joint(f"{key}_hinge", "hinge", (0.0, 0.0, 1.0), (x, -y, 0.0), 0.0, -swing_rad)
    door = boxes_link("door", [((x + w, 0.0, z), (w, y, z))], (0.9, 0.9, 0.9), joint=joint)
    region = Region(
        "inside", "interior", "base", (-x + 2 * w, -y + 2 * w, 2 * w), (x, y - 2 * w, 2 * z - 2 * w), (joint.key,), (1.0, 0.0, 0.0)
    )
    return entity(key, "fixture", [boxes_link("base", shell), door], at, regions=(region,), roles=frozenset({"container", "openable"}))


def label(link: str, centre: Vec3, normal: Vec3, up: Vec3, size: tuple[float, float], *lines: str) -> Label:
    """A printed label."""
    return Label(link, centre, normal, up, size, tuple(lines))


def stage(*entities: Entity, name: str = "test", half: float = 4.0) -> StageModel:
    """A single square kitchen."""
    room = Room("kitchen", "kitchen", ((-half, -half), (half, -half), (half, half), (-half, half)))
    return StageModel(name, (room,), entities)


def body_at(x_m: float = -2.0, y_m: float = 0.0, heading_rad: float = 0.0, posture: str = "standing") -> BodyState:
    """A person somewhere, in the zero pose."""
    return BodyState(np.zeros(156), np.array([x_m, y_m, 0.0]), (x_m, y_m), heading_rad, posture)


def state_of(
    model: StageModel, poses: Mapping[str, Pose] | None = None, joints: Mapping[str, float] | None = None, **more: Any
) -> HouseState:
    """The state of a stage as it was modelled, with some poses and joints replaced."""
    every = {e.key: e.pose for e in model.entities if e.kind == "movable"} | dict(poses or {})
    values = {j.key: j.initial for e in model.entities for j in e.joints} | dict(joints or {})
    given: dict[str, object] = {"body": body_at(), **more}
    return HouseState(every, values, **given)  # type: ignore[arg-type]
