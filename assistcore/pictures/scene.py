"""Plain data that a renderer draws: meshes, surfaces, lamps, windows, rooms. World frame: metres, Z up. No semantic fact lives here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]
Vec3 = tuple[float, float, float]

BACKGROUND_ID = -1
"""Instance id of a pixel that shows no drawable and no body."""

MOST_ROOMS = 32


class SceneError(ValueError):
    """A picture scene that cannot be drawn; the text names the drawable, the field and the value."""


@dataclass(frozen=True, eq=False)
class TriMesh:
    """Indexed triangles in the drawable's own frame.

    vertices_m: shape (n, 3) float32, metres. faces: shape (m, 3) int32. normals: shape (n, 3) float32, unit. uvs: shape (n, 2) float32,
    (0, 0) is
    the lower left corner of the texture, values outside 0..1 repeat.
    """

    vertices_m: F32
    faces: I32
    normals: F32
    uvs: F32

    @staticmethod
    def make(vertices_m: object, faces: object, normals: object | None = None, uvs: object | None = None) -> TriMesh:
        """Convert any array-likes; missing normals become area-weighted vertex normals, missing uvs become zeros."""
        vertices = np.ascontiguousarray(vertices_m, dtype=np.float32).reshape(-1, 3)
        triangles = np.ascontiguousarray(faces, dtype=np.int32).reshape(-1, 3)
        shading = smooth_normals(vertices, triangles) if normals is None else np.ascontiguousarray(normals, dtype=np.float32).reshape(-1, 3)
        coords = np.zeros((len(vertices), 2), np.float32) if uvs is None else np.ascontiguousarray(uvs, dtype=np.float32).reshape(-1, 2)
        return TriMesh(vertices, triangles, shading, coords)

    def check(self, owner: str) -> None:
        """Raise SceneError when shapes, indices or values cannot be drawn."""
        n = len(self.vertices_m)
        for what, array, shape in (("vertices_m", self.vertices_m, (n, 3)), ("normals", self.normals, (n, 3)), ("uvs", self.uvs, (n, 2))):
            if array.shape != shape:
                raise SceneError(f"{owner}: {what} has shape {array.shape}, expected {shape}")
            if not np.isfinite(array).all():
                raise SceneError(f"{owner}: {what} holds {int((~np.isfinite(array)).sum())} values that are not finite")
        if self.faces.ndim != 2 or self.faces.shape[1] != 3:
            raise SceneError(f"{owner}: faces has shape {self.faces.shape}, expected (m, 3)")
        if len(self.faces) and not (0 <= int(self.faces.min()) and int(self.faces.max()) < n):
            raise SceneError(f"{owner}: faces index {int(self.faces.min())}..{int(self.faces.max())} outside 0..{n - 1}")


def smooth_normals(vertices_m: F32, faces: I32) -> F32:
    """Area-weighted vertex normals, shape (n, 3) float32; a vertex without area gets +Z."""
    corners = vertices_m[faces]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    total = np.stack([np.bincount(faces.ravel(), np.repeat(area[:, k], 3), len(vertices_m)) for k in range(3)], -1)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    unit = np.where(length > 1e-20, total / np.maximum(length, 1e-20), (0.0, 0.0, 1.0))
    return unit.astype(np.float32)


@dataclass(frozen=True)
class Surface:
    """How a drawable looks. rgb is display (gamma encoded) 0..1 and multiplies the texture.

    texture: key into `PictureScene.textures`. roughness 0 (mirror-like highlight) .. 1 (matt). specular: strength of the highlight 0..1.
    emissive: light given off, in units of rgb, scaled by the lamp named in `Drawable.glows_with`. alpha < 1 is glass: it is blended over
    what
    lies behind, casts no shadow and leaves ids and depth to what lies behind.
    """

    rgb: Vec3 = (0.8, 0.8, 0.8)
    texture: str | None = None
    roughness: float = 0.6
    specular: float = 0.25
    emissive: float = 0.0
    alpha: float = 1.0

    def with_rgb(self, rgb: Vec3) -> Surface:
        """The same surface in another colour."""
        return replace(self, rgb=rgb)


@dataclass(frozen=True, eq=False)
class Drawable:
    """One mesh with one surface.

    name: unique in the scene. instance_id: what `Picture.ids` shows (several drawables may share one). transform: row of
    `View.transforms` (world from drawable, rigid or uniformly scaled), -1 when the vertices are already in the world frame.
    room: index of the only room that it can be seen in and is lit by, or -1; it counts for what never moves (transform -1),
    moving drawables are sorted by where they are. ceiling: left out of map views. glows_with: index of the lamp that scales
    its emission, -1 for always. casts_shadow: False for lamp shades, curtains, decals.
    """

    name: str
    mesh: TriMesh
    surface: Surface
    instance_id: int
    transform: int = -1
    room: int = -1
    ceiling: bool = False
    glows_with: int = -1
    casts_shadow: bool = True


@dataclass(frozen=True)
class Lamp:
    """A lamp that shines in all directions and only inside its room; position in metres, intensity 1.0 lights a room of 4 x 4 m well.

    Intensity up to 0.5 is a small lamp (table, floor): it casts no shadows.
    """

    position_m: Vec3
    room: int
    rgb: Vec3 = (1.0, 0.87, 0.70)
    intensity: float = 1.0


@dataclass(frozen=True)
class Window:
    """A rectangular opening through which sky and sun come in.

    centre_m on the wall's inner face; half_u_m and half_v_m are the half edges of the rectangle (metres, world frame); the light goes
    into room `room`.
    """

    centre_m: Vec3
    half_u_m: Vec3
    half_v_m: Vec3
    room: int


@dataclass(frozen=True)
class Daylight:
    """Sun and sky. sun_direction points from the room to the sun (world frame, need not be unit); strength 0 is night."""

    sun_direction: Vec3 = (-0.45, -0.62, 0.64)
    sun_rgb: Vec3 = (1.0, 0.86, 0.66)
    sun_strength: float = 1.0
    sky_rgb: Vec3 = (0.80, 0.90, 1.0)
    sky_strength: float = 1.0


@dataclass(frozen=True, eq=False)
class PictureRoom:
    """Floor polygon, shape (k, 2) metres (either winding), with the heights of floor and ceiling in metres."""

    polygon_m: NDArray[np.float64]
    floor_m: float = 0.0
    ceiling_m: float = 2.5


@dataclass(frozen=True)
class Portal:
    """An opening between two rooms: an axis-aligned box (metres) that encloses the hole in the wall, its depth included."""

    room_a: int
    room_b: int
    low_m: Vec3
    high_m: Vec3


@dataclass(frozen=True, eq=False)
class BodyMesh:
    """A skinned body; vertices and normals come with every view.

    faces: shape (m, 3) int32. Either vertex_rgb (n, 3) uint8 or uvs (n, 2) float32 with surface.texture gives the colour.
    """

    n_vertices: int
    faces: I32
    instance_id: int
    vertex_rgb: U8 | None = None
    uvs: F32 | None = None
    surface: Surface = field(default_factory=lambda: Surface(rgb=(1.0, 1.0, 1.0), roughness=0.55, specular=0.2))


@dataclass(frozen=True, eq=False)
class PictureScene:
    """Everything that does not change between pictures. textures: name -> (h, w, 3) uint8, first row on top."""

    drawables: tuple[Drawable, ...] = ()
    textures: Mapping[str, U8] = field(default_factory=dict)
    lamps: tuple[Lamp, ...] = ()
    windows: tuple[Window, ...] = ()
    daylight: Daylight = field(default_factory=Daylight)
    rooms: tuple[PictureRoom, ...] = ()
    portals: tuple[Portal, ...] = ()
    body: BodyMesh | None = None

    def check(self) -> None:
        """Raise SceneError for the first thing that cannot be drawn."""
        seen: set[str] = set()
        for item in self.drawables:
            if item.name in seen:
                raise SceneError(f"drawable name {item.name!r} is used twice")
            seen.add(item.name)
            item.mesh.check(item.name)
            self.check_surface(item.name, item.surface)
            if not -1 <= item.glows_with < len(self.lamps):
                raise SceneError(f"{item.name}: glows_with {item.glows_with} outside -1..{len(self.lamps) - 1}")
            if not -1 <= item.room < len(self.rooms):
                raise SceneError(f"{item.name}: room {item.room} outside -1..{len(self.rooms) - 1}")
        for name, texture in self.textures.items():
            if texture.ndim != 3 or texture.shape[2] != 3 or texture.dtype != np.uint8 or 0 in texture.shape:
                raise SceneError(f"texture {name!r} is {texture.dtype}{texture.shape}, expected uint8 (h, w, 3)")
        self._check_rooms()
        if self.body is not None:
            self._check_body(self.body)

    def check_surface(self, owner: str, surface: Surface) -> None:
        """Raise SceneError when a surface names a texture that the scene lacks."""
        if surface.texture is not None and surface.texture not in self.textures:
            raise SceneError(f"{owner}: texture {surface.texture!r} is not among the scene's {len(self.textures)} textures")

    def _check_rooms(self) -> None:
        n = len(self.rooms)
        if n > MOST_ROOMS:
            raise SceneError(f"the scene has {n} rooms, at most {MOST_ROOMS} can be drawn")
        for k, room in enumerate(self.rooms):
            if room.polygon_m.ndim != 2 or room.polygon_m.shape[0] < 3 or room.polygon_m.shape[1] != 2:
                raise SceneError(f"room {k}: polygon_m has shape {room.polygon_m.shape}, expected (k >= 3, 2)")
        users = [(f"lamp {k}", lamp.room) for k, lamp in enumerate(self.lamps)] + [
            (f"window {k}", w.room) for k, w in enumerate(self.windows)
        ]
        users += [(f"portal {k}", r) for k, portal in enumerate(self.portals) for r in (portal.room_a, portal.room_b)]
        for what, room_index in users:
            if not 0 <= room_index < n:
                raise SceneError(f"{what}: room {room_index} outside 0..{n - 1}")

    def _check_body(self, body: BodyMesh) -> None:
        self.check_surface("body", body.surface)
        if len(body.faces) and not (0 <= int(body.faces.min()) and int(body.faces.max()) < body.n_vertices):
            raise SceneError(f"body: faces index up to {int(body.faces.max())} with {body.n_vertices} vertices")
        if body.vertex_rgb is not None and body.vertex_rgb.shape != (body.n_vertices, 3):
            raise SceneError(f"body: vertex_rgb has shape {body.vertex_rgb.shape}, expected ({body.n_vertices}, 3)")
        if body.uvs is not None and body.uvs.shape != (body.n_vertices, 2):
            raise SceneError(f"body: uvs has shape {body.uvs.shape}, expected ({body.n_vertices}, 2)")
