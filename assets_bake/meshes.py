"""Triangle meshes of everyday shapes: counter-clockwise faces seen from outside, unit normals, uvs with v up.

Lengths are metres. Shapes stand on z = 0 around the z axis unless they say otherwise; the front of a thing looks along -y.
`tile_m` gives uvs in tiles (position divided by the tile's edge) for repeating textures; without it uvs run from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Point2 = tuple[float, float]
Point3 = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices (n, 3), faces (m, 3), normals (n, 3), uvs (n, 2)."""

    vertices_m: F64
    faces: I64
    normals: F64
    uvs: F64

    def moved(self, offset_m: Sequence[float]) -> Mesh:
        """Translated."""
        return Mesh(self.vertices_m + np.asarray(offset_m, dtype=np.float64), self.faces, self.normals, self.uvs)

    def turned(self, R: F64) -> Mesh:
        """Rotated by a matrix, shape (3, 3)."""
        return Mesh(self.vertices_m @ R.T, self.faces, self.normals @ R.T, self.uvs)

    def scaled(self, factors: Sequence[float]) -> Mesh:
        """Stretched along the axes; factors must be positive."""
        s = np.asarray(factors, dtype=np.float64)
        if (s <= 0).any():
            raise ValueError(f"scale factors {s.tolist()} must be positive")
        n = self.normals / s
        return Mesh(self.vertices_m * s, self.faces, n / np.linalg.norm(n, axis=1, keepdims=True), self.uvs)


def join(meshes: Sequence[Mesh]) -> Mesh:
    """One mesh of several."""
    starts = np.cumsum([0, *(len(m.vertices_m) for m in meshes)])
    return Mesh(
        np.concatenate([m.vertices_m for m in meshes]),
        np.concatenate([m.faces + s for m, s in zip(meshes, starts, strict=False)]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.uvs for m in meshes]),
    )


def rotation(axis: str, angle_rad: float) -> F64:
    """Rotation matrix (3, 3) about x, y or z."""
    c, s = np.cos(angle_rad), np.sin(angle_rad)
    i = "xyz".index(axis)
    R = np.eye(3)
    a, b = (i + 1) % 3, (i + 2) % 3
    R[a, a], R[a, b], R[b, a], R[b, b] = c, -s, s, c
    return R


_FACES = {"right": (0, 1), "left": (0, -1), "back": (1, 1), "front": (1, -1), "top": (2, 1), "bottom": (2, -1)}


def _face_axes(side: str) -> tuple[F64, F64, F64]:
    axis, sign = _FACES[side]
    n = np.zeros(3)
    n[axis] = sign
    up = np.array([0.0, 1.0, 0.0]) if axis == 2 else np.array([0.0, 0.0, 1.0])
    if side == "bottom":
        up = -up
    return n, np.cross(up, n), up


def quad(centre_m: ArrayLike, right: Sequence[float], up: Sequence[float], size_m: Point2, tile_m: float = 0.0) -> Mesh:
    """A rectangle whose normal is right x up; uvs 0..1, or in tiles."""
    c, r, u = (np.asarray(v, dtype=np.float64) for v in (centre_m, right, up))
    w, h = size_m
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    v = c + corners[:, :1] * w * r + corners[:, 1:] * h * u
    uv = np.stack([v @ r, v @ u], 1) / tile_m if tile_m else corners + 0.5
    return Mesh(v, np.array([[0, 1, 2], [0, 2, 3]]), np.tile(np.cross(r, u), (4, 1)), uv)


def box(size_m: Point3, centre_m: Point3, tile_m: float = 0.0, skip: Sequence[str] = ()) -> Mesh:
    """A sharp box without the faces named in `skip` (front, back, left, right, top, bottom)."""
    size = np.asarray(size_m, dtype=np.float64)
    out = []
    for side in _FACES:
        if side in skip:
            continue
        n, r, u = _face_axes(side)
        out.append(quad(np.asarray(centre_m) + n * size / 2, tuple(r), tuple(u), (float(abs(r) @ size), float(abs(u) @ size)), tile_m))
    return join(out)


