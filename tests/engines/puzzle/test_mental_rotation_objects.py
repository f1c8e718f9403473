"""Toys that show how they lie, and models from GLB files that the test makes."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

from assistcore.world.errors import InputError
from assistworld.engines.puzzle.games._solids import Solid
from assistworld.engines.puzzle.games._toys import KINDS, toy
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve


def coloured_points(solid: Solid) -> np.ndarray:
    """600 points of the surface, evenly by area, with their colours; shape (n, 6)."""
    a, b, c = (solid.points[solid.faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    rng = np.random.default_rng(0)
    chosen = rng.choice(len(area), size=600, p=area / area.sum())
    u, v = rng.random((2, 600, 1))
    u, v = np.where(u + v > 1, 1 - u, u), np.where(u + v > 1, 1 - v, v)
    return np.hstack([a[chosen] + u * (b - a)[chosen] + v * (c - a)[chosen], solid.rgb[chosen]])


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_rotation_hides_how_a_toy_lies(kind: str) -> None:
    """Some part of the surface is elsewhere, or of another colour, after each of 24 + 60 rotations by 45 degrees or more."""
    points = coloured_points(toy(kind, 7))
    turns = [*Rotation.create_group("O"), *Rotation.random(60, rng=1)]
    itself = cKDTree(points)
    apart = [
        np.quantile(itself.query(np.hstack([turn.apply(points[:, :3]), points[:, 3:]]))[0], 0.9)
        for turn in turns
        if turn.magnitude() >= np.radians(45)
    ]
    assert len(apart) > 60 and min(apart) > 0.15


def test_toys_are_many() -> None:
    states = [Play(make("mental_rotation_3d_objects"), seed=seed).state for seed in range(40)]
    assert {state.model for state in states} == set(KINDS)
    assert not np.array_equal(toy("car", 1).points, toy("car", 2).points)


def glb(folder: Path, name: str = "thing.glb", changed: Mapping[str, object] = MappingProxyType({})) -> Path:
    """A GLB file, written by hand: a red tetrahedron of the size of 3 m, and a smaller blue triangle moved by (2, 0, 0)."""
    points = np.array([(0, 0, 0), (3, 0, 0), (0, 3, 0), (0, 0, 3)], "<f4")
    faces = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], "<u2")
    binary = points.tobytes() + faces.tobytes()
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0}, {"mesh": 1, "translation": [2, 0, 0]}],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]},
            {"primitives": [{"attributes": {"POSITION": 0}, "indices": 2, "material": 1}]},
        ],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": rgb}} for rgb in ([1, 0, 0, 1], [0, 0, 1, 1])],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [3, 3, 3]},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24},
        ],
        "buffers": [{"byteLength": len(binary)}],
    } | dict(changed)  # fmt: skip
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    file = folder / name
    file.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)
    return file


def test_models_come_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "000-001").mkdir()
    glb(tmp_path, "000-001/thing.glb")
    puzzle = make("mental_rotation_3d_objects", "hard", folder=str(tmp_path))
    play = Play(puzzle, seed=3)
    assert play.state.model == "000-001/thing.glb" and not puzzle.faults(play.state)
    picture = play.picture().astype(int)
    assert ((picture[..., 0] > 80) & (picture[..., 2] < 40)).sum() > 200, "the red tetrahedron is seen"
    for answer in solve(puzzle, play.state):
        play.act(answer)
    assert play.reward == 1
    assert Play.restore(json.loads(json.dumps(play.save()))).state == play.state


def test_a_model_is_read_with_places_and_colours(tmp_path: Path) -> None:
    from assistworld.engines.puzzle.datasets.glb import load_glb

    glb(tmp_path)
    solid = load_glb(tmp_path, "thing.glb")
    assert len(solid.faces) == 4 + 2, "the open triangle is seen from both sides"
    reds = solid.rgb[:, 0] > solid.rgb[:, 2]
    assert reds.sum() == 4 and np.isclose(np.linalg.norm(solid.points, axis=1).max(), 1)
    middle = {True: solid.points[solid.faces[reds]].mean((0, 1)), False: solid.points[solid.faces[~reds]].mean((0, 1))}
    extent = np.ptp(solid.points, axis=0)
    assert np.allclose(extent / extent.max(), (1, 0.6, 0.6), atol=1e-6), "5 x 3 x 3 with the second one moved"
    assert middle[False][0] > middle[True][0]


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ({"extensionsRequired": ["KHR_draco_mesh_compression"]}, "KHR_draco_mesh_compression"),
        ({"meshes": [], "nodes": [], "scenes": [{"nodes": []}]}, "thing.glb"),
        ({"accessors": []}, "thing.glb"),
    ],
)
def test_files_that_cannot_be_read_are_named(tmp_path: Path, broken: dict[str, object], told: str) -> None:
    glb(tmp_path, changed=broken)
    puzzle = make("mental_rotation_3d_objects", folder=str(tmp_path))
    play = Play(puzzle, seed=1)
    assert told in puzzle.faults(play.state)[0]
    with pytest.raises(InputError, match=told):
        play.picture()


def test_bytes_that_are_no_glb_and_folders_without_any_are_named(tmp_path: Path) -> None:
    puzzle = make("mental_rotation_3d_objects", folder=str(tmp_path))
    with pytest.raises(InputError, match=r"holds no \.glb file"):
        Play(puzzle, seed=1)
    (tmp_path / "junk.glb").write_bytes(b"glTF, but not really, only some more bytes")
    fresh = make("mental_rotation_3d_objects", folder=f"{tmp_path}/.")
    with pytest.raises(InputError, match=r"junk\.glb"):
        Play(fresh, seed=1).picture()
    with pytest.raises(InputError, match="no folder"):
        Play(make("mental_rotation_3d_objects", folder=str(tmp_path / "none")), seed=1)


def test_a_saved_model_outside_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    glb(tmp_path)
    glb(tmp_path / "models")
    puzzle = make("mental_rotation_3d_objects", folder=str(tmp_path / "models"))
    saved = Play(puzzle, seed=1).save()
    saved["state"]["model"] = "../thing.glb"
    with pytest.raises(InputError, match="no file in this folder"):
        Play.restore(saved)
