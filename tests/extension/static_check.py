"""Type checks of `extension/` against signatures of Kit: our own stubs, or the sources in the wheels of Isaac Sim 6.2.

`python -m tests.extension.static_check [--wheels FOLDER]` prints every finding and ends with 1 where there is one.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
STUBS = Path(__file__).parent / "stubs"
WHEELS = "ASSISTWORLD_ISAAC_WHEELS"
"""Names a folder with the wheels isaacsim_kernel, _core, _sensor and, where it is at hand, _extscache_physics of 6.2."""


class Finding(NamedTuple):
    """One error of a checker."""

    file: str
    line: int
    text: str


def check_with_mypy(sources: Path, work: Path) -> list[Finding]:
    """Errors in a copy of `extension/` (or itself) against our stubs. `work` keeps configuration and cache."""
    config = work / "mypy.ini"
    config.write_text(
        "[mypy]\nstrict = true\nwarn_unused_ignores = false\nwarn_return_any = false\nfollow_imports = silent\n"
        "explicit_package_bases = true\nnamespace_packages = true\n"
        "[mypy-PIL.*]\nignore_missing_imports = true\n"
    )
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--config-file",
            str(config),
            "--cache-dir",
            str(work / "cache"),
            "--no-error-summary",
            str(sources),
        ],
        cwd=sources.parent,
        env={**os.environ, "MYPYPATH": os.pathsep.join([str(sources.parent), str(STUBS), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode not in (0, 1) or "No module named mypy" in ran.stderr:
        raise RuntimeError(f"mypy ended with {ran.returncode}: {ran.stdout}{ran.stderr}")
    rows = re.findall(r"^(\S+?):(\d+): error: (.*)$", ran.stdout, re.MULTILINE)
    return [Finding(Path(file).name, int(line), text) for file, line, text in rows]


def basedpyright() -> str | None:
    """The checker that reads NVIDIA's sources without finding faults in them, where it is installed."""
    beside = Path(sys.executable).with_name("basedpyright")
    return str(beside) if beside.is_file() else shutil.which("basedpyright")


def check_with_basedpyright(sources: Path, work: Path, extra: Sequence[Path], checker: str) -> list[Finding]:
    """Errors in `extension/` with these folders on the path. Kit's modules that no folder has are ours from the stubs."""
    settings = {
        "include": [str(sources)],
        "pythonVersion": "3.12",
        "typeCheckingMode": "basic",
        "reportMissingImports": "warning",
        "reportMissingModuleSource": "none",
        "reportAttributeAccessIssue": "error",
        "stubPath": str(work / "no_stubs"),
        "extraPaths": [str(path) for path in (*extra, sources.parent, ROOT)],
    }
    config = work / "pyrightconfig.json"
    config.write_text(json.dumps(settings), encoding="utf-8")
    python = Path(checker).with_name("python")
    command = [checker, "--project", str(config), "--outputjson", *(["--pythonpath", str(python)] if python.exists() else [])]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        found = json.loads(ran.stdout)["generalDiagnostics"]
    except (ValueError, KeyError) as error:
        raise RuntimeError(f"{checker} ended with {ran.returncode}: {ran.stdout[-500:]}{ran.stderr[-500:]}") from error
    errors = [row for row in found if row["severity"] == "error"]
    return [Finding(Path(row["file"]).name, row["range"]["start"]["line"] + 1, row["message"]) for row in errors]


def unpacked(wheels: Path, into: Path) -> list[Path]:
    """Unpack only Python files of the wheels, outside the checkout, and give the folders to be on the checker's path.

    Never the folder above `isaacsim/__init__.py`: it would hide the name space of the extensions.
    """
    for wheel in sorted(wheels.glob("isaacsim_*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            names = [n for n in archive.namelist() if n.endswith((".py", ".pyi")) and ".." not in n and not n.startswith("/")]
            archive.extractall(into, names)
    base = into / "isaacsim"
    return [base / "kit" / "kernel" / "py", *sorted((base / "exts").glob("*")), *sorted((base / "extscache").glob("*"))]


def main(words: Sequence[str] | None = None) -> int:
    """Check the checkout; 1 where something is found, 2 where a checker or the wheels are missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--wheels", type=Path, help=f"folder with the wheels of Isaac Sim 6.2 (default: {WHEELS})")
    asked = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="assistworld-static-") as folder:
        found = check_with_mypy(ROOT / "extension", Path(folder))
        wheels = asked.wheels or (Path(os.environ[WHEELS]) if WHEELS in os.environ else None)
        if wheels is not None:
            checker = basedpyright()
            if checker is None:
                print("basedpyright is not installed: pip install basedpyright types-usd usd-core warp-lang", file=sys.stderr)
                return 2
            found += check_with_basedpyright(ROOT / "extension", Path(folder), unpacked(wheels, Path(folder) / "wheels"), checker)
    for finding in found:
        print(f"extension/{finding.file}:{finding.line}: {finding.text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