def soft_box(size_m: Point3, centre_m: Point3, radius_m: float, tile_m: float = 0.0, rings: int = 1, bulge_m: float = 0.0) -> Mesh:
    """A box with rounded edges: each face a grid whose border vertices lie on the rounding. `bulge_m` pillows the faces outward."""
    half = np.asarray(size_m, dtype=np.float64) / 2
    r = min(radius_m, float(half.min()) * 0.98)
    core = half - r
    angle = np.linspace(0.0, np.pi / 4, rings + 1)
    out = []
    for side in _FACES:
        n, right, up = _face_axes(side)
        axis = int(np.argmax(abs(n)))
        extra = 3 if bulge_m else 0
        grids = []
        for d in (right, up):
            c = float(abs(d) @ core)
            inner = np.linspace(-c, c, 2 + extra)
            edge = np.tan(angle[1:])
            grids.append((np.concatenate([np.full(rings, -c), inner, np.full(rings, c)]), np.concatenate([-edge[::-1], 0 * inner, edge])))
        (cu, tu), (cv, tv) = grids
        nu, nv = len(cu), len(cv)
        base = cu[:, None, None] * right + cv[None, :, None] * up + n * core[axis]
        direction = n + tu[:, None, None] * right + tv[None, :, None] * up
        direction = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
        v = base + direction * r
        if bulge_m:
            hu, hv = abs(right) @ half, abs(up) @ half
            a, b = (v @ right) / hu, (v @ up) / hv
            v = v + n * (bulge_m * np.clip(1 - a**2, 0, 1) * np.clip(1 - b**2, 0, 1))[..., None]
        idx = np.arange(nu * nv).reshape(nu, nv)
        a_, b_, c_, d_ = idx[:-1, :-1], idx[1:, :-1], idx[1:, 1:], idx[:-1, 1:]
        f = np.concatenate([np.stack([a_, b_, c_], -1).reshape(-1, 3), np.stack([a_, c_, d_], -1).reshape(-1, 3)])
        flat = v.reshape(-1, 3) + np.asarray(centre_m)
        local = v.reshape(-1, 3)
        uv = (
            np.stack([flat @ right, flat @ up], 1) / tile_m
            if tile_m
            else np.stack([local @ right / (abs(right) @ half), local @ up / (abs(up) @ half)], 1) / 2 + 0.5
        )
        out.append(Mesh(flat, f, direction.reshape(-1, 3), uv))
    return join(out)


def lathe(profile: Sequence[Point2], segments: int = 24, smooth: bool = True, tile_m: float = 0.0) -> Mesh:
    """A solid of revolution about z from (radius, height) points going up the outside; corners sharper than 50 degrees stay sharp.

    u runs once around, starting at the back (+y) so that u = 0.5 is the front; v follows the profile's length.
    """
    points = np.asarray(profile, dtype=np.float64)
    steps = np.diff(points, axis=0)
    keep = np.linalg.norm(steps, axis=1) > 1e-9
    points = np.concatenate([points[:1], points[1:][keep]])
    steps = np.diff(points, axis=0)
    tangent = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    outward = np.stack([tangent[:, 1], -tangent[:, 0]], 1)
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(steps, axis=1))])
    runs: list[list[int]] = [[0]]
    for k in range(1, len(steps)):
        if smooth and float(tangent[k - 1] @ tangent[k]) > 0.64:
            runs[-1].append(k)
        else:
            runs.append([k])
    angle = np.linspace(0.0, 2 * np.pi, segments + 1)
    around = np.stack([-np.sin(angle), np.cos(angle)], 1)
    out = []
    for run in runs:
        ids = [*run, run[-1] + 1]
        normal = np.stack([outward[[max(k - 1, run[0]), min(k, run[-1])]].sum(axis=0) for k in ids])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        ring = points[ids]
        out.append(_revolve(ring, normal, length[ids], around, float(length[-1]), tile_m))
    return join(out)


