"""The kitchen: fridge, worktop with sink, oven and hob along the north wall, dining table at the east window."""

from __future__ import annotations

from assets_bake.flat.lights import ceiling_lamp
from assets_bake.looks import CABINET, OAK, SAGE, plain, textured
from assets_bake.scene_maker import SceneMaker

ROOM = "kitchen"
TOP = 0.9
TABLE = 0.74
R = {"room": ROOM}


def furnish(scene: SceneMaker) -> None:
    """Add the kitchen's fixtures and movables."""
    _worktop(scene)
    _table(scene)
    _decor(scene)
    _on_worktop(scene)
    _on_table(scene)
    _in_fridge(scene)
    _in_cabinets(scene)
    ceiling_lamp(scene, "kitchen_lamp_1", ROOM, (8.75, 6.0), (8.27, 4.5), "N")
    scene.spots["kitchen"] = (8.7, 6.1, 1.5707963)


def _worktop(scene: SceneMaker) -> None:
    scene.put("fridge_1", "fridge", "fridge_steel", (6.87, 7.67, 0.0), "S", **R)
    scene.put(
        "kitchen_counter_1", "counter", "kitchen_counter", (9.1, 7.7, 0.0), "S", length_m=3.8,
        sink=(-0.65, -0.15, -0.2, 0.2), holes=((0.5, 1.1),), panels_x_m=(-1.891, 1.891), **R,
    )  # fmt: skip
    scene.put(
        "freezer_1", "fridge", "freezer_small", (7.51, 7.705, 0.0), "S", category="freezer", nouns=(), width_m=0.58, depth_m=0.57,
        height_m=0.855, shelves_z_m=(0.46,), **R,
    )  # fmt: skip
    for key, z, h in (("drawer_2", 0.1, 0.36), ("drawer_1", 0.47, 0.38)):
        scene.put(
            key, "drawer", f"drawer_kitchen_{round(h * 100)}", (8.05, 7.71, z), "S", size_m=(0.48, 0.56, h), look=SAGE, housing=CABINET,
            adjectives=("kitchen", "upper" if key == "drawer_1" else "lower"), nouns=("kitchen drawer",), **R,
        )  # fmt: skip
    scene.put("kitchen_sink_1", "sink", "kitchen_sink", (8.7, 7.7, TOP), "S", size_m=(0.48, 0.38), **R)
    scene.put(
        "sink_cabinet_1", "cabinet", "sink_cabinet", (8.7, 7.71, 0.0), "S", category="sink_cabinet", nouns=("cupboard", "cabinet"),
        size_m=(0.78, 0.56, 0.72), plinth_m=0.1, shelves_m=(), look=SAGE, door_width_m=0.46, fascia_m=0.858, **R,
    )  # fmt: skip
    scene.put(
        "cabinet_1", "cabinet", "base_cabinet", (9.345, 7.71, 0.0), "S", category="cabinet", size_m=(0.49, 0.56, 0.855), plinth_m=0.1,
        shelves_m=(0.48,), look=SAGE, handle_z_m=0.72, adjectives=("lower", "left"), **R,
    )  # fmt: skip
    scene.put("oven_1", "oven", "oven", (9.9, 7.71, 0.0), "S", depth_m=0.56, height_m=0.855, **R)
    scene.put("hob_1", "hob", "hob", (9.9, 7.68, TOP), "S", **R)
    scene.put(
        "cabinet_2", "cabinet", "base_cabinet_wide", (10.59, 7.71, 0.0), "S", category="cabinet", size_m=(0.76, 0.56, 0.855), plinth_m=0.1,
        shelves_m=(0.48,), look=SAGE, door_width_m=0.5, handle_z_m=0.72, adjectives=("lower", "right"), **R,
    )  # fmt: skip
    for key, x, hinge in (("wall_cabinet_1", 7.72, "left"), ("wall_cabinet_2", 9.36, "left"), ("wall_cabinet_3", 10.62, "right")):
        scene.put(
            key, "cabinet", f"wall_cabinet_{hinge}", (x, 7.835, 1.38), "S", category="wall_cabinet", nouns=("cupboard", "cabinet"),
            adjectives=("upper",), size_m=(0.46, 0.33, 0.66), shelves_m=(0.33,), look=SAGE, hinge=hinge, handle_z_m=0.12, **R,
        )  # fmt: skip
    scene.put("microwave_1", "electronics", "microwave", (10.72, 7.76, TOP), "S", kind="microwave", **R)


