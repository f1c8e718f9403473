"""The Python and the commands in the documents are those that exist."""

from __future__ import annotations

import ast
import importlib
import re

import pytest

from assistworld.cli.commands import COMMANDS
from tests.repository.tree import ROOT, files

PAGES = [path for path in files() if path.suffix == ".md"]
BLOCKS = [
    (str(path), block)
    for path in PAGES
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


def test_every_command_that_a_page_names_exists() -> None:
    known = {command.NAME for command in COMMANDS}
    named = {
        (str(path), word) for path in PAGES for word in re.findall(r"\./dev run ([a-z_]\w*)", (ROOT / path).read_text(encoding="utf-8"))
    }
    assert named and {(path, word) for path, word in named if word not in known} == set()
