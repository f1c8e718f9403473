"""For every verb and every code that its registry entry declares, one room and one command that provoke it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from assistcore.house.stage import Entity
from assistcore.world.outcomes import Code
from tests.actions.manipulation import scenes
from tests.actions.manipulation.scenes import at, box, fixed, thing
from tests.actions.postures import furniture
from tests.actions.postures.test_handling import phone
from tests.actions.postures.test_typing import keyboard
from tests.actions.tools.scenes import knife, sponge, spoon, vessel
from tests.engines.conformance import rooms
from tests.engines.conformance.kits import AWAY, KITS, Row, bowl, closed_door, die, food, generic, jug, lamp, open_door, penned, too_high
from tests.engines.conformance.rooms import Set

NAMED: dict[str, tuple[str | float, ...]] = {
    **{verb: KITS[verb](0.0, 0.0, 0.0).args for verb in KITS}, "flip": ("mug_1",), "answer_phone": ("phone_1",),
    "fall_to_floor": ("mug_1", "pillar_1"),
}  # fmt: skip
"""Arguments of the verbs that name things."""
EMPTY = ("pick", "detach", "raise", "push", "pull", "cook", "use_computer")
HOLDS = ("place", "place_inside", "place_on_floor", "attach", "cut", "stir", "pour", "flip", "answer_phone")


def named() -> Iterator[Row]:
    """Arguments that name nothing or nothing sensible, and hands that are full or empty."""
    for verb, args in NAMED.items():
        yield Row(verb, Code.UNKNOWN_ENTITY, partial(_some, verb), _ghost(args), "ghost_9")
        yield Row(verb, Code.BAD_ARGUMENT, partial(_some, verb), (), verb)
    for verb in EMPTY:
        yield Row(verb, Code.HAND_FULL, partial(_full_handed, verb), NAMED[verb], "die_1")
    for verb in HOLDS:
        yield Row(verb, Code.NOT_HELD, partial(_empty_handed, verb), NAMED[verb])


def _full_handed(verb: str) -> Set:
    return _some(verb).but(die(), held="die_1")


def _empty_handed(verb: str) -> Set:
    return _some(verb).but(held="")


def _ghost(args: tuple[str | float, ...]) -> tuple[str | float, ...]:
    return ("ghost_9", *args[1:])


def _some(verb: str) -> Set:
    """The verb's things within reach."""
    if verb in KITS:
        return KITS[verb](0.75, 0.0, 0.75).room()
    return Set((rooms.pillar(0.75, 0.0, 0.75), scenes.mug("mug_1", 0.75, 0.05), phone(0.75, -0.08)))


TABLE = (rooms.pillar(0.75, 0.0, 0.75, 0.3),)
MUG = scenes.mug("mug_1", 0.65, 0.1)
HELD_MUG = scenes.mug("mug_1", AWAY, AWAY, 0.0)


def held(*more: Entity, what: Entity = HELD_MUG, **facts: object) -> Set:
    """Someone with something in the hand before a table."""
    return Set((*TABLE, what, *more), held=what.key).but(**facts)


def before(*more: Entity, **facts: object) -> Set:
    """Someone with empty hands before a table."""
    return Set((*TABLE, *more)).but(**facts)


def tight(*more: Entity, what: Entity | None = None, half: float = 0.27) -> Set:
    """Walls so close that no arm moves."""
    walls = (furniture.wall("wall_70", half + 0.05, 0.0, (0.05, 1.0)), furniture.wall("wall_71", -half - 0.05, 0.0, (0.05, 1.0)),
             furniture.wall("wall_72", 0.0, 0.5, (half, 0.05)), furniture.wall("wall_73", 0.0, -0.5, (half, 0.05)))  # fmt: skip
    own = () if what is None else (what,)
    return Set((*walls, *own, *more), held="" if what is None else what.key)


def small(key: str, entity: Entity, **more: object) -> Entity:
    """An entity with other facts."""
    return replace(entity, **more)  # type: ignore[arg-type]


HEAVY = thing("block_1", "block", at(0.65, 0.0, 0.75), (box("body", (0.05, 0.05, 0.05), (0, 0, 0.05)),), 30.0)
BALL = thing("ball_1", "ball", at(AWAY, AWAY, 0.0), (scenes.cylinder("body", 0.035, 0.07),), 0.1)
LONG = thing("stick_1", "stick", at(AWAY, AWAY, 0.0), (box("body", (0.02, 0.6, 0.005), (0, 0, 0.005)),), 0.2)
GLOBE = replace(rooms.ball("globe_1", 0.45), pose=at(0.95, 0.0, 0.75))
"""Round and much too wide for a hand, and for both: one of 0.6 m is taken between the palms."""


