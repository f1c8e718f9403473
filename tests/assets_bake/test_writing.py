"""Writing a scene over an older one: whoever reads meanwhile finds a whole scene file."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assets_bake.usd_write import write_scene
from assistworld.engines.house.scenes import load_scene
from tests.assets_bake.scenes import block, stage


def test_the_scene_file_is_there_all_the_time_and_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "test"
    file = write_scene(stage(block("cup_1", (0.1, 0.1, 0.1), (1, 1, 0))), folder)
    before = file.read_bytes()
    moved: list[str] = []

    def watching(old: Path, new: Path, replace_file: object = os.replace) -> None:
        assert file.is_file() and file.read_bytes() == before
        os.rename(old, new)
        moved.append(new.name)

    monkeypatch.setattr(os, "replace", watching)
    write_scene(stage(block("bowl_1", (0.1, 0.1, 0.1), (2, 1, 0))), folder)
    assert "bowl_1.usdc" in moved and moved[-1] == "test.usda"
    assert file.read_bytes() != before


def test_what_a_newer_scene_does_not_use_is_removed_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "test"
    write_scene(stage(block("cup_1", (0.1, 0.1, 0.1), (1, 1, 0))), folder)
    write_scene(stage(block("bowl_1", (0.1, 0.1, 0.1), (1, 1, 0))), folder)
    assert sorted(p.name for p in (folder / "assets").glob("*.usdc")) == ["bowl_1.usdc", "floor_1.usdc"]
    assert [p.name for p in tmp_path.iterdir()] == ["test"]


def test_a_scene_that_cannot_be_written_leaves_the_older_one(tmp_path: Path) -> None:
    folder = tmp_path / "test"
    file = write_scene(stage(block("cup_1", (0.1, 0.1, 0.1), (1, 1, 0))), folder)
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    small, big = block("bowl_1", (0.1, 0.1, 0.1), (1, 1, 0)), block("bowl_2", (0.2, 0.2, 0.2), (2, 1, 0))
    with pytest.raises(ValueError, match="differs from an earlier use"):
        write_scene(stage(small, replace(big, asset="bowl_1", roles=frozenset({"container"}))), folder)
    assert file.is_file() and {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["test"]


@pytest.mark.parametrize(
    ("key", "spot"), [("coffee_jar_1", "kitchen"), ("coffee_jar_2", "kitchen"), ("coffee_jar_3", "kitchen"), ("shampoo_1", "bathroom")]
)
def test_round_labels_face_the_place_where_one_stands(key: str, spot: str) -> None:
    flat = load_scene("flat")
    entity = flat.by_key[key]
    normal = entity.pose.matrix()[:2, :2] @ np.asarray(entity.labels[0].normal[:2])
    towards = np.asarray(flat.spots[spot][:2]) - np.asarray(entity.pose.position_m[:2])
    assert np.degrees(np.arccos(normal @ towards / np.linalg.norm(towards))) < 5.0
