"""Closed doors on the way are opened: whoever goes from one room to the next passes a door that is open then, or an open passage."""

from __future__ import annotations

from assistcore.house.stage import Entity, StageModel
from assistcore.house.state import HouseState

PASSABLE = 0.5
"""A door less open than this lets nobody through."""
CLOSED = 0.02


def room_at(stage: StageModel, x_m: float, y_m: float) -> str:
    """Key of the room whose floor polygon holds a point, empty for none (inside a wall's thickness)."""
    for room in stage.rooms:
        corners = room.polygon_m
        cuts = 0
        for (x, y), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
            cuts += (y > y_m) != (y2 > y_m) and x + (y_m - y) * (x2 - x) / (y2 - y) > x_m
        if cuts % 2:
            return room.key
    return ""


class Doorways:
    """Watches one person walk. `opened`: doors closed at the start and passed since; `problems`: passages through no open door."""

    def __init__(self, stage: StageModel, state: HouseState) -> None:
        self._stage = stage
        self._closed = {e.key for e in stage.entities if e.connects and e.joints and _fraction(stage, state, e) < CLOSED}
        self._room = room_at(stage, *state.body.xy_m)
        self.opened: list[str] = []
        self.problems: list[str] = []

    def watch(self, tick: int, state: HouseState) -> None:
        """Look at the state after a tick."""
        room = room_at(self._stage, *state.body.xy_m)
        if not room or room == self._room:
            return
        before, self._room = self._room, room
        between = [e for e in self._stage.entities if set(e.connects) == {before, room}]
        through = [e for e in between if not e.joints or _fraction(self._stage, state, e) >= PASSABLE]
        if before and not through:
            names = ", ".join(f"{e.key} ({100 * _fraction(self._stage, state, e):.0f} % open)" for e in between if e.joints) or "no door"
            self.problems.append(f"tick {tick}: from {before} to {room} through {names}")
        self.opened += [e.key for e in through if e.key in self._closed and e.key not in self.opened]


def _fraction(stage: StageModel, state: HouseState, door: Entity) -> float:
    return max(0.0, *(state.open_fraction(stage, joint.key) for joint in door.joints))
