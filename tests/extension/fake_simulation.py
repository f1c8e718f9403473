"""A PhysX that the tests bring: it reads and writes a real USD stage as the real one does, traps included, and only lets things fall."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assistcore.house.stage import StageModel
from assistcore.world.poses import Pose
from extension.conversions import pose_from_gf, tensor_row
from extension.physics_stage import applies
from extension.rest import box_of

GRAVITY = 9.81


class FakeSimulation:
    """Bodies fall straight down onto the highest box below them and come to rest there.

    Like the real one: it reads the step from PhysxSceneAPI alone, simulates two steps while it starts, takes a pose written to a
    kinematic body as a target that is reached within one step (and pushes what it meets with that speed), drops its tensor view when a
    body is switched, and goes back to the poses of the start when it is stopped. `noise_m` perturbs where things come to rest.
    """

    def __init__(self, model: StageModel, *, noise_m: float = 0.0) -> None:
        self.model, self.noise_m = model, noise_m
        self.usd: Any = None
        self.steps = self.starts = self.opened = 0
        self.pushes: list[tuple[str, float]] = []
        self._running = False
        self._at_start: dict[str, dict[str, Any]] = {}
        self._speeds: dict[str, float] = {}
        self._targets: dict[str, Pose] = {}
        self._switches: dict[str, bool] = {}
        self.view_valid = self.views_survive = False
        self._noisy: set[str] = set()

    def open(self, file: Path) -> Any:
        from pxr import Usd

        self.opened += 1
        self.usd = Usd.Stage.Open(str(file))
        return self.usd

    def stage(self) -> Any:
        return self.usd

    def start(self, scene_path: str, step_seconds: float) -> None:
        self.starts += 1
        self._running = True
        self._at_start = {key: self._ops(key) for key in self._bodies()}
        self._targets, self._speeds = {}, {}
        self.view_valid = True
        self._switches = {key: self._kinematic(key) for key in self._bodies()}
        self.step(2)
        self.steps = 0

    def running(self) -> bool:
        return self._running

    def stop(self) -> None:
        for key, values in self._at_start.items() if self._running else ():
            for name, value in values.items():
                self.usd.GetPrimAtPath(f"/World/{key}").GetAttribute(name).Set(value)
        self._running = False

    def _ops(self, key: str) -> dict[str, Any]:
        prim = self.usd.GetPrimAtPath(f"/World/{key}")
        return {name: prim.GetAttribute(name).Get() for name in ("xformOp:translate", "xformOp:orient", "physics:velocity")}

    def tensor_rows(self, paths: Sequence[str]) -> Any:
        if not self.view_valid:
            raise RuntimeError("the simulation view was invalidated")
        return np.array([tensor_row(self._pose(path.rsplit("/", 1)[-1])) for path in paths], dtype=np.float32).reshape(-1, 7)

    def step(self, steps: int) -> None:
        for _ in range(steps):
            self.steps += 1
            self._step()

    def _rate(self) -> float:
        for prim in self.usd.Traverse():
            if applies(prim, "PhysxSceneAPI"):
                return float(prim.GetAttribute("physxScene:timeStepsPerSecond").Get())
        return 60.0

    def _step(self) -> None:
        dt = 1.0 / self._rate()
        bodies = self._bodies()
        switched = {key for key in bodies if self._switches.get(key) != self._kinematic(key)}
        self._switches = {key: self._kinematic(key) for key in bodies}
        if switched and not self.views_survive:
            self.view_valid = False
        free = [key for key in bodies if not self._kinematic(key)]
        for key in switched & set(free):
            self._speeds[key] = 0.0
        boxes = {key: box_of(self.model.entity(key), self._pose(key)) for key in self._present()}
        for key in bodies:
            pose = self._pose(key)
            before = self._targets.get(key, pose)
            jump = float(np.linalg.norm(np.subtract(pose.position_m, before.position_m)))
            if self._kinematic(key) and jump > 1e-6:
                low, high = boxes[key]
                for other in free:
                    a, b = boxes[other]
                    if bool(((b > low - 0.002) & (a < high + 0.002)).all()):
                        self.pushes.append((other, jump / dt))
            self._targets[key] = pose
        for key in free:
            self._fall(key, boxes, dt)

    def _fall(self, key: str, boxes: dict[str, Any], dt: float) -> None:
        from pxr import Gf

        low, high = boxes[key]
        below = [
            b[1][2]
            for other, b in boxes.items()
            if other != key and bool(((b[1][:2] > low[:2]) & (b[0][:2] < high[:2])).all()) and b[1][2] <= low[2] + 0.006
        ]
        support = max(below, default=-10.0)
        speed = self._speeds.get(key, 0.0) - GRAVITY * dt
        drop = speed * dt
        if low[2] + drop <= support:
            drop, speed = support - low[2], 0.0
            if key not in self._noisy:
                self._noisy.add(key)
                drop += self.noise_m
        self._speeds[key] = speed
        prim = self.usd.GetPrimAtPath(f"/World/{key}")
        position = prim.GetAttribute("xformOp:translate")
        position.Set(position.Get() + Gf.Vec3d(0.0, 0.0, drop))
        prim.GetAttribute("physics:velocity").Set(Gf.Vec3f(0.0, 0.0, speed))
        self._targets[key] = self._pose(key)

    def _present(self) -> list[str]:
        return [e.key for e in self.model.entities if self.usd.GetPrimAtPath(f"/World/{e.key}").IsActive()]

    def _bodies(self) -> list[str]:
        return [key for key in self._present() if self.model.entity(key).kind == "movable"]

    def _kinematic(self, key: str) -> bool:
        return bool(self.usd.GetPrimAtPath(f"/World/{key}").GetAttribute("physics:kinematicEnabled").Get())

    def _pose(self, key: str) -> Pose:
        from pxr import Usd, UsdGeom

        prim = self.usd.GetPrimAtPath(f"/World/{key}")
        return pose_from_gf(UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(Usd.TimeCode.Default()))
