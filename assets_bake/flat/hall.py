"""The hall: corridor to all rooms, entrance with console table, shoe cabinet and coats."""

from __future__ import annotations

from assets_bake.flat.lights import ceiling_lamp
from assets_bake.looks import OAK, WALNUT, WHITE_PAINT, plain, textured
from assets_bake.scene_maker import SceneMaker

ROOM = "hall"
CONSOLE, SHOES = 0.8, 0.86


def furnish(scene: SceneMaker) -> None:
    """Add the hall's fixtures and movables."""
    scene.room = ROOM
    scene.put(
        "console_table_1",
        "table",
        "console_table",
        (10.8, 2.4, 0.0),
        "W",
        category="console_table",
        nouns=("hall table", "table", "console"),
        size_m=(1.0, 0.36, CONSOLE),
        look=WALNUT,
        leg_m=0.04,
        shelf_m=0.22,
    )
    scene.put(
        "shoe_cabinet_1",
        "cabinet",
        "shoe_cabinet",
        (8.70, 1.45, 0.0),
        "E",
        category="shoe_cabinet",
        nouns=("cabinet", "cupboard"),
        size_m=(0.9, 0.34, SHOES),
        plinth_m=0.06,
        shelves_m=(0.45,),
        look=WHITE_PAINT,
        inside=OAK,
        door_width_m=0.46,
        surface=True,
        adjectives=("white",),
        handle_z_m=0.68,
    )
    _decor(scene)
    _things(scene)
    ceiling_lamp(scene, "hall_lamp_1", ROOM, (9.75, 2.2), (10.62, 0.0), "N")
    ceiling_lamp(scene, "hall_lamp_2", ROOM, (6.9, 3.64), (7.6, 2.9), "N", 0.8)
    scene.spots["hall"] = (9.7, 2.5, 1.5707963)
    scene.spots["start"] = (9.7, 2.5, 1.5707963)


def _decor(scene: SceneMaker) -> None:
    scene.put(
        "front_door_1",
        "decor",
        "front_door",
        (9.9, 0.0, 0.0),
        "N",
        kind="front_door",
        size_m=(0.92, 2.05),
        look=textured("walnut", 0.9, (0.95, 0.88, 0.82), 0.5),
    )
    scene.put("coat_hooks_1", "decor", "coat_hooks", (8.52, 0.48, 1.65), "E", kind="hooks", size_m=(0.8, 0.1))
    scene.put("umbrella_stand_1", "decor", "umbrella_stand", (10.8, 0.28, 0.0), 0.5, kind="umbrella_stand")
    scene.put("mirror_3", "decor", "mirror_hall", (11.0, 2.4, 1.55), "W", kind="mirror", size_m=(0.55, 0.95), look=WALNUT)
    scene.put(
        "rug_4",
        "decor",
        "rug_doormat",
        (9.9, 0.52, 0.0),
        0.0,
        kind="rug",
        size_m=(0.9, 0.55),
        look=textured("carpet", 0.3, (0.46, 0.40, 0.34), 1.0),
    )
    scene.put(
        "rug_5",
        "decor",
        "rug_runner",
        (6.95, 3.64, 0.0),
        0.0,
        kind="rug",
        size_m=(2.6, 0.75),
        look=textured("rug_diamonds", 0.6, roughness=1.0),
    )
    scene.put(
        "picture_6",
        "decor",
        "picture_hall",
        (7.55, 4.38, 1.6),
        "S",
        kind="picture",
        size_m=(0.5, 0.4),
        art="art_hills",
        look=plain((0.15, 0.15, 0.16)),
    )
    scene.put(
        "picture_7",
        "decor",
        "picture_hall",
        (10.3, 4.38, 1.6),
        "S",
        kind="picture",
        size_m=(0.5, 0.4),
        art="art_hills",
        look=plain((0.15, 0.15, 0.16)),
    )
    scene.put("plant_6", "decor", "plant_tall", (10.62, 3.98, 0.0), 4.0, kind="plant", size_m=(0.72, 1.35))


def _things(scene: SceneMaker) -> None:
    scene.put(
        "keys_1", "gadget", "keys", (10.73, 2.08, CONSOLE), 0.9, kind="keys", colour="red", nouns=("key", "bunch of keys", "house keys")
    )
    scene.put(
        "note_card_1",
        "card",
        "note_card",
        (10.74, 2.34, CONSOLE),
        "W",
        category="note_card",
        lines=("Please water", "the plants and", "close the fridge!"),
        size_m=(0.18, 0.13),
        ink=(30, 50, 110),
        paper=(255, 246, 176),
        colour="yellow",
        nouns=("note", "card"),
    )
    scene.put(
        "letter_1",
        "carton",
        "letter",
        (10.75, 2.68, CONSOLE),
        "W",
        category="letter",
        nouns=("envelope", "mail", "post"),
        lines=("CITY WATER", "Invoice $38.20", "due 15 DEC"),
        size_m=(0.22, 0.11, 0.012),
        printed="top",
        paper=(250, 250, 248),
        ink=(30, 34, 60),
        roles=("label",),
        mass_kg=0.03,
        adjectives=("white",),
    )
    scene.put(
        "parcel_1",
        "carton",
        "parcel",
        (8.74, 1.66, SHOES),
        "E",
        category="parcel",
        nouns=("package", "box"),
        lines=("PARCEL", "to: M. Weber", "2.4 kg"),
        size_m=(0.24, 0.18, 0.14),
        paper=(204, 170, 122),
        ink=(40, 28, 16),
        roles=("label",),
        mass_kg=2.4,
        adjectives=("brown", "cardboard"),
    )
    scene.put(
        "glove_basket_1",
        "basket",
        "glove_basket",
        (8.74, 1.28, SHOES),
        1.5708,
        category="glove_basket",
        nouns=("basket",),
        size_m=(0.30, 0.20, 0.12),
    )
    scene.put(
        "tennis_ball_1",
        "fruit",
        "tennis_ball",
        (8.74, 1.28, SHOES + 0.012),
        0.0,
        kind="ball",
        colour="green",
        category="tennis_ball",
        nouns=("ball",),
    )
