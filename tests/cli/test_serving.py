"""`--fresh`, `serve` and `--connect`: attempts on an engine in another process, from the command line."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from assistcore.world.errors import InfrastructureError, InputError
from assistworld.cli.main import main
from assistworld.engines.remote.announced import AnnouncedServer, announce, keep
from assistworld.engines.remote.client import RemoteEngine
from assistworld.engines.remote.connecting import connected
from assistworld.engines.remote.process import ServerProcess, free_port
from assistworld.episodes.bundle import open_bundle
from assistworld.studies import attempt as attempts
from tests.cli import toy_agents
from tests.engines.remote.test_remote import FAKES, TOY
from tests.episodes.playing import PACK, play

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
    engine = connected(str(kept.announcement))
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
        connected(str(kept.announcement), engine="house")
    with pytest.raises(InputError, match="--gait: a running server goes on as it was started"):
        connected(str(kept.announcement), options=["gait"])
    with pytest.raises(InputError, match="no such file"):
        connected(str(home / "other.json"))
    for wrong in ("[]", "{", json.dumps({"engine": ENGINE, "port": "x"})):
        (home / "other.json").write_text(wrong)
        with pytest.raises(InputError, match="no announcement of a server"):
            connected(str(home / "other.json"))


def test_a_server_that_does_not_stay_up_is_given_up(home: Path) -> None:
    serving = Kept(f"{FAKES}:NeverStarts", home / "server.json")
    serving.wait(99)
    assert "libGL: no device of this kind" in serving.failure
    serving.end()


def test_closing_the_client_leaves_a_kept_server_running(kept: Kept) -> None:
    for seed in range(2):
        engine: RemoteEngine = connected(str(kept.announcement))
        engine.reset(TOY, seed)
        engine.close()
    assert kept.place.starts == 1 and kept.place.pid is not None


def by_hand(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> str:
    """The kept server as one that somebody has started by hand."""
    monkeypatch.setenv("ASSISTWORLD_TOKEN", kept.place.token)
    return f"127.0.0.1:{kept.place.port}"


def test_a_server_started_by_hand_is_found_by_its_port(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    address = by_hand(kept, monkeypatch)
    assert main([*RUN[:-1], "toy", "--connect", address]) == 0
    assert json.loads(capsys.readouterr().out)["score"]["success"] is True
    monkeypatch.setenv("ASSISTWORLD_TOKEN", "of another server altogether")
    assert main([*RUN[:-1], "toy", "--connect", address]) == 3
    assert "the token is missing or wrong" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--connect", "{address}", "--engine", "house"], "serves 'toy', not 'house' (give --engine toy)"),
        (["--connect", "far.example:80"], "listens on its own machine's loopback only (give 127.0.0.1:PORT"),
        (["--connect", "127.0.0.1:99999"], "loopback only"),
        (["--connect", "{address}", "--limit-s", "9"], "--limit-s: a running server goes on as it was started"),
        (["--connect", "missing.json"], "missing.json: no such file"),
    ],
)
def test_a_word_that_names_no_such_server_is_an_error_with_the_fix(
    words: list[str], said: str, kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    address = by_hand(kept, monkeypatch)
    assert main(["contract", "stamps", *(w.format(address=address) for w in words)]) == 2
    assert said in capsys.readouterr().err
    assert kept.place.starts == 1


def test_without_the_token_a_port_is_no_server(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("ASSISTWORLD_TOKEN", raising=False)
    assert main(["contract", "stamps", "--connect", "localhost:8011"]) == 2
    assert "ASSISTWORLD_TOKEN is not set" in capsys.readouterr().err


def test_contract_and_parity_take_servers_and_functions_where_they_take_names(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The toy world keeps no promise of a house: what counts is which engine was asked."""
    address = by_hand(kept, monkeypatch)
    for words in ["--connect", "server.json"], ["--connect", address], ["--engine", "server.json"], ["--engine", ENGINE]:
        assert main(["contract", "stamps", "--json", *words]) == 1
        found = json.loads(capsys.readouterr().out)
        assert found["engine"] in ("toy", words[-1]) and "flat" in found["checks"]["stamps"][0], found
    monkeypatch.setattr("taskpacks.loader.list_packs", lambda folders=(): [])
    for pair in (["server.json", ENGINE], [ENGINE, "server.json"]):
        assert main(["parity", *pair, "--limit-s", "20", "--packs", "packs/toy_cup.yaml", "--json"]) in (0, 1)
        assert json.loads(capsys.readouterr().out)["engines"] == pair


