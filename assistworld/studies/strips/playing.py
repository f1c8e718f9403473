"""Play a situation and keep what its strip is drawn from. Nothing is posed: states come from the engine, and the end must be `done`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistcore.house.state import HouseState
from assistcore.world.engine import Scenario
from assistcore.world.errors import InfrastructureError
from assistcore.world.outcomes import Outcome, Refusal, Status
from assistcore.world.snapshots import Snapshot
from assistworld.studies.strips.situations import Situation

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine

FRAMES = 6
TICK_LIMIT = 6000
TRAVEL = 0.1
"""What a step of a walk counts for against a movement on the spot, where walking is not what the verb is about."""
BECOMES = 0.5
"""What it counts for when something of a thing becomes different: a level, a light."""


@dataclass(frozen=True)
class Shown:
    """One tick of a run: how much moved since the one before (joint angles, radians, and things, metres), whether the person walked and
    nothing else moved, and the world then."""

    moved: float
    travels: bool
    state: HouseState
    snapshot: Snapshot


@dataclass(frozen=True)
class Run:
    """A situation played to its end."""

    situation: Situation
    about: tuple[str, ...]
    """The things that belong in the picture."""
    outcome: Outcome
    shown: tuple[Shown, ...]


def play(engine: HouseEngine, situation: Situation) -> Run:
    """Play a situation. Raises InfrastructureError where a command is refused or does not end as `done`."""
    snapshot = engine.reset(Scenario(situation.scene, {"spot": situation.spot}, situation.changes), 0)
    shown = [Shown(0.0, False, engine.state, snapshot)]
    about: dict[str, None] = {}
    for text in situation.before:
        keys, _, frames = _command(engine, situation, text)
        if situation.with_before and text == situation.before[-1]:
            shown, about = shown + frames, dict.fromkeys(keys)
        else:
            shown = frames[-1:]
    keys, outcome, frames = _command(engine, situation, situation.command)
    about |= dict.fromkeys((*keys, *situation.watch))
    return Run(situation, tuple(key for key in about if key in engine.stage.by_key), outcome, (*shown, *frames))


def _command(engine: HouseEngine, situation: Situation, text: str) -> tuple[list[str], Outcome, list[Shown]]:
    parsed = engine.parse(text)
    if isinstance(parsed, Refusal):
        raise InfrastructureError("verb strips", f"{situation.verb}: {parsed.code}: {parsed.fact}")
    if (refusal := engine.begin(parsed.command)) is not None:
        raise InfrastructureError("verb strips", f"{situation.verb}: {text} was refused: {refusal.code}: {refusal.fact}")
    frames: list[Shown] = []
    for _ in range(TICK_LIMIT):
        before = engine.state
        step = engine.tick()
        moved, travels = _moved(before, engine.state)
        frames.append(Shown(moved, travels, engine.state, step.snapshot))
        if step.outcome is not None:
            if step.outcome.status is not Status.DONE:
                raise InfrastructureError("verb strips", f"{situation.verb}: {text} ended as {step.outcome.status}: {step.outcome.refusal}")
            return [ref.key for ref in parsed.command.entities()], step.outcome, frames
    raise InfrastructureError("verb strips", f"{situation.verb}: {text} had no outcome after {TICK_LIMIT} ticks")


def _moved(before: HouseState, now: HouseState) -> tuple[float, bool]:
    body, then = now.body, before.body
    limbs = float(np.abs(body.pose_rad - then.pose_rad).sum()) if body is not then else 0.0
    travel = float(np.linalg.norm(np.subtract(body.xy_m, then.xy_m))) if body is not then else 0.0
    things = 0.0
    if now.poses is not before.poses:
        carried = {r.entity for r in now.riding} | ({now.held.entity} if now.held is not None else set())
        then_at = before.poses
        apart = [
            np.linalg.norm(np.subtract(p.position_m, then_at[k].position_m)) for k, p in now.poses.items() if k in then_at.keys() - carried
        ]
        things = float(max(apart, default=0.0))
    joints = sum(abs(value - before.joints[key]) for key, value in now.joints.items() if key in before.joints)
    becomes = BECOMES if now.attributes is not before.attributes else 0.0
    return limbs + 5.0 * things + 2.0 * float(joints) + travel + becomes, travel > 0.004 and things + float(joints) == 0.0


def moments(run: Run) -> tuple[Shown, ...]:
    """Six ticks from the first to the last, between which about the same happens; time counts where nothing moves."""
    walk = 1.0 if run.situation.walks else TRAVEL
    weights: NDArray[np.float64] = np.array([s.moved * (walk if s.travels else 1.0) for s in run.shown])
    weights += max(float(weights.mean()), 1.0) / 4
    along = np.cumsum(weights)
    along = (along - along[0]) / max(float(along[-1] - along[0]), 1e-9)
    picks = [int(np.searchsorted(along, share - 1e-9)) for share in np.linspace(0.0, 1.0, FRAMES)]
    return tuple(run.shown[min(i, len(run.shown) - 1)] for i in picks)
