"""Put the held object on the floor beside something."""

from __future__ import annotations

from actions.verbs._unsupported import plan, verify
from assistcore.world.engine import VerbInfo

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="place_on_floor",
    surface=("PutOnFloor",),
    args=("object", "anchor"),
    hands="holds",
    english=("put {object} on the floor beside {anchor}",),
    meaning="Put the held object on the floor beside something.",
    implemented=False,
    group="placement",
)
