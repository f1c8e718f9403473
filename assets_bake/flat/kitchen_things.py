"""What is on and in the kitchen's furniture."""

from __future__ import annotations

from assets_bake.scene_maker import SceneMaker

TOP = 0.9
TABLE = 0.74


def furnish(scene: SceneMaker) -> None:
    """Add the kitchen's movables."""
    _on_worktop(scene)
    _on_table(scene)
    _in_fridge(scene)
    _in_cabinets(scene)


def _on_worktop(scene: SceneMaker) -> None:
    scene.put(
        "coffee_jar_1",
        "jar",
        "coffee_jar_red",
        (7.40, 7.53, TOP),
        0.738,
        lines=("COFFEE", "250 g", "$5.00"),
        lid="red",
        adjectives=("red-lidded",),
        band=(150, 40, 34),
        mass_kg=0.45,
        category="coffee_jar",
        nouns=("coffee", "jar"),
        body="brown",
    )
    scene.put(
        "coffee_jar_2",
        "jar",
        "coffee_jar_blue",
        (7.555, 7.53, TOP),
        0.675,
        lines=("COFFEE", "500 g", "$9.00"),
        lid="blue",
        adjectives=("blue-lidded", "big"),
        radius_m=0.048,
        height_m=0.17,
        band=(36, 70, 140),
        mass_kg=0.75,
        category="coffee_jar",
        nouns=("coffee", "jar"),
        body="brown",
    )
    scene.put(
        "coffee_jar_3",
        "jar",
        "coffee_jar_green",
        (7.71, 7.53, TOP),
        0.606,
        lines=("COFFEE", "200 g", "$4.20"),
        lid="green",
        adjectives=("green-lidded",),
        height_m=0.12,
        band=(40, 104, 56),
        mass_kg=0.38,
        category="coffee_jar",
        nouns=("coffee", "jar"),
        body="brown",
    )
    scene.put(
        "tea_box_1",
        "carton",
        "tea_box",
        (7.88, 7.55, TOP),
        0.0,
        category="tea_box",
        nouns=("tea",),
        lines=("GREEN TEA", "20 bags", "40 g"),
        size_m=(0.13, 0.07, 0.085),
        paper=(232, 240, 220),
        ink=(30, 84, 44),
        band=(30, 104, 54),
        adjectives=("green",),
        mass_kg=0.08,
    )
    scene.put(
        "recipe_card_1",
        "card",
        "recipe_card",
        (8.05, 7.66, TOP),
        0.0,
        category="recipe_card",
        lines=("PANCAKES", "2 eggs", "200 g flour", "300 ml milk"),
        weights=(1.3, 1, 1, 1),
        band=(168, 84, 40),
        size_m=(0.14, 0.14),
        left=True,
        nouns=("recipe", "card"),
    )
    scene.put("kettle_1", "kettle", "kettle", (8.255, 7.6, TOP), 0.0)
    scene.put("sponge_1", "gadget", "sponge_yellow", (9.0, 7.54, TOP), 1.5708, kind="sponge", colour="yellow")
    scene.put(
        "dish_soap_1",
        "jar",
        "dish_soap",
        (9.0, 7.70, TOP),
        -0.185,
        category="dish_soap",
        lines=("DISH SOAP", "LEMON"),
        neck="bottle",
        radius_m=0.032,
        height_m=0.20,
        body="yellow",
        lid="blue",
        adjectives=("yellow",),
        nouns=("soap bottle", "detergent"),
        roles=("label",),
        mass_kg=0.5,
    )
    scene.put(
        "cutting_board_1",
        "cutlery",
        "cutting_board",
        (9.25, 7.62, TOP),
        0.0,
        kind="board",
        category="cutting_board",
        nouns=("board", "chopping board"),
    )
    scene.put("bread_1", "fruit", "bread", (9.25, 7.62, TOP + 0.018), 0.1, kind="bread", colour="brown", nouns=("loaf",))
    scene.put("red_mug_1", "vessel", "mug_red", (9.515, 7.53, TOP), 2.4, shape="mug", colour="red", category="red_mug")
    scene.put(
        "salt_1",
        "jar",
        "salt",
        (9.49, 7.70, TOP),
        -0.459,
        category="salt",
        lines=("SALT", "500 g"),
        neck="tube",
        radius_m=0.036,
        height_m=0.13,
        body="white",
        paper=(250, 250, 252),
        ink=(28, 48, 110),
        band=(28, 60, 130),
        mass_kg=0.5,
        adjectives=("blue-white",),
    )
    scene.put(
        "frying_pan_1", "cutlery", "frying_pan", (9.745, 7.58, TOP + 0.0126), -0.35, kind="pan", category="frying_pan", nouns=("pan",)
    )
    scene.put(
        "cereal_box_1",
        "carton",
        "cereal_box",
        (10.34, 7.58, TOP),
        0.0,
        category="cereal_box",
        nouns=("cereal", "corn flakes"),
        lines=("CORN FLAKES", "with honey", "375 g", "$3.60"),
        weights=(1.4, 0.8, 1, 1),
        size_m=(0.19, 0.065, 0.27),
        paper=(250, 214, 120),
        ink=(120, 30, 24),
        band=(190, 60, 30),
        adjectives=("yellow",),
        mass_kg=0.42,
    )


