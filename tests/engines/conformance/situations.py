"""Every verb in five situations and more: heights, sides, shapes, with a walk before and without, a full hand or a seat where it may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from tests.actions.manipulation import scenes
from tests.actions.manipulation.scenes import at
from tests.actions.postures import furniture
from tests.actions.postures.test_handling import phone
from tests.actions.tools.scenes import patch, sponge
from tests.engines.conformance import rooms
from tests.engines.conformance.kits import AWAY, KITS, die
from tests.engines.conformance.provoked import HELD_MUG
from tests.engines.conformance.rooms import Set


@dataclass(frozen=True)
class Situation:
    """A verb, a name for the list of tests, the room and the arguments."""

    verb: str
    name: str
    room: Callable[[], Set]
    args: tuple[str | float, ...]


PLACES = {
    "before": (0.70, 0.05, 0.75), "left and low": (0.55, 0.45, 0.55), "right at a counter": (0.50, -0.50, 0.90),
    "behind, a walk away": (-1.60, -0.70, 0.75), "far and high": (2.10, 1.00, 1.00),
}  # fmt: skip
"""Where what a verb works on stands: on the ground, and its height."""
GROUND = {
    "before": (1.3, 0.0), "left": (0.3, 1.5), "right": (0.8, -1.4), "behind": (-1.5, 0.2), "far": (3.0, 2.0),
}  # fmt: skip
FLOORED = ("sit", "push", "pull", "open_door", "close_door")
CABINETS = {
    "before": (1.1, 0.0, 1.2),
    "left": (0.2, 1.3, 1.3),
    "low": (1.2, 0.3, 0.6),
    "behind": (-1.9, 0.0, 1.1),
    "far": (2.4, -1.0, 1.35),
}


def _kit_room(verb: str, place: tuple[float, float, float]) -> Set:
    return KITS[verb](*place).room()


def _placed(verb: str) -> dict[str, tuple[float, float, float]]:
    if verb in FLOORED:
        return {name: (x, y, 0.75) for name, (x, y) in GROUND.items()}
    if verb in ("open", "close"):
        return CABINETS
    return PLACES


def _mug_and(*more: object, **facts: object) -> Set:
    return Set((*more, HELD_MUG), held="mug_1").but(**facts)  # type: ignore[arg-type]


SEAT = {"seat": "stool_1"}
STOOL = furniture.stool("stool_1", x=1.2)
IN_PLACE: dict[str, Callable[[], Set]] = {
    "free": lambda: Set((STOOL,)),
    "with a mug": lambda: _mug_and(STOOL),
    "facing away": lambda: Set((STOOL,), heading_deg=150.0),
    "at a table": lambda: Set((STOOL, scenes.table(x=0.0, y=0.85)), heading_deg=-90.0),
    "in a corner": lambda: Set((STOOL, *rooms.cell(half=0.9))),
    "with a block": lambda: Set((STOOL, die()), held="die_1", heading_deg=35.0),
}
SEATED = {"on a seat": lambda: Set((STOOL,), seat="stool_1"), "on a seat with a mug": lambda: _mug_and(STOOL, seat="stool_1")}
RISES: dict[str, Callable[[], Set]] = {
    **SEATED,
    "from a high stool": lambda: Set((furniture.stool("stool_1", x=1.2, top=0.55),), seat="stool_1"),
    "from a chair": lambda: Set((furniture.chair("stool_1", x=1.2),), seat="stool_1"),
    "from a sofa": lambda: Set((furniture.sofa("stool_1", x=1.3),), seat="stool_1"),
}
TURNS = (("left", 90.0), ("right", 40.0), ("around",), ("left", 200.0), ("right", 360.0), ("left", 15.0))
WAYS = (0.3, 0.6, 1.2, 2.0, 0.9, 0.1)
TAKEN = {
    "a mug": HELD_MUG, "a block": die(), "a box": scenes.packet("packet_1", AWAY, AWAY, 0.0),
    "a stopper": rooms.lid("lid_1", AWAY, AWAY, 0.0), "a large block": die(half=0.04),
}  # fmt: skip
FALLS = {
    "mug": (scenes.mug("mug_1", 0.70, 0.05), 0.75), "block": (die(0.80, 0.0, 0.9, "mug_1"), 0.9),
    "box": (scenes.packet("mug_1", 0.75, 0.1), 0.75), "low": (scenes.mug("mug_1", 0.75, 0.0, 0.5), 0.5),
    "ball": (replace(rooms.ball("mug_1"), pose=at(0.72, 0.0, 1.0)), 1.0),
}  # fmt: skip


def _phones(yaw: float, *more: object, **facts: object) -> Set:
    return Set((*more, phone(AWAY, AWAY, yaw)), held="phone_1").but(**facts)  # type: ignore[arg-type]


def rows() -> list[Situation]:
    """All of them."""
    out = [Situation(v, name, partial(_kit_room, v, place), KITS[v](0, 0, 0).args) for v in KITS for name, place in _placed(v).items()]
    for verb in ("squat", "look_around", "look_scan", "wait", "confirm"):
        args: tuple[float, ...] = (2.0,) if verb == "wait" else ()
        out += [Situation(verb, name, room, args) for name, room in IN_PLACE.items()]
    out += [Situation("standup", name, room, ()) for name, room in RISES.items()]
    out += [Situation("turn", f"{'-'.join(map(str, a))}", room, a) for a, room in zip(TURNS, IN_PLACE.values(), strict=True)]
    free = [IN_PLACE["free"], IN_PLACE["with a mug"], IN_PLACE["facing away"], lambda: Set((), heading_deg=70.0), IN_PLACE["with a block"],
            IN_PLACE["in a corner"]]  # fmt: skip
    out += [Situation("forward", f"{d:g} m", room, (d,))
            for d, room in zip(WAYS, free, strict=True)]  # fmt: skip
    for name, thing in TAKEN.items():
        out.append(Situation("release", f"{name} onto the floor", partial(_free, thing), (thing.key,)))
        out.append(Situation("release", f"{name} onto a table", partial(_over_a_table, thing), (thing.key,)))
        if name != "a box":  # too far out of the hand to be turned over
            out.append(Situation("flip", name, partial(_free, thing), (thing.key,)))
    out += [Situation("flip", "a mug on a seat", SEATED["on a seat with a mug"], ("mug_1",))]
    for k in range(5):
        more = {} if k % 2 else {"heading_deg": 40.0 * k}
        out.append(Situation("answer_phone", f"way {k}", partial(_phones, 0.7 * k, STOOL, **(SEAT if k == 3 else more)), ("phone_1",)))
    for name, (thing, top) in FALLS.items():
        out.append(Situation("fall_to_floor", name, partial(_falls, thing, top), ("mug_1", "pillar_1")))
    out.append(Situation("wipe", "a spill", lambda: Set((scenes.table(), sponge(x=AWAY, y=AWAY, z=0.0), patch("spill", 0.7, 0.05)),
                                                          held="sponge_1"), ("sponge_1", "spill_1")))  # fmt: skip
    return out


def _free(thing: object) -> Set:
    return Set((thing,), held=thing.key)  # type: ignore[arg-type,attr-defined]


def _over_a_table(thing: object) -> Set:
    return Set((scenes.table(x=0.62), thing), held=thing.key)  # type: ignore[arg-type,attr-defined]


def _falls(thing: object, top: float) -> Set:
    return Set((rooms.pillar(0.75, 0.0, top, 0.2), thing))  # type: ignore[arg-type]


SITUATIONS = rows()