def _revolve(ring: F64, normal: F64, length: F64, around: F64, total: float, tile_m: float) -> Mesh:
    k, s = len(ring), len(around)
    v = np.concatenate([ring[:, None, :1] * around[None], np.repeat(ring[:, None, 1:], s, axis=1)], axis=-1)
    n = np.concatenate([normal[:, None, :1] * around[None], np.repeat(normal[:, None, 1:], s, axis=1)], axis=-1)
    u = np.linspace(0.0, 1.0, s)
    width = 2 * np.pi * float(ring[:, 0].max()) / tile_m if tile_m else 1.0
    uv = np.stack(np.broadcast_arrays(u[None] * width, length[:, None] / (tile_m if tile_m else total)), -1)
    idx = np.arange(k * s).reshape(k, s)
    a, b, c, d = idx[:-1, :-1], idx[:-1, 1:], idx[1:, 1:], idx[1:, :-1]
    f = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    flat = v.reshape(-1, 3)
    area = np.linalg.norm(np.cross(flat[f[:, 1]] - flat[f[:, 0]], flat[f[:, 2]] - flat[f[:, 0]]), axis=1)
    return Mesh(flat, f[area > 1e-12], n.reshape(-1, 3), uv.reshape(-1, 2))


def ball(radii_m: Point3, centre_m: Point3, segments: int = 20) -> Mesh:
    """An ellipsoid."""
    a = np.linspace(0.0, np.pi, segments // 2 + 1)
    return lathe([(float(np.sin(t)), float(-np.cos(t))) for t in a], segments).scaled(radii_m).moved(centre_m)


def tube(path_m: ArrayLike, radius_m: float | Sequence[float], sides: int = 10, closed: bool = False) -> Mesh:
    """A round tube along a polyline, shape (n, 3), with capped ends unless closed; a radius per point is allowed."""
    path = np.asarray(path_m, dtype=np.float64)
    n = len(path)
    radius = np.broadcast_to(np.asarray(radius_m, dtype=np.float64), (n,))
    if closed:
        tangent = np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0)
    else:
        tangent = np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    u = np.cross(tangent[0], [0.0, 0.0, 1.0] if abs(tangent[0, 2]) < 0.9 else [1.0, 0.0, 0.0])
    sides_u = []
    for t in tangent:
        u = u - t * (u @ t)
        u = u / np.linalg.norm(u)
        sides_u.append(u)
    U = np.array(sides_u)
    W = np.cross(tangent, U)
    a = np.linspace(0.0, 2 * np.pi, sides + 1)
    normal = U[:, None] * np.cos(a)[None, :, None] + W[:, None] * np.sin(a)[None, :, None]
    v = path[:, None] + normal * radius[:, None, None]
    uv = np.stack(np.broadcast_arrays(a[None] / (2 * np.pi), np.linspace(0, 1, n)[:, None]), -1)
    idx = np.arange(n * (sides + 1)).reshape(n, sides + 1)
    if closed:
        idx = np.concatenate([idx, idx[:1]])
    p, q, r, s = idx[:-1, :-1], idx[:-1, 1:], idx[1:, 1:], idx[1:, :-1]
    f = np.concatenate([np.stack([p, q, r], -1).reshape(-1, 3), np.stack([p, r, s], -1).reshape(-1, 3)])
    body = Mesh(v.reshape(-1, 3), f, normal.reshape(-1, 3), uv.reshape(-1, 2))
    if closed:
        return body
    return join([body, _cap(v[0, :-1], -tangent[0]), _cap(v[-1, :-1], tangent[-1])])