def inner(open_m: float) -> Entity:
    """A drawer of its own, in a chest."""
    made = scenes.drawer("drawer_1", 0.65, 0.0, 0.765)
    link = made.links[0]
    assert link.joint is not None
    return replace(made, kind="movable", links=(replace(link, joint=replace(link.joint, initial=open_m)),))


def _in_a_chest(open_m: float) -> Set:
    return before(rooms.chest(opened=False), inner(open_m))


def _torch_in_hand(running: bool) -> Set:
    return held(what=torch(running))


def torch(running: bool) -> Entity:
    """A device that is carried."""
    made = thing("torch_1", "torch", at(AWAY, AWAY, 0.0), (scenes.cylinder("body", 0.03, 0.12),), 0.2, roles=frozenset({"device"}),
                 attributes={"running": running})  # fmt: skip
    return replace(made, control=scenes.Control("base", (-0.03, 0.0, 0.06), (-1.0, 0.0, 0.0)))


SINGLE = (
    Row("navigate_to", Code.NOT_AFFORDED, lambda: before(), ("floor_1",), "floor_1"),
    Row("navigate_to", Code.ALREADY, lambda: held(), ("mug_1",), "mug_1"),
    Row("forward", Code.BAD_ARGUMENT, lambda: before(), (25.0,), "25"),
    Row("forward", Code.PATH_BLOCKED, lambda: before(), (2.0,), "pillar_1"),
    Row("forward", Code.TRAJECTORY_COLLISION, lambda: penned("forward"), (1.0,), "board_1"),
    Row("turn", Code.BAD_ARGUMENT, lambda: before(), ("left", 400.0), "400"),
    Row("turn", Code.TRAJECTORY_COLLISION, lambda: tight(), ("left", 90.0), "wall_7"),
    Row("sit", Code.NOT_AFFORDED, lambda: before(), ("pillar_1",), "no seat"),
    Row("sit", Code.ALREADY, lambda: penned("sit"), ("stool_1",), "already"),
    Row("sit", Code.NO_FREE_SPACE, lambda: Set((furniture.stool(), scenes.mug("mug_1", 1.2, 0.0, 0.47))), ("stool_1",), "mug_1"),
    Row("standup", Code.ALREADY, lambda: before(), (), "already"),
    Row("standup", Code.TRAJECTORY_COLLISION, lambda: penned("standup"), (), "board_1"),
    Row("squat", Code.TRAJECTORY_COLLISION, lambda: penned("squat"), (), "board_1"),
    Row("look_around", Code.TRAJECTORY_COLLISION, lambda: tight(), (), "wall_7"),
    Row("pick", Code.ALREADY, lambda: held(), ("mug_1",), "mug_1"),
    Row("pick", Code.NOT_AFFORDED, lambda: before(), ("pillar_1",), "pillar_1"),
    Row("pick", Code.TOO_HEAVY, lambda: before(HEAVY), ("block_1",), "30.0 kg"),
    Row("pick", Code.CLOSED, lambda: before(rooms.chest(opened=False), die(0.65, 0.0, 0.765)), ("die_1",), "chest_1"),
    Row("pick", Code.GRASP_FAILED, lambda: before(GLOBE), ("globe_1",), "fingers"),
    Row("release", Code.HAND_EMPTY, lambda: before(), (), "hand"),
    Row("release", Code.NOT_HELD, lambda: held(die(0.65, 0.0, 0.75)), ("die_1",), "mug_1"),
    Row("flip", Code.OUT_OF_REACH, lambda: held(slipped_m=0.7), ("mug_1",), "mug_1"),
    Row("flip", Code.TRAJECTORY_COLLISION, lambda: tight(what=HELD_MUG), ("mug_1",), "mug_1"),
    Row("answer_phone", Code.OUT_OF_REACH, lambda: held(what=phone(AWAY, AWAY), slipped_m=0.9), ("phone_1",), "phone_1"),
    Row("release", Code.TRAJECTORY_COLLISION, lambda: tight(what=HELD_MUG), (), "arm"),
    Row("release", Code.TRAJECTORY_COLLISION, lambda: held(what=HELD_MUG), ("mug_1",), "edge"),
    Row("look_scan", Code.TRAJECTORY_COLLISION, lambda: tight(half=0.2), (), "here"),
    Row("look_at", Code.NOT_VISIBLE, lambda: too_high("look_at", 6.0), ("packet_1",), "packet_1"),
    Row("look_at", Code.CLOSED, lambda: before(rooms.chest(opened=False), die(0.65, 0.0, 0.765)), ("die_1",), "die_1"),
    Row("use_computer", Code.POSTCONDITION_FAILED, lambda: before(keyboard(0.62)), ("keyboard_1",), "dark"),
    Row(
        "place",
        Code.POSTCONDITION_FAILED,
        lambda: Set((rooms.tilted(rooms.pillar(0.75, 0.0, 0.75, 0.2), 9.0), rooms.ball()), held="ball_1"),
        ("ball_1", "pillar_1"),
        "ball_1",
    ),
    Row(
        "release",
        Code.POSTCONDITION_FAILED,
        lambda: Set(
            (rooms.tilted(fixed("ramp_1", "ramp", at(1.75, 0.0, -0.3), (box("ramp", (1.5, 5.0, 0.05), (0, 0, 0.45)),)), 6.0), rooms.ball()),
            held="ball_1",
        ),
        (),
        "rest",
    ),
    Row(
        "detach",
        Code.GRASP_FAILED,
        lambda: before(
            rooms.pot(),
            replace(
                GLOBE,
                ref=rooms.lid().ref,
                pose=at(0.6, 0.1, 0.85),
                connectors=rooms.lid().connectors,
                mated=rooms.Mating("underside", "pot_1", "rim"),
            ),
        ),
        ("lid_1", "pot_1"),
        "lid_1",
    ),
    Row(
        "wipe",
        Code.GRASP_FAILED,
        lambda: before(replace(sponge(), pose=at(0.75, 0.0, 0.75), links=GLOBE.links)),
        ("sponge_1", "pillar_1"),
        "sponge_1",
    ),
    *(Row(verb, Code.CLOSED, partial(_in_a_chest, ajar), ("drawer_1",), "chest_1") for verb, ajar in (("open", 0.0), ("close", 0.2))),
    Row("place", Code.NOT_AFFORDED, lambda: held(furniture.wall("wall_1", 3.0, 0.0, (0.1, 0.1))), ("mug_1", "wall_1"), "wall_1"),
    Row(
        "place",
        Code.CLOSED,
        lambda: held(
            rooms.chest(opened=False), thing("book_1", "book", at(0.65, 0.0, 0.765), (box("body", (0.06, 0.08, 0.01), (0, 0, 0.01)),))
        ),
        ("mug_1", "book_1"),
        "chest_1",
    ),
    Row("place", Code.DOES_NOT_FIT, lambda: held(rooms.pillar(0.6, 0.7, 0.75, 0.012, "post_1")), ("mug_1", "post_1"), "post_1"),
    Row(
        "place",
        Code.NO_FREE_SPACE,
        lambda: held(rooms.pillar(0.6, 0.9, 0.75, 0.06, "post_1"), scenes.mug("mug_2", 0.6, 0.9)),
        ("mug_1", "post_1"),
        "mug_2",
    ),
    Row("place_inside", Code.NOT_AFFORDED, lambda: held(), ("mug_1", "pillar_1"), "pillar_1"),
    Row("place_inside", Code.CLOSED, lambda: held(rooms.chest(opened=False)), ("mug_1", "chest_1"), "chest_1"),
    Row("place_inside", Code.DOES_NOT_FIT, lambda: held(bowl(0.65, 0.1, 0.75), what=die(half=0.05)), ("die_1", "bowl_1"), "bowl_1"),
    Row(
        "place_inside",
        Code.NO_FREE_SPACE,
        lambda: held(rooms.chest(half=0.075), die(0.65, 0.0, 0.765, "die_2")),
        ("mug_1", "chest_1"),
        "die_2",
    ),
    Row("place_on_floor", Code.NOT_AFFORDED, lambda: held(), ("mug_1", "floor_1"), "floor_1"),
    Row(
        "place_on_floor",
        Code.NO_FREE_SPACE,
        lambda: held(*rooms.cell(3.0, 3.0, 0.2, thick=0.8), rooms.pillar(3.0, 3.0, 0.5, 0.19, "post_1")),
        ("mug_1", "post_1"),
        "wall_9",
    ),
    Row("fall_to_floor", Code.NOT_AFFORDED, lambda: held(), ("mug_1", "pillar_1"), "hand"),
    Row(
        "fall_to_floor",
        Code.NO_FREE_SPACE,
        lambda: before(MUG, *rooms.cell(0.75, 0.0, 0.31)).but(xy_m=(-1.0, 0.0)),
        ("mug_1", "pillar_1"),
        "wall_9",
    ),
    Row(
        "attach", Code.ALREADY, lambda: before(rooms.pot(), rooms.lid(x=0.6, y=0.1, z=0.85, parent="pot_1")), ("lid_1", "pot_1"), "already"
    ),
    Row("attach", Code.NOT_AFFORDED, lambda: held(rooms.pot()), ("mug_1", "pot_1"), "mug_1"),
    Row(
        "attach", Code.DOES_NOT_FIT, lambda: held(rooms.sign(False)[0], what=rooms.lid(x=AWAY, y=AWAY, z=0.0)), ("lid_1", "base_1"), "lid_1"
    ),
    Row(
        "attach",
        Code.NO_FREE_SPACE,
        lambda: held(rooms.pot(), rooms.lid("lid_2", 0.6, 0.1, 0.85, "pot_1"), what=rooms.lid(x=AWAY, y=AWAY, z=0.0)),
        ("lid_1", "pot_1"),
        "lid_2",
    ),
    Row(
        "attach",
        Code.CLOSED,
        lambda: held(
            rooms.chest(opened=False),
            small(
                "pot",
                rooms.pot(x=0.65, y=0.0, z=0.765),
                connectors=(replace(rooms.pot().connectors[0], point_m=(0.0, 0.0, 0.03)),),
                links=rooms.pot(z=0.0).links,
            ),
            what=rooms.lid(x=AWAY, y=AWAY, z=0.0),
        ),
        ("lid_1", "pot_1"),
        "chest_1",
    ),
    Row("detach", Code.NOT_AFFORDED, lambda: before(MUG, rooms.pot()), ("mug_1", "pot_1"), "mug_1"),
    Row("detach", Code.ALREADY, lambda: before(rooms.pot(), rooms.lid()), ("lid_1", "pot_1"), "nothing"),
    Row(
        "detach",
        Code.TOO_HEAVY,
        lambda: before(rooms.pot(), replace(rooms.lid(x=0.6, y=0.1, z=0.85, parent="pot_1"), mass_kg=12.0)),
        ("lid_1", "pot_1"),
        "12.0 kg",
    ),
    Row(
        "detach",
        Code.CLOSED,
        lambda: before(rooms.chest(opened=False), rooms.pot(x=0.65, y=0.0, z=0.765), rooms.lid(x=0.65, y=0.0, z=0.865, parent="pot_1")),
        ("lid_1", "pot_1"),
        "chest_1",
    ),
    Row("raise", Code.NOT_AFFORDED, lambda: before(MUG), ("mug_1",), "mug_1"),
    Row("raise", Code.ALREADY, lambda: before(*rooms.sign(False, 0.75)), ("pole_1",), "already"),
    Row("raise", Code.TOO_HEAVY, lambda: before(*(replace(e, mass_kg=15.0) for e in rooms.sign())), ("base_1",), "30.0 kg"),
    *(Row(verb, Code.NOT_AFFORDED, lambda: before(MUG), ("mug_1", "pillar_1"), "wheels") for verb in ("push", "pull")),
    *(
        Row(verb, Code.ALREADY, lambda: Set((rooms.cart(), scenes.table(x=2.3))), ("cart_1", "table_1"), "already")
        for verb in ("push", "pull")
    ),
    *(
        Row(
            verb,
            Code.NO_FREE_SPACE,
            lambda: Set((rooms.cart(), rooms.pillar(-3.0, -3.0, 0.75, 0.64, "post_1"), *rooms.cell(-3.0, -3.0, 0.65, thick=0.8))),
            ("cart_1", "post_1"),
            "cart_1",
        )
        for verb in ("push", "pull")
    ),
    *(
        Row(verb, Code.NOT_AFFORDED, lambda: before(), ("pillar_1",), "pillar_1")
        for verb in ("open", "close", "open_door", "close_door", "sit")
    ),
    Row("open", Code.ALREADY, lambda: before(rooms.chest()), ("chest_1",), "already"),
    Row("close", Code.ALREADY, lambda: before(rooms.chest(opened=False)), ("chest_1",), "already"),
    Row(
        "open_door",
        Code.ALREADY,
        lambda: Set(open_door(0.0, 3.0, 1.0).entities, joints=(("hall_door_1_hinge", 1.5),)),
        ("hall_door_1",),
        "already",
    ),
    Row("close_door", Code.ALREADY, lambda: Set(closed_door(0.0, 3.0, 1.0).entities), ("hall_door_1",), "already"),
    *(Row(verb, Code.NOT_AFFORDED, lambda: before(MUG), ("mug_1",), "switch") for verb in ("turn_on", "turn_off")),
    Row("turn_on", Code.ALREADY, lambda: lamp(True)(0.75, 0.0, 0.75).room(), ("lamp_1",), "on already"),
    Row("turn_off", Code.ALREADY, lambda: lamp(False)(0.75, 0.0, 0.75).room(), ("lamp_1",), "off already"),
    *(
        Row(verb, Code.HAND_FULL, partial(_torch_in_hand, running), ("torch_1",), "torch_1")
        for verb, running in (("turn_on", False), ("turn_off", True))
    ),
    Row("cook", Code.NOT_AFFORDED, lambda: before(food(0.65, 0.0, 0.75)), ("loaf_1",), "neither"),
    Row("cook", Code.ALREADY, lambda: before(food(0.65, 0.0, 0.75, cooked=True)), ("loaf_1",), "already"),
    Row("cut", Code.NOT_AFFORDED, lambda: held(MUG, what=knife(x=AWAY, y=AWAY, z=0.0)), ("mug_1", "knife_1"), "mug_1"),
    Row(
        "cut",
        Code.ALREADY,
        lambda: held(food(0.65, 0.0, 0.75, cut=True), what=knife(x=AWAY, y=AWAY, z=0.0)),
        ("loaf_1", "knife_1"),
        "already",
    ),
    Row(
        "cut",
        Code.CLOSED,
        lambda: held(rooms.chest(opened=False), food(0.65, 0.0, 0.765), what=knife(x=AWAY, y=AWAY, z=0.0)),
        ("loaf_1", "knife_1"),
        "chest_1",
    ),
    Row("stir", Code.NOT_AFFORDED, lambda: held(die(0.65, 0.0, 0.75), what=spoon(x=AWAY, y=AWAY, z=0.0)), ("die_1", "spoon_1"), "die_1"),
    Row("stir", Code.CLOSED, lambda: held(rooms.chest(opened=False), what=spoon(x=AWAY, y=AWAY, z=0.0)), ("chest_1", "spoon_1"), "chest_1"),
    Row(
        "stir",
        Code.DOES_NOT_FIT,
        lambda: held(vessel("cup_1", 0.65, 0.0, 0.75, radius=0.024), what=spoon(x=AWAY, y=AWAY, z=0.0)),
        ("cup_1", "spoon_1"),
        "cup_1",
    ),
    Row("pour", Code.NOT_AFFORDED, lambda: held(bowl(0.65, 0.0, 0.75), what=jug(volume=0)), ("bowl_1", "jug_1"), "empty"),
    Row("pour", Code.CLOSED, lambda: held(bowl(0.65, 0.0, 0.75), what=jug(sealed=True)), ("bowl_1", "jug_1"), "sealed"),
    Row("pour", Code.NO_FREE_SPACE, lambda: held(bowl(0.65, 0.0, 0.75, volume_ml=5000), what=jug()), ("bowl_1", "jug_1"), "full"),
    Row("wipe", Code.HAND_FULL, lambda: held(sponge()), ("sponge_1", "pillar_1"), "mug_1"),
    Row("wipe", Code.NOT_AFFORDED, lambda: before(MUG), ("mug_1", "pillar_1"), "neither"),
    Row("wipe", Code.TOO_HEAVY, lambda: before(replace(sponge(), mass_kg=9.0)), ("sponge_1", "pillar_1"), "9.0 kg"),
    Row(
        "wipe", Code.CLOSED, lambda: before(rooms.chest(opened=False), sponge(x=0.65, y=0.0, z=0.765)), ("sponge_1", "pillar_1"), "chest_1"
    ),
    Row("use_computer", Code.NOT_AFFORDED, lambda: before(MUG), ("mug_1",), "no computer"),
    Row("answer_phone", Code.NOT_AFFORDED, lambda: held(), ("mug_1",), "no phone"),
    Row("answer_phone", Code.TRAJECTORY_COLLISION, lambda: tight(what=phone(AWAY, AWAY)), ("phone_1",), "phone_1"),
    Row("look_at", Code.NOT_AFFORDED, lambda: before(), ("floor_1",), "floor_1"),
    Row("wait", Code.BAD_ARGUMENT, lambda: before(), (900.0,), "900"),
)


ROWS = (*generic(), *named(), *SINGLE)
