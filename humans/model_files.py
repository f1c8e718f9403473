"""Reads SMPL+H model files (npz or pickle) into a plain dictionary of NumPy arrays, without chumpy, smplx or torch.

A model pickle is untrusted input: `pickle.load` would run whatever it names. `_ModelUnpickler` allows the array types that the published
files use and refuses everything else. chumpy objects become inert stubs whose array is taken out.
"""

from __future__ import annotations

import io
import pickle
import zipfile
import zlib
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class BodyFileError(ValueError):
    """A body model file that cannot be used; the message names file, key, what was found and what is needed."""


class _ChumpyStub:
    """Stands in for a chumpy object: keeps the attributes that the pickle sets and runs nothing."""

    args: tuple[object, ...] = ()

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.args = args
        self.__dict__.update(kwargs)

    def __setstate__(self, state: object) -> None:
        if isinstance(state, Mapping):
            self.__dict__.update(state)


_ALLOWED: frozenset[tuple[str, str]] = frozenset(
    [(module, name) for module in ("numpy.core.multiarray", "numpy._core.multiarray") for name in ("_reconstruct", "scalar")]
    + [("numpy", "ndarray"), ("numpy", "dtype"), ("copy_reg", "_reconstructor"), ("copyreg", "_reconstructor")]
    + [(module, "object") for module in ("__builtin__", "builtins")]
    + [("numpy.core.numeric", "_frombuffer"), ("numpy._core.numeric", "_frombuffer"), ("collections", "OrderedDict")]
)
_FOLDER_FILES = ("model.npz", *(f"SMPLH_{g}.{end}" for g in ("NEUTRAL", "MALE", "FEMALE") for end in ("npz", "pkl")))
_SUBFOLDERS = (".", "smplh", *(f"{above}{g}" for above in ("", "smplh/") for g in ("neutral", "male", "female")))
_SPARSE = {"csc_matrix", "csr_matrix", "coo_matrix", "csc_array", "csr_array", "coo_array"}
KEYS = (
    *("v_template", "f", "weights", "J_regressor", "kintree_table", "posedirs", "shapedirs"),
    *("tips", "flex_axes", "vertex_part", "part_names", "license"),
)
"""What is read of a model; other entries are left alone, whatever they hold."""
LIMIT_BYTES = 1 << 30
"""More than any array of a model has: the largest, 459 pose correctives of 6890 vertices, takes 76 MB."""
UNREADABLE = (OSError, ValueError, EOFError, KeyError, MemoryError, NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What a damaged or forged npz may raise when it is opened or read."""


def _latin1(text: str, encoding: str = "latin1") -> bytes:
    """Stands in for `_codecs.encode`, by which Python 2 strings become bytes again."""
    if encoding != "latin1":
        raise BodyFileError(f"the pickle asks for the codec {encoding!r}; a body model needs latin1 alone")
    return text.encode(encoding)


def _empty() -> bytes:
    """Stands in for `bytes`, which Python 3 names to write an empty string for Python 2."""
    return b""


class _ModelUnpickler(pickle.Unpickler):
    """Unpickler with an allow-list: NumPy arrays, scipy.sparse matrices and chumpy stubs."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("_codecs", "encode"):
            return _latin1
        if (module, name) in (("__builtin__", "bytes"), ("builtins", "bytes")):
            return _empty
        if module == "chumpy" or module.startswith("chumpy."):
            return _ChumpyStub
        if module.startswith("scipy.sparse") and name in _SPARSE:
            import scipy.sparse

            return getattr(scipy.sparse, name)
        if (module, name) in _ALLOWED:
            return super().find_class(module, name)
        raise BodyFileError(
            f"the pickle asks to import {module}.{name}, which a body model never needs; the file was refused and nothing in it was run"
        )


def _plain(value: object, depth: int = 0) -> object:
    """Arrays out of chumpy stubs and sparse matrices; other values unchanged."""
    if depth > 8:
        raise BodyFileError("chumpy objects nested deeper than 8 levels")
    if isinstance(value, _ChumpyStub):
        inner = value.__dict__.get("x", value.__dict__.get("a", value.args[0] if value.args else None))
        if inner is None:
            raise BodyFileError(f"a chumpy object holds no array; its attributes are {sorted(value.__dict__)}")
        array = np.asarray(_plain(inner, depth + 1))
        idxs = value.__dict__.get("idxs")
        if "a" in value.__dict__ and idxs is not None:  # chumpy.reordering.Select
            array = array.ravel()[np.asarray(idxs)]
            shape = value.__dict__.get("preferred_shape")
            array = array if shape is None else array.reshape(shape)
        return array
    return _dense(value) if type(value).__name__ in _SPARSE else value


def _dense(value: Any) -> Array:
    """A sparse matrix as an array, once its indices are known to lie inside of it: SciPy would write outside of the array."""
    try:
        if len(value.shape) != 2 or value.shape[0] * value.shape[1] * 8 > LIMIT_BYTES:
            raise BodyFileError(f"a sparse matrix has shape {value.shape}; a regressor has 52 rows and one column a vertex")
        inside = value.tocoo() if type(value).__name__.startswith("coo") else value
        if type(value).__name__.startswith("coo"):
            rows, columns = np.asarray(inside.row), np.asarray(inside.col)
            bad = len(rows) != len(columns) or len(rows) != len(inside.data)
            bad = bad or (len(rows) > 0 and (min(rows.min(), columns.min()) < 0 or rows.max() >= value.shape[0]))
            if bad or (len(columns) > 0 and columns.max() >= value.shape[1]):
                raise ValueError("indices outside of the matrix")
        else:
            value.check_format(full_check=True)
        return np.asarray(value.toarray())
    except (AttributeError, TypeError, ValueError, IndexError, MemoryError) as error:
        if isinstance(error, BodyFileError):
            raise
        raise BodyFileError(f"a sparse matrix is damaged ({type(error).__name__}: {error})") from error


def _read_pickle(path: Path) -> dict[str, Array]:
    """Arrays by name; what holds none and is not needed is left out."""
    try:
        data = _ModelUnpickler(io.BytesIO(path.read_bytes()), encoding="latin1").load()
    except BodyFileError as error:
        raise BodyFileError(f"{path}: {error}") from error
    except (
        *(pickle.UnpicklingError, EOFError, AttributeError, IndexError, TypeError, KeyError, ValueError, ImportError),
        *(OSError, MemoryError, RecursionError, OverflowError, UnicodeError),
    ) as error:
        raise BodyFileError(f"{path}: not a readable model pickle ({type(error).__name__}: {error})") from error
    if not isinstance(data, Mapping):
        raise BodyFileError(f"{path}: the pickle holds a {type(data).__name__}, a body model is a dictionary of arrays")
    named = {key.decode("latin1") if isinstance(key, bytes) else str(key): value for key, value in data.items()}
    found = {}
    for key, value in named.items():
        if isinstance(value, str | bytes | type(None)):
            continue
        try:
            found[key] = np.asarray(_plain(value))
        except (BodyFileError, ValueError, TypeError) as error:
            if key in KEYS:
                raise BodyFileError(f"{path}: {key!r} holds no array: {error}") from error
    return found


def model_file(path: Path) -> Path:
    """The model file itself, where a folder may be named: one with the file in it, or above `smplh` or the folders of the genders.

    Raises BodyFileError when there is none, or several and none of them is neutral.
    """
    if path.is_dir():
        found = [path / folder / name for folder in _SUBFOLDERS for name in _FOLDER_FILES if (path / folder / name).is_file()]
        if not found:
            raise BodyFileError(f"{path} is a folder without any of {', '.join(_FOLDER_FILES)}; name the model file itself")
        neutral = [f for f in found if "neutral" in f.relative_to(path).as_posix().lower()]
        if len(found) > 1 and not neutral:
            names = ", ".join(f.relative_to(path).as_posix() for f in found)
            raise BodyFileError(f"{path} holds several models ({names}); name one of them")
        path = (neutral or found)[0]
    if not path.is_file():
        raise BodyFileError(f"{path}: no such file")
    return path


def read_npz(path: Path, keys: Container[str]) -> dict[str, Array]:
    """Arrays of an npz by name, those of `keys` alone: others may hold pickled objects, which are never loaded.

    Raises BodyFileError for a file that is no npz, is cut short or damaged, or would unpack to more than `LIMIT_BYTES` an array.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            large = [i.filename for i in archive.infolist() if i.file_size > LIMIT_BYTES and i.filename.removesuffix(".npy") in keys]
        if large:
            raise BodyFileError(f"{path}: {large[0]!r} would unpack to more than {LIMIT_BYTES >> 20} MB")
        with np.load(path, allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files if key in keys}
    except UNREADABLE as error:
        if isinstance(error, BodyFileError):
            raise
        raise BodyFileError(f"{path}: not a readable npz without pickled objects ({type(error).__name__}: {error})") from error


def read_model_arrays(path: Path) -> dict[str, Array]:
    """Arrays of an SMPL+H file. Raises BodyFileError when the file is missing, of another kind, damaged, or asks to run code.

    Accepts the MPI layout (`SMPLH_MALE.pkl`), the AMASS layout (`smplh/male/model.npz`, which has no hand PCA) and our own npz.
    """
    path = model_file(Path(path))
    match path.suffix.lower():
        case ".npz":
            found = read_npz(path, KEYS)
        case ".pkl":
            found = _read_pickle(path)
        case other:
            raise BodyFileError(f"{path}: suffix {other!r} is not one of .npz, .pkl")
    if large := [key for key, value in found.items() if value.nbytes > LIMIT_BYTES]:
        raise BodyFileError(
            f"{path}: {large[0]!r} has {found[large[0]].nbytes >> 20} MB; no array of a body model is larger than {LIMIT_BYTES >> 20}"
        )
    return found
