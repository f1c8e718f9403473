"""The RTX back end on a real USD stage with a fake camera: views become prims, frames show the view that was asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assistcore.pictures.camera import Camera
from assistcore.pictures.protocol import PicturesError, PicturesUnavailable, View
from assistcore.pictures.scene import BodyMesh, Drawable, Lamp, PictureRoom, PictureScene, Surface, TriMesh
from assistcore.world.errors import InfrastructureError
from assistworld.engines._watched import Watched
from extension.errors import StaleFrame
from extension.frames import Patience
from extension.pictures import IsaacPictures, instance_ids
from tests.episodes.toy_engine import ToyEngine
from tests.extension.fake_cameras import FakeCameras

pytest.importorskip("pxr")
SQUARE = np.array([(-0.1, 0.0, -0.1), (0.1, 0.0, -0.1), (0.1, 0.0, 0.1), (-0.1, 0.0, 0.1)], np.float32)
FACES = np.array([(0, 1, 2), (0, 2, 3)], np.int32)
CAMERA = Camera.look_at((0.0, -2.0, 0.0), (0.0, 0.0, 0.0), hfov_rad=1.2, width=96, height=64)
OTHER = Camera.look_at((0.3, -3.0, 0.2), (0.0, 0.0, 0.0), hfov_rad=1.2, width=96, height=64)
GLOWING = Surface(emissive=1.0)
FLOOR = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=np.float64)


def scene() -> PictureScene:
    mesh = TriMesh.make(SQUARE, FACES)
    drawables = (
        Drawable("wall_1/body/wall", TriMesh.make(SQUARE * 20 + (0.0, 2.0, 0.0), FACES), Surface(texture="tiles"), 0),
        Drawable("mug_1/body/mug", mesh, Surface(rgb=(0.5, 0.2, 0.1)), 1, transform=0),
        Drawable("lamp_1/body/shade", TriMesh.make(SQUARE + (0.5, 0.0, 0.5), FACES), GLOWING, 2, glows_with=0, casts_shadow=False),
        Drawable("ceiling_1/body/slab", TriMesh.make(SQUARE + (-0.5, 0.0, 0.5), FACES), Surface(), 3, ceiling=True),
    )
    body = BodyMesh(4, FACES, 4, vertex_rgb=np.full((4, 3), 128, np.uint8))
    lamp = Lamp((0.5, 0.0, 0.5), 0)
    return PictureScene(drawables, {"tiles": np.full((4, 4, 3), 200, np.uint8)}, (lamp,), rooms=(PictureRoom(FLOOR),), body=body)


def moved(x: float) -> Any:
    T = np.eye(4, dtype=np.float32)[None].copy()
    T[0, 0, 3] = x
    return T


class Kit:
    """A stage, a fake camera that looks at it, and the back end on both."""

    def __init__(self, patience: Patience | None = None, **habits: Any) -> None:
        from pxr import Usd, UsdGeom

        self.usd: Any = Usd.Stage.CreateInMemory()
        UsdGeom.Xform.Define(self.usd, "/World")
        self.cameras = FakeCameras(lambda: self.usd, **habits)
        self.pictures = IsaacPictures(self.cameras, lambda: self.usd, lambda: patience or Patience(12, 1))
        self.pictures.load(scene())


@pytest.fixture
def kit() -> Iterator[Kit]:
    made = Kit()
    yield made
    made.pictures.close()


def centre_of(ids: Any, instance: int) -> tuple[float, float]:
    rows, columns = np.nonzero(ids == instance)
    return float(columns.mean()) + 0.5, float(rows.mean()) + 0.5


def test_things_are_where_the_camera_model_says_with_ids_and_plane_depth(kit: Kit) -> None:
    for x in (0.0, 0.4, -0.3):
        picture = kit.pictures.draw(View(CAMERA, transforms=moved(x)))
        assert picture.rgb.shape == (64, 96, 3) and picture.ids.dtype == np.int32
        expected, depth = CAMERA.project([(x, 0.0, 0.0)])
        assert centre_of(picture.ids, 1) == pytest.approx(tuple(expected[0]), abs=0.6)
        assert picture.depth_m[picture.ids == 1] == pytest.approx(depth[0], abs=1e-4)
    assert set(np.unique(picture.ids)) <= {-1, 0, 1, 2, 3}, "our marks are cut off"


def test_what_is_hidden_is_not_seen_and_comes_back(kit: Kit) -> None:
    def seen(**more: Any) -> set[int]:
        return set(np.unique(kit.pictures.draw(View(CAMERA, transforms=moved(0.0), **more)).ids).tolist())

    assert {1, 2, 3} <= seen()
    assert 1 not in seen(hidden=frozenset({"mug_1/body/mug"}))
    assert 2 not in seen(hidden=np.array([False, False, True, False]))
    assert 3 not in seen(hide_ceilings=True)
    assert {1, 2, 3} <= seen()


def test_the_person_is_drawn_from_the_views_points_without_its_own_head(kit: Kit) -> None:
    points = SQUARE + np.array([0.0, -0.5, -0.3], np.float32)
    view = View(CAMERA, transforms=moved(0.0), body_vertices_m=points, body_normals=np.zeros((4, 3), np.float32))
    picture = kit.pictures.draw(view)
    expected, _ = CAMERA.project([(0.0, -0.5, -0.3)])
    assert centre_of(picture.ids, 4) == pytest.approx(tuple(expected[0]), abs=0.6)
    np.testing.assert_array_equal(np.array(kit.usd.GetPrimAtPath("/Pictures/body").GetAttribute("points").Get()), points)
    kit.pictures.draw(replace(view, body_hidden_faces=np.array([True, False])))
    assert list(kit.usd.GetPrimAtPath("/Pictures/body").GetAttribute("faceVertexIndices").Get()) == [0, 2, 3]
    assert 4 not in kit.pictures.draw(View(CAMERA, transforms=moved(0.0))).ids


def test_a_view_is_written_within_one_change(kit: Kit) -> None:
    from pxr import Tf, Usd

    kit.pictures.draw(View(CAMERA, transforms=moved(0.0)))
    notices: list[list[str]] = []
    listener = Tf.Notice.Register(
        Usd.Notice.ObjectsChanged, lambda notice, sender: notices.append([str(p) for p in notice.GetChangedInfoOnlyPaths()]), kit.usd
    )
    kit.pictures.draw(View(OTHER, transforms=moved(0.2), body_vertices_m=SQUARE, hide_ceilings=True))
    listener.Revoke()
    assert len(notices) == 1 and {"/Pictures/body.points", "/Pictures/d_1.xformOp:transform", "/Pictures/d_3.visibility"} <= set(notices[0])


def test_lamps_and_looks_follow_the_view(kit: Kit) -> None:
    from pxr import UsdShade

    def colour(number: int, what: str) -> tuple[float, ...]:
        material, _ = UsdShade.MaterialBindingAPI(kit.usd.GetPrimAtPath(f"/Pictures/d_{number}")).ComputeBoundMaterial()
        shader, _, _ = material.ComputeSurfaceSource()
        return tuple(round(float(c), 3) for c in shader.GetInput(what).Get())

    kit.pictures.draw(View(CAMERA, transforms=moved(0.0)))
    assert colour(1, "diffuseColor") == (0.214, 0.033, 0.01), "display colours are made linear"
    assert colour(2, "emissiveColor")[0] > 0.0
    lamp = kit.usd.GetPrimAtPath("/Pictures/lights/lamp_0").GetAttribute("inputs:intensity")
    assert lamp.Get() == pytest.approx(30000.0)
    looks = {"mug_1/body/mug": Surface(rgb=(1.0, 1.0, 1.0))}
    kit.pictures.draw(View(CAMERA, transforms=moved(0.0), looks=looks, lamps_on=np.array([False])))
    assert colour(1, "diffuseColor") == (1.0, 1.0, 1.0) and colour(2, "emissiveColor") == (0.0, 0.0, 0.0) and lamp.Get() == 0.0
    kit.pictures.draw(View(CAMERA, transforms=moved(0.0)))
    assert colour(1, "diffuseColor") == (0.214, 0.033, 0.01) and colour(2, "emissiveColor")[0] > 0.0


def test_more_colours_than_materials_are_kept_do_not_grow_the_stage(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extension.picture_looks.MOST", 4)
    for k in range(12):
        kit.pictures.draw(View(CAMERA, transforms=moved(0.0), looks={"mug_1/body/mug": Surface(rgb=(k / 12, 0.0, 0.0))}))
    kept = len({d.surface for d in scene().drawables})
    assert len(kit.usd.GetPrimAtPath("/Pictures/looks").GetChildren()) <= kept + 4


def test_frames_that_come_late_are_waited_for() -> None:
    kit = Kit(late=3)
    for x in (0.0, 0.4, -0.4):
        picture = kit.pictures.draw(View(CAMERA, transforms=moved(x)))
        assert centre_of(picture.ids, 1)[0] == pytest.approx(CAMERA.project([(x, 0.0, 0.0)])[0][0, 0], abs=0.6)
        assert kit.pictures.discarded >= 3
    kit.pictures.close()


def test_a_render_cache_keyed_by_physics_steps_cannot_show_the_state_before_a_reset() -> None:
    """cases.md A, IsaacLab#6394: the object moves without a physics step; the picture is of the new place, or an error."""
    steps = [5]
    kit = Kit(steps=lambda: steps[0])
    kit.pictures.draw(View(CAMERA, transforms=moved(-0.5)))
    opened = kit.cameras.opened
    picture = kit.pictures.draw(View(CAMERA, transforms=moved(0.5)))
    assert centre_of(picture.ids, 1)[0] == pytest.approx(CAMERA.project([(0.5, 0.0, 0.0)])[0][0, 0], abs=0.6)
    assert kit.cameras.opened == opened + 1
    kit.pictures.close()


