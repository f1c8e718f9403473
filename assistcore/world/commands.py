"""Commands: what a human agent may ask of its body. The engine parses text into them; the loop handles only text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from assistcore.world.ids import EntityRef


class PlaceSpot(NamedTuple):
    """Normalised target-local location (seed B.3.1): u in [-1, 1] left to right, v in [0, 1] front to back, both as the person faces it."""

    u: float
    v: float


Arg = EntityRef | float | str | tuple[float, ...]


@dataclass(frozen=True)
class Command:
    """One primitive with its arguments in order. `verb` is the canonical primitive name, such as `navigate_to`."""

    verb: str
    args: tuple[Arg, ...] = ()
    place_spot: PlaceSpot | None = None

    def entities(self) -> tuple[EntityRef, ...]:
        """The entity arguments, in order."""
        return tuple(a for a in self.args if isinstance(a, EntityRef))


class How(Enum):
    """Whether the text was the grammar itself or needed a repair (logged with every command)."""

    STRICT = "strict"
    REPAIRED = "repaired"


@dataclass(frozen=True)
class Parsed:
    """A command, how its text was accepted, and the canonical text (`[Grab] <red_mug> (2)`)."""

    command: Command
    how: How
    text: str
