"""A scene with additional things in it, and a camera: what the stills are taken of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from assets_bake.stills.things import Sort, paint
from assistcore.house.stage import StageModel
from assistcore.pictures import Camera, Drawable, Picture, Pictures, PictureScene, TriMesh, View
from assistcore.world.snapshots import Snapshot
from assistworld.engines.house.drawing import HousePainter
from assistworld.engines.house.picture_scene import picture_stage
from humans.model import N_JOINTS, BodyModel

F64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Placed:
    """One thing that was put somewhere: world from its own frame (4, 4)."""

    sort: Sort
    colour: str
    T_world_thing: F64


class Studio:
    """One scene of the house without the person, all lamps on; things can be put into it and taken out again."""

    def __init__(self, stage: StageModel, flat: StageModel, body: BodyModel, pictures: Pictures) -> None:
        self.stage, self._flat, self._pictures = stage, flat, pictures
        self._own = picture_stage(stage, body).scene
        self._flat_scene = self._own if flat is stage else picture_stage(flat, body).scene
        painter = HousePainter(width=8, height=8, pictures=pictures)
        painter.load(stage, body)
        snapshot = Snapshot(0, {}, {}, (0.0,) * (3 + 3 * N_JOINTS), {})
        view = painter.view(snapshot, "map")
        self._view = replace(view, body_vertices_m=None, body_normals=None, body_hidden_faces=None, hide_ceilings=False, lamps_on=None)
        self._first_id = len(stage.entities) + 1
        self._placed: tuple[Placed, ...] = ()

    def put(self, placed: Sequence[Placed]) -> None:
        """Show the scene with these things in place of those before; their ids are 1, 2, ... in this order."""
        self._placed = tuple(placed)
        count = self._rows().shape[0]
        more = [item for n, thing in enumerate(placed) for item in self._drawables(thing, self._first_id + n, count + n)]
        textures = dict(self._own.textures)
        textures |= {f"flat:{name}": texture for name, texture in self._flat_scene.textures.items()}
        scene: PictureScene = replace(self._own, drawables=(*self._own.drawables, *more), textures=textures)
        self._pictures.load(scene)

    def take(self, camera: Camera, hidden: frozenset[str] = frozenset(), supersample: int = 2) -> Picture:
        """A picture whose ids are 1, 2, ... for what was put and 0 for all else. `hidden`: keys of entities that are not shown."""
        picture = self._draw(camera, hidden, supersample)
        ids = np.where(picture.ids >= self._first_id, picture.ids - self._first_id + 1, 0).astype(np.int32)
        return replace(picture, ids=ids)

    def categories(self, camera: Camera, hidden: frozenset[str]) -> frozenset[str]:
        """Categories of the scene's own entities that are seen."""
        numbers = np.unique(self._draw(camera, hidden, 1).ids).tolist()
        return frozenset(self.stage.entities[n].category for n in numbers if 0 <= n < len(self.stage.entities))

    def _draw(self, camera: Camera, hidden: frozenset[str], supersample: int) -> Picture:
        rows = [self._rows(), *(thing.T_world_thing[None].astype(np.float32) for thing in self._placed)]
        unseen = frozenset(item.name for item in self._own.drawables if item.name.split("/", 1)[0] in hidden)
        own_hidden = cast(frozenset[str], self._view.hidden)
        view: View = replace(
            self._view, camera=camera, transforms=np.concatenate(rows), hidden=own_hidden | unseen, supersample=supersample, looks={}
        )
        return self._pictures.draw(view)

    def outline_px(self, thing: Placed, camera: Camera) -> F64:
        """Where its vertices are in the picture, (n, 2) columns and rows."""
        entity = self._flat.entity(thing.sort.entity)
        points = np.concatenate(
            [part.vertices_m @ link.T_root_link[:3, :3].T + link.T_root_link[:3, 3] for link in entity.links for part in link.parts]
        )
        world = points @ thing.T_world_thing[:3, :3].T + thing.T_world_thing[:3, 3]
        seen = (world - camera.position_m) @ camera.R_world_cam
        depth = np.maximum(-seen[:, 2], 1e-6)
        centre = np.array([camera.width / 2, camera.height / 2])
        return np.asarray(centre + camera.focal_px * np.stack([seen[:, 0], -seen[:, 1]], -1) / depth[:, None])

    def _rows(self) -> NDArray[np.float32]:
        return cast(NDArray[np.float32], self._view.transforms)

    def _drawables(self, thing: Placed, number: int, row: int) -> list[Drawable]:
        entity = self._flat.entity(thing.sort.entity)
        found = []
        for link in entity.links:
            for part in link.parts:
                T = link.T_root_link
                own = next(d for d in self._flat_scene.drawables if d.name == f"{entity.key}/{link.key}/{part.name}")
                mesh = TriMesh.make(part.vertices_m @ T[:3, :3].T + T[:3, 3], part.faces, part.normals @ T[:3, :3].T, part.uvs)
                texture = f"flat:{own.surface.texture}" if own.surface.texture else None
                surface = replace(own.surface, rgb=paint(thing.sort, part.name, thing.colour, own.surface.rgb), texture=texture)
                found.append(Drawable(f"still_{number}/{link.key}/{part.name}", mesh, surface, number, row))
        return found
