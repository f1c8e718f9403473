"""RTX behind the `Pictures` protocol: a scene becomes prims, a view edits of them, and a frame is waited for until it shows that view.

Different from the embedded renderer: glass has instance ids of its own, the person's own head casts no shadow in the first-person view, and
`supersample` asks for nothing, since RTX samples by itself. RTX pictures repeat within tolerances, not to the bit.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.protocol import Picture, PicturesError, PicturesUnavailable, View
from assistcore.pictures.scene import BACKGROUND_ID, I32, PictureScene
from extension import stamp
from extension.cameras import Cameras
from extension.frames import FrameTaker, Patience
from extension.picture_stage import CAMERA, STAMPS, PictureStage


class IsaacPictures:
    """The `Pictures` of Isaac Sim, on the stage that is open when it draws."""

    def __init__(self, cameras: Cameras, stage: Callable[[], Any], patience: Callable[[], Patience] = Patience) -> None:
        self._stage = stage
        self._taker = FrameTaker(cameras, CAMERA, STAMPS, patience)
        self._scene: PictureScene | None = None
        self._shown: PictureStage | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._drawn = 0
        self.discarded = 0
        """Renders thrown away for the last picture."""

    @property
    def device(self) -> str:
        """See `Pictures`."""
        return "RTX, by Isaac Sim"

    def load(self, scene: PictureScene) -> None:
        """See `Pictures`. Prims are made when the first picture is drawn, and anew where the stage was replaced meanwhile."""
        scene.check()
        self.close()
        self._scene = scene
        self._folder = tempfile.TemporaryDirectory(prefix="assistworld-pictures-")

    def draw(self, view: View) -> Picture:
        """See `Pictures`. Raises CameraNotReady or StaleFrame where no valid frame of this view comes within the budget."""
        shown = self._ready(view)
        self._drawn += 1
        number = self._drawn % stamp.NUMBERS
        shown.show(view, number)
        frame = self._taker.take(view.camera.width, view.camera.height, number)
        self.discarded = frame.discarded
        depth = np.where(np.isfinite(frame.depth_m) & (frame.depth_m < view.camera.far_m), frame.depth_m, np.float32(np.inf))
        return Picture(frame.rgb, depth.astype(np.float32), instance_ids(frame.ids, frame.labels, shown.ids))

    def _ready(self, view: View) -> PictureStage:
        scene = self._scene
        if scene is None or self._folder is None:
            raise PicturesError("nothing is loaded; call load(scene) first")
        check_view(scene, view)
        usd = self._stage()
        if usd is None:
            raise PicturesUnavailable("Isaac Sim has no open stage; start the application and open or create one")
        if self._shown is None or self._shown.usd is not usd or not usd.GetPrimAtPath(CAMERA):
            self._taker.forget()
            self._shown = PictureStage(usd, scene, Path(self._folder.name))
        return self._shown

    def close(self) -> None:
        """See `Pictures`. Idempotent."""
        self._taker.forget()
        if self._shown is not None and self._shown.usd is self._stage():
            self._shown.close()
        self._shown = self._scene = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def check_view(scene: PictureScene, view: View) -> None:
    """Raise PicturesError for a view that does not fit the scene."""
    rows = 1 + max((d.transform for d in scene.drawables), default=-1)
    given = 0 if view.transforms is None else len(view.transforms)
    if given < rows:
        raise PicturesError(f"transforms has {given} rows, the scene's drawables need {rows}")
    if view.body_vertices_m is not None:
        need = 0 if scene.body is None else scene.body.n_vertices
        if view.body_vertices_m.shape != (need, 3):
            raise PicturesError(f"body_vertices_m has shape {view.body_vertices_m.shape}, expected {(need, 3)}")
    if view.lamps_on is not None and len(view.lamps_on) != len(scene.lamps):
        raise PicturesError(f"lamps_on has {len(view.lamps_on)} values, the scene has {len(scene.lamps)} lamps")
    if isinstance(view.hidden, np.ndarray) and view.hidden.shape != (len(scene.drawables),):
        raise PicturesError(f"hidden has shape {view.hidden.shape}, the scene has {len(scene.drawables)} drawables")
    if view.camera.width < stamp.NARROWEST_PX:
        raise PicturesError(f"a picture {view.camera.width} pixels wide; RTX pictures need {stamp.NARROWEST_PX} or more")


def instance_ids(ids: NDArray[np.int64], labels: Mapping[int, str], known: Mapping[str, int]) -> I32:
    """Instance ids of the scene, (h, w), from the renderer's: each stands for a prim path, at or below that of a drawable or the body."""
    values, where = np.unique(ids, return_inverse=True)
    table = np.array([_id_of(labels.get(int(v), ""), known) for v in values], dtype=np.int32)
    return np.asarray(table[where].reshape(ids.shape), dtype=np.int32)


def _id_of(path: str, known: Mapping[str, int]) -> int:
    while path.startswith("/") and path not in known:
        path = path.rsplit("/", 1)[0]
    return known.get(path, BACKGROUND_ID)
