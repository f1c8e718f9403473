"""The table of minutes at the end of the suite, and the samples that keep it short."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FOLDERS, SEED_VARIABLE, SHARES, chosen, share_of
from tests.repository.tree import ROOT


@pytest.mark.parametrize(
    ("nodeid", "share"),
    [
        ("tests/actions/test_grammar.py::test_x", "action layer"),
        ("tests/assistcore/house/test_stage.py::test_x[1]", "assets and scenes"),
        ("tests/engines/house/test_engine.py::test_x", "assets and scenes"),
        ("tests/episodes/test_loop.py::test_x", "first episode"),
        ("tests/test_top.py::test_actions", "first episode"),
    ],
)
def test_a_test_counts_for_the_deepest_named_folder(nodeid: str, share: str) -> None:
    assert share_of(nodeid) == share


def test_the_shares_are_those_of_the_rules() -> None:
    assert sum(SHARES.values()) == 29 and set(FOLDERS.values()) <= set(SHARES)


def test_every_case_of_a_rotating_test_has_its_turn() -> None:
    names = [f"case {n}" for n in range(11)]
    samples = [chosen(names, 3, seed) for seed in range(60)]
    assert all(len(sample) == 3 for sample in samples) and set().union(*samples) == set(names)
    assert chosen(names[::-1], 3, 7) == chosen(names, 3, 7) and chosen(names[:2], 3, 7) == set(names[:2])


CASES = """
import pytest

@pytest.mark.rotating(3)
@pytest.mark.parametrize("case", range(20))
def test_it(case):
    print("ran", __file__, case)
"""


def test_two_processes_take_the_same_tests_and_the_table_has_them_all_once(tmp_path: Path) -> None:
    """The process that has the terminal runs none of them itself."""
    pytest.importorskip("xdist")
    for folder in ("actions", "puzzle", "world"):
        (tmp_path / "tests" / folder).mkdir(parents=True)
        (tmp_path / "tests" / folder / f"test_{folder}.py").write_text(CASES)
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "tests")
    env = {name: value for name, value in os.environ.items() if name != SEED_VARIABLE and not name.startswith("PYTEST_")}
    found = []
    for workers in ([], ["-n", "2", "--dist", "loadfile"]):
        words = [sys.executable, "-m", "pytest", "-rP", "-m", "not slow", *workers, "tests"]
        ran = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0 and re.search(r"=+ 9 passed.* in .*=+\n$", ran.stdout), ran.stdout + ran.stderr
        counts = re.findall(r"^(\w[\w ]*?) +(\d+) tests +\d", ran.stdout, re.MULTILINE)
        found.append((counts, sorted(re.findall(r"^ran (.*)$", ran.stdout, re.MULTILINE)), re.findall(r"^sample seed.*", ran.stdout, re.M)))
    assert found[0] == found[1] and len(found[0][1]) == 9 and len(found[0][2]) == 1
    assert found[0][0] == [(share, str({"action layer": 3, "puzzles": 3, "first episode": 3}.get(share, 0))) for share in SHARES] + [
        ("all", "9")
    ]
