"""The script ``./dev`` and the commands that the documents promise."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tree import ROOT, files

COMMANDS = {"setup", "demo", "test", "lint", "bench", "prove-all", "run", "help"}


def dev(*words: str, script: Path = ROOT / "dev", cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(script), *words], cwd=cwd, capture_output=True, text=True, check=False)


def documents() -> list[Path]:
    return [path for path in files() if path.suffix == ".md"]


def promised(pattern: str) -> set[str]:
    return {word for path in documents() for word in re.findall(pattern, (ROOT / path).read_text(encoding="utf-8"))}


def test_help_lists_exactly_the_commands() -> None:
    shown = dev("help")
    assert shown.returncode == 0 and shown.stderr == ""
    assert set(re.findall(r"^  ([a-z][a-z-]*)\b", shown.stdout, re.MULTILINE)) == COMMANDS


def test_an_unknown_command_is_named_and_refused() -> None:
    refused = dev("tset")
    assert refused.returncode == 1 and "tset" in refused.stderr and refused.stdout == ""


def test_it_works_from_a_folder_with_a_space_and_any_working_directory(tmp_path: Path) -> None:
    home = tmp_path / "two words"
    home.mkdir()
    shutil.copy(ROOT / "dev", home / "dev")
    assert dev("help", script=home / "dev", cwd=tmp_path).stdout == dev("help").stdout


def test_a_python_that_is_too_old_is_refused_with_the_remedy(tmp_path: Path) -> None:
    shutil.copy(ROOT / "dev", tmp_path / "dev")
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("sh", "dirname", "id", "cat", "cksum"):
        found = shutil.which(tool)
        assert found is not None, tool
        (tools / tool).symlink_to(found)
    (tools / "python3").write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" || exit 1\n')
    (tools / "python3").chmod(0o755)
    refused = subprocess.run([tmp_path / "dev", "setup"], env={"PATH": str(tools)}, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "3.11" in refused.stderr and "Python 3.9.2" in refused.stderr and "apt-get install" in refused.stderr
    assert not (tmp_path / ".venv").exists()


def test_documents_name_only_commands_that_exist() -> None:
    named = promised(r"\./dev ([a-z][a-z-]*)")
    assert {"demo", "test"} <= named <= COMMANDS


def test_documents_name_only_subcommands_that_exist() -> None:
    shown = subprocess.run([sys.executable, "-m", "assistworld.cli.main", "--help"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    for word in promised(r"(?:\./dev run|\$ assistworld) ([a-z][a-z-]*)"):
        assert re.search(rf"\b{word}\b", shown.stdout), word


def test_links_between_documents_lead_somewhere() -> None:
    dead = []
    for path in documents():
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", (ROOT / path).read_text(encoding="utf-8")):
            if not target.startswith(("http://", "https://", "mailto:")) and not (ROOT / path.parent / target).exists():
                dead.append(f"{path} -> {target}")
    assert not dead, "\n".join(dead)


@pytest.mark.parametrize("script", ["dev", ".ci/run"])
def test_scripts_are_executable_posix_sh(script: str) -> None:
    path = ROOT / script
    assert path.stat().st_mode & 0o111 and path.read_text(encoding="utf-8").startswith("#!/bin/sh\n")
    assert subprocess.run(["sh", "-n", str(path)], check=False).returncode == 0


def test_ci_runs_the_tests_through_dev() -> None:
    assert '/dev" test' in (ROOT / ".ci/run").read_text(encoding="utf-8")