def _on_table(scene: SceneMaker) -> None:
    scene.put(
        "shopping_card_1",
        "card",
        "shopping_card",
        (10.30, 5.92, TABLE),
        "W",
        category="shopping_card",
        lines=("TO BUY", "milk", "6 eggs", "rye bread", "apples"),
        weights=(1.25, 1, 1, 1, 1),
        band=(44, 92, 140),
        size_m=(0.15, 0.16),
        left=True,
        nouns=("shopping list", "list", "card"),
    )
    scene.put("apple_1", "fruit", "apple_red", (10.50, 6.09, TABLE), 0.0, kind="apple", colour="red")
    scene.put("apple_2", "fruit", "apple_green", (10.66, 6.09, TABLE), 0.6, kind="apple", colour="green")
    scene.put("banana_1", "fruit", "banana", (10.79, 6.03, TABLE), 1.4, kind="banana", colour="yellow")
    scene.put("white_plate_1", "vessel", "plate_white", (10.62, 5.84, TABLE), 0.0, shape="plate", colour="white", category="white_plate")
    scene.put("blue_bowl_1", "vessel", "bowl_blue", (10.30, 5.35, TABLE), 0.0, shape="bowl", colour="blue", category="blue_bowl")
    scene.put(
        "fruit_basket_1",
        "basket",
        "fruit_basket",
        (10.32, 5.63, TABLE),
        1.5708,
        category="fruit_basket",
        nouns=("basket",),
        size_m=(0.30, 0.22, 0.10),
    )
    scene.put("orange_1", "fruit", "orange", (10.31, 5.56, TABLE + 0.012), 0.0, kind="orange", colour="orange")
    scene.put("lemon_1", "fruit", "lemon", (10.33, 5.70, TABLE + 0.012), 0.0, kind="lemon", colour="yellow")


def _in_fridge(scene: SceneMaker) -> None:
    low, mid, high = 0.52, 0.86, 1.16
    scene.put(
        "milk_carton_1",
        "carton",
        "milk_carton",
        (6.79, 7.57, mid),
        0.0,
        category="milk_carton",
        nouns=("milk", "carton"),
        lines=("MILK", "3.5 % fat", "1 L", "use by 5 DEC"),
        weights=(1.6, 0.9, 1.1, 0.9),
        size_m=(0.085, 0.085, 0.235),
        gable=True,
        contents="milk",
        volume_ml=1000,
        paper=(244, 248, 252),
        ink=(20, 60, 150),
        band=(24, 86, 176),
        mass_kg=1.05,
        adjectives=("blue-white",),
        roles=("label", "food", "drinkable"),
    )
    scene.put(
        "juice_carton_1",
        "carton",
        "juice_carton",
        (7.0, 7.57, mid),
        0.0,
        category="juice_carton",
        nouns=("juice", "orange juice", "carton"),
        lines=("ORANGE", "JUICE", "1 L", "$2.80"),
        size_m=(0.085, 0.085, 0.235),
        gable=True,
        contents="juice",
        volume_ml=1000,
        paper=(250, 176, 60),
        ink=(92, 40, 6),
        mass_kg=1.05,
        adjectives=("orange",),
        roles=("label", "food", "drinkable"),
    )
    scene.put(
        "yogurt_1",
        "jar",
        "yogurt",
        (6.80, 7.57, high),
        0.0,
        category="yogurt",
        lines=("YOGURT", "150 g", "2 DEC"),
        neck="tube",
        radius_m=0.036,
        height_m=0.095,
        body="white",
        ink=(150, 30, 70),
        mass_kg=0.17,
        adjectives=("pink-white",),
        nouns=("yoghurt",),
    )
    scene.put(
        "butter_1",
        "carton",
        "butter",
        (6.87, 7.57, 1.44),
        0.0,
        category="butter",
        lines=("BUTTER", "250 g"),
        size_m=(0.11, 0.07, 0.045),
        printed="front",
        paper=(248, 224, 130),
        ink=(40, 60, 120),
        mass_kg=0.25,
        adjectives=("yellow",),
    )
    scene.put(
        "cheese_1",
        "carton",
        "cheese",
        (7.0, 7.57, high),
        0.0,
        category="cheese",
        lines=("CHEESE", "300 g", "$4.50"),
        size_m=(0.10, 0.06, 0.085),
        paper=(244, 176, 60),
        ink=(110, 44, 10),
        mass_kg=0.3,
        adjectives=("orange",),
    )
    scene.put(
        "water_bottle_1",
        "jar",
        "water_bottle",
        (6.79, 7.57, low),
        0.0,
        category="water_bottle",
        nouns=("water", "bottle"),
        lines=("WATER", "750 ml"),
        neck="bottle",
        contents="water",
        volume_ml=750,
        radius_m=0.038,
        height_m=0.27,
        body="turquoise",
        lid="white",
        ink=(10, 80, 140),
        mass_kg=0.8,
        roles=("label", "drinkable"),
        adjectives=("turquoise",),
    )
    scene.put(
        "egg_box_1",
        "carton",
        "egg_box",
        (6.99, 7.58, low),
        0.0,
        category="egg_box",
        nouns=("eggs", "egg carton"),
        lines=("6 EGGS", "size M", "use by 9 DEC"),
        size_m=(0.16, 0.11, 0.075),
        paper=(206, 196, 178),
        ink=(60, 50, 40),
        mass_kg=0.4,
        adjectives=("grey",),
    )
    scene.put(
        "peas_1",
        "carton",
        "peas",
        (7.42, 7.57, 0.46),
        0.0,
        category="peas",
        nouns=("frozen peas",),
        lines=("PEAS", "frozen", "450 g"),
        size_m=(0.15, 0.05, 0.18),
        paper=(90, 160, 80),
        ink=(250, 250, 240),
        mass_kg=0.45,
        adjectives=("green",),
    )
    scene.put(
        "ice_cream_1",
        "jar",
        "ice_cream",
        (7.61, 7.57, 0.46),
        0.0,
        category="ice_cream",
        lines=("ICE CREAM", "VANILLA", "500 ml"),
        neck="tube",
        radius_m=0.055,
        height_m=0.11,
        body="beige",
        lid="brown",
        ink=(96, 56, 20),
        mass_kg=0.5,
        nouns=("ice cream tub",),
        adjectives=("beige",),
    )


