"""What a renderer promises: a scene is loaded once, every view gives one complete picture. It holds no state of the world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.camera import Camera
from assistcore.pictures.scene import F32, I32, U8, PictureScene, Surface

APT_COMMAND = "sudo apt-get install -y libegl1 libegl-mesa0 libgl1 libgl1-mesa-dri"


class PicturesUnavailable(RuntimeError):
    """No renderer can be made here; the text names what is missing and the command that installs it."""


class PicturesError(ValueError):
    """A view that does not fit the loaded scene; the text names the field and both shapes."""


@dataclass(frozen=True, eq=False)
class View:
    """One picture to take: a camera and the state of everything that can move or change its look.

    transforms: (T, 4, 4) float32 world-from-drawable, None when no drawable has one. hidden: names, or a bool mask over the scene's
    drawables.
    lamps_on: bool or 0..1 per lamp, None is all on. looks: surface overrides by drawable name. portals_open: 0..1 per portal, None is all
    open (a
    closed portal hides the room behind it). body_vertices_m and body_normals: (V, 3) float32, world frame; None leaves the body out.
    body_hidden_faces: bool mask over the body's faces that this camera does not see (its own head); they still cast shadows.
    room_of_camera: index of the camera's room if known. hide_ceilings: for maps from above. supersample: 1, or 2 for 2 x 2 samples a
    pixel in rgb (ids and
    depth always come from pixel centres).
    """

    camera: Camera
    transforms: F32 | None = None
    hidden: frozenset[str] | NDArray[np.bool_] = frozenset()
    lamps_on: NDArray[np.bool_] | F32 | None = None
    looks: Mapping[str, Surface] = field(default_factory=dict)
    portals_open: F32 | None = None
    body_vertices_m: F32 | None = None
    body_normals: F32 | None = None
    body_hidden_faces: NDArray[np.bool_] | None = None
    room_of_camera: int | None = None
    hide_ceilings: bool = False
    supersample: int = 1


@dataclass(frozen=True, eq=False)
class Picture:
    """rgb: (h, w, 3) uint8. depth_m: (h, w) float32 along the view axis, inf where nothing is. ids: (h, w) int32, -1 where nothing is."""

    rgb: U8
    depth_m: F32
    ids: I32


class Pictures(Protocol):
    """A renderer. `draw` returns a finished picture or raises; a frame that is not ready is never returned."""

    @property
    def device(self) -> str:
        """Name of the driver and device that draws."""
        ...

    def load(self, scene: PictureScene) -> None:
        """Take a scene in place of the one before. Raises SceneError."""
        ...

    def draw(self, view: View) -> Picture:
        """Draw one view. Raises PicturesError when the view does not fit the scene or nothing is loaded."""
        ...

    def close(self) -> None:
        """Free everything; further calls raise PicturesError."""
        ...
