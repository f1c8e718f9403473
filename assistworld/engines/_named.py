"""What makes an engine, by name: one that is registered, or `module:function` for one of the user's own."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from assistcore.world.engine import Engine
from assistcore.world.errors import InputError, Problem
from assistcore.world.registry import Registry

ENGINES = Registry("engine", "assistworld.engines")


def maker(name: str, registry: Registry = ENGINES) -> Callable[..., Engine]:
    """The function that makes an engine; what it takes are its options.

    Raises UnknownName with the nearest registered name, InputError for a module or a function that is not there.
    """
    path, colon, function = name.partition(":")
    if not colon:
        made: Callable[..., Engine] = registry.load(name).make
        return made
    try:
        found = getattr(importlib.import_module(path), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError("engine", [Problem(name, str(error), "give module:function, with the module on PYTHONPATH")]) from error
    if not callable(found):
        raise InputError("engine", [Problem(name, f"is a {type(found).__name__}", "name a function or class that makes an engine")])
    return found  # type: ignore[no-any-return]
