"""Engines that misbehave on request, served from a process of their own: `tests.engines.remote.fakes:NAME`."""

from __future__ import annotations

import os
import signal
import time

from assistcore.world.engine import Scenario, Step
from assistcore.world.snapshots import Snapshot
from tests.episodes.toy_engine import ToyEngine

KILL_AT, STALL_AT = 5, 5


class Killed(ToyEngine):
    """Is killed in the middle of an episode, once: the marker in the environment names a file that says so."""

    def tick(self) -> Step:
        step = super().tick()
        marker = os.environ.get("TOY_MARKER", "")
        if step.snapshot.tick == KILL_AT and marker and not os.path.exists(marker):
            open(marker, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return step


class Stalled(ToyEngine):
    """Sleeps for a minute in a tick, once."""

    def tick(self) -> Step:
        step = super().tick()
        marker = os.environ.get("TOY_MARKER", "")
        if step.snapshot.tick == STALL_AT and marker and not os.path.exists(marker):
            open(marker, "w").close()
            time.sleep(60.0)
        return step


class CrashesAtShutdown(ToyEngine):
    """As some applications do when they close headless."""

    def close(self) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)


class Greedy(ToyEngine):
    """Keeps 100 MB more at every reset."""

    kept: list[bytes] = []

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        self.kept.append(b"x" * (100 << 20))
        return super().reset(scenario, seed)


class Raises(ToyEngine):
    """Says what is wrong and is gone, as a driver that aborts."""

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        print(f"Xid 79: the GPU has fallen off the bus ({seed})", flush=True)
        os._exit(3)


class StartsSlowly(ToyEngine):
    """Until the file is there that the environment names."""

    def __init__(self) -> None:
        print("compiling shaders, 3 of 400", flush=True)
        while not os.path.exists(os.environ["TOY_MARKER"]):
            time.sleep(0.02)
        super().__init__()


class NeverStarts(ToyEngine):
    """Says why on standard error and dies before it listens."""

    def __init__(self) -> None:
        print("libGL: no device of this kind", flush=True)
        raise SystemExit(9)
