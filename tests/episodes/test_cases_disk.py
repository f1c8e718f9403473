"""Writes that fail at any step leave the file before them (cases.md J, inspect_ai#2949, tau2-bench PR#533), and names never clash."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistcore.world.canonical import canonical_json
from assistcore.world.errors import InfrastructureError
from assistworld.episodes import files
from assistworld.episodes.bundle import faults_of, open_bundle, seal_cancelled
from assistworld.episodes.files import new_folder, write_atomic
from assistworld.episodes.log import EVENTS, MANIFEST
from tests.episodes.playing import play


@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
def test_a_failure_in_create_flush_or_rename_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    target = tmp_path / "score.json"
    write_atomic(target, b"old")

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        if step == "open":
            patched.setattr(files, "open", full, raising=False)
        else:
            patched.setattr(os, step, full)
        with pytest.raises(InfrastructureError, match=r"score\.json: No space left on device \(\d+ bytes free"):
            write_atomic(target, b"new")
    assert target.read_bytes() == b"old" and os.listdir(tmp_path) == ["score.json"]
    write_atomic(target, b"new")
    assert target.read_bytes() == b"new"


def test_what_cannot_be_serialised_never_reaches_the_file(tmp_path: Path) -> None:
    target = tmp_path / "score.json"
    write_atomic(target, b"old")
    with pytest.raises(ValueError, match="JSON compliant"):
        write_atomic(target, canonical_json({"completion": float("nan")}).encode())
    assert target.read_bytes() == b"old"


def test_with_a_frozen_clock_two_runs_in_two_processes_get_two_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """cases.md J, inspect_ai PR#3837: two runs in one second share a log name."""
    monkeypatch.setattr(time, "time", lambda: 1_700_000_000.0)
    here = [new_folder(tmp_path, "run").name for _ in range(2)]
    frozen = (
        "import sys, time, pathlib; time.time = lambda: 1_700_000_000.0; from assistworld.episodes.files import new_folder;"
        "print(new_folder(pathlib.Path(sys.argv[1]), 'run').name)"
    )
    there = subprocess.run([sys.executable, "-c", frozen, str(tmp_path)], check=True, capture_output=True, text=True).stdout.strip()
    assert len({*here, there}) == 3 and sorted(os.listdir(tmp_path)) == sorted({*here, there})


def test_killed_at_any_byte_the_whole_rows_are_there_and_the_attempt_is_cancelled(tmp_path: Path, sample_seed: int) -> None:
    """cases.md J, inspect_ai#913: 20 random points; what was finished is kept, the half-written row is dropped and counted."""
    play(tmp_path / "b", frames=0)
    (tmp_path / "b" / MANIFEST).unlink()
    whole = (tmp_path / "b" / EVENTS).read_bytes()
    first = whole.index(b"\n") + 1
    for cut in np.random.default_rng(sample_seed).integers(first, len(whole) - 200, 20):
        folder = tmp_path / f"cut-{cut}"
        shutil.copytree(tmp_path / "b", folder, dirs_exist_ok=True)
        (folder / EVENTS).write_bytes(whole[:cut])
        found = open_bundle(folder)
        assert (len(found.rows), found.torn) == (whole[:cut].count(b"\n"), int(whole[cut - 1 : cut] != b"\n")), f"cut at byte {cut}"
        sealed = seal_cancelled(folder)
        assert sealed.stopped is not None and (sealed.stopped.reason, sealed.stopped.void) == ("cancelled", True)
        assert faults_of(folder) == ()
