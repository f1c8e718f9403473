"""What a command that is done promises, read from geometry and graph: a table of its own, not the verbs' `verify`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assistcore.house.state import HouseState
from assistcore.world.commands import Command
from assistcore.world.ids import EntityRef

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine


def holds(engine: HouseEngine, before: HouseState, command: Command) -> bool:
    """Whether what a command promises can be read. `before`: the state in which it began."""
    graph = engine.graph()
    keys = [ref.key for ref in command.entities()]
    match command.verb:
        case "pick":
            return bool(graph.value(keys[0], "held"))
        case "place":
            return graph.has("on", keys[0], keys[1]) and not graph.value(keys[0], "held")
        case "place_inside":
            return graph.has("inside", keys[0], keys[1]) and not graph.value(keys[0], "held")
        case "open" | "open_door":
            return graph.has("open", keys[0])
        case "close" | "close_door":
            return graph.has("closed", keys[0])
        case "sit":
            return graph.value("human_1", "sitting") == (keys[0],)
        case "standup":
            return not graph.value("human_1", "sitting") and graph.value("human_1", "posture") == "standing"
        case "flip":
            return bool(graph.value(keys[0], "held")) and _turned_over(engine, before, keys[0])
        case "answer_phone":
            return bool(graph.value(keys[0], "held")) and graph.value(keys[0], "ringing") is not True
        case "release":
            return engine.state.held is None
        case "cut" | "stir" | "cook":
            return graph.has({"cut": "cut", "stir": "stirred", "cook": "cooked"}[command.verb], keys[0])
        case "pour":
            return keys[1] in str(graph.value(keys[0], "provenance")).split()
        case "wipe":
            return all(graph.value(key, "present") is not True for key in keys) and any(graph.has("used", key) for key in keys)
        case "attach":
            return any(graph.has("attached", keys[0], key) for key in keys[1:]) and engine.state.held is None
        case "detach":
            return not graph.value(keys[0], "attached") and graph.has("held", keys[0])
        case "raise":
            return any(graph.has("raised", key) for key in (keys[0], *_parents(engine, keys[0])))
        case "turn_on" | "turn_off":
            return graph.has("running", keys[0]) == (command.verb == "turn_on")
        case "squat":
            return graph.value("human_1", "posture") == "standing"
        case "push" | "pull":
            return _brought(engine, *command.entities()[:2])
        case "use_computer":
            return "computer" not in engine.stage.entity(keys[0]).roles or graph.has("running", keys[0])
        case "fall_to_floor":
            return not graph.has("on", keys[0], keys[1]) and engine.state.poses[keys[0]].position_m[2] < 0.3
        case "place_on_floor":
            return graph.has("near", keys[0], keys[1]) and not graph.value(keys[0], "held")
        case "navigate_to":
            return _arrived(engine, command.entities()[0])
    return True


TURNED_OVER_RAD = 0.05
"""A thing turned over has its own vertical axis the other way up, but for this."""


def _turned_over(engine: HouseEngine, before: HouseState, key: str) -> bool:
    was, now = (state.root(engine.stage, key)[2, :3] for state in (before, engine.state))
    return bool(np.abs(was + now).max() <= np.sin(TURNED_OVER_RAD))


ARRIVED_M = 1.3
"""Walking to a thing ends within an arm and a step of it."""


def _arrived(engine: HouseEngine, ref: EntityRef) -> bool:
    from assistworld.engines.house.described import footprint

    stage, state = engine.stage, engine.state
    here = np.asarray(state.body.xy_m)
    rooms = {f"{room.key}_1": room.key for room in stage.rooms}
    if ref.key in rooms:
        return engine.graph().value("human_1", "room") == rooms[ref.key]
    entity = stage.entity(ref.key)
    if entity.kind != "movable" and (outline := footprint(entity)):
        return _outline_distance(here, outline) <= ARRIVED_M
    centre = state.root(stage, ref.key)[:2, 3]
    return float(np.linalg.norm(centre - here)) <= ARRIVED_M + 0.3


def _outline_distance(point: Any, outline: Sequence[Sequence[float]]) -> float:
    corners = np.asarray(outline)
    following = np.roll(corners, -1, axis=0)
    along = following - corners
    t = np.clip(((point - corners) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12), 0.0, 1.0)
    distance = np.linalg.norm(corners + t[:, None] * along - point, axis=1)
    cross = along[:, 0] * (point - corners)[:, 1] - along[:, 1] * (point - corners)[:, 0]
    return 0.0 if bool((cross >= 0).all()) else float(distance.min())


def _parents(engine: HouseEngine, key: str) -> list[str]:
    """What a thing is attached to, and that in turn."""
    found: list[str] = []
    while (at := engine.state.attachment(found[-1] if found else key)) is not None:
        found.append(at.parent)
    return found


BROUGHT_M = 1.6
"""What is pushed or pulled to a thing ends with the middle of its outline this near to the thing's."""


def _brought(engine: HouseEngine, fixture: EntityRef, goal: EntityRef) -> bool:
    from assistworld.engines.house.described import footprint

    stage, state = engine.stage, engine.state
    rooms = {f"{room.key}_1": room.key for room in stage.rooms}
    if goal.key in rooms:
        return engine.graph().value(fixture.key, "room") == rooms[goal.key]
    outline = footprint(stage.entity(goal.key))
    middle = state.root(stage, fixture.key)[:2, 3]
    return not outline or _outline_distance(middle, outline) <= BROUGHT_M
