"""The loop (DESIGN section 3): steppable from outside, it calls no agent, starts no thread and reads no wall clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assistcore.world.clock import ticks_in
from assistcore.world.engine import Engine, Role
from assistcore.world.errors import AssistWorldError, InfrastructureError
from assistcore.world.outcomes import Outcome, Status
from assistcore.world.records import VOID_REASONS, AgentInfo, Baseline, Delivered, Notice, Replied, Said, Stopped, StopReason
from assistcore.world.replies import Reply, Say, Turn
from assistcore.world.views import AssistantView, HumanView, Utterance
from assistworld.episodes import control
from assistworld.episodes.commands import CommandLine
from assistworld.episodes.frames import Draw, Film, engine_draw
from assistworld.episodes.log import Sink
from assistworld.episodes.mail import Letter, Mail
from assistworld.episodes.opening import first_rows, image_channels
from assistworld.episodes.queue import CommandQueue
from assistworld.episodes.replies_json import reply_json
from assistworld.episodes.timing import Timing
from assistworld.episodes.viewing import Viewing
from evaluator.evaluate import evaluate
from evaluator.scores import Score
from taskpacks.schema import TaskPack


@dataclass(frozen=True)
class Ask:
    """A role's turn: answer it with `Episode.answer`. `view` was decoded from its record."""

    number: int
    role: Role
    view: AssistantView | HumanView
    tick: int


@dataclass(frozen=True)
class Ended:
    """The episode is over and its log sealed. `void` attempts are rerun, never scored."""

    reason: StopReason
    void: bool
    detail: str
    declared: bool
    tick: int
    actions: int
    invalid: int
    stuck: int
    count: int
    head: str
    score: Score | None
    """What the evaluator reads from the log; None where the log could not be sealed."""


