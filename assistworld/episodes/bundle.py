"""Bundles: read a log whatever state it is in, verify it to the byte, give its contents as values (cases.md, section K)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any

from assistcore.world.bounded import MIB, TooLarge, read_bounded
from assistcore.world.canonical import canonical_json, digest_bytes
from assistcore.world.errors import AssistWorldError, BundleError, VersionError
from assistcore.world.graph import SceneGraph, fold
from assistcore.world.records import (
    GENESIS,
    Changed,
    Initial,
    Opened,
    Record,
    Row,
    Segment,
    Stopped,
    Viewed,
    decode_row,
    row_hash,
    seal_row,
)
from assistcore.world.snapshots import Snapshot
from assistworld.episodes import snapshot_codec
from assistworld.episodes.files import write_atomic
from assistworld.episodes.log import ATTACHMENTS, EVENTS, FORMAT, MANIFEST, TIMING, VERSION, seal_files
from taskpacks.digest import pack_digest, pack_from_json
from taskpacks.schema import TaskPack

LIMIT_BYTES = 512 * MIB
"""What one file of a bundle may hold."""


@dataclass(frozen=True)
class Fault:
    """One thing wrong: where (file, line or row) and what."""

    place: str
    detail: str


@dataclass(frozen=True)
class Reading:
    """What could be read of `events.jsonl`: every JSON row with its line number, faults by line, and how many torn records were dropped."""

    rows: tuple[tuple[int, Mapping[str, Any]], ...]
    faults: tuple[Fault, ...]
    torn: int
    good_bytes: int


def read_rows(path: Path) -> Reading:
    """Read line by line. Only the end may be torn (no newline, NUL padding, blank lines after it); all else is a fault with its line."""
    data = _bytes(path)
    body = data.rstrip(b"\x00\n\r ")
    rows: list[tuple[int, Mapping[str, Any]]] = []
    faults: list[Fault] = []
    torn, good = 0, 0
    lines = body.split(b"\n") if body else []
    for number, line in enumerate(lines, 1):
        found, left = _objects(line)
        last = number == len(lines)
        rows += [(number, row) for row in found]
        if last and left and not found:
            torn = 1
            break
        if left:
            faults.append(Fault(f"{path.name} line {number}", f"not a record: {left[:60]!r}"))
        elif len(found) > 1:
            faults.append(Fault(f"{path.name} line {number}", f"{len(found)} records on one line"))
        good += len(line) + 1
    return Reading(tuple(rows), tuple(faults), torn or int(b"\x00" in data[len(body) :]), min(good, len(data)))


def _objects(line: bytes) -> tuple[list[Mapping[str, Any]], str]:
    """JSON objects on a line, and what is left that is none."""
    text = line.decode("utf-8", errors="replace")
    decoder, at = json.JSONDecoder(parse_constant=_finite, parse_float=_finite), 0
    found: list[Mapping[str, Any]] = []
    while text[at:].strip():
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return found, text[at:]
        if not isinstance(value, dict):
            return found, text[at:]
        found.append(value)
        at = end
    return found, "" if found else text or " "


def _finite(text: str) -> float:
    """A number that JSON has. Raises ValueError for NaN and infinity, which Python would read."""
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"{text} is no number of JSON")
    return value


def chain_faults(reading: Reading) -> Iterator[Fault]:
    """Rows whose number, predecessor, hash or spelling is not what the chain says: edited, removed, swapped, repeated or forged."""
    head = GENESIS
    for position, (line, row) in enumerate(reading.rows):
        place = f"{EVENTS} line {line}"
        if row.get("seq") != position:
            yield Fault(place, f"row {row.get('seq')!r} stands where row {position} belongs")
        if row.get("prev") != head:
            yield Fault(
                place, f"row {row.get('seq')!r} does not follow the row before it (prev {str(row.get('prev'))[:12]}, head {head[:12]})"
            )
        if row.get("hash") != row_hash(row):
            yield Fault(place, f"row {row.get('seq')!r} does not have the hash of its content")
        head = str(row.get("hash"))


class Bundle:
    """A finished attempt on disk. `open_bundle` verifies it first."""

    def __init__(self, folder: Path, rows: tuple[Row, ...], *, torn: int, sealed: bool, head: str) -> None:
        self.folder, self.rows, self.torn, self.sealed, self.head = folder, rows, torn, sealed, head

    @cached_property
    def files(self) -> Mapping[str, Path]:
        """Attachments by digest."""
        folder = self.folder / ATTACHMENTS
        return {p.stem: p for p in sorted(folder.iterdir())} if folder.is_dir() else {}

    def fetch(self, digest: str) -> bytes:
        """An attachment, checked against its name. Raises BundleError where it is missing or changed."""
        path = self.files.get(digest)
        if path is None:
            raise BundleError(f"{ATTACHMENTS}/{digest[:16]}...", "missing")
        data = _bytes(path)
        if digest_bytes(data) != digest:
            raise BundleError(
                f"{ATTACHMENTS}/{path.name}", f"content has digest {digest_bytes(data)[:16]}..., its name says {digest[:16]}..."
            )
        return data

    @cached_property
    def opened(self) -> Opened:
        """The first record. Raises BundleError where there is none: the attempt was killed before it began, or this is no episode."""
        if not self.rows or isinstance(self.rows[0].record, Stopped):
            raise BundleError(EVENTS, "holds no record of a world: the attempt was killed before it began")
        first = self.rows[0].record
        if not isinstance(first, Opened):
            raise BundleError(f"{EVENTS} line 1", "the log does not start with an `episode` record")
        return first

    @property
    def stopped(self) -> Stopped | None:
        """The last record, where the attempt was ended."""
        last = self.rows[-1].record if self.rows else None
        return last if isinstance(last, Stopped) else None

    @cached_property
    def pack(self) -> TaskPack:
        """The pack as it was played, whatever the catalogue holds now."""
        pack = pack_from_json(self.fetch(self.opened.pack).decode("ascii"))
        if pack_digest(pack) != self.opened.pack_digest:
            raise BundleError(f"{ATTACHMENTS}/{self.opened.pack}.json", f"pack digest is not {self.opened.pack_digest[:16]}...")
        return pack

    @cached_property
    def stage(self) -> Any:
        """The engine's summary: rooms and footprints."""
        return json.loads(self.fetch(self.opened.stage))

    def graph_at(self, tick: int) -> SceneGraph:
        """The scene graph at a tick, from the initial graph and the changes."""
        graph = SceneGraph()
        for row in self.rows:
            if row.tick > tick:
                break
            if isinstance(row.record, Initial):
                graph = row.record.scene_graph()
            elif isinstance(row.record, Changed):
                graph = fold(graph, row.record.values(row.tick))
        return graph

    def snapshots(self, segment: Segment) -> tuple[Snapshot, ...]:
        """The snapshots of an interval. Raises BundleError where they cannot be read or would be too large."""
        try:
            return snapshot_codec.decode(self.fetch(segment.snapshots), self.fetch)
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise BundleError(f"{ATTACHMENTS}/{segment.snapshots[:16]}...", str(error)) from error

    def timing(self) -> tuple[Mapping[str, Any], ...]:
        """Wall times and costs by row number."""
        lines = (self.folder / TIMING).read_text(encoding="ascii").splitlines()
        return tuple(row for row in map(json.loads, lines) if "seal" not in row)


