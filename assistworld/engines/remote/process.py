"""Where a server is found: a process of our own that we start, replace and end, or one that somebody else keeps."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Protocol

from assistcore.world.errors import InfrastructureError
from assistcore.world.registry import Registry
from assistworld.engines.remote.protocol import MEMORY_EXIT, STALLED_EXIT, TOKEN

LIMIT_S = 300.0
START_S = 600.0
"""Isaac Sim takes minutes at its first start."""
END_S = 30.0
LAST_LINES = 20
PROGRESS_S = 10.0
"""A start that takes longer says so, and again, each time with the line that was printed last."""


class Place(Protocol):
    """Where a client finds its server."""

    ours: bool
    """Whether the server lives and dies with this object."""

    @property
    def token(self) -> str:
        """What whoever calls must have."""

    @property
    def limit_s(self) -> float:
        """Longest time of one call, which the server itself watches over."""

    def connect(self) -> socket.socket:
        """A fresh connection; starts the server where it is ours and not running. Raises InfrastructureError."""

    def renew(self) -> None:
        """The server was lost or is of no use any more: the next `connect` is to find another."""

    def ended(self) -> str:
        """How the server ended, in words, empty where that is not known or it is running."""

    def close(self) -> str:
        """No more calls. Returns what went wrong at the end, empty where nothing did."""


class ServerProcess:
    """A server in a process that lives as long as this object wants.

    engine: a registered name or `module:function`. command: how to start a server, followed by its arguments (default: what the engine's
    module says with `server_command()`, else this Python). start_s: how long it may take until it listens. log: a file to which
    what it prints is appended (default: one that goes with the process); its last lines are quoted when it fails. say: told how a
    start goes that takes long. options: passed by name to what makes the engine.
    """

    ours = True

    def __init__(
        self,
        engine: str,
        *,
        command: Sequence[str] = (),
        limit_s: float = LIMIT_S,
        memory_mb: float = float("inf"),
        start_s: float | None = None,
        port: int = 0,
        token: str = "",
        log: Path | None = None,
        say: Callable[[str], None] = lambda line: None,
        options: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.engine, self.token, self.limit_s = engine, token or secrets.token_hex(32), limit_s
        self._command, allowed_s = (tuple(command), START_S) if command else how_to_start(engine)
        self._options = ["--engine", engine, "--limit-s", str(limit_s), "--memory-mb", str(memory_mb), "--port", str(port)]
        for name, value in options.items():
            self._options += ["--option", f"{name}={value}"]
        self.start_s = allowed_s if start_s is None else start_s
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._reaping = threading.Lock()
        self._lifeline: int | None = None
        self._port = 0
        self._kept_log, self._log_from, self._say = log, 0, say
        self.starts = 0
        """How many processes were started so far."""

    @property
    def pid(self) -> int | None:
        """The running server's process, None where there is none."""
        process = self._process
        return process.pid if process is not None and self._status(process) is None else None

    @property
    def port(self) -> int:
        """Where the running server listens."""
        return self._port

    def connect(self) -> socket.socket:
        """See `Place`."""
        if self.pid is None:
            self.start()
        return dial(self._port)

    def start(self) -> None:
        """Start a process and wait until it listens. Raises InfrastructureError with what it printed last.

        It has a session of its own, so that `renew` ends whatever it starts, and holds one end of a pipe: when this process ends in
        whatever way, the other end is closed, and it ends too, even where it was started through a shell script.
        """
        self.renew()
        self._folder = tempfile.TemporaryDirectory(prefix="assistworld-server-")
        ready = Path(self._folder.name) / "ready.json"
        try:
            self._wait_for(ready, self._launch(ready))
        except BaseException:  # interrupted too: nobody else knows of the process
            self.renew()
            raise
        self._port = int(json.loads(ready.read_text(encoding="ascii"))["port"])

    def _launch(self, ready: Path) -> subprocess.Popen[bytes]:
        theirs, self._lifeline = os.pipe()
        try:
            with open(self._log, "ab") as log:
                self._log_from = log.tell()
                self._process = subprocess.Popen(
                    [*self._command, *self._options, "--ready", str(ready), "--while-open", str(theirs)],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env={**os.environ, TOKEN: self.token},
                    pass_fds=(theirs,),
                    start_new_session=True,
                )
        except OSError as error:
            raise InfrastructureError("start engine", f"{error.filename or self._command[0]}: {error.strerror or error}") from error
        finally:
            os.close(theirs)
        self.starts += 1
        return self._process

    def _wait_for(self, ready: Path, process: subprocess.Popen[bytes]) -> None:
        """Until a process that was launched has written where it listens; one that has ended or takes too long is an error."""
        began = told = time.monotonic()
        until = began + self.start_s
        while not ready.is_file():
            if self._status(process) is not None:
                raise InfrastructureError("start engine", f"{self.engine}: {self.ended()}")
            if time.monotonic() > until:
                raise InfrastructureError("start engine", f"{self.engine}: stalled in start ({self.start_s:.0f} s)")
            if time.monotonic() - told > PROGRESS_S:
                told = time.monotonic()
                self._say(f"starting {self.engine} for {told - began:.0f} s ({'; '.join(self._printed()[-1:]) or 'nothing printed yet'})")
            time.sleep(0.02)

    def renew(self) -> None:
        """See `Place`: the process is killed with all that it started, the next `connect` starts another."""
        if self._process is not None:
            self._status(self._process, kill=True)
            self._process = None
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def ended(self) -> str:
        """See `Place`; with the call that its watchdog named, else with what it printed last."""
        if self._process is None:
            return ""
        code = self._status(self._process, within_s=2.0)
        if code is None:
            return ""
        return ending(code) + (self._named_stall() or ("" if code in (0, MEMORY_EXIT) else self._last_lines()))

    def close(self) -> str:
        """See `Place`: waits for the process, which was asked to end, then kills it. Results are complete before this."""
        process, said = self._process, ""
        if process is not None:
            code = self._status(process, within_s=END_S)
            if code is None:
                said = f"the engine did not end within {END_S:.0f} s of being asked and was killed"
            elif code != 0:
                said = f"the engine {ending(code)} at shutdown"
        self.renew()
        return said

    def _status(self, process: subprocess.Popen[bytes], *, within_s: float = 0.0, kill: bool = False) -> int | None:
        """Exit status of a process, once it has ended or is killed, None while it runs on. What it started is killed with it.

        That comes first and waiting for it last: only then may the system give its number, which is its group's too, to somebody else.
        """
        until = time.monotonic() + within_s
        while True:
            with self._reaping:
                try:
                    if process.returncode is None and (_has_ended(process.pid) or kill):
                        os.killpg(process.pid, signal.SIGKILL)
                        process.wait()
                except ChildProcessError:  # Where SIGCHLD is ignored, the system itself has waited for it.
                    process.wait()
                if process.returncode is not None or time.monotonic() >= until:
                    return process.returncode
            time.sleep(0.005)

    @property
    def _log(self) -> Path:
        return self._kept_log or Path(self._folder.name if self._folder is not None else ".") / "server.log"

    def _printed(self) -> list[str]:
        """What the process that was started last has printed, line by line."""
        try:
            with open(self._log, "rb") as log:
                log.seek(self._log_from)
                return log.read().decode("utf-8", errors="replace").strip().splitlines()
        except OSError:
            return []

    def _last_lines(self) -> str:
        lines = self._printed()[-LAST_LINES:]
        return "; it printed last:\n" + "\n".join(f"    {line}" for line in lines) if lines else ""

    def _named_stall(self) -> str:
        """The call that the server's own watchdog named."""
        named = (line.partition(": ")[2] for line in reversed(self._printed()) if line.startswith("assistworld server: stalled"))
        return next((f" ({stall})" for stall in named), "")


