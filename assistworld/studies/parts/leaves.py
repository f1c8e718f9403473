"""Every door, drawer, cabinet and appliance of both scenes is opened and closed by a hand: how much of its way it is led.

A case is ok when the command is done, no bound is broken at any frame, and the leaf never moves by itself but for coasting on right after
the hand. In at least `LED_CASES` of the cases the hand is on it for at least `LED_SHARE` of its way. Room doors count from either side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistworld.studies.leading import LED_SHARE, cases, lead

CASES = 106
PACKAGES = ("assistworld/engines", "actions", "humans", "assistcore")
LED_CASES = 0.9


def case(number: int) -> dict[str, Any]:
    """Leaf and way `number`."""
    return lead(cases()[number])


def problems(done: Sequence[dict[str, Any]]) -> list[str]:
    """Too few led ones, and leaves that no case moves."""
    led = sum(1 for one in done if one.get("led_share", 0.0) >= LED_SHARE)
    out = [f"{len(cases()) - CASES:+d} cases against {CASES}"] if len(cases()) != CASES else []
    few = f"{led} of {len(done)} leaves are led over {100 * LED_SHARE:.0f} % of their way, fewer than {100 * LED_CASES:.0f} %"
    return out + ([few] if led < LED_CASES * len(done) else [])
