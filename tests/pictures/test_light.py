"""What the colours promise: lamps, sun, shadows without acne or leaks, textures the right way up, looks."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from assistcore.pictures import Camera, Daylight, Drawable, Lamp, Picture, PictureRoom, PictureScene, PicturesError, Surface, View
from assistcore.pictures.renderer import GlPictures
from tests.pictures import scenes
from tests.pictures.test_geometry import scene_id

LOOKS_IN = {0: ((-2.2, -1.8, 1.6), (1.2, 1.2, 0.9)), 1: ((2.9, 1.7, 1.6), (5, -1, 0.6))}


def look(renderer: GlPictures, room: int, **more: object) -> Picture:
    camera = Camera.look_at(*LOOKS_IN[room], hfov_rad=1.4, width=128, height=96)
    return renderer.draw(scenes.view_of(camera, **({"time_s": None} | more)))  # type: ignore[arg-type]


def lamps(*levels: float) -> NDArray[np.float32]:
    return np.array(levels, np.float32)


def test_lamps_light_their_room(renderer: GlPictures) -> None:
    both, off = look(renderer, 0), look(renderer, 0, lamps_on=lamps(0, 0))
    half = look(renderer, 0, lamps_on=lamps(0.5, 0))
    means = [p.rgb.mean() for p in (off, half, both)]
    assert means[0] + 5 < means[1] < means[2] - 5
    assert np.array_equal(both.ids, off.ids) and np.array_equal(both.depth_m, off.depth_m)


def test_no_light_passes_a_wall(renderer: GlPictures) -> None:
    """Behind a shut portal the other room's lamp changes not one byte (the leaf is in between); an open one lights a dark room."""
    shut, opened = np.zeros(1, np.float32), np.ones(1, np.float32)
    shade = frozenset({"shade0"})
    for own in (0.0, 1.0):
        dark, lit = (look(renderer, 1, lamps_on=lamps(k, own), portals_open=shut, hidden=shade) for k in (0.0, 1.0))
        inside = dark.ids != scene_id("door")
        assert inside.mean() > 0.6
        assert np.array_equal(dark.rgb[inside], lit.rgb[inside])
    pair = [look(renderer, 1, lamps_on=lamps(k, 0), portals_open=opened, hidden=shade).rgb for k in (0.0, 1.0)]
    assert pair[1].mean() > pair[0].mean() + 1


def test_night_is_dark_and_still_a_picture_isaaclab_1085(empty_renderer: GlPictures) -> None:
    """cases.md A, IsaacLab#1085: a legitimately dark room is a finished picture, not an error."""
    scene, _ = scenes.flat()
    empty_renderer.load(replace(scene, daylight=Daylight(sun_strength=0, sky_strength=0)))
    picture = look(empty_renderer, 1, lamps_on=lamps(0, 0))
    assert picture.rgb.max() < 70
    assert (picture.ids >= 0).all()


def test_the_sun_comes_through_the_window(empty_renderer: GlPictures) -> None:
    scene, _ = scenes.flat()
    floor = scene_id("floor")
    bright = []
    for strength in (0.0, 1.0):
        empty_renderer.load(replace(scene, daylight=Daylight(sun_direction=(0.55, 0.75, 0.62), sun_strength=strength)))
        picture = look(empty_renderer, 0)
        bright.append(picture.rgb[picture.ids == floor].max(axis=1))
    assert (bright[1].astype(int) - bright[0] > 40).mean() > 0.02
    empty_renderer.load(replace(scene, daylight=Daylight(sun_direction=(0.55, -0.75, 0.62))))
    behind = look(empty_renderer, 0)
    assert (behind.rgb[behind.ids == floor].max(axis=1).astype(int) - bright[0] > 40).mean() == 0


def empty_room(renderer: GlPictures, *more: Drawable) -> None:
    """A closed white room of 4 x 4 x 2.5 m with one lamp."""
    plain = Surface(rgb=(0.8, 0.8, 0.8), roughness=1.0, specular=0.0)
    sides = {
        "floor": ((4.2, 4.2, 0.1), (0, 0, -0.05)), "ceiling": ((4.2, 4.2, 0.1), (0, 0, 2.55)), "n": ((4.2, 0.1, 2.5), (0, 2.05, 1.25)),
        "s": ((4.2, 0.1, 2.5), (0, -2.05, 1.25)), "e": ((0.1, 4, 2.5), (2.05, 0, 1.25)), "w": ((0.1, 4, 2.5), (-2.05, 0, 1.25)),
    }  # fmt: skip
    shell = tuple(Drawable(name, scenes.box(size, at), plain, k) for k, (name, (size, at)) in enumerate(sides.items()))
    room = PictureRoom(np.array([(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)]))
    renderer.load(PictureScene(drawables=(*shell, *more), lamps=(Lamp((0.3, 0.2, 2.3), 0),), rooms=(room,)))


@pytest.mark.parametrize("yaw", range(0, 360, 45))
def test_bare_walls_have_no_acne(empty_renderer: GlPictures, yaw: int) -> None:
    """On smooth surfaces lit by one lamp no pixel sticks out of the slope between its neighbours by more than 5 levels."""
    empty_room(empty_renderer)
    a = np.radians(yaw)
    eye = np.array([-0.6 * np.cos(a), -0.6 * np.sin(a), 1.5])
    camera = Camera.look_at(eye, eye + (np.cos(a), np.sin(a), -0.4), hfov_rad=1.4, width=160, height=120)
    picture = empty_renderer.draw(View(camera=camera))
    grey = picture.rgb.astype(int).mean(axis=2)
    for g, ids in ((grey, picture.ids), (grey.T, picture.ids.T)):
        same = (ids[:-2] == ids[1:-1]) & (ids[1:-1] == ids[2:])
        assert np.abs(g[:-2] - 2 * g[1:-1] + g[2:])[same].max() <= 5


