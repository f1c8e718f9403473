"""A server kept warm by `assistworld serve`: announced in a file that only its owner can read, replaced whenever it ends.

The announcement tells by its process number which server is the new one: a client that has lost one leaves a note beside the file and
waits for the announcement of another. Whoever keeps the server reads the note and replaces it, also where it hangs and cannot tell.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from assistcore.world.errors import InfrastructureError, InputError, Problem
from assistworld.engines.remote.process import ServerProcess, dial
from assistworld.engines.remote.protocol import contract

FAILURES = 3
"""Servers that end within MINUTE_S one after the other; then something is wrong that another start does not mend."""
MINUTE_S = 60.0
SERVE = "start one with `assistworld serve`, which prints the file"


@dataclass(frozen=True)
class Announcement:
    """Where a kept server is. limit_s: longest time of one call; start_s: how long another one may take until it listens."""

    engine: str
    port: int
    token: str
    contract: str
    pid: int
    limit_s: float
    start_s: float


def keep(place: ServerProcess, announcement: Path, *, say: Callable[[str], None], until: Callable[[], bool] = lambda: False) -> None:
    """Keep a server running, and its announcement true, until interrupted. Raises InfrastructureError where it does not stay up.

    place: where it is started, always on the same port once there is one. until: asked twice a second whether to stop.
    """
    short = 0
    try:
        while True:
            began = time.monotonic()
            place.start()
            announce(announcement, place)
            say(f"serving {place.engine} on 127.0.0.1:{place.port} (process {place.pid}); play with --connect {announcement}")
            while (pid := place.pid) is not None and _lost(announcement) != pid:
                if until():
                    return
                time.sleep(0.5)
            how = place.ended() or "was given up by its client"
            _note(announcement).unlink(missing_ok=True)
            short = short + 1 if time.monotonic() - began < MINUTE_S else 0
            if short >= FAILURES:
                raise InfrastructureError("serve", f"the server {how} {FAILURES} times in a row within {MINUTE_S:.0f} s of its start")
            say(f"the server {how}; starting another")
    finally:
        for file in (announcement, _note(announcement)):
            file.unlink(missing_ok=True)
        place.renew()


def announce(path: Path, place: ServerProcess) -> None:
    """Write where the server is and its token, readable by the owner alone."""
    pid = place.pid
    if pid is None:
        return  # It has ended meanwhile: whoever keeps it finds that out next.
    found = Announcement(place.engine, place.port, place.token, contract(), pid, place.limit_s, place.start_s)
    _write(path, json.dumps(asdict(found)))


class AnnouncedServer:
    """The server that a file announces; once it was lost, the next one that the file announces. Raises InputError for no such file."""

    ours = False

    def __init__(self, path: Path) -> None:
        self._path, self._lost_pid = path, 0
        self.now = read(path)
        """What was announced last."""

    @property
    def token(self) -> str:
        """See `Place`."""
        return self.now.token

    @property
    def limit_s(self) -> float:
        """See `Place`."""
        return self.now.limit_s

    def connect(self) -> socket.socket:
        """See `Place`. After `renew`, waits until another server than the one that was lost is announced."""
        if self._lost_pid:
            self.now = self._another()
        return dial(self.now.port)

    def renew(self) -> None:
        """See `Place`: asks whoever keeps the server for another one."""
        self._lost_pid = self.now.pid
        try:
            _write(_note(self._path), json.dumps({"pid": self._lost_pid}))
        except OSError:
            pass  # Where it may not be written, a server that has died is replaced all the same.

    def ended(self) -> str:
        """See `Place`."""
        return ""

    def close(self) -> str:
        """See `Place`."""
        return ""

    def _another(self) -> Announcement:
        until = time.monotonic() + self.now.start_s
        while True:
            if not self._path.exists():
                raise InfrastructureError("connect", f"{self._path} is gone: `assistworld serve` has ended")
            found = read(self._path)
            if found.pid != self._lost_pid:
                return found
            if time.monotonic() > until:
                what = f"process {self._lost_pid} was lost, and no other is announced in {self._path} after {self.now.start_s:.0f} s"
                raise InfrastructureError("connect", f"{what}; is `assistworld serve` still running?")
            time.sleep(0.2)


def read(path: Path) -> Announcement:
    """An announcement. Raises InputError for what is none."""
    try:
        found = json.loads(path.read_text(encoding="ascii"))
        return Announcement(
            str(found["engine"]),
            int(found["port"]),
            str(found["token"]),
            str(found["contract"]),
            int(found["pid"]),
            float(found["limit_s"]),
            float(found["start_s"]),
        )
    except FileNotFoundError:
        raise InputError("server", [Problem(str(path), "no such file", SERVE)]) from None
    except (OSError, TypeError, ValueError, LookupError) as error:
        raise InputError("server", [Problem(str(path), f"no announcement of a server: {error!r}", SERVE)]) from error


def _note(announcement: Path) -> Path:
    return announcement.with_name(f"{announcement.name}.lost")


def _lost(announcement: Path) -> int:
    """Process number of the server that a client has lost, 0 where nobody has said so."""
    try:
        return int(json.loads(_note(announcement).read_text(encoding="ascii"))["pid"])
    except (OSError, TypeError, ValueError, LookupError):
        return 0


def _write(path: Path, text: str) -> None:
    """Replace a file at once by one that its owner alone can read."""
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(file, "w", encoding="ascii") as out:
        out.write(text)
    draft.replace(path)
