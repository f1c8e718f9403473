"""Which ticks of an interval are drawn, and drawing them: only after the interval has ended, so that pictures never touch state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from assistcore.world.engine import Engine, Step
from assistcore.world.records import ObservationRef, Segment
from assistcore.world.snapshots import Observation, Snapshot
from assistworld.episodes import snapshot_codec
from assistworld.episodes.log import Sink

CAP = 32
RECENT = 8
"""A stateless backend gets the 8 most recent frames and 24 of the older history, uniformly (seed, Evaluation Setup)."""
PINNED = frozenset({"look_hold"})
"""Marks whose tick is always drawn, beside the sampled ones (seed C.2.1, Frame selection)."""

T = TypeVar("T")
Draw = Callable[[Sequence[Snapshot], str], Sequence[Observation]]


def pick(count: int, wanted: int, pinned: Sequence[int] = ()) -> tuple[int, ...]:
    """Indices to draw of an interval with `count` ticks: `wanted` uniform ones, the true result frame always, and the pinned ones."""
    if count < 1 or wanted < 1:
        return ()
    n = min(wanted, count)
    uniform = {-(-count * (k + 1) // n) - 1 for k in range(n)}
    return tuple(sorted(uniform | {count - 1} | {p for p in pinned if 0 <= p < count}))


def bounded(frames: Sequence[T], cap: int = CAP, recent: int = RECENT) -> tuple[T, ...]:
    """At most `cap` frames: the last `recent`, and uniform ones of what is older, oldest and newest of it included."""
    if len(frames) <= cap:
        return tuple(frames)
    older, last = frames[: len(frames) - recent], frames[len(frames) - recent :]
    room = cap - recent
    if room < 2:
        return tuple(older[:room]) + tuple(last)
    return tuple(older[round(k * (len(older) - 1) / (room - 1))] for k in range(room)) + tuple(last)


def reference(observation: Observation) -> ObservationRef:
    """An observation by name."""
    return ObservationRef(tick=observation.tick, channel=observation.channel, kind=observation.kind.value, digest=observation.digest)


@dataclass(frozen=True)
class Shot:
    """One drawn frame, by channel."""

    tick: int
    channel: str
    observation: Observation


class Film:
    """The running interval: its snapshots and marks. `close` ends it, stores the snapshots, draws and stores the picked frames.

    `draw` is the engine's `draw`, or a look-up of recorded frames in a replay.
    """

    def __init__(self, draw: Draw, sink: Sink, *, per_interval: int, channels: Sequence[str]) -> None:
        self._draw = draw
        self._sink = sink
        self._wanted = per_interval
        self._channels = tuple(channels) if per_interval > 0 else ()
        self._snapshots: list[Snapshot] = []
        self._marks: list[tuple[int, str]] = []
        self._number = 0
        self._last: Mapping[str, tuple[Snapshot, Observation]] = {}

    def add(self, snapshot: Snapshot, marks: Sequence[str] = ()) -> None:
        """One more tick."""
        self._snapshots.append(snapshot)
        self._marks += [(snapshot.tick, m) for m in marks]

    def step(self, step: Step) -> None:
        """One more tick, as the engine gave it."""
        self.add(step.snapshot, step.marks)

    def empty(self) -> bool:
        """Whether nothing was filmed since the last interval."""
        return not self._snapshots

    def close(self, cause: str) -> tuple[Segment, tuple[Shot, ...]]:
        """End the interval. An interval in which only time passed is drawn once, at its end."""
        snapshots, marks = self._snapshots, tuple(self._marks)
        self._snapshots, self._marks = [], []
        chunk = snapshot_codec.encode(snapshots, lambda data: self._sink.attach(data, ".png"))
        stored = self._sink.attach(chunk, ".snap")
        wanted = 1 if cause == "idle" else self._wanted
        pinned = [i for i, s in enumerate(snapshots) if any(t == s.tick and m in PINNED for t, m in marks)]
        picked = [snapshots[i] for i in pick(len(snapshots), wanted, pinned)] if self._channels else []
        shots = sorted((Shot(o.tick, c, o) for c in self._channels for o in self._shoot(picked, c)), key=lambda s: (s.tick, s.channel))
        self._number += 1
        segment = Segment.model_validate(
            {
                "number": self._number,
                "cause": cause,
                "first_tick": snapshots[0].tick,
                "last_tick": snapshots[-1].tick,
                "snapshots": stored,
                "marks": marks,
                "frames": [reference(s.observation).model_dump() for s in shots],
            }
        )
        return segment, tuple(shots)

    def _shoot(self, picked: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        """Draw; what looks exactly as the frame before is not drawn again."""
        out: list[Observation] = []
        for snapshot in picked:
            before = self._last.get(channel)
            if before is not None and replace(before[0], tick=snapshot.tick) == snapshot:
                seen = replace(before[1], tick=snapshot.tick)
            else:
                (seen,) = self._draw([snapshot], channel)
                self._sink.attach(seen.data, seen.suffix)
            self._last = {**self._last, channel: (snapshot, seen)}
            out.append(seen)
        return tuple(out)


def engine_draw(engine: Engine) -> Draw:
    """The engine's own drawing; a frame whose stamp is not its snapshot's is an error there, not a picture here."""

    def draw(snapshots: Sequence[Snapshot], channel: str) -> Sequence[Observation]:
        from assistcore.world.errors import InfrastructureError

        drawn = engine.draw(snapshots, channel)
        stamps = [o.tick for o in drawn], [s.tick for s in snapshots]
        if stamps[0] != stamps[1]:
            raise InfrastructureError(f"draw {channel}", f"frames carry ticks {stamps[0]}, the state was of {stamps[1]}")
        return drawn

    return draw
