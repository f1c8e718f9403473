"""A view against the loaded scene: shapes and names are checked once, missing parts get their defaults."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.camera import F64
from assistcore.pictures.protocol import PicturesError, View
from assistcore.pictures.scene import PictureScene


@dataclass(frozen=True, eq=False)
class Checked:
    """A view whose parts fit the scene: hidden (n,) bool, lamp levels (l,), open portals (p,), transforms (t, 4, 4)."""

    view: View
    hidden: NDArray[np.bool_]
    levels: F64
    open_share: F64
    transforms: F64


def check_view(scene: PictureScene, view: View) -> Checked:
    """Raise PicturesError for the first part of the view that does not fit."""
    if view.supersample not in (1, 2):
        raise PicturesError(f"supersample is {view.supersample}, expected 1 or 2")
    if view.room_of_camera is not None and not 0 <= view.room_of_camera < len(scene.rooms):
        raise PicturesError(f"room_of_camera is {view.room_of_camera}, expected 0..{len(scene.rooms) - 1}")
    known = {drawable.name for drawable in scene.drawables} if view.looks or isinstance(view.hidden, frozenset) and view.hidden else set()
    unknown = sorted(set(view.looks) - known)
    if unknown:
        raise PicturesError(f"looks name {unknown[0]!r}, which is no drawable of the scene")
    _check_body(scene, view)
    levels = _row("lamps_on", view.lamps_on, len(scene.lamps))
    return Checked(
        view, _hidden(scene, view, known), levels, _row("portals_open", view.portals_open, len(scene.portals)), _transforms(scene, view)
    )


def _row(name: str, values: NDArray[np.bool_] | NDArray[np.float32] | None, n: int) -> F64:
    if values is None:
        return np.ones(n)
    row = np.asarray(values, dtype=np.float64)
    if row.shape != (n,):
        raise PicturesError(f"{name} has shape {row.shape}, expected ({n},)")
    if not ((row >= 0) & (row <= 1)).all():
        raise PicturesError(f"{name} holds {row[~((row >= 0) & (row <= 1))][0]}, expected 0..1")
    return row


def _hidden(scene: PictureScene, view: View, known: set[str]) -> NDArray[np.bool_]:
    n = len(scene.drawables)
    if not isinstance(view.hidden, frozenset):
        mask = np.asarray(view.hidden)
        if mask.shape != (n,) or mask.dtype != np.bool_:
            raise PicturesError(f"hidden is {mask.dtype}{mask.shape}, expected bool ({n},)")
        return mask
    if not view.hidden:
        return np.zeros(n, bool)
    unknown = sorted(view.hidden - known)
    if unknown:
        raise PicturesError(f"hidden names {unknown[0]!r}, which is no drawable of the scene")
    return np.array([drawable.name in view.hidden for drawable in scene.drawables], dtype=bool)


def _transforms(scene: PictureScene, view: View) -> F64:
    needed = 1 + max((drawable.transform for drawable in scene.drawables), default=-1)
    if view.transforms is None:
        if needed:
            raise PicturesError(f"transforms are missing, the scene needs {needed}")
        return np.zeros((0, 4, 4))
    transforms = np.asarray(view.transforms, dtype=np.float64)
    if transforms.ndim != 3 or transforms.shape[1:] != (4, 4) or len(transforms) < needed:
        raise PicturesError(f"transforms have shape {transforms.shape}, expected (>= {needed}, 4, 4)")
    bad = np.flatnonzero(~np.isfinite(transforms).all(axis=(1, 2)))
    if len(bad):
        raise PicturesError(f"transform {bad[0]} is not finite: {transforms[bad[0]].tolist()}")
    return transforms


def _check_body(scene: PictureScene, view: View) -> None:
    if view.body_vertices_m is None:
        return
    if scene.body is None:
        raise PicturesError(f"body_vertices_m has shape {view.body_vertices_m.shape} but the scene has no body")
    shape = (scene.body.n_vertices, 3)
    for name, array in (("body_vertices_m", view.body_vertices_m), ("body_normals", view.body_normals)):
        if array is None or array.shape != shape:
            raise PicturesError(f"{name} has shape {None if array is None else array.shape}, expected {shape}")
    if not np.isfinite(view.body_vertices_m).all():
        raise PicturesError(f"body_vertices_m holds {int((~np.isfinite(view.body_vertices_m)).sum())} values that are not finite")
    mask = view.body_hidden_faces
    if mask is not None and (mask.shape != (len(scene.body.faces),) or mask.dtype != np.bool_):
        raise PicturesError(f"body_hidden_faces is {mask.dtype}{mask.shape}, expected bool ({len(scene.body.faces)},)")
