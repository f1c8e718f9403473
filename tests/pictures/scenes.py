"""A small furnished flat for the picture tests and benchmarks: two rooms, a door, windows, a lettered card, a wobbling body."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures import (
    BodyMesh,
    Camera,
    Daylight,
    Drawable,
    Lamp,
    PictureRoom,
    PictureScene,
    Portal,
    Surface,
    TriMesh,
    View,
    Window,
    smooth_normals,
)

CARD_LINES = ("Apples 1 kg   $2.49", "Milk 500 mL   $1.15", "Rye bread     $3.20", "Olive oil 1 L $8.75", "Total due    $15.59")
WALL = Surface(rgb=(0.90, 0.87, 0.81), roughness=0.95, specular=0.02)
BODY_ID = 900


def box(size: tuple[float, float, float], centre: tuple[float, float, float] = (0.0, 0.0, 0.0), uv_per_m: float = 0.0) -> TriMesh:
    """Axis-aligned box; uvs span each face once, or uv_per_m repeats a metre."""
    vertices: list[NDArray[np.float64]] = []
    normals: list[NDArray[np.float64]] = []
    uvs: list[tuple[float, float]] = []
    faces: list[list[int]] = []
    half = np.array(size) / 2
    for axis in range(3):
        for sign in (-1.0, 1.0):
            n = np.zeros(3)
            n[axis] = sign
            w = np.array([0.0, 1.0, 0.0]) if axis == 2 else np.array([0.0, 0.0, 1.0])
            u = np.cross(w, n)
            start = len(vertices)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                vertices.append((n + u * a + w * b) * half + centre)
                normals.append(n)
                scale = (1.0, 1.0) if uv_per_m == 0 else (float(abs(u) @ half) * 2 * uv_per_m, float(abs(w) @ half) * 2 * uv_per_m)
                uvs.append(((a + 1) / 2 * scale[0], (b + 1) / 2 * scale[1]))
            faces += [[start, start + 1, start + 2], [start, start + 2, start + 3]]
    return TriMesh.make(np.array(vertices), np.array(faces), np.array(normals), np.array(uvs))


def lathe(profile: list[tuple[float, float]], segments: int = 32) -> TriMesh:
    """Surface of revolution about z of (radius, height) points."""
    points = np.array(profile)
    angle = np.linspace(0, 2 * np.pi, segments + 1)
    ring = np.stack([np.cos(angle), np.sin(angle)], -1)
    vertices = np.concatenate([np.concatenate([r * ring, np.full((segments + 1, 1), z)], 1) for r, z in points])
    along = np.gradient(points, axis=0)
    normal = np.stack([along[:, 1], -along[:, 0]], -1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-9
    normals = np.concatenate([np.concatenate([a * ring, np.full((segments + 1, 1), b)], 1) for a, b in normal])
    uv = [(j / segments, i / (len(points) - 1)) for i in range(len(points)) for j in range(segments + 1)]
    index = np.arange(len(vertices)).reshape(len(points), segments + 1)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return TriMesh.make(vertices, faces, normals, np.array(uv))


def sphere(radius: float, rings: int = 24) -> TriMesh:
    """Sphere about the origin."""
    angle = np.linspace(0, np.pi, rings)
    return lathe([(max(1e-4, radius * np.sin(a)), -radius * np.cos(a)) for a in angle], 2 * rings)


def pose(x: float, y: float, z: float, yaw: float = 0.0) -> NDArray[np.float32]:
    """World matrix (4, 4)."""
    M = np.eye(4, dtype=np.float32)
    M[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    M[:3, 3] = (x, y, z)
    return M


def wood(side: int = 512, seed: int = 3, tone: tuple[int, int, int] = (168, 120, 78)) -> NDArray[np.uint8]:
    """Plank texture."""
    random = np.random.default_rng(seed)
    out = np.zeros((side, side, 3))
    planks = 6
    height = side // planks + 1
    x = np.arange(side) / side * 2 * np.pi
    for k in range(planks):
        waves = [np.sin(x * f + random.uniform(0, 6) + np.linspace(0, 2, height)[:, None] * random.uniform(0.5, 2)) / f for f in (1, 3, 7)]
        grain = waves[0] + waves[1] + waves[2]
        plank = np.array(tone) + random.normal(0, 7) + grain[..., None] * 4 + random.normal(0, 2.0, (height, side, 1))
        plank[:2] *= 0.72
        plank[:, int(random.uniform(0, side - 4)) :][:, :2] *= 0.75
        out[k * height : (k + 1) * height] = plank[: max(0, side - k * height)]
    return np.clip(out, 0, 255).astype(np.uint8)


@cache
def card() -> NDArray[np.uint8]:
    """A price card of five lines, 640 x 512."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (640, 512), (255, 253, 244))
    pen = ImageDraw.Draw(image)
    pen.rectangle([4, 4, 635, 507], outline=(25, 25, 25), width=6)
    for k, line in enumerate(CARD_LINES):
        pen.text((30, 20 + 94 * k), line, fill=(12, 12, 12), font=ImageFont.load_default(56))
    return np.asarray(image)


