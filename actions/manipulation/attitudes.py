"""In which attitudes a thing is set down: as it is made to stand, and a slab (a book, a board on its edge) lying, which is steadier."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from actions.world import ActionWorld
from humans.rotations import rotation_x, rotation_y

F64 = NDArray[np.float64]

SLAB = 0.3
"""The thickness of a slab over each of its other sides is below this."""


def attitudes(world: ActionWorld, key: str) -> list[F64]:
    """Rotations (3, 3) from the thing's own upright to how it may rest, the steadiest first."""
    low, high = world.stage.entity(key).box_m
    size = high - low
    thin = int(np.argmin(size))
    if thin == 2 or world.stage.entity(key).regions or size[thin] > SLAB * float(np.sort(size)[1]):
        return [np.eye(3)]
    turn = rotation_y if thin == 0 else rotation_x
    return [turn(0.5 * np.pi), turn(-0.5 * np.pi), np.eye(3)]


def turned_box(low: F64, high: F64, R: F64) -> tuple[F64, F64]:
    """Low and high corner (3,) of a box turned by R about its origin."""
    centre, half = R @ (0.5 * (low + high)), np.abs(R) @ (0.5 * (high - low))
    return centre - half, centre + half