@pytest.mark.parametrize("count", [1, 5, 9])
def test_any_number_of_lamps_leaves_no_hole(empty_renderer: GlPictures, count: int) -> None:
    """Programs are compiled for some numbers of lights only; what pads the rest must not blacken a pixel, above the lamps either."""
    scene, _ = scenes.flat()
    lamps_here = tuple(Lamp((-1.6 + 0.4 * k, 0.3, 1.2), 0, intensity=0.6) for k in range(count))
    empty_renderer.load(replace(scene, lamps=(*lamps_here, Lamp((4.3, 0.0, 2.36), 1))))
    picture = look(empty_renderer, 0, hidden=frozenset({"shade0", "shade1"}), lamps_on=np.ones(count + 1))
    assert picture.rgb.max(axis=2).min() > 8


def test_a_thing_casts_a_soft_shadow_on_the_floor(empty_renderer: GlPictures) -> None:
    slab = Drawable("slab", scenes.box((0.8, 0.8, 0.02), (-0.8, 0, 0.9)), Surface(), 50)
    camera = Camera.look_at((-1.7, -1.7, 0.5), (-0.9, 0.2, 0.0), hfov_rad=1.3, width=160, height=120)
    shots = []
    for more in ((), (slab,)):
        empty_room(empty_renderer, *more)
        shots.append(empty_renderer.draw(View(camera=camera)))
    floor = (shots[0].ids == 0) & (shots[1].ids == 0)
    darker = (shots[0].rgb.astype(int) - shots[1].rgb).mean(axis=2)[floor]
    assert (darker > 25).mean() > 0.03
    assert ((darker > 4) & (darker < 22)).sum() > 20
    assert darker.min() > -3


def test_the_body_casts_a_shadow_that_moves(renderer: GlPictures) -> None:
    without, first, later = (look(renderer, 0, time_s=t) for t in (None, 0.0, 0.8))
    floor = scene_id("floor")
    shaded = (without.ids == floor) & (first.ids == floor) & (without.rgb.astype(int).sum(axis=2) - first.rgb.sum(axis=2) > 12)
    assert shaded.sum() > 20
    still = (first.ids == floor) & (later.ids == floor)
    assert (first.rgb[still] != later.rgb[still]).any()


def test_textures_are_the_right_way_up(empty_renderer: GlPictures) -> None:
    """Red upper left, green upper right, blue lower left, white lower right."""
    texture = np.zeros((64, 64, 3), np.uint8)
    texture[:32, :32, 0] = texture[:32, 32:, 1] = texture[32:, :32, 2] = 255
    texture[32:, 32:] = 255
    panel = Drawable("panel", scenes.box((1, 0.02, 1), (0, 0, 1)), Surface(rgb=(1, 1, 1), texture="t", specular=0), 1)
    empty_renderer.load(PictureScene(drawables=(panel,), textures={"t": texture}))
    camera = Camera.look_at((0, -2, 1), (0, 0, 1), hfov_rad=0.6, width=64, height=64)
    rgb = empty_renderer.draw(View(camera=camera)).rgb
    corners = [rgb[y, x].argmax() for y, x in ((18, 18), (18, 45), (45, 18))]
    assert corners == [0, 1, 2]
    assert rgb[45, 45].min() > 150


def test_looks_change_one_drawable_only(renderer: GlPictures) -> None:
    plain = look(renderer, 0)
    blue = look(renderer, 0, looks={"ball": Surface(rgb=(0.1, 0.2, 0.9))})
    ball = plain.ids == scene_id("ball")
    assert ball.sum() > 5
    assert np.array_equal(plain.rgb[~ball], blue.rgb[~ball])
    assert blue.rgb[ball].mean(axis=0)[2] > plain.rgb[ball].mean(axis=0)[2] + 40
    textured = look(renderer, 0, looks={"ball": Surface(texture="card", rgb=(1, 1, 1))})
    assert not np.array_equal(textured.rgb[ball], plain.rgb[ball])
    assert np.array_equal(look(renderer, 0).rgb, plain.rgb)
    for bad in ({"balloon": Surface()}, {"ball": Surface(texture="nowhere")}):
        with pytest.raises((PicturesError, ValueError), match="balloon|nowhere"):
            look(renderer, 0, looks=bad)


def test_a_price_card_can_be_read_at_arms_length(renderer: GlPictures) -> None:
    """Letters of 12 to 14 pixels on a card half a metre away: every price is read back by an OCR that knows nothing of it."""
    from rapidocr_onnxruntime import RapidOCR

    camera = Camera.look_at((0.10, -0.52, 0.98), (0.10, 0, 0.83), hfov_rad=np.radians(65), width=640, height=480)
    picture = renderer.draw(scenes.view_of(camera, time_s=None, supersample=2))
    ys, xs = np.nonzero(picture.ids == scene_id("card"))
    crop = picture.rgb[ys.min() - 4 : ys.max() + 5, xs.min() - 4 : xs.max() + 5]
    found, _ = RapidOCR()(np.ascontiguousarray(crop[..., ::-1]))
    text = " ".join(line[1] for line in found or [])
    assert set(re.findall(r"\d+\.\d\d", text)) == {"2.49", "1.15", "3.20", "8.75", "15.59"}, text
