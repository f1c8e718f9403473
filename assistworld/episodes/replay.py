"""Replay: drive a fresh episode with the recorded replies and delays, and compare every row; the first divergence is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from assistcore.world.canonical import digest_bytes
from assistcore.world.engine import Engine
from assistcore.world.errors import InfrastructureError, VersionError
from assistcore.world.records import Ended, Record, Replied, Row, Segment, Stopped
from assistcore.world.snapshots import Kind, Observation, Snapshot
from assistworld.episodes.bundle import Bundle
from assistworld.episodes.episode import Ask, Episode
from assistworld.episodes.frames import Draw, engine_draw
from assistworld.episodes.opening import engine_version
from assistworld.episodes.replies_json import reply_from_json


@dataclass(frozen=True)
class Divergence:
    """The first difference between the record and the replay."""

    seq: int
    tick: int
    field: str
    recorded: Any
    found: Any

    def __str__(self) -> str:
        return f"diverged at tick {self.tick}, {self.field}: recorded {_short(self.recorded)}, found {_short(self.found)} (row {self.seq})"


@dataclass
class Pixels:
    """How frames drawn anew compare with the recorded ones: state is exact, pixels are only said to be close."""

    frames: int = 0
    differing_frames: int = 0
    differing_pixels: int = 0
    largest_difference: int = 0

    def __str__(self) -> str:
        if not self.differing_frames:
            return f"pictures equal ({self.frames} frames)"
        n, frames = self.differing_pixels, f"{self.differing_frames} of {self.frames} frames"
        return f"pixels differ: {n} in {frames}, by at most {self.largest_difference} levels"


@dataclass(frozen=True)
class Verdict:
    """What a replay found. `equal` covers every row; `outcomes` counts the outcomes whose state digests were compared."""

    equal: bool
    rows: int
    outcomes: int
    divergence: Divergence | None
    pixels: Pixels | None = None

    def __str__(self) -> str:
        if self.divergence is not None:
            return str(self.divergence)
        told = f"every digest equal: {self.rows} rows, {self.outcomes} outcomes"
        return told if self.pixels is None else f"{told}; {self.pixels}"


class Diverged(InfrastructureError):
    """Raised inside a replay at the first row that differs."""

    def __init__(self, divergence: Divergence) -> None:
        super().__init__("replay", str(divergence))
        self.divergence = divergence


class RecordEnds(InfrastructureError):
    """The recorded attempt was cut short from outside; everything up to there was compared."""


_OUTSIDE = frozenset({"infrastructure", "cancelled"})


class CheckingSink:
    """Compares every row with the recorded one instead of writing it."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._content: dict[str, bytes] = {}
        self.count = self.outcomes = 0

    def attach(self, data: bytes, suffix: str) -> str:
        """See `Sink`."""
        name = digest_bytes(data)
        self._content[name] = data
        return name

    def fetch(self, digest: str) -> bytes:
        """See `Sink`."""
        return self._content[digest] if digest in self._content else self._bundle.fetch(digest)

    def write(self, tick: int, record: Record) -> int:
        """See `Sink`. Raises Diverged."""
        if self.count >= len(self._bundle.rows):
            if self._bundle.stopped is None:
                raise RecordEnds("replay", "the record of a killed attempt ends here")
            raise Diverged(Divergence(self.count, tick, "row", None, record.TYPE))
        row = self._bundle.rows[self.count]
        if isinstance(row.record, Stopped) and row.record.reason in _OUTSIDE and not isinstance(record, Stopped):
            raise RecordEnds("replay", f"the record ends at row {row.seq}: {row.record.reason}")
        recorded = {"tick": row.tick, "type": row.record.TYPE, **row.record.model_dump(mode="json")}
        found = {"tick": tick, "type": record.TYPE, **record.model_dump(mode="json")}
        if recorded != found:
            field, was, now = first_difference(recorded, found)
            raise Diverged(Divergence(self.count, tick, f"{record.TYPE}{field}", was, now))
        self.count += 1
        self.outcomes += isinstance(record, Ended)
        return self.count - 1

    def note(self, seq: int, values: Mapping[str, Any]) -> None:
        """See `Sink`: wall times are not compared."""

    def seal(self) -> tuple[int, str]:
        """See `Sink`."""
        return self.count, self._bundle.head

    def rows(self) -> tuple[Row, ...]:
        """See `Sink`: the recorded ones."""
        return self._bundle.rows


