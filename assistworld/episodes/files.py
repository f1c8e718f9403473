"""Files that survive a crash and a full disk: written to a temporary name, then renamed; errors name the file and the free space."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from assistcore.world.errors import InfrastructureError


def write_failed(path: Path, error: OSError) -> InfrastructureError:
    """The error for a file that could not be written: what, why, and the space left on its disk."""
    try:
        free = f"{shutil.disk_usage(path.parent).free} bytes free"
    except OSError:
        free = "free space unknown"
    return InfrastructureError(f"write {path.name}", f"{error.strerror or error} ({free} on the disk of {path.parent})")


def write_atomic(path: Path, data: bytes) -> None:
    """Replace `path` with `data`, or leave it byte for byte as it was. Raises InfrastructureError naming file and free space."""
    temporary = path.with_name(path.name + ".part")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise write_failed(path, error) from error


def make_folder(folder: Path) -> Path:
    """Make a folder and those above it. Raises InfrastructureError where there can be none (a file stands there, no right to)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = "it is a file" if isinstance(error, FileExistsError) else error.strerror or str(error)
        raise InfrastructureError(f"make folder {folder}", why) from error
    return folder


def new_folder(parent: Path, name: str) -> Path:
    """Make `parent/name-NNN` with the first free number, by exclusive create: two processes never share one.

    Raises InfrastructureError where there can be none.
    """
    make_folder(parent)
    number = 1
    while True:
        folder = parent / f"{name}-{number:03d}"
        try:
            folder.mkdir()
            return folder
        except FileExistsError:
            number += 1
        except OSError as error:
            raise InfrastructureError(f"make folder {folder}", error.strerror or str(error)) from error
