"""What others made is read within bounds: a forged file may not fill the memory (a zip bomb in a `.snap`, a file without end)."""

from __future__ import annotations

import tracemalloc
import zlib
from pathlib import Path

import pytest

from assistcore.house import usd_cache
from assistcore.world.bounded import TooLarge, inflate, read_bounded
from assistcore.world.canonical import digest_bytes
from assistcore.world.errors import BundleError
from assistcore.world.records import Segment
from assistworld.episodes import snapshot_codec
from assistworld.episodes.bundle import LIMIT_BYTES, faults_of, open_bundle
from tests.episodes.playing import play

MIB = 1 << 20


def bomb(mib: int) -> bytes:
    """A zlib stream of a few kilobytes that stands for so many MiB."""
    packer = zlib.compressobj(9)
    block = bytes(MIB)
    return b"".join([*(packer.compress(block) for _ in range(mib)), packer.flush()])


def test_unpacking_stops_at_the_limit() -> None:
    forged = bomb(64)
    assert len(forged) < MIB / 8
    tracemalloc.start()
    with pytest.raises(TooLarge, match="forged: more than 1048576 bytes when unpacked, the limit is 1048576 bytes"):
        inflate(forged, MIB, "forged")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 * MIB
    assert inflate(zlib.compress(bytes(MIB)), MIB, "full") == bytes(MIB), "exactly the limit is read"
    with pytest.raises(ValueError, match="torn: cut off"):
        inflate(zlib.compress(b"some text")[:-3], MIB, "torn")
    with pytest.raises(ValueError, match="noise: "):
        inflate(b"no stream", MIB, "noise")


def test_a_forged_snapshot_chunk_is_a_damaged_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot_codec, "LIMIT_BYTES", MIB)
    play(tmp_path / "b")
    bundle = open_bundle(tmp_path / "b")
    segment = next(r.record for r in bundle.rows if isinstance(r.record, Segment))
    assert bundle.snapshots(segment)
    forged = snapshot_codec._MAGIC + bomb(8)
    name = digest_bytes(forged)
    (tmp_path / "b" / "attachments" / f"{name}.snap").write_bytes(forged)
    with pytest.raises(BundleError, match="the limit is 1048576 bytes"):
        open_bundle(tmp_path / "b", verify=False).snapshots(segment.model_copy(update={"snapshots": name}))


@pytest.mark.parametrize("name", ["events.jsonl", "timing.jsonl", "manifest.json", "attachments/huge.webp"])
def test_a_file_without_end_is_named_and_not_read(tmp_path: Path, name: str) -> None:
    play(tmp_path / "b")
    with open(tmp_path / "b" / name, "ab") as file:
        file.truncate(LIMIT_BYTES + 1)  # sparse: no byte is written
    tracemalloc.start()
    found = faults_of(tmp_path / "b")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [(f.place, f.detail) for f in found] == [(name, f"{LIMIT_BYTES + 1} bytes, the limit is {LIMIT_BYTES}")]
    assert peak < 8 * MIB
    with pytest.raises(TooLarge, match=name.split("/")[-1]):
        read_bounded(tmp_path / "b" / name, LIMIT_BYTES)


def test_a_cached_stage_that_unpacks_to_too_much_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import zipfile

    file = tmp_path / "flat.npz"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("told.npy", bytes(4 * MIB))
    monkeypatch.setattr(usd_cache, "LIMIT_BYTES", MIB)
    with pytest.raises(ValueError, match="flat.npz: 4194304 bytes when unpacked"):
        usd_cache._load(file)
