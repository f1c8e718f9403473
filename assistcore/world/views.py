"""Views: everything an agent is given, frozen and plain. Built only in `assistworld/episodes/boundary.py`, from an allow-list per role
and family.

An agent receives the view decoded from its record, so that a leak test is a scan of the log.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from assistcore.world.snapshots import Observation


class Family(Enum):
    """Interaction families (seed C.2.2): who holds the information and when the assistant should speak.

    `SOLO` is none of the six: the person acts alone, and no assistant speaks.
    """

    ASK = "ask"
    FIND = "find"
    GUIDE = "guide"
    WATCH = "watch"
    NARRATE = "narrate"
    ORCHESTRATE = "orchestrate"
    SOLO = "solo"


@dataclass(frozen=True)
class Utterance:
    """Something said aloud. `speaker` is `human` or `assistant`."""

    tick: int
    speaker: str
    text: str


@dataclass(frozen=True)
class Offered:
    """An entity the human may name this turn: its handle and what a person sees of it. Never shown to the assistant.

    `description` is plain English (`red mug`, `white fridge`); `words` are further nouns and adjectives that name it (colour, category,
    label text that
    is legible from here, material); `room` is where it stands; `bearing_rad` is relative to the gaze, left positive, None where not
    visible;
    `distance_m` is from the head; `on` and `inside` are the keys of supports as seen; `verbs` are primitives it affords now;
    `printed` are those of `words` that are lines of a legible label.
    """

    key: str
    handle: str
    description: str
    category: str
    words: tuple[str, ...] = ()
    room: str = ""
    visible: bool = True
    held: bool = False
    movable: bool = False
    bearing_rad: float | None = None
    elevation_rad: float | None = None
    distance_m: float | None = None
    on: str = ""
    inside: str = ""
    state: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Legend:
    """One verb of the command grammar as shown to the human: canonical name, example text, argument names, one-line meaning.

    `english`, `surface` and `hands` are copied from the vocabulary's `VerbInfo`: phrases with the argument names in braces, the accepted
    grammar verbs (first the canonical one), and whether the hand must be empty, hold the first argument, or is free.
    """

    verb: str
    example: str
    args: tuple[str, ...]
    meaning: str
    english: tuple[str, ...] = ()
    surface: tuple[str, ...] = ()
    hands: str = ""


@dataclass(frozen=True)
class AssistantView:
    """What the assistant gets at a poll: new pictures in time order, what was said, the public task request, a latest-segment marker."""

    tick: int
    family: Family
    task: str
    observations: tuple[Observation, ...]
    heard: tuple[Utterance, ...]
    dialogue: tuple[Utterance, ...]
    latest: str = "Latest segment."


@dataclass(frozen=True)
class HumanView:
    """What the human gets: the same pictures (none in NARRATE), offers, held object, last outcome in plain words, and the grammar legend.

    `plan_next` is the private no-advice command in WATCH, empty elsewhere. `idle` says whether nothing is queued or running.
    """

    tick: int
    family: Family
    task: str
    observations: tuple[Observation, ...]
    heard: tuple[Utterance, ...]
    dialogue: tuple[Utterance, ...]
    offers: tuple[Offered, ...]
    legend: tuple[Legend, ...]
    held: str = ""
    room: str = ""
    last_command: str = ""
    last_status: str = ""
    last_code: str = ""
    last_fact: str = ""
    pending: tuple[str, ...] = field(default=())
    idle: bool = True
    plan_next: str = ""
