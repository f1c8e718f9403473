"""The process rules of a home, made for one stage: heat cooks and burns, running water rinses, machines run their course, liquids spill.

Each is a pure function of the graph and of time (see `processes`); which things are heaters, taps and machines is the stage's to say:

| role | rule |
|---|---|
| `heat` | food (`cookable`) in it, its doors closed, or on it, also by way of a pan or pot, while it runs: cooked after `COOK_TICKS`, burnt after `BURN_TICKS` of heat in all |
| `tap` | what is inside while the water runs becomes wet and clean |
| an open vessel | tilted beyond what it can hold, it loses the rest, which lies on the nearest place for a spill below it; not where it is `sealed` or has a lid on |
| `washer`, `dryer` | after `CYCLE_TICKS` it stops; what was in it from beginning to end behind a closed door comes out clean and wet, or dry |
"""  # noqa: E501

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import acos, hypot

from assistcore.house.processes import RULES, Rule
from assistcore.house.stage import StageModel
from assistcore.house.vessels import capacity_ml, retained, rim_of, room_of, section_m
from assistcore.world.canonical import Value
from assistcore.world.clock import HOUSE_TICK_SECONDS, ticks_in
from assistcore.world.graph import Change, SceneGraph

COOK_TICKS = ticks_in(120.0, HOUSE_TICK_SECONDS)
BURN_TICKS = ticks_in(300.0, HOUSE_TICK_SECONDS)
CYCLE_TICKS = ticks_in(600.0, HOUSE_TICK_SECONDS)
NESTED = 4
"""How many vessels deep heat goes."""
SPILL_SLACK_ML = 5
"""Less than this clings to a vessel that is tilted."""
SPILL_REACH_M, SPILL_OVER_M = 0.6, 0.05
"""How far aside what runs out is seen, and how far the foot of a vessel may be below the place where it lies."""


def _change(graph: SceneGraph, tick: int, key: str, kind: str, after: Value, cause: str) -> list[Change]:
    """The change of one fact, or none where it is so already."""
    before = graph.value(key, kind)
    return [] if before == after else [Change(tick, key, kind, before, after, cause)]


def _number(graph: SceneGraph, key: str, kind: str) -> int | None:
    value = graph.value(key, kind)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def resting_place(graph: SceneGraph, key: str, among: frozenset[str]) -> str:
    """Which of some things a thing is in or on, by way of whatever it stands in or on; empty for none."""
    frontier = [key]
    for _ in range(NESTED):
        found: list[str] = []
        for thing in frontier:
            for kind in ("inside", "on"):
                value = graph.value(thing, kind)
                found += [str(k) for k in value] if isinstance(value, tuple) else []
        hit = next((k for k in found if k in among), "")
        if hit or not found:
            return hit
        frontier = found
    return ""


@dataclass(frozen=True)
class Heat:
    """Food on heat. `heating_since` is when it came there, `heated_ticks` what it has had before."""

    heaters: frozenset[str]
    food: tuple[str, ...]
    name: str = "heat"

    def heated_by(self, graph: SceneGraph, key: str) -> str:
        """The running heater that a food is in or on, doors closed; empty for none."""
        if not any(graph.has("running", h) for h in self.heaters):
            return ""
        heater = resting_place(graph, key, self.heaters)
        hot = bool(heater) and graph.has("running", heater) and graph.value(heater, "closed") is not False
        return heater if hot else ""

    def changes(self, graph: SceneGraph, tick: int, elapsed: int) -> tuple[Change, ...]:
        """Begin, go on to cooked and burnt, end."""
        found: list[Change] = []
        for key in self.food:
            since, before = _number(graph, key, "heating_since"), _number(graph, key, "heated_ticks") or 0
            hot = bool(self.heated_by(graph, key))
            if since is None:
                found += _change(graph, tick, key, "heating_since", tick, self.name) if hot else []
                continue
            total = before + tick - since
            if total >= COOK_TICKS:
                found += _change(graph, tick, key, "cooked", True, self.name)
            if total >= BURN_TICKS:
                found += _change(graph, tick, key, "burnt", True, self.name)
            if not hot:
                found += _change(graph, tick, key, "heating_since", None, self.name)
                found += _change(graph, tick, key, "heated_ticks", total, self.name)
        return tuple(found)

    def due(self, graph: SceneGraph, tick: int) -> int | None:
        """When the next food is done or burnt; the next tick where one has just come to the heat or left it."""
        times: list[int] = []
        for key in self.food:
            since = _number(graph, key, "heating_since")
            if (since is None) == bool(self.heated_by(graph, key)):
                times.append(tick + 1)
            elif since is not None:
                start = since - (_number(graph, key, "heated_ticks") or 0)
                times += [start + t for t in (COOK_TICKS, BURN_TICKS) if start + t > tick]
        return min(times, default=None)


