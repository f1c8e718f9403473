"""What the house says of itself for the records: whose code makes its version, and a plan of the home for maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import Entity, StageModel, link_matrix

CODE = ("actions", "humans", "assistcore", "assistworld/engines/house")
"""Packages whose code decides what a command does."""
MAP_BELOW_M = 1.3
"""Parts that begin higher than this (wall cabinets, pictures, ceiling lamps) are left out of the plan."""


def plan_of(stage: StageModel) -> Mapping[str, Any]:
    """Rooms and the outlines of fixtures and doors, metres, world frame; see `assistcore.world.engine.Described`."""
    rooms = [{"key": r.key, "title": r.title, "polygon_m": [[round(x, 3), round(y, 3)] for x, y in r.polygon_m]} for r in stage.rooms]
    fixtures = [
        {"key": e.key, "label": e.category.replace("_", " "), "kind": e.kind, "footprint_m": outline}
        for e in stage.entities
        if e.kind in ("fixture", "door") and (outline := footprint(e))
    ]
    return {"name": stage.name, "rooms": rooms, "fixtures": fixtures, "digest": stage.digest()}


def footprint(entity: Entity) -> list[list[float]]:
    """Convex outline from above, counter-clockwise; empty for what hangs high or is not solid."""
    corners = [
        p.vertices_m @ (T @ p.T_link_piece)[:3, :3].T + (T @ p.T_link_piece)[:3, 3]
        for link in entity.links
        for T in [link_matrix(entity, link, entity.pose.matrix(), {})]
        for p in link.pieces
    ]
    low = [points[:, :2] for points in corners if float(points[:, 2].min()) < MAP_BELOW_M]
    return [[round(float(x), 3), round(float(y), 3)] for x, y in convex_hull(np.concatenate(low))] if low else []


def convex_hull(points_m: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Corners of the hull of points, shape (n, 2), counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted({(round(float(x), 4), round(float(y), 4)) for x, y in points_m})
    if len(ordered) < 3:
        return ordered

    def half(run: list[tuple[float, float]]) -> list[tuple[float, float]]:
        kept: list[tuple[float, float]] = []
        for p in run:
            while len(kept) > 1 and _cross(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return half(ordered) + half(ordered[::-1])


def _cross(o: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
