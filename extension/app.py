"""Starting and ending the Isaac Sim application: before anything of Kit is imported; its end is the end of the process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from assistcore.world.errors import InfrastructureError
from extension import requirements

LAUNCH: dict[str, Any] = {
    "headless": True,
    "renderer": "RealTimePathTracing",
    "anti_aliasing": 3,
    "width": 1280,
    "height": 720,
    "sync_loads": True,
    "multi_gpu": False,
    "create_new_stage": True,
}
"""What `SimulationApp` is started with. `--setting /path=value` of `extension.serve` goes on top."""

KIT_ARGUMENTS = (
    "--/app/asyncRendering=false",
    "--/omni/replicator/asyncRendering=false",
    "--/app/runLoops/main/rateLimitEnabled=false",
    "--/app/player/useFixedTimeStepping=false",
    "--/exts/isaacsim.core.simulation_manager/default_engine=physx",
    "--/persistent/physics/resetOnStop=true",
)
"""Frames are drawn when asked for and not in the background, and the engine is PhysX whichever experience is started."""
EARLY = ("omni.usd", "omni.kit.app", "omni.timeline", "carb")


class IsaacApp:
    """A running Isaac Sim without a window. One for each process."""

    def __init__(self, *, headless: bool = True, kit_arguments: Sequence[str] = (), start: Callable[..., Any] | None = None) -> None:
        """Start it; minutes the first time, while shaders compile. Raises InfrastructureError.

        start: what makes the application from a launch configuration, for tests.
        """
        if start is None:
            requirements.check()
        early = sorted(name for name in EARLY if name in sys.modules)
        if early and start is None:
            raise InfrastructureError("start Isaac Sim", f"{', '.join(early)} was imported before the application; start it first")
        config = {**LAUNCH, "headless": headless, "extra_args": [*KIT_ARGUMENTS, *kit_arguments]}
        words = sys.argv
        # Kit reads the words of the command line as its own.
        sys.argv = words[:1]
        try:
            self._app = (start or _simulation_app)(config)
        finally:
            sys.argv = words

    def update(self) -> None:
        """One update of the application. While the timeline plays it must not step physics: see `RenderingManager.render`."""
        self._app.update()

    @property
    def running(self) -> bool:
        """Whether it has not been asked to end."""
        return bool(self._app.is_running())

    def close(self, status: int = 0) -> None:
        """End it, and with it, as Isaac Sim is made, this process, with an exit status. Whatever matters must be written before."""
        sys.stdout.flush()
        sys.stderr.flush()
        self._app.close(wait_for_replicator=False, exit_code=status)


def _simulation_app(config: dict[str, Any]) -> Any:
    try:
        from isaacsim.simulation_app import SimulationApp
    except ImportError as error:
        raise InfrastructureError("start Isaac Sim", f"this Python ({sys.executable}) has no isaacsim: {error}") from error
    return SimulationApp(config)