def _has_ended(pid: int) -> bool:
    """Whether a child that nobody has waited for has ended. It is still to be waited for afterwards."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def needs_own_process(engine: str) -> bool:
    """Whether a registered engine cannot live in this process: its module says with `server_command()` how a server for it is started."""
    return hasattr(_module(engine), "server_command")


def how_to_start(engine: str) -> tuple[tuple[str, ...], float]:
    """The command that starts a server for an engine, and within how many seconds it must listen."""
    module = _module(engine)
    if module is not None and hasattr(module, "server_command"):
        return tuple(module.server_command()), float(getattr(module, "FIRST_START_S", START_S))
    return (sys.executable, "-m", "assistworld.engines.remote"), START_S


def _module(engine: str) -> ModuleType | None:
    registry = Registry("engine", "assistworld.engines")
    return registry.load(engine) if engine in registry.names() else None


class ServerAddress:
    """A server on this machine that somebody has started by hand and nobody replaces."""

    ours = False

    def __init__(self, port: int, token: str, *, limit_s: float = LIMIT_S) -> None:
        self.token, self.limit_s, self._port = token, limit_s, port

    def connect(self) -> socket.socket:
        """See `Place`."""
        return dial(self._port)

    def renew(self) -> None:
        """See `Place`. There is nobody to ask for another one."""

    def ended(self) -> str:
        """See `Place`."""
        return ""

    def close(self) -> str:
        """See `Place`."""
        return ""


def dial(port: int) -> socket.socket:
    """A connection to a server on this machine. Raises InfrastructureError."""
    try:
        link = socket.create_connection(("127.0.0.1", port), timeout=10.0)
    except OSError as error:
        raise InfrastructureError("connect", f"no server answers on 127.0.0.1:{port}: {error.strerror or error}") from error
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def free_port() -> int:
    """A port of this machine that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def ending(code: int) -> str:
    """An exit status in words."""
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    named = {STALLED_EXIT: "was ended by its watchdog", MEMORY_EXIT: "asked to be replaced for its memory"}
    return f"{named.get(code, 'ended')} with status {code}"
