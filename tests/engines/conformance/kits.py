"""What each verb works on, as small rooms, and the ways in which such a room can be amiss for whole groups of verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from assistcore.house.stage import Entity, Region
from assistcore.world.outcomes import Code
from tests.actions.manipulation import scenes
from tests.actions.manipulation.scenes import at, box, fixed, thing
from tests.actions.postures import furniture
from tests.actions.postures.test_typing import laptop
from tests.actions.tools.scenes import knife, loaf, sponge, spoon, vessel
from tests.engines.conformance import rooms
from tests.engines.conformance.rooms import Set

AWAY = -4.5
"""Where what is in the hand would stand if it were not."""


@dataclass(frozen=True)
class Row:
    """A code, how it is provoked, and a word of the fact."""

    verb: str
    code: str
    room: Callable[[], Set]
    args: tuple[str | float, ...]
    word: str = ""
    spot: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        """For the list of tests."""
        return f"{self.verb}-{self.code}"


@dataclass(frozen=True)
class Kit:
    """What a verb needs at a place: the things, the arguments, and what is held."""

    entities: tuple[Entity, ...]
    args: tuple[str | float, ...]
    held: str = ""

    def room(self, *more: Entity, **facts: object) -> Set:
        """A room with the kit and further things."""
        return Set((*self.entities, *more), held=self.held).but(**facts)


def jug(key: str = "jug_1", volume: int = 300, x: float = AWAY, y: float = AWAY, z: float = 0.0, **facts: bool | int | str) -> Entity:
    """Something to pour from."""
    return vessel(key, x, y, z, radius=0.04, height=0.12, attributes={"volume_ml": volume, "contents": "water", **facts})


def bowl(x: float, y: float, z: float, key: str = "bowl_1", **facts: bool | int | str) -> Entity:
    """Something to pour or stir into."""
    return vessel(key, x, y, z, attributes=facts)


def die(x: float = AWAY, y: float = AWAY, z: float = 0.0, key: str = "die_1", half: float = 0.025) -> Entity:
    """A small block."""
    return thing(key, "die", at(x, y, z), (box("body", (half, half, half), (0, 0, half)),), 0.1)


def hob(x: float, y: float, z: float, running: bool = True) -> Entity:
    """A plate that heats."""
    region = Region("top", "surface", "base", (-0.12, -0.12, 0.01), (0.12, 0.12, 0.3))
    return fixed("hob_1", "hob", at(x, y, z), (box("plate", (0.12, 0.12, 0.005), (0, 0, 0.005)),), roles=frozenset({"heat", "device"}),
                 regions=(region,), attributes={"running": running})  # fmt: skip


def food(x: float, y: float, z: float, **facts: bool | int | str) -> Entity:
    """A loaf that can be cut and cooked."""
    made = loaf("loaf_1", x, y, z, half=(0.03, 0.025, 0.02))
    return replace(made, roles=made.roles | {"cookable"}, attributes=facts)


def _pick(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), scenes.mug("mug_1", x, y, z)), ("mug_1",))


def _place(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), scenes.mug("mug_1", AWAY, AWAY, 0.0)), ("mug_1", "pillar_1"), "mug_1")


def _place_inside(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), vessel("bowl_1", x, y, z, radius=0.1), die()), ("die_1", "bowl_1"), "die_1")


def _place_on_floor(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), die(half=0.04)), ("die_1", "pillar_1"), "die_1")


def _attach(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), rooms.pot("pot_1", x, y, z), rooms.lid("lid_1", AWAY, AWAY, 0.0)), ("lid_1", "pot_1"), "lid_1")


def _detach(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), rooms.pot("pot_1", x, y, z), rooms.lid("lid_1", x, y, z + 0.1, "pot_1")), ("lid_1", "pot_1"))


def _raise(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z, 0.3), *rooms.sign(x=x, y=y, z=z)), ("base_1",))


def _rolled(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.cart(x=x, y=y, bar_z=z if z > 1.4 else 0.95), scenes.table("table_9", 4.5, -4.5)), ("cart_1", "table_9"))


def _joint(x: float, y: float, z: float) -> Kit:
    return Kit((scenes.cabinet("cabinet_1", x, y, low=z),), ("cabinet_1",))


def _ajar(x: float, y: float, z: float) -> Kit:
    made = scenes.cabinet("cabinet_1", x, y, low=z)
    links = tuple(link if link.joint is None else replace(link, joint=replace(link.joint, initial=0.8)) for link in made.links)
    return Kit((replace(made, links=links),), ("cabinet_1",))


def closed_door(x: float, y: float, z: float) -> Kit:
    return Kit((_raised(scenes.room_door("hall_door_1", x, y), z),), ("hall_door_1",))


def open_door(x: float, y: float, z: float) -> Kit:
    made = _raised(scenes.room_door("hall_door_1", x, y), z)
    links = tuple(link if link.joint is None else replace(link, joint=replace(link.joint, initial=1.2)) for link in made.links)
    return Kit((replace(made, links=links),), ("hall_door_1",))


def _raised(door: Entity, z: float) -> Entity:
    """A door in easy reach, or a hatch that begins at height z: a hand that misses the handle pushes the face."""
    x, y, _ = door.pose.position_m
    return door if z < 1.4 else replace(door, pose=at(x, y, z))


def lamp(running: bool) -> Callable[[float, float, float], Kit]:
    def kit(x: float, y: float, z: float) -> Kit:
        return Kit((rooms.pillar(x, y, z), replace(scenes.lamp("lamp_1", x, y, z), attributes={"running": running})), ("lamp_1",))

    return kit


def _cook(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), hob(x, y, z), food(x, y, z + 0.01)), ("loaf_1",))


def _cut(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), food(x, y, z), knife(x=AWAY, y=AWAY, z=0.0)), ("loaf_1", "knife_1"), "knife_1")


def _stir(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), bowl(x, y, z), spoon(x=AWAY, y=AWAY, z=0.0)), ("bowl_1", "spoon_1"), "spoon_1")


def _pour(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), bowl(x, y, z), jug()), ("bowl_1", "jug_1"), "jug_1")


def _wipe(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z, 0.3), sponge(x=AWAY, y=AWAY, z=0.0)), ("sponge_1", "pillar_1"), "sponge_1")


def _type(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z, 0.25), laptop(x, y, z)), ("laptop_1",))


def _look(x: float, y: float, z: float) -> Kit:
    return Kit((rooms.pillar(x, y, z), scenes.packet("packet_1", x, y, z)), ("packet_1",))


def _sit(x: float, y: float, z: float) -> Kit:
    return Kit((furniture.chair(x=x, y=y),), ("chair_1",))


KITS: dict[str, Callable[[float, float, float], Kit]] = {
    "navigate_to": _pick, "sit": _sit, "pick": _pick, "place": _place, "place_inside": _place_inside, "place_on_floor": _place_on_floor,
    "attach": _attach, "detach": _detach, "raise": _raise, "push": _rolled, "pull": _rolled, "open": _joint, "close": _ajar,
    "open_door": closed_door, "close_door": open_door, "turn_on": lamp(False), "turn_off": lamp(True), "cook": _cook, "cut": _cut,
    "stir": _stir, "pour": _pour, "wipe": _wipe, "use_computer": _type, "look_at": _look,
}  # fmt: skip
"""What each verb that goes somewhere works on, at a place on the ground and a height."""
REACHING = tuple(v for v in KITS if v not in ("navigate_to", "sit", "place_on_floor", "cook", "look_at"))
HIGH_M = 2.5


def walled(verb: str) -> Set:
    """The person is walled in; the thing is outside."""
    return KITS[verb](3.0, 0.5, 0.75).room(*rooms.cell())


def behind_a_door(verb: str) -> Set:
    """The only way out is a door with its handle out of reach."""
    return KITS[verb](0.3, 3.2, 0.75).room(*rooms.stuck_door())


def too_high(verb: str, at_m: float = HIGH_M) -> Set:
    """Whoever stands there does not reach it."""
    return KITS[verb](0.9, 0.0, at_m).room()


def penned(verb: str) -> Set:
    """On a seat, a board so close over the lap that nobody gets up."""
    kit = KITS[verb](3.0, 3.0, 0.75) if verb in KITS else Kit((), ())
    return penned_in(kit)


def penned_in(kit: Kit) -> Set:
    """A seated person under a board."""
    seat = furniture.stool("stool_1", x=1.2)
    board = fixed("board_1", "board", at(0.45, 0.0, 0.78), (box("board", (0.25, 0.5, 0.02)),))
    return kit.room(seat, board, seat="stool_1")


def generic() -> Iterator[Row]:
    """What holds for whole groups of verbs."""
    for verb in KITS:
        yield Row(verb, Code.PATH_BLOCKED, partial(walled, verb), KITS[verb](0, 0, 0).args)
        yield Row(verb, Code.DOOR_CLOSED, partial(behind_a_door, verb), KITS[verb](0, 0, 0).args, "kitchen_door_1")
        yield Row(verb, Code.TRAJECTORY_COLLISION, partial(penned, verb), KITS[verb](0, 0, 0).args, "board_1")
    for verb in REACHING:
        yield Row(verb, Code.OUT_OF_REACH, partial(too_high, verb), KITS[verb](0, 0, 0).args)
