"""Random placements of things that are really held, decided by the exhaustive sampler and then asked of the engine.

Case `number` holds what was taken in its group of four (the planner's own [Grab] from a random start, doors, lids and drawers in random
states) and draws targets until the sampler proves one of its class: every fourth case an unreachable one, the others reachable ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from actions.manipulation.surroundings import Place, regions_of
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.stage import Entity
from assistcore.house.state import BodyState
from assistcore.world.commands import PlaceSpot
from assistcore.world.engine import Scenario
from assistcore.world.errors import AssistWorldError
from assistcore.world.outcomes import Refusal, Status
from assistcore.world.poses import Pose
from assistcore.world.randomness import stream
from assistworld.studies.motion_check import MotionChecker
from assistworld.studies.reachability.search import Search, Verdict
from assistworld.studies.sampling import choose, episode_seed, random_doors, standing
from assistworld.studies.trials import TICK_LIMIT, shared_engine

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine

SCENES = ("flat", "annex")
GROUP = 4
"""Cases that share a start and what is held: three reachable ones and one that is not."""
TRIES = 60
STARTS, DRAWS = 6, 16
"""What is held is changed where that many draws were all of another class: hardly anything can be done with it there."""
KINDS = ("high", "deep", "shut", "crowded", "misfit", "floor", "any")
"""What an unreachable target is looked for among, in turn."""
HIGH_M, DEEP_M = 1.45, 0.5


@dataclass(frozen=True)
class Held:
    """A start with something in the hand: what repeats it, and the saved engine."""

    scene: str
    human: Mapping[str, Any]
    changes: tuple[Mapping[str, Any], ...]
    seed: int
    thing: str
    saved: bytes


@dataclass(frozen=True)
class Target:
    """A command for what is held, and what the sampler needs of it: regions, a named spot, or what it is put down beside."""

    command: str
    places: tuple[Place, ...]
    spot: PlaceSpot | None = None
    beside: str = ""


def play_placement(seed: int, number: int) -> dict[str, Any]:
    """Case `number`: JSON with the sampler's verdict, what the engine did, and `ok` (False where an unreachable placement was accepted)."""
    group, place = divmod(number, GROUP)
    wanted = "unreachable" if place == GROUP - 1 else "reachable"
    rng = stream(seed, "placement", number)
    passed: dict[str, int] = {}
    for start in range(STARTS):
        held = taken(seed, group, start)
        engine = shared_engine(held.scene)
        engine.restore(held.saved)
        for attempt in range(DRAWS):
            kind = KINDS[(group + attempt // 4) % len(KINDS)] if wanted == "unreachable" else "any"
            target = _draw(engine, held, rng, kind)
            if target is None:
                continue
            verdict = decide(engine, target, episode_seed(rng))
            if verdict.kind == wanted:
                return {**_facts(held, number, seed, engine), **_asked(engine, target, verdict), "passed_over": passed}
            passed[verdict.kind] = passed.get(verdict.kind, 0) + 1
    raise AssistWorldError(f"no {wanted} placement in group {group} from {STARTS} starts of {DRAWS} draws each: {passed}")


def decide(engine: HouseEngine, target: Target, seed: int) -> Verdict:
    """The sampler's verdict for what the engine's person holds now, a release pose confirmed by the independent checker of contacts."""
    if engine.parts is None:
        raise AssistWorldError("a placement is decided in a loaded scene")
    world = ActionWorld(engine.stage, engine.body, engine.parts.collision, engine.state)
    search = Search(world, target.places, target.spot, target.beside, seed)
    verdict = search.verdict()
    if verdict.release is None:
        return verdict
    faults = _released(engine, search, verdict, target)
    return verdict if not faults else Verdict("border", f"the checker finds {faults[0]}", looked_at=verdict.looked_at)


def _released(engine: HouseEngine, search: Search, verdict: Verdict, target: Target) -> list[str]:
    """What the independent checker finds in a release pose, the thing still in the hand."""
    release, state = verdict.release, engine.state
    if release is None or state.held is None:
        return []
    pose, translation = search.ways.body_at(release)
    back = np.linalg.inv(state.root(engine.stage, state.held.entity))
    carried = (state.held.entity, *(r.entity for r in state.riding))
    moved = {key: Pose.from_matrix(release.root @ back @ state.root(engine.stage, key)) for key in carried}
    x, y, heading = (float(v) for v in release.stance)
    there = state.with_(body=BodyState(pose, translation, (x, y), heading), poses={**state.poses, **moved})
    support = target.places[0].entity if target.places else ""
    checker = _checker(engine.stage.name)
    checker.forget()
    first = len(checker.faults)
    checker.watch(0, there, Allowed(held=state.held.entity, support=support, target=support))
    return [str(fault) for fault in checker.faults[first:]]


@lru_cache(maxsize=4)
def _checker(scene: str) -> MotionChecker:
    engine = shared_engine(scene)
    return MotionChecker(engine.stage, engine.body)


def _asked(engine: HouseEngine, target: Target, verdict: Verdict) -> dict[str, Any]:
    """What the engine makes of the command, and the verdict as JSON."""
    parsed = engine.parse(target.command)
    refusal = parsed if isinstance(parsed, Refusal) else engine.begin(parsed.command)
    status = Status.REFUSED if refusal is not None else Status.FAILED
    ticks = 0
    while refusal is None and not engine.idle() and ticks < TICK_LIMIT:
        step, ticks = engine.tick(), ticks + 1
        if step.outcome is not None:
            status, refusal = step.outcome.status, step.outcome.refusal
    found: dict[str, Any] = {
        "command": target.command,
        "class": verdict.kind,
        "reason": verdict.reason,
        "looked_at": verdict.looked_at,
        "status": status.value,
        "code": refusal.code if refusal is not None else "",
        "fact": refusal.fact if refusal is not None else "",
        "ok": verdict.kind == "reachable" or status is Status.REFUSED,
        "solved": status is Status.DONE,
    }
    release = verdict.release
    if release is not None:
        found["found"] = {
            "stance": [round(float(v), 3) for v in release.stance],
            "posture": verdict.posture,
            "swivel_deg": round(float(np.degrees(release.swivel_rad)), 1),
            "thing_at": [round(float(v), 3) for v in release.root[:3, 3]],
            "thing_turn_deg": round(float(np.degrees(np.arctan2(release.root[1, 0], release.root[0, 0]))), 1),
        }
    return found


def _facts(held: Held, number: int, seed: int, engine: HouseEngine) -> dict[str, Any]:
    hand = engine.state.held.hand if engine.state.held is not None else ""
    changes = [dict(c) for c in held.changes]
    facts = {"scene": held.scene, "seed": held.seed, "human": dict(held.human), "changes": changes, "thing": held.thing, "hand": hand}
    return {"number": number, "sample_seed": seed, **facts}


# What is held.


@lru_cache(maxsize=4)
def taken(seed: int, group: int, start: int = 0) -> Held:
    """Something random in the hand of someone somewhere, by the planner's own way of taking it; `start` counts those of a group."""
    rng = stream(seed, f"placement start {start}", group)
    scene = SCENES[group % len(SCENES)]
    engine = shared_engine(scene)
    for _ in range(TRIES):
        changes = (*random_doors(engine.stage, rng, open_share=0.9), *_opened(engine, rng), *_crowded(engine, rng))
        thing = choose(rng, [e for e in engine.stage.entities if e.kind == "movable" and e.key not in engine.stage.patches])
        engine.reset(Scenario(scene), 0)
        try:
            scenario = Scenario(scene, standing(engine, rng, list(changes), room=thing.room), changes)
        except AssistWorldError:
            continue
        seed_here = episode_seed(rng)
        engine.reset(scenario, seed_here)
        if _done(engine, f"[Grab] {thing.ref.surface}"):
            return Held(scene, scenario.human, changes, seed_here, thing.key, engine.save())
    raise AssistWorldError(f"nothing could be taken in {scene} after {TRIES} tries")


def _done(engine: HouseEngine, text: str) -> bool:
    parsed = engine.parse(text)
    if isinstance(parsed, Refusal) or engine.begin(parsed.command) is not None:
        return False
    while not engine.idle():
        step = engine.tick()
        if step.outcome is not None:
            return step.outcome.status is Status.DONE
    return False


def _opened(engine: HouseEngine, rng: np.random.Generator) -> list[Mapping[str, Any]]:
    """Cabinets, drawers and appliances: open, closed, or in between."""
    changes: list[Mapping[str, Any]] = []
    for entity in engine.stage.entities:
        if entity.kind == "fixture" and entity.joints and any(r.doors for r in entity.regions):
            draw, part = rng.random(), round(float(rng.uniform(0.1, 0.95)), 2)
            changes.append({"set_open": entity.key, "fraction": 1.0 if draw < 0.5 else part if draw < 0.6 else 0.0})
    return changes


def _crowded(engine: HouseEngine, rng: np.random.Generator) -> list[Mapping[str, Any]]:
    """A few large things on small supports."""
    engine.reset(Scenario(engine.stage.name), 0)
    graph = engine.graph()
    taken_up = {str(k) for e in engine.stage.entities for kind in ("on", "inside") for k in _tuple(graph.value(e.key, kind))}
    small = [e for e in engine.stage.entities if e.kind == "fixture" and e.key not in taken_up and any(_area(r) < 0.25 for r in e.regions)]
    large = [e for e in engine.stage.entities if e.kind == "movable" and 0.05 < _footprint(e) < 0.2 and e.mass_kg < 8.0]
    out: list[Mapping[str, Any]] = []
    for support in rng.permutation(len(small))[:3].tolist():
        surface = [r for r in small[support].regions if r.kind == "surface"]
        thing = choose(rng, large)
        if surface and all(c.get("move") != thing.key for c in out):
            out.append({"move": thing.key, "onto": small[support].key, "region": surface[0].name})
    return out


def _tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def _area(region: Any) -> float:
    return float(np.prod(np.subtract(region.high_m, region.low_m)[:2]))


def _footprint(entity: Entity) -> float:
    low, high = entity.box_m
    return float(np.prod((high - low)[:2]))


# Targets.


def _draw(engine: HouseEngine, held: Held, rng: np.random.Generator, kind: str) -> Target | None:
    """A random target of a kind for what is held, or None where the draw names none."""
    world = _world(engine)
    thing = engine.stage.entity(held.thing)
    near = rng.random() < 0.75
    room = str(engine.graph().value("human_1", "room") or "")
    if kind == "floor" or (kind == "any" and rng.random() < 0.12):
        anchors = [e for e in engine.stage.entities if e.kind in ("fixture", "movable") and e.key != thing.key and _is_near(e, room, near)]
        anchors = [e for e in anchors if e.key not in world.state.absent(world.stage)]
        anchor = choose(rng, anchors) if anchors else None
        return anchor and Target(f"[PutOnFloor] {thing.ref.surface} {anchor.ref.surface}", (), None, anchor.key)
    options = [p for p in _regions(world, held) if _CHOICES[kind](world, thing, p) and _is_near(world.stage.entity(p.entity), room, near)]
    return _named(world, thing, choose(rng, options), kind, rng) if options else None


def _world(engine: HouseEngine) -> ActionWorld:
    if engine.parts is None:
        raise AssistWorldError("a target is drawn in a loaded scene")
    return ActionWorld(engine.stage, engine.body, engine.parts.collision, engine.state)


def _is_near(entity: Entity, room: str, near: bool) -> bool:
    return not near or entity.room == room


def _regions(world: ActionWorld, held: Held) -> list[Place]:
    gone = world.state.absent(world.stage) | {held.thing} | {r.entity for r in world.state.riding}
    lidded = {a.parent for a in world.state.attached}
    owners = [e for e in world.stage.entities if e.kind != "structure" and e.key not in gone and e.key not in lidded]
    return [p for e in owners for p in regions_of(world, e.key)]


def _size(thing: Entity) -> Any:
    low, high = thing.box_m
    return np.sort((high - low)[:2])


def _high(world: ActionWorld, thing: Entity, place: Place) -> bool:
    return bool((place.T_region @ [*place.region.low_m, 1.0])[2] > HIGH_M)


def _deep(world: ActionWorld, thing: Entity, place: Place) -> bool:
    return min(np.subtract(place.region.high_m, place.region.low_m)[:2]) >= DEEP_M and place.region.kind == "surface"


def _shut(world: ActionWorld, thing: Entity, place: Place) -> bool:
    return any(world.state.open_fraction(world.stage, joint) < 0.5 for joint in place.region.doors)


def _misfit(world: ActionWorld, thing: Entity, place: Place) -> bool:
    size, room = _size(thing), np.sort(np.subtract(place.region.high_m, place.region.low_m)[:2])
    return bool((size * 0.6 > room).any())


def _small(world: ActionWorld, thing: Entity, place: Place) -> bool:
    size, room = _size(thing), np.sort(np.subtract(place.region.high_m, place.region.low_m)[:2])
    return bool((size < room).all() and np.prod(room) < 12.0 * max(float(np.prod(size)), 0.012))


_CHOICES: Mapping[str, Callable[[ActionWorld, Entity, Place], bool]] = {
    "high": _high, "deep": _deep, "shut": _shut, "crowded": _small, "misfit": _misfit, "any": lambda world, thing, place: True,
}  # fmt: skip


def _named(world: ActionWorld, thing: Entity, place: Place, kind: str, rng: np.random.Generator) -> Target:
    """A command that names a region's owner, for an interior often the region too, for a large surface sometimes a spot on it."""
    owner = world.stage.entity(place.entity)
    every = [p for p in regions_of(world, place.entity) if p.region.kind == place.region.kind]
    if place.region.kind == "surface":
        u, v = round(float(rng.uniform(-1.0, 1.0)), 2), round(float(rng.uniform(0.0, 1.0)), 2)
        asked = kind == "deep" or rng.random() < 0.2
        # which of several surfaces a spot is meant on is the planner's to choose
        spot = PlaceSpot(u, 1.0 if kind == "deep" else v) if asked and len(every) == 1 else None
        text = f"[Put] {thing.ref.surface} {owner.ref.surface}" + (f" @place_spot={spot.u:g}:{spot.v:g}" if spot else "")
        return Target(text, tuple(every), spot)
    text = f"[PutIn] {thing.ref.surface} {owner.ref.surface}"
    if len(every) > 1 and (kind != "any" or rng.random() < 0.5):
        return Target(f"{text} <{place.region.name}>", (place,))
    return Target(text, tuple(every))
