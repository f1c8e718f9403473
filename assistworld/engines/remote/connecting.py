"""A server that runs already, by a word: the file in which `assistworld serve` announces it, or HOST:PORT of one started by hand."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path

from assistcore.world.errors import InputError, Problem
from assistworld.engines.remote.announced import AnnouncedServer
from assistworld.engines.remote.client import RemoteEngine
from assistworld.engines.remote.process import ServerAddress
from assistworld.engines.remote.protocol import TOKEN

HERE = ("127.0.0.1", "localhost")
ADDRESS = re.compile(r"(?P<host>[^:/]+):(?P<port>\d{1,5})")


def is_server(word: str) -> bool:
    """Whether a word names a running server and not an engine: HOST:PORT, or a file by its `.json` or a slash."""
    return ADDRESS.fullmatch(word) is not None or word.endswith(".json") or "/" in word


def connected(server: str, *, engine: str | None = None, options: Collection[str] = ()) -> RemoteEngine:
    """The engine of a running server. engine: which one it must be. options: what was asked for that a server is told when it starts.

    Raises InputError where the word names no server or not that one, or for such options; InfrastructureError where it does not answer
    or refuses.
    """
    if options:
        what = "a running server goes on as it was started"
        raise InputError("server", [Problem(f"--{name}", what, "give it to `assistworld serve`") for name in options])
    if ADDRESS.fullmatch(server):
        found = RemoteEngine(_address(server))
        if engine is not None and found.name != engine:
            found.close()
            raise _another(server, found.name, engine)
        return found
    place = AnnouncedServer(Path(server))
    if engine is not None and place.now.engine != engine:
        raise _another(server, place.now.engine, engine)
    return RemoteEngine(place)


def _another(server: str, serves: str, engine: str) -> InputError:
    return InputError("server", [Problem(server, f"serves {serves!r}, not {engine!r}", f"give --engine {serves}")])


def _address(word: str) -> ServerAddress:
    host, _, port = word.rpartition(":")
    if host not in HERE or not 0 < int(port) < 65536:
        fix = f"give 127.0.0.1:PORT, also for one at the other end of a tunnel (ssh -L {port}:127.0.0.1:{port} MACHINE)"
        raise InputError("server", [Problem(word, "a server listens on its own machine's loopback only", fix)])
    token = os.environ.get(TOKEN, "")
    if not token:
        raise InputError("server", [Problem(word, f"the environment variable {TOKEN} is not set", "set it to the server's token")])
    return ServerAddress(int(port), token)
