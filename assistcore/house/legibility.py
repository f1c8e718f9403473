"""Which printed labels can be read from an eye: large enough in the picture, faced squarely, and not covered. Geometry only.

A label wrapped round a jar or bottle is taken as what it is, a piece of a cylinder: what has turned away from the eye is not read. Its
radius is measured on the drawn surface.

Used for 'the answer is not visible too early', for evidence, and for the words by which the person knows a thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assistcore.house.raycast import Eye, Hits, cast, visuals
from assistcore.house.stage import Entity, Label, StageModel
from assistcore.house.state import HouseState

F64 = NDArray[np.float64]

PICTURE = (640, 480)
"""Width and height, pixels, of the picture that line heights are measured in."""
MIN_LINE_PX = 10.0
"""A line of text is legible when its share of the label's height is at least this many pixels."""
MAX_ANGLE_RAD = np.radians(50.0)
MIN_SHARE = 0.9
"""Share of the label's area that must be in the picture and uncovered."""
_RAYS = 24
_TOUCH_M = 0.006
"""A hit this close to the label's plane is the label."""
MAX_LOCAL_RAD = np.radians(70.0)
"""Where a bent label is turned farther than this from the line of sight, its print is too narrow to read."""
_ROUND = 0.04
"""A surface whose points keep this near to a circle, as a share of the label's width, is a cylinder."""


@dataclass(frozen=True)
class Reading:
    """One label as it appears: height of its smallest line, pixels; angle between its normal and the line of sight; uncovered share."""

    entity: str
    index: int
    lines: tuple[str, ...]
    line_px: float
    angle_rad: float
    share: float

    @property
    def legible(self) -> bool:
        """Whether it can be read."""
        return self.line_px >= MIN_LINE_PX and self.angle_rad <= MAX_ANGLE_RAD and self.share >= MIN_SHARE


@dataclass(frozen=True, eq=False)
class _Sheet:
    """A label in the camera frame: centre, unit right, up and normal (3,), half width (of the chord) and height, radius of its bend."""

    centre: F64
    right: F64
    up: F64
    normal: F64
    half: tuple[float, float]
    radius_m: float = float("inf")


def read_labels(
    stage: StageModel,
    state: HouseState,
    position_m: F64,
    R_world_cam: F64,
    *,
    hfov_rad: float = np.pi / 2,
    entities: frozenset[str] | None = None,
    body_vertices_m: F64 | None = None,
    body_faces: NDArray[np.integer] | None = None,
) -> tuple[Reading, ...]:
    """Every label that faces the eye in front of it, legible or not, in stage order; of `entities` only, where given.

    The share is measured only for labels that are large and square enough; it is 0.0 for the others.
    """
    eye = Eye.of(position_m, R_world_cam, hfov_rad, *PICTURE)
    readings = []
    for entity in stage.entities:
        if not entity.labels or entity.key in state.removed or (entities is not None and entity.key not in entities):
            continue
        for index, label in enumerate(entity.labels):
            bend = radii_m(stage)[entity.key][index]
            sheet = _sheet(label, bend, state.link(stage, entity.key, label.link), eye)
            angle = float(np.arccos(np.clip(-(sheet.normal @ sheet.centre) / np.linalg.norm(sheet.centre), -1.0, 1.0)))
            if sheet.centre[2] >= -0.05 or angle >= np.pi / 2:
                continue
            line_px = _line_px(sheet, max(1, len(label.lines)), eye)
            share = 0.0
            if line_px >= MIN_LINE_PX and angle <= MAX_ANGLE_RAD:
                share = _share(stage, state, entity.key, sheet, eye, body_vertices_m, body_faces)
            readings.append(Reading(entity.key, index, label.lines, line_px, angle, share))
    return tuple(readings)


