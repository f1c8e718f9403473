"""Random scripts: ten commands drawn from what is offered, each asked of `can` before it is begun, and all that RULES promise checked.

A trial of `trials.py` is checked as well (outcomes, the independent contact check, doors). Added here: `can` answers what executing answers
and changes nothing (executing plans anew for a few random commands, where nothing keeps what `can` found); the changes fold into
the graph, which is the one read anew; what is held, rides or is attached stays where its constraint has it; every third command is saved at
a random tick and restored into another engine, where it goes on bit for bit to its end; once in a script at most the engine restored into
plans the next command by itself, and plays it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from assistcore.house.read_graph import read_graph
from assistcore.house.state import HouseState
from assistcore.world.engine import Scenario, Step
from assistcore.world.graph import fold
from assistcore.world.outcomes import Refusal
from assistcore.world.poses import Pose
from assistcore.world.randomness import stream
from assistworld.studies.motion_check import same_place
from assistworld.studies.sampling import choose, episode_seed, random_doors, standing
from assistworld.studies.trials import Player, shared_engine, warm_engine
from assistworld.studies.wishes import wish

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine
    from humans.model import BodyModel

SCENES = ("flat", "annex")
COMMANDS = 10
DRIFT_LIMIT_M = 1e-6
ANEW = 0.06
"""How often what `can` planned is dropped before the command is begun; only these count as asked."""
SHUT_IN = 0.1
"""How often someone who cannot leave where they stand is left there."""
SAVED_EVERY = 3
"""Every third command of a script, from a random one on, is saved in."""
GIVEN_UP = 0.6
"""How often what was to follow is dropped when a command was refused."""


def play_script(seed: int, number: int, *, commands: int = COMMANDS) -> dict[str, Any]:
    """Script `number`: scenes in turn. JSON as of `trials.play`, and `can` counts, drift, where it was saved (`saved_at`)."""
    return _Script(seed, number, commands).run()


def script_scenario(scene: str, rng: np.random.Generator) -> Scenario:
    """Someone standing anywhere, nearly always with a way from there; doors, spills, stains and the telephone in random states."""
    engine = shared_engine(scene)
    stage = engine.stage
    changes = random_doors(stage, rng, open_share=0.7)
    for entity in stage.entities:
        for role, fact in (("patch", "present"), ("phone", "ringing")):
            if role in entity.roles:
                changes.append({"set": entity.key, "attribute": fact, "value": bool(rng.random() < 0.5)})
    while True:
        room = str(choose(rng, list(stage.rooms)).key)
        scenario = Scenario(scene, standing(engine, rng, changes, room=room), changes)
        if rng.random() < SHUT_IN or may_leave(engine, scenario, room):
            return scenario


def may_leave(engine: HouseEngine, scenario: Scenario, room: str) -> bool:
    """Whether a way as wide as the body leads from where the person stands to the spot of its room."""
    from actions.navigation.grid import grid_of
    from actions.navigation.paths import flood
    from actions.stance import BODY_RADIUS_M
    from actions.world import ActionWorld

    engine.reset(scenario, 0)
    if engine.parts is None:
        return False
    grid = grid_of(ActionWorld(engine.stage, engine.body, engine.parts.collision, engine.state))
    x, y, _ = engine.stage.spots[room]
    return bool(np.isfinite(flood(grid, engine.state.body.xy_m, BODY_RADIUS_M)[grid.cell(x, y)]))


class _Script:
    """One script being played."""

    def __init__(self, seed: int, number: int, commands: int) -> None:
        self._rng, self._anew = (stream(seed, purpose, number) for purpose in ("random script", "planned anew"))
        scene = SCENES[number % len(SCENES)]
        self._commands, self._facts = commands, {"number": number, "sample_seed": seed}
        self._scenario, self._seed = script_scenario(scene, self._rng), 0
        self._seed = episode_seed(self._rng)
        self._player = Player(self._scenario, self._seed, self._step)
        self._engine = self._player.engine
        self._twin = Twin(warm_engine(scene, 1))
        self._folded, self._drift = self._engine.graph(), Drift(self._engine.body)
        self._turn, self._share = int(self._rng.integers(commands)), float(self._rng.random())
        self._asked = self._ticks = 0

    def run(self) -> dict[str, Any]:
        todo: list[str] = []
        while len(self._player.rows) < self._commands:
            todo = todo or wish(self._engine, self._rng)
            text = todo.pop(0)
            if not self._command(text):
                break
            if self._player.rows[-1]["status"] != "done" and self._rng.random() < GIVEN_UP:
                todo = []
        return self._result()

    def _command(self, text: str) -> bool:
        """Ask `can`, play, compare. False where something was raised."""
        engine, player = self._engine, self._player
        parsed = engine.parse(text)
        could = parsed if isinstance(parsed, Refusal) else self._can(text)
        self._ticks = 0
        self._twin.begin(text)
        if not player.command(text):
            return False
        row = player.rows[-1]
        asked = ("", "") if could is None else (could.code, could.fact)
        found = (row["code"], row["fact"]) if row["status"] == "refused" else ("", "")
        if asked != found:
            player.problems.append(f"{text}: can says {asked}, executing {row['status']} {found}")
        self._compare(text)
        self._turn += 1
        self._share = (self._share + 1.0 / self._commands) % 1.0
        return True

    def _can(self, text: str) -> Refusal | None:
        engine = self._engine
        parsed = engine.parse(text)
        if isinstance(parsed, Refusal):
            return parsed
        before = engine.digest()
        answer = engine.can(parsed.command)
        if self._anew.random() < ANEW:
            engine.forget_plan()
            self._asked += 1
        if engine.digest() != before or not engine.idle():
            self._player.problems.append(f"{text}: can changed the state")
        return answer

    def _step(self, step: Step) -> None:
        """After every tick of the engine: fold the changes, measure the drift, keep the twin beside it."""
        engine = self._engine
        self._folded = fold(self._folded, step.changes)
        self._drift.watch(engine.state)
        self._ticks += 1
        if self._twin.running:
            self._twin.tick(engine, step)
        elif self._turn % SAVED_EVERY == 0 and not engine.idle() and self._ticks == self._save_tick():
            self._twin.take_over(engine, commands=2 if self._turn == SAVED_EVERY else 1)

    def _save_tick(self) -> int:
        """The tick of this command at which it is saved."""
        motion = self._engine.motion
        planned = 0 if motion is None else sum(len(s) + 12 * s.settle for s in motion.plan.segments)
        return 1 + int(self._share * planned)

    def _compare(self, text: str) -> None:
        engine, problems = self._engine, self._player.problems
        graph = engine.graph()
        if self._folded.digest() != graph.digest():
            problems.append(f"{text}: the changes do not fold into the graph")
        if read_graph(engine.stage, engine.state, None).digest() != graph.digest():
            problems.append(f"{text}: the graph is not the one that is read anew")
        problems += self._twin.differences(engine, text)

    def _result(self) -> dict[str, Any]:
        player, worst_m = self._player, self._drift.worst_m
        if worst_m > DRIFT_LIMIT_M:
            player.problems.append(f"{self._drift.worst_key} (held, riding or attached) drifts by {worst_m:.2e} m")
        return {
            **self._facts,
            "scene": self._scenario.scene,
            "seed": self._seed,
            "human": dict(self._scenario.human),
            "changes": [dict(c) for c in self._scenario.changes],
            "asked": self._asked,
            "saved_at": self._twin.saved,
            "held_ticks": self._drift.held_ticks,
            "worst_drift_um": round(1e6 * worst_m, 6),
            **player.result(),
        }


class Drift:
    """How far things are from where their constraints have them: in the hand, on what is carried, at what they are attached to."""

    def __init__(self, body: BodyModel) -> None:
        self._body = body
        self._shown: HouseState | None = None
        self.worst_m, self.held_ticks = 0.0, 0
        self.worst_key = ""

    def watch(self, state: HouseState) -> None:
        """Look at the state after a tick: at everything that has moved since the one looked at before, or is held otherwise."""
        from humans.kinematics import joint_transforms
        from humans.model import JOINT

        before, self._shown = self._shown, state
        then: Mapping[str, Pose] = before.poses if before is not None and before.attached is state.attached else {}
        self.held_ticks += state.held is not None
        wanted: list[tuple[str, Any]] = [
            (a.child, state.poses[a.parent].matrix() @ a.parent_child.matrix())
            for a in state.attached
            if state.poses[a.parent] is not then.get(a.parent) or state.poses[a.child] is not then.get(a.child)
        ]
        if state.held is not None and not (before is not None and same_place(state, before) and state.riding is before.riding):
            bones = joint_transforms(self._body, state.body.pose_rad, state.body.translation_m)
            wanted.append((state.held.entity, bones[JOINT[f"{state.held.hand}_wrist"]] @ state.held.wrist_object.matrix()))
            wanted += [
                (r.entity, state.poses[r.carrier].matrix() @ r.carrier_object.matrix()) for r in state.riding if r.carrier in state.poses
            ]
        for key, T in wanted:
            apart_m = _apart_m(T, state.poses[key])
            if apart_m > self.worst_m:
                self.worst_m, self.worst_key = apart_m, key


def _apart_m(T: Any, pose: Pose) -> float:
    return float(np.abs(T[:3, 3] - pose.matrix()[:3, 3]).max())


class Twin:
    """Another engine of the scene, which is put into a saved state and then given the same commands."""

    def __init__(self, engine: HouseEngine) -> None:
        self._engine = engine
        self._different = ""
        self._commands = 0
        self.saved: list[str] = []

    @property
    def running(self) -> bool:
        """Whether it goes on beside the engine now."""
        return self._commands > 0

    def take_over(self, engine: HouseEngine, *, commands: int = 1) -> None:
        """Go on here from what the engine is now, for so many commands, the running one included."""
        self._engine.restore(engine.save())
        self._commands = commands
        motion = engine.motion
        at = "" if motion is None else f"segment {motion.segment}, frame {motion.frame}, settling {motion.settling}"
        self.saved.append(f"{'' if motion is None else motion.plan.command.verb}: {at}")
        self._look(engine)
        if not self._different and self._engine.graph().values != engine.graph().values:
            self._different = "another graph"

    def begin(self, text: str) -> None:
        """Begin what the engine is about to begin."""
        parsed = self._engine.parse(text) if self.running else None
        if parsed is not None and not isinstance(parsed, Refusal):
            self._engine.begin(parsed.command)

    def tick(self, engine: HouseEngine, step: Step) -> None:
        """Follow a tick of the engine. The graphs are the same where they were so and the changes are."""
        mine = self._engine.tick()
        self._look(engine)
        if not self._different and mine.changes != step.changes:
            self._different = "other changes"

    def differences(self, engine: HouseEngine, text: str) -> list[str]:
        """What is different after a command; each difference is said once and ends the comparison."""
        if not self.running:
            return []
        self._look(engine)
        if not self._different and self._engine.digest() != engine.digest():
            self._different = "another digest"
        elif not self._different and self._engine.graph().digest() != engine.graph().digest():
            self._different = "another graph digest"
        found, self._different = self._different, ""
        self._commands = 0 if found else self._commands - 1
        return [f"{text}: saved at {self.saved[-1]}, restored into another engine: {found}"] if found else []

    def _look(self, engine: HouseEngine) -> None:
        """Compare everything that is in the digests, which are themselves compared after every command."""
        if self._different:
            return
        mine = self._engine
        if mine.idle() != engine.idle():
            self._different = f"{'idle' if mine.idle() else 'busy'} there"
        elif not mine.state.same_as(engine.state) or _cursor(mine) != _cursor(engine):
            self._different = "another state"
        elif not engine.resting and mine.physics.save() != engine.physics.save():
            self._different = "other velocities"


def _cursor(engine: HouseEngine) -> tuple[object, ...]:
    motion = engine.motion
    return (*engine.clock, *(() if motion is None else (motion.segment, motion.frame, motion.settling, motion.stopping)))