def _table(scene: SceneMaker) -> None:
    scene.put("dining_table_1", "table", "dining_table", (10.52, 5.6, 0.0), "W", size_m=(1.2, 0.84, TABLE), look=OAK, **R)
    cushion = textured("weave", 0.16, (0.46, 0.58, 0.55), 0.95)
    scene.put("chair_1", "chair", "chair_oak", (9.94, 5.36, 0.0), "E", look=OAK, seat=cushion, **R)
    scene.put("chair_2", "chair", "chair_oak", (10.52, 4.85, 0.0), "N", look=OAK, seat=cushion, **R)


def _decor(scene: SceneMaker) -> None:
    metro = textured("tiles_metro", 0.6, roughness=0.25)
    scene.put("backsplash_1", "decor", "splash_left", (7.665, 8.0, TOP), "S", kind="splash", size_m=(0.97, 0.48), look=metro, **R)
    scene.put("backsplash_2", "decor", "splash_middle", (8.7, 8.0, TOP), "S", kind="splash", size_m=(1.1, 0.27), look=metro, **R)
    scene.put("backsplash_3", "decor", "splash_right", (10.125, 8.0, TOP), "S", kind="splash", size_m=(1.75, 0.48), look=metro, **R)
    scene.put("extractor_hood_1", "decor", "hood", (9.9, 7.78, 1.55), "S", kind="hood", size_m=(0.58, 0.42), **R)
    scene.put("wall_clock_1", "decor", "wall_clock", (7.5, 4.5, 1.95), "N", kind="wall_clock", size_m=(0.3, 0.3), look=plain((0.25, 0.30, 0.28)), **R)
    scene.put("picture_1", "decor", "picture_shapes", (10.35, 4.5, 1.55), "N", kind="picture", size_m=(0.45, 0.6), art="art_shapes", **R)
    scene.put("plant_3", "decor", "plant_small", (10.83, 5.14, TABLE), 0.4, kind="plant", size_m=(0.3, 0.4), **R)