@dataclass(frozen=True)
class Rinse:
    """Running water: what is inside a basin or tub whose tap runs."""

    taps: frozenset[str]
    name: str = "rinse"

    def changes(self, graph: SceneGraph, tick: int, elapsed: int) -> tuple[Change, ...]:
        """Wet at once; clean where it was not."""
        found: list[Change] = []
        running = frozenset(t for t in self.taps if graph.has("running", t))
        for key in graph.subjects("inside") if running else ():
            value = graph.value(key, "inside")
            if not isinstance(value, tuple) or running.isdisjoint(map(str, value)):
                continue
            found += _change(graph, tick, key, "wet", True, self.name)
            if graph.value(key, "clean") is False:
                found += _change(graph, tick, key, "clean", True, self.name)
        return tuple(found)

    def due(self, graph: SceneGraph, tick: int) -> int | None:
        """It acts when something comes under the water; time alone changes nothing."""
        return tick + 1 if self.changes(graph, tick + 1, 1) else None


@dataclass(frozen=True)
class Cycle:
    """A wash or dryer cycle (the record of its beginning is that of `CycleRecord`)."""

    washers: frozenset[str]
    dryers: frozenset[str]
    name: str = "cycle"

    @cached_property
    def machines(self) -> tuple[str, ...]:
        """All of them, sorted."""
        return tuple(sorted(self.washers | self.dryers))

    def changes(self, graph: SceneGraph, tick: int, elapsed: int) -> tuple[Change, ...]:
        """The machine stops at the end of its cycle; a valid one has done its work on what has been in it all the time."""
        found: list[Change] = []
        for machine in self.machines:
            started = _number(graph, machine, "cycle_started")
            if started is None or not graph.has("running", machine) or tick < started + CYCLE_TICKS:
                continue
            found += _change(graph, tick, machine, "running", False, self.name)
            found += _change(graph, tick, machine, "off", True, self.name)
            if graph.value(machine, "cycle_valid") is not True:
                continue
            for key in str(graph.value(machine, "cycle_contents") or "").split():
                if not graph.has("inside", key, machine):
                    continue
                if machine in self.washers:
                    found += _change(graph, tick, key, "clean", True, self.name)
                found += _change(graph, tick, key, "wet", machine in self.washers, self.name)
        return tuple(found)

    def due(self, graph: SceneGraph, tick: int) -> int | None:
        """The end of the next cycle to end."""
        ends = [
            started + CYCLE_TICKS
            for machine in self.machines
            if graph.has("running", machine) and (started := _number(graph, machine, "cycle_started")) is not None
        ]
        return min((max(end, tick + 1) for end in ends), default=None)


@dataclass(frozen=True)
class Vessel:
    """What holds a liquid and is open at the top: width and height as its level sees them, metres, and millilitres when full."""

    key: str
    width_m: float
    height_m: float
    full_ml: int


