"""Importing our packages imports no engine and has no effect (cases.md, IsaacLab#2047; CONVENTIONS rule 9)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.test_requirements import bounds
from tests.repository.tree import ROOT, modules

ENGINES = ("omni", "isaacsim", "carb", "pxr", "mujoco", "torch", "moderngl", "fcl", "numba", "embreex", "smplx")
OPTIONAL = ("gymnasium", "trimesh", "networkx", "httpx", "openai", "datasets", "cv2", "rapidocr_onnxruntime", "pytest", "hypothesis")
"""What the extras bring, or a user for one feature: whoever installs the base package alone has none of them."""
ABSENT = (*ENGINES, *OPTIONAL)
MODULES = {"usd-core": "pxr"}

# Modules that are nothing but an adapter of one heavy library. Others import them inside functions only.
LEAVES: frozenset[str] = frozenset()

PROBE = """
import importlib, json, sys, threading, traceback

names, engines = json.loads(sys.stdin.read())
broken, heavy = {}, {}
for name in names:
    try:
        importlib.import_module(name)
    except BaseException:
        broken[name] = traceback.format_exc().splitlines()[-1]
    loaded = sorted(set(engines) & set(sys.modules))
    if loaded:
        heavy[name] = loaded
        for engine in loaded:
            del sys.modules[engine]
report = {"broken": broken, "heavy": heavy, "threads": threading.active_count()}
print("REPORT " + json.dumps(report))
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """An empty working folder and an environment in which every engine and whatever is optional raises on import."""
    fakes = tmp_path_factory.mktemp("fakes")
    for name in ABSENT:
        (fakes / f"{name}.py").write_text(f'raise RuntimeError("{name} was imported")\n')
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(fakes), str(ROOT)]), "PYTHONDONTWRITEBYTECODE": "1"}
    return tmp_path_factory.mktemp("elsewhere"), env


def test_importing_everything_imports_no_engine_and_does_nothing(bare: tuple[Path, dict[str, str]]) -> None:
    folder, env = bare
    names = sorted(name for name in modules() if not name.endswith("__main__") and name not in LEAVES)
    probe = subprocess.run(
        [sys.executable, "-c", PROBE], input=json.dumps([names, ABSENT]), cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert probe.returncode == 0, probe.stderr
    printed, _, report_json = probe.stdout.partition("REPORT ")
    report = json.loads(report_json)
    assert not report["broken"], "modules that cannot be imported without engines and extras:\n" + json.dumps(report["broken"], indent=1)
    assert not report["heavy"], report["heavy"]
    assert report["threads"] == 1
    assert printed == "" and probe.stderr == ""
    assert list(folder.iterdir()) == []


def test_the_list_of_adapters_is_exact() -> None:
    assert LEAVES <= set(modules()), sorted(LEAVES - set(modules()))


@pytest.mark.parametrize("extra", ["sim", "models", "train", "body-parity"])
def test_the_list_has_what_an_extra_brings(extra: str) -> None:
    brought = {need.name for need in bounds(extra)} - {need.name for need in bounds()}
    assert brought and {MODULES.get(name, name) for name in brought} <= set(ABSENT)


def test_the_command_line_shows_its_help_without_engines(bare: tuple[Path, dict[str, str]]) -> None:
    folder, env = bare
    shown = subprocess.run(
        [sys.executable, "-m", "assistworld.cli.main", "--help"], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert shown.returncode == 0, shown.stderr
    for command in ("run", "replay", "list", "check", "prove", "view", "demo"):
        assert command in shown.stdout


def test_the_probe_sees_an_import_at_the_top(bare: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    folder, env = bare
    (tmp_path / "greedy.py").write_text("import mujoco\n")
    (tmp_path / "guarded.py").write_text("try:\n    import torch\nexcept ImportError:\n    torch = None\n")
    probe = subprocess.run(
        [sys.executable, "-c", PROBE],
        input=json.dumps([["greedy", "guarded"], ENGINES]),
        cwd=folder,
        env={**env, "PYTHONPATH": f"{env['PYTHONPATH']}{os.pathsep}{tmp_path}"},
        capture_output=True,
        text=True,
        check=True,
    )
    report = json.loads(probe.stdout.partition("REPORT ")[2])
    assert report["broken"] == {"greedy": "RuntimeError: mujoco was imported", "guarded": "RuntimeError: torch was imported"}
