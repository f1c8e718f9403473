"""The checkout as these tests read it: its files, its modules, and which module imports which."""

from __future__ import annotations

import ast
import functools
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("assets_bake", "extension", "assistworld", "evaluator", "taskpacks", "actions", "humans", "assistcore")


@functools.cache
def files() -> tuple[Path, ...]:
    """Files of the project that git tracks or would track, sorted, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return tuple(sorted({Path(line) for line in listed.stdout.splitlines() if (ROOT / line).is_file()}))


def sources() -> list[Path]:
    """Python files of the eight packages, relative to the root."""
    return [path for path in files() if path.suffix == ".py" and path.parts[0] in PACKAGES]


def module_name(path: Path) -> str:
    """``a/b/c.py`` to ``a.b.c``; a package's ``__init__`` has the package's name."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def modules() -> dict[str, Path]:
    return {module_name(path): path for path in sources()}


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), filename=str(path))


class Import(NamedTuple):
    target: str
    """Full dotted name; the submodule where ``from package import submodule`` names one."""
    line: int
    at_import: bool
    """Runs when the module is imported: neither inside a function nor for type checkers only."""


def _resolve(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = node.module or ""
    for alias in node.names:
        full = f"{base}.{alias.name}"
        yield full if full in modules() else base


def _walk(node: ast.AST, at_import: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        lazy = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        typing_only = isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING")
        inner = at_import and not lazy and not typing_only
        yield child, inner
        yield from _walk(child, inner)


def imports(path: Path) -> list[Import]:
    """Every import statement of a file, function bodies and TYPE_CHECKING blocks included."""
    found = []
    for node, at_import in _walk(parsed(path), True):
        if isinstance(node, ast.ImportFrom) and node.level:
            raise SyntaxError(f"{path}:{node.lineno} imports relatively; the house plan asks for absolute imports")
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += [Import(target, node.lineno, at_import) for target in _resolve(node)]
    return found
