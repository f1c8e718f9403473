"""An RTX camera that the tests bring: it looks at a real USD stage and has the bad habits of the real one, as far as asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extension.cameras import Annotator
from extension.conversions import matrix_from_gf

BACKGROUND_DEPTH = np.inf


class Array:
    """As the sensor gives data: an array on a device, which has to be fetched."""

    def __init__(self, values: NDArray[Any]) -> None:
        self._values = values

    def numpy(self) -> NDArray[Any]:
        return self._values


class FakeCameras:
    """Draws every visible mesh below `/Pictures` as its corner points' bounding rectangle, nearest last, in a grey that tells its number.

    late: renders by which a frame is behind the stage. steps: where to read a step counter; a frame is kept while it does not change.
    noise: the first render after the camera has moved is noise in its colours. level: one grey everywhere. coloured:
    in the colours of the materials.
    """

    def __init__(
        self,
        stage: Any,
        *,
        late: int = 0,
        steps: Any = None,
        noise: bool = False,
        level: int | None = None,
        coloured: bool = False,
    ) -> None:
        self.stage, self.late, self.steps, self.noise, self.level = stage, late, steps, noise, level
        self.coloured = coloured
        self.opened = self.renders = 0
        self._queue: list[dict[str, Any]] = []
        self._kept: tuple[Any, dict[str, Any]] | None = None
        self._pose: bytes = b""

    def open(self, path: str, width: int, height: int) -> None:
        self.path, self.size = path, (width, height)
        self.opened += 1
        self._queue, self._kept, self._pose = [], None, b""

    def close(self) -> None:
        self._queue, self._kept = [], None

    def render(self) -> None:
        self.renders += 1
        frame = self._frame()
        if self.steps is not None:
            if self._kept is not None and self._kept[0] == self.steps():
                frame = self._kept[1]
            self._kept = (self.steps(), frame)
        self._queue = [*self._queue, frame][-(self.late + 1) :]

    def read(self, annotator: Annotator) -> tuple[Any, Mapping[str, Any]]:
        if len(self._queue) <= self.late:
            return None, {}
        frame = self._queue[0]
        info = {"idToLabels": frame["labels"]} if annotator == "instance_id_segmentation" else {}
        return Array(frame[annotator]), info

    def _frame(self) -> dict[str, Any]:
        from pxr import Usd, UsdGeom

        usd, now = self.stage(), Usd.TimeCode.Default()
        camera = UsdGeom.Camera(usd.GetPrimAtPath(self.path))
        T = matrix_from_gf(UsdGeom.Xformable(camera).ComputeLocalToWorldTransform(now))
        width, height = self.size
        focal = camera.GetFocalLengthAttr().Get() / camera.GetHorizontalApertureAttr().Get() * width
        rgba = np.zeros((height, width, 4), np.uint8)
        rgba[..., 3] = 255
        depth = np.full((height, width, 1), BACKGROUND_DEPTH, np.float32)
        ids = np.zeros((height, width, 1), np.uint32)
        labels = {"0": "BACKGROUND", "1": "UNLABELLED"}
        drawn = []
        for prim in usd.GetPrimAtPath("/Pictures").GetAllChildren():
            for mesh in (p for p in Usd.PrimRange(prim) if p.IsA(UsdGeom.Mesh)):
                shape = UsdGeom.Mesh(mesh)
                if shape.ComputeVisibility(now) == UsdGeom.Tokens.invisible or not shape.GetFaceVertexCountsAttr().Get():
                    continue
                M = matrix_from_gf(shape.ComputeLocalToWorldTransform(now))
                points = np.array(shape.GetPointsAttr().Get(), dtype=np.float64) @ M[:3, :3].T + M[:3, 3]
                local = (points - T[:3, 3]) @ T[:3, :3]
                if len(local) and (local[:, 2] < -1e-6).all():
                    drawn.append((float(-local[:, 2].mean()), str(mesh.GetPath()), local))
        for k, (far, path, local) in enumerate(sorted(drawn, key=lambda d: -d[0])):
            x = width / 2 + focal * local[:, 0] / -local[:, 2]
            y = height / 2 - focal * local[:, 1] / -local[:, 2]
            rows = slice(max(0, round(y.min())), max(0, round(y.max())))
            cols = slice(max(0, round(x.min())), max(0, round(x.max())))
            rgba[rows, cols, :3] = self._colour(path) if self.coloured else 40 + 7 * k % 200
            depth[rows, cols] = far
            ids[rows, cols] = k + 2
            labels[str(k + 2)] = path
        if self.level is not None:
            rgba[..., :3] = self.level
        if self.noise and T.tobytes() != self._pose:
            rgba[..., :3] = np.random.default_rng(self.renders).integers(0, 255, (height, width, 3))
        self._pose = T.tobytes()
        return {"rgba": rgba, "distance_to_image_plane": depth, "instance_id_segmentation": ids, "labels": labels}

    def _colour(self, path: str) -> NDArray[np.uint8]:
        from pxr import UsdShade

        material, _ = UsdShade.MaterialBindingAPI(self.stage().GetPrimAtPath(path)).ComputeBoundMaterial()
        if not material:
            return np.array([128, 128, 128], np.uint8)
        shader, _, _ = material.ComputeSurfaceSource()
        return (np.array(shader.GetInput("diffuseColor").Get()) * 255).astype(np.uint8)
