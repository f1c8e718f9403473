"""A server kept warm by `assistworld serve`: announced in a file that only its owner can read, replaced whenever it ends."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assistcore.world.errors import InfrastructureError, InputError, Problem
from assistworld.engines.remote.client import RemoteEngine
from assistworld.engines.remote.process import ServerAddress, ServerProcess
from assistworld.engines.remote.protocol import contract

FAILURES = 3
"""Servers that end within MINUTE_S one after the other; then something is wrong that another start does not mend."""
MINUTE_S = 60.0


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
            while place.pid is not None:
                if until():
                    return
                time.sleep(0.5)
            how = place.ended()
            short = short + 1 if time.monotonic() - began < MINUTE_S else 0
            if short >= FAILURES:
                raise InfrastructureError("serve", f"the server {how} {FAILURES} times in a row within {MINUTE_S:.0f} s of its start")
            say(f"the server {how}; starting another")
    finally:
        announcement.unlink(missing_ok=True)
        place.renew()


def announce(path: Path, place: ServerProcess) -> None:
    """Write where the server is and its token, readable by the owner alone."""
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(file, "w", encoding="ascii") as out:
        json.dump({"engine": place.engine, "port": place.port, "token": place.token, "contract": contract(), "pid": place.pid}, out)
    draft.replace(path)


def connected(path: Path, engine: str, person: Mapping[str, Path]) -> RemoteEngine:
    """The engine behind an announcement. Raises InputError where it serves another one, or a person is asked of a running engine."""
    found = _read(path)
    problems = []
    if found["engine"] != engine:
        problems.append(Problem(str(path), f"serves {found['engine']!r}, not {engine!r}", f"give --engine {found['engine']}"))
    problems += [
        Problem(f"--{name}", "the person of a running server is the one it was started with", "give it to `assistworld serve`")
        for name in person
    ]
    if problems:
        raise InputError("server", problems)
    return RemoteEngine(ServerAddress(int(found["port"]), str(found["token"])))


def _read(path: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="ascii"))
        if not {"engine", "port", "token"} <= set(found):
            raise ValueError("engine, port or token is missing")
    except FileNotFoundError:
        raise InputError(
            "server", [Problem(str(path), "no such file", "start one with `assistworld serve`, which prints the file")]
        ) from None
    except (OSError, TypeError, ValueError) as error:
        raise InputError(
            "server", [Problem(str(path), f"no announcement of a server: {error}", "start one with `assistworld serve`")]
        ) from error
    return found  # type: ignore[no-any-return]