@dataclass(frozen=True)
class Spill:
    """What a tilted vessel does not keep runs out. `places`: keys of spills with their place, metres."""

    vessels: tuple[Vessel, ...]
    places: tuple[tuple[str, tuple[float, float, float]], ...]
    name: str = "spill"

    def changes(self, graph: SceneGraph, tick: int, elapsed: int) -> tuple[Change, ...]:
        """At once, as far as the tilt goes."""
        found: list[Change] = []
        for vessel in self.vessels:
            volume, place = _number(graph, vessel.key, "volume_ml") or 0, graph.value(vessel.key, "place")
            if volume <= 0 or not isinstance(place, tuple) or self._shut(graph, vessel.key):
                continue
            x, y, z, _, qx, qy, _ = (float(v) for v in place if isinstance(v, int))
            tilt = acos(max(-1.0, min(1.0, 1.0 - 2.0 * (qx * qx + qy * qy) * 1e-12)))
            kept = int(vessel.full_ml * retained(vessel.width_m, vessel.height_m, tilt))
            if volume <= kept + SPILL_SLACK_ML:
                continue
            found += _change(graph, tick, vessel.key, "volume_ml", kept, self.name)
            found += self._seen(graph, tick, vessel.key, (1e-3 * x, 1e-3 * y, 1e-3 * z), volume - kept)
        return tuple(found)

    def _shut(self, graph: SceneGraph, key: str) -> bool:
        """Sealed, or with a lid on."""
        return graph.has("sealed", key) or any(graph.has("attached", lid, key) for lid in graph.subjects("attached"))

    def _seen(self, graph: SceneGraph, tick: int, vessel: str, at_m: tuple[float, float, float], out_ml: int) -> list[Change]:
        """The nearest spill below shows what ran out."""
        near = [
            (hypot(x - at_m[0], y - at_m[1]), key)
            for key, (x, y, z) in self.places
            if z <= at_m[2] + SPILL_OVER_M and hypot(x - at_m[0], y - at_m[1]) < SPILL_REACH_M
        ]
        if not near:
            return []
        key = min(near)[1]
        there = (_number(graph, key, "volume_ml") or 0) if graph.has("present", key) else 0
        found = _change(graph, tick, key, "contents", graph.value(vessel, "contents"), self.name) if there == 0 else []
        found += _change(graph, tick, key, "volume_ml", there + out_ml, self.name)
        return [*found, *_change(graph, tick, key, "present", True, self.name)]

    def due(self, graph: SceneGraph, tick: int) -> int | None:
        """It acts when something is tilted; time alone changes nothing."""
        return tick + 1 if self.changes(graph, tick + 1, 1) else None


def open_vessels(stage: StageModel) -> tuple[Vessel, ...]:
    """The movable vessels of a stage that are open at the top."""
    found = [e for e in stage.entities if e.kind == "movable" and rim_of(e) is not None and room_of(e) is not None]
    return tuple(Vessel(e.key, *section_m(e), capacity_ml(e)) for e in found)


@lru_cache(maxsize=8)
def rules_for(stage: StageModel) -> tuple[Rule, ...]:
    """All rules of a stage, in the order in which they act."""

    def having(*roles: str, kind: str = "") -> frozenset[str]:
        return frozenset(e.key for e in stage.entities if e.roles & set(roles) and kind in ("", e.kind))

    heaters = frozenset(e.key for e in stage.entities if "heat" in e.roles and e.regions)
    food = tuple(sorted(having("cookable", kind="movable")))
    places = tuple((e.key, e.pose.position_m) for e in stage.entities if "spill" in e.roles)
    spill = Spill(open_vessels(stage), places)
    return (*RULES, Heat(heaters, food), Rinse(having("tap")), Cycle(having("washer"), having("dryer")), spill)


def heat_of(stage: StageModel) -> Heat:
    """The heat rule of a stage."""
    return next(rule for rule in rules_for(stage) if isinstance(rule, Heat))