def _on_worktop(scene: SceneMaker) -> None:
    coffee = {"category": "coffee_jar", "nouns": ("coffee", "jar"), "body": "brown", "roles": ("label", "food")}
    scene.put(
        "coffee_jar_1", "jar", "coffee_jar_red", (7.40, 7.53, TOP), 0.0, lines=("COFFEE", "250 g", "$5.00"), lid="red", adjectives=("red-lidded",),
        band=(150, 40, 34), mass_kg=0.45, **coffee, **R,
    )  # fmt: skip
    scene.put(
        "coffee_jar_2", "jar", "coffee_jar_blue", (7.555, 7.53, TOP), 0.0, lines=("COFFEE", "500 g", "$9.00"), lid="blue",
        adjectives=("blue-lidded", "big"), radius_m=0.048, height_m=0.17, band=(36, 70, 140), mass_kg=0.75, **coffee, **R,
    )  # fmt: skip
    scene.put(
        "coffee_jar_3", "jar", "coffee_jar_green", (7.71, 7.53, TOP), 0.0, lines=("COFFEE", "200 g", "$4.20"), lid="green",
        adjectives=("green-lidded",), height_m=0.12, band=(40, 104, 56), mass_kg=0.38, **coffee, **R,
    )  # fmt: skip
    scene.put(
        "tea_box_1", "carton", "tea_box", (7.88, 7.55, TOP), 0.0, category="tea_box", nouns=("tea",), lines=("GREEN TEA", "20 bags", "40 g"),
        size_m=(0.13, 0.07, 0.085), paper=(232, 240, 220), ink=(30, 84, 44), band=(30, 104, 54), adjectives=("green",), mass_kg=0.08, **R,
    )  # fmt: skip
    scene.put(
        "recipe_card_1", "card", "recipe_card", (8.05, 7.66, TOP), 0.0, category="recipe_card", lines=("PANCAKES", "2 eggs", "200 g flour", "300 ml milk"),
        weights=(1.3, 1, 1, 1), band=(168, 84, 40), size_m=(0.14, 0.14), left=True, nouns=("recipe", "card"), **R,
    )  # fmt: skip
    scene.put("kettle_1", "kettle", "kettle", (8.255, 7.6, TOP), 0.0, **R)
    scene.put("sponge_1", "gadget", "sponge_yellow", (9.0, 7.54, TOP), 1.5708, kind="sponge", colour="yellow", **R)
    scene.put(
        "dish_soap_1", "jar", "dish_soap", (9.0, 7.70, TOP), 0.0, category="dish_soap", lines=("DISH SOAP", "LEMON"), neck="bottle", radius_m=0.032,
        height_m=0.20, body="yellow", lid="blue", nouns=("soap bottle", "detergent"), roles=("label",), mass_kg=0.5, **R,
    )  # fmt: skip
    scene.put("cutting_board_1", "cutlery", "cutting_board", (9.25, 7.62, TOP), 0.0, kind="board", category="cutting_board", nouns=("board", "chopping board"), **R)
    scene.put("bread_1", "fruit", "bread", (9.25, 7.62, TOP + 0.018), 0.1, kind="bread", colour="brown", nouns=("loaf",), **R)
    scene.put("red_mug_1", "vessel", "mug_red", (9.515, 7.53, TOP), 2.4, shape="mug", colour="red", category="red_mug", **R)
    scene.put(
        "salt_1", "jar", "salt", (9.49, 7.70, TOP), 0.0, category="salt", lines=("SALT", "500 g"), neck="tube", radius_m=0.03, height_m=0.13,
        body="white", paper=(250, 250, 252), ink=(28, 48, 110), band=(28, 60, 130), mass_kg=0.5, adjectives=("blue-white",), **R,
    )  # fmt: skip
    scene.put("frying_pan_1", "cutlery", "frying_pan", (9.76, 7.58, TOP + 0.0126), -0.35, kind="pan", category="frying_pan", nouns=("pan",), **R)
    scene.put(
        "cereal_box_1", "carton", "cereal_box", (10.34, 7.58, TOP), 0.0, category="cereal_box", nouns=("cereal", "corn flakes"),
        lines=("CORN FLAKES", "with honey", "375 g", "$3.60"), weights=(1.4, 0.8, 1, 1), size_m=(0.19, 0.065, 0.27), paper=(250, 214, 120), ink=(120, 30, 24),
        band=(190, 60, 30), adjectives=("yellow",), mass_kg=0.42, **R,
    )  # fmt: skip


def _on_table(scene: SceneMaker) -> None:
    scene.put(
        "shopping_card_1", "card", "shopping_card", (10.32, 5.62, TABLE), "W", category="shopping_card", lines=("TO BUY", "milk", "6 eggs", "rye bread", "apples"),
        weights=(1.25, 1, 1, 1, 1), band=(44, 92, 140), size_m=(0.15, 0.16), left=True, nouns=("shopping list", "list", "card"), **R,
    )  # fmt: skip
    scene.put("apple_1", "fruit", "apple_red", (10.27, 5.92, TABLE), 0.0, kind="apple", colour="red", **R)
    scene.put("apple_2", "fruit", "apple_green", (10.42, 6.04, TABLE), 0.6, kind="apple", colour="green", **R)
    scene.put("banana_1", "fruit", "banana", (10.66, 6.03, TABLE), 0.2, kind="banana", colour="yellow", **R)
    scene.put("white_plate_1", "vessel", "plate_white", (10.62, 5.79, TABLE), 0.0, shape="plate", colour="white", category="white_plate", **R)
    scene.put("blue_bowl_1", "vessel", "bowl_blue", (10.3, 5.40, TABLE), 0.0, shape="bowl", colour="blue", category="blue_bowl", **R)
    scene.put("fruit_basket_1", "basket", "fruit_basket", (10.62, 5.42, TABLE), 1.5708, category="fruit_basket", nouns=("basket",), size_m=(0.30, 0.22, 0.10), **R)
    scene.put("orange_1", "fruit", "orange", (10.60, 5.36, TABLE + 0.012), 0.0, kind="orange", colour="orange", **R)
    scene.put("lemon_1", "fruit", "lemon", (10.63, 5.48, TABLE + 0.012), 0.0, kind="lemon", colour="yellow", **R)