def weave(base: tuple[int, int, int], side: int = 128) -> NDArray[np.uint8]:
    """Cloth texture."""
    y, x = np.mgrid[:side, :side]
    shade = ((x // 2 + y // 2) % 2) * 10 + ((x // 16 + y // 16) % 2) * 14 - 10
    return np.clip(np.array(base) + shade[..., None], 0, 255).astype(np.uint8)


class Builder:
    """Collects drawables; instance ids count from 1 in the order of the first use."""

    def __init__(self) -> None:
        self.drawables: list[Drawable] = []
        self.transforms: list[NDArray[np.float32]] = []

    def fixed(self, name: str, mesh: TriMesh, surface: Surface, **more: object) -> None:
        self.drawables.append(Drawable(name, mesh, surface, len(self.drawables) + 1, **more))  # type: ignore[arg-type]

    def movable(self, name: str, mesh: TriMesh, surface: Surface, where: NDArray[np.float32], **more: object) -> None:
        self.transforms.append(where)
        self.fixed(name, mesh, surface, transform=len(self.transforms) - 1, **more)


def _shell(b: Builder) -> None:
    """Room 0: x -2.5..2.5, y -2..2. Room 1: x 2.6..6, y -2..2. Door at x 2.5..2.6, y -0.45..0.45; windows in the walls y = 2."""
    floor, ceiling = (
        Surface(texture="floor", rgb=(1, 1, 1), roughness=0.42, specular=0.35),
        Surface(rgb=(0.95, 0.94, 0.92), roughness=1.0, specular=0.0),
    )
    b.fixed("floor", box((8.7, 4.2, 0.1), (1.75, 0, -0.05), 0.6), floor)
    b.fixed("ceiling", box((8.7, 4.2, 0.1), (1.75, 0, 2.55)), ceiling, ceiling=True)
    b.fixed("wall_s", box((8.7, 0.1, 2.5), (1.75, -2.05, 1.25)), WALL)
    b.fixed("wall_w", box((0.1, 4.0, 2.5), (-2.55, 0, 1.25)), WALL)
    b.fixed("wall_e", box((0.1, 4.0, 2.5), (6.05, 0, 1.25)), Surface(rgb=(0.74, 0.80, 0.82), roughness=0.95, specular=0.02))
    for name, x0, x1, z0, z1 in (
        ("a", -2.6, -1.3, 0, 2.5), ("b", -1.3, 0.7, 0, 0.85), ("c", -1.3, 0.7, 2.15, 2.5),
        ("d", 0.7, 3.6, 0, 2.5), ("e", 3.6, 5.0, 0, 0.9), ("f", 3.6, 5.0, 2.1, 2.5), ("g", 5.0, 6.1, 0, 2.5),
    ):  # fmt: skip
        b.fixed(f"wall_n_{name}", box((x1 - x0, 0.1, z1 - z0), ((x0 + x1) / 2, 2.05, (z0 + z1) / 2)), WALL)
    for name, y0, y1, z0, z1 in (("a", -2.0, -0.45, 0, 2.5), ("b", -0.45, 0.45, 2.02, 2.5), ("c", 0.45, 2.0, 0, 2.5)):
        b.fixed(f"wall_m_{name}", box((0.1, y1 - y0, z1 - z0), (2.55, (y0 + y1) / 2, (z0 + z1) / 2)), WALL)
    white = Surface(rgb=(0.96, 0.96, 0.95), roughness=0.5)
    for k, (x0, x1, z0, z1) in enumerate(((-1.3, 0.7, 0.85, 2.15), (3.6, 5.0, 0.9, 2.1))):
        for j, x in enumerate((x0 + 0.025, (x0 + x1) / 2, x1 - 0.025)):
            b.fixed(f"frame{k}_{j}", box((0.05, 0.06, z1 - z0), (x, 2.05, (z0 + z1) / 2)), white)
        b.fixed(f"sill{k}", box((x1 - x0 + 0.1, 0.16, 0.03), ((x0 + x1) / 2, 1.96, z0)), white)
        b.fixed(
            f"pane{k}",
            box((x1 - x0, 0.006, z1 - z0), ((x0 + x1) / 2, 2.06, (z0 + z1) / 2)),
            Surface(rgb=(0.8, 0.9, 0.95), roughness=0.05, specular=0.6, alpha=0.10),
        )
    for k, y in enumerate((-1.975, 1.99)):
        b.fixed(f"skirting{k}", box((4.98, 0.02, 0.09), (0, y, 0.045)), white)


def _furniture(b: Builder) -> None:
    oak = Surface(texture="oak", rgb=(1, 1, 1), roughness=0.45, specular=0.35)
    b.fixed("table_top", box((1.4, 0.8, 0.04), (0, 0.2, 0.74), 1.0), oak)
    for k, (x, y) in enumerate(((-0.64, -0.14), (0.64, -0.14), (-0.64, 0.54), (0.64, 0.54))):
        b.fixed(f"table_leg{k}", box((0.06, 0.06, 0.72), (x, y, 0.36), 1.0), oak)
    sofa = Surface(texture="cloth", rgb=(1, 1, 1), roughness=0.95, specular=0.03)
    for name, size, at in (
        ("seat", (0.9, 1.8, 0.4), (-2.0, -0.6, 0.22)),
        ("back", (0.22, 1.8, 0.5), (-2.36, -0.6, 0.6)),
        ("arm", (0.9, 0.2, 0.6), (-2.0, 0.4, 0.3)),
    ):
        b.fixed(f"sofa_{name}", box(size, at, 2.0), sofa)
    b.fixed("rug", box((1.8, 1.4, 0.01), (-0.6, -1.0, 0.005)), Surface(texture="rug", rgb=(1, 1, 1), roughness=1.0, specular=0.0))
    b.fixed("shelf", box((0.35, 1.1, 1.8), (2.3, 1.3, 0.9), 1.0), oak)
    b.fixed("bed", box((1.9, 1.5, 0.45), (5.0, -1.2, 0.225)), Surface(rgb=(0.62, 0.70, 0.78), roughness=0.95, specular=0.02))
    b.fixed("painting", box((0.9, 0.03, 0.6), (0.9, -1.985, 1.5)), Surface(texture="painting", rgb=(1, 1, 1)))
    shade = Surface(rgb=(1.0, 0.93, 0.80), emissive=1.0)
    profile = [(0.001, 2.47), (0.16, 2.47), (0.19, 2.42), (0.16, 2.38), (0.001, 2.37)]
    for k, x in enumerate((0.0, 4.3)):
        mesh = lathe(profile)
        mesh = TriMesh(mesh.vertices_m + np.array((x, 0.0, 0.0), np.float32), mesh.faces, mesh.normals, mesh.uvs)
        b.fixed(f"shade{k}", mesh, shade, glows_with=k, casts_shadow=False)
    b.movable("door", box((0.9, 0.04, 2.0), (0.45, 0, 1.0)), Surface(rgb=(0.82, 0.74, 0.62), roughness=0.5), pose(2.57, -0.45, 0.0, 0.25))


def _things(b: Builder) -> None:
    b.movable(
        "card", box((0.18, 0.004, 0.144)), Surface(texture="card", rgb=(1, 1, 1), roughness=0.8, specular=0.05), pose(0.10, -0.02, 0.833)
    )
    b.movable("ball", sphere(0.06), Surface(rgb=(0.80, 0.22, 0.16), roughness=0.25, specular=0.7), pose(-0.22, 0.12, 0.82))
    cup = lathe([(0.001, 0), (0.03, 0), (0.038, 0.09), (0.034, 0.09), (0.027, 0.006), (0.001, 0.006)])
    bowl = lathe([(0.001, 0), (0.04, 0), (0.07, 0.03), (0.085, 0.06), (0.08, 0.06), (0.066, 0.033), (0.038, 0.006), (0.001, 0.006)])
    bottle = lathe([(0.001, 0), (0.035, 0), (0.037, 0.01), (0.037, 0.16), (0.03, 0.19), (0.014, 0.22), (0.014, 0.25), (0.001, 0.25)])
    b.movable("cup", cup, Surface(rgb=(0.92, 0.92, 0.90), roughness=0.3, specular=0.5), pose(0.36, 0.05, 0.76))
    b.movable("bowl", bowl, Surface(rgb=(0.25, 0.48, 0.62), roughness=0.3, specular=0.5), pose(-0.45, 0.30, 0.76))
    for k, rgb in enumerate(((0.20, 0.36, 0.15), (0.72, 0.12, 0.14), (0.85, 0.90, 0.95))):
        b.movable(f"bottle{k}", bottle, Surface(rgb=rgb, roughness=0.25, specular=0.6), pose(-0.1 + 0.2 * k, 0.45, 0.76))
    for k in range(30):
        mesh = (cup, bowl, box((0.07, 0.05, 0.10), (0, 0, 0.05)))[k % 3]
        r, g, b_ = (float(c) for c in 0.25 + 0.6 * np.random.default_rng(k).random(3))
        rgb = (r, g, b_)
        where = (
            pose(2.2, 0.85 + 0.09 * (k % 10), 1.8)
            if k < 10
            else pose(-0.6 + 0.06 * k, 1.93, 0.865)
            if k < 18
            else pose(4.2 + 0.1 * (k - 18), -0.6 - 0.05 * (k % 4), 0.45)
        )
        b.movable(f"thing{k}", mesh, Surface(rgb=rgb, roughness=0.4, specular=0.4), where)  # type: ignore[arg-type]


def _textures() -> dict[str, NDArray[np.uint8]]:
    y, x = np.mgrid[:150, :230]
    painting = np.stack([200 - y, 150 + 40 * np.sin(x / 18) + 0 * y, 110 + x * 0.5], -1).clip(0, 255).astype(np.uint8)
    return {
        "floor": wood(1024),
        "oak": wood(512, 8, (190, 146, 100)),
        "cloth": weave((104, 128, 122)),
        "rug": weave((178, 120, 92), 256),
        "card": card(),
        "painting": painting,
    }


def body_shape(time_s: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """About 10k vertices (head first, then two arms and a trunk) and normals of a standing blob that sways."""
    vertices, _ = _body_parts()
    moved = vertices.copy()
    moved[:, 0] += 0.05 * np.sin(time_s * 2.0 + vertices[:, 2] * 1.5)
    moved[:, 2] += np.where(vertices[:, 1] > -0.45, 0.05 * np.sin(time_s * 3.0), 0.0) * (vertices[:, 1] + 0.45)
    posed: NDArray[np.float32] = moved.astype(np.float32)
    return posed, smooth_normals(posed, body_mesh().faces)


def _tube(path: list[list[float]], radius: list[float], rings: int, sides: int) -> TriMesh:
    t = np.linspace(0, 1, rings)
    key = np.linspace(0, 1, len(path))
    centre = np.stack([np.interp(t, key, np.array(path)[:, k]) for k in range(3)], -1)
    r = np.interp(t, np.linspace(0, 1, len(radius)), radius) * np.sqrt(np.clip(1 - (np.abs(2 * t - 1) ** 12), 1e-4, 1))
    along = np.gradient(centre, axis=0)
    side = np.cross(along, (1.0, 0.0, 0.03))
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    other = np.cross(along / np.linalg.norm(along, axis=1, keepdims=True), side)
    a = np.arange(sides) / sides * 2 * np.pi
    v = centre[:, None] + r[:, None, None] * (side[:, None] * np.cos(a)[:, None] + other[:, None] * np.sin(a)[:, None])
    index = np.arange(rings * sides).reshape(rings, sides)
    nxt = np.roll(index, -1, 1)
    faces = np.concatenate(
        [np.stack([index[:-1], nxt[:-1], nxt[1:]], -1).reshape(-1, 3), np.stack([index[:-1], nxt[1:], index[1:]], -1).reshape(-1, 3)]
    )
    return TriMesh.make(v.reshape(-1, 3), faces)


@cache
def _body_parts() -> tuple[NDArray[np.float64], tuple[TriMesh, ...]]:
    y = -0.62
    parts = [_tube([[0, y, 1.46], [0, y, 1.58], [0, y + 0.01, 1.76]], [0.06, 0.10, 0.05], 40, 40)]
    for s in (-1, 1):
        parts.append(
            _tube(
                [[0.19 * s, y, 1.38], [0.27 * s, y + 0.12, 1.12], [0.15 * s, y + 0.40, 1.06], [0.13 * s, y + 0.50, 1.05]],
                [0.055, 0.048, 0.04, 0.03, 0.04],
                60,
                30,
            )
        )
        parts.append(
            _tube(
                [[0.09 * s, y, 0.9], [0.1 * s, y, 0.45], [0.1 * s, y - 0.02, 0.1], [0.1 * s, y + 0.14, 0.04]],
                [0.085, 0.06, 0.045, 0.04],
                40,
                30,
            )
        )
    parts.append(_tube([[0, y, 0.84], [0, y, 1.1], [0, y - 0.02, 1.40], [0, y - 0.02, 1.48]], [0.15, 0.16, 0.17, 0.06], 60, 40))
    return np.concatenate([p.vertices_m for p in parts]).astype(np.float64), tuple(parts)


@cache
def body_mesh() -> BodyMesh:
    """Faces and colours of the blob."""
    vertices, parts = _body_parts()
    starts = np.cumsum([0] + [len(p.vertices_m) for p in parts])
    faces = np.concatenate([p.faces + s for p, s in zip(parts, starts, strict=False)]).astype(np.int32)
    rgb = np.full((len(vertices), 3), (222, 172, 140), np.uint8)
    rgb[starts[2] : starts[3]] = rgb[starts[4] : starts[5]] = (62, 66, 84)
    rgb[starts[5] :] = (84, 116, 150)
    return BodyMesh(len(vertices), faces, BODY_ID, rgb)


def head_faces() -> NDArray[np.bool_]:
    """Mask of the head's faces."""
    _, parts = _body_parts()
    mask = np.zeros(len(body_mesh().faces), bool)
    mask[: len(parts[0].faces)] = True
    return mask


@cache
def flat() -> tuple[PictureScene, NDArray[np.float32]]:
    """The scene and its transforms (T, 4, 4)."""
    b = Builder()
    for part in (_shell, _furniture, _things):
        part(b)
    rooms = tuple(PictureRoom(np.array([(x0, -2.0), (x1, -2.0), (x1, 2.0), (x0, 2.0)]), 0.0, 2.5) for x0, x1 in ((-2.5, 2.5), (2.6, 6.0)))
    scene = PictureScene(
        drawables=tuple(b.drawables),
        textures=_textures(),
        lamps=(Lamp((0.0, 0.0, 2.36), 0), Lamp((4.3, 0.0, 2.36), 1)),
        daylight=Daylight(sun_direction=(0.55, 0.75, 0.62)),
        windows=(Window((-0.3, 2.0, 1.5), (1.0, 0, 0), (0, 0, 0.65), 0), Window((4.3, 2.0, 1.5), (0.7, 0, 0), (0, 0, 0.6), 1)),
        rooms=rooms,
        portals=(Portal(0, 1, (2.5, -0.45, 0.0), (2.6, 0.45, 2.02)),),
        body=body_mesh(),
    )
    return scene, np.stack(b.transforms)


def view_of(camera: Camera, *, time_s: float | None = 0.0, **more: object) -> View:
    """A view of the flat; time_s None leaves the body out."""
    _, transforms = flat()
    body = {} if time_s is None else dict(zip(("body_vertices_m", "body_normals"), body_shape(time_s), strict=True))
    return View(camera=camera, **({"transforms": transforms} | body | more))  # type: ignore[arg-type]


def head_camera(width: int = 640, height: int = 480) -> Camera:
    """Standing at the table, looking down on it."""
    return Camera.look_at((0.0, -0.55, 1.60), (0.0, 0.35, 0.80), hfov_rad=np.radians(80), width=width, height=height)
