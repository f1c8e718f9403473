"""Compiled inner loops (Numba when installed, else the same code in NumPy). No fastmath, fixed summation order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from humans.rotations import F64

SkinKernel = Callable[[F64, NDArray[np.int64], F64, F64, F64], None]


def _skin_loop(template: F64, index: NDArray[np.int64], weight: F64, affine: F64, out: F64) -> None:
    for i in range(template.shape[0]):
        x, y, z = template[i, 0], template[i, 1], template[i, 2]
        a = 0.0
        b = 0.0
        c = 0.0
        for k in range(index.shape[1]):
            w = weight[i, k]
            if w != 0.0:
                m = affine[index[i, k]]
                a += w * (m[0, 0] * x + m[0, 1] * y + m[0, 2] * z + m[0, 3])
                b += w * (m[1, 0] * x + m[1, 1] * y + m[1, 2] * z + m[1, 3])
                c += w * (m[2, 0] * x + m[2, 1] * y + m[2, 2] * z + m[2, 3])
        out[i, 0] = a
        out[i, 1] = b
        out[i, 2] = c


def _skin_numpy(template: F64, index: NDArray[np.int64], weight: F64, affine: F64, out: F64) -> None:
    out[:] = 0.0
    for k in range(index.shape[1]):
        m = affine[index[:, k]]
        out += weight[:, k, None] * (np.einsum("vab,vb->va", m[:, :3, :3], template) + m[:, :3, 3])


def _normal_loop(vertices: F64, faces: NDArray[np.int32], out: F64) -> None:
    for i in range(out.shape[0]):
        out[i, 0] = 0.0
        out[i, 1] = 0.0
        out[i, 2] = 0.0
    for f in range(faces.shape[0]):
        i, j, k = faces[f, 0], faces[f, 1], faces[f, 2]
        ux, uy, uz = vertices[j, 0] - vertices[i, 0], vertices[j, 1] - vertices[i, 1], vertices[j, 2] - vertices[i, 2]
        vx, vy, vz = vertices[k, 0] - vertices[i, 0], vertices[k, 1] - vertices[i, 1], vertices[k, 2] - vertices[i, 2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        for c in (i, j, k):
            out[c, 0] += nx
            out[c, 1] += ny
            out[c, 2] += nz
    for i in range(out.shape[0]):
        length = np.sqrt(out[i, 0] ** 2 + out[i, 1] ** 2 + out[i, 2] ** 2)
        if length > 1e-20:
            out[i, 0] /= length
            out[i, 1] /= length
            out[i, 2] /= length


def _normal_numpy(vertices: F64, faces: NDArray[np.int32], out: F64) -> None:
    out[:] = 0.0
    normal = np.cross(vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]])
    for k in range(3):
        np.add.at(out, faces[:, k], normal)
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-20)


def _compiled(loop: Callable[..., None], fallback: Callable[..., None]) -> Callable[..., None]:
    try:
        import numba
    except ImportError:
        return fallback
    try:
        compiled: Any = numba.njit(cache=True)(loop)
    except RuntimeError:  # no writable cache folder: compile in memory
        compiled = numba.njit(loop)
    result: Callable[..., None] = compiled
    return result


@cache
def skin_kernel() -> SkinKernel:
    """kernel(template (V,3), index (V,K), weight (V,K), affine (52,4,4), out (V,3))."""
    return _compiled(_skin_loop, _skin_numpy)


@cache
def normal_kernel() -> Callable[[F64, NDArray[np.int32], F64], None]:
    """kernel(vertices (V,3), faces (F,3), out (V,3)): area-weighted unit normals."""
    return _compiled(_normal_loop, _normal_numpy)
