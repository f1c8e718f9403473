"""Loops that Numba compiles on first use. Importing costs nothing; without Numba the same functions run as plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


class Kernels:
    """The kernels of one module, in the order in which they call each other: `ready()` replaces them in its namespace by compiled ones.

    Callers go through the module (`narrowphase.gjk(...)`) after `narrowphase.KERNELS.ready()`. No fast-math; results do not depend on
    whether a kernel is compiled, up to the last bit of fused operations. `needs`: sets of other modules whose kernels these call; Numba's
    cache on disk does not notice when only a needed one changes, so that such a change belongs in a commit that touches both files.
    """

    def __init__(self, namespace: dict[str, Any], needs: Sequence[Kernels] = ()) -> None:
        self._namespace = namespace
        self._needs = tuple(needs)
        self._names: list[str] = []
        self._done = False
        self._compiled = False

    def add(self, function: Function) -> Function:
        """Register a kernel; used as a decorator."""
        self._names.append(function.__name__)
        return function

    def ready(self) -> bool:
        """Compile all of them (with an on-disk cache where the folder can be written). Idempotent. False where there is no Numba."""
        if self._done:
            return self._compiled
        self._done = True
        for other in self._needs:
            other.ready()
        try:
            import numba
        except ImportError:
            return False
        self._compiled = True
        for name in self._names:
            function = self._namespace[name]
            try:
                self._namespace[name] = numba.njit(cache=True)(function)
            except RuntimeError:  # no writable cache folder
                self._namespace[name] = numba.njit(function)
        return True
