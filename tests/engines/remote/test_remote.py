"""An engine in another process: the same bundles, strangers refused with the reason, and whatever dies, hangs or grows is replaced."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from assistcore.world.commands import Command, How, Parsed, PlaceSpot
from assistcore.world.engine import Engine, Scenario, Step
from assistcore.world.errors import InfrastructureError, InputError, VersionError
from assistcore.world.graph import Change, SceneGraph
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Outcome, Refusal, Status
from assistcore.world.snapshots import Kind, Observation, Snapshot
from assistworld.engines.remote import client, make, process, server, wire
from assistworld.engines.remote.client import RemoteEngine
from assistworld.engines.remote.memory import open_files
from assistworld.engines.remote.process import ServerAddress, ServerProcess
from assistworld.engines.remote.protocol import contract
from assistworld.engines.remote.values import decode, encode
from assistworld.episodes.bundle import faults_of
from tests.episodes.playing import play
from tests.episodes.toy_engine import ToyEngine

TOY = Scenario("toy", {"spot": "table_1"}, ())
FAKES = "tests.engines.remote.fakes"
TOKEN = "0123456789abcdef"

PLACED = Command("place", (EntityRef("red_mug", 2), 0.1, "x", (1.0, -0.0)), PlaceSpot(-1.0, 0.25))
MOVED = {"cup_1": (0.1, math.pi, -0.0, 1.0, 5e-324, 0.0, 0.0)}
VALUES = [
    Step((Change(3, "cup_1", "on", None, ("table_1",), "[Put]"),), None, Snapshot(3), marks=("look_hold",)),
    Outcome(Status.FAILED, PLACED, Refusal("BUSY", "f"), 1, 9),
    Parsed(Command("wait", (1e-308,)), How.REPAIRED, "[Wait] 1e-308"),
    SceneGraph({("a", "place"): (1, -2, 3), ("b", "open"): True, ("c", "note"): "ü", ("d", "x"): None}),
    Snapshot(7, MOVED, {"door_1.hinge": 1.5}, tuple(0.1 * i for i in range(159)), {"a": "b"}, b"\0\1"),
    Observation(1, "fpv", Kind.IMAGE, "00", b"\xff\xd8" + bytes(range(256))),
    (True, 1, 1.0, -0.0, math.inf, "1", None, [1, (2,)], frozenset({"b", "a"}), Fraction(1, 12), {"k": {"v": 1}}, b""),
]


def told(value: Any) -> Any:
    """A value with the type of every part spelled out and its floats as bits: equal for what is the same, whatever order a set or a
    mapping is in; -0.0 and 0.0, 1, True and 1.0 differ, and a NaN is equal to itself."""
    if isinstance(value, float):
        return type(value).__name__, struct.pack("<d", value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, {f.name: told(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, frozenset):
        return type(value).__name__, sorted((told(v) for v in value), key=repr)
    if isinstance(value, tuple | list):
        return type(value).__name__, [told(v) for v in value]
    if isinstance(value, Mapping):
        return "mapping", {(type(k).__name__, k): told(v) for k, v in value.items()}
    return type(value).__name__, value


@pytest.mark.parametrize("value", VALUES, ids=lambda v: type(v).__name__)
def test_values_cross_bit_for_bit(value: object) -> None:
    blobs: list[bytes] = []
    assert told(decode(encode(value, blobs), blobs)) == told(value)


@pytest.mark.parametrize(
    ("one", "other"),
    [(0.0, -0.0), (1, True), (1, 1.0), (True, 1.0), ("1", 1), ((1,), [1]), (b"", ""), (math.nan, math.inf), ({"a": 1}, {"a": True})],
    ids=repr,
)
def test_the_comparison_tells_apart_what_python_calls_equal(one: object, other: object) -> None:
    assert told((one,)) != told((other,)) and told(frozenset({"a", "b"})) == told(frozenset({"b", "a"}))
    assert told([one, math.nan]) == told([one, math.nan])


def test_nan_and_long_float_rows_cross_too() -> None:
    row = (math.nan, *(float(i) for i in range(20)))
    blobs: list[bytes] = []
    assert repr(decode(encode(row, blobs), blobs)) == repr(row) and len(blobs) == 1
    assert repr(decode(encode((math.nan,), []), [])) == "(nan,)"


@pytest.mark.parametrize("value", [object(), threading.Lock(), {1: 2}, {"!": 1}, ToyEngine, Path("x")])
def test_what_may_not_cross_is_refused_with_its_type(value: object) -> None:
    with pytest.raises(TypeError, match="does not cross the wire"):
        encode(value, [])


@pytest.mark.parametrize(
    "data", [{"!": "Popen", "args": ["true"]}, {"!": "Refusal", "cod": "x"}, {"!": "floats", "i": 4}, {"!": "Status", "v": "x"}]
)
def test_what_is_no_value_is_an_error_and_runs_nothing(data: object) -> None:
    with pytest.raises(InfrastructureError, match="not a value of this protocol"):
        decode(data, [])


@pytest.fixture
def place() -> Iterator[ServerProcess]:
    started = ServerProcess("tests.episodes.toy_engine:ToyEngine", limit_s=30.0)
    yield started
    started.renew()


def test_an_episode_over_the_wire_writes_the_same_bundle(tmp_path: Path, place: ServerProcess) -> None:
    play(tmp_path / "here")
    remote = RemoteEngine(place)
    ended, _, _, _ = play(tmp_path / "there", engine=remote)  # type: ignore[arg-type]
    assert ended.reason == "declared"
    for name in ("events.jsonl", "manifest.json"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()
    remote.close()
    assert place.pid is None and place.starts == 1
    remote.close()  # idempotent


def test_what_an_engine_raises_on_purpose_arrives_as_it_was(place: ServerProcess) -> None:
    remote = RemoteEngine(place)
    with pytest.raises(InputError) as wrong:
        remote.reset(Scenario("moon", {}, ({"move": "red_cub_1"},)), 0)
    assert [p.where for p in wrong.value.problems] == ["scenario#/changes/0", "scenario#/scene"]
    remote.reset(TOY, 3)
    with pytest.raises(InfrastructureError, match="failed in restore"):
        remote.restore(b"no state")
    saved = remote.save()
    before = remote.digest()
    for _ in range(3):
        remote.tick()
    remote.restore(saved)
    assert remote.digest() == before
    with pytest.raises(VersionError):
        remote.restore(saved.replace(b"[1,", b"[9,", 1))
    remote.close()


@pytest.mark.parametrize(("fake", "said"), [("Killed", "was ended by SIGKILL"), ("Stalled", "stalled in tick")])
def test_a_server_lost_in_the_middle_voids_that_attempt_and_the_next_runs_on_a_fresh_one(
    fake: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_MARKER", str(tmp_path / "marker"))
    place = ServerProcess(f"{FAKES}:{fake}", limit_s=60.0)
    remote = RemoteEngine(place, limit_s=2.0)
    began = time.monotonic()
    ended, _, _, _ = play(tmp_path / "a", engine=remote)  # type: ignore[arg-type]
    assert (ended.reason, ended.void) == ("infrastructure", True) and said in ended.detail, ended.detail
    assert time.monotonic() - began < 30.0
    assert faults_of(tmp_path / "a") == (), "what was recorded is complete"
    again, _, _, _ = play(tmp_path / "b", engine=remote)  # type: ignore[arg-type]
    assert again.reason == "declared" and place.starts == 2
    remote.close()


def test_the_servers_own_watchdog_names_the_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_MARKER", str(tmp_path / "marker"))
    remote = RemoteEngine(ServerProcess(f"{FAKES}:Stalled", limit_s=1.0))
    ended, _, _, _ = play(tmp_path / "a", engine=remote)  # type: ignore[arg-type]
    assert "was ended by its watchdog" in ended.detail and "stalled in tick (1.0 s)" in ended.detail
    remote.close()


def test_an_engine_that_dies_at_shutdown_takes_no_result_with_it(tmp_path: Path) -> None:
    """cases.md A, IsaacLab#3730: the application's close() ends in a segmentation fault."""
    remote = RemoteEngine(ServerProcess(f"{FAKES}:CrashesAtShutdown"))
    ended, _, _, _ = play(tmp_path / "a", engine=remote)  # type: ignore[arg-type]
    with pytest.raises(InfrastructureError, match="SIGSEGV at shutdown; results written before are complete"):
        remote.close()
    assert ended.reason == "declared" and faults_of(tmp_path / "a") == ()


