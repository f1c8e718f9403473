"""What both sides of a session agree on: the calls, the handshake, what makes two installations the same."""

from __future__ import annotations

from assistcore.world.sources import code_version

CALLS = ("reset", "offer", "parse", "can", "begin", "stop", "tick", "graph", "digest", "draw", "save", "restore", "summary")
"""The methods of `Engine` and `Described` that a client may call."""
HANDSHAKE_S = 10.0
TOKEN = "ASSISTWORLD_TOKEN"
"""The environment variable by which a server gets its token."""
SHARED = ("assistcore/world", "assistworld/engines/remote")
"""What must be the same on both sides: the contracts and this protocol."""

STALLED_EXIT, MEMORY_EXIT = 71, 75
"""Exit status of a server that its own watchdog ended, and of one that grew over its bound."""


def contract() -> str:
    """The version of the code in `SHARED`: sessions are between equals."""
    return code_version(*SHARED)
