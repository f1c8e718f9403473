"""``extension.toml`` and the module it names, checked without Kit."""

from __future__ import annotations

import importlib
import sys
import tomllib
import types

import pytest

import extension
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
DEPENDENCY_KEYS = {"version", "exact", "optional", "order"}
MODULE_KEYS = {"name", "path", "public"}


@pytest.fixture(scope="module")
def manifest() -> dict[str, dict[str, object]]:
    return tomllib.loads((ROOT / "extension.toml").read_text(encoding="utf-8"))


def test_tables_and_keys_are_known_to_kit(manifest: dict[str, dict[str, object]]) -> None:
    assert set(manifest) <= set(KNOWN_KEYS)
    for table, allowed in KNOWN_KEYS.items():
        if allowed is not None:
            assert set(manifest.get(table, {})) <= allowed, table


def test_only_the_async_engine_is_a_hard_dependency(manifest: dict[str, dict[str, object]]) -> None:
    for name, options in manifest["dependencies"].items():
        assert isinstance(options, dict) and set(options) <= DEPENDENCY_KEYS
        assert name == "omni.kit.async_engine" or options.get("optional") is True, f"{name} must be optional"


def test_files_and_module_exist_and_versions_agree(manifest: dict[str, dict[str, object]]) -> None:
    package = manifest["package"]
    for key in ("readme", "changelog"):
        assert (ROOT / str(package[key])).is_file(), package[key]
    modules = manifest["python"]["module"]
    assert isinstance(modules, list) and [module["name"] for module in modules] == ["extension"]
    assert all(set(module) <= MODULE_KEYS for module in modules)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert package["version"] == project["version"] == importlib.import_module("assistworld").__version__


def test_kit_finds_an_entry_class_and_others_find_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not hasattr(extension, "AssistWorldExtension")
    kit = types.ModuleType("omni.ext")
    kit.IExt = type("IExt", (), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "omni.ext", kit)
    try:
        inside_kit = importlib.reload(extension)
        entries = [value for value in vars(inside_kit).values() if isinstance(value, type) and issubclass(value, kit.IExt)]
        assert [entry.__name__ for entry in entries] == ["AssistWorldExtension"]
        entry = entries[0]()
        assert entry.on_startup("assistworld-0.1.0") is None and entry.on_shutdown() is None
    finally:
        vars(extension).pop("AssistWorldExtension", None)