def _sheet(label: Label, radius_m: float, T_world_link: F64, eye: Eye) -> _Sheet:
    R = eye.R_world_cam.T @ T_world_link[:3, :3]
    centre = R @ np.asarray(label.centre_m) + eye.R_world_cam.T @ (T_world_link[:3, 3] - eye.position_m)
    normal = R @ np.asarray(label.normal, dtype=np.float64)
    up = R @ np.asarray(label.up, dtype=np.float64)
    normal, up = normal / np.linalg.norm(normal), up / np.linalg.norm(up)
    return _Sheet(centre, np.cross(up, normal), up, normal, (label.size_m[0] / 2, label.size_m[1] / 2), radius_m)


@lru_cache(maxsize=8)
def radii_m(stage: StageModel) -> dict[str, tuple[float, ...]]:
    """Radius of the cylinder that each label is wrapped round, by entity, in the order of its labels; infinite for a flat one."""
    return {e.key: tuple(_radius_m(e, label) for label in e.labels) for e in stage.entities if e.labels}


def _radius_m(entity: Entity, label: Label) -> float:
    """From the vertices of the drawn surface behind a label: the circle in its cross-section that passes through its middle."""
    half = label.size_m[0] / 2
    normal, up = np.asarray(label.normal, np.float64), np.asarray(label.up, np.float64)
    right = np.cross(up, normal)
    points = [p.vertices_m for link in entity.links if link.key == label.link for p in link.parts]
    if not points:
        return float("inf")
    from_middle = np.concatenate(points).astype(np.float64) - np.asarray(label.centre_m)
    aside, height, back = from_middle @ right, from_middle @ up, -(from_middle @ normal)
    near = (np.abs(height) < 0.6 * label.size_m[1]) & (np.abs(aside) < 1.05 * half) & (back > -0.1 * half) & (back < 1.1 * half)
    bent = near & (np.abs(aside) > 0.3 * half)
    if not bent.any():
        return float("inf")
    radius = float(np.median((aside[bent] ** 2 + back[bent] ** 2) / np.maximum(2.0 * back[bent], 1e-9)))
    off = np.abs(np.hypot(aside[near], radius - back[near]) - radius)
    wrapped = 0.98 * half <= radius <= 5.0 * half and float(off.max()) < _ROUND * 2.0 * half
    return max(radius, half) if wrapped else float("inf")


def _fractions(points: F64, eye: Eye) -> F64:
    """Places (n, 2) in the picture, as fractions from the upper left corner, of points (n, 3) in the camera frame."""
    depth = np.maximum(1e-6, -points[:, 2])
    return np.stack([0.5 + points[:, 0] / depth / eye.tangents[0] / 2, 0.5 - points[:, 1] / depth / eye.tangents[1] / 2], axis=1)


def _line_px(sheet: _Sheet, lines: int, eye: Eye) -> float:
    """Height in pixels of the smallest line at the label's middle column."""
    edges = np.linspace(-1.0, 1.0, lines + 1) * sheet.half[1]
    places = _fractions(sheet.centre + edges[:, None] * sheet.up, eye) * PICTURE
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).min())


def _share(
    stage: StageModel,
    state: HouseState,
    entity: str,
    sheet: _Sheet,
    eye: Eye,
    body_vertices_m: F64 | None,
    body_faces: NDArray[np.integer] | None,
) -> float:
    """Share of the label that is inside the picture, that nothing covers, and that faces the eye."""
    if np.isfinite(sheet.radius_m):
        return _bent_share(stage, state, entity, sheet, eye, body_vertices_m, body_faces)
    corners = np.array(
        [sheet.centre + sx * sheet.half[0] * sheet.right + sy * sheet.half[1] * sheet.up for sx in (-1, 1) for sy in (-1, 1)]
    )
    if (corners[:, 2] > -0.05).any():
        return 0.0
    places = _fractions(corners, eye)
    (left, top), (right, bottom) = places.min(axis=0), places.max(axis=0)
    window = Eye(eye.position_m, eye.R_world_cam, eye.tangents, (float(left), float(top), float(right), float(bottom)))
    hits = cast(stage, state, window, _RAYS, _RAYS, body_vertices_m=body_vertices_m, body_faces=body_faces)
    return _count(hits, visuals(stage).keys.index(entity), sheet, window)


