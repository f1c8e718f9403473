"""Bundles on disk: sealed, byte-identical, and every kind of damage refused with its place (cases.md, section K)."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from assistcore.world.canonical import canonical_json
from assistcore.world.errors import BundleError, InfrastructureError, VersionError
from assistcore.world.records import RECORDS, Notice, decode_row, row_hash, seal_row
from assistworld.episodes.bundle import faults_of, open_bundle, read_rows, seal_cancelled
from assistworld.episodes.files import new_folder, write_atomic
from assistworld.episodes.log import EVENTS, MANIFEST, TIMING, FolderSink
from tests.episodes.playing import play


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    play(tmp_path / "b")
    return tmp_path / "b"


def test_a_sealed_bundle_verifies_and_knows_its_pack(bundle: Path) -> None:
    opened = open_bundle(bundle)
    assert faults_of(bundle) == () and opened.sealed and opened.torn == 0
    assert opened.pack.id == "toy_cup" and opened.stopped is not None and opened.stopped.reason == "declared"
    assert opened.graph_at(12).has("on", "red_cup_1", "bed_1") and not opened.graph_at(8).has("on", "red_cup_1", "bed_1")
    assert len(opened.timing()) == 1 + 4 + 1, "where the engine ran, one row of wall times per reply, the seal"


def test_nothing_in_it_names_a_machine_or_a_wall_time(bundle: Path) -> None:
    import socket

    text = (bundle / EVENTS).read_text() + (bundle / MANIFEST).read_text()
    assert str(bundle) not in text and socket.gethostname() not in text
    assert "latency" not in text and "time" not in json.loads((bundle / MANIFEST).read_text())["head"]


def _lines(folder: Path) -> list[bytes]:
    return (folder / EVENTS).read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        (lambda rows: rows[:3], "rows"),
        (lambda rows: rows[:-1], "rows"),
        (lambda rows: rows[1:], "line 1"),
        (lambda rows: rows[:4] + rows[5:], "line 5"),
        (lambda rows: [*rows[:4], rows[5], rows[4], *rows[6:]], "line 5"),
        (lambda rows: [*rows[:5], rows[4], *rows[5:]], "line 6"),
        (lambda rows: [*rows, rows[-1]], "line"),
        (lambda rows: [*rows[:4], rows[4].replace(b'"status":"done"', b'"status":"fail"'), *rows[5:]], "line 5"),
        (lambda rows: [*rows[:4], rows[4][:-1] + b" \n", *rows[5:]], "line 5"),
        (lambda rows: [*rows[:4], rows[4][:-1] + rows[5], *rows[6:]], "line 5"),
        (lambda rows: [*rows[:4], b"{}\n", *rows[5:]], "line 5"),
        (lambda rows: [*rows[:4], b'{"seq":4,"tick\n', *rows[5:]], "line 5"),
    ],
    ids=[
        "first three",
        "tail cut",
        "head cut",
        "removed",
        "swapped",
        "repeated",
        "tail repeated",
        "edited",
        "spaced",
        "glued",
        "empty",
        "torn",
    ],
)
def test_every_damage_is_refused_with_its_place(bundle: Path, damage: object, place: str) -> None:
    (bundle / EVENTS).write_bytes(b"".join(damage(_lines(bundle))))  # type: ignore[operator]
    with pytest.raises(BundleError) as error:
        open_bundle(bundle)
    assert EVENTS in error.value.place and place in str(error.value)


def test_a_forged_row_with_the_right_predecessor_is_refused(bundle: Path) -> None:
    opened = open_bundle(bundle)
    forged = seal_row(len(opened.rows), 99, Notice(what="stuck", role="human", detail="x", count=1), opened.head)
    with open(bundle / EVENTS, "ab") as file:
        file.write(canonical_json(forged).encode() + b"\n")
    with pytest.raises(BundleError, match="sealed"):
        open_bundle(bundle)


@pytest.mark.parametrize("name", [EVENTS, TIMING, MANIFEST])
def test_one_changed_byte_in_any_file_is_refused(bundle: Path, name: str) -> None:
    data = (bundle / name).read_bytes()
    for at in (0, len(data) // 3, len(data) // 2, len(data) - 2, len(data) - 1):
        (bundle / name).write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert faults_of(bundle), f"byte {at} of {name} was changed"
    (bundle / name).write_bytes(data)
    assert not faults_of(bundle)


def test_a_changed_or_missing_attachment_is_named(bundle: Path) -> None:
    picture = next((bundle / "attachments").glob("*.png"))
    data = picture.read_bytes()
    picture.write_bytes(data[:-1] + b"\x00")
    assert picture.name in faults_of(bundle)[0].place
    picture.unlink()
    assert picture.stem in faults_of(bundle)[0].place


def _nine(tmp_path: Path) -> list[bytes]:
    head, lines = "0" * 64, []
    for i in range(9):
        row = seal_row(i, i, Notice(what="stuck", role="human", detail=str(i), count=i), head)
        head = row["hash"]
        lines.append(canonical_json(row).encode() + b"\n")
    return lines


def test_torn_tails_are_dropped_and_counted(tmp_path: Path) -> None:
    """cases.md K, nano-rlm: torn last line; torn line and blank lines; NUL padding after a power cut."""
    lines = _nine(tmp_path)
    for tail in (b'{"t":9,"e":"wa', b'{"t":9,"e":"wa\n\n', b"\x00" * 64, lines[8][:-20] + b"\x00" * 20):
        (tmp_path / EVENTS).write_bytes(b"".join(lines[:8]) + tail)
        reading = read_rows(tmp_path / EVENTS)
        assert (len(reading.rows), reading.torn, reading.faults) == (8, 1, ())


def test_a_bad_line_in_the_middle_is_named_and_later_lines_are_still_listed(tmp_path: Path) -> None:
    """cases.md K, claude-code: bad line 3 of 9; `{..}{..}` on one line."""
    lines = _nine(tmp_path)
    (tmp_path / EVENTS).write_bytes(b"".join([*lines[:2], b"garbage\n", *lines[3:]]))
    reading = read_rows(tmp_path / EVENTS)
    assert [f.place for f in reading.faults] == [f"{EVENTS} line 3"] and [n for n, _ in reading.rows] == [1, 2, 4, 5, 6, 7, 8, 9]
    (tmp_path / EVENTS).write_bytes(b"".join([*lines[:2], lines[2][:-1] + lines[3], *lines[4:]]))
    reading = read_rows(tmp_path / EVENTS)
    assert "2 records on one line" in reading.faults[0].detail and reading.faults[0].place.endswith("line 3")
    assert len(reading.rows) == 9


def test_numbers_that_json_does_not_have_are_a_fault_of_their_line(tmp_path: Path) -> None:
    lines = _nine(tmp_path)
    for odd in (b"NaN", b"-Infinity", b"1e999", b"[" * 100_000):
        (tmp_path / EVENTS).write_bytes(b"".join([lines[0], lines[1].replace(b'"tick":1', b'"tick":' + odd), *lines[2:]]))
        assert faults_of(tmp_path)[0].place == f"{EVENTS} line 2"


def test_records_of_another_version_are_refused_with_both(tmp_path: Path) -> None:
    row = json.loads(_nine(tmp_path)[0])
    with pytest.raises(VersionError, match="version 7, this reader knows 1"):
        decode_row({**row, "v": 7}, "line 1")
    with pytest.raises(BundleError, match="did you mean 'notice'"):
        decode_row({**row, "type": "notise"}, "line 1")
    assert row["hash"] == row_hash(row) and len(RECORDS) == len({r.TYPE for r in RECORDS.values()})


def test_an_attempt_is_never_continued(bundle: Path) -> None:
    with pytest.raises((BundleError, FileExistsError)):
        FolderSink(bundle)


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.episodes.playing import play, Script
from tests.episodes import playing

class Dies(Script):
    def reply(self, view):
        if len(self.views) == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().reply(view)

playing.Script = Dies
play(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("polls", [0, 2])
def test_kill_nine_loses_nothing_that_was_written(tmp_path: Path, polls: int) -> None:
    """cases.md J, inspect_ai#913: a killed attempt is marked as cancelled, never left as started."""
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "b"), str(polls)], check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    found = open_bundle(tmp_path / "b")
    assert not found.sealed and found.stopped is None
    assert sum(r.record.TYPE == "view" for r in found.rows) == 1 + 2 * polls, "the view of the fatal turn is there"
    sealed = seal_cancelled(tmp_path / "b")
    assert sealed.sealed and sealed.stopped is not None and (sealed.stopped.reason, sealed.stopped.void) == ("cancelled", True)
    assert faults_of(tmp_path / "b") == ()


