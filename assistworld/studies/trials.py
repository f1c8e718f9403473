"""Seeded random trials in a scene, played tick by tick under the independent checker: what a trial is and how it must end.

Each command ends as RULES (Outcomes) say: refused and nothing changed, done and the postcondition can be read, or failed with the changes
that it made. A trial is ok when that holds for each of its commands, no bound is broken at any frame, and nothing was raised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from actions.verb import load_verb
from assistcore.house.clearance import Allowed
from assistcore.house.state import HouseState
from assistcore.world.commands import Command
from assistcore.world.engine import Scenario, Step
from assistcore.world.outcomes import Refusal, Status
from assistworld.studies.doorways import Doorways
from assistworld.studies.motion_check import MotionChecker
from assistworld.studies.promises import holds

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine

SCENE = "flat"
TICK_LIMIT = 12_000
"""The longest wait (ten minutes) and the longest walk before it are shorter."""
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


def shared_engine(scene: str = SCENE) -> HouseEngine:
    """One warm engine for all trials of a process in a scene, which is loaded."""
    return warm_engine(scene, 0)


@cache
def warm_engine(scene: str, number: int) -> HouseEngine:
    """Engine `number` of a scene: 0 is the one that trials share, 1 one to restore into."""
    del number
    from assistworld.engines.house import make

    engine = make()
    engine.reset(Scenario(scene), 0)
    return engine


@cache
def _checker(scene: str) -> MotionChecker:
    engine = shared_engine(scene)
    return MotionChecker(engine.stage, engine.body)


def play(trial: Trial, *, on_step: Callable[[Step], None] | None = None) -> dict[str, Any]:
    """Play a trial. The result is JSON: `ok`, how each command ended, broken bounds, problems, what was raised."""
    player = Player(trial.scenario, trial.seed, on_step)
    all(player.command(text) for text in trial.commands)
    return {**trial.as_json(), **player.result()}


class Player:
    """Plays commands in a scenario, one after the other, under the checker. `problems` are promises and rules that were broken."""

    def __init__(self, scenario: Scenario, seed: int, on_step: Callable[[Step], None] | None = None) -> None:
        self.engine = engine = shared_engine(scenario.scene)
        self.problems: list[str] = []
        self.rows: list[dict[str, Any]] = []
        self._on_step, self._raised, self._tick = on_step, "", 0
        engine.reset(scenario, seed)
        self._checker = _checker(scenario.scene)
        self._checker.forget()
        self._first_fault = len(self._checker.faults)
        self._checker.watch(0, engine.state, Allowed())
        self._doorways = Doorways(engine.stage, engine.state)

    def command(self, text: str) -> bool:
        """Play a command to its end and add its row. False where something was raised: nothing can follow."""
        try:
            self.rows.append(self._command(text))
        except Exception as error:
            self._raised = f"{text}: {type(error).__name__}: {error}"
        return not self._raised

    def result(self) -> dict[str, Any]:
        """What was found, as JSON."""
        checker = self._checker
        problems = [*self.problems, *self._doorways.problems]
        faults = [str(f) for f in checker.faults[self._first_fault :]]
        return {
            "ok": not faults and not problems and not self._raised,
            "outcomes": self.rows,
            "faults": faults[:FAULTS_KEPT],
            "fault_count": len(faults),
            "problems": problems,
            "raised": self._raised,
            "worst_slide_mm": round(1000.0 * checker.feet.worst_m, 2),
            "worst_heading_deg": round(float(np.degrees(checker.heading.worst_rad)), 1),
            "doors_opened": self._doorways.opened,
        }

    def _command(self, text: str) -> dict[str, Any]:
        engine = self.engine
        parsed = engine.parse(text)
        if isinstance(parsed, Refusal):
            return _row(text, "", Status.REFUSED, parsed, 0)
        before, graph = engine.digest(), engine.graph().digest()
        refusal = engine.begin(parsed.command)
        if refusal is not None:
            if engine.digest() != before or engine.graph().digest() != graph or not engine.idle():
                self.problems.append(f"{text}: refused with {refusal.code}, and the state changed")
            return _row(text, parsed.command.verb, Status.REFUSED, refusal, 0)
        return self._follow(text, parsed.command)

    def _follow(self, text: str, command: Command) -> dict[str, Any]:
        engine, before, began, changed = self.engine, self.engine.state, self._tick, False
        while True:
            motion = engine.motion
            playing = motion is not None and motion.segment < len(motion.plan.segments)
            allowed = motion.plan.segments[motion.segment].allowed if motion is not None and playing else Allowed()
            step = engine.tick()
            self._tick += 1
            if self._on_step is not None:
                self._on_step(step)
            changed |= bool(step.changes)
            self._checker.watch(self._tick, engine.state, allowed)
            self._doorways.watch(self._tick, engine.state)
            if step.outcome is not None:
                break
            if self._tick - began > TICK_LIMIT:
                raise RuntimeError(f"no outcome after {TICK_LIMIT} ticks")
        self._judge(text, command, before, step, changed)
        return _row(text, command.verb, step.outcome.status, step.outcome.refusal, self._tick - began)

    def _judge(self, text: str, command: Command, before: HouseState, step: Step, changed: bool) -> None:
        outcome = step.outcome
        if outcome is None:
            return
        if outcome.status is Status.DONE:
            wrong = load_verb(command.verb).verify(self.engine.graph(), command)
            if wrong is not None or not holds(self.engine, before, command):
                self.problems.append(f"{text}: done, but {'' if wrong is None else wrong.fact} is what the graph says".replace("  ", " "))
        elif outcome.status is Status.FAILED:
            if outcome.refusal is None or not changed:
                self.problems.append(f"{text}: failed without {'a reason' if outcome.refusal is None else 'any change'}")
        else:
            self.problems.append(f"{text}: ended {outcome.status.value}, and nobody stopped it")


def _row(text: str, verb: str, status: Status, refusal: Refusal | None, ticks: int) -> dict[str, Any]:
    code, fact = ("", "") if refusal is None else (refusal.code, refusal.fact)
    return {"command": text, "verb": verb, "status": status.value, "code": code, "fact": fact, "ticks": ticks}