def _cells(sheet: _Sheet) -> tuple[F64, F64]:
    """Points (n, 3) spread evenly over a bent label in the camera frame, and the outward normals there."""
    r = sheet.radius_m
    most = float(np.arcsin(min(1.0, sheet.half[0] / r)))
    around, high = np.meshgrid((2.0 * np.arange(_RAYS) + 1.0) / _RAYS - 1.0, (2.0 * np.arange(_RAYS) + 1.0) / _RAYS - 1.0)
    turn = (most * around).reshape(-1, 1)
    normals = np.sin(turn) * sheet.right + np.cos(turn) * sheet.normal
    axis = sheet.centre - r * sheet.normal
    return axis + r * normals + sheet.half[1] * high.reshape(-1, 1) * sheet.up, normals


def _bent_share(
    stage: StageModel,
    state: HouseState,
    entity: str,
    sheet: _Sheet,
    eye: Eye,
    body_vertices_m: F64 | None,
    body_faces: NDArray[np.integer] | None,
) -> float:
    """`_share` of a label round a cylinder: of its own area, what faces the eye and is what a ray towards it meets."""
    points, normals = _cells(sheet)
    if (points[:, 2] > -0.05).any():
        return 0.0
    sight = -points / np.linalg.norm(points, axis=1, keepdims=True)
    facing = np.einsum("ij,ij->i", sight, normals) >= np.cos(MAX_LOCAL_RAD)
    if facing.mean() < MIN_SHARE:
        return float(facing.mean())
    places = _fractions(points, eye)
    (left, top), (right, bottom) = places.min(axis=0), places.max(axis=0)
    window = Eye(eye.position_m, eye.R_world_cam, eye.tangents, (float(left), float(top), float(right), float(bottom)))
    hits = cast(stage, state, window, _RAYS, _RAYS, body_vertices_m=body_vertices_m, body_faces=body_faces)
    row = visuals(stage).keys.index(entity)
    column = np.clip(((places[:, 0] - left) / (right - left) * _RAYS).astype(np.int64), 0, _RAYS - 1)
    line = np.clip(((places[:, 1] - top) / (bottom - top) * _RAYS).astype(np.int64), 0, _RAYS - 1)
    depth, owner, glass = hits.depth_m[line, column], hits.owner[line, column], hits.glass[line, column]
    free = (owner == row) | (glass == row) | (depth > -points[:, 2] + _TOUCH_M)
    in_picture = ((places >= 0.0) & (places <= 1.0)).all(axis=1)
    return float((facing & free & in_picture).mean())


def _count(hits: Hits, row: int, sheet: _Sheet, window: Eye) -> float:
    xs, ys = window.grid(_RAYS, _RAYS)
    rays = np.stack(np.broadcast_arrays(xs[None, :], ys[:, None], -1.0), axis=-1)
    depth = (sheet.centre @ sheet.normal) / (rays @ sheet.normal)
    from_centre = rays * depth[..., None] - sheet.centre
    on_it = (np.abs(from_centre @ sheet.right) <= sheet.half[0]) & (np.abs(from_centre @ sheet.up) <= sheet.half[1])
    in_picture = (np.abs(xs)[None, :] <= window.tangents[0]) & (np.abs(ys)[:, None] <= window.tangents[1])
    with np.errstate(invalid="ignore"):
        behind_m = hits.depth_m - depth
        own = (hits.owner == row) & (behind_m >= -_TOUCH_M) & (behind_m <= _TOUCH_M)
        behind_own_glass = (hits.glass == row) & (hits.depth_m > depth - _TOUCH_M)
    total = int(on_it.sum())
    return float((on_it & in_picture & (own | behind_own_glass)).sum() / total) if total else 0.0
