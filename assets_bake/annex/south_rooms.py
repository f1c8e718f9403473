"""Kitchen, laundry, mail room and break room."""

from __future__ import annotations

from assets_bake.annex.heights import FOLDING, SORTING
from assets_bake.looks import CABINET, OAK, SAGE, WALNUT, textured
from assets_bake.scene_maker import SceneMaker

TOP, TABLE, COFFEE = 0.9, 0.74, 0.42
CART_AT = (9.55, 2.0)
CART_TOP = 0.66


def furnish(scene: SceneMaker) -> None:
    """Add the fixtures of these rooms."""
    _kitchen(scene)
    _laundry(scene)
    _mail_room(scene)
    _break_room(scene)


def _kitchen(scene: SceneMaker) -> None:
    scene.room = "kitchen"
    scene.put("fridge_1", "fridge", "fridge_steel", (0.36, 3.05, 0.0), "E")
    scene.put(
        "kitchen_counter_1",
        "counter",
        "kitchen_counter",
        (1.55, 0.3, 0.0),
        "N",
        length_m=3.0,
        sink=(-0.75, -0.25, -0.2, 0.2),
        panels_x_m=(-1.491, 1.491),
        fillers_x_m=((1.211, 1.481), (0.531, 0.649), (-0.079, -0.031), (-0.909, -0.861), (-1.482, -1.471)),
    )
    scene.put("kitchen_sink_1", "sink", "kitchen_sink", (2.05, 0.3, TOP), "N", size_m=(0.48, 0.38))
    for key, x in (("cabinet_1", 0.62), ("cabinet_2", 1.30), ("cabinet_3", 2.74)):
        scene.put(
            key,
            "cabinet",
            "base_cabinet",
            (x, 0.29, 0.0),
            "N",
            size_m=(0.56, 0.56, 0.855),
            plinth_m=0.1,
            shelves_m=(0.48,),
            look=SAGE,
            handle_z_m=0.72,
            adjectives=("lower",),
        )
    scene.put(
        "sink_cabinet_1",
        "cabinet",
        "sink_cabinet",
        (2.02, 0.29, 0.0),
        "N",
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
        "wall_cabinet_1",
        "cabinet",
        "wall_cabinet",
        (0.7, 0.165, 1.35),
        "N",
        category="wall_cabinet",
        nouns=("cupboard", "cabinet"),
        adjectives=("upper",),
        size_m=(0.56, 0.33, 0.66),
        shelves_m=(0.40,),
        look=CABINET,
        handle_z_m=0.12,
    )
    scene.put("microwave_1", "electronics", "microwave", (2.74, 0.30, TOP), "N", kind="microwave")
    scene.put("dining_table_1", "table", "dining_table", (3.12, 1.85, 0.0), "W", size_m=(0.8, 0.76, TABLE), look=OAK)
    cushion = textured("weave", 0.16, (0.46, 0.58, 0.55), 0.95)
    scene.put("chair_2", "chair", "chair_oak", (1.92, 1.9, 0.0), 1.07, look=OAK, seat=cushion)


def _laundry(scene: SceneMaker) -> None:
    scene.room = "laundry"
    scene.put("washing_machine_1", "washing_machine", "washing_machine", (4.42, 0.31, 0.0), "N")
    scene.put("dryer_1", "washing_machine", "dryer", (6.28, 1.9, 0.0), "W", category="dryer")
    scene.put(
        "folding_table_1",
        "table",
        "folding_table",
        (5.75, 0.36, 0.0),
        "N",
        category="folding_table",
        nouns=("table",),
        size_m=(1.5, 0.66, FOLDING),
        look=WALNUT,
        shelf_m=0.22,
    )
    scene.put(
        "laundry_basket_1",
        "basket",
        "laundry_basket",
        (4.2, 2.2, 0.0),
        1.5708,
        category="laundry_basket",
        nouns=("basket",),
        size_m=(0.42, 0.32, 0.30),
        handles=True,
        mass_kg=0.9,
    )


def _mail_room(scene: SceneMaker) -> None:
    scene.room = "mail_room"
    scene.put(
        "sorting_table_1",
        "table",
        "sorting_table",
        (7.1, 1.6, 0.0),
        "E",
        category="sorting_table",
        nouns=("table",),
        size_m=(1.7, 0.66, SORTING),
        look=OAK,
        shelf_m=0.24,
    )
    scene.put(
        "cart_1",
        "trolley",
        "cart",
        (*CART_AT, 0.0),
        0.0,
        kind="cart",
        nouns=("trolley", "mail cart"),
        adjectives=("wooden",),
        size_m=(0.46, 0.72, CART_TOP),
        shelves_m=(0.20,),
    )


def _break_room(scene: SceneMaker) -> None:
    scene.room = "break_room"
    scene.put("sofa_1", "sofa", "sofa_blue", (12.0, 0.50, 0.0), "N")
    scene.put(
        "coffee_table_1",
        "table",
        "coffee_table",
        (12.0, 1.55, 0.0),
        "N",
        category="coffee_table",
        nouns=("low table", "table"),
        size_m=(0.9, 0.5, COFFEE),
        look=WALNUT,
        leg_m=0.045,
    )
    scene.put("rug_3", "decor", "rug_break", (12.0, 1.5, 0.0), "S", kind="rug", size_m=(2.2, 1.5), look=textured("rug_diamonds", 0.0))
    scene.put("plant_4", "decor", "plant_tall", (13.55, 0.45, 0.0), 1.0, kind="plant", size_m=(0.72, 1.35))
    scene.put("picture_4", "decor", "picture_sea", (10.32, 1.8, 1.6), "E", kind="picture", size_m=(0.6, 0.45), art="art_sea")
