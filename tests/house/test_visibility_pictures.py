"""Sight by rays against the renderer's instance ids (RULES, Visibility): 98 % agree, and the rest lie within 2 pixels of an edge."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from assistcore.house.raycast import BODY, NEAR_M, Eye, cast
from assistcore.house.stage import StageModel
from assistcore.house.state import HouseState
from assistcore.pictures import open_pictures
from assistcore.pictures.camera import Camera
from assistcore.pictures.protocol import PicturesUnavailable, View
from assistcore.pictures.scene import BodyMesh, Drawable, PictureRoom, PictureScene, Surface, TriMesh
from tests.house import stages
from tests.house.test_visibility import cluttered, looking

WIDTH, HEIGHT = 320, 240
EDGE_PX = 2
BODY_ID = 100_000


def picture_scene(model: StageModel, body_faces: NDArray[np.int32], body_vertices: int) -> PictureScene:
    drawables: list[Drawable] = []
    for row, e in enumerate(model.entities):
        for link in e.links:
            for part in link.parts:
                mesh = TriMesh(part.vertices_m, part.faces, part.normals, part.uvs)
                drawables.append(Drawable(f"{e.key}/{link.key}/{part.name}", mesh, Surface(), row, transform=len(drawables)))
    rooms = tuple(PictureRoom(np.array(r.polygon_m), r.floor_m, 4.0) for r in model.rooms)
    return PictureScene(
        tuple(drawables),
        rooms=rooms,
        body=BodyMesh(body_vertices, body_faces, BODY_ID, uvs=None, vertex_rgb=np.full((body_vertices, 3), 200, np.uint8)),
    )


def transforms(model: StageModel, state: HouseState) -> NDArray[np.float32]:
    return np.array([state.link(model, e.key, link.key) for e in model.entities for link in e.links for _ in link.parts], dtype=np.float32)


def near_edge(ids: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Pixels with another id within 2 pixels."""
    out = np.zeros(ids.shape, dtype=bool)
    for dy in range(-EDGE_PX, EDGE_PX + 1):
        for dx in range(-EDGE_PX, EDGE_PX + 1):
            shifted = np.roll(ids, (dy, dx), axis=(0, 1))
            rows, columns = np.indices(ids.shape)
            valid = (rows - dy >= 0) & (rows - dy < ids.shape[0]) & (columns - dx >= 0) & (columns - dx < ids.shape[1])
            out |= valid & (shifted != ids)
    return out


def agreement(seed: int, poses: int) -> tuple[float, int]:
    """Lowest share of equal pixels over random eyes, and the number of differing pixels that are far from every edge."""
    model = cluttered(seed)
    rng = np.random.default_rng(seed)
    skin = stages.sphere_points(0.12, n=300)
    faces = stages.hull_faces(skin)
    pictures = open_pictures()
    pictures.load(picture_scene(model, faces, len(skin)))
    worst, stray = 1.0, 0
    for _ in range(poses):
        state = stages.state_of(model, joints={"cabinet_1_hinge": float(rng.uniform(-1.6, 0.0))})
        position, R = looking(tuple(rng.uniform(-1, 1, 3) + (0, 0, 1)), tuple(rng.uniform(-3, 3, 3) + (0, 0, 3.2)))
        hand = skin + position - 0.5 * R[:, 2] + rng.uniform(-0.3, 0.3, 3)
        eye = Eye.of(position, R, np.pi / 2, WIDTH, HEIGHT)
        mine = cast(model, state, eye, WIDTH, HEIGHT, body_vertices_m=hand, body_faces=faces).owner
        mine = np.where(mine == BODY, BODY_ID, mine)
        camera = Camera(position, R, np.pi / 2, WIDTH, HEIGHT)
        normals = (skin / 0.12).astype(np.float32)
        view = View(camera, transforms(model, state), body_vertices_m=hand.astype(np.float32), body_normals=normals)
        assert camera.near_m == NEAR_M
        theirs = pictures.draw(view).ids
        different = mine != theirs
        worst = min(worst, 1.0 - float(different.mean()))
        stray += int((different & ~near_edge(theirs) & ~near_edge(mine)).sum())
    pictures.close()
    return worst, stray


@pytest.mark.parametrize(("poses", "offset"), [(6, 0), pytest.param(300, 1, marks=pytest.mark.slow)])
def test_rays_agree_with_the_instance_ids(sample_seed: int, poses: int, offset: int) -> None:
    try:
        open_pictures().close()
    except PicturesUnavailable as error:
        pytest.skip(str(error))
    worst, stray = agreement(sample_seed % 1000 + offset, poses)
    assert worst >= 0.98
    assert stray == 0
