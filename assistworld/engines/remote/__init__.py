"""Any engine in a process of its own, behind a socket on this machine: same episodes, and one that dies or hangs takes nothing with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistworld.engines.remote.client import RemoteEngine


def make(engine: str = "house", *, limit_s: float = 300.0) -> RemoteEngine:
    """An engine by name, served by another Python process that starts now and ends with `close`.

    Raises InfrastructureError where it does not start, with what it printed last.
    """
    from assistworld.engines.remote.client import RemoteEngine
    from assistworld.engines.remote.process import ServerProcess

    return RemoteEngine(ServerProcess(engine, limit_s=limit_s))
