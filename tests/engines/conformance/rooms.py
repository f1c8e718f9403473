"""Small rooms on a real engine in which one thing is amiss: walled in, behind a door that nobody opens, too high, in a cage, on the way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from unittest import mock

import numpy as np

from actions.manipulation.approach import at_stance
from actions.motions import Plan
from actions.planning import plan_command
from actions.world import ActionWorld
from assistcore.house.stage import Connector, ConvexPiece, Entity, Handle, Joint, Link, Mating, Region, Room, StageModel
from assistcore.house.state import HouseState
from assistcore.world.commands import Command, PlaceSpot
from assistcore.world.engine import Scenario
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose, inverse
from assistworld.engines.house.engine import HouseEngine
from humans.kinematics import joint_transforms
from humans.model import JOINT, load_body
from tests.actions.manipulation import scenes
from tests.actions.manipulation.scenes import at, box, fixed, thing
from tests.actions.postures.furniture import wall
from tests.actions.tools.scenes import vessel

XY = (0.0, 0.0)
CORNERS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def command(verb: str, *args: str | float, spot: tuple[float, float] | None = None) -> Command:
    """A command from keys and values; a word without an index names no entity."""
    given = tuple(EntityRef.from_key(a) if isinstance(a, str) and a[-1].isdigit() else a for a in args)
    return Command(verb, given, None if spot is None else PlaceSpot(*spot))


def stage_of(*entities: Entity) -> StageModel:
    """A room of 12 by 12 metres with these things."""
    room = Room("kitchen", "Kitchen", ((-6.0, -6.0), (6.0, -6.0), (6.0, 6.0), (-6.0, 6.0)))
    return StageModel("synthetic", (room,), (scenes.floor(), *entities))


@dataclass(frozen=True)
class Set:
    """A room, who stands where in it, what is held (taken beforehand), and what is said and done before."""

    entities: tuple[Entity, ...]
    held: str = ""
    xy_m: tuple[float, float] = XY
    heading_deg: float = 0.0
    changes: tuple[dict[str, object], ...] = ()
    seat: str = ""
    joints: tuple[tuple[str, float], ...] = ()
    slipped_m: float = 0.0
    """By how much what is held hangs lower under the hand than it did when it was taken."""

    def but(self, *more: Entity, **changed: object) -> Set:
        """This room with further things, and with other facts."""
        return replace(self, entities=(*self.entities, *more), **changed)  # type: ignore[arg-type]


def engine_in(room: Set) -> HouseEngine:
    """An engine reset to a room. What is held was taken from a table elsewhere with the same hand and body."""
    stage = stage_of(*room.entities)
    house = HouseEngine()
    with mock.patch("assistworld.engines.house.scenes.load_scene", lambda name: stage):
        house.reset(Scenario("synthetic", {"xy_m": room.xy_m, "heading_deg": room.heading_deg}, room.changes), 0)
    state = house.state
    if room.joints:
        state = state.with_(joints={**state.joints, **dict(room.joints)})
    if room.held or room.seat:
        world = house._world()
        world.state = state
        state = prepared(world, room)
    if state is not house.state:
        house.set_saved(state, None, house.clock, house.physics.save())
    if room.held:
        house.physics.set_kinematic(room.held, True)
    return house


def prepared(world: ActionWorld, room: Set) -> HouseState:
    """The state with what is held in the hand, as after taking it from a free table, and the person on the seat, as after sitting down."""
    by_key = world.stage.by_key
    if room.held:
        world = _with(world, _slipped(_taken(by_key[room.held]), room.slipped_m))
    if room.seat:
        alone = scenes.world(by_key[room.seat], *([by_key[room.held]] if room.held else []), xy=room.xy_m)
        if room.held:
            alone = _with(alone, _taken(by_key[room.held]))
        sat = _after(alone, "sit", room.seat)
        poses = {**world.state.poses, **({room.held: sat.poses[room.held]} if room.held else {})}
        return world.state.with_(body=sat.body, poses=poses)
    return world.state


def _with(world: ActionWorld, taken: HouseState) -> ActionWorld:
    body = world.state.body
    there = world.fork()
    there.state = world.state.with_(held=taken.held, body=replace(taken.body, xy_m=body.xy_m, heading_rad=body.heading_rad))
    return at_stance(there, body.xy_m, body.heading_rad)


def _slipped(taken: HouseState, by_m: float) -> HouseState:
    held = taken.held
    assert held is not None
    bones = joint_transforms(load_body(), taken.body.pose_rad, taken.body.translation_m)
    wrist = bones[JOINT[f"{held.hand}_wrist"]]
    down = np.eye(4)
    down[2, 3] = -by_m
    return taken.with_(held=replace(held, wrist_object=Pose.from_matrix(inverse(wrist) @ down @ wrist @ held.wrist_object.matrix())))


@lru_cache(maxsize=64)
def _taken(entity: Entity) -> HouseState:
    alone = replace(entity, pose=at(0.6, -0.15, 0.75, 1.4), mated=None)
    return _after(scenes.world(scenes.table(), alone), "pick", entity.key)


def _after(world: ActionWorld, verb: str, key: str) -> HouseState:
    plan = plan_command(world, command(verb, key))
    assert isinstance(plan, Plan), plan
    there = world.fork()
    for segment in plan.segments:
        there.advance(segment)
    return there.state


def cell(x: float = 0.0, y: float = 0.0, half: float = 0.62, number: int = 90, thick: float = 0.1, low: bool = False) -> tuple[Entity, ...]:
    """Four walls round a place, higher than anybody or up to the waist."""
    t, high = 0.5 * thick, 0.5 if low else 1.2
    sides = ((half + t, 0.0, t, half + 2 * t), (-half - t, 0.0, t, half + 2 * t), (0.0, half + t, half, t), (0.0, -half - t, half, t))
    return tuple(
        fixed(f"wall_{number + k}", "wall", at(x + dx, y + dy, 0), (box("wall", (hx, hy, high), (0, 0, high)),))
        for k, (dx, dy, hx, hy) in enumerate(sides)
    )


def stuck_door(y: float = 0.66, half: float = 0.64) -> tuple[Entity, ...]:
    """A cell round the origin whose only way out is a closed door with its handle out of reach."""
    door = scenes.room_door("kitchen_door_1", 0.0, y)
    link = door.links[0]
    high = replace(link, parts=scenes.seen(link.pieces), handle=Handle((0.33, -0.06, 2.5), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0)))
    t, gap = 0.05, 0.44
    side = 0.5 * (half - gap)
    return (
        replace(door, links=(high,)),
        wall("wall_80", half + t, 0.0, (t, half + 2 * t)), wall("wall_81", -half - t, 0.0, (t, half + 2 * t)),
        wall("wall_82", 0.0, -half - t, (half, t)),
        wall("wall_83", gap + side, y, (side, t)), wall("wall_84", -gap - side, y, (side, t)),
    )  # fmt: skip


def tilted(entity: Entity, degrees: float) -> Entity:
    """An entity that leans to the left of who looks along +x."""
    half = np.radians(0.5 * degrees)
    return replace(entity, pose=Pose(entity.pose.position_m, (float(np.cos(half)), float(-np.sin(half)), 0.0, 0.0)))


def pillar(x: float, y: float, top: float, half: float = 0.15, key: str = "pillar_1") -> Entity:
    """A block with a level top and a surface region."""
    region = Region("top", "surface", "base", (-half, -half, top), (half, half, top + 0.5))
    piece = box("block", (half, half, top / 2), (0, 0, top / 2))
    return fixed(key, "pillar", at(x, y, 0), (piece,), roles=frozenset({"surface"}), regions=(region,))


def cage(x: float, y: float, low: float, half: float = 0.14, high: float = 0.4) -> Entity:
    """Bars on all sides and on top, too close for a hand, far enough apart to see what is in there."""
    bars = []
    for k in range(5):
        s = -half + 0.5 * half * k
        for name, u, v in (("a", s, half), ("b", s, -half), ("c", half, s), ("d", -half, s)):
            bars.append(box(f"{name}{k}", (0.008, 0.008, high / 2), (u, v, high / 2)))
        bars.append(box(f"t{k}", (0.008, half, 0.008), (s, 0.0, high)))
    return fixed("cage_1", "cage", at(x, y, low), tuple(bars))


def pot(key: str = "pot_1", x: float = 0.6, y: float = 0.1, z: float = 0.75) -> Entity:
    """A vessel with a rim that a lid goes on."""
    made = vessel(key, x, y, z, radius=0.09, height=0.1)
    return replace(made, connectors=(Connector("rim", "socket", "lid90", "base", (0.0, 0.0, 0.1), turns=4, closes=("inside",)),))


def lid(key: str = "lid_1", x: float = 0.6, y: float = -0.2, z: float = 0.75, parent: str = "") -> Entity:
    """A stopper that a hand goes round."""
    plug = Connector("underside", "plug", "lid90", "base", (0.0, 0.0, 0.0), turns=4)
    mated = Mating("underside", parent, "rim") if parent else None
    piece = scenes.cylinder("body", 0.04, 0.1)
    return thing(key, "lid", at(x, y, z), (piece,), 0.2, roles=frozenset({"lid"}), connectors=(plug,), mated=mated)


def chest(x: float = 0.65, y: float = 0.0, z: float = 0.75, opened: bool = True, half: float = 0.14) -> Entity:
    """A box on a table, open at the top unless its lid, which slides, is over it."""
    walls = [box("floor", (half, half, 0.006), (0, 0, 0.006))]
    walls += [box(f"x{s}", (0.006, half, 0.06), (s * half, 0, 0.06)) for s in (-1, 1)]
    walls += [box(f"y{s}", (half, 0.006, 0.06), (0, s * half, 0.06)) for s in (-1, 1)]
    joint = Joint("chest_1_lid", "slide", (0.0, 1.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.28, initial=0.28 if opened else 0.0)
    cover = (box("cover", (half, half, 0.006), (0, 0, 0.13)), box("knob", (0.02, 0.02, 0.02), (0, 0, 0.155)))
    links = (
        Link("base", np.eye(4), (), tuple(walls)),
        Link("cover", np.eye(4), (), cover, joint, Handle((0.0, 0.0, 0.155), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))),
    )
    inside = Region(
        "inside", "interior", "base", (0.01 - half, 0.01 - half, 0.012), (half - 0.01, half - 0.01, 0.12), (joint.key,), (0.0, 0.0, 1.0)
    )
    return fixed("chest_1", "chest", at(x, y, z), (), links=links, roles=frozenset({"openable", "container"}), regions=(inside,))


def cart(key: str = "cart_1", x: float = 1.5, y: float = 0.0, bar_z: float = 0.95) -> Entity:
    """A cart with a push bar towards -x and a board to put things on."""
    pieces = (
        box("board", (0.3, 0.2, 0.02), (0, 0, 0.5)),
        *(box(f"post{i}", (0.015, 0.015, 0.24), (sx * 0.28, sy * 0.18, 0.24)) for i, (sx, sy) in enumerate(CORNERS)),
        *(box(f"arm{s}", (0.012, 0.012, (bar_z - 0.52) / 2), (-0.34, s * 0.22, 0.5 * (bar_z + 0.52))) for s in (-1, 1)),
        *(box(f"strut{s}", (0.03, 0.012, 0.012), (-0.31, s * 0.2, 0.5)) for s in (-1, 1)),
        box("bar", (0.012, 0.24, 0.012), (-0.34, 0, bar_z)),
    )  # fmt: skip
    link = Link("base", np.eye(4), scenes.seen(pieces), pieces, None, Handle((-0.34, 0.0, bar_z), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    region = Region("top", "surface", "base", (-0.3, -0.2, 0.52), (0.3, 0.2, 0.9))
    return Entity(EntityRef.from_key(key), "movable", "cart", key, "kitchen", at(x, y, 0), (link,), mass_kg=12.0,
                  roles=frozenset({"surface", "wheeled"}), regions=(region,))  # fmt: skip


def sign(lying: bool = True, x: float = 0.75, y: float = 0.0, z: float = 0.75) -> tuple[Entity, Entity]:
    """A heavy foot with a pole in it, lying on its side along +y or standing."""
    foot = box("foot", (0.13, 0.13, 0.02), (0, 0, 0.02))
    tube = Connector("tube", "socket", "pole", "base", (0.0, 0.0, 0.04))
    stick = box("stick", (0.012, 0.012, 0.25), (0, 0, 0.25))
    plug = Connector("foot", "plug", "pole", "base", (0.0, 0.0, 0.0))
    pose = at(x, y, z)
    if lying:
        pose = Pose((x, y, z + 0.13), (float(np.cos(np.pi / 4)), float(-np.sin(np.pi / 4)), 0.0, 0.0))
    base = thing("base_1", "base", pose, (foot,), 3.0, roles=frozenset({"erectable"}), connectors=(tube,))
    pole = thing(
        "pole_1", "pole", pose, (stick,), 0.6, roles=frozenset({"part"}), connectors=(plug,), mated=Mating("foot", "base_1", "tube")
    )
    return base, pole


def ball(key: str = "ball_1", radius: float = 0.035) -> Entity:
    """A round thing that rolls."""
    k = np.arange(120) + 0.5
    z, a = 1.0 - k / 60.0, np.pi * (1.0 + 5.0**0.5) * k
    ring = np.sqrt(1.0 - z * z)
    points = radius * (np.stack([ring * np.cos(a), ring * np.sin(a), z], axis=1) + [0.0, 0.0, 1.0])
    return thing(key, "ball", at(-4.5, -4.5, 0.0), (ConvexPiece("body", points, np.eye(4)),), 0.1)
