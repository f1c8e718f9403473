"""The Kit extension for Isaac Sim: everything that touches ``omni`` or ``isaacsim`` lives in this package.

Importing it has no effect outside Kit. Kit finds an extension's entry class by looking for subclasses of ``omni.ext.IExt``
among the attributes of the module; Kit has loaded ``omni.ext`` long before, so that module is looked up, never imported.
"""

from __future__ import annotations

import logging
import sys

__all__: list[str] = []

_LOG = logging.getLogger(__name__)


def _on_startup(self: object, ext_id: str) -> None:
    """Kit calls this once when the extension is enabled; ``ext_id`` is its name with the version."""
    _LOG.info("AssistWorld started as %s", ext_id)


def _on_shutdown(self: object) -> None:
    """Kit calls this once when the extension is disabled or the application closes."""
    _LOG.info("AssistWorld stopped")


_kit = sys.modules.get("omni.ext")
if _kit is not None:
    AssistWorldExtension = type("AssistWorldExtension", (_kit.IExt,), {"on_startup": _on_startup, "on_shutdown": _on_shutdown})
    __all__ += ["AssistWorldExtension"]