FULL = """
import resource, signal, sys
from pathlib import Path
from tests.episodes.playing import play
resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
ended, episode, _, _ = play(Path(sys.argv[1]))
print(ended.reason, ended.void, episode.failure)
"""


def test_a_full_disk_is_void_and_names_file_and_space(tmp_path: Path) -> None:
    """cases.md J, inspect_ai#2949: RLIMIT_FSIZE; what was written stays readable."""
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path / "b")], check=True, capture_output=True, text=True)
    assert done.stdout.startswith("infrastructure True") and EVENTS in done.stdout and "bytes free" in done.stdout
    found = open_bundle(tmp_path / "b")
    assert len(found.rows) > 3 and found.torn == 1


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "score.json"
    write_atomic(target, b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
        with pytest.raises(InfrastructureError, match=r"score\.json.*bytes free"):
            write_atomic(target, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert target.read_bytes() == b"old" and os.listdir(tmp_path) == ["score.json"]


def test_two_runs_get_two_folders(tmp_path: Path) -> None:
    """cases.md J, inspect_ai PR#3837: two runs in one second, in two processes."""
    code = "import sys, pathlib, assistworld.episodes.files as f; print(f.new_folder(pathlib.Path(sys.argv[1]), 'r').name)"
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    names = {p.communicate()[0].strip() for p in running}
    assert names == {"r-001", "r-002"} and new_folder(tmp_path, "r").name == "r-003"


TWICE = textwrap.dedent("""
    import sys
    from pathlib import Path
    from tests.episodes.playing import play
    play(Path(sys.argv[1]))
""")


def test_two_runs_in_two_processes_are_byte_identical(tmp_path: Path) -> None:
    for name, hashing in (("a", "0"), ("b", "1")):
        subprocess.run([sys.executable, "-c", TWICE, str(tmp_path / name)], check=True, env={**os.environ, "PYTHONHASHSEED": hashing})
    one = {p.relative_to(tmp_path / "a"): p.read_bytes() for p in sorted((tmp_path / "a").rglob("*")) if p.is_file()}
    two = {p.relative_to(tmp_path / "b"): p.read_bytes() for p in sorted((tmp_path / "b").rglob("*")) if p.is_file()}
    assert one.keys() == two.keys() and len(one) > 8
    assert [str(p) for p in one if one[p] != two[p]] in ([], [TIMING])


def test_driven_from_outside_the_bundle_is_the_same(tmp_path: Path) -> None:
    from assistworld.episodes.episode import Ask, Episode
    from tests.episodes.playing import CARRY, Obeyer, Script, pack
    from tests.episodes.toy_engine import ToyEngine

    play(tmp_path / "run")
    episode = Episode(pack=pack(), engine=ToyEngine(), sink=FolderSink(tmp_path / "outside"), frames=2)
    assistant, person = Script(CARRY, "$silent$", "$done$"), Obeyer()
    while isinstance(ask := episode.next(), Ask):
        episode.answer(ask, assistant.reply(ask.view) if ask.role == "assistant" else person.turn(ask.view))  # type: ignore[arg-type]
    for name in (EVENTS, MANIFEST):
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "outside" / name).read_bytes()
