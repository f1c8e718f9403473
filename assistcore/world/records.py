"""Record types of the audit log (DESIGN section 4): what determines an episode, one schema each, with its version.

A row of `events.jsonl` is `{seq, tick, type, v, data, prev, hash}`; `data` is one of these. No record holds a wall time, a path or a host.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from assistcore.world.canonical import canonical_json, digest_bytes, thaw
from assistcore.world.errors import BundleError, VersionError, nearest
from assistcore.world.graph import Change, SceneGraph

Phase = Literal["opening", "live"]


class Record(BaseModel):
    """Base of all record types. `TYPE` names it in the log, `VERSION` is the producer version of its schema."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    TYPE: ClassVar[str] = ""
    VERSION: ClassVar[int] = 1


class AgentInfo(Record):
    """Who plays a role. `privileged` agents got the pack by constructor and are never reported as models."""

    TYPE: ClassVar[str] = "agent"
    name: str
    privileged: bool = False


class ObservationRef(Record):
    """An observation by the name of its attachment."""

    TYPE: ClassVar[str] = "observation"
    tick: int
    channel: str
    kind: str
    digest: str


class Opened(Record):
    """First row: what the episode is made of. `pack`, `stage` are attachments (JSON)."""

    TYPE: ClassVar[str] = "episode"
    producer: str
    pack: str
    pack_id: str
    pack_version: int
    pack_digest: str
    family: str
    engine: str
    engine_version: str
    stage: str
    seed: int
    frames: int
    tick_seconds: tuple[int, int]
    assistant: AgentInfo
    human: AgentInfo


class Initial(Record):
    """The whole graph at tick 0, as (subject, kind, value), sorted."""

    TYPE: ClassVar[str] = "initial"
    graph: tuple[tuple[str, str, Any], ...]
    graph_digest: str
    state_digest: str

    def scene_graph(self) -> SceneGraph:
        """The graph as a value."""
        return SceneGraph({(s, k): thaw(v) for s, k, v in self.graph})


class Baseline(Record):
    """The opening has ended; the world as it stands now is what goals are compared with."""

    TYPE: ClassVar[str] = "baseline"
    graph_digest: str
    state_digest: str


class Viewed(Record):
    """What a role was given at an ask; observations by digest. The agent is given the view decoded from this."""

    TYPE: ClassVar[str] = "view"
    ask: int
    role: Literal["assistant", "human"]
    view: dict[str, Any]


class Replied(Record):
    """What a role answered. An assistant's reply is delivered at tick `due`."""

    TYPE: ClassVar[str] = "reply"
    ask: int
    role: Literal["assistant", "human"]
    due: int
    reply: dict[str, Any]


class Delivered(Record):
    """The assistant's reply took effect."""

    TYPE: ClassVar[str] = "delivered"
    ask: int
    say: str


class Said(Record):
    """Something was said aloud."""

    TYPE: ClassVar[str] = "said"
    speaker: Literal["assistant", "human"]
    text: str
    phase: Phase


class Queued(Record):
    """The person's queue changed: by a turn (`keep`, `append`, `replace`) or because a command did not succeed (`flush`)."""

    TYPE: ClassVar[str] = "queue"
    mode: Literal["keep", "append", "replace", "flush"]
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class Began(Record):
    """A command was accepted by the engine."""

    TYPE: ClassVar[str] = "command"
    number: int
    text: str
    canonical: str
    how: Literal["strict", "repaired"]
    verb: str
    entities: tuple[str, ...]
    phase: Phase


class Ended(Record):
    """A command ended. A refused one never began; `verb` is empty where the text could not be read."""

    TYPE: ClassVar[str] = "outcome"
    number: int
    text: str
    verb: str
    entities: tuple[str, ...]
    how: str
    status: Literal["done", "refused", "failed", "stopped"]
    code: str
    fact: str
    hint: str
    feedback: str
    began: int
    ended: int
    phase: Phase
    state_digest: str
    graph_digest: str


