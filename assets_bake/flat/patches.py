"""Where something may be spilt or stained: patches that are not there to be seen until then."""

from __future__ import annotations

from assets_bake.scene_maker import SceneMaker

SPILLS = (
    ("kitchen", 10.26, 6.10, 0.74), ("kitchen", 9.46, 7.50, 0.90), ("kitchen", 10.70, 7.48, 0.90),
    ("living_room", 1.66, 6.95, 0.42), ("bedroom", 3.62, 0.68, 0.74),
)  # fmt: skip
STAINS = (("kitchen", 10.84, 6.11, 0.74), ("kitchen", 10.86, 7.47, 0.90), ("living_room", 1.68, 7.20, 0.42))


def furnish(scene: SceneMaker) -> None:
    """Add spills and stains: room, x, y and height of the surface."""
    for kind, places in (("spill", SPILLS), ("stain", STAINS)):
        for number, (room, x, y, z) in enumerate(places, 1):
            scene.put(f"{kind}_{number}", "patch", kind, (x, y, z), 0.0, room=room, kind=kind)
