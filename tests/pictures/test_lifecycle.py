"""Starting, refusing, repeating, freeing."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistcore.pictures import (
    APT_COMMAND,
    BodyMesh,
    Camera,
    Drawable,
    Lamp,
    PictureScene,
    PicturesError,
    SceneError,
    Surface,
    TriMesh,
    View,
    open_pictures,
)
from assistcore.pictures.renderer import GlPictures
from tests.pictures import scenes

ROOT = Path(__file__).resolve().parents[2]


def python(code: str, **environment: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return run.stdout


def digests(renderer: GlPictures) -> str:
    """Hashes of three pictures: from the head with a body, supersampled, and in the other room with a lamp off."""
    other = Camera.look_at((2.9, 1.7, 1.6), (5, -1, 0.6), hfov_rad=1.4, width=96, height=72)
    views = [
        scenes.view_of(scenes.head_camera(96, 72), time_s=0.4),
        scenes.view_of(scenes.head_camera(96, 72), supersample=2),
        scenes.view_of(other, time_s=None, lamps_on=np.array([True, False])),
    ]
    shots = [renderer.draw(view) for view in views]
    return " ".join(hashlib.sha256(p.rgb.tobytes() + p.depth_m.tobytes() + p.ids.tobytes()).hexdigest() for p in shots)


def test_same_bytes_in_and_across_processes(renderer: GlPictures) -> None:
    """What was drawn before makes no difference, nor does the process or the hash seed."""
    first = digests(renderer)
    for t in (0.1, 0.9):
        renderer.draw(scenes.view_of(scenes.head_camera(64, 48), time_s=t, lamps_on=np.array([0.3, 1.0], np.float32)))
    moved = scenes.flat()[1].copy()
    moved[:, 2, 3] += 0.3
    renderer.draw(replace(scenes.view_of(scenes.head_camera(80, 60)), transforms=moved, portals_open=np.array([0.5], np.float32)))
    assert digests(renderer) == first
    code = (
        "from assistcore.pictures import open_pictures\nfrom tests.pictures import scenes\n"
        "from tests.pictures.test_lifecycle import digests\n"
        "r = open_pictures()\nr.load(scenes.flat()[0])\nprint(digests(r))\nr.close()"
    )
    assert python(code, PYTHONHASHSEED="1").strip() == first


def test_the_first_picture_is_finished_isaaclab_1085() -> None:
    """cases.md A, IsaacLab#1085: the very first picture of a new renderer is the picture, not a black or empty frame."""
    with open_pictures() as fresh:
        fresh.load(scenes.flat()[0])
        view = scenes.view_of(scenes.head_camera(64, 48))
        first, second = fresh.draw(view), fresh.draw(view)
    assert first.rgb.shape == (48, 64, 3) and first.rgb.std() > 10
    assert np.array_equal(first.rgb, second.rgb)


def test_two_cameras_take_turns(renderer: GlPictures) -> None:
    """cases.md A, strands-labs/robots PR#168: switching cameras leaves no trace of the other."""
    cameras = [scenes.head_camera(64, 48), Camera.look_at((-2.2, -1.8, 1.6), (1, 1, 1), hfov_rad=1.4, width=64, height=48)]
    alone = [renderer.draw(scenes.view_of(camera)).rgb for camera in cameras]
    for _ in range(3):
        for camera, expected in zip(cameras, alone, strict=True):
            assert np.array_equal(renderer.draw(scenes.view_of(camera)).rgb, expected)


def test_a_machine_without_egl_is_told_what_to_install() -> None:
    code = (
        "from assistcore.pictures import open_pictures, PicturesUnavailable\n"
        "try:\n    open_pictures()\nexcept PicturesUnavailable as error:\n    print(error)\nelse:\n    print('it drew')"
    )
    said = python(code, __EGL_VENDOR_LIBRARY_FILENAMES="/nonexistent/vendor.json")
    assert APT_COMMAND in said and "EGL" in said
    blocked = "import sys\nsys.modules['moderngl'] = None\n" + code
    assert "pip install moderngl" in python(blocked)


def test_importing_loads_no_graphics_library() -> None:
    code = (
        "import sys\nfor name in ('moderngl', 'glcontext', 'PIL', 'mujoco', 'pxr', 'torch'):\n    sys.modules[name] = None\n"
        "import pkgutil, importlib, assistcore.pictures as p\n"
        "for m in pkgutil.iter_modules(p.__path__):\n    importlib.import_module('assistcore.pictures.' + m.name)\nprint('fine')"
    )
    assert python(code).strip() == "fine"


def test_an_empty_scene(empty_renderer: GlPictures) -> None:
    empty_renderer.load(PictureScene())
    picture = empty_renderer.draw(View(camera=scenes.head_camera(32, 24)))
    assert (picture.ids == -1).all() and np.isinf(picture.depth_m).all() and picture.rgb.shape == (24, 32, 3)


def test_sizes_may_change_between_pictures(renderer: GlPictures) -> None:
    expected = renderer.draw(scenes.view_of(scenes.head_camera(64, 48))).rgb
    for width, height in ((1, 1), (33, 17), (200, 40), (7, 90), (65, 48), (64, 48)):
        picture = renderer.draw(scenes.view_of(scenes.head_camera(width, height)))
        assert picture.rgb.shape == (height, width, 3) and picture.ids.shape == picture.depth_m.shape == (height, width)
    assert np.array_equal(picture.rgb, expected)


