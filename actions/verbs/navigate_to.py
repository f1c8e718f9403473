"""Walk to a thing, a piece of furniture, a door or a room."""

from __future__ import annotations

from actions.goals import entity_stances, inside, room_of, room_stances
from actions.motions import Plan, Segment
from actions.starting import from_stance, walk_plan
from actions.travel import journey
from actions.world import ActionWorld
from assistcore.house.stage import Room
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.errors import nearest
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="navigate_to",
    surface=("Walk", "Run", "WalkTowards"),
    args=("target",),
    hands="free",
    english=("go to {target}", "walk to {target}", "come to {target}", "head to {target}", "move to {target}"),
    meaning="Walk along a collision-free route to a place in front of the target; closed doors on the way are opened.",
    group="locomotion",
    targets=("movable", "fixture", "door", "room"),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_AFFORDED,
        Code.ALREADY,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.TRAJECTORY_COLLISION,
    ),
)

FAR_M = 2.0
"""A walk ends at most this far from its target (things in the middle of large tables)."""
PERSON = "human_1"


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The route to the nearest reachable stance, doors included. Changes nothing."""
    refs = command.entities()
    if not refs:
        return Refusal(Code.BAD_ARGUMENT, "navigate_to needs a target", "name a thing, a door or a room")
    ready = from_stance(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready
    key = refs[0].key
    room = room_of(world, refs[0])
    if key not in world.stage.by_key or key in world.state.absent(world.stage):
        if room is not None:
            return _to_room(here, room, command, first)
        return Refusal(Code.UNKNOWN_ENTITY, f"there is no {key} here", nearest(key, list(world.stage.by_key)))
    if world.stage.entity(key).kind == "structure":
        return Refusal(Code.NOT_AFFORDED, f"{key} is part of the building", "name a thing, a door or a room")
    held = world.state.held
    if held is not None and held.entity == key:
        return Refusal(Code.ALREADY, f"{key} is in the {held.hand} hand already", "say where to take it")
    goals = entity_stances(here, key)
    if not goals:
        return Refusal(Code.PATH_BLOCKED, f"there is no free place to stand at {key} that can be reached", "clear the floor around it")
    trip = journey(here, goals)
    return trip if isinstance(trip, Refusal) else walk_plan(command, first, trip.segments, trip.notes)


def _to_room(here: ActionWorld, room: Room, command: Command, first: list[Segment]) -> Plan | Refusal:
    if inside(room, here.state.body.xy_m):
        return walk_plan(command, first, (), {"route_m": 0.0, "already": True})
    goals = room_stances(here, room)
    if not goals:
        return Refusal(Code.PATH_BLOCKED, f"there is no way into the {room.title.lower()}", "open the door to it")
    trip = journey(here, goals, facing=False)
    return trip if isinstance(trip, Refusal) else walk_plan(command, first, trip.segments, trip.notes)


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """The person stands in the room, or within `FAR_M` of the thing (its `place`); fixtures are near or were measured by the route."""
    ref = command.entities()[0]
    place = graph.value(ref.key, "place")
    mine = graph.value(PERSON, "place")
    if isinstance(place, tuple) and isinstance(mine, tuple):
        dx, dy = (float(int(a) - int(b)) / 1000.0 for a, b in zip(place[:2], mine[:2], strict=True))
        away = (dx * dx + dy * dy) ** 0.5
        if away > FAR_M:
            return Refusal(Code.POSTCONDITION_FAILED, f"{ref.key} is {away:.2f} m away", "try again")
        return None
    room = graph.value(PERSON, "room")
    if graph.value(ref.key, "room") is None and room is not None and room not in (ref.name, ref.key):
        return Refusal(Code.POSTCONDITION_FAILED, f"the person is in {room}, not in {ref.name}", "try again")
    return None
