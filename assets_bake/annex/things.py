"""Movable things: trays, boxes and pots with lids, parcels, food, tools, a phone."""

from __future__ import annotations

from typing import Any

from assets_bake.annex.heights import CONSOLE, FOLDING, SORTING
from assets_bake.annex.north_rooms import DESK, SIDEBOARD, STORE_TABLE
from assets_bake.annex.south_rooms import CART_AT, CART_TOP, COFFEE, TABLE, TOP
from assets_bake.annex.workshop import BENCH, RACK_AT, RACK_SHELVES
from assets_bake.looks import STEEL
from assets_bake.scene_maker import SceneMaker

BOX, CANISTER, POT = (0.30, 0.22, 0.15), (0.13, 0.13, 0.15), (0.22, 0.22, 0.13)


def furnish(scene: SceneMaker) -> None:
    """Add the movables."""
    _lidded(scene)
    _office(scene)
    _trays(scene)
    _parcels(scene)
    _kitchen(scene)
    _tools(scene)
    _laundry(scene)


def _lidded(scene: SceneMaker) -> None:
    """A box with its lid on, one with its lid beside it, a canister with its lid on, a pot whose lid lies on the counter."""
    lid: dict[str, Any] = {"part": "lid", "form": "box", "size_m": BOX, "nouns": ("cover",)}
    body: dict[str, Any] = {"part": "body", "form": "box", "size_m": BOX, "nouns": ("box", "plastic box")}
    scene.put("storage_box_1", "lidded", "storage_box_blue", (7.55, 8.55, STORE_TABLE), "S", room="store_room", **body)
    scene.put(
        "lid_1",
        "lidded",
        "box_lid_blue",
        (7.55, 8.55, 1.0),
        "S",
        room="store_room",
        mated=("underside", "storage_box_1", "rim"),
        mass_kg=0.2,
        **lid,
    )
    scene.put("storage_box_2", "lidded", "storage_box_green", (8.05, 8.58, STORE_TABLE), "S", room="store_room", colour="green", **body)
    scene.put("lid_2", "lidded", "box_lid_green", (8.42, 8.52, STORE_TABLE), "S", room="store_room", colour="green", mass_kg=0.2, **lid)
    can: dict[str, Any] = {"form": "round", "size_m": CANISTER}
    scene.put(
        "canister_1",
        "lidded",
        "canister",
        (5.1, 0.32, FOLDING),
        "N",
        room="laundry",
        part="body",
        category="canister",
        nouns=("tin", "soap tin"),
        colour="white",
        mass_kg=0.4,
        **can,
    )
    scene.put(
        "canister_lid_1",
        "lidded",
        "canister_lid",
        (5.1, 0.32, 1.2),
        "N",
        room="laundry",
        part="lid",
        category="canister_lid",
        nouns=("lid", "cover"),
        colour="red",
        mass_kg=0.1,
        mated=("underside", "canister_1", "rim"),
        **can,
    )
    pot: dict[str, Any] = {"form": "round", "size_m": POT, "look": STEEL}
    scene.put(
        "pot_1",
        "lidded",
        "pot",
        (1.30, 0.33, TOP),
        "N",
        room="kitchen",
        part="body",
        category="pot",
        nouns=("saucepan",),
        mass_kg=1.1,
        **pot,
    )
    scene.put(
        "pot_lid_1",
        "lidded",
        "pot_lid",
        (0.95, 0.36, TOP),
        "N",
        room="kitchen",
        part="lid",
        category="pot_lid",
        nouns=("lid", "cover"),
        mass_kg=0.35,
        **pot,
    )
    scene.put(
        "torch_1",
        "gadget",
        "torch",
        (7.52, 8.55, STORE_TABLE + 0.008),
        0.0,
        room="store_room",
        kind="torch",
        colour="red",
        nouns=("flashlight",),
    )
    scene.put("soap_1", "gadget", "soap", (5.1, 0.32, FOLDING + 0.008), 0.0, room="laundry", kind="soap", colour="white")


def _office(scene: SceneMaker) -> None:
    scene.put("phone_1", "gadget", "phone", (0.42, 7.75, DESK), 1.2, room="office", kind="phone", nouns=("mobile", "telephone"))
    scene.put(
        "red_mug_1", "vessel", "mug_red", (0.52, 6.85, DESK), 0.6, room="office", colour="red", category="red_mug", nouns=("mug", "cup")
    )
    scene.put(
        "note_card_1",
        "card",
        "note_card",
        (3.66, 6.2, SIDEBOARD),
        "W",
        room="office",
        category="note_card",
        lines=("Sign goes to", "the hall table"),
        size_m=(0.18, 0.13),
        ink=(30, 50, 110),
        paper=(255, 246, 176),
        colour="yellow",
        nouns=("note", "card"),
    )


