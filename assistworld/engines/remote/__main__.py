"""`python -m assistworld.engines.remote --engine NAME`: serve an engine from this process. The token comes by the environment."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from assistcore.world.engine import Engine
from assistcore.world.errors import AssistWorldError
from assistcore.world.registry import Registry
from assistworld.engines.remote.server import Server

TOKEN = "ASSISTWORLD_TOKEN"


def maker(name: str, options: Mapping[str, str]) -> Callable[[], Engine]:
    """What makes an engine: a registered name, or `module:function`; `options` are passed to it by name."""
    module, colon, function = name.partition(":")
    loaded = importlib.import_module(module) if colon else Registry("engine", "assistworld.engines").load(name)
    make: Callable[..., Engine] = getattr(loaded, function or "make")
    return lambda: make(**options)


def option(text: str) -> tuple[str, str]:
    """`name=value`."""
    name, equals, value = text.partition("=")
    if not (equals and name.isidentifier()):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form name=value")
    return name, value


def main(words: Sequence[str] | None = None) -> int:
    """Serve until the client is gone for good (the process is killed) or memory is over its bound. Exit status as of `Server.serve`."""
    parser = argparse.ArgumentParser(prog="python -m assistworld.engines.remote", description=(__doc__ or "").strip())
    parser.add_argument("--engine", default="house", help="a registered engine, or module:function")
    parser.add_argument("--port", type=int, default=0, help="port on this machine (default: any free one)")
    parser.add_argument("--ready", type=Path, help="file to write once it listens: JSON with port and pid")
    parser.add_argument("--limit-s", type=float, default=300.0, help="longest time of one call in seconds")
    parser.add_argument("--memory-mb", type=float, default=float("inf"), help="resident size over which the process asks to be replaced")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE", help="passed to what makes the engine")
    asked = parser.parse_args(words)
    token = os.environ.pop(TOKEN, "")
    if len(token) < 16:
        parser.error(f"the environment variable {TOKEN} must hold a token of 16 characters or more")
    try:
        server = Server(maker(asked.engine, dict(asked.option)), token, port=asked.port, limit_s=asked.limit_s, memory_mb=asked.memory_mb)
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
