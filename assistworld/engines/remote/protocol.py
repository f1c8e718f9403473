"""What both sides of a session agree on: the calls, the handshake, what makes two installations the same."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

CALLS = ("reset", "offer", "parse", "can", "begin", "stop", "tick", "graph", "digest", "draw", "save", "restore", "summary")
"""The methods of `Engine` and `Described` that a client may call."""
HANDSHAKE_S = 10.0
SHARED = ("assistcore/world", "assistworld/engines/remote")
"""What must be the same on both sides: the contracts and this protocol."""

STALLED_EXIT, MEMORY_EXIT = 71, 75
"""Exit status of a server that its own watchdog ended, and of one that grew over its bound."""


@cache
def contract() -> str:
    """The package's version and twelve hex digits over the sources in `SHARED`: sessions are between equals."""
    root = Path(__file__).resolve().parents[3]
    found = hashlib.sha256()
    for path in sorted(p for folder in SHARED for p in (root / folder).rglob("*.py")):
        found.update(path.relative_to(root).as_posix().encode())
        found.update(hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).digest())
    return f"{version('assistworld')}+{found.hexdigest()[:12]}"
