"""The command that runs: read, checked against the turn's offer, begun, followed tick by tick, ended with the graph compared."""

from __future__ import annotations

from assistcore.world.commands import Command, Parsed
from assistcore.world.engine import Engine, Step
from assistcore.world.errors import InfrastructureError
from assistcore.world.graph import SceneGraph, fold
from assistcore.world.outcomes import Code, Outcome, Refusal
from assistcore.world.records import Began, Changed, Ended
from assistworld.episodes.log import Sink
from assistworld.episodes.queue import Pending

STUCK_AFTER = 3
"""The same command with the same outcome and the same world this often in a row is reported as stuck."""


class CommandLine:
    """Keeps the folded graph, the running command and the last outcome."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.graph = SceneGraph()
        self.command: Command | None = None
        self.last: Ended | None = None
        self.done: list[str] = []
        self._pending: Pending | None = None
        self._parsed: Parsed | None = None
        self._number = 0
        self._signatures: list[tuple[str, ...]] = []

    def start(self, pending: Pending, tick: int, sink: Sink) -> Refusal | None:
        """Begin a command. A refusal is returned: it is data, and it still costs its tick."""
        self._pending, self._parsed, self.command = pending, None, None
        self._number += 1
        parsed = self._engine.parse(pending.text)
        if isinstance(parsed, Refusal):
            return parsed
        self._parsed, self.command = parsed, parsed.command
        refusal = self._not_offered(pending, parsed.command) or self._engine.begin(parsed.command)
        if refusal is None:
            began = {**self._names(), "canonical": parsed.text, "how": parsed.how.value}
            sink.write(tick, Began.model_validate(began))
        return refusal

    def follow(self, step: Step, tick: int, sink: Sink) -> None:
        """Log and fold what one tick changed. Raises InfrastructureError where the engine's stamps or changes do not fit."""
        if step.snapshot.tick != tick:
            raise InfrastructureError("tick", f"the engine's snapshot is of tick {step.snapshot.tick}, the loop is at {tick}")
        if not step.changes:
            return
        rows = tuple((c.subject, c.kind, c.before, c.after, c.cause) for c in step.changes)
        sink.write(tick, Changed(changes=rows))
        try:
            self.graph = fold(self.graph, step.changes)
        except ValueError as error:
            raise InfrastructureError("fold changes", str(error)) from error

    def end(self, outcome: Outcome, feedback: str, tick: int, sink: Sink) -> Ended:
        """Record an outcome with the digests of state and graph. Raises InfrastructureError naming the first fact that differs."""
        self.compare(self._engine.graph(), tick)
        refusal = outcome.refusal or Refusal("", "")
        self.last = Ended.model_validate(
            {
                **self._names(),
                "how": self._parsed.how.value if self._parsed else "",
                "status": outcome.status.value,
                "code": refusal.code,
                "fact": refusal.fact,
                "hint": refusal.hint,
                "feedback": feedback,
                "began": outcome.began,
                "ended": outcome.ended,
                "state_digest": self._engine.digest(),
                "graph_digest": self.graph.digest(),
            }
        )
        sink.write(tick, self.last)
        if self.last.status == "done":
            self.done.append(self.last.text)
        self._signatures.append((self.last.text, self.last.status, self.last.code, self.last.graph_digest))
        return self.last

    def repeats(self) -> int:
        """How often the last command has now been repeated without any effect; 0 unless that is a multiple of `STUCK_AFTER`."""
        run = 0
        for signature in reversed(self._signatures):
            if signature != self._signatures[-1]:
                break
            run += 1
        return run if run and run % STUCK_AFTER == 0 else 0

    def compare(self, measured: SceneGraph, tick: int) -> None:
        """The initial graph plus the changes must be the engine's graph."""
        for change in self.graph.difference(measured, tick=tick, cause="check"):
            raise InfrastructureError(
                "graph check",
                f"tick {tick}: {change.kind} of {change.subject} is {change.after!r} in the engine, {change.before!r} by the changes",
            )

    def _names(self) -> dict[str, object]:
        pending, command = self._pending, self.command
        return {
            "number": self._number,
            "text": pending.text if pending else "",
            "verb": command.verb if command else "",
            "entities": tuple(e.key for e in command.entities()) if command else (),
            "phase": pending.phase if pending else "live",
        }

    @staticmethod
    def _not_offered(pending: Pending, command: Command) -> Refusal | None:
        if pending.offered is None:
            return None
        for ref in command.entities():
            if ref.index > 0 and ref.key not in pending.offered:
                return Refusal(Code.NOT_OFFERED, f"{ref.surface} is not among the things you can name now", "look for it first")
        return None
