"""Episodes in the house from the command line: the same bytes in two processes, equal states with and without frames, equal on replay."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assistcore.world.records import Ended, Segment
from assistworld.episodes.bundle import open_bundle
from assistworld.episodes.log import TIMING

PACK = "best_value_coffee"


def run(folder: Path, *words: str, hashing: str = "0") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONHASHSEED": hashing}
    command = [sys.executable, "-m", "assistworld.cli.main", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three runs in three processes: twice with a picture per command, once without."""
    found: dict[str, Path] = {}
    for name, frames in (("one", "1"), ("two", "1"), ("blind", "none")):
        home = tmp_path_factory.mktemp(name)
        done = run(home, "run", PACK, "--assistant", "early", "--frames", frames, "--json", hashing=str(len(found)))
        assert done.returncode == 1, done.stderr
        found[name] = home / json.loads(done.stdout)["bundle"]
    return found


def test_two_processes_write_the_same_bytes(runs: dict[str, Path]) -> None:
    one, two = ({p.relative_to(f): p.read_bytes() for p in f.rglob("*") if p.is_file()} for f in (runs["one"], runs["two"]))
    assert one.keys() == two.keys()
    assert [str(p) for p in one if one[p] != two[p]] in ([], [TIMING])


def test_pictures_change_no_state(runs: dict[str, Path]) -> None:
    with_frames, without = (open_bundle(runs[name]) for name in ("one", "blind"))
    digests = [[r.record.state_digest for r in b.rows if isinstance(r.record, Ended)] for b in (with_frames, without)]
    assert digests[0] == digests[1] and len(digests[0]) == 3
    assert any(r.record.frames for r in with_frames.rows if isinstance(r.record, Segment))
    assert not any(r.record.frames for r in without.rows if isinstance(r.record, Segment))


def test_a_replay_in_another_process_finds_every_digest_equal(runs: dict[str, Path]) -> None:
    done = run(runs["one"].parent, "replay", str(runs["one"]), "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["equal"] is True


def test_the_page_of_a_run_is_small(runs: dict[str, Path]) -> None:
    done = run(runs["one"].parent, "view", str(runs["one"]), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["bytes"] < 15_000_000 / 10
