"""Replay: equal in another process, the first divergence named, other versions refused (cases.md, section K)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assistcore.world.errors import VersionError
from assistcore.world.records import Ended, Segment
from assistworld.episodes.bundle import open_bundle, seal_cancelled
from assistworld.episodes.replay import replay
from tests.episodes.playing import pack, play
from tests.episodes.toy_engine import ToyEngine


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    play(tmp_path / "b", the_pack=pack(protocol={"timing": {"delay": "measured"}}))
    return tmp_path / "b"


def test_every_digest_is_equal_without_drawing_anything(bundle: Path) -> None:
    engine = ToyEngine()
    verdict = replay(open_bundle(bundle), engine)
    assert verdict.equal and verdict.outcomes == 3 and engine.drawn == 0
    assert replay(open_bundle(bundle), engine, pictures=True).equal and engine.drawn > 0


def test_equal_in_another_process(bundle: Path) -> None:
    code = (
        "import sys; from assistworld.episodes.bundle import open_bundle; from assistworld.episodes.replay import replay;"
        "from tests.episodes.toy_engine import ToyEngine; print(replay(open_bundle(sys.argv[1]), ToyEngine()))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(bundle)], check=True, capture_output=True, text=True)
    assert done.stdout.startswith("every digest equal")


def test_the_first_divergence_is_named(bundle: Path) -> None:
    """cases.md K, ManiSkill#892: initial x of one object differs -> diverged at tick 0, that fact."""

    class Shifted(ToyEngine):
        def _read(self):
            graph = super()._read()
            values = dict(graph.values)
            x, *rest = values["blue_cup_1", "place"]
            values["blue_cup_1", "place"] = (x + 1, *rest)
            return type(graph)(values)

    verdict = replay(open_bundle(bundle), Shifted())
    assert not verdict.equal and verdict.divergence is not None
    assert verdict.divergence.tick == 0 and "initial.graph" in str(verdict) and verdict.divergence.found == verdict.divergence.recorded + 1


def test_a_state_digest_that_differs_is_named_with_its_tick(tmp_path: Path) -> None:
    play(tmp_path / "b")

    class Later(ToyEngine):
        def digest(self) -> str:
            return super().digest() if self._tick < 9 else "0" * 64

    verdict = replay(open_bundle(tmp_path / "b"), Later())
    assert str(verdict).startswith("diverged at tick 9, outcome.state_digest")


def test_another_engine_version_is_refused_without_the_flag(bundle: Path) -> None:
    with pytest.raises(VersionError, match="toy 1.*toy 2"):
        replay(open_bundle(bundle), ToyEngine(version="2"))
    assert replay(open_bundle(bundle), ToyEngine(version="2"), any_version=True).equal


def test_with_and_without_frames_the_state_digests_are_equal(tmp_path: Path) -> None:
    digests = []
    for frames in (0, 1, 4):
        play(tmp_path / str(frames), frames=frames)
        opened = open_bundle(tmp_path / str(frames))
        digests.append([r.record.state_digest for r in opened.rows if isinstance(r.record, Ended)])
        assert not frames or any(r.record.frames for r in opened.rows if isinstance(r.record, Segment))
    assert digests[0] == digests[1] == digests[2] and len(digests[0]) == 3


def test_attempts_cut_short_replay_up_to_the_cut(tmp_path: Path) -> None:
    play(tmp_path / "crashed", engine=ToyEngine(crash_at=8))
    assert replay(open_bundle(tmp_path / "crashed"), ToyEngine()).equal
    play(tmp_path / "killed")
    events = tmp_path / "killed" / "events.jsonl"
    (tmp_path / "killed" / "manifest.json").unlink()
    events.write_bytes(b"".join(events.read_bytes().splitlines(keepends=True)[:-6]))
    assert replay(open_bundle(tmp_path / "killed"), ToyEngine()).equal
    assert replay(seal_cancelled(tmp_path / "killed"), ToyEngine()).equal


def test_an_attempt_killed_while_frames_were_drawn_is_equal_up_to_its_last_row(tmp_path: Path) -> None:
    """The last row is an outcome, a torn interval follows: what was written is equal, nothing diverged."""
    play(tmp_path / "b")
    events = tmp_path / "b" / "events.jsonl"
    lines = events.read_bytes().splitlines(keepends=True)
    last = max(i for i, line in enumerate(lines) if b'"type":"outcome"' in line)
    events.write_bytes(b"".join(lines[: last + 1]) + lines[last + 1][:40])
    (tmp_path / "b" / "manifest.json").unlink()
    cut = open_bundle(tmp_path / "b")
    for pictures in (False, True):
        verdict = replay(cut, ToyEngine(), pictures=pictures)
        assert verdict.equal and verdict.rows == last + 1 and cut.torn == 1, verdict
    assert replay(seal_cancelled(tmp_path / "b"), ToyEngine()).equal


def test_a_frame_that_is_missing_from_a_whole_record_still_diverges(tmp_path: Path) -> None:
    play(tmp_path / "b", frames=1)
    opened = open_bundle(tmp_path / "b")
    bare = tuple(r._replace(record=r.record.model_copy(update={"frames": ()})) if isinstance(r.record, Segment) else r for r in opened.rows)
    opened.rows = bare
    verdict = replay(opened, ToyEngine())
    assert not verdict.equal and "a frame that was not drawn then" in str(verdict)


def test_snapshots_in_the_bundle_are_those_of_the_run(bundle: Path) -> None:
    opened = open_bundle(bundle)
    segments = [r.record for r in opened.rows if isinstance(r.record, Segment)]
    snapshots = [s for segment in segments for s in opened.snapshots(segment)]
    assert [s.tick for s in snapshots] == list(range(snapshots[-1].tick + 1)), "every tick once"
    engine = ToyEngine()
    for segment in segments:
        by_tick = {s.tick: s for s in opened.snapshots(segment)}
        for frame in segment.frames:
            assert engine.draw([by_tick[frame.tick]], frame.channel)[0].digest == frame.digest, "drawn again from what is stored"


def test_pixels_may_differ_while_the_state_is_equal(bundle: Path) -> None:
    """cases.md A, IsaacLab#3505: bit-identical states, 3 pixels off by 1 level -> said so, not "diverged"."""
    import io

    from PIL import Image

    from assistcore.world.canonical import digest_bytes
    from assistcore.world.snapshots import Observation

    class Other(ToyEngine):
        def draw(self, snapshots, channel):
            (shot,) = super().draw(snapshots, channel)
            if self.drawn != 2:
                return (shot,)
            picture = Image.open(io.BytesIO(shot.data)).convert("RGB")
            for x in range(3):
                r, g, b = picture.getpixel((x, 0))
                picture.putpixel((x, 0), (r - 1 if r else 1, g, b))
            out = io.BytesIO()
            picture.save(out, "PNG")
            return (Observation(shot.tick, channel, shot.kind, digest_bytes(out.getvalue()), out.getvalue()),)

    verdict = replay(open_bundle(bundle), Other(), pictures=True)
    assert verdict.equal and str(verdict).endswith("pixels differ: 3 in 1 of 6 frames, by at most 1 levels")
