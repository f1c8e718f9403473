"""Scene data on the device: one merged vertex buffer, a record per drawable, and texture arrays grouped by size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.camera import F64
from assistcore.pictures.scene import U8, BodyMesh, PictureScene, Surface

VERTEX = np.dtype([("p", "<3f4"), ("n", "<3f4"), ("uv", "<2f4"), ("item", "<i4"), ("tint", "<4u1")])
"""Position, normal, texture coordinate, drawable index, colour: 40 bytes."""

ITEM = np.dtype([("m", "<16f4"), ("colour_layer", "<4f4"), ("look", "<4f4"), ("ids", "<4i4")])
"""Column-major world matrix; rgb and texture layer; roughness, specular, emission, alpha; instance id. Layout std430."""

COMMAND = np.dtype("<u4")
TEXTURE_SIDES = (64, 128, 256, 512, 1024, 2048)


@dataclass(frozen=True, eq=False)
class Textures:
    """Texture arrays, one per size; key -> (group, layer). Group 0 is one white texel."""

    arrays: tuple[Any, ...]
    places: Mapping[str | None, tuple[int, int]]

    def release(self) -> None:
        """Free the device memory."""
        for array in self.arrays:
            array.release()


def texture_side(pixels: int) -> int:
    """The side of the texture array for so many pixels: a power of two up to 2048, the next one up unless 12 % less is enough."""
    for side in TEXTURE_SIDES:
        if pixels <= side * 1.12:
            return side
    return TEXTURE_SIDES[-1]


def _fitted(texture: U8) -> U8:
    height, width = texture_side(texture.shape[0]), texture_side(texture.shape[1])
    if texture.shape[:2] == (height, width):
        return texture
    from PIL import Image

    return np.asarray(Image.fromarray(texture).resize((width, height), Image.Resampling.LANCZOS))


def upload_textures(context: Any, textures: Mapping[str, U8]) -> Textures:
    """Group textures by fitted size and upload each group with mip levels; the first row of a texture is v = 1."""
    import moderngl

    groups: dict[tuple[int, int], list[str]] = {}
    for name in sorted(textures):
        height, width = (texture_side(side) for side in textures[name].shape[:2])
        groups.setdefault((width, height), []).append(name)
    white = context.texture_array((1, 1, 1), 4, b"\xff\xff\xff\xff")
    white.filter = (moderngl.NEAREST, moderngl.NEAREST)
    arrays: list[Any] = [white]
    places: dict[str | None, tuple[int, int]] = {None: (0, 0)}
    for size, names in sorted(groups.items()):
        pixels = np.full((len(names), size[1], size[0], 4), 255, np.uint8)
        for layer, name in enumerate(names):
            pixels[layer, :, :, :3] = _fitted(textures[name])[::-1]
            places[name] = (len(arrays), layer)
        array = context.texture_array((size[0], size[1], len(names)), 4, pixels)
        array.build_mipmaps()
        array.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        arrays.append(array)
    return Textures(tuple(arrays), places)


def _vertices(n: int, item: int) -> NDArray[np.void]:
    block = np.zeros(n, VERTEX)
    block["item"], block["tint"] = item, 255
    return block


class Geometry:
    """All drawables in one vertex and one index buffer, the body in buffers of its own.

    commands: shape (n, 5) uint32, the indirect draw command of each drawable. low, high: local boxes (n, 3).
    """

    def __init__(self, context: Any, scene: PictureScene) -> None:
        self.n = len(scene.drawables)
        blocks, faces, first_vertex, first_index = [], [], 0, 0
        self.commands = np.zeros((self.n, 5), COMMAND)
        self.low, self.high = np.zeros((self.n, 3)), np.zeros((self.n, 3))
        for k, drawable in enumerate(scene.drawables):
            mesh = drawable.mesh
            block = _vertices(len(mesh.vertices_m), k)
            block["p"], block["n"], block["uv"] = mesh.vertices_m, mesh.normals, mesh.uvs
            blocks.append(block)
            faces.append((mesh.faces + first_vertex).astype("<i4").ravel())
            self.commands[k] = (faces[-1].size, 1, first_index, 0, 0)
            if len(block):
                self.low[k], self.high[k] = mesh.vertices_m.min(axis=0), mesh.vertices_m.max(axis=0)
            first_vertex, first_index = first_vertex + len(block), first_index + faces[-1].size
        self.vbo = context.buffer(np.concatenate(blocks)) if first_vertex else context.buffer(reserve=VERTEX.itemsize)
        self.ibo = context.buffer(np.concatenate(faces)) if first_index else context.buffer(reserve=4)
        self.items = context.buffer(reserve=(self.n + 1) * ITEM.itemsize, dynamic=True)
        self.indirect = context.buffer(reserve=max(1, self.n) * 5 * 4, dynamic=True)
        self.body = BodyBuffers(context, scene.body, self.n) if scene.body is not None else None

    def release(self) -> None:
        """Free the device memory."""
        for buffer in (self.vbo, self.ibo, self.items, self.indirect):
            buffer.release()
        if self.body is not None:
            self.body.release()


class BodyBuffers:
    """The skinned body: vertices written every view, faces ordered so that the hidden ones come last."""

    def __init__(self, context: Any, body: BodyMesh, item: int) -> None:
        self.mesh = body
        self.block = _vertices(body.n_vertices, item)
        if body.uvs is not None:
            self.block["uv"] = body.uvs
        if body.vertex_rgb is not None:
            self.block["tint"][:, :3] = body.vertex_rgb
        self.vbo = context.buffer(reserve=max(1, self.block.nbytes), dynamic=True)
        self.ibo = context.buffer(reserve=max(1, body.faces.size) * 4, dynamic=True)
        self.n_indices = int(body.faces.size)
        self.n_seen = 0
        self._mask: NDArray[np.bool_] | None = None
        self._sort(np.zeros(len(body.faces), bool))

    def _sort(self, hidden: NDArray[np.bool_]) -> None:
        if self._mask is None or not np.array_equal(hidden, self._mask):
            self._mask = hidden.copy()
            if self.n_indices:
                self.ibo.write(np.ascontiguousarray(np.concatenate([self.mesh.faces[~hidden], self.mesh.faces[hidden]]), dtype="<i4"))
        self.n_seen = 3 * int((~hidden).sum())

    def write(self, vertices_m: NDArray[np.float32], normals: NDArray[np.float32], hidden: NDArray[np.bool_] | None) -> None:
        """Upload one pose and choose the faces that the camera sees."""
        self.block["p"], self.block["n"] = vertices_m, normals
        self.vbo.write(self.block)
        self._sort(np.zeros(len(self.mesh.faces), bool) if hidden is None else hidden)

    def release(self) -> None:
        """Free the device memory."""
        self.vbo.release()
        self.ibo.release()


class Items:
    """Records of all drawables plus one for the body, rebuilt from the scene and a view's overrides."""

    def __init__(self, scene: PictureScene, textures: Textures) -> None:
        self.scene, self.textures = scene, textures
        self.index = {drawable.name: k for k, drawable in enumerate(scene.drawables)}
        n = len(scene.drawables)
        self.base = np.zeros(n + 1, ITEM)
        self.base_group = np.zeros(n + 1, np.int64)
        self.transform = np.array([d.transform for d in scene.drawables], dtype=np.int64)
        self.glows_with = np.array([d.glows_with for d in scene.drawables], dtype=np.int64)
        self.casts = np.array([d.casts_shadow for d in scene.drawables], dtype=bool)
        self.ceiling = np.array([d.ceiling for d in scene.drawables], dtype=bool)
        self.room = np.array([d.room if d.transform < 0 else -1 for d in scene.drawables], dtype=np.int64)
        self.base["m"] = np.eye(4, dtype=np.float32).ravel()
        for k, drawable in enumerate(scene.drawables):
            self._set(self.base, self.base_group, k, drawable.surface)
            self.base["ids"][k, 0] = drawable.instance_id
        if scene.body is not None:
            self._set(self.base, self.base_group, n, scene.body.surface)
            self.base["ids"][n, 0] = scene.body.instance_id

    def _set(self, records: NDArray[np.void], groups: NDArray[np.int64], k: int, surface: Surface) -> None:
        group, layer = self.textures.places[surface.texture]
        records["colour_layer"][k] = (*surface.rgb, layer)
        records["look"][k] = (surface.roughness, surface.specular, surface.emissive, surface.alpha)
        groups[k] = group

    def compose(self, worlds: F64, looks: Mapping[str, Surface], lamps: F64) -> tuple[NDArray[np.void], NDArray[np.int64]]:
        """Records (n + 1,) and texture groups (n + 1,) for world matrices (n, 4, 4), surface overrides and lamp levels (l,)."""
        records, groups = self.base.copy(), self.base_group.copy()
        records["m"][:-1] = worlds.transpose(0, 2, 1).reshape(-1, 16)
        for name, surface in looks.items():
            self.scene.check_surface(name, surface)
            self._set(records, groups, self.index[name], surface)
        glowing = np.flatnonzero(self.glows_with >= 0)
        records["look"][glowing, 2] *= lamps[self.glows_with[glowing]]
        return records, groups
