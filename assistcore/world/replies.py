"""What agents return. Only `Reply.text` and `Turn.speech` ever reach the other side."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Say(Enum):
    """The assistant's control response (seed B.3.2): silent, speak, report an error, or declare the task complete."""

    SILENT = "silent"
    INTERRUPT = "interrupt"
    ERROR = "error"
    DONE = "done"


@dataclass(frozen=True)
class Reply:
    """One assistant response. `flag` is a machine note (for example `stop_token_glued`), `notes` private memory, `chunks` the raw parts."""

    say: Say
    text: str = ""
    flag: str = ""
    notes: str = ""
    chunks: tuple[str, ...] = ()


class Queue(Enum):
    """What a human turn does with the pending commands."""

    KEEP = "keep"
    APPEND = "append"
    REPLACE = "replace"


@dataclass(frozen=True)
class Turn:
    """One human response. `commands` are texts; only `speech` is heard; `reasoning` is logged and shown to nobody.

    `move` is for solo worlds whose human acts directly (puzzles); the house leaves it empty.
    """

    queue: Queue = Queue.KEEP
    commands: tuple[str, ...] = ()
    speech: str = ""
    move: str = ""
    reasoning: str = ""
    raw: str = field(default="", repr=False)
    flag: str = ""
    """A machine note, as in `Reply.flag`: `invalid: ...` where the raw output could not be read, `stop` where the person ends it."""
