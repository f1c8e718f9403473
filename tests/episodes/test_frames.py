"""Which ticks are drawn, the cap on history, and snapshots that survive storage to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistcore.world.errors import VersionError
from assistcore.world.records import Glance, Segment
from assistcore.world.snapshots import Snapshot
from assistworld.episodes import snapshot_codec
from assistworld.episodes.frames import bounded, pick
from tests.episodes.playing import CARRY, play
from tests.episodes.reading import records, rows
from tests.episodes.toy_engine import ToyEngine


@given(st.integers(1, 300), st.integers(1, 40), st.lists(st.integers(-5, 310), max_size=3))
def test_the_result_frame_and_the_pins_are_always_there(count: int, wanted: int, pins: list[int]) -> None:
    picked = pick(count, wanted, pins)
    assert picked[-1] == count - 1 and list(picked) == sorted(set(picked))
    assert {p for p in pins if 0 <= p < count} <= set(picked)
    assert min(wanted, count) <= len(picked) <= min(wanted, count) + len(pins)


def test_frames_are_uniform() -> None:
    assert pick(100, 4) == (24, 49, 74, 99) and pick(3, 4) == (0, 1, 2) and pick(5, 0) == () and pick(0, 4) == ()


def test_a_look_pins_the_frame_in_which_the_label_is_held_still() -> None:
    _, episode, _, _ = play(texts=["$interrupt$ do: [LookAt] <red_cup> (1)", "$done$"], frames=1)
    segment = records(episode, Segment)[-1]
    (marked,) = [tick for tick, name in segment.marks if name == "look_hold"]
    assert [f.tick for f in segment.frames] == [marked, segment.last_tick] and marked < segment.last_tick
    (glance,) = [r for r in rows(episode) if isinstance(r.record, Glance)]
    assert glance.tick == marked and isinstance(glance.record, Glance) and "red_cup_1" in glance.record.visible


def test_history_is_bounded_with_the_recent_turns_whole() -> None:
    assert bounded(range(32)) == tuple(range(32))
    kept = bounded(range(200))
    assert len(kept) == 32 and kept[-8:] == tuple(range(192, 200))
    assert (kept[0], kept[23]) == (0, 191) and list(kept) == sorted(set(kept))


def test_time_that_only_passes_is_drawn_once() -> None:
    engine = ToyEngine()
    _, episode, _, _ = play(texts=[CARRY], engine=engine, frames=4)
    idle = [s for s in records(episode, Segment) if s.cause == "idle"]
    assert len(idle) > 5 and all(len(s.frames) == 1 for s in idle)
    assert len({s.frames[0].digest for s in idle}) == 1 and engine.drawn < 4 * 4, "and what did not change is not drawn again"


def test_snapshots_survive_storage_to_the_bit() -> None:
    rng = np.random.default_rng(5)
    shots = [
        Snapshot(
            t,
            transforms={f"thing_{i}": tuple(rng.normal(size=7).tolist()) for i in range(t % 3)},
            joints={"door": float(rng.normal())} if t % 2 else {},
            body=tuple(rng.normal(size=159).tolist()),
            looks={"lamp_1": "on"} if t > 4 else {},
            picture=bytes([t]) if t == 6 else None,
        )
        for t in range(9)
    ]
    stored: dict[str, bytes] = {}

    def attach(data: bytes) -> str:
        stored["d"] = data
        return "d"

    chunk = snapshot_codec.encode(shots, attach)
    assert snapshot_codec.decode(chunk, stored.__getitem__) == tuple(shots)
    assert snapshot_codec.encode(shots, attach) == chunk


def test_a_walk_of_a_minute_takes_little_room() -> None:
    base = np.linspace(0, 1, 159)
    still = [Snapshot(t, body=tuple((base if t < 60 else base + 1e-3 * t).tolist())) for t in range(720)]
    assert len(snapshot_codec.encode(still, lambda data: "")) < 720 * 159 * 8 / 2


def test_other_chunks_are_refused() -> None:
    import zlib

    with pytest.raises(ValueError, match="not a snapshot chunk"):
        snapshot_codec.decode(b"PNG", lambda d: b"")
    header = b'{"layouts":[],"rows":[],"shapes":[],"version":9}'
    with pytest.raises(VersionError, match="version 9, this reader knows 1"):
        snapshot_codec.decode(b"AWSN" + zlib.compress(len(header).to_bytes(4, "little") + header), lambda d: b"")
