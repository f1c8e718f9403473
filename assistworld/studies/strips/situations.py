"""One short situation for each verb: a row here is all that a strip needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Changes = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Situation:
    """A verb at work: the scene as changed, where the person stands, the commands before, and the one that the strip shows.

    `watch` names things that belong in the picture besides those that the command names. `with_before` shows the last command
    before as well, for a verb that moves nothing itself; `walks` says that walking is
    what the verb is about, not the way to it; `close` that the work of the hands is, which is watched from near.
    """

    verb: str
    command: str
    before: tuple[str, ...] = ()
    spot: str = "kitchen"
    scene: str = "flat"
    changes: Changes = ()
    watch: tuple[str, ...] = ()
    with_before: bool = False
    walks: bool = False
    close: bool = False


def on(key: str) -> Mapping[str, Any]:
    """It runs."""
    return {"set": key, "attribute": "running", "value": True}


def there(key: str) -> Mapping[str, Any]:
    """A spill or stain is there."""
    return {"set": key, "attribute": "present", "value": True}


SITUATIONS = (
    Situation("navigate_to", "[Walk] <sofa>", watch=("sofa_1",), spot="living_room", walks=True),
    Situation("forward", "[Forward] 1.2", spot="hall", walks=True),
    Situation("turn", "[TurnLeft] 90", spot="hall", walks=True),
    Situation("sit", "[Sit] <armchair>", ("[Walk] <armchair>",), "living_room"),
    Situation("standup", "[StandUp]", ("[Sit] <armchair>",), "living_room", watch=("armchair_1",)),
    Situation("squat", "[Squat]", spot="hall"),
    Situation("pick", "[Grab] <red_mug>", ("[Walk] <red_mug>",)),
    Situation("release", "[Drop] <grey_cushion>", ("[Grab] <grey_cushion>",)),
    Situation("place", "[PutOn] <red_mug> <dining_table>", ("[Grab] <red_mug>", "[Walk] <dining_table>")),
    Situation("place_inside", "[PutIn] <apple> (1) <fridge>", ("[Open] <fridge>", "[Grab] <apple> (1)", "[Walk] <fridge>")),
    Situation("place_on_floor", "[PutOnFloor] <green_book> <coffee_table>", ("[Grab] <green_book>",), "living_room"),
    Situation("fall_to_floor", "[FallToFloor] <red_mug> <kitchen_counter>", ("[Walk] <kitchen_sink>",)),
    Situation("flip", "[Flip] <shopping_card>", ("[Grab] <shopping_card>",)),
    Situation("open", "[Open] <fridge>", ("[Walk] <fridge>",)),
    Situation("close", "[Close] <drawer> (1)", ("[Walk] <drawer> (1)",), changes=({"set_open": "drawer_1"},)),
    Situation("open_door", "[OpenDoor] <kitchen_door>", ("[Walk] <kitchen_door>",), "hall"),
    Situation("close_door", "[CloseDoor] <bathroom_door>", ("[Walk] <bathroom_door>",), "hall", changes=({"set_open": "bathroom_door_1"},)),
    Situation("push", "[Push] <cart> <sorting_table>", spot="mail_room", scene="annex", walks=True),
    Situation("pull", "[Pull] <cart> <sorting_table>", spot="mail_room", scene="annex", walks=True),
    Situation("attach", "[Attach] <table_top> <frame>", ("[Grab] <table_top>",), "workshop", "annex"),
    Situation("detach", "[Detach] <canister_lid> <canister>", ("[Walk] <folding_table>",), "laundry", "annex"),
    Situation("raise", "[Raise] <base> (4)", spot="mail_room", scene="annex", watch=("pole_4",)),
    Situation("turn_on", "[TurnOn] <table_lamp> (1)", ("[Walk] <table_lamp> (1)",), "living_room"),
    Situation("turn_off", "[TurnOff] <kitchen_sink>", ("[Walk] <kitchen_sink>",), changes=(on("kitchen_sink_1"),), close=True),
    Situation("use_computer", "[UseComputer] <laptop>", spot="bedroom"),
    Situation(
        "answer_phone",
        "[AnswerPhone] <phone>",
        ("[Grab] <phone>",),
        "bedroom",
        changes=({"set": "phone_1", "attribute": "ringing", "value": True},),
    ),
    Situation(
        "cook", "[Cook] <apple> (2)", ("[Walk] <hob>",), changes=({"move": "apple_2", "into": "frying_pan_1"}, on("hob_1")), close=True
    ),
    Situation(
        "cut",
        "[Cut] <apple> (2) <knife>",
        ("[Grab] <knife>", "[Walk] <apple> (2)"),
        changes=({"move": "knife_1", "onto": "dining_table_1", "spot": (0.2, 0.18), "yaw_deg": 80},),
        close=True,
    ),
    Situation(
        "stir",
        "[Stir] <cooking_pot> <wooden_spoon>",
        ("[Grab] <wooden_spoon>", "[Walk] <cooking_pot>"),
        changes=(
            {"move": "wooden_spoon_1", "onto": "dining_table_1", "spot": (0.2, 0.18), "yaw_deg": 80},
            {"set": "cooking_pot_1", "attribute": "contents", "value": "water"},
            {"set": "cooking_pot_1", "attribute": "volume_ml", "value": 1500},
        ),
        close=True,
    ),
    Situation(
        "pour",
        "[Pour] <blue_bowl> <red_mug>",
        ("[Grab] <red_mug>", "[Walk] <blue_bowl>"),
        changes=(
            {"set": "red_mug_1", "attribute": "contents", "value": "juice"},
            {"set": "red_mug_1", "attribute": "volume_ml", "value": 240},
        ),
        close=True,
    ),
    Situation(
        "wipe",
        "[Wipe] <sponge> <spill> (1)",
        ("[Grab] <sponge>", "[Walk] <spill> (1)"),
        changes=(there("spill_1"), {"remove": "shopping_card_1"}),
        close=True,
    ),
    Situation("look_around", "[LookAround]", spot="living_room"),
    Situation("look_scan", "[LookScan]"),
    Situation("look_at", "[LookAt] <coffee_jar> (2)", ("[Walk] <coffee_jar> (2)",)),
    Situation(
        "wait",
        "[Wait] 200",
        ("[Cook] <apple> (2)",),
        changes=({"move": "apple_2", "into": "frying_pan_1"}, on("hob_1")),
        watch=("apple_2",),
        close=True,
    ),
    Situation(
        "confirm",
        "[Confirm]",
        ("[Grab] <blue_mug>", "[Walk] <sideboard>", "[PutOn] <blue_mug> <sideboard>"),
        "living_room",
        with_before=True,
    ),
)
