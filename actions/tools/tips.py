"""Where a held tool works: the frame of its edge, tip, face or rim, as the asset declares it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actions.world import ActionWorld
from assistcore.house.stage import Entity, Tip
from assistcore.world.poses import inverse

F64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tool:
    """A held tool with one of its tips.

    T_object_tip (4, 4): origin where it works, z against the working direction (so that a tip at the identity works straight down; for a
    rim z is out of the mouth, up), x along it. T_wrist_tip (4, 4): the same in the frame of the wrist that holds it.
    """

    key: str
    tip: Tip
    T_object_tip: F64
    T_wrist_tip: F64

    def wrists(self, tips: F64) -> F64:
        """Wrist frames (n, 4, 4) that bring the tip to world frames (n, 4, 4)."""
        out: F64 = tips @ inverse(self.T_wrist_tip)
        return out

    def roots(self, tips: F64) -> F64:
        """Object frames (n, 4, 4) for tip frames (n, 4, 4)."""
        out: F64 = tips @ inverse(self.T_object_tip)
        return out


def tip_of(entity: Entity, *kinds: str) -> Tip | None:
    """The first tip of one of these kinds that an entity has."""
    return next((t for kind in kinds for t in entity.tips if t.kind == kind), None)


def frame_of(tip: Tip) -> F64:
    """The tip's frame (4, 4) in its entity's root frame (see `Tool`)."""
    out = np.asarray(tip.out, np.float64)
    z = out if tip.kind == "rim" else -out
    z = z / np.linalg.norm(z)
    x = np.asarray(tip.along, np.float64)
    x = x - (x @ z) * z
    x = x / np.linalg.norm(x)
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 2], T[:3, 3] = x, np.cross(z, x), z, tip.point_m
    return T


def held_tool(world: ActionWorld, *kinds: str) -> Tool | None:
    """What is in the hand, as a tool with a tip of one of these kinds; None where it has none or the hand is empty."""
    held = world.state.held
    if held is None:
        return None
    tip = tip_of(world.stage.entity(held.entity), *kinds)
    if tip is None:
        return None
    T = frame_of(tip)
    return Tool(held.entity, tip, T, held.wrist_object.matrix() @ T)