def replay(bundle: Bundle, engine: Engine, *, pictures: bool = False, any_version: bool = False) -> Verdict:
    """Play the recorded replies again. `pictures` draws the frames anew as well and counts pixels that differ; the recorded
    frames are shown in any case.

    Raises VersionError where the engine is not of the recorded version, unless `any_version`.
    """
    opened = bundle.opened
    version = engine_version(engine)
    if (engine.name, version) != (opened.engine, opened.engine_version) and not any_version:
        raise VersionError(
            "bundle", f"{opened.engine} {opened.engine_version}", f"{engine.name} {version}; --any-version replays it anyway"
        )
    sink = CheckingSink(bundle)
    pixels = Pixels() if pictures else None
    episode = Episode(
        pack=bundle.pack,
        engine=engine if version == opened.engine_version else _Renamed(engine, opened.engine, opened.engine_version),
        sink=sink,
        seed=opened.seed,
        frames=opened.frames,
        assistant=opened.assistant,
        human=opened.human,
        draw=comparing_frames(bundle, engine, pixels) if pixels is not None else recorded_frames(bundle),
    )
    replies = {r.record.ask: (r.tick, r.record) for r in bundle.rows if isinstance(r.record, Replied)}
    while isinstance(ask := episode.next(), Ask):
        recorded = replies.get(ask.number)
        if recorded is None:
            break
        tick, reply = recorded
        episode.answer(ask, reply_from_json(reply.role, reply.reply), Fraction(reply.due - tick) * engine.tick_seconds)
    return replace(_verdict(bundle, episode, sink), pixels=pixels)


def _verdict(bundle: Bundle, episode: Episode, sink: CheckingSink) -> Verdict:
    failure = episode.failure
    if isinstance(failure, Diverged):
        return Verdict(False, sink.count, sink.outcomes, failure.divergence)
    stopped = bundle.stopped
    complete = len(bundle.rows) - (stopped is not None and stopped.reason in _OUTSIDE)
    if sink.count < complete:
        row = bundle.rows[sink.count]
        detail = str(failure) if failure else "nothing more"
        return Verdict(False, sink.count, sink.outcomes, Divergence(row.seq, row.tick, row.record.TYPE, row.record.TYPE, detail))
    return Verdict(True, sink.count, sink.outcomes, None)


class _Renamed:
    """An engine that says it is of the recorded version, so that the header row can be compared."""

    def __init__(self, engine: Engine, name: str, version: str) -> None:
        self._engine, self.name, self.version = engine, name, version

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def summary(self) -> Mapping[str, Any]:
        """The engine's own."""
        summary: Mapping[str, Any] = self._engine.summary() if hasattr(self._engine, "summary") else {}
        return summary


def recorded_frames(bundle: Bundle) -> Draw:
    """A `Draw` that shows the recorded frame of a tick: needs no renderer. Where an attempt was cut short before an interval was filmed,
    the record ends there."""
    stopped = bundle.stopped
    cut = stopped is None or stopped.reason in _OUTSIDE
    filmed = max((r.record.last_tick for r in bundle.rows if isinstance(r.record, Segment)), default=-1)
    frames = {(f.tick, f.channel): f for r in bundle.rows if isinstance(r.record, Segment) for f in r.record.frames}

    def draw(snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        out = []
        for snapshot in snapshots:
            ref = frames.get((snapshot.tick, channel))
            if ref is None and cut and snapshot.tick > filmed:
                raise RecordEnds("replay", f"the attempt ended while the frames up to tick {snapshot.tick} were drawn")
            if ref is None:
                raise Diverged(Divergence(-1, snapshot.tick, f"frame of {channel}", None, "a frame that was not drawn then"))
            out.append(Observation(ref.tick, ref.channel, Kind(ref.kind), ref.digest, bundle.fetch(ref.digest)))
        return tuple(out)

    return draw


def comparing_frames(bundle: Bundle, engine: Engine, pixels: Pixels) -> Draw:
    """A `Draw` that draws anew, notes how the pictures differ, and shows the recorded ones."""
    anew, recorded = engine_draw(engine), recorded_frames(bundle)

    def draw(snapshots: Sequence[Snapshot], channel: str) -> Sequence[Observation]:
        shown = recorded(snapshots, channel)
        for then, now in zip(shown, anew(snapshots, channel), strict=True):
            pixels.frames += 1
            if then.digest != now.digest:
                count, largest = pixel_difference(then.data, now.data)
                pixels.differing_frames += 1
                pixels.differing_pixels += count
                pixels.largest_difference = max(pixels.largest_difference, largest)
        return shown

    return draw


def pixel_difference(a_png: bytes, b_png: bytes) -> tuple[int, int]:
    """How many pixels of two pictures differ, and the largest difference of a channel in levels. Other sizes differ everywhere."""
    import io

    import numpy as np
    from PIL import Image

    a, b = (np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int) for data in (a_png, b_png))
    if a.shape != b.shape:
        return int(np.prod(a.shape[:2])), 255
    difference = np.abs(a - b).max(axis=2)
    return int((difference > 0).sum()), int(difference.max())


def first_difference(recorded: Any, found: Any, path: str = "") -> tuple[str, Any, Any]:
    """Path and values of the first leaf that differs, keys in order."""
    if isinstance(recorded, dict) and isinstance(found, dict):
        for key in sorted(set(recorded) | set(found)):
            if recorded.get(key) != found.get(key):
                return first_difference(recorded.get(key), found.get(key), f"{path}.{key}")
    if isinstance(recorded, list) and isinstance(found, list):
        for i, (a, b) in enumerate(zip(recorded, found, strict=False)):
            if a != b:
                return first_difference(a, b, f"{path}[{i}]")
        return f"{path}.length", len(recorded), len(found)
    return path, recorded, found


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."