def _bytes(path: Path) -> bytes:
    """A file's content. Raises BundleError where it is larger than any file of a bundle."""
    try:
        return read_bounded(path, LIMIT_BYTES)
    except TooLarge as error:
        raise BundleError(path.name, str(error)) from error


def _large_faults(folder: Path) -> Iterator[Fault]:
    """Files that are larger than any file of a bundle: they are not read at all."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and (size := path.stat().st_size) > LIMIT_BYTES:
            yield Fault(path.relative_to(folder).as_posix(), f"{size} bytes, the limit is {LIMIT_BYTES}")


def faults_of(folder: Path) -> tuple[Fault, ...]:
    """Everything that is wrong with a bundle, in reading order; empty for a sound one. A killed attempt's torn tail is no fault."""
    folder = Path(folder)
    if not (folder / EVENTS).is_file():
        return (Fault(EVENTS, f"no such file in {folder}; a bundle is the folder that a run printed"),)
    if large := tuple(_large_faults(folder)):
        return large
    reading = read_rows(folder / EVENTS)
    faults = [*reading.faults, *chain_faults(reading)]
    rows: list[Row] = []
    for line, row in reading.rows:
        try:
            rows.append(decode_row(row, f"{EVENTS} line {line}"))
        except (BundleError, VersionError) as error:
            faults.append(Fault(f"{EVENTS} line {line}", str(error)))
    faults += _graph_faults(reading, rows)
    faults += _seal_faults(folder, reading)
    faults += _attachment_faults(folder, rows)
    return tuple(faults)


