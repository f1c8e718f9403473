"""`Simulation` on Isaac Sim 6.2: every call of Kit that physics needs, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistcore.world.errors import InfrastructureError
from extension.physics_stage import GRAVITY_M_S2

if TYPE_CHECKING:
    from pxr import Usd

LOADING_UPDATES = 2000
"""Updates of the app within which a stage's files must have been read."""


class KitSimulation:
    """PhysX on the CPU pipeline, stepped by hand; the timeline plays, since sensors want it to, and app updates do not step."""

    def open(self, file: Path) -> Usd.Stage:
        """See `Simulation`. Waits until everything the stage refers to is loaded."""
        import isaacsim.core.experimental.utils.app as app_utils
        import isaacsim.core.experimental.utils.stage as stage_utils

        opened, usd = stage_utils.open_stage(str(file))
        if not opened or usd is None:
            raise InfrastructureError("open scene", f"Kit does not open {file}; its log has the reason")
        for _ in range(LOADING_UPDATES):
            app_utils.update_app(steps=1)
            if not stage_utils.is_stage_loading():
                return usd
        raise InfrastructureError("open scene", f"{file} is still loading after {LOADING_UPDATES} updates of the app")

    def stage(self) -> Usd.Stage | None:
        """See `Simulation`."""
        import omni.usd

        return omni.usd.get_context().get_stage()

    def start(self, scene_path: str, step_seconds: float) -> None:
        """See `Simulation`. Poses must come back to USD: Fabric is switched off for physics, the device is the CPU."""
        import isaacsim.core.experimental.utils.app as app_utils
        from isaacsim.core.rendering_manager import RenderingManager
        from isaacsim.core.simulation_manager import PhysxScene, SimulationManager

        if SimulationManager.get_active_physics_engine() != "physx":
            SimulationManager.switch_physics_engine("physx")
        scene = PhysxScene(scene_path)
        scene.set_dt(step_seconds)
        scene.set_gravity((0.0, 0.0, -GRAVITY_M_S2))
        SimulationManager.enable_fabric(False)
        SimulationManager.setup_simulation(dt=step_seconds, device="cpu")
        scene.set_enabled_gpu_dynamics(False)
        RenderingManager.set_dt(step_seconds)
        app_utils.play(commit=True)
        SimulationManager.initialize_physics()

    def running(self) -> bool:
        """See `Simulation`."""
        import isaacsim.core.experimental.utils.app as app_utils

        return bool(app_utils.is_playing())

    def step(self, steps: int) -> None:
        """See `Simulation`."""
        from isaacsim.core.simulation_manager import SimulationManager

        SimulationManager.step(steps=steps)

    def stop(self) -> None:
        """See `Simulation`."""
        import isaacsim.core.experimental.utils.app as app_utils

        if not app_utils.is_stopped():
            app_utils.stop(commit=True)

    def tensor_rows(self, paths: Sequence[str]) -> NDArray[np.float32]:
        """See `Simulation`. Takes a new view each time: one that is kept may be invalid after a body was switched."""
        import omni.physics.tensors

        view = omni.physics.tensors.create_simulation_view("numpy")
        try:
            rows = [np.asarray(view.create_rigid_body_view(path).get_transforms(), dtype=np.float32).reshape(-1, 7) for path in paths]
        finally:
            view.invalidate()
        return np.concatenate(rows) if rows else np.empty((0, 7), np.float32)