def _in_fridge(scene: SceneMaker) -> None:
    low, mid, high = 0.52, 0.86, 1.16
    scene.put(
        "milk_carton_1", "carton", "milk_carton", (6.76, 7.57, mid), 0.0, category="milk_carton", nouns=("milk", "carton"), lines=("MILK", "3.5 % fat", "1 L", "use by 5 DEC"),
        weights=(1.6, 0.9, 1.1, 0.9), size_m=(0.085, 0.085, 0.235), gable=True, paper=(244, 248, 252), ink=(20, 60, 150), band=(24, 86, 176), mass_kg=1.05,
        adjectives=("blue-white",), roles=("label", "food", "drinkable"), **R,
    )  # fmt: skip
    scene.put(
        "juice_carton_1", "carton", "juice_carton", (6.93, 7.57, mid), 0.0, category="juice_carton", nouns=("juice", "orange juice", "carton"),
        lines=("ORANGE", "JUICE", "1 L", "$2.80"), size_m=(0.085, 0.085, 0.235), gable=True, paper=(250, 176, 60), ink=(92, 40, 6), mass_kg=1.05,
        adjectives=("orange",), roles=("label", "food", "drinkable"), **R,
    )  # fmt: skip
    scene.put(
        "yogurt_1", "jar", "yogurt", (6.73, 7.57, high), 0.0, category="yogurt", lines=("YOGURT", "150 g", "use by 2 DEC"), neck="tube", radius_m=0.036, height_m=0.095,
        body="white", ink=(150, 30, 70), mass_kg=0.17, adjectives=("pink-white",), nouns=("yoghurt",), **R,
    )  # fmt: skip
    scene.put(
        "butter_1", "carton", "butter", (6.87, 7.57, high), 0.0, category="butter", lines=("BUTTER", "250 g"), size_m=(0.11, 0.07, 0.045), printed="front",
        paper=(248, 224, 130), ink=(40, 60, 120), mass_kg=0.25, adjectives=("yellow",), **R,
    )  # fmt: skip
    scene.put(
        "cheese_1", "carton", "cheese", (7.02, 7.57, high), 0.0, category="cheese", lines=("CHEESE", "300 g", "$4.50"), size_m=(0.10, 0.06, 0.085),
        paper=(244, 176, 60), ink=(110, 44, 10), mass_kg=0.3, adjectives=("orange",), **R,
    )  # fmt: skip
    scene.put(
        "water_bottle_1", "jar", "water_bottle", (6.75, 7.57, low), 0.0, category="water_bottle", nouns=("water", "bottle"), lines=("WATER", "750 ml"), neck="bottle",
        radius_m=0.038, height_m=0.27, body="turquoise", lid="white", ink=(10, 80, 140), mass_kg=0.8, roles=("label", "drinkable"), adjectives=("turquoise",), **R,
    )  # fmt: skip
    scene.put(
        "egg_box_1", "carton", "egg_box", (6.96, 7.58, low), 0.0, category="egg_box", nouns=("eggs", "egg carton"), lines=("6 EGGS", "size M", "use by 9 DEC"),
        size_m=(0.16, 0.11, 0.075), paper=(206, 196, 178), ink=(60, 50, 40), mass_kg=0.4, adjectives=("grey",), **R,
    )  # fmt: skip
    scene.put(
        "peas_1", "carton", "peas", (7.42, 7.57, 0.46), 0.0, category="peas", nouns=("frozen peas",), lines=("PEAS", "frozen", "450 g"), size_m=(0.15, 0.05, 0.18),
        paper=(90, 160, 80), ink=(250, 250, 240), mass_kg=0.45, adjectives=("green",), **R,
    )  # fmt: skip
    scene.put(
        "ice_cream_1", "jar", "ice_cream", (7.61, 7.57, 0.46), 0.0, category="ice_cream", lines=("ICE CREAM", "VANILLA", "500 ml"), neck="tube", radius_m=0.055,
        height_m=0.11, body="beige", lid="brown", ink=(96, 56, 20), mass_kg=0.5, nouns=("ice cream tub",), adjectives=("beige",), **R,
    )  # fmt: skip


