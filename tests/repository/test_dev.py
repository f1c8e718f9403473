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


def bare_machine(folder: Path, **fakes: str) -> dict[str, str]:
    """A PATH with the basic tools and the given scripts only: no Python, no package manager unless faked."""
    tools = folder / "bin"
    tools.mkdir()
    for tool in ("sh", "dirname", "id", "cat", "cksum"):
        found = shutil.which(tool)
        assert found is not None, tool
        (tools / tool).symlink_to(found)
    for name, body in fakes.items():
        script = tools / name.replace("_", "-")
        script.unlink(missing_ok=True)
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
    shutil.copy(ROOT / "dev", folder / "dev")
    return {"PATH": str(tools)}


def set_up(folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([folder / "dev", "setup"], env=env, capture_output=True, text=True, check=False)


def test_a_python_that_is_too_old_is_refused_with_the_remedy(tmp_path: Path) -> None:
    refused = set_up(tmp_path, bare_machine(tmp_path, python3='[ "$1" = --version ] && echo "Python 3.9.2" || exit 1'))
    assert refused.returncode == 1
    assert "3.11" in refused.stderr and "Python 3.9.2" in refused.stderr and "apt-get install" in refused.stderr
    assert not (tmp_path / ".venv").exists()


def test_without_root_the_exact_command_for_missing_system_packages_is_printed(tmp_path: Path) -> None:
    only_egl_there = 'case "$*" in *" libegl1"*) printf "install ok installed" ;; *) exit 1 ;; esac'
    told = set_up(tmp_path, bare_machine(tmp_path, id="echo 1000", dpkg_query=only_egl_there, apt_get='echo "called" >"${0%/*}/called"'))
    assert "sudo apt-get install -y libegl-mesa0 libgl1-mesa-dri fonts-dejavu-core" in told.stderr
    assert not (tmp_path / "bin" / "called").exists()


def test_as_root_only_the_missing_system_packages_are_installed(tmp_path: Path) -> None:
    env = bare_machine(tmp_path, id="echo 0", dpkg_query="exit 1", apt_get='echo "$*" >>"${0%/*}/called"')
    refused = set_up(tmp_path, env)
    calls = (tmp_path / "bin" / "called").read_text().splitlines()
    assert calls[0].split()[-4:] == ["libegl1", "libegl-mesa0", "libgl1-mesa-dri", "fonts-dejavu-core"]
    assert calls[1].split()[-2:] == ["python3", "python3-venv"]
    assert refused.returncode == 1, "there is still no Python on this machine"


def pytest_through_dev(folder: Path, *words: str, workers: str | None = None) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """`./dev test` with a Python that has three cores and only notes what it is asked: what came out, and pytest's arguments."""
    env = bare_machine(folder, dpkg_query="exit 1", apt_get="exit 1") | ({} if workers is None else {"ASSISTWORLD_TEST_WORKERS": workers})
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\ncase "$2" in pytest) shift 2; echo "$*" >"{folder}/asked" ;; *sched_getaffinity*) echo 3 ;; esac\n')
    python.chmod(0o755)
    for name in ("requirements.lock", "pyproject.toml"):
        (folder / name).touch()
    came = subprocess.run([folder / "dev", "test", *words], env=env, capture_output=True, text=True, check=False)
    asked = folder / "asked"
    return came, asked.read_text().split() if asked.exists() else []


@pytest.mark.parametrize(
    ("workers", "words", "expected"),
    [
        (None, ["tests/x"], ["-n", "3", "--dist", "loadfile", "tests/x"]),
        ("2", ["-k", "gait"], ["-n", "2", "--dist", "loadfile", "-k", "gait"]),
        ("1", ["tests/x"], ["tests/x"]),
        ("2", ["--pdb", "tests/x"], ["--pdb", "tests/x"]),
    ],
)
def test_the_tests_run_in_a_process_for_each_core_or_as_many_as_asked_for(
    workers: str | None, words: list[str], expected: list[str], tmp_path: Path
) -> None:
    came, asked = pytest_through_dev(tmp_path, *words, workers=workers)
    assert came.returncode == 0, came.stderr
    assert asked == ["-m", *"not slow and not gpu".split(), *expected]


@pytest.mark.parametrize("wrong", ["0", "two", "-1", "1.5"])
def test_a_number_of_processes_that_is_none_is_refused(wrong: str, tmp_path: Path) -> None:
    came, asked = pytest_through_dev(tmp_path, workers=wrong)
    assert came.returncode == 1 and f"'{wrong}', not a number of processes" in came.stderr and asked == []


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
