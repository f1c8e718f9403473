"""When the assistant is asked and when its reply arrives, in integer ticks (DESIGN section 2, Time)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from assistcore.world.clock import ticks_in
from taskpacks.schema import TimingSpec


@dataclass(frozen=True)
class Timing:
    """A pack's timing in an engine's ticks. `poll_ticks` is None where the assistant is asked between commands."""

    tick_seconds: Fraction
    poll_ticks: int | None
    idle_ticks: int
    speech_ticks: int
    fixed_ticks: int | None
    cap_ticks: int
    stops_running: bool

    @classmethod
    def of(cls, spec: TimingSpec, tick_seconds: Fraction) -> Timing:
        """From the pack's seconds; every interval lasts at least one tick."""
        poll = None if spec.poll == "between_commands" else max(1, ticks_in(spec.poll, tick_seconds))
        return cls(
            tick_seconds,
            poll,
            max(1, ticks_in(spec.idle_s, tick_seconds)),
            max(1, ticks_in(min(spec.speech_s, spec.idle_s), tick_seconds)),
            ticks_in(spec.delay_s, tick_seconds) if spec.delay == "fixed" else None,
            ticks_in(spec.delay_cap_s, tick_seconds),
            spec.turns == "preempt",
        )

    def delay_ticks(self, latency_s: float | Fraction) -> int:
        """Ticks from a request to the delivery of its reply: `ceil(latency / tick_seconds)`, capped; or the fixed delay."""
        if self.fixed_ticks is not None:
            return self.fixed_ticks
        return min(self.cap_ticks, ticks_in(latency_s, self.tick_seconds))
