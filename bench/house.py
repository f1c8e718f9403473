"""What the house costs: loading, resetting, planning, drawing, and whole episodes with and without frames."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Refusal
from assistworld.engines.house import make
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.attempt import attempt, make_assistant, make_human
from bench import puzzles
from bench.timed import TimedEngine
from bench.verbs import script
from taskpacks.loader import find_pack

SCENE, LARGEST = "flat", "annex"
PACK = "best_value_coffee"
ROUTES = ("kitchen_1", "living_room_1", "bedroom_1", "bathroom_1", "hall_1", "fridge_1", "sofa_1", "desk_1", "dining_table_1", "bathtub_1")
REACHES = ("red_mug_1", "apple_1", "coffee_jar_1", "coffee_jar_2", "bread_1", "salt_1", "kettle_1", "cereal_box_1", "banana_1", "spoon_1")
WARMED = "lemon_1"
"""What is reached for first, so that no figure counts the loading of compiled code."""
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


class Took(NamedTuple):
    """Seconds of one piece of work: by the clock, and of the processor, which other work on the machine lengthens less."""

    wall_s: float
    cpu_s: float
    refused: bool = False

    @classmethod
    def by(cls, work: Callable[[], Any]) -> Took:
        """Do it. It was refused where it returns a refusal."""
        started, cpu = perf_counter(), process_time()
        answer = work()
        return cls(perf_counter() - started, process_time() - cpu, isinstance(answer, Refusal))


def both(took: Sequence[Took]) -> dict[str, float]:
    """`spread` by the clock, with the median processor time and how many were refused."""
    cpu = spread([t.cpu_s for t in took])["median"]
    return {**spread([t.wall_s for t in took]), "cpu_median": cpu, "refused": sum(t.refused for t in took)}


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
    """Milliseconds to plan walks (whole: route, gait, screening; and the route alone) and reaches, warm, doors open.

    The first reach for a thing makes the distance grids of its shape; `reach_plan_ms` are those after it.
    """
    doors = [{"set_open": f"{room}_door_1"} for room in ("kitchen", "living_room", "bedroom", "bathroom")]
    engine.reset(Scenario(SCENE, {"spot": "kitchen"}, doors), 0)
    _can(engine, "Walk", ROUTES[-1])
    _can(engine, "Grab", WARMED)
    walks, routes = list[Took](), list[Took]()
    for spot in ("kitchen", "living_room", "bedroom", "bathroom", "hall"):
        engine.reset(Scenario(SCENE, {"spot": spot}, doors), 0)
        walks += [_can(engine, "Walk", key) for key in ROUTES]
        routes += _routes(engine)
    engine.reset(Scenario(SCENE, {"spot": "kitchen"}, doors), 0)
    first, again = ([_can(engine, "Grab", key) for key in REACHES] for _ in range(2))
    return {"route_ms": both(routes), "walk_plan_ms": both(walks), "reach_first_ms": both(first), "reach_plan_ms": both(again)}


def largest(engine: HouseEngine) -> dict[str, Any]:
    """Milliseconds to plan routes and whole walks in the largest scene, every door open, from each place to each other."""
    engine.reset(Scenario(LARGEST), 0)
    doors = [{"set_open": e.key} for e in engine.stage.entities if e.kind == "door" and e.joints]
    spots = [name for name in engine.stage.spots if name != "start"]
    routes, walks = list[Took](), list[Took]()
    for spot in spots:
        engine.reset(Scenario(LARGEST, {"spot": spot}, doors), 0)
        routes += _routes(engine)
        walks += [_can(engine, "Walk", f"{other}_1") for other in spots if other != spot]
    return {"scene": LARGEST, "route_ms": both(routes), "walk_plan_ms": both(walks)}


def _can(engine: HouseEngine, verb: str, key: str) -> Took:
    name, index = key.rsplit("_", 1)
    parsed = engine.parse(f"[{verb}] <{name}> ({index})")
    if isinstance(parsed, Refusal):
        raise LookupError(f"the bench asks for {key}, and the scene says {parsed.fact}")
    command = parsed.command
    return Took.by(lambda: engine.can(command))


def _routes(engine: HouseEngine) -> list[Took]:
    """Times of each route over the ground from here to the spots of the scene; the first also makes the grid of this state."""
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
            found.append(Took.by(lambda goal=(x, y): find_path(grid_of(world), here, goal, exact=False)))  # type: ignore[misc]
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


@dataclass(frozen=True)
class Part:
    """One part of the bench: what it does, said before it begins, and how it is measured with a warm engine or none."""

    name: str
    does: str
    measure: Callable[[HouseEngine], dict[str, Any]]


PARTS = (
    Part("loading", "reads the flat in two new processes, from its USD files and from the copy made of them", lambda engine: loading()),
    Part("resetting", "resets the flat, once in a fresh process and then again, with and without things that settle", resetting),
    Part("planning", "plans 50 walks and 10 reaches in the flat, and the routes between its spots", planning),
    Part("largest", f"plans routes and walks between all places of {LARGEST}, every door open", largest),
    Part("script", "plays one script of all verbs twice and counts the second time; no pictures", script),
    Part("drawing", "draws 40 pictures of a walk: bare renderer, and the whole way to the encoded picture", drawing),
    Part(
        "episodes", f"plays {PACK} with the oracle twice with 4 pictures an action and twice without, and counts the second time", episodes
    ),
    Part("puzzles", "begins and plays episodes of every puzzle, each step with its picture", lambda engine: puzzles.measure()),
)


def measure(names: Sequence[str], begins: Callable[[Part], None], ends: Callable[[Part, dict[str, Any], float], None]) -> dict[str, Any]:
    """The named parts, one after another in this process. Tells when each begins, and its figures and wall seconds when it ends."""
    found: dict[str, Any] = {"scene": SCENE}
    engine = make()
    try:
        for part in (part for part in PARTS if part.name in names):
            begins(part)
            started = perf_counter()
            found[part.name] = part.measure(engine)
            ends(part, found[part.name], perf_counter() - started)
    finally:
        engine.close()
    return found
