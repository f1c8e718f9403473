"""Every asset family: sound meshes, sound pieces, things that hold other things stay hollow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from assets_bake import meshes
from assets_bake.families import FAMILIES
from assistcore.house.stage import Entity, StageModel
from tests.assets_bake.scenes import built_flat


@pytest.fixture(scope="module")
def flat() -> StageModel:
    return built_flat()


def _assets(flat: StageModel) -> list[Entity]:
    return list({e.asset: e for e in flat.entities}.values())


def test_every_family_has_a_description_and_is_used(flat: StageModel) -> None:
    assert all(e.description.endswith(".") for e in FAMILIES.entries())
    assert len(FAMILIES.names()) > 25
    assert len(_assets(flat)) > 150


def test_meshes_are_finite_unit_normals_and_face_outward(flat: StageModel) -> None:
    bad = []
    for e in _assets(flat):
        for link in e.links:
            for part in link.parts:
                lengths = np.linalg.norm(part.normals, axis=1)
                v, n = part.vertices_m[part.faces], part.normals[part.faces].sum(axis=1)
                face = np.cross(v[:, 1] - v[:, 0], v[:, 2] - v[:, 0])
                area = np.linalg.norm(face, axis=1)
                agree = (np.einsum("ij,ij->i", face, n) > 0) | (area < 1e-10)
                if abs(lengths - 1).max() > 1e-3 or agree.mean() < 0.98 or part.faces.max() >= len(part.vertices_m):
                    bad.append((e.asset, part.name, float(abs(lengths - 1).max()), float(agree.mean())))
    assert not bad


def test_what_one_sees_is_what_one_feels(flat: StageModel) -> None:
    """The box round the convex pieces of a movable equals that round its meshes to 12 mm (handles of thin wire to 20 mm)."""
    bad = []
    for e in _assets(flat):
        if e.kind != "movable":
            continue
        seen = np.concatenate([p.vertices_m for link in e.links for p in link.parts])
        low, high = e.box_m
        off = max(np.abs(seen.min(axis=0) - low).max(), np.abs(seen.max(axis=0) - high).max())
        if off > 0.02:
            bad.append((e.asset, round(float(off), 4)))
    assert not bad


def test_vessels_are_hollow(flat: StageModel) -> None:
    """A point in the middle of an interior region is outside every piece of the entity."""
    bad = []
    for e in _assets(flat):
        for r in e.regions:
            if r.kind != "interior":
                continue
            middle = (np.array(r.low_m) + np.array(r.high_m)) / 2
            for link in e.links:
                for p in link.pieces:
                    v = p.vertices_m @ p.T_link_piece[:3, :3].T + p.T_link_piece[:3, 3]
                    if (middle > v.min(axis=0) + 1e-6).all() and (middle < v.max(axis=0) - 1e-6).all() and p.half_extents_m is not None:
                        bad.append((e.asset, r.name, p.name))
    assert not bad


def test_labels_lie_on_their_object(flat: StageModel) -> None:
    bad = []
    for e in _assets(flat):
        for label in e.labels:
            points = np.concatenate([p.vertices_m for p in e.link(label.link).parts])
            distance = np.abs((points - label.centre_m) @ np.array(label.normal)).min()
            if distance > 0.004 or not label.lines or abs(np.dot(label.normal, label.up)) > 1e-6:
                bad.append((e.asset, float(distance), label.lines))
    assert not bad


def test_the_brief_of_the_flat(flat: StageModel) -> None:
    """Rooms, openables with one joint, a hundred things, a dozen labels, named objects that packs rely on."""
    movable = [e for e in flat.entities if e.kind == "movable"]
    assert [r.key for r in flat.rooms] == ["living_room", "kitchen", "bedroom", "bathroom", "hall"]
    assert len(movable) >= 60 and sum(bool(e.labels) for e in movable) >= 12
    wanted = "red_mug_1 blue_mug_1 white_mug_1 coffee_jar_1 coffee_jar_2 coffee_jar_3 milk_carton_1 apple_1 apple_2 red_notebook_1"
    assert not [k for k in wanted.split() if k not in flat.by_key] and "fridge_1" in flat.by_key
    assert all(len(e.joints) == 1 for e in flat.entities if "openable" in e.roles)
    assert all(e.mass_kg > 0 and e.adjectives for e in movable)


def test_signed_volume_tells_flipped_and_open_meshes() -> None:
    """cases.md D, drake#21666: a flipped cube has volume -1; an open one changes its volume when it is lifted."""
    cube = meshes.box((1.0, 1.0, 1.0), (0.5, 0.5, 0.5))
    assert meshes.signed_volume_m3(cube.vertices_m, cube.faces) == pytest.approx(1.0)
    assert meshes.signed_volume_m3(cube.vertices_m, cube.faces[:, ::-1]) == pytest.approx(-1.0)
    bare = meshes.box((1.0, 1.0, 1.0), (0.5, 0.5, 0.5), skip=("top",))
    lifted = bare.moved((0.0, 0.0, 5.0))
    assert meshes.signed_volume_m3(bare.vertices_m, bare.faces) == pytest.approx(2.0 / 3.0)
    assert meshes.signed_volume_m3(lifted.vertices_m, lifted.faces) == pytest.approx(-1.0)


@pytest.mark.slow
def test_the_scene_is_the_same_in_other_processes_and_folders(tmp_path: Path) -> None:
    """cases.md A, IsaacLab#904: other hash seeds and working folders give the same settled scene."""
    code = "from assets_bake.bake import build_scene; from assets_bake.settle import settled; print(settled(build_scene('flat')).digest())"
    root = str(Path(__file__).parents[2])
    digests = set()
    for seed, folder in (("0", root), ("1", str(tmp_path))):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root}
        done = subprocess.run([sys.executable, "-c", code], env=env, cwd=folder, capture_output=True, text=True, check=True)
        digests.add(done.stdout.strip())
    assert len(digests) == 1
