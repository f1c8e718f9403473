"""What the person sees: an id image by ray casting from the head camera (RULES, Visibility). Geometry only: no renderer and no light.

Walls, closed doors, covers and full cupboards hide what is behind them because their meshes are in the way. The same state gives the same
sight with or without pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistcore.house import raycast_kernels
from assistcore.house.raycast import NOTHING, Eye, cast, visuals
from assistcore.house.stage import StageModel
from assistcore.house.state import HouseState

F64 = NDArray[np.float64]
I32 = NDArray[np.int32]

WIDTH, HEIGHT = 320, 240
"""Rays of one look: every second pixel of the 640 x 480 picture in each direction."""
MIN_RAYS = 4
"""An entity is visible when at least this many rays meet it first: 16 pixels of the picture, a patch of 4 x 4."""


@dataclass(frozen=True)
class Seen:
    """One visible entity: rays that meet it, their share of the picture, and the mean direction and distance of those hits.

    `bearing_rad` is left positive and `elevation_rad` up positive, relative to the gaze; `distance_m` is along the rays, from the camera.
    """

    rays: int
    share: float
    bearing_rad: float
    elevation_rad: float
    distance_m: float


@dataclass(frozen=True, eq=False)
class Sight:
    """One look. `ids` (h, w): entity row of `keys`, -1 nothing, -2 own body; `depth_m` (h, w) along the gaze; `seen`: what is visible."""

    keys: tuple[str, ...]
    ids: I32 = field(repr=False)
    depth_m: F64 = field(repr=False)
    seen: Mapping[str, Seen] = field(default_factory=dict)

    def sees(self, entity: str) -> bool:
        """Whether an entity is visible."""
        return entity in self.seen


def see(
    stage: StageModel,
    state: HouseState,
    position_m: F64,
    R_world_cam: F64,
    *,
    hfov_rad: float = np.pi / 2,
    width: int = WIDTH,
    height: int = HEIGHT,
    body_vertices_m: F64 | None = None,
    body_faces: NDArray[np.integer] | None = None,
) -> Sight:
    """Look once. R_world_cam (3, 3): columns right, up, backward (OpenGL axes). Body vertices (n, 3) in the world, faces (m, 3) without
    those of the own head."""
    eye = Eye.of(position_m, R_world_cam, hfov_rad, width, height)
    hits = cast(stage, state, eye, width, height, body_vertices_m=body_vertices_m, body_faces=body_faces)
    keys = visuals(stage).keys
    x, y = eye.grid(width, height)
    seen = _seen(hits.owner, hits.depth_m, keys, x, y)
    if (hits.glass != NOTHING).any():
        # A glass thing is seen where its own glass is the first thing in the way of a ray, whatever shows through it.
        both = np.where(hits.glass != NOTHING, hits.glass, hits.owner)
        through = _seen(both, hits.depth_m, keys, x, y)
        clear = {keys[row] for row in np.flatnonzero(np.bincount(hits.glass.ravel() - NOTHING)[-NOTHING:])}
        seen |= {k: v for k, v in through.items() if k in clear and (k not in seen or v.rays > seen[k].rays)}
    return Sight(keys, hits.owner, hits.depth_m, {k: seen[k] for k in sorted(seen)})


def _seen(ids: I32, depth_m: F64, keys: tuple[str, ...], x: F64, y: F64) -> dict[str, Seen]:
    raycast_kernels.KERNELS.ready()
    rays, sums = np.zeros(len(keys), np.int64), np.zeros((3, len(keys)))
    raycast_kernels.tally(ids, depth_m, x, y, rays, sums)
    found = {}
    for row in np.nonzero(rays >= MIN_RAYS)[0].tolist():
        n = int(rays[row])
        cx, cy, distance = (total / n for total in sums[:, row].tolist())
        found[keys[row]] = Seen(n, n / ids.size, float(np.arctan2(-cx, 1.0)), float(np.arctan2(cy, np.hypot(1.0, cx))), distance)
    return found


class Uncovered(NamedTuple):
    """Share of an entity's outline that nothing covers, and the entity that covers most of it (empty where nothing does)."""

    share: float
    hider: str


def uncovered(
    stage: StageModel,
    state: HouseState,
    entity: str,
    position_m: F64,
    R_world_cam: F64,
    *,
    hfov_rad: float = np.pi / 2,
    rays: int = 64,
    body_vertices_m: F64 | None = None,
    body_faces: NDArray[np.integer] | None = None,
) -> Uncovered:
    """How much of an entity's outline, as it would appear alone in the picture, is seen, and what is before the rest.

    Measured with `rays` x `rays` rays through the part of the picture that the entity can fill; 0.0 where it is out of the picture.
    """
    eye = Eye.of(position_m, R_world_cam, hfov_rad, WIDTH, HEIGHT)
    alone = cast(stage, state, eye, WIDTH, HEIGHT, only=frozenset({entity}))
    lines, columns = np.nonzero((alone.owner >= 0) | (alone.glass >= 0))
    if not len(lines):
        return Uncovered(0.0, "")
    window = (columns.min() / WIDTH, lines.min() / HEIGHT, (columns.max() + 1) / WIDTH, (lines.max() + 1) / HEIGHT)
    close = Eye(eye.position_m, eye.R_world_cam, eye.tangents, tuple(float(w) for w in window))  # type: ignore[arg-type]
    mine = cast(stage, state, close, rays, rays, only=frozenset({entity}))
    every = cast(stage, state, close, rays, rays, body_vertices_m=body_vertices_m, body_faces=body_faces)
    row = visuals(stage).keys.index(entity)
    outline = (mine.owner == row) | (mine.glass == row)
    shown = outline & ((every.owner == row) | (every.glass == row))
    before = every.owner[outline & ~shown & (every.owner >= 0)]
    hider = visuals(stage).keys[int(np.bincount(before).argmax())] if len(before) else ""
    return Uncovered(float(shown.sum() / max(1, outline.sum())), hider)
