"""Ids and depth against rays cast by hand, and what hiding, culling and supersampling do to them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from assistcore.pictures import Camera, Drawable, Picture, PictureScene, Surface, TriMesh, View
from assistcore.pictures.renderer import GlPictures
from tests.pictures import scenes
from tests.pictures.test_camera import LOOKING_X, looking_x

F64 = NDArray[np.float64]


def boxes_scene() -> tuple[PictureScene, NDArray[np.float32], list[F64]]:
    """Five boxes of half size 0.3, 0.2, 0.4, turned in all directions, ids 10, 20, ..."""
    random = np.random.default_rng(5)
    half = np.array([0.3, 0.2, 0.4])
    poses = []
    for _ in range(5):
        q, _ = np.linalg.qr(random.normal(size=(3, 3)))
        M = np.eye(4)
        M[:3, :3] = q * np.sign(np.linalg.det(q))
        M[:3, 3] = random.uniform(-0.9, 0.9, 3)
        poses.append(M)
    mesh = scenes.box((0.6, 0.4, 0.8))
    drawables = tuple(Drawable(f"box{k}", mesh, Surface(), 10 * (k + 1), transform=k) for k in range(5))
    return PictureScene(drawables=drawables), np.stack(poses).astype(np.float32), [half] * 5


def cast(camera: Camera, poses: NDArray[np.float32], halves: list[F64]) -> tuple[NDArray[np.int64], F64]:
    """Nearest box and ray length at every pixel centre by the slab test."""
    directions = camera.pixel_rays().reshape(-1, 3)
    best, owner = np.full(len(directions), np.inf), np.full(len(directions), -1)
    for k, (M, half) in enumerate(zip(poses.astype(np.float64), halves, strict=True)):
        d, o = directions @ M[:3, :3], (camera.position_m - M[:3, 3]) @ M[:3, :3]
        t0, t1 = (-half - o) / d, (half - o) / d
        enter, leave = np.minimum(t0, t1).max(axis=1), np.maximum(t0, t1).min(axis=1)
        hit = (enter < leave) & (enter > 0) & (enter < best)
        best[hit], owner[hit] = enter[hit], 10 * (k + 1)
    shape = (camera.height, camera.width)
    return owner.reshape(shape), best.reshape(shape)


def beside_edges(ids: NDArray[np.int64]) -> NDArray[np.bool_]:
    """True for pixels with another id among their 8 neighbours."""
    padded = np.pad(ids, 1, mode="edge")
    h, w = ids.shape
    near = np.zeros(ids.shape, bool)
    for dy in range(3):
        for dx in range(3):
            near |= padded[dy : dy + h, dx : dx + w] != ids
    return near


def test_ids_and_depth_agree_with_rays(empty_renderer: GlPictures) -> None:
    scene, poses, halves = boxes_scene()
    empty_renderer.load(scene)
    camera = Camera.look_at((2.4, -1.8, 1.1), (0, 0, 0), hfov_rad=1.1, width=200, height=150)
    picture = empty_renderer.draw(View(camera=camera, transforms=poses))
    ids, ray = cast(camera, poses, halves)
    assert {10, 20, 30, 40, 50, -1} <= set(np.unique(picture.ids).tolist()) | {-1}
    wrong = picture.ids != ids
    assert not (wrong & ~beside_edges(ids)).any()
    assert wrong.mean() < 0.002
    same = ~wrong & (ids > 0)
    np.testing.assert_allclose(picture.depth_m[same], camera.plane_depth(ray)[same], rtol=2e-5)
    assert np.isinf(picture.depth_m[picture.ids == -1]).all()
    assert picture.rgb.dtype == np.uint8 and picture.ids.dtype == np.int32 and picture.depth_m.dtype == np.float32


@pytest.mark.parametrize("convention", LOOKING_X)
def test_drawn_conventions_isaaclab_821(empty_renderer: GlPictures, convention: str) -> None:
    """cases.md B, IsaacLab#821, in pixels: small cubes at the two points, and a plane depth of 2 at the edge of a wall at x = 2."""
    cubes = [Drawable(f"c{k}", scenes.box((0.02, 0.1, 0.1), at), Surface(), k) for k, at in ((1, (2.01, 0.5, 1.5)), (2, (2.01, 0, 2)))]
    wall = Drawable("wall", scenes.box((0.1, 9, 9), (2.06, 0, 1.5)), Surface(), 3)
    empty_renderer.load(PictureScene(drawables=(*cubes, wall)))
    picture = empty_renderer.draw(View(camera=looking_x(convention)))  # type: ignore[arg-type]
    assert picture.ids[32, 24] == 1
    assert picture.ids[24, 32] == 2
    assert (picture.ids[32, 40], picture.ids[40, 32]) == (3, 3)
    assert picture.depth_m[32, 0] == pytest.approx(2.01, abs=1e-4)
    assert looking_x("world").ray_depth(picture.depth_m)[32, 0] == pytest.approx(2.01 * math.sqrt(1 + (31.5**2 + 0.5**2) / 32**2), abs=1e-3)


