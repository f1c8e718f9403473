"""The stage as a picture scene: what never moves is baked into the world frame, what can move gets a transform row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import Entity, Link, StageModel, link_matrix
from assistcore.world.snapshots import Snapshot
from assistworld.engines.house.picture_glow import Glowing, glowing_of
from assistworld.engines.house.picture_levels import Level, colour_of, filled, levels_of
from assistworld.engines.house.picture_looks import Looks, looks_of, words
from assistworld.engines.house.picture_streams import Pour, Streams, streams_of

if TYPE_CHECKING:
    from assistcore.pictures.camera import Camera
    from assistcore.pictures.scene import BodyMesh, Drawable, Lamp, PictureRoom, PictureScene, Portal, Surface, Window
    from humans.model import BodyModel

BODY_RGB = {"skin": (222, 176, 150), "suit": (86, 112, 156), "eye": (240, 240, 240)}
"""Colours of the embedded body's parts, sRGB 0..255."""
SEEN_FROM_EVERYWHERE = ("sky",)
"""What stands outside the rooms and shows through the windows of several: never left out with its room."""


@dataclass(frozen=True, eq=False)
class PictureStage:
    """A picture scene and what maps snapshots onto it. `rows` name the (entity, link) of each transform row."""

    scene: PictureScene
    rows: tuple[tuple[str, str], ...]
    own_head: NDArray[np.bool_]
    stage: StageModel
    zero_joints: Mapping[str, float]
    doors: tuple[str, ...]
    """The joint key of each portal's door, empty for an open passage."""
    looks: Looks = Looks()
    levels: tuple[Level, ...] = ()
    """What stands in vessels; their transform rows come after those of `rows`."""
    glowing: Glowing = Glowing()
    streams: Streams = Streams()
    """What runs; its transform rows come after those of `levels`."""

    def lamps_on(self, snapshot: Snapshot) -> NDArray[np.float32]:
        """1 for each lamp that shines."""
        on = [1.0 if not lamp.entity or "running" in words(snapshot.looks.get(lamp.entity, "")) else 0.0 for lamp in self.stage.lamps]
        return np.array(on, dtype=np.float32)

    def portals_open(self, snapshot: Snapshot) -> NDArray[np.float32] | None:
        """How far each portal's door is open."""
        if not self.doors:
            return None
        return np.array([self._open(joint, snapshot) for joint in self.doors], dtype=np.float32)

    def _open(self, key: str, snapshot: Snapshot) -> float:
        if not key:
            return 1.0
        owner, _ = self.stage.joint_owner[key]
        joint = next(j for j in self.stage.entity(owner).joints if j.key == key)
        value = snapshot.joints.get(key, 0.0)
        return float(np.clip((value - joint.closed_at) / (joint.open_at - joint.closed_at), 0.0, 1.0))

    def hidden(self, snapshot: Snapshot, pour: Pour | None = None) -> frozenset[str]:
        """Drawables of movables that the scenario removed, of variants that do not show, and of what does not run."""
        empty = (level.drawable.name for level in self.levels if filled(snapshot.looks.get(level.key, "")) is None)
        other = self.looks.hidden(snapshot.looks).union(empty, self.streams.dry(snapshot.looks), self.streams.unused(pour))
        gone = {key for key, look in snapshot.looks.items() if look == "removed"}
        return other | frozenset(d.name for d in self.scene.drawables if d.name.split("/", 1)[0] in gone) if gone else other

    def surfaces(self, snapshot: Snapshot, pour: Pour | None = None) -> dict[str, Surface]:
        """Surfaces that attributes have changed, by drawable."""
        out = self.looks.tints(snapshot.looks, snapshot.tick) | self.glowing.surfaces(snapshot.looks)
        if pour is not None:
            out |= {piece.name: replace(piece.surface, rgb=colour_of(pour.contents)) for piece in self.streams.pieces}
        for level in self.levels:
            content = filled(snapshot.looks.get(level.key, ""))
            if content is not None:
                out[level.drawable.name] = replace(level.drawable.surface, rgb=colour_of(content.contents))
        return out

    def map_camera(self, width: int, height: int) -> Camera:
        """A camera straight above the home that sees all of it, north (+y) up."""
        from assistcore.pictures.camera import Camera

        points = np.array([p for room in self.stage.rooms for p in room.polygon_m])
        low, high = points.min(axis=0) - 0.4, points.max(axis=0) + 0.4
        centre, span = 0.5 * (low + high), high - low
        hfov = np.radians(50.0)
        height_m = 2.6 + max(span[0], span[1] * width / height) / (2 * np.tan(hfov / 2))
        eye = np.array([centre[0], centre[1], height_m])
        return Camera(eye, np.eye(3), float(hfov), width, height, far_m=float(height_m) + 5.0)


def picture_stage(stage: StageModel, body: BodyModel) -> PictureStage:
    """Build the picture scene of a stage with a person in it."""
    from assistcore.pictures.scene import PictureScene
    from humans.camera import own_head_faces

    rooms = {room.key: i for i, room in enumerate(stage.rooms)}
    rows: list[tuple[str, str]] = []
    drawables: list[Drawable] = []
    for number, entity in enumerate(stage.entities):
        for link in entity.links:
            drawables.extend(_drawables(stage, entity, link, number, rooms, rows))
    looks, variants = looks_of(stage, drawables)
    levels = levels_of(stage, len(rows))
    streams, running = streams_of(stage, len(rows) + len(levels), rooms)
    glowing = glowing_of(stage, drawables)
    drawables += [*variants, *(level.drawable for level in levels), *running]
    portals, doors = _portals(stage, rooms)
    scene = PictureScene(
        drawables=tuple(drawables),
        textures=dict(stage.textures),
        lamps=_lamps(stage, rooms),
        windows=_windows(stage, rooms),
        rooms=_rooms(stage),
        portals=portals,
        body=_body(body, len(stage.entities)),
    )
    zero = {joint.key: 0.0 for e in stage.entities for joint in e.joints}
    return PictureStage(scene, tuple(rows), own_head_faces(body), stage, zero, doors, looks, levels, glowing, streams)


