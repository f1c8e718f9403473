"""Where something may be spilt or stained: patches that are not there to be seen until then."""

from __future__ import annotations

from assets_bake.scene_maker import SceneMaker

SPILLS = (
    ("kitchen", 10.62, 5.46, 0.74), ("kitchen", 9.46, 7.50, 0.90), ("kitchen", 7.92, 7.50, 0.90),
    ("living_room", 1.86, 6.98, 0.42), ("bedroom", 3.86, 0.58, 0.74),
)  # fmt: skip
STAINS = (("kitchen", 10.36, 5.93, 0.74), ("kitchen", 10.55, 7.50, 0.90), ("living_room", 1.80, 6.62, 0.42))


def furnish(scene: SceneMaker) -> None:
    """Add spills and stains: room, x, y and height of the surface."""
    for kind, places in (("spill", SPILLS), ("stain", STAINS)):
        for number, (room, x, y, z) in enumerate(places, 1):
            scene.put(f"{kind}_{number}", "patch", kind, (x, y, z), 0.0, room=room, kind=kind)