def test_supersampling_leaves_ids_and_depth(renderer: GlPictures) -> None:
    camera = scenes.head_camera(160, 120)
    plain, fine = (renderer.draw(scenes.view_of(camera, supersample=k)) for k in (1, 2))
    assert np.array_equal(plain.ids, fine.ids)
    assert np.array_equal(plain.depth_m, fine.depth_m)
    assert not np.array_equal(plain.rgb, fine.rgb)
    assert np.abs(plain.rgb.astype(int) - fine.rgb).mean() < 4.0


def wide(renderer: GlPictures, **more: object) -> Picture:
    camera = Camera.look_at((-2.2, -1.8, 1.6), (1.2, 1.2, 0.9), hfov_rad=1.5, width=160, height=120)
    return renderer.draw(scenes.view_of(camera, **more))  # type: ignore[arg-type]


def test_own_head_is_hidden_and_keeps_its_shadow(renderer: GlPictures) -> None:
    whole, headless = wide(renderer), wide(renderer, body_hidden_faces=scenes.head_faces())
    was, now = whole.ids == scenes.BODY_ID, headless.ids == scenes.BODY_ID
    assert now.sum() < was.sum()
    assert not (now & ~was).any()
    pixels, _ = Camera.look_at((-2.2, -1.8, 1.6), (1.2, 1.2, 0.9), hfov_rad=1.5, width=160, height=120).project([(0, -0.62, 1.62)])
    x, y = pixels[0].astype(int)
    assert was[y, x] and not now[y, x]
    elsewhere = ~was & ~now
    assert np.array_equal(whole.rgb[elsewhere], headless.rgb[elsewhere])


def test_own_eyes_see_hands_but_no_head(renderer: GlPictures) -> None:
    inside = Camera.look_at((0, -0.62, 1.62), (0, 0.2, 0.9), hfov_rad=1.5, width=160, height=120)
    picture = renderer.draw(scenes.view_of(inside, body_hidden_faces=scenes.head_faces()))
    seen = picture.depth_m[picture.ids == scenes.BODY_ID]
    assert len(seen) > 100
    assert {scene_id("table_top"), scene_id("floor")} <= set(picture.ids.ravel().tolist())


def scene_id(name: str) -> int:
    return next(d.instance_id for d in scenes.flat()[0].drawables if d.name == name)


def test_hidden_drawables(renderer: GlPictures) -> None:
    names = frozenset({"ball", "card"})
    by_name = wide(renderer, hidden=names)
    by_mask = wide(renderer, hidden=np.array([d.name in names for d in scenes.flat()[0].drawables]))
    assert scene_id("ball") in wide(renderer).ids
    assert scene_id("ball") not in by_name.ids
    assert np.array_equal(by_name.rgb, by_mask.rgb) and np.array_equal(by_name.ids, by_mask.ids)