@pytest.mark.parametrize("wrong", ["no.such.module:make", "tests.episodes.toy_engine:NoToy", "tests.episodes.toy_engine:"])
def test_a_function_that_is_not_there_is_named(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contract", "stamps", "--engine", wrong]) == 2
    assert f"{wrong}: " in capsys.readouterr().err


def test_a_client_that_loses_a_server_waits_for_the_one_that_is_announced_next(home: Path) -> None:
    """By its process number, whatever still answers on the port: a server that has lost its client is not the one to go on with."""
    here = ServerProcess(ENGINE, port=free_port())
    here.start()
    file = home / "server.json"
    announce(file, here)
    engine = connected(str(file))
    engine.reset(TOY, 0)
    old = AnnouncedServer(file)
    old.renew()
    asked = threading.Event()

    def wait() -> None:
        old.connect().close()
        asked.set()

    threading.Thread(target=wait, daemon=True).start()
    assert not asked.wait(0.6), "the lost server listens still, and is announced still"
    announced = json.loads(file.read_text())
    file.write_text(json.dumps({**announced, "pid": announced["pid"] + 1}))
    assert asked.wait(20.0)
    old.renew()
    file.unlink()
    with pytest.raises(InfrastructureError, match="server.json is gone: `assistworld serve` has ended"):
        old.connect()
    file.write_text(json.dumps({**announced, "pid": announced["pid"] + 1, "start_s": 0.0}))
    old.now = replace(old.now, start_s=0.0)
    with pytest.raises(InfrastructureError, match=r"no other is announced .*; is `assistworld serve` still running"):
        old.connect()
    engine.close()
    here.renew()


def test_a_kept_server_that_is_given_up_is_replaced_though_it_lives(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stalls where its own watchdog cannot end it: the client's deadline is the one that is left."""
    monkeypatch.setenv("TOY_MARKER", str(home / "marker"))
    serving = Kept(f"{FAKES}:Stalled", home / "server.json")
    serving.wait(1)
    engine = RemoteEngine(AnnouncedServer(home / "server.json"), limit_s=1.0)
    first = serving.place.pid
    ended, _, _, _ = play(home / "a", engine=engine)  # type: ignore[arg-type]
    assert ended.void and "stalled in tick (1.0 s); the server is replaced" in ended.detail
    again, _, _, _ = play(home / "b", engine=engine)  # type: ignore[arg-type]
    assert again.reason == "declared" and serving.place.pid != first
    assert "was given up by its client; starting another" in serving.said[1] and not (home / "server.json.lost").exists()
    engine.close()
    serving.end()


def test_serve_that_is_told_to_end_leaves_no_announcement_and_no_server(home: Path) -> None:
    """As a service manager ends it, with SIGTERM."""
    command = [sys.executable, "-m", "assistworld.cli.main", "serve", "--engine", ENGINE, "--announce", "server.json"]
    with subprocess.Popen(command, cwd=home, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None and "what it prints goes to server.log" in serving.stdout.readline()
        assert "serving" in serving.stdout.readline()
        pid = json.loads((home / "server.json").read_text())["pid"]
        serving.terminate()
        assert serving.wait(30.0) == 0 and "the server has ended" in serving.stdout.read()
    assert not (home / "server.json").exists() and not Path(f"/proc/{pid}").exists()