def _graph_faults(reading: Reading, rows: list[Row]) -> Iterator[Fault]:
    """The first `changes` record that does not follow from the graph before it, whatever its hash says."""
    if len(rows) != len(reading.rows):
        return
    graph = SceneGraph()
    for (line, _), row in zip(reading.rows, rows, strict=True):
        try:
            if isinstance(row.record, Initial):
                graph = row.record.scene_graph()
            elif isinstance(row.record, Changed):
                graph = fold(graph, row.record.values(row.tick))
        except (ValueError, TypeError) as error:
            yield Fault(f"{EVENTS} line {line}", f"does not follow from the records before it: {error}")
            return


def _seal_faults(folder: Path, reading: Reading) -> Iterator[Fault]:
    path = folder / MANIFEST
    if not path.is_file():
        return
    try:
        manifest = json.loads(path.read_bytes())
        found = manifest["format"], manifest["version"], manifest["count"], manifest["head"], manifest["events_sha256"]
    except (ValueError, KeyError, TypeError) as error:
        yield Fault(MANIFEST, f"not a manifest: {error!r}")
        return
    if found[:2] != (FORMAT, VERSION):
        yield Fault(MANIFEST, f"written as {found[0]} version {found[1]}, this reader knows {FORMAT} version {VERSION}")
    yield from _sealed_faults(folder, reading, manifest)
    if path.read_bytes() != _spelled(manifest):
        yield Fault(MANIFEST, "is not spelled as it was written")
    yield from _timing_faults(folder, str(found[3]))


