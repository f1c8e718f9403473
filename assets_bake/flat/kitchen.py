"""The kitchen: fridge, worktop with sink, oven and hob along the north wall, dining table at the east window."""

from __future__ import annotations

from assets_bake.flat import kitchen_things
from assets_bake.flat.lights import ceiling_lamp
from assets_bake.looks import CABINET, OAK, SAGE, plain, textured
from assets_bake.scene_maker import SceneMaker

ROOM = "kitchen"
TOP = 0.9
TABLE = 0.74


def furnish(scene: SceneMaker) -> None:
    """Add the kitchen's fixtures and movables."""
    scene.room = ROOM
    _worktop(scene)
    _table(scene)
    _decor(scene)
    kitchen_things.furnish(scene)
    ceiling_lamp(scene, "kitchen_lamp_1", ROOM, (8.75, 6.0), (8.27, 4.5), "N")
    scene.spots["kitchen"] = (8.7, 6.1, 1.5707963)


def _worktop(scene: SceneMaker) -> None:
    scene.put("fridge_1", "fridge", "fridge_steel", (6.87, 7.67, 0.0), "S")
    scene.put(
        "kitchen_counter_1",
        "counter",
        "kitchen_counter",
        (9.1, 7.7, 0.0),
        "S",
        length_m=3.8,
        sink=(-0.65, -0.15, -0.2, 0.2),
        holes=((0.5, 1.1),),
        panels_x_m=(-1.891, 1.891),
        fillers_x_m=((-1.30, -1.29), (-0.81, -0.79), (-0.01, 0.0), (0.49, 0.50), (1.10, 1.11), (1.87, 1.882)),
    )
    scene.put(
        "freezer_1",
        "fridge",
        "freezer_small",
        (7.51, 7.705, 0.0),
        "S",
        category="freezer",
        nouns=(),
        width_m=0.58,
        depth_m=0.57,
        height_m=0.855,
        shelves_z_m=(0.46,),
    )
    for key, z, h, skirt in (("drawer_2", 0.30, 0.296, 0.2), ("drawer_1", 0.60, 0.255, 0.0)):
        scene.put(
            key,
            "drawer",
            f"drawer_kitchen_{round(h * 1000)}",
            (8.05, 7.71, z),
            "S",
            size_m=(0.48, 0.56, h),
            skirt_m=skirt,
            look=SAGE,
            housing=CABINET,
            adjectives=("kitchen", "upper" if key == "drawer_1" else "lower"),
            nouns=("kitchen drawer",),
        )
    scene.put("kitchen_sink_1", "sink", "kitchen_sink", (8.7, 7.7, TOP), "S", size_m=(0.48, 0.38))
    scene.put(
        "sink_cabinet_1",
        "cabinet",
        "sink_cabinet",
        (8.7, 7.71, 0.0),
        "S",
        category="sink_cabinet",
        nouns=("cupboard", "cabinet"),
        size_m=(0.78, 0.56, 0.72),
        plinth_m=0.1,
        shelves_m=(),
        look=SAGE,
        door_width_m=0.46,
        fascia_m=0.858,
        handle_z_m=0.6,
    )
    scene.put(
        "cabinet_1",
        "cabinet",
        "base_cabinet",
        (9.345, 7.71, 0.0),
        "S",
        category="cabinet",
        size_m=(0.49, 0.56, 0.855),
        plinth_m=0.1,
        shelves_m=(0.48,),
        look=SAGE,
        handle_z_m=0.72,
        adjectives=("lower", "left"),
    )
    scene.put("oven_1", "oven", "oven", (9.9, 7.71, 0.0), "S", depth_m=0.56, height_m=0.855)
    scene.put("hob_1", "hob", "hob", (9.9, 7.68, TOP), "S")
    scene.put(
        "cabinet_2",
        "cabinet",
        "base_cabinet_wide",
        (10.59, 7.71, 0.0),
        "S",
        category="cabinet",
        size_m=(0.76, 0.56, 0.855),
        plinth_m=0.1,
        shelves_m=(0.48,),
        look=SAGE,
        door_width_m=0.5,
        handle_z_m=0.72,
        adjectives=("lower", "right"),
    )
    for key, x, hinge in (("wall_cabinet_1", 7.72, "left"), ("wall_cabinet_2", 9.36, "left"), ("wall_cabinet_3", 10.62, "right")):
        scene.put(
            key,
            "cabinet",
            f"wall_cabinet_{hinge}",
            (x, 7.835, 1.35),
            "S",
            category="wall_cabinet",
            nouns=("cupboard", "cabinet"),
            adjectives=("upper",),
            size_m=(0.46, 0.33, 0.66),
            shelves_m=(0.40,),
            look=SAGE,
            hinge=hinge,
            handle_z_m=0.12,
        )
    scene.put("microwave_1", "electronics", "microwave", (10.72, 7.76, TOP), "S", kind="microwave")


def _table(scene: SceneMaker) -> None:
    scene.put("dining_table_1", "table", "dining_table", (10.52, 5.6, 0.0), "W", size_m=(1.2, 0.84, TABLE), look=OAK)
    cushion = textured("weave", 0.16, (0.46, 0.58, 0.55), 0.95)
    scene.put("chair_1", "chair", "chair_oak", (7.5, 4.78, 0.0), "N", look=OAK, seat=cushion)
    # Left where its sitter rose, beside the table: under its edge it could not be sat on.
    scene.put("chair_2", "chair", "chair_oak", (9.71, 4.83, 0.0), 3.07, look=OAK, seat=cushion)


def _decor(scene: SceneMaker) -> None:
    metro = textured("tiles_metro", 0.6, roughness=0.25)
    scene.put("backsplash_1", "decor", "splash_left", (7.74, 8.0, TOP), "S", kind="splash", size_m=(1.12, 0.48), look=metro)
    scene.put("backsplash_2", "decor", "splash_middle", (8.7, 8.0, TOP), "S", kind="splash", size_m=(0.8, 0.28), look=metro)
    scene.put("backsplash_3", "decor", "splash_right", (10.05, 8.0, TOP), "S", kind="splash", size_m=(1.9, 0.48), look=metro)
    scene.put("extractor_hood_1", "decor", "hood", (9.9, 7.78, 1.55), "S", kind="hood", size_m=(0.58, 0.42))
    scene.put(
        "wall_clock_1", "decor", "wall_clock", (7.5, 4.5, 1.95), "N", kind="wall_clock", size_m=(0.3, 0.3), look=plain((0.25, 0.30, 0.28))
    )
    scene.put("picture_1", "decor", "picture_shapes", (10.35, 4.5, 1.55), "N", kind="picture", size_m=(0.45, 0.6), art="art_shapes")
    scene.put("plant_3", "decor", "plant_small", (10.83, 5.14, TABLE), 0.4, kind="plant", size_m=(0.3, 0.4))
