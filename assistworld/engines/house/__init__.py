"""The physics house: a furnished flat, a kinematic person, real doors and drawers; embedded MuJoCo physics and moderngl pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistcore.house.physics import Physics
    from assistworld.engines.house.engine import HouseEngine


def make(*, physics: Physics | None = None, width: int = 640, height: int = 480, supersample: int = 1) -> HouseEngine:
    """The house on the embedded back end, or on another `Physics`. Loads nothing until `reset`.

    `width` and `height` are those of the first-person pictures in pixels; `supersample` 2 draws four samples a pixel.
    """
    from assistworld.engines.house.engine import HouseEngine

    return HouseEngine(physics=physics, width=width, height=height, supersample=supersample)
