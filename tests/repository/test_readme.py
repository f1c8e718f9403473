"""The Python in the documents is the Python that exists."""

from __future__ import annotations

import ast
import importlib
import re

import pytest

from tests.repository.tree import ROOT, files

BLOCKS = [
    (str(path), block)
    for path in files()
    if path.suffix == ".md"
    for block in re.findall(r"^```python\n(.*?)^```", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
]


def test_the_readme_has_an_example() -> None:
    assert "README.md" in {path for path, _ in BLOCKS}


@pytest.mark.parametrize(("path", "block"), BLOCKS, ids=[f"{path}-{number}" for number, (path, _) in enumerate(BLOCKS)])
def test_examples_import_what_exists(path: str, block: str) -> None:
    for node in ast.walk(ast.parse(block, filename=path)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            module = importlib.import_module(node.module)
            missing = [alias.name for alias in node.names if not hasattr(module, alias.name)]
            assert not missing, f"{path} imports {missing} from {node.module}"
