"""USD scenes: what is written is read back; files that are wrong are refused in one report before anything is built."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from assets_bake.scene_maker import SceneMaker
from assets_bake.usd_write import write_scene
from assistcore.house.stage import Entity, Room, StageModel
from assistcore.house.usd import read_stage
from assistcore.house.usd_spec import facts_of
from assistcore.world.errors import InputError, VersionError
from assistworld.engines.house.scenes import load_scene, scene_names
from tests.assets_bake.scenes import built_flat

pytest.importorskip("pxr")


@pytest.fixture(scope="module")
def small() -> StageModel:
    scene = SceneMaker("small")
    scene.rooms.append(Room("kitchen", "kitchen", ((0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0))))
    scene.put("fridge_1", "fridge", "fridge_steel", (1.0, 2.0, 0.0), "W", room="kitchen", joints={"door": -0.4})
    scene.put("red_mug_1", "vessel", "mug_red", (2.0, 1.0, 0.0), 0.3, room="kitchen", shape="mug", colour="red", category="red_mug")
    scene.put("red_mug_2", "vessel", "mug_red", (2.0, 1.5, 0.0), 1.3, room="kitchen", category="red_mug", attributes={"clean": False})
    scene.put(
        "tea_1", "carton", "tea", (2.0, 2.0, 0.0), 0.1, room="kitchen", category="tea", lines=("TEA", "20 bags"), size_m=(0.13, 0.07, 0.09)
    )
    scene.spots["start"] = (1.5, 0.5, 1.57)
    return scene.stage()


@pytest.fixture
def folder(small: StageModel, tmp_path: Path) -> Path:
    write_scene(small, tmp_path / "a" / "b")
    return tmp_path / "a" / "b"


def _same(one: Entity, two: Entity) -> None:
    assert dataclasses.replace(one, links=()).__dict__.keys() == dataclasses.replace(two, links=()).__dict__.keys()
    for field in dataclasses.fields(Entity):
        if field.name != "links":
            assert getattr(one, field.name) == getattr(two, field.name), f"{one.key}: {field.name}"
    for a, b in zip(one.links, two.links, strict=True):
        assert (a.key, a.joint, a.handle, a.parent) == (b.key, b.joint, b.handle, b.parent)
        assert np.array_equal(a.T_root_link, b.T_root_link)
        for p, q in zip(a.parts, b.parts, strict=True):
            assert (p.name, p.surface) == (q.name, q.surface)
            assert all(np.array_equal(getattr(p, n), getattr(q, n)) for n in ("vertices_m", "faces", "normals", "uvs"))
        for c, d in zip(a.pieces, b.pieces, strict=True):
            assert (c.name, c.half_extents_m) == (d.name, d.half_extents_m)
            assert np.array_equal(c.vertices_m, d.vertices_m) and np.array_equal(c.T_link_piece, d.T_link_piece)


def test_a_scene_comes_back_exactly(small: StageModel, folder: Path) -> None:
    back = read_stage(folder / "small.usda")
    assert back.digest() == small.digest()
    assert [e.key for e in back.entities] == [e.key for e in small.entities]
    for one, two in zip(small.entities, back.entities, strict=True):
        _same(one, two)
    assert (back.rooms, back.spots) == (small.rooms, small.spots)
    assert set(back.textures) == set(small.textures)
    assert all(np.array_equal(back.textures[k], small.textures[k]) for k in small.textures)


def test_two_writings_have_equal_asset_facts_and_two_uses_share_one_asset(folder: Path, small: StageModel, tmp_path: Path) -> None:
    """cases.md C, BEHAVIOR-1K PR#2215: two objects with one file have equal geometry and poses of their own."""
    write_scene(small, tmp_path / "again")
    for spec in sorted((folder / "assets").glob("*.json")):
        assert spec.read_bytes() == (tmp_path / "again" / "assets" / spec.name).read_bytes()
    back = read_stage(folder / "small.usda")
    one, two = back.entity("red_mug_1"), back.entity("red_mug_2")
    assert len(one.links[0].parts[0].faces) == len(two.links[0].parts[0].faces) > 0
    assert one.pose != two.pose


