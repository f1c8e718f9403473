"""The Kit extension for Isaac Sim: everything that touches ``omni`` or ``isaacsim`` lives in this package.

Importing it has no effect outside Kit. Kit finds an extension's entry class by looking for subclasses of ``omni.ext.IExt``
among the attributes of the module; Kit has loaded ``omni.ext`` long before, so that module is looked up, never imported.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from extension.lifecycle import Lifecycle

__all__: list[str] = []

_running: dict[int, Lifecycle] = {}


def _on_startup(self: object, ext_id: str) -> None:
    """Kit calls this once when the extension is enabled; ``ext_id`` is its name with the version."""
    from extension.kit_host import KitHost
    from extension.lifecycle import Lifecycle

    lifecycle = Lifecycle(KitHost())
    _running[id(self)] = lifecycle
    lifecycle.start(ext_id)


def _on_shutdown(self: object) -> None:
    """Kit calls this once when the extension is disabled or the application closes. Idempotent, also after a start that failed."""
    lifecycle = _running.pop(id(self), None)
    if lifecycle is not None:
        lifecycle.stop()


_kit = sys.modules.get("omni.ext")
if _kit is not None:
    AssistWorldExtension = type("AssistWorldExtension", (_kit.IExt,), {"on_startup": _on_startup, "on_shutdown": _on_shutdown})
    __all__ += ["AssistWorldExtension"]
