"""`extension/serve.py` as Isaac Sim's Python runs it, on the Isaac Sim of cardboard: `python -m tests.extension.kit.serve`."""

from __future__ import annotations

import sys

from assistworld.engines.house.scenes import load_scene
from tests.extension.kit.modules import Kit, app_module, modules, with_parents


def main() -> int:
    """Kit's modules are there once the application has started, and not before."""
    kit = Kit(load_scene)
    kit.settings = {"/exts/assistworld/warm_up_renders": 16, "/exts/assistworld/settle_renders": 1}
    sys.modules.update(with_parents(app_module(kit, started=lambda: sys.modules.update(with_parents(modules(kit))))))
    from extension.serve import main as serve

    return serve(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
