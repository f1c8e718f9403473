"""The living room: sofa before the television, bookshelf, armchair at the window, sideboard."""

from __future__ import annotations

from assets_bake.flat.lights import ceiling_lamp, standing_lamp
from assets_bake.looks import OAK, WALNUT, WHITE_PAINT, textured
from assets_bake.scene_maker import SceneMaker

ROOM = "living_room"
COFFEE, SIDEBOARD, SEAT = 0.42, 0.8, 0.43


def furnish(scene: SceneMaker) -> None:
    """Add the living room's fixtures and movables."""
    scene.room = ROOM
    _furniture(scene)
    _decor(scene)
    _on_tables(scene)
    _shelf(scene)
    ceiling_lamp(scene, "living_room_lamp_1", ROOM, (3.1, 6.2), (5.17, 4.5), "N", 1.15)
    standing_lamp(scene, "floor_lamp_1", ROOM, (0.42, 7.66, 0.0), "E", "floor", on=True)
    standing_lamp(scene, "table_lamp_1", ROOM, (4.26, 7.74, 0.5), "S", "table")
    scene.spots["living_room"] = (5.2, 5.5, 2.6)


def _furniture(scene: SceneMaker) -> None:
    scene.put(
        "tv_stand_1",
        "cabinet",
        "tv_stand",
        (0.22, 6.55, 0.0),
        "E",
        category="tv_stand",
        nouns=("tv bench", "low shelf"),
        size_m=(1.6, 0.4, 0.46),
        feet_m=0.1,
        shelves_m=(0.28,),
        door=False,
        top=True,
        look=WALNUT,
        inside=WALNUT,
        adjectives=("low", "wooden"),
    )
    scene.put("tv_1", "electronics", "tv", (0.17, 6.55, 0.46), "E", kind="tv", nouns=("television", "telly"))
    scene.put("sofa_1", "sofa", "sofa_blue", (3.45, 6.9, 0.0), "W")
    scene.put(
        "coffee_table_1",
        "table",
        "coffee_table",
        (1.85, 6.85, 0.0),
        "E",
        category="coffee_table",
        nouns=("table", "low table"),
        size_m=(1.0, 0.6, COFFEE),
        look=WALNUT,
        leg_m=0.05,
        shelf_m=0.16,
        adjectives=("low", "wooden"),
    )
    scene.put(
        "armchair_1",
        "sofa",
        "armchair_mustard",
        (5.16, 7.44, 0.0),
        "S",
        category="armchair",
        nouns=("chair", "easy chair"),
        colour=(0.78, 0.60, 0.26),
        adjectives=("yellow",),
        width_m=0.86,
        depth_m=0.82,
        seats=1,
    )
    scene.put(
        "side_table_1",
        "table",
        "side_table",
        (4.2, 7.7, 0.0),
        "S",
        category="side_table",
        nouns=("table", "small table"),
        size_m=(0.44, 0.44, 0.5),
        look=OAK,
        leg_m=0.035,
        adjectives=("small", "wooden"),
    )
    scene.put(
        "sideboard_1",
        "cabinet",
        "sideboard",
        (3.9, 4.74, 0.0),
        "N",
        category="sideboard",
        nouns=("cabinet", "cupboard"),
        size_m=(1.4, 0.42, SIDEBOARD),
        feet_m=0.14,
        shelves_m=(0.45,),
        look=WALNUT,
        inside=OAK,
        front=WHITE_PAINT,
        door_width_m=0.69,
        surface=True,
        adjectives=("wooden",),
        handle_z_m=0.64,
    )
    scene.put(
        "bookshelf_1",
        "cabinet",
        "bookshelf",
        (6.24, 6.6, 0.0),
        "W",
        category="bookshelf",
        nouns=("shelf", "bookcase", "shelves"),
        size_m=(0.9, 0.3, 1.85),
        plinth_m=0.06,
        shelves_m=(0.44, 0.80, 1.22, 1.56),
        door=False,
        look=OAK,
        inside=OAK,
        adjectives=("tall", "wooden"),
    )


def _decor(scene: SceneMaker) -> None:
    rug = textured("rug_stripes", 0.9, roughness=1.0)
    scene.put("rug_1", "decor", "rug_living", (1.95, 6.85, 0.0), 1.5708, kind="rug", size_m=(2.5, 1.9), look=rug)
    scene.put("picture_2", "decor", "picture_hills", (2.1, 4.5, 1.6), "N", kind="picture", size_m=(0.9, 0.68), art="art_hills", look=WALNUT)
    scene.put("picture_3", "decor", "picture_sea", (6.4, 7.5, 1.65), "W", kind="picture", size_m=(0.6, 0.48), art="art_sea")
    scene.put("plant_1", "decor", "plant_tall", (6.09, 7.69, 0.0), 0.0, kind="plant", size_m=(0.72, 1.35))
    scene.put("plant_2", "decor", "plant_small", (0.24, 5.2, 0.0), 1.0, kind="plant", size_m=(0.3, 0.4))
    for k, (y, z, length) in enumerate(
        ((6.2, 0.44, 0.42), (6.175, 1.56, 0.5), (6.62, 0.078, 0.38), (6.6, 1.22, 0.36), (6.175, 0.80, 0.22)), 1
    ):
        scene.put(f"book_row_{k}", "book_row", f"book_row_{k}", (6.14, y + length, z), "W", length_m=length, seed=k)


