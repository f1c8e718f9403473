"""One grasp of every movable thing of both scenes, judged by the skin of the hand against the thing as it is drawn.

A case is ok when the hold is accepted for the class that the thing's cross-section puts it in; what nobody can lift is void.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistworld.studies.digests import HOUSE_ENGINE
from assistworld.studies.grasp_audit import audit, figures, shortfalls, things

PACKAGES = (*HOUSE_ENGINE, "actions", "humans", "assistcore")


def __getattr__(name: str) -> int:
    """`CASES`: as many as there are movable things, counted when somebody asks."""
    if name == "CASES":
        return len(things())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def case(number: int) -> dict[str, Any]:
    """Thing `number`, in the order of the scenes."""
    return audit(*things()[number])


def problems(cases: Sequence[dict[str, Any]]) -> list[str]:
    """The classes whose accepted share is below the aim."""
    return shortfalls(cases)


def totals(cases: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Figures by class."""
    return figures(cases)
