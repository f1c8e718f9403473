"""Engines that hang or die at the end (cases.md A): the operation is named, results are durable before shutdown, the next episode runs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from assistcore.world.engine import Scenario
from assistcore.world.errors import InfrastructureError
from assistworld.cli.main import main
from assistworld.engines._watched import Watched
from assistworld.episodes.bundle import faults_of
from assistworld.studies import attempt as attempts
from tests.cli import toy_agents
from tests.episodes.playing import PACK, play
from tests.episodes.toy_engine import ToyEngine

TOY = Scenario("toy", {"spot": "table_1"}, ())


class Stalling(ToyEngine):
    """Does not come back from its third picture."""

    def draw(self, snapshots: Any, channel: str) -> Any:
        if self.drawn == 2:
            time.sleep(60.0)
        return super().draw(snapshots, channel)


def test_a_stalled_engine_is_named_and_the_next_episode_runs(tmp_path: Path) -> None:
    """cases.md A, IsaacLab#4951: `render()` sleeps 60 s, limit 0.5 s -> the operation is named, VOID, next episode runs."""
    made = iter([Stalling(), ToyEngine()])
    engine = Watched(lambda: next(made), limit_s=0.5)
    began = time.monotonic()
    ended, _, _, _ = play(tmp_path / "a", engine=engine)  # type: ignore[arg-type]
    assert time.monotonic() - began < 20.0
    assert (ended.reason, ended.void) == ("infrastructure", True) and "stalled in draw (0.5 s)" in ended.detail
    assert faults_of(tmp_path / "a") == ()
    again, _, _, _ = play(tmp_path / "b", engine=engine)  # type: ignore[arg-type]
    assert again.reason == "declared"


def test_a_watched_engine_writes_the_same_bundle(tmp_path: Path) -> None:
    play(tmp_path / "bare")
    play(tmp_path / "watched", engine=Watched(ToyEngine))  # type: ignore[arg-type]
    for name in ("events.jsonl", "manifest.json"):
        assert (tmp_path / "bare" / name).read_bytes() == (tmp_path / "watched" / name).read_bytes()


def test_what_an_engine_raises_passes_through_and_a_stalled_one_is_not_used_again() -> None:
    engine = Watched(lambda: ToyEngine(crash_at=0), limit_s=0.5)
    engine.reset(TOY, 0)
    with pytest.raises(RuntimeError, match="the toy broke"):
        engine.tick()
    slow = Watched(Stalling, limit_s=0.3)
    shot = slow.reset(TOY, 0)
    slow.draw([shot, shot], "view")
    with pytest.raises(InfrastructureError, match=r"engine: stalled in draw \(0\.3 s\)"):
        slow.draw([shot], "view")
    with pytest.raises(InfrastructureError, match="cannot tick: it stalled before"):
        slow.tick()
    slow.close()
    with pytest.raises(ValueError, match="limit_s is 0"):
        Watched(ToyEngine, limit_s=0)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[type[ToyEngine]], Path]:
    """A working folder with the toy pack, and one engine as the only world."""

    def make(engine: type[ToyEngine]) -> Path:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(attempts, "ENGINES", toy_agents.Fakes("engine", toy=SimpleNamespace(make=engine)))
        monkeypatch.setattr(attempts, "ASSISTANTS", toy_agents.ASSISTANTS)
        monkeypatch.setattr(attempts, "HUMANS", toy_agents.HUMANS)
        _pack(tmp_path)
        return tmp_path

    return make


def _pack(folder: Path) -> None:
    (folder / "packs").mkdir()
    (folder / "packs" / "toy_cup.yaml").write_text(yaml.safe_dump(json.loads(json.dumps(PACK))))


RUN = ["run", "toy_cup", "--packs", "packs", "--frames", "none", "--json"]


def test_an_engine_that_fails_while_closing_takes_no_result_with_it(
    home: Callable[[type[ToyEngine]], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """cases.md A, IsaacLab#3730: results are durable before shutdown; a bad exit is reported separately."""

    class Dying(ToyEngine):
        def close(self) -> None:
            raise RuntimeError("device lost")

    folder = home(Dying)
    assert main(RUN) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["score"]["success"] is True
    assert "engine toy failed at shutdown" in shown.err and "device lost" in shown.err
    assert faults_of(folder / json.loads(shown.out)["bundle"]) == ()


SEGFAULT = f"""
import os, signal, sys
from types import SimpleNamespace
from assistworld.cli.main import main
from assistworld.studies import attempt as attempts
from tests.cli import toy_agents
from tests.episodes.toy_engine import ToyEngine

class Dying(ToyEngine):
    def close(self):
        os.kill(os.getpid(), signal.SIGSEGV)

attempts.ENGINES = toy_agents.Fakes("engine", toy=SimpleNamespace(make=Dying))
attempts.ASSISTANTS, attempts.HUMANS = toy_agents.ASSISTANTS, toy_agents.HUMANS
os.chdir(sys.argv[1])
main({RUN!r})
"""


def test_a_segfault_in_close_leaves_a_whole_bundle_and_a_printed_score(tmp_path: Path) -> None:
    """cases.md A, IsaacLab#3730: `close()` sends itself SIGSEGV; the exit says so, the results are complete."""
    _pack(tmp_path)
    done = subprocess.run([sys.executable, "-c", SEGFAULT, str(tmp_path)], check=False, capture_output=True, text=True)
    assert done.returncode == -signal.SIGSEGV, done.stderr
    found = json.loads(done.stdout)
    assert found["score"]["success"] is True and faults_of(tmp_path / found["bundle"]) == ()
    assert (tmp_path / found["bundle"] / "scores" / "score-1.json").is_file()
