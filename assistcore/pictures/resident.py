"""One scene on the device: geometry, textures, light maps and tiles, and what of them a view needs."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures import ambience, culling
from assistcore.pictures.batches import COMMAND, Geometry, Items, upload_textures
from assistcore.pictures.camera import F64, Camera
from assistcore.pictures.checks import Checked
from assistcore.pictures.lightfield import LightField
from assistcore.pictures.lights import LAMP_BLOCK, OPENING_BLOCK, ROOM_BLOCK, LightPlan, LightSet, Tile
from assistcore.pictures.programs import BODY_SHADOWS, HEIGHTS, SHADOWS, Programs
from assistcore.pictures.scene import PictureScene
from assistcore.pictures.shaders import MAX_LIGHTS, MAX_ROOMS
from assistcore.pictures.tiles import SHADOW_SIDE_PX, TileAtlas

Bools = NDArray[np.bool_]


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


class Resident:
    """A loaded scene. `prepare` brings the device up to date with a view, then the draw methods may be called in any order."""

    def __init__(self, context: Any, programs: Programs, scene: PictureScene) -> None:
        self.context, self.programs, self.scene = context, programs, scene
        self.textures = upload_textures(context, scene.textures)
        self.geometry = Geometry(context, scene)
        self.items = Items(scene, self.textures)
        self.arrays = programs.arrays(self.geometry)
        self.lights = LightPlan(scene, SHADOW_SIDE_PX)
        self.field = LightField(context, ambience.make_plan(scene.rooms, scene.portals), len(scene.rooms))
        self.shadows = TileAtlas(context, "shadow")
        self.body_shadows = TileAtlas(context, "body")
        self.heights = TileAtlas(context, "height")
        sizes = (MAX_ROOMS * ROOM_BLOCK.itemsize, MAX_LIGHTS * LAMP_BLOCK.itemsize, MAX_LIGHTS * OPENING_BLOCK.itemsize)
        self.blocks = [context.buffer(reserve=size, dynamic=True) for size in sizes]
        self.low, self.high = self.geometry.low, self.geometry.high
        self._solid = self._glass = np.zeros(0, np.int64)
        self._groups = np.zeros(self.geometry.n + 1, np.int64)
        self._casters = np.zeros((self.geometry.n, 0), bool)
        self._ranges = np.zeros((self.geometry.n + 1, 4), np.int64)
        self._body_box: tuple[F64, F64] | None = None
        self._body_rooms: Bools = np.zeros(len(scene.rooms), bool)

    def _worlds(self, transforms: F64) -> F64:
        worlds = np.tile(np.eye(4), (self.geometry.n, 1, 1))
        moving = self.items.transform >= 0
        if len(transforms):
            worlds[moving] = transforms[self.items.transform[moving]]
        return worlds

    def prepare(self, checked: Checked) -> LightSet:
        """Upload what changed, refresh the light, and choose what is drawn. Returns the lights of the view."""
        view = checked.view
        worlds = self._worlds(checked.transforms)
        records, self._groups = self.items.compose(worlds, view.looks, checked.levels)
        self.geometry.items.write(records)
        self.geometry.items.bind_to_storage_buffer(0)
        box_low, box_high = culling.world_boxes(self.low, self.high, worlds)
        member = culling.membership(box_low, box_high, self.items.room, self.scene.rooms)
        self._write_body(checked)
        visible = culling.visible_rooms(self.scene.rooms, self.scene.portals, checked.open_share, view.camera, view.room_of_camera)
        glass = records["look"][:-1, 3] < 1.0
        self._choose(checked, box_low, box_high, member, visible, glass)
        self._casters = member & (self.items.casts & ~checked.hidden & ~glass & (self.items.base["look"][:-1, 2] <= 0))[:, None]
        lights = self.lights.select(visible, checked.levels, checked.open_share, self._body_box)
        self._set_ranges(member, lights)
        self._refresh(lights, worlds, checked)
        self.field.update(self.lights.sources(checked.levels), checked.open_share)
        return lights

    def _write_body(self, checked: Checked) -> None:
        view, body = checked.view, self.geometry.body
        self._body_box = None
        self._body_rooms = np.zeros(len(self.scene.rooms), bool)
        if body is None or view.body_vertices_m is None or view.body_normals is None or not body.mesh.n_vertices:
            return
        body.write(view.body_vertices_m, view.body_normals, view.body_hidden_faces)
        low, high = view.body_vertices_m.min(axis=0).astype(np.float64), view.body_vertices_m.max(axis=0).astype(np.float64)
        self._body_box = (low, high)
        self._body_rooms = culling.membership(low[None], high[None], np.array([-1]), self.scene.rooms)[0]

    def _choose(self, checked: Checked, low: F64, high: F64, member: Bools, visible: list[int], glass: Bools) -> None:
        shown = ~checked.hidden & culling.boxes_in_view(low, high, checked.view.camera)
        if checked.view.hide_ceilings:
            shown &= ~self.items.ceiling
        shown &= member[:, visible].any(axis=1) | ~member.any(axis=1)
        distance = np.linalg.norm((low + high) / 2 - checked.view.camera.position_m, axis=1)
        solid, clear = np.flatnonzero(shown & ~glass), np.flatnonzero(shown & glass)
        self._solid = solid[np.argsort(distance[solid], kind="stable")]
        self._glass = clear[np.argsort(-distance[clear], kind="stable")]

    def _set_ranges(self, member: Bools, lights: LightSet) -> None:
        """First and end of the lamps and windows that may reach each drawable and the body, shape (n + 1, 4)."""
        if not len(lights.ranges):
            self._ranges = np.zeros((self.geometry.n + 1, 4), np.int64)
            return
        seen = np.concatenate([member, np.array([self._body_rooms])]) & (lights.ranges[:, [1, 3]].max(axis=1) > 0)
        seen[~seen.any(axis=1)] = True
        first = np.where(seen[:, :, None], lights.ranges[None, :, ::2], MAX_LIGHTS).min(axis=1)
        end = np.where(seen[:, :, None], lights.ranges[None, :, 1::2], 0).max(axis=1)
        self._ranges = np.stack([first[:, 0], end[:, 0], first[:, 1], end[:, 1]], axis=1)

    def _refresh(self, lights: LightSet, worlds: F64, checked: Checked) -> None:
        stamps: dict[int, tuple[object, ...]] = {}
        for tile in (*lights.shadow_tiles, *lights.height_tiles):
            if tile.room not in stamps:
                casters = self._casters[:, tile.room]
                stamps[tile.room] = (_digest(np.packbits(casters).tobytes() + worlds[casters].tobytes()),)
        self.context.enable_only(self.context.DEPTH_TEST)
        for atlas, tiles in ((self.shadows, lights.shadow_tiles), (self.heights, lights.height_tiles)):
            atlas.refresh(tiles, [stamps[tile.room] for tile in tiles], self._draw_casters)
        if self._body_box is not None and checked.view.body_vertices_m is not None:
            pose = (_digest(np.ascontiguousarray(checked.view.body_vertices_m).tobytes()),)
            self.body_shadows.refresh(lights.shadow_tiles, [pose for _ in lights.shadow_tiles], self._draw_body_shadow)

    def _draw_casters(self, layer: str, tile: Tile) -> None:
        self.programs.set_clip(self.programs.by_pass(layer), tile.clip)
        self._indirect(self.arrays[layer], np.flatnonzero(self._casters[:, tile.room]))

    def _draw_body_shadow(self, layer: str, tile: Tile) -> None:
        if self._body_rooms[tile.room]:
            self.programs.set_clip(self.programs.by_pass(layer), tile.clip)
            self.arrays[f"body_{layer}"].render()

    def _indirect(self, array: Any, chosen: NDArray[np.int64]) -> None:
        if len(chosen):
            self.geometry.indirect.write(np.ascontiguousarray(self.geometry.commands[chosen], dtype=COMMAND))
            array.render_indirect(self.geometry.indirect, count=len(chosen))

    def draw_plain(self, kind: str, clip: F64) -> None:
        """Draw all solid drawables and the body with the pass `ids` or `shadow` (depth only)."""
        self.programs.set_clip(self.programs.by_pass(kind), clip)
        self._indirect(self.arrays[kind], self._solid)
        if self._body_box is not None and self.geometry.body is not None and self.geometry.body.n_seen:
            self.arrays[f"body_{kind}"].render(vertices=self.geometry.body.n_seen)

    def draw_shaded(self, clip: F64) -> None:
        """Draw all solid drawables and the body with light."""
        self._shade_groups(clip, self._solid)
        body = self.geometry.body
        if self._body_box is not None and body is not None and body.n_seen:
            self.programs.shade_body["lights"] = tuple(self._ranges[-1].tolist())
            self.programs.set_clip(self.programs.shade_body, clip)
            self.textures.arrays[self._groups[-1]].use(0)
            self.arrays["body_shade"].render(vertices=body.n_seen)

    def draw_glass(self, clip: F64) -> None:
        """Draw the transparent drawables from far to near."""
        for k in self._glass:
            self._shade_groups(clip, np.array([k]))

    @property
    def has_glass(self) -> bool:
        """True when a transparent drawable is in view."""
        return bool(len(self._glass))

    def _shade_groups(self, clip: F64, chosen: NDArray[np.int64]) -> None:
        self.programs.set_clip(self.programs.shade, clip)
        keys = (self._ranges[chosen] @ (1, 32, 1024, 32768)) + self._groups[chosen] * 2**20
        for key in np.unique(keys):
            batch = chosen[keys == key]
            self.textures.arrays[self._groups[batch[0]]].use(0)
            self.programs.shade["lights"] = tuple(self._ranges[batch[0]].tolist())
            self._indirect(self.arrays["shade"], batch)

    def bind_light(self, lights: LightSet, camera: Camera, *, lod_bias: float) -> None:
        """Bind light maps and tiles and set the uniforms of the shading programs."""
        self.shadows.texture.use(SHADOWS)
        self.body_shadows.texture.use(BODY_SHADOWS)
        self.heights.texture.use(HEIGHTS)
        self.field.bind()
        for binding, (buffer, block) in enumerate(zip(self.blocks, (lights.rooms, lights.lamps, lights.openings), strict=True), start=1):
            buffer.write(block)
            buffer.bind_to_uniform_block(binding)
        x, y, z = (float(c) for c in self.lights.sun)
        ex, ey, ez = (float(c) for c in camera.position_m)
        self.programs.set_shading(
            {
                "grid": self.field.grid,
                "plan_uv": self.field.plan_uv,
                "eye": (ex, ey, ez),
                "sun": (x, y, z),
                "sun_rgb": self.lights.sun_light(),
                "sky_rgb": self.lights.sky_light(),
                "lod_bias": lod_bias,
            }
        )

    def release(self) -> None:
        """Free the device memory."""
        for array in self.arrays.values():
            array.release()
        for buffer in self.blocks:
            buffer.release()
        for part in (self.textures, self.geometry, self.field, self.shadows, self.body_shadows, self.heights):
            part.release()
