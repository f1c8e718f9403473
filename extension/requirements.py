"""What AssistWorld needs in Isaac Sim's own Python, asked before the application starts, which takes minutes."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

from assistcore.world.errors import InfrastructureError

NEEDED: Mapping[str, str] = {
    "numpy": "numpy",
    "scipy": "scipy",
    "PIL": "pillow",
    "yaml": "pyyaml",
    "pydantic": "pydantic",
    "tqdm": "tqdm",
    "numba": "numba",
}
"""Distribution by module. Without Numba everything gives the same, but one plan takes minutes: no call would end within its limit."""
LLVMLITE = "llvmlite==0.46.0"
"""What Isaac Sim 6.2 pins; said beside Numba, so that pip takes the Numba that goes with it."""
OURSELVES = "assistworld"


def check(has: Callable[[str], bool] = lambda name: importlib.util.find_spec(name) is not None) -> None:
    """Raise InfrastructureError with everything that is missing and the one command that brings it.

    has: whether a module can be imported; the checkout itself must be installed too, since both sides of a session tell their version.
    """
    missing = [distribution for module, distribution in NEEDED.items() if not has(module)]
    if not _installed(OURSELVES):
        missing.insert(0, f"-e {Path(__file__).resolve().parents[1]}")
    if missing:
        more = [LLVMLITE] if "numba" in missing else []
        what = f"this Python ({sys.executable}) lacks {', '.join(name.removeprefix('-e ') for name in missing)}"
        raise InfrastructureError("start Isaac Sim", f"{what}; with it: python -m pip install {' '.join([*missing, *more])}")


def _installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True
