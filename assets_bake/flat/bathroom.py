"""The bathroom: bathtub, toilet, vanity with mirror, washing machine, open shelf."""

from __future__ import annotations

from assets_bake.flat.lights import ceiling_lamp
from assets_bake.looks import BIRCH, OAK, textured
from assets_bake.scene_maker import SceneMaker

ROOM = "bathroom"
SINK = 0.86


def furnish(scene: SceneMaker) -> None:
    """Add the bathroom's fixtures and movables."""
    scene.room = ROOM
    scene.put("bathtub_1", "bathtub", "bathtub", (5.505, 0.97, 0.0), "E")
    scene.put("toilet_1", "toilet", "toilet", (6.6, 0.345, 0.0), "N")
    scene.put("bathroom_sink_1", "vanity", "bathroom_sink", (8.165, 1.5, 0.0), "W")
    scene.put("washing_machine_1", "washing_machine", "washing_machine", (8.1, 0.60, 0.0), "W")
    scene.put(
        "bathroom_shelf_1",
        "cabinet",
        "bathroom_shelf",
        (7.74, 2.625, 0.0),
        "S",
        category="bathroom_shelf",
        nouns=("shelf", "shelves"),
        size_m=(0.56, 0.3, 1.55),
        plinth_m=0.06,
        shelves_m=(0.42, 0.80, 1.16),
        door=False,
        look=BIRCH,
        inside=BIRCH,
        adjectives=("wooden",),
    )
    _decor(scene)
    _things(scene)
    ceiling_lamp(scene, "bathroom_lamp_1", ROOM, (6.9, 1.5), (7.39, 2.78), "S", 0.9)
    scene.spots["bathroom"] = (7.0, 1.7, -0.4)


def _decor(scene: SceneMaker) -> None:
    scene.put("mirror_1", "decor", "mirror_bath", (8.4, 1.5, 1.5), "W", kind="mirror", size_m=(0.8, 0.9), look=OAK)
    scene.put("shower_1", "decor", "shower", (5.5, 0.0, 1.15), "N", kind="shower")
    terry = textured("terry", 0.1, (0.36, 0.56, 0.66), 1.0)
    scene.put("towel_rail_1", "decor", "towel_rail", (5.62, 2.78, 1.25), "S", kind="towel_rail", size_m=(0.6, 0.5), look=terry)
    mat = textured("terry", 0.1, (0.44, 0.60, 0.68), 1.0)
    scene.put("rug_3", "decor", "rug_bath", (6.2, 1.1, 0.0), 1.5708, kind="rug", size_m=(0.8, 0.5), look=mat)
    scene.put("plant_5", "decor", "plant_small", (5.32, 2.5, 0.0), 0.7, kind="plant", size_m=(0.3, 0.4))


def _things(scene: SceneMaker) -> None:
    scene.put(
        "toothbrush_cup_1",
        "vessel",
        "cup_turquoise",
        (8.06, 1.84, SINK),
        0.0,
        shape="cup",
        colour="turquoise",
        category="toothbrush_cup",
        nouns=("cup", "tumbler"),
    )
    scene.put("toothbrush_1", "gadget", "toothbrush", (8.0, 1.76, SINK), 0.1, kind="toothbrush", colour="red")
    scene.put("soap_1", "gadget", "soap", (8.05, 1.20, SINK), 1.5, kind="soap", colour="pink", nouns=("bar of soap",))
    scene.put(
        "shampoo_1",
        "jar",
        "shampoo",
        (7.64, 2.57, 0.80),
        -0.634,
        category="shampoo",
        nouns=("bottle",),
        lines=("SHAMPOO", "300 ml"),
        neck="bottle",
        radius_m=0.034,
        height_m=0.2,
        body="purple",
        lid="white",
        roles=("label",),
        mass_kg=0.35,
        adjectives=("purple",),
    )
    scene.put(
        "hand_cream_1",
        "carton",
        "hand_cream",
        (7.80, 2.57, 0.80),
        0.0,
        category="hand_cream",
        nouns=("cream",),
        lines=("HAND", "CREAM", "75 ml"),
        size_m=(0.055, 0.04, 0.13),
        paper=(240, 226, 230),
        ink=(130, 40, 80),
        roles=("label",),
        mass_kg=0.1,
        adjectives=("pink",),
    )
    scene.put(
        "yellow_duck_1",
        "toy",
        "duck_yellow",
        (7.92, 2.57, 0.80),
        0.0,
        kind="duck",
        colour="yellow",
        category="yellow_duck",
        nouns=("rubber duck", "duck", "toy"),
    )
    scene.put(
        "white_towel_1",
        "textile",
        "towel_white",
        (7.74, 2.58, 0.42),
        0.0,
        kind="towel",
        colour="white",
        category="white_towel",
        nouns=("towel",),
    )
    scene.put(
        "blue_towel_1",
        "textile",
        "towel_blue",
        (7.74, 2.58, 1.16),
        0.0,
        kind="towel",
        colour="blue",
        category="blue_towel",
        nouns=("towel",),
    )
    scene.put(
        "washing_powder_1",
        "carton",
        "washing_powder",
        (8.06, 0.47, 0.85),
        "W",
        category="washing_powder",
        nouns=("detergent",),
        lines=("WASHING", "POWDER", "2 kg"),
        size_m=(0.15, 0.09, 0.20),
        paper=(40, 110, 170),
        ink=(250, 250, 250),
        roles=("label",),
        mass_kg=1.6,
        adjectives=("blue",),
    )
    scene.put(
        "laundry_basket_1",
        "basket",
        "laundry_basket",
        (7.04, 0.25, 0.0),
        0.0,
        category="laundry_basket",
        nouns=("basket", "hamper"),
        size_m=(0.44, 0.32, 0.38),
        handles=True,
        mass_kg=1.2,
    )
