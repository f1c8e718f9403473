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
from humans.model_files import BodyFileError, model_file, read_model_arrays
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
        ({"v_template": np.full((10412, 3), np.nan)}, "not finite"),
        ({"v_template": np.zeros(10412 * 3)}, "shape"),
        ({"v_template": np.array([["a", "b", "c"]])}, "no real numbers"),
        ({"v_template": 1000.0 * BODY.template_m}, "metres"),
        ({"v_template": BODY.template_m[:, [0, 2, 1]]}, "y up"),
        ({"weights": np.zeros((10412, 52))}, "sums to 0.000"),
        ({"weights": np.eye(52)[np.zeros(10412, int)] * 2.0 - np.eye(52)[np.ones(10412, int)]}, "less than nothing"),
        ({"J_regressor": np.zeros((52, 10412))}, "sums to 0.000"),
        ({"shapedirs": np.zeros((10412, 3))}, "shape"),
        ({"shapedirs": np.zeros((9, 3, 10))}, "shape"),
        ({"f": np.array([[0, 1, 2.5]])}, "whole numbers"),
        ({"f": np.array([[0, 1, -2]])}, "vertex -2"),
        ({"f": np.array([[0, 1, 2**40]])}, "1.09951e"),
        ({"f": np.zeros((0, 3), np.uint32)}, "0 faces"),
        ({"kintree_table": np.arange(52)}, "kintree_table of shape"),
        ({"tips": np.zeros((3, 3))}, "tips"),
        ({"flex_axes": np.zeros((3, 3))}, "flex_axes"),
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


@pytest.mark.parametrize("columns", [0, 10, 16, 300])
def test_any_number_of_betas(columns: int) -> None:
    body = body_from_arrays(smplh_arrays() | {"shapedirs": np.zeros((10412, 3, columns))}, "test")
    assert body.shapedirs.shape == (10412, 3, columns)


@pytest.mark.parametrize(
    "layout",
    ["SMPLH_FEMALE.pkl", "smplh/SMPLH_NEUTRAL.npz", "smplh/female/model.npz", "male/model.npz", "SMPLH_MALE.npz"],
)
def test_the_folder_may_be_named(tmp_path: Path, layout: str) -> None:
    path = tmp_path / layout
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    assert model_file(tmp_path) == path


def test_of_several_models_the_neutral_one_is_taken_and_none_is_guessed(tmp_path: Path) -> None:
    for gender in ("male", "female"):
        (tmp_path / "smplh" / gender).mkdir(parents=True)
        (tmp_path / "smplh" / gender / "model.npz").write_bytes(b"")
    with pytest.raises(BodyFileError, match="smplh/male/model.npz, smplh/female/model.npz"):
        model_file(tmp_path)
    (tmp_path / "smplh" / "SMPLH_NEUTRAL.pkl").write_bytes(b"")
    assert model_file(tmp_path).name == "SMPLH_NEUTRAL.pkl"


@pytest.mark.parametrize("suffix", [".npz", ".pkl"])
@pytest.mark.parametrize("share", [0.001, 0.3, 0.999])
def test_a_model_that_is_cut_short_is_named(tmp_path: Path, suffix: str, share: float) -> None:
    path = tmp_path / f"m{suffix}"
    if suffix == ".npz":
        np.savez(path, v_template=np.ones((5000, 3)), f=np.ones((9000, 3), np.uint32))
    else:
        path.write_bytes(pickle.dumps({"v_template": np.ones((5000, 3)), "f": np.ones((9000, 3), np.uint32)}, protocol=2))
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(BodyFileError, match=f"m{suffix}: not a readable"):
        read_model_arrays(path)


def test_a_damaged_npz_is_named(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    np.savez(path, v_template=np.ones((5000, 3)))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(content)
    with pytest.raises(BodyFileError, match="CRC"):
        read_model_arrays(path)


def test_entries_that_are_not_needed_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    np.savez(path, v_template=np.ones((4, 3)), notes=np.array({"a": 1}, object))
    assert list(read_model_arrays(path)) == ["v_template"]
    np.savez(path, v_template=np.array([{}], object))
    with pytest.raises(BodyFileError, match="without pickled objects"):
        read_model_arrays(path)
    pickled = write_pickle(tmp_path / "m.pkl", {"v_template": np.ones((4, 3)), "notes": [[1, 2], [3]]})
    assert list(read_model_arrays(pickled)) == ["v_template"]
    with pytest.raises(BodyFileError, match="'v_template' holds no array"):
        read_model_arrays(write_pickle(tmp_path / "n.pkl", {"v_template": [[1, 2], [3]]}))


def test_a_sparse_matrix_that_points_outside_of_itself_is_refused(tmp_path: Path) -> None:
    """SciPy does not look: it would write outside of the array that it fills."""
    for kind in (scipy.sparse.csc_matrix, scipy.sparse.csr_matrix):
        matrix = kind(np.eye(4))
        matrix.indices[0] = 10**6
        with pytest.raises(BodyFileError, match="damaged"):
            read_model_arrays(write_pickle(tmp_path / "m.pkl", {"J_regressor": matrix}))
    pairs = scipy.sparse.coo_matrix(np.eye(4))
    pairs.row[0] = 10**6
    with pytest.raises(BodyFileError, match="damaged"):
        read_model_arrays(write_pickle(tmp_path / "m.pkl", {"J_regressor": pairs}))
    wide = scipy.sparse.coo_matrix((10**6, 10**6))
    with pytest.raises(BodyFileError, match="has shape"):
        read_model_arrays(write_pickle(tmp_path / "m.pkl", {"J_regressor": wide}))


def test_an_empty_array_is_read(tmp_path: Path) -> None:
    path = write_pickle(tmp_path / "m.pkl", {"v_template": np.ones((4, 3)), "shapedirs": np.zeros((4, 3, 0))})
    assert read_model_arrays(path)["shapedirs"].shape == (4, 3, 0)


@pytest.mark.parametrize(
    "content",
    [
        b"cscipy.sparse._io\nload_npz\n(S'x'\ntR.",
        b"cnumpy.testing\nassert_\n.",
        b"cbuiltins\ngetattr\n.",
        b"c_codecs\nopen\n.",
        b"\x80\x04\x8c\x05numpy\x8c\x0cndarray.dump\x93.",
        b"c_codecs\nencode\n(X\x01\x00\x00\x00aX\x04\x00\x00\x00zliptR.",
        b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I2147483648\nI1048576\ntS'd'\ntR.",
        b"\x80\x04\x8e\x00\x00\x00\x00\x00\x01\x00\x00.",
        b"\x80\x02Nr\xff\xff\xff\x7f.",
        b"cchumpy.os\nsystem\n(S'touch ran'\ntR.",
    ],
)
def test_forged_pickles_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.pkl"
    path.write_bytes(content)
    with pytest.raises(BodyFileError, match="m.pkl"):
        read_model_arrays(path)
    assert not (tmp_path / "ran").exists()


def test_numbers_in_python_lists_and_chumpy_selections_are_read(tmp_path: Path, chumpy: type) -> None:
    select = chumpy(x=None)
    select.__dict__.clear()
    select.__dict__.update(a=np.arange(12.0), idxs=np.array([0, 2, 4]), preferred_shape=(1, 3))
    arrays = read_model_arrays(write_pickle(tmp_path / "m.pkl", {"v_template": select, "f": [[0, 1, 2]]}))
    assert arrays["v_template"].tolist() == [[0.0, 2.0, 4.0]] and arrays["f"].tolist() == [[0, 1, 2]]
