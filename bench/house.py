"""What the house costs: loading, resetting, planning, drawing, and whole episodes with and without frames."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Refusal
from assistworld.engines.house import make
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.attempt import attempt, make_assistant, make_human
from bench.timed import TimedEngine
from bench.verbs import script
from taskpacks.loader import find_pack

SCENE, LARGEST = "flat", "annex"
PACK = "best_value_coffee"
ROUTES = ("kitchen_1", "living_room_1", "bedroom_1", "bathroom_1", "hall_1", "fridge_1", "sofa_1", "desk_1", "dining_table_1", "bathtub_1")
REACHES = ("red_mug_1", "apple_1", "coffee_jar_1", "coffee_jar_2", "bread_1", "salt_1", "kettle_1", "cereal_box_1", "banana_1", "spoon_1")
_LOAD = """
from time import perf_counter
started = perf_counter()
from assistworld.engines.house.scenes import load_scene
load_scene("flat")
print(perf_counter() - started)
"""


def seconds(work: Callable[[], object], times: int = 1) -> list[float]:
    """Wall seconds of each of `times` runs."""
    found = []
    for _ in range(times):
        started = perf_counter()
        work()
        found.append(perf_counter() - started)
    return found


def spread(values: Sequence[float], *, unit: float = 1000.0) -> dict[str, float]:
    """Median, 99th percentile and number of values; milliseconds by default."""
    ordered = unit * np.asarray(values)
    return {"median": round(float(np.median(ordered)), 2), "p99": round(float(np.percentile(ordered, 99)), 2), "n": len(values)}


def loading() -> dict[str, float]:
    """Seconds to read the scene in a new process: from the USD files, and from its fast copy."""
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "ASSISTWORLD_CACHE": cache}

        def load() -> float:
            done = subprocess.run([sys.executable, "-c", _LOAD], env=env, capture_output=True, text=True, check=True)
            return float(done.stdout)

        cold, warm = load(), load()
    return {"scene_load_cold_s": round(cold, 2), "scene_load_warm_s": round(warm, 2)}


def resetting(engine: HouseEngine) -> dict[str, float]:
    """Seconds of the first reset of this process (everything is loaded and compiled) and of later ones."""
    doors = [{"set_open": f"{room}_door_1"} for room in ("kitchen", "living_room", "bedroom", "bathroom")]
    (first,) = seconds(lambda: engine.reset(Scenario(SCENE), 0))
    plain = seconds(lambda: engine.reset(Scenario(SCENE), 0), 5)
    moved = [*doors, {"move": "red_mug_1", "onto": "dining_table_1"}]
    changed = seconds(lambda: engine.reset(Scenario(SCENE, {}, moved), 0), 5)
    return {
        "reset_first_s": round(first, 3),
        "reset_s": round(float(np.median(plain)), 3),
        "reset_with_things_that_settle_s": round(float(np.median(changed)), 3),
    }


def planning(engine: HouseEngine) -> dict[str, Any]:
    """Milliseconds to plan walks (whole: route, gait, screening; and the route alone) and reaches, warm, doors open."""
    doors = [{"set_open": f"{room}_door_1"} for room in ("kitchen", "living_room", "bedroom", "bathroom")]
    walks: list[float] = []
    routes: list[float] = []
    refused = 0
    for spot in ("kitchen", "living_room", "bedroom", "bathroom", "hall"):
        engine.reset(Scenario(SCENE, {"spot": spot}, doors), 0)
        for key in ROUTES:
            took, failed = _can(engine, "Walk", key)
            walks.append(took)
            refused += failed
        routes += _routes(engine)
    reaches, out_of_reach = [], 0
    engine.reset(Scenario(SCENE, {"spot": "kitchen"}, doors), 0)
    for key in REACHES:
        took, failed = _can(engine, "Grab", key)
        reaches.append(took)
        out_of_reach += failed
    return {
        "route_ms": spread(routes),
        "walk_plan_ms": {**spread(walks), "refused": refused},
        "reach_plan_ms": {**spread(reaches), "refused": out_of_reach},
    }


def largest(engine: HouseEngine) -> dict[str, Any]:
    """Milliseconds to plan routes and whole walks in the largest scene, every door open, from each place to each other."""
    engine.reset(Scenario(LARGEST), 0)
    doors = [{"set_open": e.key} for e in engine.stage.entities if e.kind == "door" and e.joints]
    spots = [name for name in engine.stage.spots if name != "start"]
    routes: list[float] = []
    walks: list[float] = []
    refused = 0
    for spot in spots:
        engine.reset(Scenario(LARGEST, {"spot": spot}, doors), 0)
        routes += _routes(engine)
        for other in (name for name in spots if name != spot):
            took, failed = _can(engine, "Walk", f"{other}_1")
            walks.append(took)
            refused += failed
    return {"scene": LARGEST, "route_ms": spread(routes), "walk_plan_ms": {**spread(walks), "refused": refused}}


def _can(engine: HouseEngine, verb: str, key: str) -> tuple[float, bool]:
    name, index = key.rsplit("_", 1)
    parsed = engine.parse(f"[{verb}] <{name}> ({index})")
    if isinstance(parsed, Refusal):
        raise LookupError(f"the bench asks for {key}, and the scene says {parsed.fact}")
    started = perf_counter()
    refusal = engine.can(parsed.command)
    return perf_counter() - started, refusal is not None


def _routes(engine: HouseEngine) -> list[float]:
    """Seconds of each route over the ground from here to the spots of the scene; the first also makes the grid of this state."""
    from actions.navigation.grid import grid_of
    from actions.navigation.paths import find_path
    from actions.world import ActionWorld

    if engine.parts is None:
        raise LookupError("routes are planned in a loaded scene")
    world = ActionWorld(engine.stage, engine.body, engine.parts.collision, engine.state)
    here = engine.state.body.xy_m
    found = []
    for x, y, _ in engine.stage.spots.values():
        if float(np.hypot(x - here[0], y - here[1])) > 0.5:
            found += seconds(lambda goal=(x, y): find_path(grid_of(world), here, goal, exact=False))  # type: ignore[misc]
    return found


def drawing(engine: HouseEngine) -> dict[str, Any]:
    """Milliseconds a frame of a walk: the bare renderer on prepared views, and the engine's whole way to the encoded picture."""
    from assistworld.engines.house.drawing import HousePainter

    engine.reset(Scenario(SCENE, {"spot": "kitchen"}), 0)
    parsed = engine.parse("[Walk] <sofa> (1)")
    snapshots = []
    if not isinstance(parsed, Refusal) and engine.begin(parsed.command) is None:
        while not engine.idle():
            snapshots.append(engine.tick().snapshot)
    painter = HousePainter(width=640, height=480)
    started = perf_counter()
    painter.load(engine.stage, engine.body)
    painter.picture(snapshots[0])
    first = perf_counter() - started
    some = snapshots[:: max(1, len(snapshots) // 40)]
    views = [painter.view(s, "fpv") for s in some]
    pictures = painter.pictures
    for view in views[:3]:
        pictures.draw(view)
    bare = [seconds(lambda view=view: pictures.draw(view))[0] for view in views]  # type: ignore[misc]
    frame = [seconds(lambda s=s: painter.observe(s, "fpv"))[0] for s in some]  # type: ignore[misc]
    device = pictures.device
    painter.close()
    return {
        "device": device,
        "first_picture_s": round(first, 2),
        "bare_renderer_ms": spread(bare),
        "frame_ms": spread(frame),
        "frame_to_bare": round(float(np.median(frame) / np.median(bare)), 2),
    }


def episodes(engine: HouseEngine) -> dict[str, Any]:
    """A pack with the oracle and the rule human, warm: simulated seconds a wall second with 4 frames an action and with none."""
    found: dict[str, Any] = {}
    for name, frames in (("with_frames", 4), ("without_frames", 0)):
        with tempfile.TemporaryDirectory() as folder:
            warm = _episode(engine, frames, Path(folder))
            found[name] = _episode(engine, frames, Path(folder)) | {"cold_wall_s": warm["wall_s"]}
    return found


def _episode(engine: HouseEngine, frames: int, folder: Path) -> dict[str, Any]:
    pack = find_pack(PACK)
    timed = TimedEngine(engine)
    started = perf_counter()
    tried = attempt(pack, timed, make_assistant("oracle", pack, 0), make_human("rule", pack, 0), out=folder, frames=frames)  # type: ignore[arg-type]
    wall = perf_counter() - started
    simulated = timed.ticks * float(engine.tick_seconds)
    inside = sum(timed.seconds.values())
    return {
        "pack": PACK,
        "success": tried.score.success,
        "simulated_s": round(simulated, 1),
        "wall_s": round(wall, 2),
        "simulated_per_wall": round(simulated / wall, 2),
        "share_outside_engine_and_renderer": round(1.0 - inside / wall, 3),
        "seconds_in": {name: round(spent, 2) for name, spent in sorted(timed.seconds.items(), key=lambda p: -p[1]) if spent >= 0.005},
        "pictures": timed.calls["draw"],
    }


def measure() -> dict[str, Any]:
    """Everything, in one process after another."""
    found: dict[str, Any] = {"scene": SCENE, "loading": loading()}
    engine = make()
    try:
        found["resetting"] = resetting(engine)
        found["planning"] = planning(engine)
        found["largest"] = largest(engine)
        found["script"] = script(engine)
        found["drawing"] = drawing(engine)
        found["episodes"] = episodes(engine)
    finally:
        engine.close()
    return found
