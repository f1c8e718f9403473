"""Which files a scene may name: relative, below the scene's own folder, spelt exactly as on disk.

Absolute paths, URIs, `..`, links that lead out of the folder and spellings that differ in case are findings, each with its reason.
"""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from assistcore.world.errors import Problem, nearest


def resolve(folder: Path, owner: str, uri: str, root: Path) -> tuple[Path | None, Problem | None]:
    """The file that `uri` in a file of `folder` means, or the problem with it.

    owner: file and object that name it (for the report). root: the folder that nothing may leave.
    """

    def problem(why: str, fix: str) -> tuple[None, Problem]:
        return None, Problem(owner, f"{uri!r} {why}; searched {folder}", fix)

    if "://" in uri:
        return problem("is a network address", "put the file beside the scene: scenes are read offline")
    path = PurePosixPath(uri.replace("\\", "/"))
    if path.is_absolute() or (len(uri) > 1 and uri[1] == ":"):
        return problem("is an absolute path", "name it relative to the file that uses it, such as './assets/x.usdc'")
    if ".." in path.parts:
        return problem("leaves its folder with '..'", "move the file below the scene's folder")
    found = folder
    for part in path.parts:
        spelled = sorted(os.listdir(found)) if found.is_dir() else []
        if part not in spelled:
            same = [s for s in spelled if s.lower() == part.lower()]
            if same:
                return problem(f"differs from {same[0]!r} on disk in upper and lower case", f"spell it {same[0]!r}")
            return problem("does not exist", nearest(part, spelled) if spelled else f"folder {found} is missing or empty")
        found = found / part
    if not found.resolve().is_relative_to(root.resolve()):
        return problem("is a link that leads out of the scene's folder", "copy the file instead of linking it")
    return found, None
