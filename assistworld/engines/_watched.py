"""An engine under watch: every call has a time limit, and one that does not come back is an error that names it, never a hang.

The engine lives in a thread of its own, where every call is made (an OpenGL context belongs to one thread). A stalled thread cannot be
ended from outside; it is left behind, and the next `reset` makes a new engine in a new thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as StalledError
from fractions import Fraction
from queue import SimpleQueue
from typing import Any, TypeVar

from assistcore.world.commands import Command, Parsed
from assistcore.world.engine import Abilities, Described, Engine, Hosted, Role, Scenario, Step, Vocabulary
from assistcore.world.errors import InfrastructureError
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Refusal
from assistcore.world.snapshots import Observation, Snapshot
from assistcore.world.views import Offered

LIMIT_S = 300.0
"""No call of the house takes a minute on two cores, its first load and compilation included."""

T = TypeVar("T")
_Task = tuple[Callable[[], Any], "Future[Any]"]


class Watched:
    """The `Engine` that `make` makes, each call within `limit_s` seconds of wall time. The limit changes no result, only when one gives up.

    Raises InfrastructureError `engine: stalled in <call>`; what the engine itself raises passes through.
    """

    def __init__(self, make: Callable[[], Engine], *, limit_s: float = LIMIT_S) -> None:
        if not limit_s > 0:
            raise ValueError(f"limit_s is {limit_s}, need more than 0")
        self._make, self._limit_s = make, limit_s
        self._start()

    def _start(self) -> None:
        self._tasks: SimpleQueue[_Task] | None = SimpleQueue()
        threading.Thread(target=_serve, args=(self._tasks,), name="engine", daemon=True).start()
        inner = self._engine = self._within("start", self._make)
        self.name: str = inner.name
        self.vocabulary: Vocabulary = inner.vocabulary
        self.abilities: Abilities = inner.abilities
        self.tick_seconds: Fraction = inner.tick_seconds

    def _within(self, call: str, work: Callable[[], T]) -> T:
        if self._tasks is None:
            raise InfrastructureError("engine", f"cannot {call}: it stalled before; reset starts a new one")
        future: Future[T] = Future()
        self._tasks.put((work, future))
        try:
            return future.result(self._limit_s)
        except StalledError as error:
            if future.done():  # a TimeoutError of the engine's own
                raise
            self._tasks = None
            raise InfrastructureError("engine", f"stalled in {call} ({self._limit_s:.1f} s)") from error

    @property
    def version(self) -> str:
        """The engine's version, "0" where it has none."""
        return self._engine.version if isinstance(self._engine, Described) else "0"

    @property
    def process(self) -> str:
        """See `Hosted`."""
        return self._engine.process if isinstance(self._engine, Hosted) else "in process"

    def summary(self) -> Mapping[str, Any]:
        """See `Described`."""
        inner = self._engine
        return self._within("summary", inner.summary) if isinstance(inner, Described) else {}

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        """See `Engine`; after a stall, on a new engine."""
        if self._tasks is None:
            self._start()
        return self._within("reset", lambda: self._engine.reset(scenario, seed))

    def offer(self, role: Role) -> tuple[Offered, ...]:
        """See `Engine`."""
        return self._within("offer", lambda: self._engine.offer(role))

    def parse(self, text: str) -> Parsed | Refusal:
        """See `Engine`."""
        return self._within("parse", lambda: self._engine.parse(text))

    def can(self, command: Command) -> Refusal | None:
        """See `Engine`."""
        return self._within("can", lambda: self._engine.can(command))

    def begin(self, command: Command) -> Refusal | None:
        """See `Engine`."""
        return self._within("begin", lambda: self._engine.begin(command))

    def stop(self) -> None:
        """See `Engine`."""
        self._within("stop", self._engine.stop)

    def idle(self) -> bool:
        """See `Engine`. Asked several times a tick and no more than a flag: read from here, while the engine's thread waits."""
        return self._engine.idle()

    def tick(self) -> Step:
        """See `Engine`."""
        return self._within("tick", self._engine.tick)

    def graph(self) -> SceneGraph:
        """See `Engine`."""
        return self._within("graph", self._engine.graph)

    def digest(self) -> str:
        """See `Engine`."""
        return self._within("digest", self._engine.digest)

    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        """See `Engine`."""
        return self._within("draw", lambda: self._engine.draw(snapshots, channel))

    def save(self) -> bytes:
        """See `Engine`."""
        return self._within("save", self._engine.save)

    def restore(self, state: bytes) -> None:
        """See `Engine`."""
        self._within("restore", lambda: self._engine.restore(state))

    def close(self) -> None:
        """See `Engine`. A stalled engine is left as it is."""
        if self._tasks is not None:
            self._within("close", self._engine.close)


def _serve(tasks: SimpleQueue[_Task]) -> None:
    while True:
        work, future = tasks.get()
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)
        del work, future
