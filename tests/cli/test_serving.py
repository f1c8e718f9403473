"""`--fresh`, `serve` and `--connect`: attempts on an engine in another process, from the command line."""

from __future__ import annotations

import json
import os
import signal
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from assistcore.world.errors import InfrastructureError, InputError
from assistworld.cli.main import main
from assistworld.engines.remote.announced import connected, keep
from assistworld.engines.remote.client import RemoteEngine
from assistworld.engines.remote.process import ServerProcess, free_port
from assistworld.episodes.bundle import open_bundle
from assistworld.studies import attempt as attempts
from tests.cli import toy_agents
from tests.engines.remote.test_remote import FAKES, TOY
from tests.episodes.playing import PACK

ENGINE = "tests.episodes.toy_engine:ToyEngine"
RUN = ["run", "toy_cup", "--packs", "packs", "--frames", "none", "--json", "--engine", ENGINE]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(attempts, "ASSISTANTS", toy_agents.ASSISTANTS)
    monkeypatch.setattr(attempts, "HUMANS", toy_agents.HUMANS)
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "toy_cup.yaml").write_text(yaml.safe_dump(json.loads(json.dumps(PACK))))
    return tmp_path


class Kept:
    """A `serve` that runs in a thread."""

    def __init__(self, engine: str, announcement: Path) -> None:
        self.place = ServerProcess(engine, port=free_port(), limit_s=20.0)
        self.announcement, self.said, self.failure = announcement, list[str](), ""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def _keep(self) -> None:
        try:
            keep(self.place, self.announcement, say=self.said.append, until=self._stop.is_set)
        except InfrastructureError as error:
            self.failure = str(error)

    def wait(self, lines: int) -> None:
        until = time.monotonic() + 60.0
        while len(self.said) < lines and not self.failure:
            assert time.monotonic() < until, self.said
            time.sleep(0.02)

    def end(self) -> None:
        self._stop.set()
        self._thread.join(60.0)


@pytest.fixture
def kept(home: Path) -> Iterator[Kept]:
    serving = Kept(ENGINE, home / "server.json")
    serving.wait(1)
    yield serving
    serving.end()
    assert not serving.announcement.exists() and serving.place.pid is None


def _engine_process(folder: Path) -> str:
    return str(open_bundle(folder).timing()[0]["engine_process"])


def test_attempts_on_fresh_processes_and_on_a_warm_server_say_so(home: Path, kept: Kept, capsys: pytest.CaptureFixture[str]) -> None:
    heads = set()
    for options, process in (["--fresh"], "fresh process"), (["--connect", "server.json"], "warm process"):
        assert main([*RUN, *options]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["score"]["success"] is True
        assert _engine_process(home / found["bundle"]) == process
        heads.add(json.loads((home / found["bundle"] / "manifest.json").read_text())["head"])
    assert len(heads) == 1, "the same episode wherever the engine lives"


def test_the_announcement_is_for_its_owner_alone(kept: Kept) -> None:
    assert stat.S_IMODE(kept.announcement.stat().st_mode) == 0o600


def test_a_server_that_is_killed_is_replaced_on_the_same_port(kept: Kept) -> None:
    engine = connected(kept.announcement, ENGINE, {})
    engine.reset(TOY, 0)
    assert kept.place.pid is not None
    os.kill(kept.place.pid, signal.SIGKILL)
    with pytest.raises(InfrastructureError, match="the server was lost in tick"):
        engine.tick()
    engine.reset(TOY, 1)
    assert engine.tick().snapshot.tick == 1
    engine.close()
    kept.wait(3)
    assert "SIGKILL; starting another" in kept.said[1] and kept.said[0].partition(" (")[0] == kept.said[2].partition(" (")[0]


def test_what_is_asked_of_a_running_server_must_fit_it(kept: Kept, home: Path) -> None:
    with pytest.raises(InputError, match=f"serves '{ENGINE}', not 'house'"):
        connected(kept.announcement, "house", {})
    with pytest.raises(InputError, match="--gait: the person of a running server"):
        connected(kept.announcement, ENGINE, {"gait": Path("walk.npz")})
    with pytest.raises(InputError, match="no such file"):
        connected(home / "other.json", ENGINE, {})
    (home / "other.json").write_text("[]")
    with pytest.raises(InputError, match="no announcement of a server"):
        connected(home / "other.json", ENGINE, {})


def test_a_server_that_does_not_stay_up_is_given_up(home: Path) -> None:
    serving = Kept(f"{FAKES}:NeverStarts", home / "server.json")
    serving.wait(99)
    assert "libGL: no device of this kind" in serving.failure
    serving.end()


def test_closing_the_client_leaves_a_kept_server_running(kept: Kept) -> None:
    for seed in range(2):
        engine: RemoteEngine = connected(kept.announcement, ENGINE, {})
        engine.reset(TOY, seed)
        engine.close()
    assert kept.place.starts == 1 and kept.place.pid is not None
