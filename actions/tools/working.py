"""Using a held tool at a stance: the first of several ways to lead its tip that posture, arm and screening allow, there and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.grab import Failure, collision, unreached
from actions.manipulation.grasp import palm_axes
from actions.manipulation.keys import Key
from actions.manipulation.reach import Blocked, Choice, Standing, after, budget_of, key_for, moved_key, plain, rank, screen_key, way, works
from actions.manipulation.segments import frames_segment
from actions.motions import Effect, Segment
from actions.screening import screen
from actions.tools.curves import Legs
from actions.tools.sweep import Swept, keys_along, sweep
from actions.tools.tips import Tool
from assistcore.house.clearance import Allowed
from assistcore.world.outcomes import Code, Refusal

F64 = NDArray[np.float64]

TRIED = 10
ABOVE_M = (0.10, 0.18)
HAND_CLEAR_M = 0.01
HAND_LOW_COST = 40.0
"""Per metre that the hand at work would be lower than `HAND_CLEAR_M` over what the target rests on."""
Effects = Callable[[Swept], tuple[tuple[int, Effect], ...]]


@dataclass(frozen=True, eq=False)
class Way:
    """One way to hold the tip: `at` (4, 4) is the frame by which ways are ranked; `curves` makes the curves to try, the best first."""

    at: F64
    curves: Callable[[], Iterable[Legs]]
    cost: float = 0.0


@dataclass(frozen=True, eq=False)
class Job:
    """What a tool does: named for the log, where the person looks, which contacts are its purpose, what becomes of things, and how fast."""

    doing: str
    phase: str
    look_m: F64
    rules: Allowed
    effects: Effects
    floor_m: float
    """Height of what the target rests on: hands are kept above it."""
    pace: float = 1.0
    least_s: tuple[float, ...] = ()
    """Seconds that the first legs of the curve take at least."""
    looked_at: int = 90
    """How many ways of holding the tip are looked at."""
    level: bool = False
    """Whether the tool keeps upright on its way there and back (a full vessel)."""


def work_here(here: Standing, tool: Tool, job: Job, ways: Sequence[Way]) -> list[Segment] | Failure:
    """Bring the tool to its work, lead it along the curve, and take it back to where it was carried. Changes nothing."""
    if not ways:
        return Failure(1, Refusal(Code.OUT_OF_REACH, f"{job.doing}: there is no way to hold {tool.key} for it"))
    wrists = tool.wrists(np.stack([w.at for w in ways]))
    costs = np.array([w.cost for w in ways]) + HAND_LOW_COST * _sunk(here, wrists, job.floor_m)
    choices, nearest = rank(here, wrists, costs, inside=False, most=job.looked_at)
    if not choices:
        return Failure(1, unreached(job.rules.target, nearest))
    best = Failure(1, Refusal(Code.OUT_OF_REACH, f"{job.doing}: the arm cannot lead {tool.key} along from here", "stand elsewhere"))
    tried = 0
    for choice in choices:
        if tried >= TRIED or budget_of(here.world).motions <= 0:
            break
        outcome = _attempt(here, tool, job, ways[choice.index], choice, wrists[choice.index])
        if not isinstance(outcome, Failure):
            return outcome
        tried += outcome.stage > 2
        best = outcome if outcome.stage > best.stage else best
    return best


def _sunk(here: Standing, wrists: F64, floor_m: float) -> F64:
    """How far (n,) the hand's capsule is lower than clear of the support for wrist frames (n, 4, 4)."""
    axes, radius = palm_axes(here.figure.body)
    z = wrists[:, None, 2, 3] + np.einsum("nj,kj->nk", wrists[:, 2, :3], axes[here.figure.side])
    out: F64 = np.maximum(0.0, floor_m + HAND_CLEAR_M + radius - z.min(axis=1))
    return out


def _attempt(here: Standing, tool: Tool, job: Job, way_: Way, choice: Choice, T_wrist: F64) -> list[Segment] | Failure:
    best = Failure(1, Refusal(Code.OUT_OF_REACH, f"{job.doing}: {tool.key} does not get there"))
    like = key_for(here, choice, T_wrist, here.start.fingers, job.look_m)
    for legs in way_.curves():
        outcome = _along(here, tool, job, legs, choice, like)
        if not isinstance(outcome, Failure):
            return outcome
        best = outcome if outcome.stage >= best.stage else best
    return best


def _along(here: Standing, tool: Tool, job: Job, legs: Legs, choice: Choice, like: Key) -> list[Segment] | Failure:
    keys = keys_along(here, tool, legs, choice.rung, like)
    if keys is None:
        return Failure(1, Refusal(Code.OUT_OF_REACH, f"{job.doing}: the arm cannot lead {tool.key} along from here", "stand elsewhere"))
    for key in (keys[0][0], *(leg[-1] for leg in keys)):
        if (hit := screen_key(here, key, job.rules)) is not None:
            return Failure(2, collision(job.doing, hit))
    swept = sweep(here, tool, keys, job.pace, job.least_s)
    if swept is None:
        return Failure(2, Refusal(Code.OUT_OF_REACH, f"{job.doing}: the arm would have to flip over"))
    there = _by_way_of_above(here, swept.first, choice, lambda keys: way(here, keys, plain(here, "reach", job.rules), level=job.level))
    if isinstance(there, Blocked):
        return Failure(3, collision(job.doing, there))
    ready = after(here, there)
    work = replace(frames_segment(ready.world, job.phase, swept.frames, allowed=job.rules), effects=job.effects(swept))
    if (violation := screen(ready.world, work)) is not None:
        return Failure(3, collision(job.doing, Blocked.of(violation)))
    done = after(ready, work)
    make = plain(done, "retreat", job.rules, canonical_end=True)
    back = _by_way_of_above(
        here, swept.last, choice, lambda keys: way(done, keys[::-1], make, via_at=len(keys) - 2, level=job.level)
    )  # fmt: skip
    if isinstance(back, Blocked):
        return Failure(4, collision(f"{job.doing}, drawing back", back))
    return [there, work, back]


def _by_way_of_above(here: Standing, work: Key, choice: Choice, lead: Callable[[list[Key]], Segment | Blocked]) -> Segment | Blocked:
    """The way between carrying and work: straight, else by way of a place above the work, over what stands in between."""
    found = lead([here.start, work])
    for height in ABOVE_M:
        if not isinstance(found, Blocked):
            return found
        T = work.T_wrist.copy()
        T[2, 3] += height
        above = moved_key(here, work, choice.rung, T)
        if works(above, residual_m=0.01, strain_rad=0.2):
            again = lead([here.start, above, work])
            found = again if not isinstance(again, Blocked) else found
    return found