def _sealed_faults(folder: Path, reading: Reading, manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """What the manifest and the events say differently. Where the chain and the timing's seal agree, the manifest is wrong."""
    head = str(reading.rows[-1][1].get("hash")) if reading.rows else GENESIS
    data, count, sealed = (folder / EVENTS).read_bytes(), len(reading.rows), str(manifest["head"])
    spelled = b"".join(canonical_json(row).encode("ascii") + b"\n" for _, row in reading.rows)
    whole = data == spelled and head in (sealed, _timing_head(folder)) and not any(chain_faults(reading))
    if manifest["count"] != count:
        missing = "every row is missing" if not count else f"rows are missing or were added after row {count - 1}"
        if whole:
            yield Fault(MANIFEST, f"says {manifest['count']} rows, {EVENTS} holds {count}")
        else:
            yield Fault(EVENTS, f"{count} rows, {manifest['count']} were sealed: {missing}")
    if sealed != head:
        if whole:
            yield Fault(MANIFEST, f"names head {sealed[:12]}, {EVENTS} and {TIMING} have {head[:12]}")
        else:
            yield Fault(EVENTS, f"ends at head {head[:12]}, {sealed[:12]} was sealed")
    if manifest["events_sha256"] != digest_bytes(data):
        if whole:
            yield Fault(MANIFEST, f"does not have the digest of {EVENTS}, whose records are whole")
        else:
            yield Fault(f"{EVENTS} line {_first_odd_line(reading, data)}", "bytes differ from what was sealed")


def _timing_head(folder: Path) -> str:
    """The head that the last row of the timing file names; empty where it names none."""
    try:
        return str(json.loads((folder / TIMING).read_bytes().rstrip(b"\n").rpartition(b"\n")[2])["head"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _spelled(manifest: Mapping[str, Any]) -> bytes:
    try:
        return canonical_json(manifest).encode("ascii") + b"\n"
    except ValueError:
        return b""


def _first_odd_line(reading: Reading, data: bytes) -> int:
    """The first line that is not the canonical spelling of its row, or the one after the last."""
    for number, line in enumerate(data.split(b"\n"), 1):
        row = next((r for n, r in reading.rows if n == number), None)
        if row is None or canonical_json(row).encode("ascii") != line:
            return number
    return len(reading.rows) + 1


def _timing_faults(folder: Path, head: str) -> Iterator[Fault]:
    path = folder / TIMING
    data = path.read_bytes() if path.is_file() else b""
    body, _, last = data.rstrip(b"\n").rpartition(b"\n")
    body = body + b"\n" if body else b""
    try:
        seal = json.loads(last)
        sound = seal["seal"] == digest_bytes(body) and seal["head"] == head and data == body + last + b"\n"
    except (ValueError, KeyError, TypeError):
        sound = False
    if not sound:
        yield Fault(TIMING, "does not end with the seal of its rows: it was changed or cut")


def _attachment_faults(folder: Path, rows: list[Row]) -> Iterator[Fault]:
    named = {d for row in rows for d in attachments_of(row.record)}
    present = {p.stem: p for p in sorted((folder / ATTACHMENTS).iterdir())} if (folder / ATTACHMENTS).is_dir() else {}
    for digest in sorted(named - set(present)):
        yield Fault(f"{ATTACHMENTS}/{digest}", "missing")
    for digest, path in present.items():
        if not path.is_file():
            yield Fault(f"{ATTACHMENTS}/{path.name}", "is no file")
        elif digest_bytes(path.read_bytes()) != digest:
            yield Fault(f"{ATTACHMENTS}/{path.name}", "content does not have the digest in its name")


def attachments_of(record: Record) -> tuple[str, ...]:
    """Digests that a record names."""
    match record:
        case Opened():
            return record.pack, record.stage
        case Segment():
            return record.snapshots, *(f.digest for f in record.frames)
        case Viewed():
            return tuple(o["digest"] for o in record.view.get("observations", ()))
    return ()


def open_bundle(folder: Path | str, *, verify: bool = True) -> Bundle:
    """A verified bundle. Raises BundleError with the first place that is wrong, VersionError for records of another version.

    A killed attempt opens with its sound rows (`sealed` is False, `torn` counts what was dropped); a sealed one must be whole.
    """
    folder = Path(folder)
    if verify:
        for fault in faults_of(folder):
            raise BundleError(fault.place, fault.detail)
    reading = read_rows(folder / EVENTS)
    rows = tuple(decode_row(row, f"{EVENTS} line {line}") for line, row in reading.rows)
    head = str(reading.rows[-1][1]["hash"]) if reading.rows else GENESIS
    return Bundle(folder, rows, torn=reading.torn, sealed=(folder / MANIFEST).is_file(), head=head)


def seal_cancelled(folder: Path) -> Bundle:
    """Seal a killed attempt: drop its torn tail, say that it was cancelled. An attempt is never continued. Raises BundleError if sealed."""
    folder = Path(folder)
    if (folder / MANIFEST).is_file():
        raise BundleError(MANIFEST, f"{folder} is sealed already")
    bundle = open_bundle(folder)
    reading = read_rows(folder / EVENTS)
    kept = b"".join(canonical_json(row).encode("ascii") + b"\n" for _, row in reading.rows)
    count, head = len(reading.rows), bundle.head
    if bundle.stopped is None:
        tick = bundle.rows[-1].tick if bundle.rows else 0
        end = _cancelled(bundle)
        row = seal_row(count, tick, end, head)
        kept += canonical_json(row).encode("ascii") + b"\n"
        count, head = count + 1, row["hash"]
    write_atomic(folder / EVENTS, kept)
    _drop_torn_timing(folder / TIMING)
    seal_files(folder, count, head)
    return open_bundle(folder)


def _cancelled(bundle: Bundle) -> Stopped:
    from assistcore.world.records import Ended

    live = sum(isinstance(r.record, Ended) and r.record.phase == "live" for r in bundle.rows)
    last = bundle.rows[-1].tick if bundle.rows else 0
    digest = bundle.graph_at(last).digest()
    return Stopped(
        reason="cancelled",
        void=True,
        detail="the process ended before the episode did",
        declared=False,
        actions=live,
        ticks=last,
        invalid=0,
        stuck=0,
        graph_digest=digest,
        state_digest="",
    )


def _drop_torn_timing(path: Path) -> None:
    data = path.read_bytes()
    kept = []
    for line in data.rstrip(b"\x00").split(b"\n"):
        try:
            json.loads(line)
        except ValueError:
            continue
        kept.append(line + b"\n")
    write_atomic(path, b"".join(kept))


def is_bundle(folder: Path) -> bool:
    """Whether a folder looks like a bundle."""
    return (folder / EVENTS).is_file()


class NotComparable(AssistWorldError):
    """Two bundles are not of the same episode."""
