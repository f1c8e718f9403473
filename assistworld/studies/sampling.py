"""Random trials: where the person stands, how the doors are, and what is asked. Everything comes from (seed, kind, number)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from assistcore.house.contacts import EYE, floors, violations
from assistcore.house.stage import Entity, Region, StageModel, link_matrix
from assistcore.world.commands import Command
from assistcore.world.engine import Scenario
from assistcore.world.errors import AssistWorldError
from assistcore.world.ids import EntityRef
from assistcore.world.randomness import stream
from assistworld.studies.doorways import room_at
from assistworld.studies.trials import SCENE, Trial, shared_engine

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine

FREE_MARGIN_M = 0.03
"""A random standing spot keeps this distance from everything."""
SPOT_TRIES = 400
LEAVE_TRIES = 20


def walk_trial(seed: int, number: int) -> Trial:
    """A walk from anywhere to a fixture, a door, a room, or a movable thing that is seen from the start; doors are in random states."""
    rng = stream(seed, "random walk", number)
    engine = shared_engine()
    stage = engine.stage
    changes = random_doors(stage, rng, open_share=0.4)
    scenario = Scenario(SCENE, standing(engine, rng, changes), changes)
    return Trial(scenario, episode_seed(rng), (f"[Walk] {_walk_target(engine, scenario, rng)}",), {"number": number, "sample_seed": seed})


def reach_trial(seed: int, number: int) -> Trial:
    """Take a movable thing and put it onto or into a random region, sometimes at a given place; one in eight lies behind a closed door."""
    rng = stream(seed, "random reach", number)
    engine = shared_engine()
    stage = engine.stage
    changes = random_doors(stage, rng, open_share=0.85)
    engine.reset(Scenario(SCENE), 0)
    enclosed = _enclosed(engine)
    movables = [e for e in stage.entities if e.kind == "movable"]
    hidden = bool(rng.random() < 1 / 8)
    thing = choose(rng, [e for e in movables if (e.key in enclosed) == hidden])
    owner, region = choose(rng, _regions(stage, thing))
    near = thing.room if rng.random() < 0.7 else ""
    commands: list[str] = []
    if region.doors and rng.random() < 0.6:
        commands.append(f"[Open] {owner.ref.surface}")
    if hidden and rng.random() < 0.5:
        commands.append(f"[Open] {stage.entity(enclosed[thing.key]).ref.surface}")
    if rng.random() < 0.3:
        commands.append(f"[Walk] {thing.ref.surface}")
    spot = f" @place_spot={rng.uniform(-0.8, 0.8):.2f}:{rng.uniform(0.1, 0.9):.2f}" if rng.random() < 0.5 else ""
    verb = "Put" if region.kind == "surface" else "PutIn"
    commands += [f"[Grab] {thing.ref.surface}", f"[{verb}] {thing.ref.surface} {owner.ref.surface}{spot}"]
    scenario = Scenario(SCENE, standing(engine, rng, changes, room=near), changes)
    facts = {"number": number, "sample_seed": seed, "region": region.name, "enclosed": hidden}
    return Trial(scenario, episode_seed(rng), tuple(commands), facts)


def label_trial(seed: int, number: int, key: str) -> Trial:
    """Look at a labelled thing from a random place in its room from which one can walk to it, doors open; what encloses it is open too."""
    rng = stream(seed, "random reader", number)
    engine = shared_engine()
    engine.reset(Scenario(SCENE), 0)
    stage = engine.stage
    enclosing = [owner for owner in (_enclosed(engine).get(key),) if owner]
    doors = [e.key for e in stage.entities if e.kind == "door" and e.joints]
    changes: list[Mapping[str, Any]] = [{"set_open": owner, "fraction": 1.0} for owner in (*doors, *enclosing)]
    thing = stage.entity(key)
    tries = (Scenario(SCENE, standing(engine, rng, changes, room=thing.room), changes) for _ in range(LEAVE_TRIES))
    scenario = next((s for s in tries if _within_a_walk(engine, s, thing)), None)
    if scenario is None:
        raise AssistWorldError(f"no place in {thing.room} from which one can walk to {key} after {LEAVE_TRIES} tries")
    return Trial(scenario, episode_seed(rng), (f"[LookAt] {thing.ref.surface}",), {"number": number, "sample_seed": seed})


def _within_a_walk(engine: HouseEngine, scenario: Scenario, thing: Entity) -> bool:
    """Whether the person may walk to a thing from where it stands: nobody is shut in behind a table."""
    engine.reset(scenario, 0)
    return engine.can(Command("navigate_to", (thing.ref,))) is None


def spot_scenario(seed: int, number: int) -> Scenario:
    """Someone standing anywhere, doors and openable things in random states."""
    rng = stream(seed, "random spot", number)
    engine = shared_engine()
    stage = engine.stage
    changes = random_doors(stage, rng, open_share=0.6)
    openable = [e for e in stage.entities if e.kind == "fixture" and e.joints]
    for entity in openable:
        if rng.random() < 0.25:
            changes.append({"set_open": entity.key, "fraction": round(float(rng.uniform(0.2, 1.0)), 2)})
    return Scenario(SCENE, standing(engine, rng, changes), changes)


def choose(rng: np.random.Generator, options: list[Any]) -> Any:
    if not options:
        raise AssistWorldError("nothing to choose from")
    return options[int(rng.integers(len(options)))]


def episode_seed(rng: np.random.Generator) -> int:
    return int(rng.integers(1 << 30))


def random_doors(stage: StageModel, rng: np.random.Generator, *, open_share: float) -> list[Mapping[str, Any]]:
    """Each door open, shut, or (one in ten) ajar."""
    changes: list[Mapping[str, Any]] = []
    for entity in stage.entities:
        if not (entity.kind == "door" and entity.joints):
            continue
        ajar, draw, part = rng.random(), rng.random(), rng.uniform(0.1, 0.9)
        fraction = round(float(part), 2) if ajar < 0.1 else float(draw < open_share)
        changes.append({"set_open": entity.key, "fraction": fraction})
    return changes


def standing(engine: HouseEngine, rng: np.random.Generator, changes: list[Mapping[str, Any]], *, room: str = "") -> dict[str, Any]:
    """A random free place and heading, in one room or in any, by area. Raises AssistWorldError when there is none."""
    from assistworld.engines.house.scenario import resolve

    stage = engine.stage
    start = resolve(Scenario(stage.name, {}, changes), stage)
    collision = engine.parts.collision if engine.parts is not None else None
    if collision is None:
        raise AssistWorldError("a spot is sampled in a loaded scene")
    collision.place(start.poses, start.joints, start.removed)
    polygons = [np.asarray(r.polygon_m) for r in stage.rooms if r.key == room or not room]
    low, high = np.min([p.min(axis=0) for p in polygons], axis=0), np.max([p.max(axis=0) for p in polygons], axis=0)
    for _ in range(SPOT_TRIES):
        x, y = (round(float(v), 3) for v in rng.uniform(low, high))
        heading = round(float(rng.uniform(-180.0, 180.0)), 1)
        inside = room_at(stage, x, y)
        if inside and (not room or inside == room) and _free(engine, x, y, heading):
            return {"xy_m": [x, y], "heading_deg": heading}
    raise AssistWorldError(f"no free place to stand in {room or 'any room'} after {SPOT_TRIES} tries")


def _free(engine: HouseEngine, x: float, y: float, heading_deg: float) -> bool:
    from humans.camera import EYE_RADIUS_M, head_camera
    from humans.kinematics import joint_transforms
    from humans.postures import stand
    from humans.proxies import capsules

    if engine.parts is None:
        return False
    body, collision, floor = engine.body, engine.parts.collision, floors(engine.stage)
    pose, translation = stand(body, (x, y), float(np.radians(heading_deg)))
    bones = joint_transforms(body, pose, translation)
    shapes = capsules(body, bones)
    eye = head_camera(body, bones)[0][None]
    names, radius = (*shapes.names, EYE), np.append(shapes.radius_m, EYE_RADIUS_M)
    a, b = np.concatenate([shapes.a_m, eye]), np.concatenate([shapes.b_m, eye])
    hits = collision.capsules(names, a, b, radius, ignore=frozenset(), margin_m=FREE_MARGIN_M)
    lifted = [hit._replace(distance_m=hit.distance_m - FREE_MARGIN_M) for hit in hits if hit.owner not in floor]
    from assistcore.house.clearance import Allowed

    return not violations(lifted, Allowed(), 0.0, floor)


def _walk_target(engine: HouseEngine, scenario: Scenario, rng: np.random.Generator) -> str:
    stage = engine.stage
    kind = float(rng.random())
    engine.reset(scenario, 0)
    seen = [o for o in engine.offer("human") if o.movable and o.visible] if kind < 0.25 else []
    if seen:
        return str(choose(rng, seen).handle)
    if kind < 0.65:
        return str(choose(rng, [e for e in stage.entities if e.kind == "fixture"]).ref.surface)
    if kind < 0.8:
        return str(choose(rng, [e for e in stage.entities if e.kind == "door"]).ref.surface)
    return EntityRef(choose(rng, list(stage.rooms)).key, 1).surface


def _enclosed(engine: HouseEngine) -> dict[str, str]:
    """Movables inside something that a closed door or drawer shuts, each with what encloses it."""
    stage, state, graph = engine.stage, engine.state, engine.graph()
    found = {}
    for entity in stage.entities:
        inside = graph.value(entity.key, "inside") if entity.kind == "movable" else None
        for owner in inside if isinstance(inside, tuple) else ():
            joints = stage.entity(owner).joints
            if joints and max(state.open_fraction(stage, j.key) for j in joints) < 0.05:
                found[entity.key] = owner
    return found


def _regions(stage: StageModel, thing: Entity) -> list[tuple[Entity, Region]]:
    """Regions that are about large enough for a thing, by the commands that could name them."""
    low, high = thing.box_m
    size = np.sort((high - low)[:2])
    found = []
    for owner in stage.entities:
        if owner.key == thing.key or owner.kind == "structure":
            continue
        for region in owner.regions:
            T = link_matrix(owner, owner.link(region.link), owner.pose.matrix(), {})
            room = np.subtract(region.high_m, region.low_m)
            if T[2, 3] < 2.2 and (np.sort(room[:2]) >= size).all():
                found.append((owner, region))
    return found