def _in_cabinets(scene: SceneMaker) -> None:
    up, top = 1.398, 1.71
    scene.put("glass_1", "vessel", "glass", (7.65, 7.76, up), 0.0, shape="glass", colour="white", category="glass", **R)
    scene.put("glass_2", "vessel", "glass", (7.79, 7.76, up), 0.0, shape="glass", colour="white", category="glass", **R)
    scene.put("white_bowl_1", "vessel", "bowl_white", (7.72, 7.79, top), 0.0, shape="bowl", colour="white", category="white_bowl", **R)
    scene.put(
        "sugar_1", "carton", "sugar", (9.29, 7.755, up), 0.0, category="sugar", lines=("SUGAR", "1 kg", "$1.40"), size_m=(0.10, 0.07, 0.15), paper=(250, 250, 250),
        ink=(170, 30, 60), mass_kg=1.0, adjectives=("white",), **R,
    )  # fmt: skip
    scene.put(
        "flour_1", "carton", "flour", (9.45, 7.755, up), 0.0, category="flour", lines=("FLOUR", "1 kg", "wheat"), size_m=(0.11, 0.075, 0.17), paper=(238, 226, 200),
        ink=(90, 60, 30), mass_kg=1.0, adjectives=("beige",), **R,
    )  # fmt: skip
    scene.put(
        "honey_jar_1", "jar", "honey_jar", (10.56, 7.76, up), 0.0, category="honey_jar", nouns=("honey", "jar"), lines=("HONEY", "350 g", "$6.50"), body="orange", lid="yellow",
        radius_m=0.038, height_m=0.105, mass_kg=0.5, adjectives=("orange",), **R,
    )  # fmt: skip
    scene.put(
        "jam_jar_1", "jar", "jam_jar", (10.70, 7.76, up), 0.0, category="jam_jar", nouns=("jam", "jar"), lines=("JAM", "strawberry", "340 g"), body="red", lid="white",
        radius_m=0.038, height_m=0.105, mass_kg=0.5, adjectives=("red",), **R,
    )  # fmt: skip
    scene.put("cooking_pot_1", "vessel", "pot_steel", (9.34, 7.66, 0.48), 0.0, shape="pot", colour="grey", category="cooking_pot", nouns=("pot",), **R)
    scene.put("blue_plate_1", "vessel", "plate_blue", (10.46, 7.62, 0.48), 0.0, shape="plate", colour="blue", category="blue_plate", **R)
    scene.put(
        "glass_cleaner_1", "jar", "glass_cleaner", (8.56, 7.60, 0.118), 0.0, category="glass_cleaner", nouns=("cleaner", "bottle"), lines=("GLASS", "CLEANER", "500 ml"),
        neck="bottle", radius_m=0.04, height_m=0.24, body="blue", lid="white", ink=(20, 60, 130), roles=("label",), mass_kg=0.55, adjectives=("blue",), **R,
    )  # fmt: skip
    z = 0.47 + 0.024
    for key, x in (("spoon_1", 7.94), ("fork_1", 8.02), ("knife_1", 8.11)):
        kind = key[:-2]
        scene.put(key, "cutlery", kind, (x, 7.63, z), 0.0, kind=kind, **R)
    scene.put("tape_1", "gadget", "tape_blue", (7.96, 7.60, 0.1 + 0.024), 0.0, kind="tape", colour="blue", nouns=("roll of tape",), **R)
    scene.put("wooden_spoon_1", "cutlery", "wooden_spoon", (8.13, 7.66, 0.1 + 0.024), 0.0, kind="wooden_spoon", nouns=("cooking spoon",), **R)
