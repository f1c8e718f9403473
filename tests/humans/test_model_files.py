"""Model files of users: the MPI and AMASS layouts, chumpy and scipy.sparse pickles, and files that must be refused."""

from __future__ import annotations

import os
import pickle
import sys
import types
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

from humans.camera import head_camera, own_head_faces
from humans.gait import walk
from humans.hands import seat, wrap
from humans.kinematics import joint_transforms, skin
from humans.model import JOINT, body_from_arrays, load_body
from humans.model_files import BodyFileError, read_model_arrays
from humans.proxies import walking_width_m
from tests.humans.tracks import straight

BODY = load_body()


def smplh_arrays() -> dict[str, np.ndarray]:
    """What an AMASS `model.npz` holds (no hand PCA, none of our own keys), made from the embedded body."""
    dense = np.zeros((len(BODY.template_m), 52))
    np.put_along_axis(dense, BODY.skin_index, BODY.skin_weight, axis=1)
    tree = np.stack([np.array([4294967295, *BODY.parents[1:]], np.int64), np.arange(52)])
    return {
        "v_template": BODY.template_m, "f": BODY.faces.astype(np.uint32), "weights": dense, "J_regressor": BODY.J_regressor,
        "kintree_table": tree, "shapedirs": BODY.shapedirs, "posedirs": np.zeros((len(BODY.template_m), 3, 459), np.int8),
    }  # fmt: skip


@pytest.fixture
def chumpy(monkeypatch: pytest.MonkeyPatch) -> type:
    """A stand-in chumpy module for writing pickles; removed before they are read."""
    module, inner = types.ModuleType("chumpy"), types.ModuleType("chumpy.ch")
    ch = type("Ch", (), {"__module__": "chumpy.ch", "__init__": lambda self, x: setattr(self, "x", x)})
    inner.Ch = ch  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "chumpy", module)
    monkeypatch.setitem(sys.modules, "chumpy.ch", inner)
    return ch


def write_pickle(path: Path, data: object, protocol: int = 2) -> Path:
    path.write_bytes(pickle.dumps(data, protocol=protocol))
    sys.modules.pop("chumpy", None)
    sys.modules.pop("chumpy.ch", None)
    return path


def test_chumpy_pickle_loads_without_chumpy(tmp_path: Path, chumpy: type) -> None:
    """cases.md F, smplx#132: a plain load fails with "No module named 'chumpy'"."""
    path = write_pickle(tmp_path / "m.pkl", {"v_template": chumpy(x=np.ones((4, 3))), "f": np.array([[0, 1, 2], [0, 2, 3]], np.uint32)})
    with pytest.raises(ModuleNotFoundError):
        pickle.loads(path.read_bytes())
    arrays = read_model_arrays(path)
    assert np.array_equal(arrays["v_template"], np.ones((4, 3)))
    assert arrays["f"].dtype == np.uint32


class _Bomb:
    def __init__(self, call: object, *args: object) -> None:
        self.call, self.args = call, args

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return self.call, self.args


@pytest.mark.parametrize("call", [os.system, eval, np.load, pickle.loads])
def test_pickle_that_asks_for_code_is_refused(tmp_path: Path, chumpy: type, call: object) -> None:
    """cases.md F: the same file is refused when it also references os.system, and nothing runs."""
    marker = tmp_path / "ran"
    argument = f"touch {marker}" if call is os.system else f"open({str(marker)!r}, 'w')"
    path = write_pickle(tmp_path / "m.pkl", {"v_template": chumpy(x=np.ones((4, 3))), "extra": _Bomb(call, argument)}, protocol=4)
    with pytest.raises(BodyFileError, match="asks to import"):
        read_model_arrays(path)
    assert not marker.exists()


def test_sparse_regressor_and_latin1_keys(tmp_path: Path) -> None:
    """cases.md F: scipy.sparse J_regressor; keys pickled by Python 2 as byte strings."""
    sparse = scipy.sparse.csc_matrix(np.eye(3))
    path = write_pickle(tmp_path / "m.pkl", {b"J_regressor": sparse, b"v_template": np.ones((4, 3))})
    arrays = read_model_arrays(path)
    assert np.array_equal(arrays["J_regressor"], np.eye(3))
    assert arrays["v_template"].shape == (4, 3)


