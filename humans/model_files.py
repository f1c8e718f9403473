"""Reads SMPL+H model files (npz or pickle) into a plain dictionary of NumPy arrays, without chumpy, smplx or torch.

A model pickle is untrusted input: `pickle.load` would run whatever it names. `_ModelUnpickler` allows the array types that the published
files use and refuses everything else. chumpy objects become inert stubs whose array is taken out.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping
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
    + [("numpy", "ndarray"), ("numpy", "dtype"), ("_codecs", "encode"), ("copy_reg", "_reconstructor"), ("copyreg", "_reconstructor")]
    + [(module, "object") for module in ("__builtin__", "builtins")]
    + [("numpy.core.numeric", "_frombuffer"), ("numpy._core.numeric", "_frombuffer"), ("collections", "OrderedDict")]
)
_FOLDER_FILES = ("model.npz", "SMPLH_MALE.npz", "SMPLH_MALE.pkl", "SMPLH_NEUTRAL.npz", "SMPLH_NEUTRAL.pkl")
_SPARSE = {"csc_matrix", "csr_matrix", "coo_matrix", "csc_array", "csr_array", "coo_array"}


class _ModelUnpickler(pickle.Unpickler):
    """Unpickler with an allow-list: NumPy arrays, scipy.sparse matrices and chumpy stubs."""

    def find_class(self, module: str, name: str) -> Any:
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
    toarray = getattr(value, "toarray", None)
    return toarray() if callable(toarray) else value


def _read_pickle(path: Path) -> dict[str, object]:
    try:
        data = _ModelUnpickler(io.BytesIO(path.read_bytes()), encoding="latin1").load()
    except BodyFileError as error:
        raise BodyFileError(f"{path}: {error}") from error
    except (pickle.UnpicklingError, EOFError, AttributeError, IndexError, TypeError, KeyError, ValueError, ImportError) as error:
        raise BodyFileError(f"{path}: not a readable model pickle ({type(error).__name__}: {error})") from error
    if not isinstance(data, Mapping):
        raise BodyFileError(f"{path}: the pickle holds a {type(data).__name__}, a body model is a dictionary of arrays")
    return {key.decode("latin1") if isinstance(key, bytes) else str(key): _plain(value) for key, value in data.items()}


def model_file(path: Path) -> Path:
    """The model file itself, where a folder may be named. Raises BodyFileError when there is none."""
    if path.is_dir():
        found = [path / name for name in _FOLDER_FILES if (path / name).is_file()]
        if not found:
            raise BodyFileError(f"{path} is a folder without any of {', '.join(_FOLDER_FILES)}; name the model file itself")
        path = found[0]
    if not path.is_file():
        raise BodyFileError(f"{path}: no such file")
    return path


def read_model_arrays(path: Path) -> dict[str, Array]:
    """Arrays of an SMPL+H file. Raises BodyFileError when the file is missing, of another kind, or asks to run code.

    Accepts the MPI layout (`SMPLH_MALE.pkl`), the AMASS layout (`smplh/male/model.npz`, which has no hand PCA) and our own npz.
    """
    path = model_file(Path(path))
    if path.suffix == ".npz":
        try:
            with np.load(path, allow_pickle=False) as archive:
                return {key: archive[key] for key in archive.files if key != "posedirs" or archive[key].dtype != object}
        except (OSError, ValueError) as error:
            raise BodyFileError(f"{path}: not a readable npz without pickled objects ({error})") from error
    if path.suffix == ".pkl":
        return {key: np.asarray(value) for key, value in _read_pickle(path).items() if not isinstance(value, str | bytes | type(None))}
    raise BodyFileError(f"{path}: suffix {path.suffix!r} is not one of .npz, .pkl")
