"""Seats of several shapes and heights for small scenes. All face -x before they are turned, as a seat faces away from its backrest."""

from __future__ import annotations

from assistcore.house.stage import Entity, Region
from tests.actions.manipulation.scenes import at, box, fixed

SEAT = frozenset({"seat", "surface"})


def chair(key: str = "chair_1", x: float = 1.2, y: float = 0.0, yaw: float = 0.0, top: float = 0.45) -> Entity:
    """Four legs, a seat 42 cm square, a back."""
    legs = tuple(box(f"leg{i}", (0.02, 0.02, (top - 0.03) / 2), (sx * 0.18, sy * 0.18, (top - 0.03) / 2))
                 for i, (sx, sy) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))))  # fmt: skip
    seat = box("seat", (0.21, 0.21, 0.015), (0, 0, top - 0.015))
    back = box("back", (0.02, 0.21, 0.2), (0.20, 0, top + 0.21))
    region = Region("seat", "surface", "base", (-0.21, -0.21, top), (0.18, 0.21, top + 0.4))
    return fixed(key, "chair", at(x, y, 0, yaw), (*legs, seat, back), roles=SEAT, regions=(region,))


def sofa(key: str = "sofa_1", x: float = 1.2, y: float = 0.0, yaw: float = 0.0, top: float = 0.42) -> Entity:
    """A box to the floor with arms and a back, 1.6 m wide inside."""
    pieces = (
        box("seat", (0.32, 0.8, top / 2), (-0.08, 0, top / 2)), box("back", (0.1, 0.9, 0.4), (0.34, 0, 0.4)),
        box("arm1", (0.42, 0.07, 0.3), (0.0, 0.87, 0.3)), box("arm2", (0.42, 0.07, 0.3), (0.0, -0.87, 0.3)),
    )  # fmt: skip
    region = Region("seat", "surface", "base", (-0.4, -0.8, top), (0.24, 0.8, top + 0.5))
    return fixed(key, "sofa", at(x, y, 0, yaw), pieces, roles=SEAT, regions=(region,))


def stool(key: str = "stool_1", x: float = 1.2, y: float = 0.0, top: float = 0.47, half: float = 0.2) -> Entity:
    """A block without a back."""
    return fixed(key, "stool", at(x, y, 0), (box("block", (half, half, top / 2), (0, 0, top / 2)),), roles=frozenset({"seat"}))


def bed(key: str = "bed_1", x: float = 1.9, y: float = 0.0, top: float = 0.5) -> Entity:
    """A mattress with a headboard at +x."""
    pieces = (box("mattress", (1.0, 0.7, top / 2), (0, 0, top / 2)), box("head", (0.02, 0.7, 0.5), (1.02, 0, 0.5)))
    region = Region("top", "surface", "base", (-1.0, -0.7, top), (0.9, 0.7, top + 0.5))
    return fixed(key, "bed", at(x, y, 0), pieces, roles=SEAT, regions=(region,))


def wall(key: str, x: float, y: float, half: tuple[float, float]) -> Entity:
    """A wall 2.4 m high."""
    return fixed(key, "wall", at(x, y, 0), (box("wall", (*half, 1.2), (0, 0, 1.2)),))
