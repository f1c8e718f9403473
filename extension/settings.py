"""The extension's settings: their names, types and defaults, which ``extension.toml`` repeats under ``exts."assistworld"``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from assistcore.world.errors import InputError, Problem

ROOT = "/exts/assistworld/"
"""The name in the manifest's table, whatever the folder of the checkout is called."""


@dataclass(frozen=True)
class Settings:
    """open_house: open the scene's USD file once the app is ready. scene: which. warm_up_renders, settle_renders: see `Patience`."""

    open_house: bool = False
    scene: str = "flat"
    warm_up_renders: int = 64
    settle_renders: int = 4


def read(get: Callable[[str], object]) -> Settings:
    """Settings from what gives a value by path, None where there is none. Raises InputError with every problem."""
    values: dict[str, object] = {}
    problems = []
    for field in fields(Settings):
        default = field.default
        value = get(ROOT + field.name)
        if value is None:
            continue
        if type(value) is not type(default):
            what = f"is {value!r}, a {type(value).__name__}; expected a {type(default).__name__}"
            problems.append(Problem(ROOT + field.name, what, f"the default is {default!r}"))
        elif isinstance(value, int) and not isinstance(value, bool) and not 1 <= value <= 10_000:
            problems.append(Problem(ROOT + field.name, f"is {value}, outside 1..10000", f"the default is {default!r}"))
        else:
            values[field.name] = value
    if problems:
        raise InputError("settings of the extension", problems)
    return Settings(**values)  # type: ignore[arg-type]