def test_pictures_are_arrays_of_their_own(renderer: GlPictures) -> None:
    first = renderer.draw(scenes.view_of(scenes.head_camera(32, 24)))
    kept = first.rgb.copy(), first.ids.copy(), first.depth_m.copy()
    renderer.draw(scenes.view_of(Camera.look_at((5, 0, 1.5), (3, 1, 1), hfov_rad=1, width=32, height=24)))
    assert np.array_equal(kept[0], first.rgb) and np.array_equal(kept[1], first.ids) and np.array_equal(kept[2], first.depth_m)


def resident_kb() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def test_memory_stays_isaacsim_812(empty_renderer: GlPictures) -> None:
    """cases.md A, IsaacSim#812: 200 pictures and 20 scene changes; the second half adds less than 10 MB, and no file stays open."""
    scene, _ = scenes.flat()
    small = replace(scene, textures={k: v[::8, ::8].copy() for k, v in scene.textures.items()})
    sizes = [(32, 24), (40, 30), (48, 36), (56, 42), (64, 48)]
    marks = []
    for k in range(200):
        if k % 10 == 0:
            empty_renderer.load(small)
        if k in (100, 199):
            marks.append((resident_kb(), len(os.listdir("/proc/self/fd"))))
        empty_renderer.draw(scenes.view_of(scenes.head_camera(*sizes[k % 5]), time_s=None, supersample=1 + k % 2))
    assert marks[1][0] - marks[0][0] < 10_000
    assert marks[1][1] == marks[0][1]


def test_use_before_load_and_after_close() -> None:
    renderer = open_pictures()
    with pytest.raises(PicturesError, match="no scene"):
        renderer.draw(View(camera=scenes.head_camera(8, 8)))
    renderer.close()
    renderer.close()
    with pytest.raises(PicturesError, match="closed"):
        renderer.load(PictureScene())


def tetra() -> TriMesh:
    return TriMesh.make([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])


@pytest.mark.parametrize(
    ("scene", "named"),
    [
        (PictureScene(drawables=(Drawable("a", tetra(), Surface(), 1),) * 2), "'a' is used twice"),
        (PictureScene(drawables=(Drawable("a", tetra(), Surface(texture="oak"), 1),)), "'oak'"),
        (
            PictureScene(drawables=(Drawable("a", replace(tetra(), faces=np.array([[0, 1, 4]], np.int32)), Surface(), 1),)),
            "0..4 outside 0..3",
        ),
        (
            PictureScene(drawables=(Drawable("a", replace(tetra(), uvs=np.zeros((3, 2), np.float32)), Surface(), 1),)),
            r"uvs has shape \(3, 2\)",
        ),
        (PictureScene(drawables=(Drawable("a", tetra(), Surface(), 1, glows_with=0),)), "glows_with 0"),
        (PictureScene(textures={"t": np.zeros((4, 4), np.uint8)}), "texture 't'"),
        (PictureScene(lamps=(Lamp((0, 0, 2), 3),)), "lamp 0: room 3"),
        (PictureScene(body=BodyMesh(3, np.array([[0, 1, 3]], np.int32), 1)), "up to 3 with 3 vertices"),
    ],
)
def test_bad_scenes_are_refused_by_name(empty_renderer: GlPictures, scene: PictureScene, named: str) -> None:
    with pytest.raises(SceneError, match=named):
        empty_renderer.load(scene)


def test_bad_views_are_refused_by_name(renderer: GlPictures) -> None:
    good = scenes.view_of(scenes.head_camera(8, 8))
    _, transforms = scenes.flat()
    broken = transforms.copy()
    broken[3, 0, 3] = np.nan
    wrong = [
        ({"transforms": None}, "transforms are missing"),
        ({"transforms": transforms[:-1]}, f"expected .>= {len(transforms)}"),
        ({"transforms": broken}, "transform 3 is not finite"),
        ({"hidden": frozenset({"ghost"})}, "'ghost'"),
        ({"hidden": np.zeros(3, bool)}, r"bool\(3,\)"),
        ({"lamps_on": np.ones(5, bool)}, r"lamps_on has shape \(5,\), expected \(2,\)"),
        ({"lamps_on": np.array([0.5, 1.5])}, "holds 1.5"),
        ({"portals_open": np.ones(2)}, "portals_open has shape"),
        ({"supersample": 3}, "supersample is 3"),
        ({"room_of_camera": 2}, "room_of_camera is 2"),
        ({"body_normals": None}, "body_normals has shape None"),
        ({"body_vertices_m": np.zeros((5, 3), np.float32)}, r"body_vertices_m has shape \(5, 3\)"),
        ({"body_hidden_faces": np.zeros(2, bool)}, r"body_hidden_faces is bool\(2,\)"),
    ]
    for change, named in wrong:
        with pytest.raises(PicturesError, match=named):
            renderer.draw(replace(good, **change))  # type: ignore[arg-type]
