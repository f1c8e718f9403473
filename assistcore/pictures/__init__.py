"""The renderer: plain scene data and a camera in; colour, depth and instance ids out. Importing it loads no graphics library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistcore.pictures.camera import Camera, CameraError, matrix_from_quat_wxyz
from assistcore.pictures.protocol import APT_COMMAND, Picture, Pictures, PicturesError, PicturesUnavailable, View
from assistcore.pictures.scene import (
    BACKGROUND_ID,
    BodyMesh,
    Daylight,
    Drawable,
    Lamp,
    PictureRoom,
    PictureScene,
    Portal,
    SceneError,
    Surface,
    TriMesh,
    Window,
    smooth_normals,
)

if TYPE_CHECKING:
    from assistcore.pictures.renderer import GlPictures


def open_pictures(*, device_index: int | None = None) -> GlPictures:
    """The OpenGL renderer on EGL. Raises PicturesUnavailable with the command that installs what is missing."""
    from assistcore.pictures.renderer import GlPictures

    return GlPictures(device_index=device_index)


__all__ = [
    "APT_COMMAND",
    "BACKGROUND_ID",
    "BodyMesh",
    "Camera",
    "CameraError",
    "Daylight",
    "Drawable",
    "Lamp",
    "Picture",
    "PictureRoom",
    "PictureScene",
    "Pictures",
    "PicturesError",
    "PicturesUnavailable",
    "Portal",
    "SceneError",
    "Surface",
    "TriMesh",
    "View",
    "Window",
    "matrix_from_quat_wxyz",
    "open_pictures",
    "smooth_normals",
]
