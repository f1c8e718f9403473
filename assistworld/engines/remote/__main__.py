"""`python -m assistworld.engines.remote --engine NAME`: serve an engine from this process. The token comes by the environment."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from assistcore.world.errors import AssistWorldError
from assistworld.engines._named import maker
from assistworld.engines.remote.protocol import TOKEN
from assistworld.engines.remote.server import Server


def option(text: str) -> tuple[str, str]:
    """`name=value`."""
    name, equals, value = text.partition("=")
    if not (equals and name.isidentifier()):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form name=value")
    return name, value


def main(words: Sequence[str] | None = None) -> int:
    """Serve until a client asks for the end, memory is over its bound, or whoever started it is gone. Exit status as of `Server.serve`."""
    parser = argparse.ArgumentParser(prog="python -m assistworld.engines.remote", description=(__doc__ or "").strip())
    parser.add_argument("--engine", default="house", help="a registered engine, or module:function")
    parser.add_argument("--port", type=int, default=0, help="port on this machine (default: any free one)")
    parser.add_argument("--ready", type=Path, help="file to write once it listens: JSON with port and pid")
    parser.add_argument("--limit-s", type=float, default=300.0, help="longest time of one call in seconds")
    parser.add_argument("--memory-mb", type=float, default=float("inf"), help="resident size over which the process asks to be replaced")
    parser.add_argument("--while-open", type=int, metavar="FD", help="end when the other end of this pipe is closed")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE", help="passed to what makes the engine")
    asked = parser.parse_args(words)
    token = os.environ.pop(TOKEN, "")
    if len(token) < 16:
        parser.error(f"the environment variable {TOKEN} must hold a token of 16 characters or more")
    try:
        make = maker(asked.engine)
        server = Server(
            lambda: make(**dict(asked.option)),
            token,
            port=asked.port,
            limit_s=asked.limit_s,
            memory_mb=asked.memory_mb,
            while_open=asked.while_open,
        )
        return server.serve(lambda: _ready(asked.ready, server.port))
    except AssistWorldError as error:
        print(f"assistworld server: {error}", file=sys.stderr)
        return 2


def _ready(path: Path | None, port: int) -> None:
    if path is None:
        print(f"assistworld server: listening on 127.0.0.1:{port}", file=sys.stderr, flush=True)
        return
    draft = path.with_name(f"{path.name}.new")
    draft.write_text(json.dumps({"port": port, "pid": os.getpid()}), encoding="ascii")
    draft.replace(path)


if __name__ == "__main__":
    sys.exit(main())
