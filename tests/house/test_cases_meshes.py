"""Meshes and masses that other loaders change silently (cases.md C and D)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assets_bake.check_scene import check_scene
from assets_bake.usd_write import write_scene
from assistcore.house.stage import Surface, VisualPart
from assistcore.house.usd import read_stage
from tests.assets_bake import scenes
from tests.house import stages

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float32) * np.float32(0.1)


def part(vertices: np.ndarray) -> VisualPart:
    faces = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5]], np.int32)
    return VisualPart("part", vertices, faces, np.ones_like(vertices), np.zeros((len(vertices), 2), np.float32), Surface((0.5, 0.5, 0.5)))


def test_two_vertices_at_one_place_stay_two(tmp_path: Path) -> None:
    """trimesh#1406: skinning weights and colours are per index; 8 vertices of which 3 and 5 coincide are still 8, in order."""
    pytest.importorskip("pxr")
    vertices = CORNERS.copy()
    vertices[5] = vertices[3]
    cup = scenes.block("cup_1", (0.1, 0.1, 0.1), (1.0, 1.0, 0.0))
    cup = replace(cup, links=(replace(cup.links[0], parts=(part(vertices),)),))
    write_scene(scenes.stage(cup), tmp_path)
    (back,) = read_stage(tmp_path / "test.usda").entity("cup_1").links[0].parts
    assert np.array_equal(back.vertices_m, vertices) and np.array_equal(back.faces, part(vertices).faces)


@pytest.mark.parametrize(
    ("vertices", "words"),
    [
        (CORNERS * 0, "has no extent"),
        (CORNERS[:0], "has no extent"),
        (CORNERS[:4], "face index 7 of 4 vertices"),
        (CORNERS * np.nan, "finite"),
    ],
    ids=["one point", "empty", "cut off", "nan"],
)
def test_a_mesh_without_extent_is_an_error(vertices: np.ndarray, words: str) -> None:
    """trimesh#2101: a compressed file loads with all vertices equal."""
    cup = scenes.block("cup_1", (0.1, 0.1, 0.1), (1.0, 1.0, 0.0))
    broken = replace(cup, links=(replace(cup.links[0], parts=(part(vertices),)),))
    found = check_scene(scenes.stage(broken))
    assert len(found) == 1 and words in found[0].what and "cup_1" in found[0].where


def test_a_movable_without_collision_is_an_error_not_a_ghost() -> None:
    """trimesh#1788, gz-sim#3230: a decomposer that returns nothing; never zero colliders."""
    cup = scenes.block("cup_1", (0.1, 0.1, 0.1), (1.0, 1.0, 0.0))
    ghost = replace(cup, links=(replace(cup.links[0], pieces=()),))
    assert any("movable without collision pieces" in p.what for p in check_scene(scenes.stage(ghost)))


@pytest.mark.parametrize("mass_kg", [0.012, 0.3, 4.0])
def test_a_given_mass_is_the_mass(mass_kg: float) -> None:
    """newton#3592: an explicit 0.012 kg becomes 0; a static piece without mass loads."""
    mujoco = pytest.importorskip("mujoco")
    from assistworld.engines.house.mujoco_model import compile_stage

    stage = stages.stage(stages.floor(), replace(stages.block("cup_1", (0.05, 0.06, 0.07), (0, 0, 0.1)), mass_kg=mass_kg))
    made = compile_stage(stage, {}, {}, frozenset())
    free = made.model.body_mass[made.model.body_mass > 0.0]
    assert isinstance(made.model, mujoco.MjModel) and float(free.sum()) == pytest.approx(mass_kg, rel=1e-6)
