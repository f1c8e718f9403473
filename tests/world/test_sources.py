"""The digest that tells code from other code."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from assistcore.world.sources import code_digest, code_version
from assistworld.engines.house.described import CODE
from assistworld.engines.remote.protocol import SHARED, contract


def test_one_changed_byte_or_name_changes_the_digest(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    source = tmp_path / "a" / "one.py"
    source.write_bytes(b"x = 1\n")
    first = code_digest(["a"], tmp_path)
    source.write_bytes(b"x = 1\r\n")
    assert code_digest(["a"], tmp_path) == first, "line ends do not count"
    source.write_bytes(b"x = 2\n")
    assert code_digest(["a"], tmp_path) != first
    source.write_bytes(b"x = 1\n")
    source.rename(tmp_path / "a" / "two.py")
    assert code_digest(["a"], tmp_path) != first


def test_the_order_of_the_packages_does_not_matter(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.py").write_text(f"name = {name!r}\n")
    assert code_digest(["a", "b"], tmp_path) == code_digest(["b", "a"], tmp_path) != code_digest(["a"], tmp_path)


def test_a_digest_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no_such_package"):
        code_digest(["no_such_package"], tmp_path)


def test_a_module_may_be_named_by_itself(tmp_path: Path) -> None:
    folder = tmp_path / "engines"
    folder.mkdir()
    (folder / "one.py").write_text("x = 1\n")
    (folder / "two.py").write_text("y = 1\n")
    first = code_digest(["engines/one.py"], tmp_path)
    (folder / "two.py").write_text("y = 2\n")
    assert code_digest(["engines/one.py"], tmp_path) == first
    (folder / "one.py").write_text("x = 2\n")
    assert code_digest(["engines/one.py"], tmp_path) != first


def test_versions_are_the_package_and_twelve_digits_of_the_digest() -> None:
    assert contract() == code_version(*SHARED) == f"{version('assistworld')}+{code_digest(SHARED)[:12]}"
    assert code_version(*CODE) != code_version(*SHARED)
