"""`assistworld serve`: keep an engine warm in a process of its own."""

from __future__ import annotations

import argparse
from pathlib import Path

from assistworld.cli.shared import person_arguments, to_stderr

NAME = "serve"
HELP = "keep an engine warm in a process of its own, for `run --connect FILE`; replaced when it stalls, dies or grows"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    parser.add_argument("--engine", default="house", help="engine to serve (default house; see list)")
    parser.add_argument("--port", type=int, default=0, help="port on this machine (default: any free one, kept over restarts)")
    parser.add_argument(
        "--announce",
        type=Path,
        default=Path("runs/server.json"),
        metavar="FILE",
        help="file that says where it is (default runs/server.json)",
    )
    parser.add_argument("--limit-s", type=float, default=300.0, metavar="S", help="longest time of one call (default 300)")
    parser.add_argument(
        "--memory-mb",
        type=float,
        default=float("inf"),
        metavar="MB",
        help="size over which it is replaced between episodes (default: none)",
    )
    person_arguments(parser)


def run(asked: argparse.Namespace) -> int:
    """Serve until interrupted or told to end (SIGTERM): the announcement goes with the server."""
    import signal

    from assistworld.engines.remote.announced import keep
    from assistworld.engines.remote.process import ServerProcess, free_port

    options = {name: str(path.resolve()) for name in ("body", "gait") if (path := getattr(asked, name)) is not None}
    asked.announce.parent.mkdir(parents=True, exist_ok=True)
    log = asked.announce.with_suffix(".log")
    place = ServerProcess(
        asked.engine,
        port=asked.port or free_port(),
        limit_s=asked.limit_s,
        memory_mb=asked.memory_mb,
        log=log,
        say=to_stderr,
        options=options,
    )
    print(f"assistworld: starting {asked.engine}; what it prints goes to {log}", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        keep(place, asked.announce, say=lambda line: print(f"assistworld: {line}", flush=True))
    except KeyboardInterrupt:
        print("assistworld: the server has ended")
    return 0
