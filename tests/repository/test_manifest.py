"""``extension.toml`` and the module it names, checked without Kit."""

from __future__ import annotations

import dataclasses
import importlib
import sys
import tomllib
import types
from typing import Any

import pytest

import extension
from extension.settings import Settings
from tests.repository.tree import ROOT

# Tables and keys that manifests of Isaac Sim 6.2 use; None: the table's keys are free.
KNOWN_KEYS: dict[str, set[str] | None] = {
    "core": {"reloadable", "order"},
    "package": {
        "version", "title", "description", "category", "authors", "repository", "keywords", "changelog", "readme",
        "preview_image", "icon", "support_level", "toggleable", "writeTarget",
    },
    "dependencies": None,
    "python": {"module", "pipapi"},
    "native": {"plugin"},
    "settings": None,
    "fswatcher": {"patterns"},
    "documentation": {"pages"},
    "deprecation": {"warning"},
    "test": None,
}  # fmt: skip
TEST_KEYS = {"name", "enabled", "timeout", "dependencies", "args", "pythonTests", "stdoutFailPatterns", "waiver"}
# What Isaac Sim gives its own tests, so that a step is a step and a frame a frame.
DETERMINISM = [
    "--/app/asyncRendering=0",
    "--/app/runLoops/main/manualModeEnabled=true",
    "--/app/runLoops/main/rateLimitEnabled=false",
    "--/app/player/useFixedTimeStepping=false",
]
DEPENDENCY_KEYS = {"version", "exact", "optional", "order"}
MODULE_KEYS = {"name", "path", "public"}


@pytest.fixture(scope="module")
def manifest() -> dict[str, dict[str, object]]:
    return tomllib.loads((ROOT / "extension.toml").read_text(encoding="utf-8"))


def findings(manifest: dict[str, Any]) -> list[str]:
    """What Kit would pass over without a word: unknown tables and keys, and dependencies that keep it from starting elsewhere."""
    found = [f"unknown table {table}" for table in manifest if table not in KNOWN_KEYS]
    for table, allowed in KNOWN_KEYS.items():
        if allowed is not None:
            found += [f"{table}: unknown key {key}" for key in manifest.get(table, {}) if key not in allowed]
    for name, options in manifest.get("dependencies", {}).items():
        found += [f"dependencies: unknown key {key} of {name}" for key in options if key not in DEPENDENCY_KEYS]
        if name != "omni.kit.async_engine" and options.get("optional") is not True:
            found.append(f"dependencies: {name} must be optional")
    for row in manifest.get("python", {}).get("module", []):
        found += [f"python.module: unknown key {key}" for key in row if key not in MODULE_KEYS]
    for row in manifest.get("test", []):
        found += [f"test: unknown key {key}" for key in row if key not in TEST_KEYS]
    return found


def test_the_manifest_has_only_what_kit_knows_and_needs_only_the_kernel(manifest: dict[str, dict[str, object]]) -> None:
    assert findings(manifest) == []
    assert "omni.kit.async_engine" in manifest["dependencies"]


def test_files_and_module_exist_and_versions_agree(manifest: dict[str, dict[str, object]]) -> None:
    package = manifest["package"]
    pages = manifest["documentation"]["pages"]
    assert isinstance(pages, list) and pages
    for name in [*(package[key] for key in ("readme", "changelog", "icon", "preview_image")), *pages]:
        assert (ROOT / str(name)).is_file(), name
    modules = manifest["python"]["module"]
    assert isinstance(modules, list) and [module["name"] for module in modules] == ["extension", "extension.tests"]
    assert all(set(module) <= MODULE_KEYS for module in modules) and modules[1]["public"] is False
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert package["version"] == project["version"] == importlib.import_module("assistworld").__version__


def test_settings_of_the_manifest_are_those_of_the_code(manifest: dict[str, dict[str, object]]) -> None:
    assert manifest["settings"] == {"exts": {"assistworld": dataclasses.asdict(Settings())}}


def test_tests_inside_kit_run_without_a_window_and_step_by_step(manifest: dict[str, Any]) -> None:
    (test,) = manifest["test"]
    assert set(test) <= TEST_KEYS and test["dependencies"] == ["omni.kit.test"]
    assert set(DETERMINISM) <= set(test["args"]) and "--no-window" in test["args"]
    assert test["args"][test["args"].index("--enable") + 1] == "omni.kit.loop-isaac"
    assert test["pythonTests"]["include"] == ["extension.tests.*"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ('[package]\nversoin = "1"', "package: unknown key versoin"),
        ('[dependencies]\n"omni.ui" = {}', "dependencies: omni.ui must be optional"),
        ('[dependencies]\n"omni.ui" = { optinal = true }', "dependencies: unknown key optinal of omni.ui"),
        ("[extras]\nx = 1", "unknown table extras"),
        ('[[python.module]]\nnaem = "x"', "python.module: unknown key naem"),
        ("[[test]]\ntimout = 1", "test: unknown key timout"),
    ],
)
def test_the_check_finds_what_kit_would_pass_over(wrong: str, said: str) -> None:
    assert said in findings(tomllib.loads(wrong))


def test_kit_finds_an_entry_class_and_others_find_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not hasattr(extension, "AssistWorldExtension")
    kit = types.ModuleType("omni.ext")
    kit.IExt = type("IExt", (), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "omni.ext", kit)
    try:
        inside_kit = importlib.reload(extension)
        entries = [value for value in vars(inside_kit).values() if isinstance(value, type) and issubclass(value, kit.IExt)]
        assert [entry.__name__ for entry in entries] == ["AssistWorldExtension"]
    finally:
        vars(extension).pop("AssistWorldExtension", None)
