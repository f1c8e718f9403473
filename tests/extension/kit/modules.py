"""The calls of Isaac Sim 6.2 that the extension makes, as modules of one `Kit`; `install` puts them where imports find them.

Their habits: a stage loads over several updates; an update of the app steps physics too while the timeline plays; without PhysxSceneAPI the
step size is ignored; starting physics simulates two steps; stopping puts bodies back; nothing comes back to USD under Fabric or on the GPU;
the application's end is the end of the process.
"""

from __future__ import annotations

import os
import signal
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import StageModel
from extension.physics_stage import SCENE_PATH, applies
from tests.extension.kit.camera import Shot, StageEye
from tests.extension.kit.habits import LateSensor
from tests.extension.kit.physx import StagePhysx

LOADING_UPDATES = 3
CRASH = "CARDBOARD_KIT_CRASHES"
"""Where this variable of the environment is set, the application ends in a segmentation fault, as headless ones may."""


class Kit:
    """One application: its stage, timeline, physics and settings. model_of: the stage model of a scene, by its name."""

    def __init__(self, model_of: Callable[[str], StageModel]) -> None:
        self._model_of = model_of
        self.settings: dict[str, object] = {}
        self.usd: Any = None
        self.physx: StagePhysx | None = None
        self.playing, self.fabric, self.device = False, True, "cuda"
        self.loading = 0
        self.sensors: list[CameraSensor] = []

    def open_stage(self, file: str) -> tuple[bool, Any]:
        """Kit reads the file; what it refers to comes later."""
        from pxr import Usd

        self.stop()
        self.usd = Usd.Stage.Open(file)
        self.name = os.path.basename(file).partition("_in_isaac")[0]
        self.loading = LOADING_UPDATES
        return True, self.usd

    def update(self) -> None:
        """One update of the app."""
        self.loading = max(0, self.loading - 1)
        if self.playing and self.physx is not None:
            self.physx.step()
        self.render()

    def render(self) -> None:
        """Every render product gets a frame."""
        for sensor in self.sensors:
            sensor.late.render()

    def start_physics(self) -> None:
        """As `initialize_physics`: the stage is read, and two steps are simulated."""
        self.physx = StagePhysx(self.usd, self._model_of(self.name))
        self.step(2)

    def step(self, steps: int) -> None:
        """Physics alone."""
        if self.physx is None:
            raise RuntimeError("physics was not initialized")
        self.physx.write_back = not self.fabric and self.device == "cpu"
        for _ in range(steps):
            self.physx.step()

    def stop(self) -> None:
        """The timeline stops: bodies go back, physics forgets everything."""
        if self.physx is not None:
            self.physx.restore()
        self.physx, self.playing = None, False


class CameraSensor:
    """The RTX camera sensor."""

    kit: Kit

    def __init__(self, path: str, *, resolution: tuple[int, int], annotators: list[str]) -> None:
        self.eye = StageEye(self.kit.usd, path)
        self.late: LateSensor[Shot] = LateSensor(self.eye, resolution)
        self._annotators = annotators
        self.kit.sensors = [self]

    def get_data(self, annotator: str, *, out: Any = None) -> tuple[Any, Any]:
        """An array on its device, or None."""
        if annotator not in self._annotators:
            raise ValueError(f"annotator {annotator} was not attached")
        data, info = self.late.read(annotator)
        return (Array(data) if isinstance(data, np.ndarray) else data), info


class Array:
    """As the sensor gives data: to be fetched from its device."""

    def __init__(self, values: NDArray[Any]) -> None:
        self._values = values

    def numpy(self) -> NDArray[Any]:
        """The values on the host."""
        return self._values


