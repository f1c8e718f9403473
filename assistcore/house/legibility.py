"""Which printed labels can be read from an eye: large enough in the picture, faced squarely, and not covered. Geometry only.

Used for 'the answer is not visible too early', for evidence, and for the words by which the person knows a thing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistcore.house.raycast import Eye, Hits, cast, visuals
from assistcore.house.stage import Label, StageModel
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
_BEND = 0.4
"""A label wrapped round a jar falls back from the plane at its middle, by up to this share of its width."""


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
    """A label in the camera frame: centre, unit right, up and normal (3,), half width and height."""

    centre: F64
    right: F64
    up: F64
    normal: F64
    half: tuple[float, float]


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
            sheet = _sheet(label, state.link(stage, entity.key, label.link), eye)
            angle = float(np.arccos(np.clip(-(sheet.normal @ sheet.centre) / np.linalg.norm(sheet.centre), -1.0, 1.0)))
            if sheet.centre[2] >= -0.05 or angle >= np.pi / 2:
                continue
            line_px = _line_px(sheet, max(1, len(label.lines)), eye)
            share = 0.0
            if line_px >= MIN_LINE_PX and angle <= MAX_ANGLE_RAD:
                share = _share(stage, state, entity.key, sheet, eye, body_vertices_m, body_faces)
            readings.append(Reading(entity.key, index, label.lines, line_px, angle, share))
    return tuple(readings)


def _sheet(label: Label, T_world_link: F64, eye: Eye) -> _Sheet:
    R = eye.R_world_cam.T @ T_world_link[:3, :3]
    centre = R @ np.asarray(label.centre_m) + eye.R_world_cam.T @ (T_world_link[:3, 3] - eye.position_m)
    normal = R @ np.asarray(label.normal, dtype=np.float64)
    up = R @ np.asarray(label.up, dtype=np.float64)
    normal, up = normal / np.linalg.norm(normal), up / np.linalg.norm(up)
    return _Sheet(centre, np.cross(up, normal), up, normal, (label.size_m[0] / 2, label.size_m[1] / 2))


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
    """Share of the label's rays that are inside the picture and meet the label first."""
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


def _count(hits: Hits, row: int, sheet: _Sheet, window: Eye) -> float:
    xs, ys = window.grid(_RAYS, _RAYS)
    rays = np.stack(np.broadcast_arrays(xs[None, :], ys[:, None], -1.0), axis=-1)
    depth = (sheet.centre @ sheet.normal) / (rays @ sheet.normal)
    from_centre = rays * depth[..., None] - sheet.centre
    on_it = (np.abs(from_centre @ sheet.right) <= sheet.half[0]) & (np.abs(from_centre @ sheet.up) <= sheet.half[1])
    in_picture = (np.abs(xs)[None, :] <= window.tangents[0]) & (np.abs(ys)[:, None] <= window.tangents[1])
    with np.errstate(invalid="ignore"):
        behind_m = hits.depth_m - depth
        own = (hits.owner == row) & (behind_m >= -_TOUCH_M) & (behind_m <= _TOUCH_M + _BEND * 2.0 * sheet.half[0])
        behind_own_glass = (hits.glass == row) & (hits.depth_m > depth - _TOUCH_M)
    total = int(on_it.sum())
    return float((on_it & in_picture & (own | behind_own_glass)).sum() / total) if total else 0.0