def test_a_start_that_takes_long_is_no_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """cases.md C, BEHAVIOR-1K#1837: minutes without a word. Isaac Sim compiles shaders at its first start."""
    monkeypatch.setenv("TOY_MARKER", str(tmp_path / "marker"))
    monkeypatch.setattr(process, "PROGRESS_S", 0.05)
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if "compiling shaders" in line:
            (tmp_path / "marker").touch()

    remote = RemoteEngine(ServerProcess(f"{FAKES}:StartsSlowly", say=say))
    assert said[0].endswith("(nothing printed yet)") and said[-1].endswith("s (compiling shaders, 3 of 400)")
    assert all(line.startswith(f"starting {FAKES}:StartsSlowly for ") for line in said)
    remote.close()


def test_an_engine_that_does_not_start_is_quoted() -> None:
    with pytest.raises(InfrastructureError, match=r"(?s)ended with status 9.*libGL: no device of this kind"):
        RemoteEngine(ServerProcess(f"{FAKES}:NeverStarts"))
    with pytest.raises(InfrastructureError, match="/no/such/python: No such file"):
        RemoteEngine(ServerProcess("house", command=("/no/such/python",)))
    with pytest.raises(InfrastructureError, match="/no/such/folder/log: No such file"):
        RemoteEngine(ServerProcess("house", log=Path("/no/such/folder/log")))
    with pytest.raises(InfrastructureError, match="no engine named 'hause'; did you mean 'house'"):
        RemoteEngine(ServerProcess("hause"))


