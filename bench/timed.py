"""An engine that notes how long each of its methods takes, wrapped round another one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from time import perf_counter
from typing import Any

TIMED = ("reset", "offer", "parse", "can", "begin", "stop", "tick", "graph", "digest", "draw", "save", "restore")


class TimedEngine:
    """Answers like the engine it wraps. `seconds` and `calls` by method name; `ticks` played since they were cleared."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self.clear()

    def clear(self) -> None:
        """Start counting anew."""
        self.seconds: dict[str, float] = defaultdict(float)
        self.calls: dict[str, int] = defaultdict(int)

    @property
    def ticks(self) -> int:
        """Ticks played."""
        return self.calls["tick"]

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._engine, name)
        if name not in TIMED:
            return found
        return self._timed(name, found)

    def _timed(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            started = perf_counter()
            try:
                return method(*args, **options)
            finally:
                self.seconds[name] += perf_counter() - started
                self.calls[name] += 1

        return call
