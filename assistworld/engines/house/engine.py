"""The house engine: plans a whole command at `begin`, plays one frame a tick, settles, reads the world back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from actions.failures import complete, sentence
from actions.grammar import parse_command
from actions.motions import Attach, Detach, Hold, LetGo, Motion, Plan, Segment
from actions.planning import plan_command
from actions.verb import load_verb
from actions.world import ActionWorld
from assistcore.house.attributes import apply
from assistcore.house.household import rules_for
from assistcore.house.physics import STEPS_PER_TICK, Physics
from assistcore.house.processes import advance, next_due
from assistcore.house.stage import StageModel
from assistcore.house.state import HouseState
from assistcore.world.clock import HOUSE_TICK_SECONDS
from assistcore.world.commands import Command, Parsed
from assistcore.world.engine import Abilities, Role, Scenario, Step, Vocabulary
from assistcore.world.errors import InfrastructureError
from assistcore.world.graph import Change, SceneGraph, fold
from assistcore.world.outcomes import Code, Outcome, Refusal, Status
from assistcore.world.snapshots import Observation, Snapshot
from assistcore.world.views import Offered
from assistworld.engines.house.person import Person
from assistworld.engines.house.playing import give_up, next_segment, play_frame
from assistworld.engines.house.vocabulary import house_vocabulary

if TYPE_CHECKING:
    from assistcore.pictures.protocol import Pictures
    from assistworld.engines.house.drawing import HousePainter
    from assistworld.engines.house.start import Parts
    from humans.model import BodyModel

SETTLE_LIMIT_TICKS = 72
"""A command waits six seconds for what it let go of to come to rest; after that it ends as failed and says so."""
RESET_SETTLE_TICKS = 48
EMBEDDED = Abilities(restore="exact", repeat="bitwise")
"""What the embedded back end promises."""
HOUSE_PERSON = Person()


class HouseEngine:
    """The `Engine` of the physics house. One instance holds one world; `reset` may be called again and keeps loaded content warm."""

    name = "house"
    tick_seconds: Fraction = HOUSE_TICK_SECONDS

    def __init__(
        self,
        *,
        physics: Physics | None = None,
        pictures: Pictures | None = None,
        abilities: Abilities = EMBEDDED,
        width: int = 640,
        height: int = 480,
        supersample: int = 1,
        person: Person = HOUSE_PERSON,
    ) -> None:
        self.person, self.abilities = person, abilities
        self._given_physics, self._given_pictures = physics, pictures
        self._size = (width, height, supersample)
        self._parts: Parts | None = None
        self._painter: HousePainter | None = None
        self._caches: dict[str, object] = {}
        self._planned: tuple[HouseState, tuple[object, ...], Plan | Refusal] | None = None

    @property
    def vocabulary(self) -> Vocabulary:
        """Verbs, predicates, attributes, codes and channels of the house."""
        return house_vocabulary()

    @property
    def version(self) -> str:
        """Package version, a digest of the code that decides what a command does, and one of each file of the user's own."""
        from assistcore.world.sources import code_version
        from assistworld.engines.house.described import CODE

        return code_version(*CODE) + self.person.mark

    def summary(self) -> Mapping[str, Any]:
        """Rooms and outlines of fixtures and doors, for maps."""
        from assistworld.engines.house.described import plan_of

        return plan_of(self.stage)

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        """Stand at tick 0 of a scenario. Raises InputError or InfrastructureError."""
        from assistworld.engines.house.start import first_state, load_parts

        parts = load_parts(self, scenario)
        self._parts = parts
        self._seed = seed
        self._tick = 0
        self._number = 0
        self._motion: Motion | None = None
        self._cause = ""
        self._began = 0
        self._hold_until = 0
        self._state = first_state(parts, scenario, settle_ticks=RESET_SETTLE_TICKS)
        self._graph = self._read(None)
        self._resting = True
        self._rule_from(self._graph)
        self._snapshot = self._take_snapshot()
        return self._snapshot

    def _rule_from(self, graph: SceneGraph) -> None:
        """The process rules have acted up to this tick."""
        self._ruled: SceneGraph | None = graph
        self._ruled_at = self._tick
        self._due = next_due(graph, self._tick, rules_for(self.stage))

    def close(self) -> None:
        """Release renderer and physics. Idempotent."""
        if self._painter is not None:
            self._painter.close()
            self._painter = None
        if self._parts is not None:
            self._parts.physics.close()
            self._parts = None

    @property
    def stage(self) -> StageModel:
        """The loaded stage. Raises InfrastructureError before `reset`."""
        return self._loaded().stage

    @property
    def state(self) -> HouseState:
        """The state now (a frozen value)."""
        return self._state

    @property
    def body(self) -> BodyModel:
        """The person's body model."""
        return self._loaded().body

    @property
    def given_physics(self) -> Physics | None:
        """The `Physics` this engine was made with, None for the embedded one."""
        return self._given_physics

    @property
    def parts(self) -> Parts | None:
        """The loaded parts, None before the first reset."""
        return self._parts

    @property
    def physics(self) -> Physics:
        """The loaded back end."""
        return self._loaded().physics

    @property
    def resting(self) -> bool:
        """Whether nothing moves by itself."""
        return self._resting

    @property
    def motion(self) -> Motion | None:
        """The running command's motion (a frozen value)."""
        return self._motion

    @property
    def clock(self) -> list[int | str | bool]:
        """Tick, seed, command number, and the running command's bookkeeping, as JSON values."""
        return [self._tick, self._seed, self._number, self._cause, self._began, self._hold_until, self._resting]

    def set_saved(self, state: HouseState, motion: Motion | None, clock: list[Any], physics: bytes) -> None:
        """Take over a saved state (see `saving.restore`)."""
        parts = self._loaded()
        parts.physics.load(parts.stage, state.poses, state.joints, state.removed)
        parts.physics.restore(physics)
        self._state, self._motion = state, motion
        self._tick, self._seed, self._number, self._cause, self._began, self._hold_until, self._resting = clock
        self._graph = self._read(None)
        self._rule_from(self._graph)
        self._snapshot = self._take_snapshot()

    def graph(self) -> SceneGraph:
        """The scene graph now."""
        return self._graph

    def digest(self) -> str:
        """SHA-256 over every bit of state."""
        from assistworld.engines.house.saving import state_digest

        return state_digest(self)

    def offer(self, role: Role) -> tuple[Offered, ...]:
        """What the person may name now: fixtures, doors and rooms of the home, and movables that are seen or held; nothing for others."""
        if role == "assistant":
            return ()
        from assistworld.engines.house.offers import offers

        return offers(self)

    def parse(self, text: str) -> Parsed | Refusal:
        """A command text against the grammar and the entities of the scene."""
        stage = self.stage
        return parse_command(text, known=(*stage.by_key, *(f"{room.key}_1" for room in stage.rooms)))

    def can(self, command: Command) -> Refusal | None:
        """The refusal that `begin` would give now, or None. Changes nothing."""
        planned = self._plan(command)
        return planned if isinstance(planned, Refusal) else None

    def begin(self, command: Command) -> Refusal | None:
        """Plan and screen the whole command, then commit it. A refusal leaves every bit as it was."""
        if self._motion is not None:
            return Refusal(Code.BUSY, f"[{self._cause}] is still running", "stop it or wait for its outcome")
        planned = self._plan(command)
        if isinstance(planned, Refusal):
            return planned
        from actions.grammar import render_command

        self._number += 1
        self._motion = Motion(planned)
        self._cause = render_command(command)
        self._began = self._tick
        hold = planned.notes.get("hold_ticks", 0)
        self._hold_until = self._tick + (hold if isinstance(hold, int) else 0)
        return None

    def stop(self) -> None:
        """Ask the running command to end at its next safe frame."""
        if self._motion is not None:
            self._motion = replace(self._motion, stopping=True)

    def idle(self) -> bool:
        """Whether no command is running."""
        return self._motion is None

    def _plan(self, command: Command) -> Plan | Refusal:
        info = self.vocabulary.verb(command.verb)
        if info is None:
            return Refusal(Code.UNKNOWN_VERB, f"no verb {command.verb!r}")
        if not info.implemented:
            return Refusal(Code.NOT_SUPPORTED, f"[{info.surface[0]}] is not performed by this engine yet", "use another way")
        planned = self._planned_now(command)
        if isinstance(planned, Plan) and planned.segments and not self._resting:
            return Refusal(Code.BUSY, "something is still moving", "wait a moment")
        return planned

    def _planned_now(self, command: Command) -> Plan | Refusal:
        """The plan from here. The last one is kept while nothing changes that it depends on: `begin` after `can` plans nothing anew."""
        asked = (command, self._seed, self._number, self.stage)
        if self._planned is None or self._planned[0] is not self._state or self._planned[1] != asked:
            self._planned = (self._state, asked, plan_command(self._world(), command))
        return self._planned[2]

    def forget_plan(self) -> None:
        """Drop the plan made last: the next question is answered by planning anew (for checks that `can` and `begin` agree)."""
        self._planned = None

    def _world(self) -> ActionWorld:
        return ActionWorld(self.stage, self.body, self._loaded().collision, self._state, self._seed, self._number, self._caches)

    def tick(self) -> Step:
        """One twelfth of a second."""
        before = self._state
        self._marks: tuple[str, ...] = ()
        ended = self._advance()
        self._tick += 1
        changes: tuple[Change, ...] = ()
        if self._state is not before:
            graph = self._read((before, self._graph))
            changes = self._graph.difference(graph, tick=self._tick, cause=self._cause or "physics")
            self._graph = graph
        changes += self._run_processes()
        moved = self._state is not before
        self._snapshot = self._take_snapshot((before, self._snapshot)) if moved else replace(self._snapshot, tick=self._tick)
        remark = self._motion.plan.notes.get("remark", "") if ended is not None and self._motion is not None else ""
        outcome = self._finish(ended) if ended is not None else None
        return Step(changes, outcome, self._snapshot, feedback=_feedback(outcome, str(remark)), marks=self._marks)

    def _run_processes(self) -> tuple[Change, ...]:
        """Let the process rules act up to this tick, if the world changed or one is due; they write attributes only."""
        if self._graph is self._ruled and (self._due is None or self._tick < self._due):
            return ()
        changes = advance(self._graph, self._tick, self._tick - self._ruled_at, rules_for(self.stage))
        if changes:
            self._state = self._state.with_(attributes=apply(self._state.attributes, changes))
            self._graph = fold(self._graph, changes)
        self._ruled, self._ruled_at = self._graph, self._tick
        self._due = next_due(self._graph, self._tick, rules_for(self.stage))
        return changes

    def _advance(self) -> Status | None:
        """Play, settle or wait for one tick. Returns how the running command ended, if it did."""
        if self._motion is None:
            self._settle()
            return None
        segments = self._motion.plan.segments
        if self._motion.segment >= len(segments):
            return self._hold()
        segment = segments[self._motion.segment]
        if self._motion.frame < len(segment):
            return self._play(segment)
        return self._settle_segment()

    def _play(self, segment: Segment) -> Status | None:
        motion = self._motion
        if motion is None:
            raise InfrastructureError("house engine", "no motion to play")
        played = play_frame(motion, self._state)
        physics = self._loaded().physics
        for key, pose in played.moved.items():
            physics.set_pose(key, pose)
        for key, value in played.driven.items():
            physics.set_joint(key, value)
        for effect in played.effects:
            if isinstance(effect, Hold):
                physics.set_kinematic(effect.entity, True)
            elif isinstance(effect, LetGo):
                physics.set_kinematic(effect.entity, False)
                self._resting = False
            elif isinstance(effect, Attach):
                physics.set_kinematic(effect.attachment.child, False)
                physics.set_attached(played.state.attached)
                self._resting = False
            elif isinstance(effect, Detach):
                physics.set_attached(played.state.attached)
        self._state = played.state
        self._motion = played.motion
        self._marks = (played.mark,) if played.mark else ()
        if not played.segment_ended:
            if motion.stopping and played.safe and not segment.settle:
                return Status.STOPPED
            if motion.stopping:
                self._motion = give_up(self._world(), played.motion)
            return None
        if segment.settle:
            return None
        return self._after_segment(stopping=motion.stopping and played.safe)

    def _settle_segment(self) -> Status | None:
        motion = self._motion
        if motion is None:
            raise InfrastructureError("house engine", "no motion to settle")
        self._settle()
        self._motion = replace(motion, settling=motion.settling + 1)
        if not self._resting and self._motion.settling < SETTLE_LIMIT_TICKS:
            return None
        return self._after_segment(stopping=motion.stopping and bool(motion.plan.segments[motion.segment].safe[-1]))

    def _after_segment(self, *, stopping: bool) -> Status | None:
        if self._motion is None:
            raise InfrastructureError("house engine", "no motion")
        self._motion = next_segment(self._motion)
        if self._motion.segment < len(self._motion.plan.segments):
            return Status.STOPPED if stopping else None
        return self._hold()

    def _hold(self) -> Status | None:
        """The pose is held until `hold_ticks` of the plan have passed (waiting), or until the fact named in its note `until` holds."""
        self._settle()
        until = self._motion.plan.notes.get("until") if self._motion is not None else None
        if isinstance(until, list | tuple) and self._graph.has(*until):
            return Status.DONE
        if self._motion is not None and self._motion.stopping:
            return Status.STOPPED if self._tick + 1 < self._hold_until else Status.DONE
        return Status.DONE if self._tick + 1 >= self._hold_until else None

    def _settle(self) -> None:
        """Let physics run for a tick while anything moves."""
        if self._resting:
            return
        physics = self._loaded().physics
        physics.step(STEPS_PER_TICK)
        self._resting = physics.at_rest()
        fresh = physics.poses()
        held = self._state.held.entity if self._state.held is not None else ""
        changed = {k: v for k, v in fresh.items() if k != held and self._state.poses.get(k) != v}
        if changed:
            self._state = self._state.with_(poses={**self._state.poses, **changed})

    def _finish(self, status: Status) -> Outcome:
        motion = self._motion
        if motion is None:
            raise InfrastructureError("house engine", "a command ended that never began")
        command = motion.plan.command
        refusal: Refusal | None = None
        if status is Status.DONE:
            refusal = self._unsettled(motion.plan) or load_verb(command.verb).verify(self._graph, command)
            refusal = complete(refusal, command) if refusal is not None else None
            status = Status.FAILED if refusal is not None else Status.DONE
        self._motion = None
        self._cause = ""
        return Outcome(status, command, refusal, self._began, self._tick)

    def _unsettled(self, plan: Plan) -> Refusal | None:
        """What a command let go of is read back at rest: one that never came to rest has no place that could be promised."""
        if self._resting or not any(segment.settle for segment in plan.segments):
            return None
        seconds = float(SETTLE_LIMIT_TICKS * self.tick_seconds)
        return Refusal(Code.POSTCONDITION_FAILED, f"what was let go has not come to rest within {seconds:.0f} s", "wait, then look")

    def _loaded(self) -> Parts:
        if self._parts is None:
            raise InfrastructureError("house engine", "used before reset() or after close()")
        return self._parts

    def _read(self, reuse: tuple[HouseState, SceneGraph] | None) -> SceneGraph:
        from assistcore.house.read_graph import read_graph

        return read_graph(self.stage, self._state, reuse)

    def _take_snapshot(self, reuse: tuple[HouseState, Snapshot] | None = None) -> Snapshot:
        from assistworld.engines.house.drawing import snapshot_of

        return snapshot_of(self.stage, self._state, self._tick, reuse)

    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        """Draw snapshots of this scene through the person's eyes (`fpv`) or as a map from above (`map`). Never touches state."""
        if self._painter is None:
            from assistworld.engines.house.drawing import HousePainter

            width, height, supersample = self._size
            self._painter = HousePainter(width=width, height=height, supersample=supersample, pictures=self._given_pictures)
        self._painter.load(self.stage, self.body)
        return tuple(self._painter.observe(snapshot, channel) for snapshot in snapshots)

    def save(self) -> bytes:
        """The whole state, versioned; see `saving`."""
        from assistworld.engines.house.saving import save

        return save(self)

    def restore(self, state: bytes) -> None:
        """Back to a saved state of the same scene. Raises VersionError or InputError."""
        from assistworld.engines.house.saving import restore

        restore(self, state)


def _feedback(outcome: Outcome | None, remark: str) -> str:
    """What the person notes about an ended command: why it was not done, or what there is to say although it was."""
    if outcome is None or outcome.refusal is None:
        return remark if outcome is not None and outcome.status is Status.DONE else ""
    return sentence(outcome.refusal)