@pytest.mark.parametrize("kept", [False, True], ids=["with its process", "in a file"])
def test_what_a_lost_server_printed_last_is_quoted(kept: bool, tmp_path: Path) -> None:
    """Its log goes with it unless it is kept: what the user needs stands in the error. One that is kept has process after process."""
    log = tmp_path / "server.log" if kept else None
    remote = RemoteEngine(ServerProcess(f"{FAKES}:Raises", log=log))
    for seed in (1, 2):
        with pytest.raises(
            InfrastructureError, match=rf"(?s)lost in reset: it ended with status 3; it printed last:\s+Xid 79.*\({seed}\)$"
        ):
            remote.reset(TOY, seed)
    remote.close()
    if log is not None:
        assert [line[-2] for line in log.read_text().splitlines() if line.startswith("Xid")] == ["1", "2"]


def test_a_server_over_its_memory_is_replaced_at_the_next_reset() -> None:
    limit_mb = 300.0
    place = ServerProcess(f"{FAKES}:Greedy", memory_mb=limit_mb)
    remote = RemoteEngine(place)
    sizes = []
    for seed in range(5):
        remote.reset(TOY, seed)
        sizes.append(remote.resident_mb)
    assert place.starts > 1 and max(sizes) < limit_mb + 140.0, sizes
    remote.close()


SCRIPT = """#!/bin/sh
"$@" || { echo "There was an error running python"; exit 1; }
"""
"""As the python.sh of a binary installation of Isaac Sim runs its Python: as a child of the shell."""


