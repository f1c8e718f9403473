"""The audit log: append-only rows, hash-chained and written through; wall times beside it; attachments before the row that names them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from assistcore.world.canonical import canonical_json, digest_bytes
from assistcore.world.errors import BundleError
from assistcore.world.records import GENESIS, Record, Replied, Row, Stopped, decode_row, seal_row
from assistworld.episodes.files import make_folder, write_atomic, write_failed

FORMAT = "assistworld-bundle"
VERSION = 1
EVENTS, TIMING, MANIFEST, ATTACHMENTS, SCORES = "events.jsonl", "timing.jsonl", "manifest.json", "attachments", "scores"


class Sink(Protocol):
    """Where an episode leaves its records."""

    def attach(self, data: bytes, suffix: str) -> str:
        """Store content under its digest before a row names it."""

    def fetch(self, digest: str) -> bytes:
        """Content that was attached."""

    def write(self, tick: int, record: Record) -> int:
        """Append a record; returns its sequence number."""

    def note(self, seq: int, values: Mapping[str, Any]) -> None:
        """Wall times, latencies and costs of a row: outside the chain."""

    def seal(self) -> tuple[int, str]:
        """Close the log for good; returns count and head."""

    def rows(self) -> tuple[Row, ...]:
        """Every row written so far, decoded."""


class Chain:
    """Numbers and hashes of the rows written so far."""

    def __init__(self, count: int = 0, head: str = GENESIS) -> None:
        self.count = count
        self.head = head

    def line(self, tick: int, record: Record) -> str:
        """The next line, without its newline; advances the chain."""
        row = seal_row(self.count, tick, record, self.head)
        self.count += 1
        self.head = row["hash"]
        return canonical_json(row)


class MemorySink:
    """A log in memory, for drivers that keep nothing."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.content: dict[str, bytes] = {}
        self.timing: list[dict[str, Any]] = []
        self._chain = Chain()

    def attach(self, data: bytes, suffix: str) -> str:
        """See `Sink`."""
        name = digest_bytes(data)
        self.content[name] = data
        return name

    def fetch(self, digest: str) -> bytes:
        """See `Sink`."""
        return self.content[digest]

    def write(self, tick: int, record: Record) -> int:
        """See `Sink`."""
        self.lines.append(self._chain.line(tick, record))
        return self._chain.count - 1

    def note(self, seq: int, values: Mapping[str, Any]) -> None:
        """See `Sink`."""
        self.timing.append({"seq": seq, **values})

    def seal(self) -> tuple[int, str]:
        """See `Sink`."""
        return self._chain.count, self._chain.head

    def rows(self) -> tuple[Row, ...]:
        """See `Sink`."""
        return _decoded(self.lines)


class FolderSink:
    """A bundle on disk. Raises InfrastructureError, naming file and free space, where the disk refuses."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        make_folder(folder / ATTACHMENTS)
        self._chain = Chain()
        self._events = _open_append(folder / EVENTS)
        self._timing = _open_append(folder / TIMING)
        self._known: dict[str, Path] = {}

    def attach(self, data: bytes, suffix: str) -> str:
        """See `Sink`. The same content is stored once."""
        name = digest_bytes(data)
        if name not in self._known:
            path = self.folder / ATTACHMENTS / f"{name}{suffix}"
            write_atomic(path, data)
            self._known[name] = path
        return name

    def fetch(self, digest: str) -> bytes:
        """See `Sink`."""
        return self._known[digest].read_bytes()

    def write(self, tick: int, record: Record) -> int:
        """See `Sink`. The row has left this process when this returns; replies and the end are on the disk as well."""
        self._append(self._events, EVENTS, self._chain.line(tick, record))
        if isinstance(record, Replied | Stopped):
            os.fsync(self._events)
        return self._chain.count - 1

    def note(self, seq: int, values: Mapping[str, Any]) -> None:
        """See `Sink`."""
        self._append(self._timing, TIMING, canonical_json({"seq": seq, **values}))

    def seal(self) -> tuple[int, str]:
        """See `Sink`: the last row of `timing.jsonl` seals that file, `manifest.json` the events."""
        for file in (self._events, self._timing):
            os.close(file)
        seal_files(self.folder, self._chain.count, self._chain.head)
        return self._chain.count, self._chain.head

    def rows(self) -> tuple[Row, ...]:
        """See `Sink`."""
        return _decoded((self.folder / EVENTS).read_text(encoding="ascii").splitlines())

    def _append(self, file: int, name: str, line: str) -> None:
        data = line.encode("ascii") + b"\n"
        try:
            while data:
                data = data[os.write(file, data) :]
        except OSError as error:
            raise write_failed(self.folder / name, error) from error


def _decoded(lines: Iterable[str]) -> tuple[Row, ...]:
    return tuple(decode_row(json.loads(line), f"{EVENTS} line {n}") for n, line in enumerate(lines, 1))


def seal_files(folder: Path, count: int, head: str) -> None:
    """Write the seals of a finished log. The manifest is the same bytes for the same events, whatever the wall times were."""
    timing = (folder / TIMING).read_bytes()
    write_atomic(folder / TIMING, timing + canonical_json({"seal": digest_bytes(timing), "head": head}).encode("ascii") + b"\n")
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "count": count,
        "head": head,
        "events_sha256": digest_bytes((folder / EVENTS).read_bytes()),
        "timing": "sealed by its last row",
    }
    write_atomic(folder / MANIFEST, canonical_json(manifest).encode("ascii") + b"\n")


def _open_append(path: Path) -> int:
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError as error:
        raise BundleError(str(path.name), f"{path} exists: an attempt is never continued, use a new folder") from error
    except OSError as error:
        raise write_failed(path, error) from error
