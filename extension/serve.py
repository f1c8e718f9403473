"""Serve the house from Isaac Sim: start the application, then the engine server on the main thread, then end the process with its status.

    ISAAC_PYTHON extension/serve.py --engine isaac --port 0 --ready FILE

Run as a file, so that it says what Isaac Sim's Python lacks, AssistWorld itself included; the arguments are those of `python -m
assistworld.engines.remote`. The token comes by the environment variable ASSISTWORLD_TOKEN.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Protocol

ENGINE = "isaac"
MADE_BY = "extension.engine:make"


class App(Protocol):
    """The part of `IsaacApp` that is used here."""

    def close(self, status: int = 0) -> None:
        """See `IsaacApp`."""


def main(
    words: Sequence[str] | None = None,
    *,
    start: Callable[..., App] | None = None,
    serve: Callable[[Sequence[str]], int] | None = None,
) -> int:
    """Serve until told to end; 1 where the application does not start, or a library is missing.

    The application's end normally ends the process; the status is returned where it does not.
    """
    from assistcore.world.errors import AssistWorldError
    from extension.app import IsaacApp

    asked = list(sys.argv[1:] if words is None else words)
    kit = [word.removeprefix("--kit=") for word in asked if word.startswith("--kit=")]
    windowed = "--window" in asked
    rest = [word for word in asked if not word.startswith("--kit=") and word != "--window"]
    if ENGINE in rest:
        rest[rest.index(ENGINE)] = MADE_BY
    try:
        app = (start or IsaacApp)(headless=not windowed, kit_arguments=kit)
    except AssistWorldError as error:
        print(f"assistworld server: {error}", file=sys.stderr)
        return 1
    status = 1
    try:
        status = (serve or _serve)(rest)
    finally:
        app.close(status)
    return status


def _serve(words: Sequence[str]) -> int:
    """Imported when what it needs is known to be there."""
    from assistworld.engines.remote.__main__ import main as serve_remote

    return serve_remote(words)


if __name__ == "__main__":
    from pathlib import Path

    # The folder of this file would hide other modules behind names such as `app`; what is wanted is the one above it.
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from extension.serve import main as run

    sys.exit(run())
