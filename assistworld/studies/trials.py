"""Seeded random trials in the flat, played tick by tick under the independent checker: what a trial is and how it must end.

Each command ends as RULES (Outcomes) say: refused and nothing changed, done and the postcondition can be read, or failed with the changes
that it made. A trial is ok when that holds for each of its commands, no bound is broken at any frame, and nothing was raised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from actions.verb import load_verb
from assistcore.house.clearance import Allowed
from assistcore.world.commands import Command
from assistcore.world.engine import Scenario, Step
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Refusal, Status
from assistworld.studies.doorways import Doorways
from assistworld.studies.motion_check import MotionChecker

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine

SCENE = "flat"
TICK_LIMIT = 3600
"""Five minutes of world time: no walk or reach in a flat takes longer."""
FAULTS_KEPT = 12


@dataclass(frozen=True)
class Trial:
    """One trial: a scenario, the seed of the episode, and command texts played one after the other whatever becomes of each."""

    scenario: Scenario
    seed: int
    commands: tuple[str, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """What repeats it."""
        return {
            "seed": self.seed,
            "human": dict(self.scenario.human),
            "changes": [dict(c) for c in self.scenario.changes],
            "commands": list(self.commands),
            **self.facts,
        }


@cache
def shared_engine() -> HouseEngine:
    """One warm engine for all trials of a process, with the scene loaded."""
    from assistworld.engines.house import make

    engine = make()
    engine.reset(Scenario(SCENE), 0)
    return engine


@cache
def _checker() -> MotionChecker:
    engine = shared_engine()
    return MotionChecker(engine.stage, engine.body)


def play(trial: Trial, *, on_step: Callable[[Step], None] | None = None) -> dict[str, Any]:
    """Play a trial. The result is JSON: `ok`, how each command ended, broken bounds, problems, what was raised."""
    return _Play(shared_engine(), trial, on_step).run()


class _Play:
    """One trial being played."""

    def __init__(self, engine: HouseEngine, trial: Trial, on_step: Callable[[Step], None] | None) -> None:
        self._engine, self._trial, self._on_step = engine, trial, on_step
        self._tick = 0
        self._problems: list[str] = []

    def run(self) -> dict[str, Any]:
        engine, trial = self._engine, self._trial
        engine.reset(trial.scenario, trial.seed)
        checker = _checker()
        checker.forget()
        first = len(checker.faults)
        checker.watch(0, engine.state, Allowed())
        self._doorways = Doorways(engine.stage, engine.state)
        rows, raised = [], ""
        for text in trial.commands:
            try:
                rows.append(self._command(text, checker))
            except Exception as error:
                raised = f"{text}: {type(error).__name__}: {error}"
                break
        self._problems += self._doorways.problems
        faults = [str(f) for f in checker.faults[first:]]
        return {
            "ok": not faults and not self._problems and not raised,
            **trial.as_json(),
            "outcomes": rows,
            "faults": faults[:FAULTS_KEPT],
            "fault_count": len(faults),
            "problems": self._problems,
            "raised": raised,
            "worst_slide_mm": round(1000.0 * checker.feet.worst_m, 2),
            "worst_heading_deg": round(float(np.degrees(checker.heading.worst_rad)), 1),
            "doors_opened": self._doorways.opened,
        }

    def _command(self, text: str, checker: MotionChecker) -> dict[str, Any]:
        engine = self._engine
        parsed = engine.parse(text)
        if isinstance(parsed, Refusal):
            return {"command": text, "status": "refused", "code": parsed.code, "fact": parsed.fact, "ticks": 0}
        before, graph = engine.digest(), engine.graph().digest()
        refusal = engine.begin(parsed.command)
        if refusal is not None:
            if engine.digest() != before or engine.graph().digest() != graph or not engine.idle():
                self._problems.append(f"{text}: refused with {refusal.code}, and the state changed")
            return {"command": text, "status": "refused", "code": refusal.code, "fact": refusal.fact, "ticks": 0}
        return self._follow(text, parsed.command, checker)

    def _follow(self, text: str, command: Command, checker: MotionChecker) -> dict[str, Any]:
        engine, began, changed = self._engine, self._tick, False
        while True:
            motion = engine.motion
            playing = motion is not None and motion.segment < len(motion.plan.segments)
            allowed = motion.plan.segments[motion.segment].allowed if motion is not None and playing else Allowed()
            step = engine.tick()
            self._tick += 1
            if self._on_step is not None:
                self._on_step(step)
            changed |= bool(step.changes)
            checker.watch(self._tick, engine.state, allowed)
            self._doorways.watch(self._tick, engine.state)
            if step.outcome is not None:
                break
            if self._tick - began > TICK_LIMIT:
                raise RuntimeError(f"no outcome after {TICK_LIMIT} ticks")
        self._judge(text, command, step, changed)
        code, fact = ("", "") if step.outcome.refusal is None else (step.outcome.refusal.code, step.outcome.refusal.fact)
        return {"command": text, "status": step.outcome.status.value, "code": code, "fact": fact, "ticks": self._tick - began}

    def _judge(self, text: str, command: Command, step: Step, changed: bool) -> None:
        outcome = step.outcome
        if outcome is None:
            return
        if outcome.status is Status.DONE:
            wrong = load_verb(command.verb).verify(self._engine.graph(), command)
            if wrong is not None or not holds(self._engine, command):
                self._problems.append(f"{text}: done, but {'' if wrong is None else wrong.fact} is what the graph says".replace("  ", " "))
        elif outcome.status is Status.FAILED:
            if outcome.refusal is None or not changed:
                self._problems.append(f"{text}: failed without {'a reason' if outcome.refusal is None else 'any change'}")
        else:
            self._problems.append(f"{text}: ended {outcome.status.value}, and nobody stopped it")


def holds(engine: HouseEngine, command: Command) -> bool:
    """Whether what a command promises can be read from the graph (a table of its own, not the verbs' `verify`)."""
    graph = engine.graph()
    keys = [ref.key for ref in command.entities()]
    match command.verb:
        case "pick":
            return bool(graph.value(keys[0], "held"))
        case "place":
            return graph.has("on", keys[0], keys[1]) and not graph.value(keys[0], "held")
        case "place_inside":
            return graph.has("inside", keys[0], keys[1]) and not graph.value(keys[0], "held")
        case "open" | "open_door":
            return graph.has("open", keys[0])
        case "close" | "close_door":
            return graph.has("closed", keys[0])
        case "sit":
            return graph.value("human_1", "sitting") == (keys[0],)
        case "standup":
            return not graph.value("human_1", "sitting") and graph.value("human_1", "posture") == "standing"
        case "flip" | "answer_phone":
            return bool(graph.value(keys[0], "held")) and graph.value(keys[0], "ringing") is not True
        case "use_computer":
            return "computer" not in engine.stage.entity(keys[0]).roles or graph.has("running", keys[0])
        case "fall_to_floor":
            return not graph.has("on", keys[0], keys[1]) and engine.state.poses[keys[0]].position_m[2] < 0.3
        case "place_on_floor":
            return graph.has("near", keys[0], keys[1]) and not graph.value(keys[0], "held")
        case "navigate_to":
            return _arrived(engine, command.entities()[0])
    return True


ARRIVED_M = 1.3
"""Walking to a thing ends within an arm and a step of it."""


def _arrived(engine: HouseEngine, ref: EntityRef) -> bool:
    from assistworld.engines.house.described import footprint

    stage, state = engine.stage, engine.state
    here = np.asarray(state.body.xy_m)
    rooms = {f"{room.key}_1": room.key for room in stage.rooms}
    if ref.key in rooms:
        return engine.graph().value("human_1", "room") == rooms[ref.key]
    entity = stage.entity(ref.key)
    if entity.kind != "movable" and (outline := footprint(entity)):
        return _outline_distance(here, outline) <= ARRIVED_M
    centre = state.root(stage, ref.key)[:2, 3]
    return float(np.linalg.norm(centre - here)) <= ARRIVED_M + 0.3


def _outline_distance(point: Any, outline: Sequence[Sequence[float]]) -> float:
    corners = np.asarray(outline)
    following = np.roll(corners, -1, axis=0)
    along = following - corners
    t = np.clip(((point - corners) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12), 0.0, 1.0)
    distance = np.linalg.norm(corners + t[:, None] * along - point, axis=1)
    cross = along[:, 0] * (point - corners)[:, 1] - along[:, 1] * (point - corners)[:, 0]
    return 0.0 if bool((cross >= 0).all()) else float(distance.min())