def _in_cabinets(scene: SceneMaker) -> None:
    up = 1.368
    scene.put("glass_1", "vessel", "glass", (7.57, 7.735, up), 0.0, shape="glass", colour="white", category="glass")
    scene.put("glass_2", "vessel", "glass", (7.70, 7.735, up), 0.0, shape="glass", colour="white", category="glass")
    scene.put(
        "sugar_1",
        "carton",
        "sugar",
        (9.21, 7.735, up),
        0.0,
        category="sugar",
        lines=("SUGAR", "1 kg", "$1.40"),
        size_m=(0.10, 0.07, 0.15),
        paper=(250, 250, 250),
        ink=(170, 30, 60),
        mass_kg=1.0,
        adjectives=("white",),
    )
    scene.put(
        "flour_1",
        "carton",
        "flour",
        (9.34, 7.735, up),
        0.0,
        category="flour",
        lines=("FLOUR", "1 kg", "wheat"),
        size_m=(0.11, 0.075, 0.17),
        paper=(238, 226, 200),
        ink=(90, 60, 30),
        mass_kg=1.0,
        adjectives=("beige",),
    )
    scene.put(
        "honey_jar_1",
        "jar",
        "honey_jar",
        (10.62, 7.735, up),
        0.0,
        category="honey_jar",
        nouns=("honey", "jar"),
        lines=("HONEY", "350 g", "$6.50"),
        body="orange",
        lid="yellow",
        radius_m=0.038,
        height_m=0.105,
        mass_kg=0.5,
        adjectives=("orange",),
    )
    scene.put(
        "jam_jar_1",
        "jar",
        "jam_jar",
        (10.75, 7.735, up),
        0.0,
        category="jam_jar",
        nouns=("jam", "jar"),
        lines=("JAM", "berries", "340 g"),
        body="red",
        lid="white",
        radius_m=0.038,
        height_m=0.105,
        mass_kg=0.5,
        adjectives=("red",),
    )
    scene.put(
        "cooking_pot_1",
        "vessel",
        "pot_steel",
        (10.04, 7.62, TOP + 0.0126),
        1.5708,
        shape="pot",
        colour="grey",
        category="cooking_pot",
        nouns=("pot",),
    )
    scene.put("blue_plate_1", "vessel", "plate_blue", (10.46, 7.62, 0.48), 0.0, shape="plate", colour="blue", category="blue_plate")
    scene.put(
        "glass_cleaner_1",
        "jar",
        "glass_cleaner",
        (8.56, 7.51, 0.118),
        0.0,
        category="glass_cleaner",
        nouns=("cleaner", "bottle"),
        lines=("GLASS", "CLEANER", "500 ml"),
        neck="bottle",
        radius_m=0.04,
        height_m=0.24,
        body="blue",
        lid="white",
        ink=(20, 60, 130),
        roles=("label",),
        mass_kg=0.55,
        adjectives=("blue",),
    )
    z = 0.60 + 0.024
    for key, x in (("spoon_1", 7.94), ("fork_1", 8.02), ("knife_1", 8.11)):
        kind = key[:-2]
        scene.put(key, "cutlery", kind, (x, 7.63, z), 0.0, kind=kind)
    scene.put("tape_1", "gadget", "tape_blue", (7.96, 7.60, 0.30 + 0.024), 0.0, kind="tape", colour="blue", nouns=("roll of tape",))
    scene.put("wooden_spoon_1", "cutlery", "wooden_spoon", (8.13, 7.66, 0.30 + 0.024), 0.0, kind="wooden_spoon", nouns=("cooking spoon",))