def _cap(ring: F64, normal: F64) -> Mesh:
    n = len(ring)
    turn = float(np.cross(ring[0] - ring.mean(axis=0), ring[1] - ring.mean(axis=0)) @ normal)
    order = np.arange(n) if turn > 0 else np.arange(n)[::-1]
    f = np.stack([np.zeros(n - 2, np.int64), np.arange(1, n - 1), np.arange(2, n)], 1)
    return Mesh(ring[order], f, np.tile(normal, (n, 1)), np.zeros((n, 2)))


def prism(outline: Sequence[Point2], low_m: float, high_m: float, axis: str = "z", tile_m: float = 0.0) -> Mesh:
    """A convex or star-shaped counter-clockwise outline extruded along z (or along y for `axis` 'y': outline in x, z)."""
    p = np.asarray(outline, dtype=np.float64)
    n = len(p)
    q = np.roll(p, -1, axis=0)
    edge = q - p
    normal = np.stack([edge[:, 1], -edge[:, 0]], 1) / np.linalg.norm(edge, axis=1, keepdims=True)
    scale = 1.0 / tile_m if tile_m else 1.0
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(edge, axis=1))]) * scale
    v, nn, uv, f = [], [], [], []
    for k in range(n):
        v += [[*p[k], low_m], [*q[k], low_m], [*q[k], high_m], [*p[k], high_m]]
        nn += [[*normal[k], 0.0]] * 4
        uv += [[run[k], low_m * scale], [run[k + 1], low_m * scale], [run[k + 1], high_m * scale], [run[k], high_m * scale]]
        f += [[4 * k, 4 * k + 1, 4 * k + 2], [4 * k, 4 * k + 2, 4 * k + 3]]
    side = Mesh(np.array(v), np.array(f), np.array(nn), np.array(uv))
    c = p.mean(axis=0)
    fan = np.array([[n, k, (k + 1) % n] for k in range(n)])
    flat = np.concatenate([p, c[None]])
    top = Mesh(np.c_[flat, np.full(n + 1, high_m)], fan, np.tile([0.0, 0, 1], (n + 1, 1)), flat * scale)
    bottom = Mesh(np.c_[flat, np.full(n + 1, low_m)], fan[:, ::-1], np.tile([0.0, 0, -1], (n + 1, 1)), flat * scale)
    whole = join([side, top, bottom])
    return whole.turned(rotation("x", np.pi / 2)) if axis == "y" else whole


def sheet(points_m: F64, tile_m: float = 0.0) -> Mesh:
    """A curved sheet through a grid of points, shape (rows, columns, 3); the normal is columns x rows direction."""
    rows, cols = points_m.shape[:2]
    du = np.gradient(points_m, axis=1)
    dv = np.gradient(points_m, axis=0)
    n = np.cross(du, dv)
    n /= np.maximum(np.linalg.norm(n, axis=-1, keepdims=True), 1e-12)
    run_u = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points_m[0], axis=0), axis=1))])
    run_v = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points_m[:, 0], axis=0), axis=1))])
    su, sv = (1 / tile_m, 1 / tile_m) if tile_m else (1 / run_u[-1], 1 / run_v[-1])
    uv = np.stack(np.meshgrid(run_u * su, run_v * sv), -1)
    idx = np.arange(rows * cols).reshape(rows, cols)
    a, b, c, d = idx[:-1, :-1], idx[:-1, 1:], idx[1:, 1:], idx[1:, :-1]
    f = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return Mesh(points_m.reshape(-1, 3), f, n.reshape(-1, 3), uv.reshape(-1, 2))


def both_sides(mesh: Mesh) -> Mesh:
    """The mesh and its back."""
    return join([mesh, Mesh(mesh.vertices_m, mesh.faces[:, ::-1], -mesh.normals, mesh.uvs)])


def signed_volume_m3(vertices_m: F64, faces: I64) -> float:
    """Volume enclosed by outward faces; negative when they are flipped."""
    a, b, c = (vertices_m[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)
