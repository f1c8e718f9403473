"""Commands played on an engine under contract, and what is read of its graph and snapshots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import StageModel
from assistcore.world.engine import Engine, Scenario, Step
from assistcore.world.errors import InfrastructureError
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Outcome, Refusal
from assistcore.world.poses import Pose
from assistcore.world.snapshots import Snapshot
from humans.model import BodyModel

F64 = NDArray[np.float64]
SCENE = "flat"
TICK_LIMIT = 2400
PLACE_MM, TURN_MILLIONTHS = 5, 20_000
"""How far another physics may leave a thing that lies at rest from where the stage has it: millimetres, and quaternion parts (about 2
degrees)."""
STILL_MM = 1
"""How far a thing at rest may move while nobody touches it."""


@dataclass(frozen=True)
class Played:
    """A command to its end: the steps, the outcome, and the snapshots."""

    steps: tuple[Step, ...]
    outcome: Outcome

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """One for each tick."""
        return tuple(s.snapshot for s in self.steps)


def exact(engine: Engine) -> bool:
    """Whether the engine promises the same bits again."""
    return engine.abilities.repeat == "bitwise"


def start(engine: Engine, *, spot: str = "kitchen", changes: tuple[Mapping[str, object], ...] = (), seed: int = 3) -> Snapshot:
    """Stand in the flat."""
    return engine.reset(Scenario(SCENE, {"spot": spot}, changes), seed)


def play(engine: Engine, text: str) -> Played | Refusal:
    """Play a command, or say why it was refused. Raises InfrastructureError where it never ends."""
    parsed = engine.parse(text)
    if isinstance(parsed, Refusal):
        return parsed
    refused = engine.begin(parsed.command)
    if refused is not None:
        return refused
    steps: list[Step] = []
    while len(steps) < TICK_LIMIT:
        steps.append(engine.tick())
        if (outcome := steps[-1].outcome) is not None:
            return Played(tuple(steps), outcome)
    raise InfrastructureError("contract", f"{text} has no outcome after {TICK_LIMIT} ticks")


def done(engine: Engine, text: str) -> Played:
    """Play a command that must be done. Raises InfrastructureError with what came of it instead."""
    played = play(engine, text)
    if isinstance(played, Refusal):
        raise InfrastructureError("contract", f"{text} was refused: {played.code}: {played.fact}")
    if played.outcome.status.value != "done":
        raise InfrastructureError("contract", f"{text} ended as {played.outcome.status.value}: {played.outcome.refusal}")
    return played


def rest(engine: Engine, ticks: int) -> Snapshot:
    """Let time pass."""
    for _ in range(ticks):
        step = engine.tick()
    return step.snapshot


def places(graph: SceneGraph) -> dict[str, tuple[int, ...]]:
    """`place` facts by subject: millimetres and millionths."""
    return {s: v for (s, kind), v in graph.values.items() if kind == "place" and isinstance(v, tuple)}


def moved(before: SceneGraph, after: SceneGraph, *, mm: int, millionths: int = TURN_MILLIONTHS) -> list[str]:
    """Things that lie elsewhere, with how far."""
    old, new = places(before), places(after)
    found = [f"{key} is {'gone' if key in old else 'new'}" for key in sorted(old.keys() ^ new.keys())]
    for key in sorted(old.keys() & new.keys()):
        a, b = np.array(old[key], float), np.array(new[key], float)
        away = float(np.linalg.norm(a[:3] - b[:3]))
        turn = min(float(np.abs(a[3:] - b[3:]).max()), float(np.abs(a[3:] + b[3:]).max()))
        if away > mm or turn > millionths:
            found.append(f"{key} is {away:.1f} mm and {turn:.0f} millionths away")
    return found


def relations(
    graph: SceneGraph, kinds: tuple[str, ...] = ("on", "inside", "held", "open", "closed", "room")
) -> dict[tuple[str, str], object]:
    """The facts of these kinds that are neither empty nor false."""
    return {(s, k): v for (s, k), v in graph.values.items() if k in kinds and v}


def unlike(a: Mapping[tuple[str, str], object], b: Mapping[tuple[str, str], object]) -> list[str]:
    """Facts that differ, in words."""
    return [f"{k} of {s}: {a.get((s, k))} and {b.get((s, k))}" for s, k in sorted(a.keys() | b.keys()) if a.get((s, k)) != b.get((s, k))]


@cache
def stage() -> StageModel:
    """The stage of the flat, as this installation has it."""
    from assistworld.engines.house.scenes import load_scene

    return load_scene(SCENE)


@cache
def reference() -> Engine:
    """The embedded house, with which relations are compared."""
    from assistworld.studies.attempt import make_engine

    return make_engine("house")


@cache
def body() -> BodyModel:
    """The person's body, as this installation has it."""
    from humans.model import load_body

    return load_body()


def root(snapshot: Snapshot, key: str) -> F64:
    """Root transform (4, 4), world, of a thing in a snapshot."""
    numbers = snapshot.transforms.get(key)
    pose = stage().entity(key).pose if numbers is None else Pose.from_array(np.array(numbers))
    return pose.matrix()


def wrist(snapshot: Snapshot, hand: str) -> F64:
    """Transform (4, 4), world, of a wrist in a snapshot."""
    from humans.kinematics import joint_transforms
    from humans.model import JOINT

    numbers = np.asarray(snapshot.body)
    found: F64 = joint_transforms(body(), numbers[3:], numbers[:3])[JOINT[f"{hand}_wrist"]]
    return found


def visible_thing(engine: Engine, *, near_m: float = 2.5) -> str:
    """The nearest movable thing in view. Raises InfrastructureError where there is none."""
    seen = [o for o in engine.offer("human") if o.movable and o.visible and not o.inside and o.distance_m is not None]
    seen = sorted((o for o in seen if (o.distance_m or 0.0) < near_m), key=lambda o: (o.distance_m, o.key))
    if not seen:
        raise InfrastructureError("contract", f"nothing movable is in view within {near_m} m")
    return seen[0].key