def test_glass_leaves_ids_and_depth_to_what_is_behind(renderer: GlPictures) -> None:
    camera = Camera.look_at((0, -1, 1.5), (0, 2, 1.5), hfov_rad=1.0, width=80, height=60)
    picture = renderer.draw(scenes.view_of(camera, time_s=None))
    clear = renderer.draw(scenes.view_of(camera, time_s=None, hidden=frozenset({"pane0"})))
    assert np.array_equal(picture.ids, clear.ids) and np.array_equal(picture.depth_m, clear.depth_m)
    assert scene_id("pane0") not in picture.ids and -1 in picture.ids
    assert not np.array_equal(picture.rgb, clear.rgb)


def test_rooms_behind_closed_portals_are_not_drawn(renderer: GlPictures) -> None:
    camera = Camera.look_at((0.6, -0.3, 1.6), (4.5, -0.3, 0.6), hfov_rad=1.2, width=160, height=120)
    hidden = frozenset({"door"})
    opened = renderer.draw(scenes.view_of(camera, time_s=None, hidden=hidden))
    shut = renderer.draw(scenes.view_of(camera, time_s=None, hidden=hidden, portals_open=np.zeros(1, np.float32)))
    assert scene_id("bed") in opened.ids
    assert scene_id("bed") not in shut.ids
    mine = (opened.ids == scene_id("wall_m_a")) | (opened.ids == scene_id("shelf"))
    assert mine.any() and np.array_equal(opened.ids[mine], shut.ids[mine])


def test_culling_never_changes_what_is_seen(renderer: GlPictures) -> None:
    """The same camera drawn as if outside all rooms (everything is drawn) and with its rooms and portals."""
    scene, transforms = scenes.flat()
    bare = PictureScene(
        drawables=tuple(replace(d, glows_with=-1) for d in scene.drawables),
        textures={k: v[::16, ::16].copy() for k, v in scene.textures.items()},
    )
    small = replace(scene, textures={k: v[::16, ::16].copy() for k, v in scene.textures.items()})
    for k in range(6):
        eye = np.array([-0.5 + 0.3 * k, -1.4 + 0.1 * k, 1.55])
        camera = Camera.look_at(eye, eye + (math.cos(k), math.sin(k), -0.25), hfov_rad=1.4, width=96, height=72)
        renderer.load(small)
        culled = renderer.draw(View(camera=camera, transforms=transforms))
        renderer.load(bare)
        assert np.array_equal(culled.ids, renderer.draw(View(camera=camera, transforms=transforms)).ids)


def test_map_view_without_ceilings(renderer: GlPictures) -> None:
    above = Camera.look_at((1.75, 0, 9), (1.75, 0.001, 0), hfov_rad=0.9, width=96, height=64)
    assert scene_id("ceiling") in renderer.draw(scenes.view_of(above)).ids
    shown = renderer.draw(scenes.view_of(above, hide_ceilings=True)).ids
    assert scene_id("ceiling") not in shown
    assert {scene_id("floor"), scene_id("bed"), scene_id("table_top"), scenes.BODY_ID} <= set(shown.ravel().tolist())


def test_a_scaled_transform_moves_and_grows(empty_renderer: GlPictures) -> None:
    mesh = TriMesh.make([(0, -1, -1), (0, 1, -1), (0, 1, 1), (0, -1, 1)], [(0, 1, 2), (0, 2, 3)])
    empty_renderer.load(PictureScene(drawables=(Drawable("card", mesh, Surface(), 4, transform=0),)))
    M = np.diag([0.5, 0.5, 0.5, 1.0]).astype(np.float32)
    M[:3, 3] = (2, 0, 1.5)
    picture = empty_renderer.draw(View(camera=looking_x("world"), transforms=M[None]))
    ys, xs = np.nonzero(picture.ids == 4)
    assert (xs.min(), xs.max() + 1, ys.min(), ys.max() + 1) == (24, 40, 24, 40)
