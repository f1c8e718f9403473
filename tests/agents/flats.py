"""A kitchen and what is around it, as a person standing in it is offered it: for the tests of the rule human."""

from __future__ import annotations

from dataclasses import replace
from math import radians
from typing import Any

from assistcore.world.ids import EntityRef
from assistcore.world.views import Family, HumanView, Legend, Offered, Utterance

LEGEND = (
    Legend(
        "navigate_to",
        "[Walk] <fridge> (1)",
        ("target",),
        "Walk to something.",
        ("walk to {target}", "go to {target}"),
        ("Walk", "Run", "WalkTowards"),
        "free",
    ),
    Legend("forward", "[Forward] 2m", ("distance?",), "Walk straight on.", ("walk forward",), ("Forward", "WalkForward"), "free"),
    Legend(
        "turn",
        "[TurnLeft] 90",
        ("angle?",),
        "Turn on the spot.",
        ("turn left", "turn right", "turn around"),
        ("TurnLeft", "TurnRight", "TurnAround"),
        "free",
    ),
    Legend("pick", "[Grab] <red_mug> (2)", ("object",), "Pick up.", ("pick up {object}", "take {object}"), ("Grab",), "empty"),
    Legend("release", "[Drop]", (), "Let go.", ("let go of what you hold",), ("Drop", "Release"), "holds"),
    Legend(
        "place",
        "[Put] <red_mug> (2) <table> (1)",
        ("object", "surface"),
        "Put on.",
        ("put {object} on {surface}",),
        ("Put", "PutBack", "PutObjBack", "PutOn"),
        "holds",
    ),
    Legend(
        "place_inside",
        "[PutIn] <red_mug> (2) <drawer> (1)",
        ("object", "container", "region?"),
        "Put in.",
        ("put {object} in {container}",),
        ("PutIn", "PutInside", "Insert"),
        "holds",
    ),
    Legend("open", "[Open] <fridge> (1)", ("object",), "Open.", ("open {object}",), ("Open",), "empty"),
    Legend("close", "[Close] <fridge> (1)", ("object",), "Close.", ("close {object}",), ("Close",), "empty"),
    Legend("open_door", "[OpenDoor] <kitchen_door> (1)", ("door",), "Open a door.", ("open {door}",), ("OpenDoor",), "empty"),
    Legend("close_door", "[CloseDoor] <kitchen_door> (1)", ("door",), "Close a door.", ("close {door}",), ("CloseDoor",), "empty"),
    Legend(
        "turn_on",
        "[TurnOn] <lamp> (1)",
        ("device",),
        "Switch on.",
        ("turn on {device}", "switch on {device}"),
        ("TurnOn", "SwitchOn"),
        "empty",
    ),
    Legend(
        "turn_off",
        "[TurnOff] <lamp> (1)",
        ("device",),
        "Switch off.",
        ("turn off {device}", "switch off {device}"),
        ("TurnOff", "SwitchOff"),
        "empty",
    ),
    Legend("look_at", "[LookAt] <jar> (1)", ("entity",), "Look at.", ("look at {entity}",), ("LookAt",), "free"),
    Legend("look_around", "[LookAround]", (), "Look around.", ("look around",), ("LookAround",), "free"),
    Legend("wait", "[Wait] 3", ("duration?",), "Wait.", ("wait {duration} seconds", "wait"), ("Wait",), "free"),
    Legend("sit", "[Sit] <chair> (1)", ("seat",), "Sit.", ("sit down on {seat}", "sit on {seat}"), ("Sit",), "free"),
    Legend("standup", "[StandUp]", (), "Stand up.", ("stand up", "get up"), ("StandUp",), "free"),
    Legend("confirm", "[Confirm]", (), "Say that it is finished.", (), ("Confirm",), "free"),
    Legend("pour", "[Pour] <bowl> (1) <jug> (1)", ("target", "source"), "Pour.", ("pour {source} into {target}",), ("Pour",), "holds"),
)

MOVABLE = ("navigate_to", "pick", "place", "place_inside", "look_at")
FIXTURE = ("navigate_to", "look_at")
OPENABLE = (*FIXTURE, "open", "close")
DOOR = (*FIXTURE, "open_door", "close_door")
DEVICE = (*FIXTURE, "turn_on", "turn_off")


