"""Promises about what hands do: joints go where they are led, what is held rides the hand, what is dropped comes to rest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assistcore.world.engine import Engine
from assistcore.world.graph import SceneGraph
from assistcore.world.poses import inverse
from assistworld.studies.contract.playing import STILL_MM, done, exact, moved, rest, root, stage, start, wrist

THING = "red_mug_1"
DRIFT_M, LOOSE_M = 1e-6, 1e-3
"""How far what is held may be from where the hand has it: exact back ends, others."""


def joints(engine: Engine) -> Iterator[str]:
    """A joint that a hand opens goes all the way, without turning back, and no other moves."""
    start(engine)
    joint = stage().entity("fridge_1").joints[0]
    played = done(engine, "[Open] <fridge> (1)")
    values = np.array([s.joints.get(joint.key, joint.closed_at) for s in played.snapshots])
    way = (values - joint.closed_at) / (joint.open_at - joint.closed_at)
    if abs(way[-1] - 1.0) > 0.03:
        yield f"{joint.key} ends {100 * way[-1]:.0f} % open"
    if float(np.diff(way).min()) < -0.01:
        yield f"{joint.key} turns back by {-100 * float(np.diff(way).min()):.0f} % of its range in a tick"
    if not engine.graph().has("open", "fridge_1"):
        yield "fridge_1 does not read as open"
    others = {k for s in played.snapshots for k in s.joints} - {j.key for j in stage().entity("fridge_1").joints}
    for key in sorted(others):
        run = [s.joints.get(key, 0.0) for s in played.snapshots]
        if max(run) - min(run) > 1e-3:
            yield f"{key} moved by {max(run) - min(run):.4f} meanwhile"


def carrying(engine: Engine) -> Iterator[str]:
    """What is held keeps its place in the hand through a walk."""
    start(engine)
    done(engine, f"[Grab] <{THING.rsplit('_', 1)[0]}> (1)")
    hand = _hand(engine.graph())
    if not hand:
        yield f"{THING} is not held after it was grabbed"
        return
    played = done(engine, "[Walk] <dining_table> (1)")
    holds = [inverse(wrist(s, hand)) @ root(s, THING) for s in played.snapshots]
    drift = max(float(np.linalg.norm(T[:3, 3] - holds[0][:3, 3])) for T in holds)
    bound = DRIFT_M if exact(engine) else LOOSE_M
    if drift > bound:
        yield f"{THING} moves {drift:.2e} m in the hand, the bound is {bound:.0e}"


def dropping(engine: Engine) -> Iterator[str]:
    """What is let go of falls, comes to rest and stays."""
    start(engine)
    done(engine, f"[Grab] <{THING.rsplit('_', 1)[0]}> (1)")
    done(engine, "[TurnAround]")  # away from the counter: the floor in front is free
    held = root(rest(engine, 1), THING)
    done(engine, "[Drop]")
    graph = engine.graph()
    lying = root(rest(engine, 1), THING)
    if _hand(graph):
        yield f"{THING} is still held"
    if held[2, 3] - lying[2, 3] < 0.05:
        yield f"{THING} fell {held[2, 3] - lying[2, 3]:.2f} m only"
    rest(engine, 24)
    yield from moved(graph, engine.graph(), mm=STILL_MM)


def _hand(graph: SceneGraph) -> str:
    value = graph.value(THING, "held")
    return str(value[0]) if isinstance(value, tuple) and value else ""


CHECKS = {"joints": joints, "carrying": carrying, "dropping": dropping}
