"""What phrases are resolved against, and what can come of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assistworld.agents.grounding.nouns import NounPhrase
from assistworld.agents.grounding.things import Thing

Fits = Callable[[Thing], bool]


@dataclass(frozen=True)
class Mention:
    """Something spoken of: the phrase and the keys it meant (none where nothing was seen). `target`: it was where something was put."""

    phrase: NounPhrase
    keys: tuple[str, ...] = ()
    target: bool = False


@dataclass(frozen=True)
class Scene:
    """What phrases are resolved against. `mentions` most recent first; `hint` is the noun that `one` stands for; `only` a room word that
    movable things must be in (the place the plan has gone to); `sense` are states in which the order makes sense,
    `done` what the person did last to what, `was_inside` what was seen in something, `goal` that something is to be put there."""

    things: tuple[Thing, ...]
    held: str = ""
    room: str = ""
    mentions: tuple[Mention, ...] = ()
    hint: str = ""
    only: str = ""
    excluded: frozenset[str] = field(default=frozenset())
    fills: tuple[tuple[str, tuple[str, ...]], ...] = ()
    origins: tuple[tuple[str, str], ...] = ()
    goal: bool = False
    was_inside: frozenset[str] = field(default=frozenset())
    sense: frozenset[str] = field(default=frozenset())
    done: frozenset[tuple[str, str]] = field(default=frozenset())

    def filled(self, text: str) -> tuple[str, ...]:
        """Keys that an answer gave to a phrase, empty where none was given."""
        return next((keys for phrase, keys in self.fills if phrase == text and all(self.get(k) for k in keys)), ())

    def get(self, key: str) -> Thing | None:
        """The thing with this key."""
        return next((t for t in self.things if t.key == key), None)


@dataclass(frozen=True)
class Found:
    """The keys meant: one, or several where all were asked for."""

    keys: tuple[str, ...]


@dataclass(frozen=True)
class Unclear:
    """More than one possible meaning. `why` is which, confirm, direction or what; `wanted` is said to be there but is not seen."""

    why: str
    phrase: NounPhrase
    keys: tuple[str, ...] = ()
    wanted: str = ""


@dataclass(frozen=True)
class Missing:
    """Nothing offered fits. `source` are the keys of a place it is said to be at; `nearly` fit but for an adjective."""

    phrase: NounPhrase
    source: tuple[str, ...] = ()
    nearly: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unsuitable:
    """It is there, but nothing of the kind can be done with it."""

    phrase: NounPhrase
    keys: tuple[str, ...]


Resolution = Found | Unclear | Missing | Unsuitable
