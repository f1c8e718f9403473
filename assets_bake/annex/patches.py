"""Where something may be spilt or stained in the annex (see `assets_bake.flat.patches`)."""

from __future__ import annotations

from assets_bake.annex.heights import FOLDING
from assets_bake.annex.north_rooms import DESK
from assets_bake.annex.south_rooms import COFFEE, TABLE, TOP
from assets_bake.scene_maker import SceneMaker

SPILLS = (
    ("kitchen", 2.95, 1.92, TABLE), ("kitchen", 1.16, 0.46, TOP), ("break_room", 11.76, 1.52, COFFEE), ("laundry", 5.30, 0.16, FOLDING),
)  # fmt: skip
STAINS = (("kitchen", 0.72, 0.40, TOP), ("office", 0.58, 7.05, DESK))


def furnish(scene: SceneMaker) -> None:
    """Add spills and stains: room, x, y and height of the surface."""
    for kind, places in (("spill", SPILLS), ("stain", STAINS)):
        for number, (room, x, y, z) in enumerate(places, 1):
            scene.put(f"{kind}_{number}", "patch", kind, (x, y, z), 0.0, room=room, kind=kind)
