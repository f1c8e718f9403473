"""World time: an integer tick. `tick_seconds` is an exact fraction, so that no rounding ever accumulates."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

HOUSE_TICK_SECONDS = Fraction(1, 12)
"""House: 12 frames a second (seed B.2.1), five physics steps of 1/60 s each."""


def ticks_in(seconds: float | Fraction, tick_seconds: Fraction) -> int:
    """Smallest number of ticks that lasts at least `seconds` (0 for 0 or less)."""
    exact = seconds if isinstance(seconds, Fraction) else Fraction(seconds).limit_denominator(1_000_000)
    return max(0, ceil(exact / tick_seconds))


def seconds_at(tick: int, tick_seconds: Fraction) -> float:
    """World seconds since reset at a tick."""
    return float(tick * tick_seconds)