def _trays(scene: SceneMaker) -> None:
    tray: dict[str, Any] = {
        "material": "wooden",
        "category": "tray",
        "nouns": ("serving tray",),
        "size_m": (0.46, 0.32, 0.05),
        "handles": True,
    }
    scene.put("tray_1", "basket", "tray", (3.64, 6.62, SIDEBOARD), "W", room="office", mass_kg=0.7, **tray)
    scene.put("tray_2", "basket", "tray", (12.0, 1.55, COFFEE), "N", room="break_room", mass_kg=0.7, **tray)
    scene.put(
        "cup_1", "vessel", "cup_white", (12.05, 1.55, COFFEE + 0.012), 0.0, room="break_room", shape="cup", category="cup", nouns=("cup",)
    )


def _parcels(scene: SceneMaker) -> None:
    def parcel(
        key: str,
        at: tuple[float, float, float],
        facing: str | float,
        room: str,
        asset: str,
        lines: tuple[str, ...],
        size: tuple[float, float, float],
    ) -> None:
        scene.put(
            key,
            "carton",
            asset,
            at,
            facing,
            room=room,
            category="parcel",
            nouns=("package", "box"),
            lines=lines,
            size_m=size,
            paper=(204, 170, 122),
            ink=(40, 28, 16),
            roles=("label",),
            mass_kg=1.2,
            adjectives=("brown", "cardboard"),
        )

    x, y = CART_AT
    parcel("parcel_1", (x, y + 0.12, CART_TOP), "S", "mail_room", "parcel_weber", ("PARCEL", "to: M. Weber"), (0.24, 0.18, 0.14))
    parcel("parcel_2", (x, y - 0.02, 0.20), "S", "mail_room", "parcel_lind", ("PARCEL", "to: A. Lind"), (0.20, 0.16, 0.12))
    parcel("parcel_3", (6.95, 2.25, SORTING), "E", "mail_room", "parcel_okoro", ("PARCEL", "to: J. Okoro"), (0.20, 0.16, 0.12))
    rx, ry = RACK_AT
    parcel("parcel_4", (rx, ry + 0.10, RACK_SHELVES[1]), "W", "workshop", "parcel_parts", ("SCREWS", "500 pcs"), (0.20, 0.16, 0.12))
    parcel("parcel_5", (rx, ry, RACK_SHELVES[0]), "W", "workshop", "parcel_paint", ("PAINT", "matt white"), (0.22, 0.18, 0.16))
    scene.put(
        "letter_1",
        "carton",
        "letter",
        (13.86, 4.45, CONSOLE),
        "W",
        room="hall",
        category="letter",
        nouns=("envelope", "mail"),
        lines=("CITY WATER", "Invoice $38.20"),
        size_m=(0.22, 0.11, 0.012),
        printed="top",
        paper=(250, 250, 248),
        ink=(30, 34, 60),
        roles=("label",),
        mass_kg=0.03,
        adjectives=("white",),
    )


def _kitchen(scene: SceneMaker) -> None:
    scene.room = "kitchen"
    scene.put("apple_1", "fruit", "apple_red", (3.04, 1.68, TABLE), 0.0, kind="apple", colour="red", category="apple")
    scene.put("orange_1", "fruit", "orange", (3.12, 2.13, TABLE), 0.0, kind="orange", colour="orange", category="orange")
    scene.put("kettle_1", "kettle", "kettle", (0.42, 0.30, TOP), "N")
    scene.put("sponge_1", "gadget", "sponge", (1.66, 0.38, TOP), 0.2, kind="sponge", colour="yellow")
    scene.put("knife_1", "cutlery", "knife", (3.14, 1.88, TABLE), 0.4, kind="knife")


def _laundry(scene: SceneMaker) -> None:
    """A used towel in the basket: what the washing machine and the dryer are for."""
    scene.put(
        "white_towel_1",
        "textile",
        "hand_towel_white",
        (4.2, 2.2, 0.012),
        1.5708,
        room="laundry",
        kind="towel",
        colour="white",
        category="white_towel",
        nouns=("towel",),
        attributes={"clean": False, "wet": False},
        size_m=(0.18, 0.13, 0.05),
    )


def _tools(scene: SceneMaker) -> None:
    scene.room = "workshop"
    scene.put("tape_1", "gadget", "tape", (12.42, 8.78, BENCH), 0.0, kind="tape", colour="brown")
    scene.put("torch_2", "gadget", "torch_black", (12.15, 8.62, BENCH), 0.3, kind="torch", colour="black", nouns=("flashlight",))
