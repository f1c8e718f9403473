"""Registries: names and one-line descriptions are readable without importing; a module is imported on first use.

A registry lists the modules of one package folder (their first docstring line is the description) and the entry points
`assistworld.<kind>`.
Adding a thing is adding one file.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType

from assistcore.world.errors import AssistWorldError, nearest


@dataclass(frozen=True)
class Entry:
    """One registered module: its name, dotted path and description."""

    name: str
    module: str
    description: str


class UnknownName(AssistWorldError):
    """A name that is not registered; says what is."""


@dataclass(frozen=True)
class Registry:
    """The modules of `package` (a dotted name below which every public module or sub-package is an entry) plus entry points of `kind`."""

    kind: str
    package: str

    def entries(self) -> tuple[Entry, ...]:
        """All entries, sorted by name. Imports nothing of theirs."""
        return _entries(self.kind, self.package)

    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(e.name for e in self.entries())

    def load(self, name: str) -> ModuleType:
        """Import the module of `name`. Raises UnknownName with the nearest match."""
        for entry in self.entries():
            if entry.name == name:
                return importlib.import_module(entry.module)
        raise UnknownName(f"no {self.kind} named {name!r}; {nearest(name, self.names())}")


@cache
def _entries(kind: str, package: str) -> tuple[Entry, ...]:
    folder = _folder(package)
    found = {}
    for path in sorted(folder.iterdir()):
        source = path / "__init__.py" if path.is_dir() else path
        name = path.stem
        if name.startswith("_") or source.suffix != ".py" or not source.is_file():
            continue
        label = name.rstrip("_")  # a module named for a Python keyword carries an underscore: raise_.py
        found[label] = Entry(label, f"{package}.{name}", _first_line(source))
    for point in metadata.entry_points(group=f"assistworld.{kind}"):
        found[point.name] = Entry(point.name, point.value, f"from {point.dist.name if point.dist else 'an entry point'}")
    return tuple(found[k] for k in sorted(found))


def _folder(package: str) -> Path:
    root, *rest = package.split(".")
    spec = importlib.util.find_spec(root)
    if spec is None or not spec.submodule_search_locations:
        raise AssistWorldError(f"package {root!r} of registry is not installed")
    return Path(list(spec.submodule_search_locations)[0]).joinpath(*rest)


def _first_line(source: Path) -> str:
    doc = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8")))
    return (doc or "").strip().split("\n", 1)[0]
