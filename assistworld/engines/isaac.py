"""The same house in Isaac Sim 6.2 (PhysX, RTX), in a process of Isaac Sim's own Python; needs an RTX machine (docs/isaac_sim.md)."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assistcore.world.errors import InfrastructureError, InputError, Problem

if TYPE_CHECKING:
    from assistworld.engines.remote.client import RemoteEngine

PYTHON = "ASSISTWORLD_ISAAC_PYTHON"
ARGUMENTS = "ASSISTWORLD_ISAAC_ARGUMENTS"
"""Kit's own arguments for the application, as one would write them in a shell."""
INSTALL = (
    "Isaac Sim's Python was not found. With pip, in a Python 3.12 environment on a machine with an RTX GPU:\n"
    '    pip install "isaacsim[all,extscache]==6.2.0.0" --extra-index-url https://pypi.nvidia.com\n'
    "    pip install -e . numba llvmlite==0.46.0     (in the AssistWorld folder, without the extra sim)\n"
    f"then run assistworld from that environment, or set {PYTHON} to its python (of a binary installation: to its python.sh).\n"
    "docs/isaac_sim.md has the steps"
)
FIRST_START_S = 1800.0
"""Shaders are compiled at the first start."""


def isaac_python(environment: Mapping[str, str] = os.environ) -> str:
    """The Python that has Isaac Sim: what ASSISTWORLD_ISAAC_PYTHON names, else this one. Raises InfrastructureError with the steps."""
    named = environment.get(PYTHON, "")
    if named:
        found = shutil.which(named)
        if found is None:
            raise InfrastructureError("start Isaac Sim", f"{PYTHON} is {named!r}, which is no program that can be run\n{INSTALL}")
        return found
    if importlib.util.find_spec("isaacsim") is None:
        raise InfrastructureError("start Isaac Sim", INSTALL)
    return sys.executable


def server_command() -> Sequence[str]:
    """How a server for this engine is started; its arguments follow. Raises InfrastructureError."""
    extension = importlib.util.find_spec("extension")
    if extension is None or extension.origin is None:
        raise InfrastructureError("start Isaac Sim", "the package `extension` is not beside `assistworld`; use a checkout")
    return (isaac_python(), str(Path(extension.origin).with_name("serve.py")), *kit_arguments())


def kit_arguments(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """What ASSISTWORLD_ISAAC_ARGUMENTS says, each as `--kit=...`. Raises InputError for what no shell would read."""
    given = environment.get(ARGUMENTS, "")
    try:
        return tuple(f"--kit={word}" for word in shlex.split(given))
    except ValueError as error:
        raise InputError("environment", [Problem(ARGUMENTS, f"is {given!r}: {error}", "quote as in a shell")]) from error


def make(
    *,
    width: int = 640,
    height: int = 480,
    body: Path | str | None = None,
    gait: Path | str | None = None,
    limit_s: float = 300.0,
    fresh: bool = False,
) -> RemoteEngine:
    """The house on PhysX and RTX in a process that starts now. `body` and `gait` as for the embedded house; `limit_s` bounds each call.

    Raises InfrastructureError where Isaac Sim is not found, with the steps to install it, or does not start, with what it printed last.
    """
    from assistworld.engines.remote.client import RemoteEngine
    from assistworld.engines.remote.process import ServerProcess

    options = {"width": str(width), "height": str(height)}
    options |= {key: str(Path(value).resolve()) for key, value in (("body", body), ("gait", gait)) if value is not None}
    place = ServerProcess("isaac", limit_s=limit_s, options=options)
    return RemoteEngine(place, fresh=fresh)
