"""How a hand really touches a thing: its skin against the thing's drawn triangles, both as they are in a state.

Independent of planning, which closes fingers against a voxel grid of the convex pieces: distances here are exact ones to triangles, and
what is inside is told by the solid angle that the surface subtends (its winding number).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import Entity, link_matrix

if TYPE_CHECKING:
    from humans.model import BodyModel

F64 = NDArray[np.float64]
BAND_M, DEEPEST_M = 0.006, 0.004
"""A part of the hand touches within the band; nothing of the hand is deeper in the thing than the second (seed B.2.2)."""
PRESSED_M = 0.002
"""Skin that is at most this much farther from the thing than the nearest of its digit takes part in the touch."""
FACING = -0.5
"""Two contacts oppose each other where the surface's normals differ by 120 degrees or more."""
DIGITS = ("thumb", "index", "middle", "ring", "pinky")
_NEAR_M = 0.03
_CHUNK = 40_000


@dataclass(frozen=True)
class Touch:
    """How one part of a hand touches: the least signed gap of its skin (negative: inside), and the surface's outward normals, world, at
    all of its skin that is hardly farther away (a finger that goes round a thing meets it from several sides)."""

    gap_m: float
    normals: tuple[tuple[float, float, float], ...] = ()

    @property
    def contact(self) -> bool:
        """Whether it counts as touching."""
        return -DEEPEST_M <= self.gap_m <= BAND_M

    def opposes(self, other: Touch) -> bool:
        """Whether both touch, and from opposite sides."""
        if not (self.contact and other.contact and self.normals and other.normals):
            return False
        return float((np.array(self.normals) @ np.array(other.normals).T).min()) <= FACING


def triangles(entity: Entity) -> F64:
    """All drawn triangles (m, 3, 3) of an entity in its root frame at joint zero."""
    found = []
    for link in entity.links:
        T = link_matrix(entity, link, np.eye(4), {j.key: 0.0 for j in entity.joints})
        for part in link.parts:
            corners = np.asarray(part.vertices_m, np.float64) @ T[:3, :3].T + T[:3, 3]
            found.append(corners[part.faces])
    every = np.concatenate(found)
    doubled = np.linalg.norm(np.cross(every[:, 1] - every[:, 0], every[:, 2] - every[:, 0]), axis=1)
    return np.asarray(every[doubled > 1e-12])


def hand_touches(body: BodyModel, vertices_m: F64, side: str, T_object: F64, surface: F64) -> dict[str, Touch]:
    """The touches of the digits and the palm of one hand, for the skin (V, 3), world, and triangles (m, 3, 3) at T_object (4, 4)."""
    from humans.model import FINGERS, JOINT

    first, dominant = 22 if side == "left" else 37, body.dominant_joint()
    found = {}
    for name in (*DIGITS, "palm"):
        joints: Sequence[int] = [JOINT[f"{side}_wrist"]]
        if name != "palm":
            start = first + 3 * FINGERS.index(name)
            joints = range(start, start + 3)
        skin = vertices_m[np.isin(dominant, joints)]
        local = (skin - T_object[:3, 3]) @ T_object[:3, :3]
        gap, normal = signed_gaps(local, surface)
        pressed = gap <= min(BAND_M, float(gap.min()) + PRESSED_M)
        there = np.unique(np.round(normal[pressed] @ T_object[:3, :3].T, 3), axis=0)
        found[name] = Touch(float(gap.min()), tuple((float(x), float(y), float(z)) for x, y, z in there))
    return found


def signed_gaps(points_m: F64, surface: F64) -> tuple[F64, F64]:
    """Signed distances (n,) of points (n, 3) from triangles (m, 3, 3), negative inside, and the outward normals (n, 3) there.

    What is farther than 30 mm from the box of the triangles has an infinite gap.
    """
    low, high = surface.min(axis=(0, 1)), surface.max(axis=(0, 1))
    near = np.flatnonzero(((points_m > low - _NEAR_M) & (points_m < high + _NEAR_M)).all(axis=1))
    gap, normal = np.full(len(points_m), np.inf), np.zeros((len(points_m), 3))
    step = max(1, _CHUNK // len(surface))
    faces = np.cross(surface[:, 1] - surface[:, 0], surface[:, 2] - surface[:, 0])
    faces /= np.linalg.norm(faces, axis=1, keepdims=True)
    for rows in (near[k : k + step] for k in range(0, len(near), step)):
        p = points_m[rows]
        foot = _nearest(p, surface)
        apart = np.linalg.norm(foot - p[:, None], axis=2)
        best = np.argmin(apart, axis=1)
        inside = _winding(p, surface) > 0.5
        each = np.arange(len(p))
        gap[rows] = np.where(inside, -1.0, 1.0) * apart[each, best]
        away = (p - foot[each, best]) * np.where(inside, -1.0, 1.0)[:, None]
        size = np.linalg.norm(away, axis=1, keepdims=True)
        normal[rows] = np.where(size > 1e-4, away / np.maximum(size, 1e-12), faces[best])
    return gap, normal


def _nearest(points: F64, surface: F64) -> F64:
    """The nearest points (n, m, 3) of every triangle (m, 3, 3) to every point (n, 3)."""
    a, b, c = surface[None, :, 0], surface[None, :, 1], surface[None, :, 2]
    p = points[:, None]
    normal = np.cross(b - a, c - a)
    area2 = np.einsum("nmk,nmk->nm", normal, normal)
    flat = p - (np.einsum("nmk,nmk->nm", p - a, normal) / area2)[..., None] * normal
    inside = np.ones(flat.shape[:2], np.bool_)
    for u, v in ((a, b), (b, c), (c, a)):
        inside &= np.einsum("nmk,nmk->nm", np.cross(v - u, flat - u), normal) >= 0.0
    best, least = flat, np.where(inside, np.linalg.norm(flat - p, axis=2), np.inf)
    for u, v in ((a, b), (b, c), (c, a)):
        edge = v - u
        share = np.clip(np.einsum("nmk,nmk->nm", p - u, edge) / np.einsum("nmk,nmk->nm", edge, edge), 0.0, 1.0)
        foot = u + share[..., None] * edge
        apart = np.linalg.norm(foot - p, axis=2)
        closer = apart < least
        best, least = np.where(closer[..., None], foot, best), np.where(closer, apart, least)
    return np.asarray(best)


def _winding(points: F64, surface: F64) -> F64:
    """How many times the surface goes round each point (n,): about 1 inside, 0 outside (Van Oosterom and Strackee's solid angle)."""
    a, b, c = (surface[None, :, k] - points[:, None] for k in range(3))
    la, lb, lc = (np.linalg.norm(v, axis=2) for v in (a, b, c))
    top = np.einsum("nmk,nmk->nm", a, np.cross(b, c))
    ab, bc, ca = (np.einsum("nmk,nmk->nm", u, v) for u, v in ((a, b), (b, c), (c, a)))
    bottom = la * lb * lc + ab * lc + bc * la + ca * lb
    out: F64 = np.arctan2(top, bottom).sum(axis=1) / (2.0 * np.pi)
    return out