def test_a_cache_that_nothing_clears_is_an_error_that_names_both_states() -> None:
    kit = Kit(steps=lambda: 0)
    kit.pictures.draw(View(CAMERA, transforms=moved(-0.5)))
    kit.cameras.open = lambda *size: None  # type: ignore[method-assign]
    with pytest.raises(StaleFrame, match="still shows state 1 after 13 renders, not 2"):
        kit.pictures.draw(View(CAMERA, transforms=moved(0.5)))
    kit.pictures.close()


def test_noise_on_the_first_render_of_a_moved_camera_is_never_stored() -> None:
    """cases.md A, strands-labs/robots PR#168: two cameras, three ticks, every stored frame is the constant colour."""
    kit = Kit(noise=True, level=77)
    for _ in range(3):
        for camera in (CAMERA, OTHER):
            assert (kit.pictures.draw(View(camera, transforms=moved(0.0))).rgb == 77).all()
    kit.pictures.close()


def test_a_stage_that_was_replaced_is_filled_anew_and_the_scene_is_hidden_meanwhile(kit: Kit) -> None:
    from pxr import Usd, UsdGeom

    kit.pictures.draw(View(CAMERA, transforms=moved(0.0)))
    assert UsdGeom.Imageable(kit.usd.GetPrimAtPath("/World")).ComputeVisibility() == UsdGeom.Tokens.invisible
    kit.usd = Usd.Stage.CreateInMemory()
    assert 1 in kit.pictures.draw(View(CAMERA, transforms=moved(0.0))).ids
    kit.pictures.close()
    assert not kit.usd.GetPrimAtPath("/Pictures")
    kit.pictures.close()