@pytest.mark.parametrize("through", [False, True], ids=["python", "a shell script"])
def test_a_server_does_not_outlive_whoever_started_it(through: bool, tmp_path: Path) -> None:
    """Not even after kill -9, and not where a shell stands between them."""
    script = tmp_path / "python.sh"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    command = (str(script), sys.executable, "-m", "assistworld.engines.remote") if through else ()
    program = (
        "import json, os, signal\n"
        "from assistworld.engines.remote.client import RemoteEngine\n"
        "from assistworld.engines.remote.process import ServerProcess\n"
        f"place = ServerProcess('tests.episodes.toy_engine:ToyEngine', command={command!r})\n"
        "RemoteEngine(place)\n"
        "print(json.loads(open(place._folder.name + '/ready.json').read())['pid'], flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    server_pid = int(run.stdout)
    until = time.monotonic() + 20.0
    while Path(f"/proc/{server_pid}").exists():
        assert time.monotonic() < until, f"server {server_pid} is still there"
        time.sleep(0.05)


def test_a_server_behind_a_shell_script_ends_with_it_and_leaves_nothing(tmp_path: Path) -> None:
    script = tmp_path / "python.sh"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    place = ServerProcess("tests.episodes.toy_engine:ToyEngine", command=(str(script), sys.executable, "-m", "assistworld.engines.remote"))
    before = open_files()
    for close in (lambda e: e.close(), lambda e: place.renew()):
        engine = RemoteEngine(place)
        running = json.loads((place._log.parent / "ready.json").read_text())["pid"]
        assert running != place.pid and Path(f"/proc/{running}").exists()
        close(engine)
        engine._hang_up()
        until = time.monotonic() + 20.0
        while Path(f"/proc/{running}").exists():
            assert time.monotonic() < until, f"the shell has ended, its child {running} has not"
            time.sleep(0.02)
    assert open_files() == before


def test_only_a_group_that_is_still_ours_is_killed(place: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a process was waited for, the system may give its number to somebody else, and with it the number of its group."""
    killed: list[int] = []

    def kill_group(group: int, number: int) -> None:
        os.waitid(os.P_PID, group, os.WEXITED | os.WNOHANG | os.WNOWAIT)  # raises where it was waited for
        killed.append(group)
        kill(group, number)

    kill = os.killpg
    monkeypatch.setattr(os, "killpg", kill_group)
    for lose in (lambda: place.pid, place.ended, place.close, lambda: None):
        engine = RemoteEngine(place)
        assert place.pid is not None
        os.kill(place.pid, signal.SIGKILL)
        lose()
        place.renew()
        place.renew()
        engine._hang_up()
    assert len(killed) == place.starts == 4


def test_what_a_server_started_ends_with_it_though_it_died_first(tmp_path: Path) -> None:
    """As helpers of Isaac Sim: in its group, without the pipe by which a server notices that nobody wants it any more."""
    script = tmp_path / "python.sh"
    script.write_text(f'#!/bin/sh\nsleep 600 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&- &\necho $! >"{tmp_path}/helper"\nexec "$@"\n')
    script.chmod(0o755)
    place = ServerProcess("tests.episodes.toy_engine:ToyEngine", command=(str(script), sys.executable, "-m", "assistworld.engines.remote"))
    engine = RemoteEngine(place)
    helper = Path(f"/proc/{(tmp_path / 'helper').read_text().strip()}")
    assert place.pid is not None and helper.exists()
    os.kill(place.pid, signal.SIGKILL)
    until = time.monotonic() + 20.0
    while place.pid is not None or (helper.exists() and " Z " not in (helper / "stat").read_text()):
        assert time.monotonic() < until, f"{helper} is still there"
        time.sleep(0.02)
    engine._hang_up()
    place.renew()


def test_a_server_is_started_and_ended_where_children_are_not_waited_for() -> None:
    """SIGCHLD is ignored in what some services start: the system then waits for children by itself, and nobody learns their status."""
    program = (
        "import os, signal\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "from assistworld.engines.remote.client import RemoteEngine\n"
        "from assistworld.engines.remote.process import ServerProcess\n"
        "place = ServerProcess('tests.episodes.toy_engine:ToyEngine')\n"
        "RemoteEngine(place).close()\n"
        "engine = RemoteEngine(place)\n"
        "os.kill(place.pid, signal.SIGKILL)\n"
        "while place.pid is not None: pass\n"
        "print(place.starts, repr(place.close()), place.pid)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (run.stdout, run.stderr) == ("2 '' None\n", "")


@pytest.mark.parametrize("during", ["the start", "the handshake"])
def test_a_start_that_is_interrupted_leaves_nothing(during: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in a program that goes on: there is no engine yet that could be closed."""
    started: list[int] = []

    def interrupted(*args: object) -> None:
        assert ours.pid is not None
        started.append(ours.pid)
        raise KeyboardInterrupt

    ours = ServerProcess("tests.episodes.toy_engine:ToyEngine", say=interrupted)
    if during == "the start":
        monkeypatch.setattr(process, "PROGRESS_S", 0.0)
    else:
        monkeypatch.setattr(client, "receive", interrupted)
    before = open_files()
    with pytest.raises(KeyboardInterrupt):
        RemoteEngine(ours)
    assert not Path(f"/proc/{started[0]}").exists() and ours.pid is None and open_files() == before


def test_a_call_that_is_interrupted_leaves_no_answer_behind(place: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while an answer is awaited: it would else be taken for the answer of the next call."""
    remote = RemoteEngine(place)
    remote.reset(TOY, 0)

    def interrupted(link: socket.socket, limit_s: float | None = None) -> wire.Message:
        raise KeyboardInterrupt

    with monkeypatch.context() as while_waiting:
        while_waiting.setattr(client, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            remote.tick()
    with pytest.raises(InfrastructureError, match="cannot digest: the server was lost before"):
        remote.digest()
    remote.reset(TOY, 0)
    assert remote.tick().snapshot.tick == 1 and place.starts == 2
    remote.close()


def test_a_client_waits_longer_than_the_servers_own_watchdog(place: ServerProcess) -> None:
    """So that it is the watchdog that ends a stalled call: it logs where the call stands."""
    remote = RemoteEngine(place)
    assert remote._limit_s == place.limit_s + client.GRACE_S
    remote.close()


def test_a_fresh_process_for_every_episode(place: ServerProcess) -> None:
    remote = RemoteEngine(place, fresh=True)
    pids = []
    for seed in range(3):
        remote.reset(TOY, seed)
        pids.append(place.pid)
    assert len(set(pids)) == 3 and remote.process == "fresh process"
    remote.close()


@pytest.fixture
def port() -> Iterator[int]:
    serving = server.Server(ToyEngine, TOKEN)  # type: ignore[arg-type]
    threading.Thread(target=serving.serve, daemon=True).start()
    yield serving.port


def test_a_client_without_the_token_is_refused_with_the_reason(port: int) -> None:
    with pytest.raises(InfrastructureError, match="the token is missing or wrong"):
        RemoteEngine(ServerAddress(port, "another token of its own"))


def test_a_client_of_another_version_is_refused_with_both(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "contract", lambda: "0.0.9+000000000000")
    with pytest.raises(InfrastructureError, match=r"this server is of version .*, the client of 0\.0\.9\+0"):
        RemoteEngine(ServerAddress(port, TOKEN))


def test_a_second_client_is_told_that_the_server_is_busy(port: int) -> None:
    first: Engine = RemoteEngine(ServerAddress(port, TOKEN))
    with pytest.raises(InfrastructureError, match="another session is running"):
        RemoteEngine(ServerAddress(port, TOKEN))
    first.close()
    second = RemoteEngine(ServerAddress(port, TOKEN))
    second.close()


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\n\r\n", b"AWR1" + b"\xff" * 8, b"AWR1" + bytes(8) + b"{"])
def test_noise_does_not_disturb_the_server(port: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.sendall(sent)
    engine = RemoteEngine(ServerAddress(port, TOKEN))
    assert engine.reset(TOY, 0).tick == 0
    engine.close()


def said_hello(port: int, proof: object) -> socket.socket:
    """A caller who knows the protocol and is not yet let in."""
    link = socket.create_connection(("127.0.0.1", port))
    asked = wire.receive(link, 10.0).header
    answer = wire.proof(TOKEN, str(asked["challenge"])) if proof is None else proof
    wire.send(link, wire.Message({"assistworld": wire.PROTOCOL, "proof": answer, "contract": contract()}))
    return link


@pytest.mark.parametrize("wrong", ["\u00e9", "\ud800", 7, ["x"]])
def test_a_proof_that_is_none_is_refused(port: int, wrong: object) -> None:
    with said_hello(port, wrong) as link:
        assert "the token is missing or wrong" in wire.receive(link, 10.0).header["refused"]


def test_a_caller_who_hangs_up_while_being_let_in_leaves_the_session_free(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server has taken the session for it and has not yet said so: greeting it fails, the next caller is let in."""
    greeting, gone, failed = threading.Event(), threading.Event(), threading.Event()

    def greet_late(link: socket.socket, message: wire.Message) -> None:
        if "welcome" not in message.header or failed.is_set():
            return wire.send(link, message)
        greeting.set()
        assert gone.wait(10.0)
        hung_up = select.poll()
        hung_up.register(link, select.POLLERR | select.POLLHUP)
        assert hung_up.poll(10_000)
        try:
            return wire.send(link, message)
        finally:
            failed.set()

    monkeypatch.setattr(server, "send", greet_late)
    link = said_hello(port, None)
    assert greeting.wait(10.0)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # so that closing resets the connection
    link.close()
    gone.set()
    assert failed.wait(20.0)
    engine = RemoteEngine(ServerAddress(port, TOKEN))
    assert engine.reset(TOY, 0).tick == 0
    engine.close()


def test_messages_over_the_limit_are_refused() -> None:
    a, b = socket.socketpair()
    with a, b:
        a.sendall(wire.MAGIC + b"\xff\xff\xff\xff\0\0\0\0")
        with pytest.raises(InfrastructureError, match="over the limit"):
            wire.receive(b, 1.0)
        with pytest.raises(wire.Overdue):
            wire.receive(b, 0.05)


def test_no_server_is_said_with_the_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        number = free.getsockname()[1]
    with pytest.raises(InfrastructureError, match=f"no server answers on 127.0.0.1:{number}"):
        RemoteEngine(ServerAddress(number, TOKEN))


def test_two_hundred_resets_leave_memory_and_files_where_they_were(place: ServerProcess) -> None:
    """cases.md A, IsaacSim#812: on the light engine 200 reset cycles grow by less than 10 MB after the 20th; files stay open or closed."""
    remote = RemoteEngine(place)
    sizes, files = [], []
    for seed in range(200):
        remote.reset(TOY, seed)
        sizes.append(remote.resident_mb)
        files.append((open_files(), open_files(place.pid)))
    assert sizes[199] - sizes[19] < 10.0, (sizes[19], sizes[199])
    assert len(set(files)) == 1, set(files)
    remote.close()


@pytest.mark.slow
def test_the_house_over_the_wire_is_the_house() -> None:
    from assistworld.engines.house import make as make_house

    here, there = make_house(), make()
    scenario = Scenario("flat")
    try:
        assert there.reset(scenario, 1) == here.reset(scenario, 1)
        assert there.offer("human") == here.offer("human") and there.graph() == here.graph() and there.summary() == here.summary()
        parsed = there.parse("[TurnLeft]")
        assert isinstance(parsed, Parsed) and there.begin(parsed.command) is None and here.begin(parsed.command) is None
        while not here.idle():
            assert there.tick() == here.tick() and there.digest() == here.digest()
        assert there.idle()
    finally:
        there.close()
        here.close()
