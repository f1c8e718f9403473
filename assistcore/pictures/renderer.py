"""The renderer: culling, cached shadow tiles, one pass for depth and ids, one pass for light. OpenGL 4.3 through moderngl on EGL."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import numpy as np

from assistcore.pictures.camera import F64
from assistcore.pictures.checks import Checked, check_view
from assistcore.pictures.context import device_name, make_context
from assistcore.pictures.programs import Programs
from assistcore.pictures.protocol import Picture, PicturesError, View
from assistcore.pictures.resident import Resident
from assistcore.pictures.scene import PictureScene
from assistcore.pictures.targets import Targets

_FLIP = np.diag([1.0, -1.0, 1.0, 1.0])


class GlPictures:
    """A `Pictures` on OpenGL. One context, one scene at a time; not to be shared between threads.

    Same scene and view give the same bytes on one machine, whatever was drawn before.
    """

    def __init__(self, *, device_index: int | None = None) -> None:
        """Raises PicturesUnavailable when no context can be made."""
        self._context: Any = make_context(device_index)
        with self._context:
            self._programs = Programs(self._context)
            self._device = device_name(self._context)
        self._resident: Resident | None = None
        self._targets: dict[tuple[int, int, int], Targets] = {}

    @property
    def device(self) -> str:
        """Renderer and version of the OpenGL driver."""
        return self._device

    def load(self, scene: PictureScene) -> None:
        """Upload a scene in place of the one before. Raises SceneError and leaves the old scene in place when it cannot be drawn."""
        scene.check()
        with self._open():
            if self._resident is not None:
                self._resident.release()
                self._resident = None
            self._resident = Resident(self._context, self._programs, scene)

    def draw(self, view: View) -> Picture:
        """Draw one view completely. Raises PicturesError when it does not fit the scene."""
        with self._open():
            if self._resident is None:
                raise PicturesError("draw before load: no scene is loaded")
            checked = check_view(self._resident.scene, view)
            targets = self._target(view)
            self._render(self._resident, checked, targets)
            return targets.read()

    def close(self) -> None:
        """Free the scene, the frame buffers and the context; closing twice is allowed."""
        if self._context is None:
            return
        with self._context:
            if self._resident is not None:
                self._resident.release()
            for targets in self._targets.values():
                targets.release()
            self._programs.release()
        self._context.release()
        self._context, self._resident, self._targets = None, None, {}

    def __enter__(self) -> GlPictures:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _open(self) -> Any:
        if self._context is None:
            raise PicturesError("this renderer is closed")
        return self._context

    def _target(self, view: View) -> Targets:
        key = (view.camera.width, view.camera.height, view.supersample)
        if key not in self._targets:
            if len(self._targets) >= 4:
                self._targets.pop(next(iter(self._targets))).release()
            self._targets[key] = Targets(self._context, *key)
        return self._targets[key]

    def _render(self, resident: Resident, checked: Checked, targets: Targets) -> None:
        clip = _FLIP @ checked.view.camera.clip_from_world()
        self._context.depth_func = "<="
        resident.prepare(checked)
        self._draw_facts(resident, clip, targets)
        self._draw_look(resident, checked, clip, targets)
        if targets.resolve is not None:
            targets.resolve.use()
            self._context.disable(self._context.DEPTH_TEST)
            targets.colour.use(0)
            self._programs.resolve.render(vertices=3)

    def _draw_facts(self, resident: Resident, clip: F64, targets: Targets) -> None:
        """Ids and plane depth; without supersampling this is the depth pre-pass as well."""
        context = self._context
        targets.facts.use()
        targets.facts.clear(depth=1.0)
        context.disable(context.DEPTH_TEST | context.BLEND)
        self._programs.clear.render(vertices=3)
        context.enable_only(context.DEPTH_TEST)
        resident.draw_plain("ids", clip)

    def _draw_look(self, resident: Resident, checked: Checked, clip: F64, targets: Targets) -> None:
        context, programs, look = self._context, self._programs, targets.look
        look.depth_mask = True
        look.use()
        if targets.supersample > 1:
            look.clear(depth=1.0)
            look.color_mask = (False, False, False, False)
            resident.draw_plain("shadow", clip)
            look.color_mask = (True, True, True, True)
        look.depth_mask = False
        resident.draw_shaded(clip)
        programs.set_sky(checked.view.camera, resident.scene.daylight)
        programs.sky.render(vertices=3)
        if resident.has_glass:
            context.enable(context.BLEND)
            context.blend_func = context.DEFAULT_BLENDING
            resident.draw_glass()
            context.disable(context.BLEND)
        look.depth_mask = True
