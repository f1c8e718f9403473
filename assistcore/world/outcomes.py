"""Outcomes and refusals: results of commands as data (RULES, Outcomes)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from assistcore.world.commands import Command


class Status(Enum):
    """How a command ended."""

    DONE = "done"  # the postcondition was read back
    REFUSED = "refused"  # nothing changed, zero ticks of its own
    FAILED = "failed"  # stopped on the way; the changes say exactly what changed
    STOPPED = "stopped"  # interrupted at a safe pose


class Code:
    """The core of refusal codes. An engine's vocabulary may declare more; the set in force is always closed."""

    PARSE_ERROR = "PARSE_ERROR"
    UNKNOWN_VERB = "UNKNOWN_VERB"
    UNKNOWN_ENTITY = "UNKNOWN_ENTITY"
    AMBIGUOUS = "AMBIGUOUS"
    BAD_ARGUMENT = "BAD_ARGUMENT"
    NOT_SUPPORTED = "NOT_SUPPORTED"
    NOT_OFFERED = "NOT_OFFERED"
    NOT_VISIBLE = "NOT_VISIBLE"
    HAND_FULL = "HAND_FULL"
    HAND_EMPTY = "HAND_EMPTY"
    NOT_HELD = "NOT_HELD"
    NOT_AFFORDED = "NOT_AFFORDED"
    ALREADY = "ALREADY"
    CLOSED = "CLOSED"
    LOCKED = "LOCKED"
    PATH_BLOCKED = "PATH_BLOCKED"
    DOOR_CLOSED = "DOOR_CLOSED"
    OUT_OF_REACH = "OUT_OF_REACH"
    TRAJECTORY_COLLISION = "TRAJECTORY_COLLISION"
    GRASP_FAILED = "GRASP_FAILED"
    NO_FREE_SPACE = "NO_FREE_SPACE"
    DOES_NOT_FIT = "DOES_NOT_FIT"
    TOO_HEAVY = "TOO_HEAVY"
    POSTCONDITION_FAILED = "POSTCONDITION_FAILED"
    BUSY = "BUSY"


CORE_CODES: frozenset[str] = frozenset(v for k, v in vars(Code).items() if k.isupper())


@dataclass(frozen=True)
class Refusal:
    """Why not. `fact` is the missing fact in plain words with its value (`gap sofa/table 0.38 m < 0.44 m at (2.1, 3.0)`), `hint` the next
    step.

    `fact` may hold coordinates and ids: it is for the engine's log and the human side, never for the assistant.
    """

    code: str
    fact: str
    hint: str = ""


@dataclass(frozen=True)
class Outcome:
    """The end of one command. `began` and `ended` are ticks; for `refused` they are equal."""

    status: Status
    command: Command | None
    refusal: Refusal | None
    began: int
    ended: int
