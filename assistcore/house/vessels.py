"""How much a vessel holds, how high that stands in it, and how much stays in it when it is tilted: from its geometry alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from assistcore.house.stage import Entity, Region, Tip

ML_PER_M3 = 1e6
FULL = 0.95
"""Share of its room that a vessel holds without running over."""
SQUARE_IN_ROUND = 2.0**0.5
"""A region is the square inside a round wall: its corners touch the wall."""


class Cone(NamedTuple):
    """The room of a round vessel, in its root frame: middle of its bottom, radii of bottom and mouth, height; metres."""

    bottom_m: tuple[float, float, float]
    low_radius_m: float
    high_radius_m: float
    height_m: float

    def volume_ml(self, height_m: float) -> float:
        """What it holds when filled to a height over its bottom."""
        r, top = self.low_radius_m, self.radius_m(height_m)
        return float(np.pi / 3.0 * height_m * (r * r + r * top + top * top) * ML_PER_M3)

    def radius_m(self, height_m: float) -> float:
        """Its radius at a height over its bottom."""
        return self.low_radius_m + (self.high_radius_m - self.low_radius_m) * height_m / self.height_m

    def level_m(self, volume_ml: float) -> float:
        """How high a volume stands over its bottom; at most its height."""
        low, high = 0.0, self.height_m
        for _ in range(40):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.volume_ml(middle) < volume_ml else (low, middle)
        return high


def rim_of(entity: Entity) -> Tip | None:
    """The mouth of something that is poured from or into."""
    return next((t for t in entity.tips if t.kind == "rim"), None)


def room_of(entity: Entity) -> Cone | None:
    """The room inside something that is open at the top, or None."""
    region: Region | None = next((r for r in entity.regions if r.kind == "interior" and r.opening[2] > 0.9), None)
    if region is None:
        return None
    (x0, y0, z0), (x1, y1, z1) = region.low_m, region.high_m
    low = 0.5 * min(x1 - x0, y1 - y0) * SQUARE_IN_ROUND
    rim = rim_of(entity)
    z1 = min(z1, rim.point_m[2]) if rim is not None else z1
    high = 0.5 * min(rim.size_m) if rim is not None else low
    return Cone((0.5 * (x0 + x1), 0.5 * (y0 + y1), z0), min(low, high), high, z1 - z0)


def capacity_ml(entity: Entity) -> int:
    """What a thing holds at most: by its room; a closed one (carton, bottle) what it was sold with."""
    room = room_of(entity)
    if room is not None:
        return int(FULL * room.volume_ml(room.height_m))
    sold = entity.attributes.get("volume_ml", 0)
    return sold if isinstance(sold, int) else 0


def section_m(entity: Entity) -> tuple[float, float]:
    """Width and height of a vessel as the level in it sees them when it is tilted, metres."""
    low, high = entity.box_m
    size = high - low
    return float(min(size[0], size[1])), float(size[2])


def retained(width_m: float, height_m: float, tilt_rad: float) -> float:
    """Share of a full vessel that stays in it at a tilt from upright (the level runs through its lower lip; a box in section)."""
    if tilt_rad >= 0.5 * np.pi:
        return 0.0
    slope = float(np.tan(max(0.0, tilt_rad)))
    if slope * width_m <= height_m:
        return 1.0 - 0.5 * width_m * slope / height_m
    return 0.5 * height_m / (width_m * slope)


def tilt_for(width_m: float, height_m: float, share: float) -> float:
    """The tilt (radians) at which no more than a share of a full vessel stays in it."""
    low, high = 0.0, 0.5 * np.pi
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if retained(width_m, height_m, middle) <= share else (middle, high)
    return float(high)
