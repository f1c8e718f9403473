"""The bedroom: double bed with nightstands, wardrobe, dresser, desk under the window."""

from __future__ import annotations

from assets_bake.flat.lights import ceiling_lamp, standing_lamp
from assets_bake.looks import OAK, WHITE_PAINT, textured
from assets_bake.scene_maker import SceneMaker

ROOM = "bedroom"
DESK, NIGHT, CHEST = 0.74, 0.56, 0.8


def furnish(scene: SceneMaker) -> None:
    """Add the bedroom's fixtures and movables."""
    scene.room = ROOM
    _furniture(scene)
    _decor(scene)
    _on_furniture(scene)
    _inside(scene)
    ceiling_lamp(scene, "bedroom_lamp_1", ROOM, (2.7, 2.3), (5.0, 3.02), "W")
    standing_lamp(scene, "table_lamp_2", ROOM, (0.2, 3.20, NIGHT), "E", "table", on=True)
    scene.spots["bedroom"] = (3.5, 2.9, 3.6)


def _furniture(scene: SceneMaker) -> None:
    scene.put("bed_1", "bed", "bed_double", (1.06, 2.0, 0.0), "E")
    for key, y in (("nightstand_1", 0.90), ("nightstand_2", 3.10)):
        scene.put(
            key,
            "drawer",
            "nightstand",
            (0.23, y, 0.0),
            "E",
            category="nightstand",
            nouns=("bedside table", "drawer", "night table"),
            size_m=(0.45, 0.4, 0.23),
            lift_m=0.33,
            travel_m=0.24,
            look=WHITE_PAINT,
            housing=OAK,
            surface=True,
            adjectives=("small",),
        )
    scene.put(
        "wardrobe_1",
        "cabinet",
        "wardrobe",
        (1.95, 4.08, 0.0),
        "S",
        category="wardrobe",
        nouns=("closet", "cupboard"),
        size_m=(1.1, 0.58, 2.05),
        plinth_m=0.08,
        shelves_m=(0.55, 0.98, 1.40),
        look=WHITE_PAINT,
        inside=OAK,
        door_width_m=0.56,
        handle_z_m=1.05,
        hinge="right",
        adjectives=("white", "tall"),
        mass_kg=70.0,
    )
    scene.put("dresser_1", "dresser", "dresser", (4.76, 2.25, 0.0), "W")
    for key, z, word in (("drawer_5", 0.14, "lower"), ("drawer_4", 0.35, "middle"), ("drawer_3", 0.56, "upper")):
        scene.put(
            key,
            "drawer",
            "drawer_bedroom",
            (4.76, 2.25, z),
            "W",
            size_m=(0.88, 0.44, 0.208),
            travel_m=0.28,
            look=WHITE_PAINT,
            housing=OAK,
            nouns=("dresser drawer",),
            adjectives=(word, "bedroom"),
        )
    scene.put(
        "desk_1",
        "table",
        "desk",
        (3.7, 0.47, 0.0),
        "N",
        category="desk",
        nouns=("table", "writing desk"),
        size_m=(1.3, 0.6, DESK),
        look=OAK,
        leg_look=WHITE_PAINT,
    )
    scene.put(
        "desk_chair_1",
        "chair",
        "desk_chair",
        # Aslant as one leaves it: there is a way in at the open side, and the keys are near.
        (4.03, 1.41, 0.0),
        -0.4,
        category="desk_chair",
        nouns=("chair",),
        look=WHITE_PAINT,
        seat=textured("weave", 0.16, (0.50, 0.58, 0.66), 0.95),
        adjectives=("white",),
    )


def _decor(scene: SceneMaker) -> None:
    scene.put(
        "rug_2",
        "decor",
        "rug_bedroom",
        (2.62, 2.05, 0.0),
        1.5708,
        kind="rug",
        size_m=(1.9, 1.0),
        look=textured("carpet", 0.4, (0.82, 0.80, 0.76), 1.0),
    )
    scene.put("picture_4", "decor", "picture_sea", (0.0, 2.0, 1.55), "E", kind="picture", size_m=(0.6, 0.48), art="art_sea")
    scene.put("picture_5", "decor", "picture_shapes", (5.0, 0.7, 1.55), "W", kind="picture", size_m=(0.45, 0.6), art="art_shapes")
    scene.put("mirror_2", "decor", "mirror_round", (5.0, 2.25, 1.5), "W", kind="mirror", size_m=(0.6, 0.8), look=OAK)
    scene.put("plant_4", "decor", "plant_tall", (0.42, 3.98, 0.0), 2.0, kind="plant", size_m=(0.72, 1.35))


