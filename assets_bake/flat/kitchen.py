"""The kitchen: fridge, worktop with sink, oven and hob along the north wall, dining table at the east window."""

from __future__ import annotations

from assets_bake.looks import CABINET, OAK, SAGE, textured
from assets_bake.scene_maker import SceneMaker

ROOM = "kitchen"
TOP = 0.9
TABLE = 0.74


def furnish(scene: SceneMaker) -> None:
    """Add the kitchen's fixtures and movables."""
    _fixtures(scene)


def _fixtures(scene: SceneMaker) -> None:
    r = {"room": ROOM}
    scene.put("fridge_1", "fridge", "fridge_steel", (6.87, 7.67, 0.0), "S", **r)
    scene.put(
        "kitchen_counter_1", "counter", "kitchen_counter", (9.1, 7.7, 0.0), "S", length_m=3.8,
        sink=(-0.65, -0.15, -0.2, 0.2), holes=((0.5, 1.1),), panels_x_m=(-1.891, 1.891), **r,
    )
    scene.put("freezer_1", "fridge", "freezer_small", (7.51, 7.705, 0.0), "S", category="freezer", nouns=(), width_m=0.58, depth_m=0.57, height_m=0.855, shelves_z_m=(0.46,), **r)
    for key, z, h in (("drawer_2", 0.1, 0.36), ("drawer_1", 0.47, 0.38)):
        scene.put(key, "drawer", f"drawer_kitchen_{round(h * 100)}", (8.05, 7.71, z), "S", size_m=(0.48, 0.56, h), look=SAGE, housing=CABINET, adjectives=("kitchen",), nouns=("kitchen drawer",), **r)
    scene.put("kitchen_sink_1", "sink", "kitchen_sink", (8.7, 7.7, TOP), "S", size_m=(0.48, 0.38), **r)
    scene.put(
        "sink_cabinet_1", "cabinet", "sink_cabinet", (8.7, 7.71, 0.0), "S", category="sink_cabinet", nouns=("cupboard", "cabinet"),
        size_m=(0.78, 0.56, 0.70), plinth_m=0.1, shelves_m=(), look=SAGE, door_width_m=0.46, **r,
    )
    scene.put("cabinet_1", "cabinet", "base_cabinet", (9.345, 7.71, 0.0), "S", category="cabinet", size_m=(0.49, 0.56, 0.855), plinth_m=0.1, shelves_m=(0.48,), look=SAGE, handle_z_m=0.72, adjectives=("lower",), **r)
    scene.put("oven_1", "oven", "oven", (9.9, 7.71, 0.0), "S", depth_m=0.56, height_m=0.855, **r)
    scene.put("hob_1", "hob", "hob", (9.9, 7.68, TOP), "S", **r)
    scene.put("cabinet_2", "cabinet", "base_cabinet_right", (10.59, 7.71, 0.0), "S", category="cabinet", size_m=(0.76, 0.56, 0.855), plinth_m=0.1, shelves_m=(0.48,), look=SAGE, hinge="left", door_width_m=0.5, handle_z_m=0.72, adjectives=("lower",), **r)
    for key, x, hinge in (("wall_cabinet_1", 7.72, "left"), ("wall_cabinet_2", 9.5, "right"), ("wall_cabinet_3", 10.7, "right")):
        scene.put(
            key, "cabinet", f"wall_cabinet_{hinge}", (x, 7.835, 1.38), "S", category="wall_cabinet", nouns=("cupboard", "cabinet"), adjectives=("upper",),
            size_m=(0.46, 0.33, 0.66), shelves_m=(0.33,), look=SAGE, hinge=hinge, handle_z_m=0.12, **r,
        )
    scene.put("dining_table_1", "table", "dining_table", (10.52, 5.35, 0.0), "W", size_m=(1.2, 0.84, TABLE), look=OAK, **r)
    cushion = textured("weave", 0.16, (0.36, 0.48, 0.45), 0.95)
    for key, y in (("chair_1", 5.05), ("chair_2", 5.65)):
        scene.put(key, "chair", "chair_oak", (10.08, y, 0.0), "E", look=OAK, seat=cushion, **r)
