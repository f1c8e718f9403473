"""One digest over source files, for all that must tell code from other code: results, engine versions, the two sides of a wire."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path


def checkout() -> Path:
    """The folder that holds the packages: the root of the checkout, or of the installation."""
    return Path(__file__).resolve().parents[2]


def python_files(packages: Sequence[str], root: Path | None = None) -> Iterator[Path]:
    """The ``*.py`` files below each package (or the one module that a name with ``.py`` names), sorted by path.

    packages: folders relative to `root`, by default the checkout.

    Raises:
        FileNotFoundError: a named package is no folder; an empty digest would vouch for nothing.
    """
    base = checkout() if root is None else root
    found: set[Path] = set()
    for package in packages:
        folder = base / package
        if package.endswith(".py") and folder.is_file():
            found.add(folder)
            continue
        if not folder.is_dir():
            raise FileNotFoundError(f"no package folder {folder}; a code digest of {package!r} cannot be made")
        found.update(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)
    yield from sorted(found, key=lambda path: path.relative_to(base).as_posix())


def code_digest(packages: Sequence[str], root: Path | None = None) -> str:
    """SHA-256 (64 hex digits) over the relative paths and contents of :func:`python_files`; line ends do not count.

    The order in which the packages are named does not matter.
    """
    base = checkout() if root is None else root
    digest = hashlib.sha256()
    for path in python_files(packages, base):
        content = path.read_bytes().replace(b"\r\n", b"\n")
        for part in (path.relative_to(base).as_posix().encode(), content):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()


@cache
def code_version(*packages: str) -> str:
    """The distribution's version and twelve hex digits of :func:`code_digest`, as records carry it. Read once in a process."""
    return f"{version('assistworld')}+{code_digest(packages)[:12]}"