def _on_tables(scene: SceneMaker) -> None:
    scene.put("white_bowl_1", "vessel", "bowl_white", (1.74, 6.62, COFFEE), 0.0, shape="bowl", colour="white", category="white_bowl")
    scene.put("remote_1", "gadget", "remote", (2.03, 6.60, COFFEE), 0.5, kind="remote", nouns=("remote control", "tv remote"))
    scene.put("blue_mug_1", "vessel", "mug_blue", (2.0, 6.83, COFFEE), 2.2, shape="mug", colour="blue", category="blue_mug")
    scene.put(
        "green_book_1",
        "book",
        "book_green",
        (1.98, 7.13, COFFEE),
        1.75,
        colour="green",
        lines=("GARDEN", "BIRDS", "A field guide"),
        category="green_book",
        nouns=("book",),
    )
    scene.put(
        "red_cushion_1",
        "textile",
        "cushion_red",
        (3.3, 6.32, SEAT),
        0.0,
        kind="cushion",
        colour="red",
        category="red_cushion",
        nouns=("cushion", "pillow"),
    )
    scene.put(
        "yellow_cushion_1",
        "textile",
        "cushion_yellow",
        (3.3, 7.48, SEAT),
        0.0,
        kind="cushion",
        colour="yellow",
        category="yellow_cushion",
        nouns=("cushion", "pillow"),
    )
    scene.put("radio_1", "electronics", "radio", (3.42, 4.72, SIDEBOARD), "N", kind="radio")
    scene.put(
        "red_notebook_1",
        "book",
        "notebook_red",
        (3.82, 4.80, SIDEBOARD),
        "N",
        colour="red",
        lines=("NOTES", "2026"),
        category="red_notebook",
        nouns=("notebook", "journal"),
        size_m=(0.14, 0.19, 0.018),
        mass_kg=0.25,
    )
    scene.put(
        "white_candle_1",
        "gadget",
        "candle_white",
        (4.07, 4.82, SIDEBOARD),
        0.0,
        kind="candle",
        colour="white",
        category="white_candle",
        nouns=("candle",),
    )
    scene.put("vase_1", "vessel", "vase_turquoise", (4.40, 4.74, SIDEBOARD), 0.0, shape="vase", colour="turquoise", category="vase")
    scene.put(
        "puzzle_box_1",
        "carton",
        "puzzle_box",
        (4.27, 4.83, 0.45),
        "N",
        category="puzzle_box",
        nouns=("jigsaw", "puzzle", "game"),
        lines=("PUZZLE", "LAKE VIEW", "500 pieces"),
        size_m=(0.26, 0.16, 0.06),
        printed="front",
        paper=(70, 120, 170),
        ink=(250, 250, 244),
        roles=("label",),
        mass_kg=0.5,
        adjectives=("blue",),
    )
    scene.put(
        "reading_glasses_case_1",
        "gadget",
        "glasses_case",
        (4.12, 7.60, 0.5),
        0.1,
        kind="glasses_case",
        colour="brown",
        category="reading_glasses_case",
        nouns=("glasses case", "reading glasses", "glasses"),
    )
    scene.put(
        "toy_car_1", "toy", "toy_car_red", (0.31, 5.93, 0.46), 1.2, kind="car", colour="red", category="toy_car", nouns=("car", "toy")
    )
    scene.put(
        "toy_basket_1",
        "basket",
        "toy_basket",
        (2.1, 4.74, 0.0),
        0.0,
        category="toy_basket",
        nouns=("basket",),
        size_m=(0.40, 0.30, 0.22),
        handles=True,
        mass_kg=0.7,
    )
    scene.put(
        "teddy_1",
        "toy",
        "teddy_brown",
        (2.01, 4.74, 0.012),
        1.5,
        kind="teddy",
        colour="brown",
        category="teddy",
        nouns=("teddy bear", "bear", "toy"),
    )
    scene.put(
        "yellow_block_1",
        "toy",
        "block_yellow",
        (2.2, 4.71, 0.012),
        0.3,
        kind="block",
        colour="yellow",
        category="yellow_block",
        nouns=("block", "toy block"),
    )


def _shelf(scene: SceneMaker) -> None:
    books = (
        ("red_book_1", "red", ("TRAINS OF", "EUROPE"), 6.50, 0.80),
        ("blue_book_1", "blue", ("THE DEEP", "SEA"), 6.58, 0.80),
        ("yellow_book_1", "yellow", ("BREAD", "& CAKE"), 6.66, 0.80),
        ("purple_book_1", "purple", ("NIGHT SKY", "ATLAS"), 6.26, 1.22),
    )
    for key, colour, lines, y, z in books:
        ink = (40, 30, 20) if colour == "yellow" else (250, 246, 236)
        scene.put(
            key,
            "book",
            f"standing_{key[:-2]}",
            (6.19, y, z),
            "W",
            colour=colour,
            lines=lines,
            category=key[:-2],
            nouns=("book",),
            standing=True,
            ink=ink,
            size_m=(0.15, 0.21, 0.036),
        )
    scene.put(
        "storage_box_1",
        "basket",
        "storage_box_white",
        (6.255, 6.80, 0.44),
        "W",
        category="storage_box",
        material="white",
        nouns=("box", "white box"),
        size_m=(0.28, 0.22, 0.15),
    )
    scene.put(
        "photo_card_1",
        "card",
        "photo_card",
        (6.19, 6.86, 0.80),
        "W",
        category="photo_card",
        lines=("LAKE TRIP", "JULY 2025"),
        size_m=(0.15, 0.11),
        paper=(206, 226, 236),
        nouns=("card", "postcard"),
    )
    scene.put(
        "flower_pot_1",
        "vessel",
        "planter_orange",
        (6.2, 6.42, 1.22),
        0.0,
        shape="planter",
        colour="orange",
        category="flower_pot",
        nouns=("pot", "planter"),
    )