def _on_furniture(scene: SceneMaker) -> None:
    scene.put("laptop_1", "electronics", "laptop", (3.7, 0.62, DESK), "N", kind="laptop", nouns=("computer", "notebook computer"))
    scene.put("white_mug_1", "vessel", "mug_white", (4.0, 0.58, DESK), -0.8, shape="mug", colour="white", category="white_mug")
    scene.put(
        "blue_notebook_1",
        "book",
        "notebook_blue",
        (3.3, 0.58, DESK),
        "N",
        colour="blue",
        lines=("WORK", "LOG"),
        category="blue_notebook",
        nouns=("notebook", "journal"),
        size_m=(0.14, 0.19, 0.018),
        mass_kg=0.25,
    )
    scene.put("phone_1", "gadget", "phone", (4.17, 0.61, DESK), 3.0, kind="phone", nouns=("mobile", "cell phone", "smartphone"))
    scene.put(
        "calendar_card_1",
        "card",
        "calendar_card",
        (4.07, 0.31, DESK),
        "N",
        category="calendar_card",
        lines=("DECEMBER", "Tue 1  dentist 9:30", "Wed 2  Anna's birthday", "Fri 4  rent due"),
        weights=(1.2, 1, 1, 1),
        band=(150, 44, 60),
        size_m=(0.22, 0.14),
        left=True,
        nouns=("calendar", "card"),
    )
    scene.put("alarm_clock_1", "gadget", "alarm_clock", (0.25, 1.02, NIGHT), "E", kind="alarm_clock", colour="green", nouns=("clock",))
    scene.put(
        "medicine_box_1",
        "carton",
        "medicine_box",
        (0.32, 0.80, NIGHT),
        "E",
        category="medicine_box",
        nouns=("medicine", "pills", "tablets"),
        lines=("ALLERGY", "TABLETS", "1 each evening", "exp 03/2027"),
        weights=(1.2, 1.2, 0.9, 0.9),
        size_m=(0.12, 0.04, 0.08),
        paper=(250, 250, 252),
        ink=(20, 90, 110),
        band=(24, 120, 140),
        roles=("label", "medicine"),
        mass_kg=0.06,
        adjectives=("white",),
    )
    scene.put(
        "orange_book_1",
        "book",
        "book_orange",
        (0.34, 3.01, NIGHT),
        "E",
        colour="orange",
        lines=("THE QUIET", "HARBOUR", "a novel"),
        category="orange_book",
        nouns=("book", "novel"),
    )
    scene.put(
        "jewellery_box_1",
        "basket",
        "jewellery_box",
        (4.72, 2.52, CHEST),
        "W",
        category="jewellery_box",
        material="wooden",
        nouns=("box", "jewelry box"),
        size_m=(0.22, 0.16, 0.08),
    )
    scene.put(
        "perfume_1",
        "jar",
        "perfume",
        (4.70, 2.26, CHEST),
        "W",
        category="perfume",
        lines=("ROSE",),
        neck="bottle",
        radius_m=0.028,
        height_m=0.12,
        body="pink",
        lid="black",
        nouns=("perfume bottle",),
        roles=("label",),
        mass_kg=0.2,
        adjectives=("pink",),
    )
    scene.put(
        "pink_candle_1",
        "gadget",
        "candle_pink",
        (4.70, 2.02, CHEST),
        0.0,
        kind="candle",
        colour="pink",
        category="pink_candle",
        nouns=("candle",),
    )
    scene.put(
        "grey_cushion_1",
        "textile",
        "cushion_grey",
        (1.6, 1.75, 0.5),
        0.3,
        kind="cushion",
        colour="grey",
        category="grey_cushion",
        nouns=("cushion", "pillow"),
    )
    scene.put(
        "green_blanket_1",
        "textile",
        "blanket_green",
        (1.65, 2.35, 0.5),
        1.6,
        kind="blanket",
        colour="green",
        category="green_blanket",
        nouns=("blanket",),
    )


def _inside(scene: SceneMaker) -> None:
    z = 0.33 + 0.024
    scene.put("wallet_1", "gadget", "wallet", (0.27, 0.82, z), 0.2, kind="wallet", colour="brown", nouns=("purse",))
    scene.put("torch_1", "gadget", "torch", (0.27, 0.98, z), 0.0, kind="torch", colour="red", nouns=("flashlight",))
    shelf = 0.98
    scene.put(
        "grey_towel_1",
        "textile",
        "towel_grey",
        (2.28, 3.98, shelf),
        0.0,
        kind="towel",
        colour="grey",
        category="grey_towel",
        nouns=("towel",),
    )
    scene.put(
        "shoe_box_1",
        "carton",
        "shoe_box",
        (2.24, 4.0, 0.55),
        0.0,
        category="shoe_box",
        nouns=("box",),
        lines=("SHOES", "size 42"),
        size_m=(0.30, 0.20, 0.12),
        paper=(196, 168, 128),
        ink=(60, 40, 20),
        roles=("label",),
        mass_kg=0.8,
        adjectives=("brown",),
    )
    scene.put(
        "red_scarf_1",
        "textile",
        "scarf_red",
        (2.26, 3.97, 1.40),
        0.0,
        kind="towel",
        colour="red",
        category="red_scarf",
        nouns=("scarf",),
        size_m=(0.22, 0.16, 0.05),
    )
    scene.put(
        "passport_1",
        "book",
        "passport",
        (4.69, 2.40, 0.56 + 0.024),
        "W",
        colour="purple",
        lines=("PASSPORT",),
        category="passport",
        nouns=("pass",),
        size_m=(0.09, 0.125, 0.012),
        mass_kg=0.05,
    )
    scene.put(
        "sewing_box_1",
        "basket",
        "sewing_box",
        (4.69, 2.08, 0.56 + 0.024),
        "W",
        category="sewing_box",
        material="blue",
        nouns=("box", "blue box"),
        size_m=(0.18, 0.14, 0.07),
    )
