"""What any back end of the house must keep, as one small check per promise: embedded, in another process, Isaac Sim.

`check_engine(engine)` runs them through the `Engine` face alone; on an RTX machine: `assistworld contract --engine isaac`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistcore.world.engine import Engine
from assistworld.studies.contract import commands, pictures, promises, world

Check = Callable[[Engine], Iterator[str]]
CHECKS: dict[str, Check] = {**promises.CHECKS, **world.CHECKS, **commands.CHECKS, **pictures.CHECKS}
"""Checks by name; the first line of each one's docstring is the promise."""


@dataclass(frozen=True)
class Finding:
    """One check: the promise, and what broke it (nothing where it is kept)."""

    name: str
    promise: str
    problems: tuple[str, ...]


def check_engine(
    engine: Engine, names: Sequence[str] = tuple(CHECKS), *, say: Callable[[Finding], None] = lambda f: None
) -> tuple[Finding, ...]:
    """Run checks on an engine. `say` is told of each at once. What an engine raises is a problem of the check in which it does."""
    found = []
    for name in names:
        check = CHECKS[name]
        try:
            problems = tuple(check(engine))
        except Exception as error:
            problems = (f"raised {type(error).__name__}: {error}",)
        finding = Finding(name, (check.__doc__ or "").strip().splitlines()[0], problems)
        say(finding)
        found.append(finding)
    return tuple(found)
