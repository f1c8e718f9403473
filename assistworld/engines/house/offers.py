"""What the person may name now (RULES, Visibility): from geometry alone, the same with and without frames.

Fixtures and doors belong to the person's own home and are always known by name. Movable things say whether they are visible or held; which
of the others the person may name (those seen before, in some families) is for the boundary to decide.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from actions.grammar import affords
from assistcore.house.stage import Entity, Room
from assistcore.world.graph import SceneGraph
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose, wrap_angle
from assistcore.world.views import Offered

if TYPE_CHECKING:
    from assistcore.house.visibility import Seen
    from assistworld.engines.house.engine import HouseEngine


def offers(engine: HouseEngine) -> tuple[Offered, ...]:
    """All offers in stage order, then the rooms."""
    from assistworld.engines.house.sight import look

    sight = look(engine)
    state, graph = engine.state, engine.graph()
    held = state.held.entity if state.held is not None else ""
    found = []
    absent = state.absent(engine.stage)
    for entity in engine.stage.entities:
        if entity.kind == "structure" or entity.key in absent:
            continue
        seen = sight.seen.get(entity.key)
        found.append(_offer(engine, entity, seen, sight.legible.get(entity.key, ()), graph, held))
    found.extend(_room(engine, room) for room in engine.stage.rooms)
    return tuple(found)


def _offer(engine: HouseEngine, entity: Entity, seen: Seen | None, read: tuple[str, ...], graph: SceneGraph, held: str) -> Offered:
    bearing, elevation, distance = _direction(engine, entity, seen)
    return Offered(
        key=entity.key,
        handle=entity.ref.surface,
        description=_description(entity),
        category=entity.category,
        words=(*entity.adjectives, *entity.nouns, *read),
        room=str(graph.value(entity.key, "room") or entity.room),
        visible=seen is not None,
        held=entity.key == held,
        movable=entity.kind == "movable",
        bearing_rad=bearing,
        elevation_rad=elevation,
        distance_m=distance,
        on=_first(graph, entity.key, "on"),
        inside=_first(graph, entity.key, "inside"),
        state=_state(entity, graph),
        verbs=affords(entity.kind, entity.roles),
        printed=read,
    )


def _description(entity: Entity) -> str:
    """What a person calls it: its adjectives and category, no word twice (`red mug`, never `red red mug`)."""
    noun = entity.category.split("_")
    return " ".join((*(a for a in entity.adjectives if a not in noun), *noun))


def _direction(engine: HouseEngine, entity: Entity, seen: Seen | None) -> tuple[float | None, float | None, float]:
    """Bearing and elevation (where seen) and distance from the head, metres."""
    if seen is not None:
        return round(seen.bearing_rad, 3), round(seen.elevation_rad, 3), round(seen.distance_m, 2)
    x, y = _centre_xy(entity, engine.state.poses.get(entity.key, entity.pose))
    at_x, at_y = engine.state.body.xy_m
    return None, None, round(float(np.hypot(x - at_x, y - at_y)), 2)


@lru_cache(maxsize=1024)
def _centre_xy(entity: Entity, pose: Pose) -> tuple[float, float]:
    """Ground point below the middle of an entity's box."""
    root = pose.matrix()
    low, high = entity.box_m
    x, y = root[:2, :3] @ (0.5 * (low + high)) + root[:2, 3]
    return float(x), float(y)


def _first(graph: SceneGraph, key: str, predicate: str) -> str:
    value = graph.value(key, predicate)
    return str(value[0]) if isinstance(value, tuple) and value else ""


def _state(entity: Entity, graph: SceneGraph) -> tuple[str, ...]:
    """Words for what can be seen of its state: open, closed, running."""
    words = [word for word in ("open", "closed") if graph.has(word, entity.key)]
    running = graph.value(entity.key, "running")
    if isinstance(running, bool):
        words.append("on" if running else "off")
    return tuple(words)


def _room(engine: HouseEngine, room: Room) -> Offered:
    middle: NDArray[np.float64] = np.mean(np.array(room.polygon_m), axis=0)
    dx, dy = middle - np.asarray(engine.state.body.xy_m)
    here = str(engine.graph().value("human_1", "room") or "")
    ref = EntityRef(room.key, 1)
    bearing = wrap_angle(float(np.arctan2(dy, dx)) - engine.state.body.heading_rad)
    return Offered(
        key=ref.key,
        handle=ref.surface,
        description=room.title.lower(),
        category="room",
        words=(room.key.replace("_", " "),),
        room=room.key,
        visible=room.key == here,
        bearing_rad=round(bearing, 3),
        distance_m=round(float(np.hypot(dx, dy)), 2),
        verbs=affords("room", frozenset()),
    )