class Changed(Record):
    """Facts that changed at this row's tick: (subject, kind, before, after, cause)."""

    TYPE: ClassVar[str] = "changes"
    changes: tuple[tuple[str, str, Any, Any, str], ...]

    def values(self, tick: int) -> tuple[Change, ...]:
        """The changes as values, at `tick`."""
        return tuple(Change(tick, s, k, thaw(b), thaw(a), c) for s, k, b, a, c in self.changes)


class Segment(Record):
    """An interval closed: its ticks, its snapshots (an attachment), the marked ticks and the frames that were picked and drawn."""

    TYPE: ClassVar[str] = "segment"
    number: int
    cause: Literal["command", "idle", "poll", "handoff"]
    first_tick: int
    last_tick: int
    snapshots: str
    marks: tuple[tuple[int, str], ...]
    frames: tuple[ObservationRef, ...]


class Glance(Record):
    """What was in view at a marked tick (`look_hold`), and which printed words of it were legible: geometry, not pictures."""

    TYPE: ClassVar[str] = "visibility"
    mark: str
    visible: tuple[str, ...]
    printed: dict[str, tuple[str, ...]]


class Notice(Record):
    """Something a reader of the log should see: `invalid` reply, `leak` of a handle in speech, `stuck` repetition."""

    TYPE: ClassVar[str] = "notice"
    what: Literal["invalid", "leak", "stuck"]
    role: Literal["assistant", "human"]
    detail: str
    count: int


StopReason = Literal[
    "declared",
    "action_budget",
    "tick_budget",
    "max_invalid",
    "finished",
    "human_stopped",
    "human_stopped_early",
    "human_invalid",
    "opening_failed",
    "infrastructure",
    "cancelled",
]
VOID_REASONS: frozenset[str] = frozenset({"human_invalid", "opening_failed", "infrastructure", "cancelled"})
"""Stop reasons whose attempt is VOID: rerun, never a score."""


class Stopped(Record):
    """Last row: why and how the episode ended. Reaching the goal is never a reason."""

    TYPE: ClassVar[str] = "end"
    reason: StopReason
    void: bool
    detail: str
    declared: bool
    actions: int
    ticks: int
    invalid: int
    stuck: int
    graph_digest: str
    state_digest: str


RECORDS: Mapping[str, type[Record]] = {
    r.TYPE: r
    for r in (Opened, Initial, Baseline, Viewed, Replied, Delivered, Said, Queued, Began, Ended, Changed, Segment, Glance, Notice, Stopped)
}


class Row(NamedTuple):
    """One decoded row."""

    seq: int
    tick: int
    record: Record


GENESIS = "0" * 64


def seal_row(seq: int, tick: int, record: Record, prev: str) -> dict[str, Any]:
    """The row of a record: `hash` covers every other field, `prev` is the hash of the row before (GENESIS for the first)."""
    row: dict[str, Any] = {
        "seq": seq,
        "tick": tick,
        "type": record.TYPE,
        "v": record.VERSION,
        "data": record.model_dump(mode="json"),
        "prev": prev,
    }
    return {**row, "hash": row_hash(row)}


def row_hash(row: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical JSON of a row without its hash."""
    return digest_bytes(canonical_json({k: v for k, v in row.items() if k != "hash"}).encode("ascii"))


def decode_row(row: Mapping[str, Any], place: str) -> Row:
    """A row as a record. Raises VersionError for an unknown version (both named), BundleError for an unknown type or a wrong field."""
    kind = RECORDS.get(str(row.get("type")))
    if kind is None:
        raise BundleError(place, f"unknown record type {row.get('type')!r}; {nearest(str(row.get('type')), list(RECORDS))}")
    if row.get("v") != kind.VERSION:
        raise VersionError(f"{place}: record {kind.TYPE!r}", str(row.get("v")), str(kind.VERSION))
    try:
        return Row(int(row["seq"]), int(row["tick"]), kind.model_validate(row["data"]))
    except (ValidationError, KeyError, TypeError, ValueError) as error:
        raise BundleError(place, f"record {kind.TYPE!r}: {error}") from error
