"""The physics house: a furnished flat, a kinematic person, real doors and drawers; embedded MuJoCo physics and moderngl pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistcore.house.physics import Physics
    from assistcore.pictures.protocol import Pictures
    from assistcore.world.engine import Abilities
    from assistworld.engines.house.engine import HouseEngine


def make(
    *,
    physics: Physics | None = None,
    pictures: Pictures | None = None,
    abilities: Abilities | None = None,
    width: int = 640,
    height: int = 480,
    supersample: int = 1,
    body: Path | str | None = None,
    gait: Path | str | None = None,
) -> HouseEngine:
    """The house on the embedded back end, or on another `Physics` and `Pictures` that promise `abilities`. Loads nothing until `reset`.

    `width` and `height` are those of the first-person pictures in pixels; `supersample` 2 draws four samples a pixel.
    `body` is an SMPL+H file of the user's own, `gait` a motion clip whose walk the person takes over (docs/bodies_and_motion.md).
    """
    from assistworld.engines.house.engine import EMBEDDED, HouseEngine
    from assistworld.engines.house.person import Person

    person = Person(None if body is None else Path(body), None if gait is None else Path(gait))
    return HouseEngine(
        physics=physics,
        pictures=pictures,
        abilities=abilities or EMBEDDED,
        width=width,
        height=height,
        supersample=supersample,
        person=person,
    )