class Episode:
    """One attempt at a pack. `next()` gives the next `Ask` or `Ended`; `answer()` is the only way in.

    `frames` is the number of pictures per command (0: none); `draw` replaces the engine's drawing (a replay shows what was recorded).
    Engine faults end the episode as VOID; `failure` then holds the error.
    """

    def __init__(
        self,
        *,
        pack: TaskPack,
        engine: Engine,
        sink: Sink,
        seed: int = 0,
        frames: int = 4,
        assistant: AgentInfo | None = None,
        human: AgentInfo | None = None,
        draw: Draw | None = None,
    ) -> None:
        self.pack, self.engine, self.sink, self.seed, self.frames = pack, engine, sink, seed, frames
        self.agents = (assistant or AgentInfo(name="outside"), human or AgentInfo(name="outside"))
        self.timing = Timing.of(pack.protocol.timing, engine.tick_seconds)
        self.budget_ticks = ticks_in(pack.protocol.budget.seconds, engine.tick_seconds)
        channels = image_channels(pack, engine)
        self.film = Film(draw or engine_draw(engine), sink, per_interval=frames, channels=channels)
        self.viewing = Viewing(pack, engine, channels)
        self.queue = CommandQueue()
        self.line = CommandLine(engine)
        self.mail = Mail()
        self.tick = self.baseline_tick = self.closed_tick = self.asked = self.stuck = 0
        self.actions = 0
        self.invalid: dict[str, int] = {"assistant": 0, "human": 0}
        self.poll_due = self.news = False
        self.opened = self.began = False
        self.declared = self.finished = self.human_stopped = self.drained_stop = False
        self.open_ask: Ask | None = None
        self.ended: Ended | None = None
        self.failure: Exception | None = None

    def next(self) -> Ask | Ended:
        """The next turn to take. Asking again before answering gives the same `Ask`."""
        if self.ended is not None or self.open_ask is not None:
            return self.ended or self.open_ask  # type: ignore[return-value]
        try:
            return self._next()
        except AssistWorldError as error:
            return self.abort(error)
        except Exception as error:
            return self.abort(InfrastructureError(type(error).__name__, str(error)), error)

    def _next(self) -> Ask | Ended:
        if not self.opened and (failed := self._open()):
            return self._seal("opening_failed", failed)
        while (reason := self.over()) is None:
            if self.assistant_due():
                return self.ask("assistant")
            if letter := self.mail.take(self.tick):
                self.deliver(letter)
                continue
            if self.human_due():
                return self.ask("human")
            self.step()
        return self._seal(reason)

    def answer(self, ask: Ask, reply: Reply | Turn, latency_s: float | Fraction = 0.0, costs: Mapping[str, Any] | None = None) -> None:
        """Put a role's reply in. Raises ValueError for an ask that is not the open one, TypeError for the wrong kind of reply."""
        if ask is not self.open_ask:
            raise ValueError(f"ask {ask.number} ({ask.role}) is not open; open is {self.open_ask and self.open_ask.number}")
        if not isinstance(reply, Reply if ask.role == "assistant" else Turn):
            raise TypeError(f"the {ask.role} answers with {'Reply' if ask.role == 'assistant' else 'Turn'}, got {type(reply).__name__}")
        try:
            self._take(ask, reply, latency_s, costs or {})
        except AssistWorldError as error:
            self.abort(error)

    def _take(self, ask: Ask, reply: Reply | Turn, latency_s: float | Fraction, costs: Mapping[str, Any]) -> None:
        due = self.tick + (self.timing.delay_ticks(latency_s) if ask.role == "assistant" else 0)
        seq = self.sink.write(self.tick, Replied(ask=ask.number, role=ask.role, due=due, reply=reply_json(reply)))
        self.sink.note(seq, {"role": ask.role, "latency_s": float(latency_s), **costs})
        self.open_ask = None
        if control.invalid(reply.flag):
            self.invalid[ask.role] += 1
            self.notice("invalid", ask.role, reply.flag, self.invalid[ask.role])
        if isinstance(reply, Reply):
            self.mail.put(ask.number, reply, due=due)
        else:
            self.take_turn(reply)

    def take_turn(self, turn: Turn) -> None:
        """Queue a person's commands and say their speech; replacing the queue stops a running command where the pack says so."""
        changed = self.queue.update(turn, self.viewing.offered)
        if changed.added or changed.dropped:
            self.sink.write(self.tick, changed)
        if changed.mode == "replace" and self.timing.stops_running:
            self.engine.stop()
        if turn.speech:
            spoken, leaked = self.viewing.plain(turn.speech)
            if leaked:
                self.notice("leak", "human", ", ".join(leaked), len(leaked))
            self.say("human", spoken)
        self.human_stopped = self.human_stopped or turn.flag == control.STOP

    def deliver(self, letter: Letter) -> None:
        """A reply takes effect: its text is heard; `done` freezes the world once what was accepted has drained."""
        self.sink.write(self.tick, Delivered(ask=letter.ask, say=letter.reply.say.value))
        if letter.reply.text:
            self.say("assistant", letter.reply.text)
        self.declared = self.declared or letter.reply.say is Say.DONE
        self.drained_stop = self.human_stopped

    def step(self) -> None:
        """One tick: begin the next command if none runs, let the world go on, close the interval if something ended."""
        refused = None
        if self.engine.idle() and (pending := self.queue.pop()):
            self.viewing.turn_away()
            refused = self.line.start(pending, self.tick, self.sink)
        step = self.engine.tick()
        self.tick += 1
        self.line.follow(step, self.tick, self.sink)
        self.film.step(step)
        self.viewing.glance(step.marks, self.tick, self.sink)
        self.finished = self.finished or step.finished
        outcome = step.outcome or (refused and Outcome(Status.REFUSED, self.line.command, refused, self.tick, self.tick))
        if outcome:
            self.close_command(outcome, step.feedback)
        elif self.timing.poll_ticks is not None:
            if (self.tick - self.closed_tick) >= self.timing.poll_ticks:
                self.close_segment("poll")
        elif self.engine.idle() and not self.queue and self.tick - self.closed_tick >= self.patience():
            self.close_segment("idle")

    def close_command(self, outcome: Outcome, feedback: str) -> None:
        """Record an outcome, compare the folded graph with the engine's, drop what was queued behind a failure."""
        ended = self.line.end(outcome, feedback, self.tick, self.sink)
        self.actions += ended.phase == "live"
        if repeats := self.line.repeats():
            self.stuck += 1
            self.notice("stuck", "human", ended.text, repeats)
        if outcome.status in (Status.REFUSED, Status.FAILED) and self.queue:
            self.sink.write(self.tick, self.queue.flush())
        self.close_segment("command")

    def close_segment(self, cause: str) -> None:
        """End the filmed interval; both roles have news."""
        segment, shots = self.film.close(cause)
        self.sink.write(self.tick, segment)
        self.viewing.show(shots)
        self.closed_tick = self.tick
        self.poll_due = self.news = True

    def patience(self) -> int:
        """Ticks of nothing until the assistant is asked again: few after the person spoke."""
        return self.timing.speech_ticks if self.viewing.unheard("assistant") else self.timing.idle_ticks

    def assistant_due(self) -> bool:
        """A segment closed or poll time came, and no reply is in flight."""
        return self.poll_due and not self.mail.busy and not self.declared

    def human_due(self) -> bool:
        """Something was heard, or a segment closed, since the person's last turn. After `$done$` only text glued to it is still heard."""
        heard = self.viewing.unheard("human")
        return heard or (self.news and not self.declared and not self.human_stopped)

    def over(self) -> StopReason | None:
        """Why the episode ends now, if it does. Reaching the goal is no reason."""
        idle = self.engine.idle()
        budget = self.pack.protocol.budget
        if self.invalid["assistant"] >= budget.invalid:
            return "max_invalid"
        if self.invalid["human"] >= budget.invalid:
            return "human_invalid"
        if self.declared and idle and not self.queue and not self.viewing.unheard("human"):
            return "declared"
        if self.finished:
            return "finished"
        if self.drained_stop and idle:
            return "human_stopped_early" if self.queue else "human_stopped"
        if idle and self.actions >= budget.actions:
            return "action_budget"
        if self.tick - self.baseline_tick >= self.budget_ticks:
            return "tick_budget"
        return None

    def ask(self, role: Role) -> Ask:
        """Build the view behind the boundary, record it, and hand out what the record says."""
        if role == "assistant":
            self.poll_due = False
        else:
            self.news = False
        self.asked += 1
        view = self.viewing.view(role, self.tick, self.asked, self.sink, line=self.line, pending=self.queue.texts())
        self.open_ask = Ask(self.asked, role, view, self.tick)
        return self.open_ask

    def say(self, speaker: str, text: str, phase: str = "live") -> None:
        """Something is heard by both."""
        self.sink.write(self.tick, Said.model_validate({"speaker": speaker, "text": text, "phase": phase}))
        self.viewing.hear(Utterance(self.tick, speaker, text))

    def _open(self) -> str:
        """Reset, perform the authored opening unscored, take the baseline, make the request. Returns what failed, or nothing."""
        self.opened = True
        self.film.add(first_rows(self))
        self.began = True
        opening = self.pack.protocol.opening
        if opening.say:
            self.say("human", opening.say, "opening")
        self.queue.author(opening.commands)
        while self.queue or not self.engine.idle():
            self.step()
            if self.line.last is not None and self.line.last.status != "done":
                last = self.line.last
                return f"{last.text}: {last.status} {last.code} {last.fact}".strip()
        if not self.film.empty():
            self.close_segment("handoff")
        self.baseline_tick = self.closed_tick = self.tick
        self.sink.write(self.tick, Baseline(graph_digest=self.line.graph.digest(), state_digest=self.engine.digest()))
        if opening.handoff:
            self.say("human", opening.handoff, "opening")
        self.poll_due = self.news = True
        return ""

    def abort(self, error: Exception, cause: Exception | None = None, reason: StopReason = "infrastructure") -> Ended:
        """End as VOID because the engine, the disk, an agent or the caller failed. `failure` keeps the error for the caller."""
        self.failure = cause or error
        return self._seal(reason, str(error))

    def _seal(self, reason: StopReason, detail: str = "") -> Ended:
        stopped = Stopped(
            reason=reason,
            void=reason in VOID_REASONS,
            detail=detail,
            declared=self.declared,
            actions=self.actions,
            ticks=self.tick - self.baseline_tick,
            invalid=self.invalid["assistant"] + self.invalid["human"],
            stuck=self.stuck,
            graph_digest=self.line.graph.digest(),
            state_digest="" if reason in ("infrastructure", "cancelled") else self.engine.digest(),
        )
        count, head, score = 0, "", None
        try:
            self.sink.write(self.tick, stopped)
            count, head = self.sink.seal()
            score = evaluate(self.pack, self.sink.rows(), head) if self.began else None
        except InfrastructureError as error:
            self.failure = self.failure or error
            stopped = stopped.model_copy(update={"reason": "infrastructure", "void": True, "detail": detail or str(error)})
        self.open_ask = None
        self.ended = Ended(
            stopped.reason,
            stopped.void,
            stopped.detail,
            stopped.declared,
            self.tick,
            stopped.actions,
            stopped.invalid,
            stopped.stuck,
            count,
            head,
            score,
        )
        return self.ended

    def notice(self, what: str, role: str, detail: str, count: int) -> None:
        """Leave a note in the log."""
        self.sink.write(self.tick, Notice.model_validate({"what": what, "role": role, "detail": detail, "count": count}))