def test_it_loads_from_another_folder_and_after_a_move(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """cases.md C, BEHAVIOR-1K PR#1793."""
    monkeypatch.chdir(tmp_path)
    digest = read_stage(Path("a/b/small.usda")).digest()
    shutil.move(str(folder), str(tmp_path / "moved"))
    assert read_stage(tmp_path / "moved" / "small.usda").digest() == digest


def _edit(folder: Path, old: str, new: str) -> Path:
    scene = folder / "edited.usda"
    text = (folder / "small.usda").read_text()
    assert old in text
    scene.write_text(text.replace(old, new))
    return scene


@pytest.mark.parametrize(
    ("uri", "reason"),
    [
        ("/somewhere/tea.usdc", "is an absolute path"),
        ("../tea.usdc", "leaves its folder with '..'"),
        ("./assets/Tea.usdc", "differs from 'tea.usdc' on disk in upper and lower case"),
        ("./assets/sofa.usdc", "does not exist"),
        ("https://example.org/tea.usdc", "is a network address"),
    ],
)
def test_forbidden_paths_are_refused_with_the_reason(folder: Path, uri: str, reason: str) -> None:
    """cases.md C, BEHAVIOR-1K PR#1793; A, IsaacLab#417: the report has scene file, object, URI and the searched folder."""
    scene = _edit(folder, "./assets/tea.usdc", uri)
    with pytest.raises(InputError) as caught:
        read_stage(scene)
    (problem,) = caught.value.problems
    assert reason in problem.what and repr(uri) in problem.what and str(folder) in problem.what
    assert problem.where == f"{scene}#/World/tea_1"


def test_a_link_that_leads_out_is_refused(folder: Path, tmp_path: Path) -> None:
    """cases.md C, BEHAVIOR-1K PR#1793."""
    outside = tmp_path / "tea.usdc"
    shutil.move(str(folder / "assets" / "tea.usdc"), str(outside))
    (folder / "assets" / "tea.usdc").symlink_to(outside)
    with pytest.raises(InputError, match="link that leads out"):
        read_stage(folder / "small.usda")


def test_all_missing_files_are_in_one_report(folder: Path) -> None:
    """cases.md A, IsaacLab#417."""
    (folder / "assets" / "tea.usdc").unlink()
    (folder / "assets" / "mug_red.json").unlink()
    (folder / "assets" / "textures" / "brushed.png").unlink()
    with pytest.raises(InputError) as caught:
        read_stage(folder / "small.usda")
    text = str(caught.value)
    assert all(name in text for name in ("tea.usdc", "mug_red.json", "brushed.png"))
    assert len(caught.value.problems) == 3


def test_units_are_honoured_or_refused(small: StageModel, folder: Path) -> None:
    """cases.md C, trimesh#525: centimetres are scaled, a missing or mixed unit is refused, nothing is guessed."""
    from pxr import Sdf

    with pytest.raises(InputError, match="has no metersPerUnit"):
        read_stage(_edit(folder, "metersPerUnit = 1", "doc = 'x'"))
    with pytest.raises(InputError, match="up axis"):
        read_stage(_edit(folder, 'upAxis = "Z"', 'upAxis = "Y"'))
    scene = _edit(folder, "metersPerUnit = 1", "metersPerUnit = 0.01")
    with pytest.raises(InputError, match="metersPerUnit is 1.0, the scene's is 0.01"):
        read_stage(scene)
    for asset in (folder / "assets").glob("*.usdc"):
        layer = Sdf.Layer.FindOrOpen(str(asset))
        layer.pseudoRoot.SetInfo("metersPerUnit", 0.01)
        layer.Save()
    shrunk = read_stage(scene)
    assert shrunk.entity("red_mug_1").pose.position_m == pytest.approx((0.02, 0.01, 0.0))
    assert np.ptp(shrunk.entity("fridge_1").links[0].parts[0].vertices_m[:, 2]) == pytest.approx(
        0.01 * np.ptp(small.entity("fridge_1").links[0].parts[0].vertices_m[:, 2]), rel=1e-5
    )


def test_another_version_is_refused_with_both_named(folder: Path) -> None:
    with pytest.raises(VersionError, match="version 7, this reader knows 1"):
        read_stage(_edit(folder, "int version = 1", "int version = 7"))


def test_a_spec_that_lacks_a_field_names_file_and_field(folder: Path) -> None:
    spec = folder / "assets" / "tea.json"
    facts = json.loads(spec.read_text())
    del facts["kind"]
    spec.write_text(json.dumps(facts))
    with pytest.raises(InputError, match="KeyError: 'kind'") as caught:
        read_stage(folder / "small.usda")
    assert caught.value.problems[0].where == str(spec)


def test_isaac_sim_finds_what_it_needs(folder: Path) -> None:
    """UsdPhysics on a composed stage: metres, Z up, a rigid mug with mass, a hinge with limits, convex hulls."""
    from pxr import Usd, UsdGeom, UsdPhysics

    stage = Usd.Stage.Open(str(folder / "small.usda"))
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    mug = stage.GetPrimAtPath("/World/red_mug_1")
    assert mug.HasAPI(UsdPhysics.RigidBodyAPI) and UsdPhysics.MassAPI(mug).GetMassAttr().Get() == pytest.approx(0.3)
    shapes = [p for p in Usd.PrimRange(mug) if p.HasAPI(UsdPhysics.CollisionAPI)]
    assert len(shapes) > 10 and all(UsdGeom.Imageable(p).GetPurposeAttr().Get() == "guide" for p in shapes)
    hinge = UsdPhysics.RevoluteJoint(stage.GetPrimAtPath("/World/fridge_1/Joints/door"))
    assert (hinge.GetLowerLimitAttr().Get(), hinge.GetUpperLimitAttr().Get()) == pytest.approx((np.degrees(-1.55), 0.0), abs=1e-4)
    assert [str(p) for p in hinge.GetBody1Rel().GetForwardedTargets()] == ["/World/fridge_1/door"]


def test_the_committed_flat_is_what_the_bake_makes() -> None:
    built, stored = built_flat(), load_scene("flat")
    assert "flat" in scene_names()
    assert [e.key for e in stored.entities] == [e.key for e in built.entities]
    for one, two in zip(built.entities, stored.entities, strict=True):
        assert facts_of(one) == facts_of(two), f"{one.key}: run python -m assets_bake flat"
        assert np.allclose(one.pose.position_m, two.pose.position_m, atol=0.01), one.key
        assert [len(link.pieces) for link in one.links] == [len(link.pieces) for link in two.links], one.key


def test_the_fast_copy_is_equal_keyed_by_content_and_survives_tearing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """cases.md C, BEHAVIOR-1K#1837: the key changes when one mesh byte changes."""
    from assistcore.house import usd_cache

    monkeypatch.setenv("ASSISTWORLD_CACHE", str(tmp_path / "cache"))
    scene = folder / "small.usda"
    first = usd_cache.read_stage_cached(scene)
    monkeypatch.setattr(usd_cache, "read_stage", lambda path: pytest.fail(f"{path} was read again"))
    second = usd_cache.read_stage_cached(scene)
    monkeypatch.undo()
    monkeypatch.setenv("ASSISTWORLD_CACHE", str(tmp_path / "cache"))
    for one, two in zip(first.entities, second.entities, strict=True):
        _same(one, two)
    assert (first.rooms, first.spots, first.digest()) == (second.rooms, second.spots, second.digest())
    assert all(np.array_equal(first.textures[k], second.textures[k]) for k in first.textures)
    (copy,) = (tmp_path / "cache" / "stages").iterdir()
    copy.write_bytes(copy.read_bytes()[:1000])
    assert usd_cache.read_stage_cached(scene).digest() == first.digest()
    key = usd_cache.content_key(scene)
    asset = folder / "assets" / "tea.usdc"
    data = bytearray(asset.read_bytes())
    data[-100] ^= 1
    asset.write_bytes(bytes(data))
    assert usd_cache.content_key(scene) != key