def test_views_that_do_not_fit_and_calls_out_of_order_are_refused(kit: Kit) -> None:
    narrow = Camera.look_at((0.0, -2.0, 0.0), (0.0, 0.0, 0.0), hfov_rad=1.2, width=30, height=64)
    for view, said in (
        (View(CAMERA), "transforms has 0 rows"),
        (View(CAMERA, transforms=moved(0.0), body_vertices_m=SQUARE[:3]), "body_vertices_m has shape"),
        (View(CAMERA, transforms=moved(0.0), lamps_on=np.ones(3, np.float32)), "lamps_on has 3 values"),
        (View(CAMERA, transforms=moved(0.0), hidden=np.zeros(2, dtype=bool)), "hidden has shape"),
        (View(narrow, transforms=moved(0.0)), "30 pixels wide"),
    ):
        with pytest.raises(PicturesError, match=said):
            kit.pictures.draw(view)
    kit.usd = None
    with pytest.raises(PicturesUnavailable, match="no open stage"):
        kit.pictures.draw(View(CAMERA, transforms=moved(0.0)))
    kit.pictures.close()
    with pytest.raises(PicturesError, match="nothing is loaded"):
        kit.pictures.draw(View(CAMERA, transforms=moved(0.0)))


def test_ids_are_of_the_prim_at_or_above_the_label() -> None:
    labels = {0: "BACKGROUND", 3: "/Pictures/d_12", 4: "/Pictures/d_1/part", 9: "/World/mug_1"}
    found = instance_ids(np.array([[0, 3], [4, 9], [7, 7]]), labels, {"/Pictures/d_1": 5, "/Pictures/d_12": 6})
    assert found.tolist() == [[-1, 6], [5, -1], [-1, -1]]


def test_a_render_that_stalls_is_named_and_the_next_engine_draws() -> None:
    """cases.md A, IsaacLab#4951: `render()` sleeps; the operation is named within the limit."""

    class Stalls(FakeCameras):
        def render(self) -> None:
            time.sleep(5.0)

    def pictures(kind: type[FakeCameras]) -> IsaacPictures:
        made = Kit()
        made.pictures.close()
        drawn = IsaacPictures(kind(lambda: made.usd), lambda: made.usd, lambda: Patience(4, 0))
        drawn.load(scene())
        return drawn

    class Engine(ToyEngine):
        def __init__(self, kind: type[FakeCameras]) -> None:
            super().__init__()
            self.rtx = pictures(kind)

        def draw(self, snapshots: Any, channel: str) -> Any:
            self.rtx.draw(View(CAMERA, transforms=moved(0.0)))
            return ()

    made: list[Engine] = []
    kinds = [FakeCameras, Stalls]

    def make() -> Engine:
        made.append(Engine(kinds.pop()))
        return made[-1]

    from tests.engines.remote.test_remote import TOY

    watched = Watched(make, limit_s=1.0)
    watched.reset(TOY, 0)
    with pytest.raises(InfrastructureError, match=r"stalled in draw \(1.0 s\)"):
        watched.draw((), "fpv")
    watched.reset(TOY, 0)
    assert watched.draw((), "fpv") == ()
    watched.close()
    for engine in made:
        engine.rtx.close()
