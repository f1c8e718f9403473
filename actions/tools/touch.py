"""How far a held tool may come down on a thing: from the collision world's own distances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from actions.screening import collision_world
from actions.tools.tips import Tool
from actions.world import ActionWorld

F64 = NDArray[np.float64]

SEEN_M = 0.05
MARCH_M = 0.008
HALVINGS = 6


def gap_m(world: ActionWorld, tool: Tool, T_tip: F64, targets: frozenset[str]) -> float:
    """Least distance between the tool and the targets with the tip at a frame (4, 4); `SEEN_M` where they are farther apart."""
    scene = collision_world(world)
    hits = scene.entity(tool.key, tool.roots(T_tip[None])[0], margin_m=SEEN_M)
    return min((h.distance_m for h in hits if h.owner in targets), default=SEEN_M)


def lowered(
    world: ActionWorld, tool: Tool, T_tip: F64, targets: frozenset[str], depth_m: float, above_m: float, below_m: float
) -> F64 | None:
    """The tip frame moved vertically, between `above_m` over and `below_m` under where it is given, until it presses `depth_m` on a target.

    None where it presses already at the top of that range; where it never does, the lower end.
    """
    T = T_tip.copy()

    def presses(z: float) -> bool:
        T[2, 3] = z
        return gap_m(world, tool, T, targets) < -depth_m

    high, end = float(T_tip[2, 3]) + above_m, float(T_tip[2, 3]) - below_m
    if presses(high):
        return None
    low = high
    while low > end and not presses(low):
        high, low = low, max(end, low - MARCH_M)
    if low <= end and not presses(low):
        T[2, 3] = end
        return T
    for _ in range(HALVINGS):
        middle = 0.5 * (high + low)
        high, low = (high, middle) if presses(middle) else (middle, low)
    T[2, 3] = high
    return T
