"""The look of something cut: its meshes split in two halves that stand apart and show their flesh (a pure function of the mesh).

Both halves stay inside the outline of the whole, and the gap is narrow, so that what is seen of it from anywhere hardly changes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import VisualPart

F64 = NDArray[np.float64]
I32 = NDArray[np.int32]

APART, GAPE = 0.11, 0.36
"""How far each half stands away from the cut at the bottom and at the top, as a share of its own length."""
FLESH = 0.72
"""Share of cream in the colour of the cut face."""
CREAM = np.array([0.97, 0.93, 0.80])


class Halves:
    """One part split: vertices (n, 3), faces (m, 3), normals (n, 3), uvs (n, 2) of the skin; the cut faces as vertices and faces."""

    def __init__(self, part: VisualPart, axis: int, low: F64, high: F64) -> None:
        self._axis = axis
        self._middle, self._half = 0.5 * (low[axis] + high[axis]), 0.5 * (high[axis] - low[axis])
        self._low_z, self._height = low[2], max(high[2] - low[2], 1e-6)
        points, more = part.vertices_m.astype(np.float64), np.concatenate([part.uvs, part.normals], axis=1).astype(np.float64)
        rows: list[F64] = []
        marks: list[F64] = []
        faces: list[I32] = []
        cap_points: list[F64] = [np.zeros((0, 3))]
        cap_faces: list[I32] = [np.zeros((0, 3), np.int32)]
        for side in (-1.0, 1.0):
            corners, coordinates, rim = _kept(points, more, part.faces, axis, self._middle, side)
            start = sum(len(r) for r in rows)
            rows.append(self._leaning(corners, side))
            marks.append(coordinates)
            faces.append(np.arange(len(corners), dtype=np.int32).reshape(-1, 3) + start)
            if len(rim) >= 3:
                lid = self._leaning(_ordered(rim, axis), side)
                first = sum(len(p) for p in cap_points)
                cap_points.append(np.concatenate([lid.mean(axis=0)[None], lid]))
                cap_faces.append(_fan(len(lid), side * (1 if axis == 0 else -1)) + first)
        self.vertices, self.faces = np.concatenate(rows), np.concatenate(faces)
        self.uvs, self.normals = np.split(np.concatenate(marks), [2], axis=1)
        self.cap_vertices, self.cap_faces = np.concatenate(cap_points), np.concatenate(cap_faces)

    def _leaning(self, points: F64, side: float) -> F64:
        """Points of one half pressed together away from the cut, the more the higher they are."""
        out = points.copy()
        off = np.abs(points[:, self._axis] - self._middle) / max(self._half, 1e-6)
        gap = APART + (GAPE - APART) * np.clip((points[:, 2] - self._low_z) / self._height, 0.0, 1.0)
        out[:, self._axis] = self._middle + side * self._half * (gap + off * (1.0 - gap))
        return out


def cut_axis(low: F64, high: F64) -> int:
    """The horizontal axis of a box (its longer one) across which it is cut."""
    return int(np.argmax((high - low)[:2]))


def flesh(rgb: Sequence[float]) -> tuple[float, float, float]:
    """The colour inside."""
    r, g, b = (1.0 - FLESH) * np.asarray(rgb, np.float64) + FLESH * CREAM
    return float(r), float(g), float(b)


def _kept(points: F64, more: F64, faces: I32, axis: int, at: float, side: float) -> tuple[F64, F64, F64]:
    """Triangle corners (3 m, 3) on one side of a plane, what else they carry (3 m, c), and the points (k, 3) where edges cross it."""
    corners: list[F64] = []
    marks: list[F64] = []
    rim: list[F64] = []
    height = side * (points[:, axis] - at)
    for face in faces.tolist():
        loop: list[tuple[F64, F64]] = []
        for i, j in zip(face, (face[1], face[2], face[0]), strict=True):
            a, b = float(height[i]), float(height[j])
            if a >= 0.0:
                loop.append((points[i], more[i]))
            if (a >= 0.0) != (b >= 0.0):
                t = a / (a - b)
                crossing = points[i] + t * (points[j] - points[i])
                loop.append((crossing, more[i] + t * (more[j] - more[i])))
                rim.append(crossing)
        for k in range(1, len(loop) - 1):
            for point, mark in (loop[0], loop[k], loop[k + 1]):
                corners.append(point)
                marks.append(mark)
    return np.array(corners).reshape(-1, 3), np.array(marks).reshape(-1, more.shape[1]), np.array(rim).reshape(-1, 3)


def _ordered(rim: F64, axis: int) -> F64:
    """Points of a plane section in order round their middle, each once."""
    rim = np.unique(np.round(rim, 6), axis=0)
    off = np.delete(rim - rim.mean(axis=0), axis, axis=1)
    return rim[np.argsort(np.arctan2(off[:, 1], off[:, 0]), kind="stable")]


def _fan(n: int, side: float) -> I32:
    """Triangles (n, 3) of a middle (row 0) with a ring (rows 1..n) that face against `side`."""
    ring = np.arange(1, n + 1)
    after = np.roll(ring, -1)
    pair = (ring, after) if side < 0 else (after, ring)
    return np.stack([np.zeros(n, np.int64), *pair], axis=1).astype(np.int32)