def test_python2_pickle_with_str_keys(tmp_path: Path) -> None:
    """A protocol-0 byte string key (S'...') with a byte outside ASCII decodes as latin1."""
    path = tmp_path / "m.pkl"
    path.write_bytes(b"(dp0\nS'f\\xe9'\np1\nI5\ns.")
    assert list(read_model_arrays(path)) == ["f\xe9"]


def test_amass_layout_gives_the_same_body(tmp_path: Path) -> None:
    """`smplh/<gender>/model.npz`: no hand PCA, no flexion axes; the folder itself may be named."""
    folder = tmp_path / "smplh" / "male"
    folder.mkdir(parents=True)
    np.savez_compressed(folder / "model.npz", allow_pickle=False, **smplh_arrays())
    body = load_body(folder)
    assert np.allclose(body.rest_joints_m, BODY.rest_joints_m, atol=1e-6)
    assert body.part_names == ("skin",)
    assert body.posedirs is None
    aligned = np.einsum("sji,sji->sj", body.flex_axes, BODY.flex_axes)
    assert aligned.min() > 0.9


def test_mpi_pickle_layout(tmp_path: Path) -> None:
    arrays: dict[str, object] = dict(smplh_arrays())
    arrays |= {"J_regressor": scipy.sparse.csc_matrix(BODY.J_regressor), "bs_type": "lrotmin", "hands_meanl": np.zeros(45)}
    path = write_pickle(tmp_path / "SMPLH_MALE.pkl", arrays)
    assert np.allclose(load_body(path).rest_joints_m, BODY.rest_joints_m, atol=1e-9)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"weights": np.zeros((10412, 24))}, "24 joints is SMPL"),
        ({"weights": np.zeros((10412, 55))}, "needs SMPL\\+H"),
        ({"v_template": None}, "'v_template' is missing"),
        ({"posedirs": np.ones((10412, 3, 207))}, "459"),
        ({"f": np.array([[0, 1, 99999]], np.uint32)}, "99999"),
        ({"kintree_table": np.zeros((2, 52), np.int64)}, "kintree_table"),
    ],
)
def test_unsuitable_arrays_are_named(change: dict[str, np.ndarray | None], word: str) -> None:
    arrays = smplh_arrays() | change
    with pytest.raises(BodyFileError, match=word):
        body_from_arrays({k: v for k, v in arrays.items() if v is not None}, "test")


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    for name, content, word in (
        ("a.npz", b"PK", "npz"),
        ("b.pkl", b"\x80\x02", "pickle"),
        ("c.txt", b"", "suffix"),
        ("d.pkl", b"I5\n.", "int"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BodyFileError, match=word):
            read_model_arrays(tmp_path / name)
    with pytest.raises(BodyFileError, match="no such file"):
        read_model_arrays(tmp_path / "none.npz")
    with pytest.raises(BodyFileError, match="model.npz"):
        read_model_arrays(tmp_path)


def test_default_body_is_small_free_and_read_only() -> None:
    assert BODY.license.startswith("CC0")
    assert BODY.template_m.shape == (10412, 3)
    assert np.allclose(BODY.skin_weight.sum(axis=1), 1.0)
    assert set(BODY.part_names) == {"skin", "suit", "eye"}
    with pytest.raises(ValueError, match="read-only"):
        BODY.template_m[0, 0] = 1.0


def test_everything_runs_on_a_body_of_the_plain_smplh_layout() -> None:
    """No parts, tips or flexion axes in the file, another size: idle, walk, capsules, camera and grips still work."""
    arrays = smplh_arrays()
    arrays["v_template"] = arrays["v_template"] * 1.06
    body = body_from_arrays(arrays, "scaled")
    frames = walk(body, straight(1.0))
    transforms = joint_transforms(body, frames.pose_rad[8], frames.translation_m[8])
    vertices = skin(body, transforms)
    assert abs(vertices[:, 2].min()) < 0.008
    position, _ = head_camera(body, transforms)
    assert 1.5 < position[2] < vertices[:, 2].max()
    assert 0.45 < walking_width_m(body) < 0.8
    assert own_head_faces(body).any()
    wrist = transforms[JOINT["right_wrist"]]
    place = seat("side_wrap", "right", 0.035)
    centre, axis = wrist[:3, :3] @ place.centre_m + wrist[:3, 3], wrist[:3, :3] @ place.axis

    def distance(points: np.ndarray) -> np.ndarray:
        off = points - centre
        return np.linalg.norm(off - np.outer(off @ axis, axis), axis=1) - 0.035

    assert wrap(body, "side_wrap", "right", wrist, distance).accepted