def _at(bearing: float, elevation: float, distance: float) -> dict[str, float]:
    return {"bearing_rad": radians(bearing), "elevation_rad": radians(elevation), "distance_m": distance}


def offer(key: str, description: str, category: str, verbs: tuple[str, ...], **more: object) -> Offered:
    """One offer of the kitchen."""
    given = {"room": "kitchen", "words": tuple(description.split()[:-1]), **more}
    ref = EntityRef.from_key(key)
    return Offered(key=key, handle=ref.surface, description=description, category=category, verbs=verbs, **given)  # type: ignore[arg-type]


def movable(key: str, description: str, category: str, **more: object) -> Offered:
    """A movable offer."""
    return offer(key, description, category, MOVABLE, movable=True, **more)


def kitchen_offers() -> tuple[Offered, ...]:
    """Three mugs and a plate on the table, a row of four drawers under the counter, a stack of three beside it, jars, chairs, fridge,
    cabinets, devices, doors, and fixtures of other rooms that are not in view."""
    hidden = {"visible": False}
    return (
        movable("red_mug_1", "red mug", "mug", on="table_1", **_at(20, -25, 2.0)),
        movable("blue_mug_1", "blue mug", "mug", on="table_1", **_at(10, -25, 2.1)),
        movable("white_mug_1", "white mug", "mug", on="counter_1", **_at(-30, -20, 2.6)),
        movable("plate_1", "white plate", "plate", on="table_1", **_at(15, -24, 2.3)),
        movable("spoon_1", "metal spoon", "spoon", on="table_1", **_at(18, -28, 1.8)),
        movable("bread_knife_1", "large bread knife", "knife", on="counter_1", **_at(-33, -20, 2.6)),
        movable("jar_1", "glass jar with a red lid", "jar", on="counter_1", words=("glass", "SUGAR"), **_at(-38, -18, 2.7)),
        movable("jar_2", "glass jar with a green lid", "jar", on="counter_1", words=("glass", "FLOUR"), **_at(-42, -18, 2.8)),
        movable("jar_3", "glass jar with a blue lid", "jar", on="counter_1", words=("glass", "SALT"), **_at(-46, -18, 2.9)),
        movable(
            "milk_carton_1",
            "white milk carton",
            "carton",
            on="counter_1",
            words=("white", "milk", "MILK best before 12 May"),
            **_at(-26, -18, 2.5),
        ),
        movable("small_notebook_1", "small black notebook", "notebook", on="side_table_1", **_at(42, -22, 2.2)),
        movable("big_notebook_1", "big black notebook", "notebook", on="side_table_1", **_at(46, -22, 2.2)),
        movable("apple_1", "green apple", "apple", on="bowl_1", **_at(5, -24, 2.2)),
        movable("bowl_1", "wooden bowl", "bowl", on="table_1", **_at(5, -25, 2.2)),
        offer("table_1", "wooden table", "table", FIXTURE, **_at(12, -32, 2.0)),
        offer("side_table_1", "small side table", "side_table", FIXTURE, **_at(44, -30, 2.2)),
        offer("counter_1", "kitchen counter", "counter", FIXTURE, **_at(-35, -25, 2.6)),
        offer("shelf_1", "wall shelf", "shelf", FIXTURE, **_at(-38, 15, 2.8)),
        *(offer(f"drawer_{i}", "drawer", "drawer", OPENABLE, state=("closed",), **_at(-22 - 6 * i, -35, 2.5)) for i in range(1, 5)),
        *(
            offer(
                f"cabinet_drawer_{i}",
                "narrow drawer",
                "drawer",
                OPENABLE,
                state=("closed",),
                words=("narrow",),
                **_at(-60, -15 - 8 * i, 2.9),
            )
            for i in range(1, 4)
        ),
        offer("fridge_1", "white fridge", "fridge", OPENABLE, state=("closed",), **_at(-12, -8, 3.0)),
        offer("cabinet_1", "white cabinet", "cabinet", OPENABLE, state=("closed",), words=("white", "cupboard"), **_at(-28, 20, 2.8)),
        offer("cabinet_2", "grey cabinet", "cabinet", OPENABLE, state=("open",), words=("grey", "cupboard"), **_at(-48, 20, 3.0)),
        offer(
            "dishwasher_1", "dishwasher", "dishwasher", (*OPENABLE, "turn_on", "turn_off"), state=("closed", "off"), **_at(-52, -30, 2.9)
        ),
        offer("sink_1", "sink", "sink", FIXTURE, **_at(-44, -26, 2.8)),
        offer("bin_1", "grey bin", "bin", FIXTURE, words=("grey", "trash can"), **_at(58, -38, 1.9)),
        *(
            offer(f"chair_{i}", "wooden chair", "chair", (*FIXTURE, "sit"), **_at(b, -30, d))
            for i, b, d in ((1, 30, 1.6), (2, 2, 1.7), (3, 14, 3.1))
        ),
        offer("kettle_1", "electric kettle", "kettle", DEVICE, state=("off",), on="counter_1", **_at(-55, -18, 3.0)),
        offer("ceiling_lamp_1", "ceiling lamp", "lamp", DEVICE, state=("on",), **_at(0, 40, 2.0)),
        offer("table_lamp_1", "table lamp", "lamp", DEVICE, state=("off",), on="side_table_1", **_at(50, -18, 2.3)),
        offer("kitchen_door_1", "white kitchen door", "door", DOOR, state=("closed",), words=("white", "kitchen"), **_at(75, -5, 2.8)),
        offer(
            "bathroom_door_1",
            "white bathroom door",
            "door",
            DOOR,
            state=("closed",),
            room="hall",
            words=("white", "bathroom"),
            distance_m=6.0,
            **hidden,
        ),
        offer(
            "bedroom_door_1",
            "brown bedroom door",
            "door",
            DOOR,
            state=("open",),
            room="hall",
            words=("brown", "bedroom"),
            distance_m=7.0,
            **hidden,
        ),
        offer("sofa_1", "grey sofa", "sofa", (*FIXTURE, "sit"), room="living_room", distance_m=6.5, **hidden),
        offer("coffee_table_1", "wooden coffee table", "coffee_table", FIXTURE, room="living_room", distance_m=6.0, **hidden),
        offer("desk_1", "oak desk", "desk", FIXTURE, room="bedroom", distance_m=9.0, **hidden),
        offer(
            "desk_lamp_1",
            "black desk lamp",
            "lamp",
            DEVICE,
            state=("off",),
            room="bedroom",
            distance_m=9.0,
            words=("black", "desk"),
            **hidden,
        ),
        offer("bed_1", "double bed", "bed", FIXTURE, room="bedroom", distance_m=9.5, **hidden),
        offer("wardrobe_1", "tall wardrobe", "wardrobe", OPENABLE, state=("closed",), room="bedroom", distance_m=9.8, **hidden),
        offer(
            "nightstand_drawer_1",
            "nightstand drawer",
            "drawer",
            OPENABLE,
            state=("closed",),
            room="bedroom",
            distance_m=9.4,
            words=("nightstand",),
            **hidden,
        ),
        *(
            offer(f"{room}_1", title, "room", ("navigate_to",), room=room, words=(title,), visible=room == "kitchen", distance_m=4.0)
            for room, title in (
                ("kitchen", "kitchen"),
                ("living_room", "living room"),
                ("bedroom", "bedroom"),
                ("bathroom", "bathroom"),
                ("hall", "hall"),
            )
        ),
    )


def view(
    *heard: str,
    offers: tuple[Offered, ...] | None = None,
    held: str = "",
    family: Family = Family.ASK,
    tick: int = 0,
    dialogue: tuple[Utterance, ...] = (),
    **more: object,
) -> HumanView:
    """What the person in the kitchen is given, having heard something; `held` is the key in the hand."""
    shown = kitchen_offers() if offers is None else offers
    if held:
        shown = tuple(replace(o, held=True, on="", inside="") if o.key == held else o for o in shown)
    said = tuple(Utterance(tick, "assistant", text) for text in heard)
    given: dict[str, Any] = {"room": "kitchen", **more}
    return HumanView(
        tick=tick,
        family=family,
        task="",
        observations=(),
        heard=said,
        dialogue=(*dialogue, *said),
        offers=shown,
        legend=LEGEND,
        held=held,
        **given,
    )  # type: ignore[arg-type]


def with_state(offers: tuple[Offered, ...], key: str, *state: str) -> tuple[Offered, ...]:
    """The offers with one thing's state words replaced."""
    return tuple(replace(o, state=state) if o.key == key else o for o in offers)