def modules(kit: Kit) -> dict[str, types.ModuleType]:
    """The modules by name."""

    class PhysxScene:
        def __init__(self, prim: str) -> None:
            self._prim = kit.usd.GetPrimAtPath(prim)

        def set_dt(self, dt: float) -> None:
            self._prim.GetAttribute("physxScene:timeStepsPerSecond").Set(round(1.0 / dt))

        def set_gravity(self, gravity: tuple[float, float, float]) -> None:
            self._prim.GetAttribute("physics:gravityMagnitude").Set(float(np.linalg.norm(gravity)))

        def set_enabled_gpu_dynamics(self, enabled: bool) -> None:
            kit.device = "cuda" if enabled else kit.device

    class SimulationManager:
        get_active_physics_engine = staticmethod(lambda: "physx")
        initialize_physics = staticmethod(kit.start_physics)

        @staticmethod
        def setup_simulation(dt: float | None = None, device: str | None = None) -> None:
            kit.device = device or kit.device
            scene = kit.usd.GetPrimAtPath(SCENE_PATH)
            if dt is not None and applies(scene, "PhysxSceneAPI"):
                scene.GetAttribute("physxScene:timeStepsPerSecond").Set(round(1.0 / dt))

        @staticmethod
        def enable_fabric(enable: bool) -> None:
            kit.fabric = enable

        @staticmethod
        def step(*, steps: int = 1, callback: object = None, update_fabric: bool = False) -> None:
            kit.step(steps)

    class SimulationView:
        def __init__(self) -> None:
            self._valid = True

        def create_rigid_body_view(self, pattern: str) -> Any:
            physx = kit.physx
            if physx is None or not self._valid:
                raise RuntimeError("the simulation view is invalid")
            return types.SimpleNamespace(get_transforms=lambda: physx.row(pattern)[None])

        def invalidate(self) -> None:
            self._valid = False

    def play(*, commit: bool = True) -> None:
        kit.playing = True

    def update_app(*, steps: int = 1, callback: object = None) -> None:
        for _ in range(steps):
            kit.update()

    context = types.SimpleNamespace(get_stage=lambda: kit.usd, open_stage=kit.open_stage)
    sensor = type("CameraSensor", (CameraSensor,), {"kit": kit})
    return {
        "isaacsim.core.experimental.utils.app": _module(
            update_app=update_app,
            play=play,
            stop=lambda *, commit=True: kit.stop(),
            is_playing=lambda: kit.playing,
            is_stopped=lambda: not kit.playing,
        ),
        "isaacsim.core.experimental.utils.stage": _module(open_stage=kit.open_stage, is_stage_loading=lambda: kit.loading > 0),
        "isaacsim.core.rendering_manager": _module(
            RenderingManager=types.SimpleNamespace(render=kit.render, set_dt=lambda dt: None),
        ),
        "isaacsim.core.simulation_manager": _module(PhysxScene=PhysxScene, SimulationManager=SimulationManager),
        "isaacsim.sensors.experimental.rtx": _module(CameraSensor=sensor),
        "omni.usd": _module(get_context=lambda name="": context),
        "omni.physics.tensors": _module(create_simulation_view=lambda frontend: SimulationView()),
        "carb.settings": _module(get_settings=lambda: types.SimpleNamespace(get=kit.settings.get)),
    }


def app_module(kit: Kit, started: Callable[[], None]) -> dict[str, types.ModuleType]:
    """What can be imported before the application runs. started: called once it does."""

    class SimulationApp:
        def __init__(self, launch_config: dict[str, Any]) -> None:
            self.config = launch_config
            started()

        update = staticmethod(kit.update)

        def is_running(self) -> bool:
            return True

        def close(self, wait_for_replicator: bool = True, skip_cleanup: bool = False, exit_code: int = 0) -> None:
            sys.stdout.flush()
            sys.stderr.flush()
            if os.environ.get(CRASH):
                os.kill(os.getpid(), signal.SIGSEGV)
            os._exit(exit_code)

    return {"isaacsim.simulation_app": _module(SimulationApp=SimulationApp)}


@contextmanager
def installed(kit: Kit) -> Iterator[Kit]:
    """The modules are found by imports, and gone again afterwards."""
    found = with_parents(modules(kit))
    before = {name: sys.modules.get(name) for name in found}
    sys.modules.update(found)
    try:
        yield kit
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def with_parents(found: dict[str, types.ModuleType]) -> dict[str, types.ModuleType]:
    """The same with the packages above each module, each an attribute of the one above it."""
    every = dict(found)
    for name in found:
        while "." in name:
            parent, _, last = name.rpartition(".")
            above = every.get(parent) or sys.modules.get(parent) or types.ModuleType(parent)
            setattr(every.setdefault(parent, above), last, every[name])
            name = parent
    return every


def _module(**members: Any) -> types.ModuleType:
    made = types.ModuleType("kit")
    for name, value in members.items():
        setattr(made, name, value)
    return made
