"""One scene on the device: geometry, textures, light maps, and what of them a view needs."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures import ambience, culling
from assistcore.pictures.batches import COMMAND, Geometry, Items, upload_textures
from assistcore.pictures.camera import F64
from assistcore.pictures.checks import Checked
from assistcore.pictures.lightfield import LightField
from assistcore.pictures.lights import LightPlan, LightSet, MapTask
from assistcore.pictures.maps import SHADOW_SIDE_PX, HeightMaps, ShadowMaps
from assistcore.pictures.programs import Programs
from assistcore.pictures.scene import PictureScene
from assistcore.pictures.shading import Bools, Shading

_LOD_BIAS = {1: -0.45, 2: -0.25}
"""Sharper texture levels by supersampling: letters stay legible, finer than this shimmers."""

_MOST_TRIANGLES = 400
"""Larger meshes are lit by all rooms around their box."""


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
        self.shadows, self.heights = ShadowMaps(context), HeightMaps(context)
        self.shading = Shading(context, programs, self.geometry, self.textures, self.lights)
        self._solid = self._glass = np.zeros(0, np.int64)
        self._groups = np.zeros(self.geometry.n + 1, np.int64)
        self._casters: Bools = np.zeros((self.geometry.n, len(scene.rooms)), bool)
        self._body_box: tuple[F64, F64] | None = None
        self._body_rooms: Bools = np.zeros(len(scene.rooms), bool)
        self._boxes = np.full((self.geometry.n + 1, 2, 3), np.nan)
        self._lit: Bools = np.zeros((self.geometry.n + 1, len(scene.rooms)), bool)

    def _lit_rooms(self, low: F64, high: F64) -> Bools:
        """Rooms whose light can reach each drawable and the body, shape (n + 1, rooms); computed again for boxes that changed."""
        boxes = np.zeros((self.geometry.n + 1, 2, 3))
        boxes[:-1, 0], boxes[:-1, 1] = low, high
        if self._body_box is not None:
            boxes[-1] = self._body_box
        if len(self.scene.rooms):
            for k in np.flatnonzero((boxes != self._boxes).any(axis=(1, 2))):
                self._lit[k] = False
                self._lit[k, self._rooms_near(int(k), boxes[k])] = True
        self._boxes = boxes
        return self._lit

    def _rooms_near(self, k: int, box: F64) -> list[int]:
        """The room that a drawable names, else the rooms around its box, or around its triangles when it spans several and never moves."""
        if k < self.geometry.n and self.items.room[k] >= 0:
            return [int(self.items.room[k])]
        plan = self.field.plan
        rooms = ambience.rooms_of_box(plan, box[0], box[1])
        if len(rooms) < 2 or k == self.geometry.n or self.items.transform[k] >= 0:
            return rooms
        mesh = self.scene.drawables[k].mesh
        if not 0 < len(mesh.faces) <= _MOST_TRIANGLES:
            return rooms
        return ambience.rooms_of_mesh(plan, mesh)

    def _worlds(self, transforms: F64) -> F64:
        worlds = np.tile(np.eye(4), (self.geometry.n, 1, 1))
        moving = self.items.transform >= 0
        worlds[moving] = transforms[self.items.transform[moving]]
        return worlds

    def prepare(self, checked: Checked) -> None:
        """Upload what changed, refresh the light, and choose what is drawn."""
        view = checked.view
        worlds = self._worlds(checked.transforms)
        records, self._groups = self.items.compose(worlds, view.looks, checked.levels)
        self.geometry.items.write(records)
        self.geometry.items.bind_to_storage_buffer(0)
        low, high = culling.world_boxes(self.geometry.low, self.geometry.high, worlds)
        member = culling.membership(low, high, self.items.room, self.scene.rooms)
        self._write_body(checked)
        visible = culling.visible_rooms(self.scene.rooms, self.scene.portals, checked.open_share, view.camera, view.room_of_camera)
        glass = records["look"][:-1, 3] < 1.0
        self._choose(checked, low, high, member, visible, glass)
        self._casters = member & (self.items.casts & ~checked.hidden & ~glass & (self.items.base["look"][:-1, 2] <= 0))[:, None]
        lights = self.lights.select(visible, checked.levels, checked.open_share)
        self._refresh(lights, worlds, checked)
        self.field.update(self.lights.sources(checked.levels), checked.open_share)
        self.shading.prepare(lights, self._lit_rooms(low, high), visible, view.camera, self.field, _LOD_BIAS[view.supersample])

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

    def _refresh(self, lights: LightSet, worlds: F64, checked: Checked) -> None:
        stamps: dict[int, tuple[object, ...]] = {}
        for task in (*lights.shadow_tasks, *lights.height_tasks):
            if task.room not in stamps:
                casters = self._casters[:, task.room]
                stamps[task.room] = (_digest(np.packbits(casters).tobytes() + worlds[casters].tobytes()),)
        pose = None
        if self._body_box is not None and checked.view.body_vertices_m is not None:
            pose = (_digest(np.ascontiguousarray(checked.view.body_vertices_m).tobytes()),)
        self.context.enable_only(self.context.DEPTH_TEST)
        for task in lights.shadow_tasks:
            body = pose if pose is not None and self._body_rooms[task.room] else None
            self.shadows.refresh(task, stamps[task.room], self._draw_shadows, body, self._draw_body_shadow)
        self.heights.refresh(lights.height_tasks, [stamps[task.room] for task in lights.height_tasks], self._draw_heights)

    def _draw_shadows(self, task: MapTask) -> None:
        self.programs.set_clip(self.programs.depth, task.clip)
        self._submit(self.arrays["shadow"], np.flatnonzero(self._casters[:, task.room]))

    def _draw_heights(self, task: MapTask) -> None:
        self.programs.set_clip(self.programs.height, task.clip)
        self._submit(self.arrays["height"], np.flatnonzero(self._casters[:, task.room]))

    def _draw_body_shadow(self, task: MapTask) -> None:
        self.programs.set_clip(self.programs.depth, task.clip)
        self.arrays["body_shadow"].render()

    def _submit(self, array: Any, chosen: NDArray[np.int64]) -> None:
        if len(chosen):
            self.geometry.indirect.write(np.ascontiguousarray(self.geometry.commands[chosen], dtype=COMMAND))
            array.render_indirect(self.geometry.indirect, count=len(chosen))

    @property
    def _body_indices(self) -> int:
        return self.geometry.body.n_seen if self._body_box is not None and self.geometry.body is not None else 0

    def draw_plain(self, kind: str, clip: F64) -> None:
        """Draw all solid drawables and the body with the pass `ids` or `shadow` (depth only)."""
        self.programs.set_clip(self.programs.by_pass(kind), clip)
        self._submit(self.arrays[kind], self._solid)
        if self._body_indices:
            self.arrays[f"body_{kind}"].render(vertices=self._body_indices)

    def draw_shaded(self, clip: F64) -> None:
        """Draw all solid drawables and the body with light."""
        self.shading.bind(self.heights, self.field, clip)
        self.shading.draw(self._solid, self._groups, self.shadows, self._submit)
        if self._body_indices:
            self.shading.draw_body(int(self._groups[-1]), self._body_indices, self.shadows)

    def draw_glass(self) -> None:
        """Draw the transparent drawables from far to near, after `draw_shaded`."""
        for k in self._glass:
            self.shading.draw(np.array([k]), self._groups, self.shadows, self._submit, once=True)

    @property
    def has_glass(self) -> bool:
        """True when a transparent drawable is in view."""
        return bool(len(self._glass))

    def release(self) -> None:
        """Free the device memory."""
        for array in self.arrays.values():
            array.release()
        for part in (self.shading, self.textures, self.geometry, self.field, self.shadows, self.heights):
            part.release()
