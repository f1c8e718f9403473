"""Rules about the files of the checkout: sizes, paths of one machine, tests that assert, package data."""

from __future__ import annotations

import ast
import fnmatch
import re
import tomllib

import pytest

from tests.repository.tree import PACKAGES, ROOT, files, parsed, sources

MEDIA = set(".png .jpg .jpeg .webp .gif .svg .mp4 .wav .ogg .npz .npy .usd .usdc .usda .glb .obj .ttf .html".split())
TEXT = {*".py .pyi .md .toml .yaml .yml .json .sh .txt .lock .glsl .css .js".split(), ""}
MEDIA_LIMIT_BYTES = 60_000_000
MODULE_LIMIT_LINES = 800
CHECKING_CALL = re.compile(r"raises|assert|check|warns|fail")


def test_committed_media_stay_small() -> None:
    sizes = {path: (ROOT / path).stat().st_size for path in files() if path.suffix in MEDIA}
    largest = sorted(sizes, key=lambda path: -sizes[path])[:5]
    assert sum(sizes.values()) < MEDIA_LIMIT_BYTES, f"{sum(sizes.values())} bytes of media; the largest: {largest}"


def test_every_committed_file_is_text_or_media() -> None:
    """What a tool downloads or builds (a wheel, an archive, a library) is not part of the project."""
    strange = [str(path) for path in files() if path.suffix not in MEDIA | TEXT]
    assert not strange, f"remove, or name their kind: {strange}"


def test_no_module_is_a_giant() -> None:
    lengths = {path: (ROOT / path).read_text(encoding="utf-8").count("\n") for path in files() if path.suffix == ".py"}
    giants = {str(path): lines for path, lines in lengths.items() if lines > MODULE_LIMIT_LINES}
    assert not giants, f"split by noun: {giants}"


def test_no_file_names_a_folder_of_one_machine() -> None:
    machine = re.compile(r"(?<![\w.])/(?:work|farm|root|home/\w+|Users/\w+)/|\.\./" + "shared")
    found = []
    for path in files():
        if path.suffix in TEXT:
            text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
            found += [f"{path}:{number} {line.strip()[:90]}" for number, line in enumerate(text.splitlines(), 1) if machine.search(line)]
    assert not found, "\n".join(found)


def _asserts(function: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and CHECKING_CALL.search(ast.unparse(node.func)))
        for node in ast.walk(function)
    )


def test_every_test_asserts_something() -> None:
    silent = []
    for path in files():
        if path.suffix == ".py" and path.parts[0] == "tests" and path.name.startswith("test_"):
            for node in ast.walk(parsed(path)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test") and not _asserts(node):
                    silent.append(f"{path}:{node.lineno} {node.name}")
    assert not silent, "tests that cannot fail:\n" + "\n".join(silent)


def test_no_bare_except_and_no_assert_outside_tests() -> None:
    found = []
    for path in sources():
        for node in ast.walk(parsed(path)):
            if (isinstance(node, ast.ExceptHandler) and node.type is None) or isinstance(node, ast.Assert):
                found.append(f"{path}:{node.lineno} {ast.unparse(node)[:80]}")
    assert not found, "\n".join(found)


def test_data_files_of_the_packages_are_packaged() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]["*"]
    left_out = [
        str(path)
        for path in files()
        if path.parts[0] in PACKAGES and path.suffix not in {".py", ".md"} and not any(fnmatch.fnmatch(path.name, p) for p in patterns)
    ]
    assert not left_out, f"no pattern of tool.setuptools.package-data matches {left_out}"


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", ".ci/run", "dev"])
def test_the_root_has(name: str) -> None:
    assert (ROOT / name).stat().st_size > 0
