"""Process rules: what happens by itself as time passes. Pure functions of the graph and of time, so that waiting can skip ahead.

A rule looks at the graph as it was `elapsed` ticks ago and says what is different at `tick`; attributes are all that it may change. `due`
tells when a rule will act next if nobody touches anything: a wait may jump there at once, and the result is that of single steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from assistcore.world.canonical import Value
from assistcore.world.graph import Change, SceneGraph, fold


class Rule(Protocol):
    """One process."""

    @property
    def name(self) -> str:
        """The cause of its changes."""

    def changes(self, graph: SceneGraph, tick: int, elapsed: int) -> tuple[Change, ...]:
        """What became different in the `elapsed` ticks that end at `tick`."""

    def due(self, graph: SceneGraph, tick: int) -> int | None:
        """The next tick after `tick` at which it changes something by itself, or None."""


@dataclass(frozen=True)
class CycleRecord:
    """Every device keeps the record of its cycle (RULES, Process time): when it began, what was inside, whether its door stayed closed."""

    name: str = "cycle record"

    def changes(self, graph: SceneGraph, tick: int, elapsed: int) -> tuple[Change, ...]:
        """Start a record when a device runs without one, spoil it when the door opens, end it when the device is off."""
        found: list[Change] = []
        for device in graph.subjects("running"):
            started = graph.value(device, "cycle_started")
            if graph.has("running", device):
                if started is None:
                    found += self._begin(graph, device, tick)
                elif graph.has("open", device) and graph.has("cycle_valid", device):
                    found.append(Change(tick, device, "cycle_valid", True, False, self.name))
            elif started is not None:
                found.append(Change(tick, device, "cycle_started", started, None, self.name))
                found.append(Change(tick, device, "cycle_ended", graph.value(device, "cycle_ended"), tick, self.name))
        return tuple(found)

    def _begin(self, graph: SceneGraph, device: str, tick: int) -> list[Change]:
        contents = " ".join(key for key in graph.subjects("inside") if graph.has("inside", key, device))
        facts: dict[str, Value] = {"cycle_contents": contents, "cycle_started": tick, "cycle_valid": not graph.has("open", device)}
        return [
            Change(tick, device, kind, graph.value(device, kind), after, self.name)
            for kind, after in facts.items()
            if graph.value(device, kind) != after
        ]

    def due(self, graph: SceneGraph, tick: int) -> int | None:
        """A record follows what people do; time alone changes nothing."""
        return tick + 1 if self.changes(graph, tick + 1, 1) else None


@dataclass(frozen=True)
class Alarm:
    """What has a tick in `rings_at` rings from then on, until someone turns it off."""

    name: str = "alarm"

    def changes(self, graph: SceneGraph, tick: int, elapsed: int) -> tuple[Change, ...]:
        """Ring, once, when the time has come."""
        return tuple(
            Change(tick, key, "ringing", graph.value(key, "ringing"), True, self.name)
            for key in graph.subjects("rings_at")
            if tick - elapsed < self._at(graph, key) <= tick and graph.value(key, "ringing") is not True
        )

    def due(self, graph: SceneGraph, tick: int) -> int | None:
        """The earliest time set that is still to come."""
        return min((at for key in graph.subjects("rings_at") if (at := self._at(graph, key)) > tick), default=None)

    def _at(self, graph: SceneGraph, key: str) -> int:
        at = graph.value(key, "rings_at")
        return at if isinstance(at, int) else -1


RULES: tuple[Rule, ...] = (CycleRecord(), Alarm())


def advance(graph: SceneGraph, tick: int, elapsed: int, rules: Sequence[Rule] = RULES) -> tuple[Change, ...]:
    """The changes of all rules over the `elapsed` ticks that end at `tick`; each rule sees what the ones before it changed."""
    found: list[Change] = []
    for rule in rules:
        new = rule.changes(graph, tick, elapsed)
        graph = fold(graph, new)
        found += new
    return tuple(found)


def next_due(graph: SceneGraph, tick: int, rules: Sequence[Rule] = RULES) -> int | None:
    """The next tick at which some rule acts by itself, or None: until then waiting changes nothing."""
    return min((due for rule in rules if (due := rule.due(graph, tick)) is not None), default=None)
