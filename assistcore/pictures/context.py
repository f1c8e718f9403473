"""Making the OpenGL context: EGL without a window, and an error that says what to install when that fails."""

from __future__ import annotations

from typing import Any

from assistcore.pictures.protocol import APT_COMMAND, PicturesUnavailable

REQUIRED_GL = 430


def make_context(device_index: int | None = None) -> Any:
    """A standalone moderngl context on EGL (OpenGL 4.3 or newer). Raises PicturesUnavailable naming what is missing."""
    try:
        import moderngl
    except ImportError as cause:
        raise PicturesUnavailable(
            f"the Python package moderngl cannot be imported ({cause}); install it with: pip install moderngl"
        ) from cause
    options: dict[str, Any] = {"backend": "egl", "require": REQUIRED_GL}
    if device_index is not None:
        options["device_index"] = device_index
    try:
        context = moderngl.create_context(standalone=True, **options)
    except Exception as cause:  # glcontext raises bare Exception for every failure of EGL
        where = "" if device_index is None else f" on EGL device {device_index}"
        raise PicturesUnavailable(
            f"no OpenGL {REQUIRED_GL // 100}.{REQUIRED_GL // 10 % 10} context from EGL{where}: {cause}. "
            f"The system libraries libEGL, libGL and a driver are needed; on Debian or Ubuntu: {APT_COMMAND}"
        ) from cause
    return context


def device_name(context: Any) -> str:
    """Renderer and version of the driver behind a context."""
    return f"{context.info['GL_RENDERER']} / OpenGL {context.info['GL_VERSION']}"