def _moves(entity: Entity, link: Link) -> bool:
    hop: Link | None = link
    while hop is not None:
        if hop.joint is not None:
            return True
        hop = entity.link(hop.parent) if hop.parent else None
    return entity.kind == "movable"


def _drawables(
    stage: StageModel, entity: Entity, link: Link, number: int, rooms: Mapping[str, int], rows: list[tuple[str, str]]
) -> list[Drawable]:
    from assistcore.pictures.scene import Drawable, Surface, TriMesh

    moving = _moves(entity, link)
    row = -1
    if moving:
        row = len(rows)
        rows.append((entity.key, link.key))
    T = link_matrix(entity, link, entity.pose.matrix(), {})
    lamp = next((i for i, lamp in enumerate(stage.lamps) if lamp.entity and lamp.entity == entity.key), -1)
    found = []
    for part in link.parts:
        vertices, normals = part.vertices_m, part.normals
        if not moving:
            vertices = (vertices @ T[:3, :3].T + T[:3, 3]).astype(np.float32)
            normals = (normals @ T[:3, :3].T).astype(np.float32)
        look = part.surface
        surface = Surface(
            rgb=look.rgb,
            texture=look.texture or None,
            roughness=look.roughness,
            specular=0.35 * (1.0 - look.roughness),
            emissive=look.emissive,
            alpha=look.opacity,
        )
        found.append(
            Drawable(
                name=f"{entity.key}/{link.key}/{part.name}",
                mesh=TriMesh.make(vertices, part.faces, normals, part.uvs),
                surface=surface,
                instance_id=number,
                transform=row,
                room=-1 if moving or entity.connects or entity.category in SEEN_FROM_EVERYWHERE else rooms.get(entity.room, -1),
                ceiling=entity.category in ("ceiling", "ceiling_lamp"),
                glows_with=lamp if look.emissive > 0 else -1,
                casts_shadow=look.emissive == 0.0 and entity.category not in ("ceiling", "curtain", "window", "rug"),
            )
        )
    return found


def _lamps(stage: StageModel, rooms: Mapping[str, int]) -> tuple[Lamp, ...]:
    from assistcore.pictures.scene import Lamp

    return tuple(Lamp(lamp.position_m, rooms[lamp.room], lamp.rgb, lamp.intensity) for lamp in stage.lamps)


def _windows(stage: StageModel, rooms: Mapping[str, int]) -> tuple[Window, ...]:
    from assistcore.pictures.scene import Window

    found = []
    for window in stage.windows:
        side = np.cross((0.0, 0.0, 1.0), window.normal) * window.size_m[0] / 2
        half_u = (float(side[0]), float(side[1]), float(side[2]))
        found.append(Window(window.centre_m, half_u, (0.0, 0.0, window.size_m[1] / 2), rooms[window.room]))
    return tuple(found)


def _rooms(stage: StageModel) -> tuple[PictureRoom, ...]:
    from assistcore.pictures.scene import PictureRoom

    return tuple(PictureRoom(np.array(room.polygon_m), room.floor_m, room.ceiling_m) for room in stage.rooms)


def _portals(stage: StageModel, rooms: Mapping[str, int]) -> tuple[tuple[Portal, ...], tuple[str, ...]]:
    """One portal for each entity that connects two rooms: a door, or an open passage without joint."""
    from assistcore.pictures.scene import Portal

    portals, doors = [], []
    for entity in stage.entities:
        if len(entity.connects) != 2 or any(room not in rooms for room in entity.connects):
            continue
        low, high = _closed_box(entity)
        a, b = entity.connects
        portals.append(Portal(rooms[a], rooms[b], _triple(low), _triple(high)))
        doors.append(entity.joints[0].key if entity.joints else "")
    return tuple(portals), tuple(doors)


def _closed_box(entity: Entity) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    closed = {j.key: j.closed_at for j in entity.joints}
    corners: list[NDArray[np.float64]] = []
    for link in entity.links:
        T = link_matrix(entity, link, entity.pose.matrix(), closed)
        corners.extend(part.vertices_m @ T[:3, :3].T + T[:3, 3] for part in link.parts)
    points = np.concatenate(corners) if corners else np.array([entity.pose.position_m])
    return points.min(axis=0) - 0.08, points.max(axis=0) + 0.08


def _triple(v: NDArray[np.float64]) -> tuple[float, float, float]:
    return (float(v[0]), float(v[1]), float(v[2]))


def _body(body: BodyModel, number: int) -> BodyMesh:
    from assistcore.pictures.scene import BodyMesh

    palette = np.array([BODY_RGB.get(name, (200, 200, 200)) for name in body.part_names], dtype=np.uint8)
    return BodyMesh(len(body.template_m), body.faces.astype(np.int32), number, vertex_rgb=palette[body.vertex_part])
